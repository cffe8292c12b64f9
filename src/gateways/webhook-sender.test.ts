// Checks deliveries to real receivers on this machine: what is sent, what is read of the response, and how failures are reported.

import { getEventListeners } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Server as TcpServer, type Socket } from 'node:net';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { receiverCertificate, receiverKey } from '../../tests/setup/events/receiver-certificate.ts';
import { minuteMs } from '../kit/clock.ts';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { checkedLookup } from './checked-lookup.ts';
import { isPublicAddress } from './public-address.ts';
import { WebhookSender, type WebhookSenderOptions, type WebhookOutcome, type WebhookPost } from './webhook-sender.ts';

const clock = new ManualClock('2026-03-01T12:00:00Z');
const open = new Set<WebhookSender>();

function makeSender(options: Partial<WebhookSenderOptions> = {}): WebhookSender {
  const sender = new WebhookSender({ allowPrivate: true, clock, ...options });
  open.add(sender);
  return sender;
}

const sender = makeSender();
afterAll(() => Promise.all([...open].map((one) => one.close())));

async function listen(server: TcpServer, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function receiver(listener: RequestListener): Promise<{ url: string; server: Server; port: number }> {
  const server = createServer(listener);
  const port = await listen(server);
  return { url: `http://127.0.0.1:${port}/hooks?a=1`, server, port };
}

function send(url: string, changes: Partial<WebhookPost> = {}, by = sender): Promise<WebhookOutcome> {
  const post = {
    headers: { 'content-type': 'application/json' },
    body: '{"a":"é"}',
    timeoutMs: minuteMs,
    responseBytesMax: 1024,
  };
  return by.send({ url, ...post, ...changes });
}

const answered = (status: number, more: object = {}): WebhookOutcome => ({
  kind: 'answered',
  status,
  retryAfterMs: null,
  responseStart: '',
  durationMs: 0,
  ...more,
});

const failed = (reason: string, detail: unknown = expect.any(String)): unknown => ({
  kind: 'failed',
  reason,
  detail,
  durationMs: 0,
});

describe('a request', () => {
  test('is one POST with exactly the given headers and body', async () => {
    const arrived: unknown[] = [];
    const { url, port } = await receiver((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url: path, headers } = request;
        arrived.push({ method, path, headers, body: Buffer.concat(parts).toString('hex') });
        response.end('thank you');
      });
    });
    const outcome = await send(url, { headers: { 'webhook-id': '1' }, body: Uint8Array.of(0, 255, 13, 10) });
    expect(outcome).toEqual(answered(200, { responseStart: 'thank you' }));
    expect(arrived).toEqual([
      {
        method: 'POST',
        path: '/hooks?a=1',
        body: '00ff0d0a',
        headers: { host: `127.0.0.1:${port}`, connection: 'keep-alive', 'webhook-id': '1', 'content-length': '4' },
      },
    ]);
  });

  test('may be answered with headers of up to 16 KiB', async () => {
    const answerWith = async (length: number): Promise<unknown> => {
      const { url } = await receiver((_request, response) => {
        for (let number = 0; number < length / 1_000; number++) response.setHeader(`x-${number}`, 'y'.repeat(990));
        response.end();
      });
      return (await send(url)).kind;
    };
    expect([await answerWith(15_000), await answerWith(17_000)]).toEqual(['answered', 'failed']);
  });

  test('reuses open connections', async () => {
    const { url, server } = await receiver((_request, response) => response.end());
    let connections = 0;
    server.on('connection', () => connections++);
    for (let count = 0; count < 20; count++) expect(await send(url)).toEqual(answered(200));
    expect(connections).toBeLessThan(3);
  });

  test('uses a bounded number of connections to one receiver', async () => {
    const pending: ServerResponse[] = [];
    let most = 0;
    const { url } = await receiver((_request, response) => {
      most = Math.max(most, pending.push(response));
      if (pending.length === 3) for (const one of pending.splice(0)) one.end();
    });
    const bounded = makeSender({ connectionsMax: 3 });
    await Promise.all(Array.from({ length: 21 }, () => send(url, {}, bounded)));
    expect(most).toBe(3);
  });
});

