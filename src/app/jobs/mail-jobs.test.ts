// Tests mail on a whole service, from the request that causes it to a mail server, or to a file that the log names.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeInvite, makeUser } from '../../../tests/setup/people/members.ts';
import { readMail } from '../../../tests/setup/mail/received-mail.ts';
import { serviceForThisTest, type TestService } from '../../../tests/setup/node/test-service.ts';
import { SmtpServer } from '../../../tests/setup/mail/smtp-server.ts';

async function makeInviteOn({ admin }: TestService): Promise<string> {
  const client = await admin.makeClient('Lindqvist Family');
  return makeInvite(admin, await makeUser(admin, client, { email: 'astrid@lindqvist.example' }));
}

function statusOf({ admin }: TestService, invite: string): () => Promise<string> {
  return async () => (await admin.get(`/v1/invites/${invite}`)).body.mail.status;
}

test('without a mail server, mail is written to a file below DATA_DIR; the log has the file name and none of its text', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-data-'));
  onTestFinished(() => rm(dataDir, { recursive: true }));
  const service = await serviceForThisTest({ settings: { ROLE: 'all', DATA_DIR: dataDir } });
  await expect.poll(statusOf(service, await makeInviteOn(service))).toBe('sent');
  const [name] = await readdir(join(dataDir, 'mail'));
  const file = join(dataDir, 'mail', name!);
  const { headers, parts } = readMail(await readFile(file, 'latin1'));
  expect(headers['to']).toBe('astrid@lindqvist.example');
  const [, secret] = /\/invites\/([\w-]{67})$/m.exec(parts['text/plain']!)!;
  const logLines = service.log.filter((line) => line.includes('mail was saved as a file'));
  expect(logLines.map((line) => JSON.parse(line).file)).toEqual([file]);
  for (const secretText of [secret!, 'astrid'])
    expect(service.log.filter((line) => line.includes(secretText))).toEqual([]);
  const metrics = async (): Promise<string> => (await fetch(`${service.admin.address}/metrics`)).text();
  await expect.poll(metrics).toContain('holdfast_mails_total{outcome="sent"} 1');
  await expect.poll(metrics).toContain('holdfast_queue_items{queue="mails"} 0');
});

test('with a mail server, mail arrives there from the configured sender; a refusal is logged without the address', async () => {
  const server = await SmtpServer.start({ login: 'holdfast:hush' });
  onTestFinished(() => server.stop());
  const settings = {
    ROLE: 'all',
    SMTP_URL: `smtp://holdfast:hush@127.0.0.1:${server.port}`,
    MAIL_FROM: 'Lindqvist Office <post@office.example>',
  };
  const service = await serviceForThisTest({ settings });
  await expect.poll(statusOf(service, await makeInviteOn(service))).toBe('sent');
  const { headers } = readMail(server.messages[0]!.raw);
  expect([headers['from'], headers['subject'], server.messages.length]).toEqual([
    'Lindqvist Office <post@office.example>',
    'Invitation to Lindqvist Family',
    1,
  ]);
  server.options = {
    ...server.options,
    answer: (command) => (command === 'RCPT TO' ? '550 5.1.1 No astrid here' : undefined),
  };
  await expect.poll(statusOf(service, await makeInviteOn(service))).toBe('failed');
  const [logLines] = service.log.filter((line) => line.includes('mail could not be sent'));
  expect(JSON.parse(logLines!)).toMatchObject({
    failure: 'The mail server refused the address: 550 5.1.1.',
    isFinal: true,
  });
  for (const secretText of ['hush', 'astrid'])
    expect(service.log.filter((line) => line.includes(secretText))).toEqual([]);
});
