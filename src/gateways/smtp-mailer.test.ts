// Checks mail through a real SMTP server on this machine: what arrives, over which kind of connection, and how failures are reported.

import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { mailServerCertificate } from '../../tests/setup/mail/mail-server-certificate.ts';
import { readMail } from '../../tests/setup/mail/received-mail.ts';
import { SmtpServer, type SmtpServerOptions } from '../../tests/setup/mail/smtp-server.ts';
import { minuteMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import type { OutgoingMessage } from './mailer.ts';
import { SmtpMailer, type SmtpOptions, type SmtpSettings } from './smtp-mailer.ts';

const from = { name: 'Lindqvist Office', address: 'post@office.example' };
const outgoing: OutgoingMessage = {
  id: '66f0c0ffee00000000000001' as Id,
  createdAt: Date.parse('2026-11-15T12:00:00Z'),
  to: 'astrid@lindqvist.example',
  subject: 'Invitation to Lindqvist Family',
  text: 'Come in.\n.\n.. said nobody\n',
  html: '<p>Come in.</p>\n',
};
const never = new AbortController().signal;

async function startServer(options: SmtpServerOptions = {}): Promise<SmtpServer> {
  const server = await SmtpServer.start(options);
  onTestFinished(() => server.stop());
  return server;
}

function makeMailer(port: number, server: Partial<SmtpSettings> = {}, more: Partial<SmtpOptions> = {}): SmtpMailer {
  const settings: SmtpSettings = { host: '127.0.0.1', port, tls: 'none', login: undefined, ...server };
  const mailer = new SmtpMailer({ server: settings, from, timeoutMs: minuteMs, ...more });
  onTestFinished(() => mailer.close());
  return mailer;
}

test('a message arrives as text and as HTML, marked as automatically generated', async () => {
  const server = await startServer();
  expect(await makeMailer(server.port).send(outgoing, never)).toEqual({ kind: 'sent' });
  const [taken] = server.messages;
  expect([taken?.from, taken?.to]).toEqual(['post@office.example', ['astrid@lindqvist.example']]);
  const { headers, parts } = readMail(taken!.raw);
  expect(headers).toEqual({
    from: 'Lindqvist Office <post@office.example>',
    to: 'astrid@lindqvist.example',
    subject: 'Invitation to Lindqvist Family',
    'message-id': '<66f0c0ffee00000000000001@office.example>',
    date: 'Sun, 15 Nov 2026 12:00:00 +0000',
    'auto-submitted': 'auto-generated',
    'x-auto-response-suppress': 'All',
    'mime-version': '1.0',
    'content-type': expect.stringMatching(/^multipart\/alternative;/),
  });
  expect(Object.keys(parts)).toEqual(['text/plain', 'text/html']);
  expect(parts['text/plain']!.trimEnd()).toBe('Come in.\n.\n.. said nobody');
  expect(parts['text/html']!.trimEnd()).toBe('<p>Come in.</p>');
});

test('consecutive messages use one connection', async () => {
  const server = await startServer();
  const mailer = makeMailer(server.port);
  for (const number of [1, 2, 3]) await mailer.send({ ...outgoing, subject: `${number}` }, never);
  expect([server.messages.length, server.connections]).toEqual([3, 1]);
});

test.each([
  'Hello\r\nBcc: eve@evil.example',
  'Hello\nBcc: eve@evil.example\n\nBody of another',
  'Hello\r\n\r\n<script>',
  'Hello\0\u2028Bcc: eve@evil.example',
])('a subject with line breaks adds no header: %j', async (subject) => {
  const server = await startServer();
  expect(await makeMailer(server.port).send({ ...outgoing, subject }, never)).toEqual({ kind: 'sent' });
  const { headerNames, parts } = readMail(server.messages[0]!.raw);
  expect(headerNames.filter((name) => /bcc/i.test(name))).toEqual([]);
  expect(parts['text/plain']).toContain('Come in.');
  expect(server.messages[0]!.to).toEqual(['astrid@lindqvist.example']);
});

test('an internationalised domain is written in ASCII', async () => {
  const server = await startServer();
  await makeMailer(server.port).send({ ...outgoing, to: 'anna@bücher.example' }, never);
  expect(server.messages[0]!.to).toEqual(['anna@xn--bcher-kva.example']);
  expect(readMail(server.messages[0]!.raw).headers['to']).toBe('anna@xn--bcher-kva.example');
});

test('a remote server gets nothing until the connection is encrypted', async () => {
  const server = await startServer();
  expect(await makeMailer(server.port, { tls: 'required' }).send(outgoing, never)).toMatchObject({
    kind: 'failed',
    isFinal: false,
  });
  expect(server.commands.filter((command) => /^(AUTH|MAIL)/.test(command))).toEqual([]);
  server.options = { startTls: true };
  const untrusting = makeMailer(server.port, { tls: 'required' });
  expect(await untrusting.send(outgoing, never)).toMatchObject({ kind: 'failed', isFinal: false });
  expect(server.messages).toEqual([]);
  const trusting = makeMailer(server.port, { tls: 'required' }, { authorities: mailServerCertificate });
  expect(await trusting.send(outgoing, never)).toEqual({ kind: 'sent' });
  expect(server.messages[0]!.isEncrypted).toBe(true);
});

test('a server that requires a login gets it, and a refused login is retried later', async () => {
  const server = await startServer({ login: 'holdfast:hush' });
  const right = makeMailer(server.port, { login: { user: 'holdfast', password: 'hush' } });
  expect(await right.send(outgoing, never)).toEqual({ kind: 'sent' });
  expect(server.messages[0]!.user).toBe('holdfast');
  const refused = { kind: 'failed', isFinal: false, detail: 'The mail server refused the login of this service.' };
  const wrong = makeMailer(server.port, { login: { user: 'holdfast', password: 'wrong' } });
  expect(await wrong.send(outgoing, never)).toEqual(refused);
  expect(await makeMailer(server.port).send(outgoing, never)).toEqual(refused);
});

const notAccepted = 'The mail server did not accept the message:';
test.each([
  ['RCPT TO', '550 5.1.1 <astrid@lindqvist.example>: unknown', true, 'The mail server refused the address: 550 5.1.1.'],
  ['RCPT TO', '553 no such person as astrid', true, 'The mail server refused the address: 553.'],
  ['RCPT TO', '500 What?', true, 'The mail server refused the address: 500.'],
  ['RCPT TO', '450 4.2.0 Greylisted, astrid', false, `${notAccepted} 450 4.2.0.`],
  ['MAIL FROM', '550 5.7.1 Not from you', false, `${notAccepted} 550 5.7.1.`],
  ['MAIL FROM', '452 Full', false, `${notAccepted} 452.`],
  ['message', '554 5.7.1 Spam', true, 'The mail server refused the message: 554 5.7.1.'],
  ['message', '500 5.5.2 What?', true, 'The mail server refused the message: 500 5.5.2.'],
  ['message', '451 4.3.0 Later', false, `${notAccepted} 451 4.3.0.`],
  ['connect', '554 No service', false, `${notAccepted} 554.`],
])('%s with the response %j: permanent %s', async (command, answer, isFinal, detail) => {
  const server = await startServer({ answer: (received) => (received === command ? answer : undefined) });
  expect(await makeMailer(server.port).send(outgoing, never)).toEqual({ kind: 'failed', isFinal, detail });
  expect(server.messages).toEqual([]);
});

test('after a refusal the next message is sent', async () => {
  const server = await startServer({ answer: (received) => (received === 'RCPT TO' ? '550 5.1.1 No' : undefined) });
  const mailer = makeMailer(server.port);
  await mailer.send(outgoing, never);
  server.options = {};
  expect(await mailer.send(outgoing, never)).toEqual({ kind: 'sent' });
});

test('an invalid address is refused permanently', async () => {
  const server = await startServer();
  const outcome = await makeMailer(server.port).send({ ...outgoing, to: 'anna@٣.example' }, never);
  expect(outcome).toEqual({
    kind: 'failed',
    isFinal: true,
    detail: 'This is not a valid e-mail address.',
  });
  expect(server.messages).toEqual([]);
});

test('a message is retried while no server listens', async () => {
  const none = createServer().listen(0, '127.0.0.1');
  await once(none, 'listening');
  const { port } = none.address() as AddressInfo;
  none.close();
  await once(none, 'close');
  expect(await makeMailer(port).send(outgoing, never)).toEqual({
    kind: 'failed',
    isFinal: false,
    detail: 'The connection to the mail server failed or was lost.',
  });
});

test('a message whose connection is lost is not sent again by itself: it may have arrived', async () => {
  let received = 0;
  const server = await startServer({
    answer(command) {
      if (command !== 'message') return undefined;
      received += 1;
      return 'close';
    },
  });
  expect(await makeMailer(server.port).send(outgoing, never)).toMatchObject({ kind: 'failed', isFinal: false });
  expect(received).toBe(1);
});

test('a server that closes a connection before its greeting gets no second one: the mail worker decides when to try again', async () => {
  const server = await startServer({ answer: (received) => (received === 'connect' ? 'close' : undefined) });
  expect(await makeMailer(server.port).send(outgoing, never)).toMatchObject({ kind: 'failed', isFinal: false });
  expect(server.connections).toBe(1);
});

test('a server that never responds times out, and the next message uses another connection', async () => {
  const { promise: hung, resolve: hang } = Promise.withResolvers<void>();
  const server = await startServer({
    answer(received) {
      if (received === 'message') hang();
      return received === 'message' ? 'hang' : undefined;
    },
  });
  const mailer = makeMailer(server.port);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const sent = mailer.send(outgoing, never);
  await hung;
  vi.advanceTimersByTime(minuteMs);
  expect(await sent).toEqual({
    kind: 'failed',
    isFinal: false,
    detail: 'The mail server did not answer in time.',
  });
  vi.useRealTimers();
  server.options = {};
  const patient = await mailer.send(outgoing, never);
  expect([patient, server.connections]).toEqual([{ kind: 'sent' }, 2]);
});

test('stopping the node interrupts a message in progress', async () => {
  const stopping = new AbortController();
  const server = await startServer({
    answer(received) {
      if (received === 'message') stopping.abort();
      return received === 'message' ? 'hang' : undefined;
    },
  });
  const mailer = makeMailer(server.port);
  expect(await mailer.send(outgoing, stopping.signal)).toEqual({ kind: 'stopped' });
  expect(await mailer.send(outgoing, stopping.signal)).toEqual({ kind: 'stopped' });
});