describe('a response', () => {
  test.each([200, 204, 301, 302, 307, 400, 401, 410, 429, 500, 503])(
    'with the status %i is reported, and redirects are not followed',
    async (status) => {
      let requests = 0;
      const { url, port } = await receiver((_request, response) => {
        requests++;
        response.writeHead(status, { location: `http://127.0.0.1:${port}/elsewhere` }).end();
      });
      expect(await send(url)).toEqual(answered(status));
      expect(requests).toBe(1);
    },
  );

  test.each([
    ['0', 0],
    ['120', 120_000],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90_000],
    ['Sun, 01 Mar 2026 11:59:00 GMT', 0],
    ['soon', null],
    ['-1', null],
    ['1.5', null],
    ['9999999999', null],
    ['2026', 2_026_000],
    ['Sun, 99 Mar 2026 12:01:30 GMT', null],
  ])('with Retry-After %s is reported', async (header, retryAfterMs) => {
    const { url } = await receiver((_request, response) => response.writeHead(503, { 'retry-after': header }).end());
    expect(await send(url)).toEqual(answered(503, { retryAfterMs }));
  });

  test('is read up to the maximum length, and is text that can be stored', async () => {
    const { url } = await receiver((_request, response) => {
      response.on('error', () => {});
      const more = (): void =>
        void (response.write('é'.repeat(50_000)) ? setImmediate(more) : response.once('drain', more));
      response.write('x');
      more();
    });
    const outcome = await send(url, { responseBytesMax: 10 });
    expect(outcome).toEqual(answered(200, { responseStart: 'xéééé' }));
  });

  test('of exactly the maximum length is kept whole, with invalid bytes replaced', async () => {
    const ports = new Set<number | undefined>();
    const { url } = await receiver((request, response) => {
      ports.add(request.socket.remotePort);
      response.end(Buffer.from('ab\0\xff', 'latin1'));
    });
    const single = makeSender({ connectionsMax: 1 });
    for (let count = 0; count < 3; count++) {
      const outcome = await send(url, { responseBytesMax: 4 }, single);
      expect(outcome).toEqual(answered(200, { responseStart: 'ab\uFFFD\uFFFD' }));
    }
    // Nothing was left unread, so the connection serves the next delivery.
    expect(ports.size).toBe(1);
  });

  test('is not decompressed, so that a zip bomb is harmless', async () => {
    const { url } = await receiver((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('packed');
    });
    expect(await send(url)).toEqual(answered(200, { responseStart: 'packed' }));
  });
});

describe('the deadline', () => {
  // Longer than a test may take, so that only the deadline ends these deliveries.
  const patient = { connectTimeoutMs: 60 * minuteMs };
  const late = 'The receiver did not respond completely within 0.05 seconds.';

  test.each<[string, RequestListener]>([
    ['never responds', () => {}],
    [
      'sends its body byte by byte',
      (_request, response) => {
        const drip = setInterval(() => response.write('.'), 5);
        response.on('close', () => clearInterval(drip));
      },
    ],
    [
      'sends interim responses forever',
      (_request, response) => {
        const drip = setInterval(() => response.writeProcessing(), 5);
        response.on('close', () => clearInterval(drip));
      },
    ],
  ])('ends a delivery to a receiver that %s', async (_what, listener) => {
    const { url } = await receiver(listener);
    expect(await send(url, { timeoutMs: 50 }, makeSender(patient))).toEqual(failed('timeout', late));
  });

  test('ends a delivery to a receiver that sends its headers byte by byte', async () => {
    const port = await listen(
      createTcpServer((socket) => {
        socket.on('error', () => {});
        socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
        const drip = setInterval(() => socket.write('.'), 5);
        socket.on('close', () => clearInterval(drip));
      }),
    );
    expect(await send(`http://127.0.0.1:${port}/`, { timeoutMs: 50 }, makeSender(patient))).toEqual(
      failed('timeout', late),
    );
  });

  test('ends a delivery whose name server never responds', async () => {
    const lookup = checkedLookup({ resolve: () => new Promise(() => {}), isAllowed: () => true });
    const slow = makeSender({ lookup, ...patient });
    expect(await send('http://receiver.example/', { timeoutMs: 50 }, slow)).toEqual(failed('timeout', late));
  });

  test('ends a delivery to a receiver that accepts no TLS connection', async () => {
    const port = await listen(createTcpServer((socket) => void socket.on('error', () => {})));
    expect(await send(`https://127.0.0.1:${port}/`, { timeoutMs: 50 }, makeSender(patient))).toEqual(
      failed('timeout', late),
    );
  });

  test('is cancelled once the response is complete', async () => {
    const { url } = await receiver((_request, response) => response.end('1'));
    const timeouts = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;
    await send(url);
    const before = timeouts();
    for (let count = 0; count < 5; count++)
      expect(await send(url, { timeoutMs: minuteMs })).toEqual(answered(200, { responseStart: '1' }));
    expect(timeouts() - before).toBeLessThan(5);
  });
});

