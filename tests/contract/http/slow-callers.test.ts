// Bodies that arrive slowly or never, and answers that nobody takes: others are served meanwhile, and the connection is closed in the end.

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { minuteMs, secondMs } from '../../../src/kit/clock.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { rawHead } from '../../setup/http/raw-request.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeAccounts, makeHousehold } from '../../setup/structure/structure-document.ts';

/** One request of a workspace runs at a time. */
const service = serviceForThisFile({ settings: { BUDGET_IN_FLIGHT: '1' } });
let admin: Caller;
let household: { readonly client: string };

beforeAll(async () => {
  ({ admin } = service);
  household = await makeHousehold(admin);
});

interface Begun {
  readonly socket: Socket;
  /** The whole answer, once the connection is closed. */
  readonly reply: Promise<string>;
  isAnswered(): boolean;
}

/** Announces a body and sends its beginning. */
function begin(path: string, { headers = {}, caller = admin } = {}): Begun {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(caller.address).port) });
  onTestFinished(() => void socket.destroy());
  const own = { 'content-type': 'application/json', 'content-length': '1000', ...headers };
  const received: Buffer[] = [];
  socket.on('data', (piece: Buffer) => received.push(piece));
  socket.on('error', () => {});
  const reply = once(socket, 'close').then(() => Buffer.concat(received).toString());
  socket.write(`${rawHead('POST', path, { authorization: `Bearer ${caller.token}`, ...own })}{"n`);
  return { socket, reply, isAnswered: () => received.length > 0 };
}

const connectionCount = (): Promise<number> =>
  new Promise((resolve) => void service.server.app.server.getConnections((_error, count) => resolve(count)));

/** Waits until the service has so many connections with an unfinished request. */
async function waitForConnections(count: number): Promise<void> {
  await expect.poll(connectionCount).toBeGreaterThanOrEqual(count);
}

describe('eight bodies that stand still keep no request of their workspace waiting', () => {
  test.each<[string, () => string, Record<string, string>]>([
    ['a bulk body', () => '/v1/fx-rates/bulk', {}],
    ['a file', () => `/v1/imports?client_id=${household.client}`, {}],
    ['a bulk body with a query that is wrong and a key', () => '/v1/fx-rates/bulk?no=1', { 'idempotency-key': 'k' }],
    ['a single record', () => '/v1/clients', {}],
  ])('%s', async (_what, path, headers) => {
    const begun = Array.from({ length: 8 }, () => begin(path(), { headers }));
    await waitForConnections(8);
    for (let count = 0; count < 3; count++) expect((await admin.get('/v1/clients')).status).toBe(200);
    expect(begun.some(({ isAnswered }) => isAnswered())).toBe(false);
  });
});

test('a credential whose bodies arrive and wait in great number is refused another, and others are not', async () => {
  const other = await service.enter(service.first);
  const rate = { base: 'EUR', quote: 'CHF', date: '2026-01-05', rate: '0.95' };
  const sendRate = async (caller: Caller): Promise<unknown> => {
    const { status, body } = await caller.post('/v1/fx-rates/bulk', { data: [rate] });
    return [status, body.code];
  };
  const begun: Begun[] = [];
  const findRefused = (): Begun | undefined => {
    begun.push(begin('/v1/fx-rates/bulk'));
    return begun.find(({ isAnswered }) => isAnswered());
  };
  await expect.poll(findRefused).toBeDefined();
  const refused = await begun.find(({ isAnswered }) => isAnswered())?.reply;
  expect(refused).toMatch(/^HTTP\/1.1 429 /);
  expect(refused).toContain('Too many bodies with this credential are arriving or waiting.');
  expect(begun.length).toBeGreaterThan(40);
  expect(await sendRate(other)).toEqual([200, undefined]);
  for (const { socket } of begun) socket.destroy();
  await expect.poll(() => sendRate(admin)).toEqual([200, undefined]);
});

describe('with time', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
  });

  /** Moves the clock on until the request is answered. */
  async function waitFor(isDone: () => boolean | Promise<boolean>, stepMs: number): Promise<void> {
    const isDoneAfterStep = async (): Promise<boolean> => {
      vi.advanceTimersByTime(stepMs);
      return isDone();
    };
    await expect.poll(isDoneAfterStep).toBe(true);
  }

  test.each(['/v1/clients', '/v1/fx-rates/bulk', '/oauth/token'])(
    'a body for %s that stands still gets 408 and the end of its connection',
    async (path) => {
      const begun = begin(path);
      await waitFor(begun.isAnswered, minuteMs);
      const reply = await begun.reply;
      expect(reply).toMatch(/^HTTP\/1.1 408 /);
      expect(reply).toContain('"request-timeout"');
    },
  );

  test('a body that follows a refusal is not waited for', async () => {
    const begun = begin('/v1/clients', { headers: { authorization: 'Bearer nonsense', connection: 'keep-alive' } });
    await expect.poll(begun.isAnswered).toBe(true);
    const count = await connectionCount();
    await waitFor(async () => (await connectionCount()) < count, minuteMs);
    expect(await begun.reply).toMatch(/^HTTP\/1.1 401 /);
  });

  test('a bulk body that arrives slowly, but at the least speed, is received', async () => {
    const rate = '{"from":"EUR","to":"CHF","date":"2026-01-05","rate":"0.95"}';
    const length = String(9 * 400_000 + rate.length + 2);
    const slow = begin('/v1/fx-rates/bulk', {
      headers: { 'content-length': length, 'content-type': 'application/json' },
    });
    const idle = begin('/v1/fx-rates/bulk');
    slow.socket.write(' '.repeat(10));
    await waitForConnections(2);
    // Nothing of it is JSON: what counts is that all of it is read.
    for (let piece = 0; piece < 8; piece++) {
      const before = serverBytes();
      slow.socket.write(Buffer.alloc(400_000, ' '));
      await expect.poll(serverBytes).toBeGreaterThanOrEqual(before + 400_000);
      vi.advanceTimersByTime(15 * secondMs);
    }
    expect(await idle.reply).toMatch(/^HTTP\/1.1 408 /);
    slow.socket.write(Buffer.alloc(500_000, ' '));
    expect(await slow.reply).toMatch(/^HTTP\/1.1 400 /);
  });

  /** What the service has read from all connections so far. */
  let read = 0;
  const counted = new Set<Socket>();
  beforeAll(() => {
    service.server.app.server.on('connection', (socket: Socket) => {
      counted.add(socket);
      socket.once('close', () => {
        read += socket.bytesRead;
        counted.delete(socket);
      });
    });
  });
  const serverBytes = (): number => read + [...counted].reduce((sum, { bytesRead }) => sum + bytesRead, 0);
});

describe('an answer that its reader does not take', () => {
  let path: string;
  const rowCount = 2_000;

  /** More rows than connections buffer. */
  beforeAll(async () => {
    const [account] = await makeAccounts(admin, await makeHousehold(admin), 1);
    await runSql(
      service.database,
      `INSERT INTO transaction (workspace_id, environment, id, sequence, known_from, opened_version, client_id, account_id, kind,
         type, date, amount, currency, value, unexplained, comment, source, created_at)
       SELECT workspace_id, environment, lpad(to_hex(n), 24, '0'), n, created_at, 1, client_id, id, 'flow', 'deposit',
         date '2026-01-05', 1, 'CHF', 0, 0, repeat('long ', 4000), 'manual', created_at
       FROM account, generate_series(1, ${rowCount}) n WHERE id = $1`,
      [account],
    );
    path = `/v1/transactions?account_id=${account}`;
  });

  /** An answer of which only the beginning was read. */
  function openExport(): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${admin.token}`, accept: 'text/csv' };
      request(admin.address + path, { headers, agent: false }, resolve)
        .on('error', reject)
        .end();
    });
  }

  test('keeps no other request waiting, and is whole when it is taken at last', async () => {
    const file = await openExport();
    expect((await admin.get('/v1/clients')).status).toBe(200);
    let text = '';
    for await (const piece of file) text += piece;
    expect(text.trimEnd().split('\n')).toHaveLength(rowCount + 1);
  });

  test('ends with its connection', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = await openExport();
    const ended = new Promise<string>((resolve) => void file.once('close', () => resolve('closed')));
    file.on('error', () => {});
    const before = await connectionCount();
    await expect
      .poll(async () => {
        vi.advanceTimersByTime(minuteMs);
        return connectionCount();
      })
      .toBeLessThan(before);
    file.resume();
    expect(await ended).toBe('closed');
    expect(file.complete).toBe(false);
  });
});