test('stopping the service ends a delivery at once', async () => {
  const stop = new AbortController();
  const { url } = await receiver(() => stop.abort());
  const detail = 'The delivery was interrupted because this node is stopping.';
  expect(await send(url, { signal: stop.signal })).toEqual(failed('stopped', detail));
  expect(await send(url, { signal: AbortSignal.abort() })).toEqual(failed('stopped', detail));
});

test('deliveries listen once to the signal that they share', async () => {
  const { signal } = new AbortController();
  const { url } = await receiver((_request, response) => response.end());
  for (let count = 0; count < 3; count++) expect(await send(url, { signal })).toEqual(answered(200));
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
});

test('closing the sender ends what is under way', async () => {
  const own = makeSender();
  const { url } = await receiver(() => void own.close());
  expect(await send(url, {}, own)).toEqual(failed('connection'));
});

describe('failures', () => {
  const raw = (text: string): Promise<number> =>
    listen(createTcpServer((socket) => void socket.on('error', () => {}).once('data', () => socket.end(text))));

  test('no server listens', async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await send(`http://127.0.0.1:${port}/`)).toEqual(
      failed('connection', 'The receiver refused the connection.'),
    );
  });

  test.each([
    ['', 'connection'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort', 'connection'],
    ['SSH-2.0-OpenSSH_9.9\r\n\r\n', 'bad-answer'],
    [`HTTP/1.1 200 OK\r\nx-large: ${'x'.repeat(20_000)}\r\n\r\n`, 'bad-answer'],
  ])('a response that is %j', async (text, reason) => {
    expect(await send(`http://127.0.0.1:${await raw(text)}/`)).toEqual(failed(reason));
  });

  test('a name that does not exist', async () => {
    const resolve = async (): Promise<never> => {
      throw Object.assign(new Error('queryA ENOTFOUND'), { code: 'ENOTFOUND' });
    };
    const lost = makeSender({ lookup: checkedLookup({ resolve, isAllowed: () => true }) });
    expect(await send('http://receiver.example/', {}, lost)).toEqual(
      failed('dns', "The receiver's host name could not be resolved."),
    );
    const empty = makeSender({ lookup: checkedLookup({ resolve: async () => [], isAllowed: () => true }) });
    expect(await send('http://receiver.example/', {}, empty)).toEqual(failed('dns'));
  });
});

describe('the address that is connected to', () => {
  /** A name server that returns the next response of a list each time. */
  function namesLeadingTo(...answers: readonly string[][]): {
    lookedUp: string[];
    resolve(name: string): Promise<string[]>;
  } {
    const lookedUp: string[] = [];
    return { lookedUp, resolve: async (name) => answers[lookedUp.push(name) - 1] ?? [] };
  }

  test('is the one that was checked: a name is resolved only once per connection', async () => {
    let hosts: unknown[] = [];
    const { port } = await receiver((request, response) => {
      hosts.push(request.headers.host);
      response.writeHead(200, { connection: 'close' }).end();
    });
    const names = namesLeadingTo(['127.0.0.1'], ['127.0.0.2']);
    const lookup = checkedLookup({ resolve: names.resolve, isAllowed: (address) => address === '127.0.0.1' });
    const own = makeSender({ lookup });
    const url = `http://receiver.example:${port}/`;
    expect(await send(url, {}, own)).toEqual(answered(200));
    expect([names.lookedUp, hosts]).toEqual([['receiver.example'], [`receiver.example:${port}`]]);
    // The same name would resolve differently for the next connection, which is never made.
    hosts = [];
    expect(await send(url, {}, own)).toEqual(failed('refused-address'));
    expect(hosts).toEqual([]);
  });

  test.each([
    [['127.0.0.1']],
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['2606:4700::1', '::ffff:127.0.0.1']],
    [['10.0.0.1']],
    [['169.254.169.254']],
  ])('is refused without a connection if a name resolves to %j', async (addresses) => {
    const { port, server } = await receiver((_request, response) => response.end());
    let connections = 0;
    server.on('connection', () => connections++);
    const lookup = checkedLookup({ resolve: async () => addresses, isAllowed: isPublicAddress });
    const strict = makeSender({ allowPrivate: false, lookup });
    expect(await send(`https://receiver.example:${port}/`, {}, strict)).toEqual(
      failed('refused-address', 'The name resolves to a private or reserved address.'),
    );
    expect(connections).toBe(0);
  });

  test.each(['https://127.0.0.1', 'https://2130706433', 'https://[::1]', 'https://[::ffff:127.0.0.1]'])(
    'is refused if the URL itself contains it, as in %s, although no name is resolved',
    async (origin) => {
      const strict = makeSender({ allowPrivate: false });
      expect(await send(`${origin}:8443/`, {}, strict)).toEqual(failed('refused-address'));
    },
  );

  test('is refused for a target that could not be registered today', async () => {
    const strict = makeSender({ allowPrivate: false });
    expect(await send('http://receiver.example/', {}, strict)).toEqual(
      failed('refused-target', 'The URL of a webhook must begin with https://.'),
    );
    expect(await send('https://localhost/', {}, strict)).toEqual(failed('refused-target'));
  });

  test('may be any address in development', async () => {
    const { port } = await receiver((_request, response) => response.end());
    expect(await send(`http://localhost:${port}/`)).toEqual(answered(200));
  });
});

describe('TLS', () => {
  async function tlsReceiver(): Promise<{ port: number; names: unknown[] }> {
    const names: unknown[] = [];
    const server = createTlsServer({ cert: receiverCertificate, key: receiverKey }, (request, response) => {
      names.push((request.socket as unknown as { servername: unknown }).servername);
      response.end();
    });
    return { port: await listen(server), names };
  }

  const lookup = checkedLookup({ resolve: async () => ['127.0.0.1'], isAllowed: () => true });
  const trusting = makeSender({ lookup, authorities: receiverCertificate });

  test("verifies the receiver's name", async () => {
    const { port, names } = await tlsReceiver();
    expect(await send(`https://receiver.example:${port}/`, {}, trusting)).toEqual(answered(200));
    expect(names).toEqual(['receiver.example']);
  });

  test('fails if the certificate is for another name', async () => {
    const { port, names } = await tlsReceiver();
    expect(await send(`https://other.example:${port}/`, {}, trusting)).toEqual(
      failed('tls', "The receiver's certificate is for another host name."),
    );
    expect(names).toEqual([]);
  });

  test('fails if the certificate is not trusted, whatever the settings of the process', async () => {
    const { port } = await tlsReceiver();
    const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    onTestFinished(() => {
      if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
      else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    });
    expect(await send(`https://receiver.example:${port}/`, {}, makeSender({ lookup }))).toEqual(
      failed('tls', "The receiver's certificate is not trusted."),
    );
  });

  test('fails if the receiver does not support it', async () => {
    const { port } = await receiver((_request, response) => response.end());
    expect(await send(`https://receiver.example:${port}/`, {}, trusting)).toEqual(failed('tls'));
  });
});
