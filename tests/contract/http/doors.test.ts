// What strangers can take of a node before they have shown a token: connections of one address and of the node, and room for large bodies.

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { rawHead } from '../../setup/http/raw-request.ts';
import { Scrape } from '../../setup/monitoring/scrape.ts';
import { serviceForThisFile, type TestService } from '../../setup/node/test-service.ts';

/** Its proxies are elsewhere, so this machine is a caller like any other. */
const behindProxy = serviceForThisFile({ settings: { TRUSTED_PROXIES: '192.0.2.80', CONNECTIONS_PER_ADDRESS: '3' } });
const service = serviceForThisFile({ settings: { CONNECTIONS_MAX: '12', SPOOL_MEGABYTES_MAX: '10' } });
interface Opened {
  readonly socket: Socket;
  /** What has arrived so far. */
  text(): string;
  isEnded(): boolean;
}

/** Opens a connection and sends the beginning of something. */
async function open({ admin }: TestService, text = ''): Promise<Opened> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(admin.address).port) });
  onTestFinished(() => void socket.destroy());
  const received: Buffer[] = [];
  let isEnded = false;
  socket.on('data', (piece: Buffer) => received.push(piece));
  socket.on('close', () => (isEnded = true));
  socket.on('error', () => {});
  await once(socket, 'connect');
  if (text !== '') socket.write(text);
  return { socket, text: () => Buffer.concat(received).toString(), isEnded: () => isEnded };
}

const openMany = (count: number, node: TestService, text?: string): Promise<readonly Opened[]> =>
  Promise.all(Array.from({ length: count }, () => open(node, text)));

const slowHeaders = 'GET /healthz HTTP/1.1\r\nhost: local';
const health = rawHead('GET', '/healthz', { connection: 'keep-alive' });
/** A request without a token whose body does not come: it is being answered. */
const unfinished = rawHead('POST', '/oauth/token', { 'content-length': '100', 'content-type': 'application/json' });
async function scraped(series: string): Promise<number | undefined> {
  return (await Scrape.of(service.admin.address)).values.get(series);
}

describe('an address without a verified token', () => {
  /** A connection on which a token was verified, and what it is answered next. */
  async function openKnown(): Promise<Opened & { ask(path: string): Promise<string> }> {
    const { token } = behindProxy.admin;
    const request = (path: string): string =>
      rawHead('GET', path, {
        connection: 'keep-alive',
        authorization: `Bearer ${token}`,
        'accept-encoding': 'identity',
      });
    const opened = await open(behindProxy, request('/v1/me'));
    await expect.poll(() => opened.text()).toContain('HTTP/1.1 200 ');
    const ask = async (path: string): Promise<string> => {
      const before = opened.text().length;
      opened.socket.write(request(path));
      await expect.poll(() => opened.text().length).toBeGreaterThan(before);
      return opened.text().slice(before);
    };
    return { ...opened, ask };
  }

  test('that sends headers without an end loses its oldest connection to its next one, which is answered', async () => {
    const slow: Opened[] = [];
    for (const text of [slowHeaders, '', slowHeaders]) slow.push(await open(behindProxy, text));
    const next = await open(behindProxy, health);
    await expect.poll(() => next.text()).toContain('{"status":"alive"}');
    await expect.poll(() => slow.map(({ isEnded }) => isEnded())).toEqual([true, false, false]);
  });

  test('is refused a connection before anything is read while all it may have are being answered, and known ones are not', async () => {
    const known = await openKnown();
    const begun: Opened[] = [];
    const findRefused = async (): Promise<Opened | undefined> => {
      begun.push(await open(behindProxy, unfinished));
      return begun.find(({ text }) => text() !== '');
    };
    await expect.poll(findRefused).toBeDefined();
    const refused = (await findRefused())!;
    await expect.poll(() => refused.isEnded()).toBe(true);
    expect(refused.text()).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/);
    expect(refused.text()).toMatch(/\r\nretry-after: 5\r\n/i);
    expect(refused.text()).toMatch(/\r\nconnection: close\r\n/i);
    expect(refused.text()).toContain('"code":"too-many-connections"');
    expect(await known.ask('/v1/me')).toMatch(/^HTTP\/1\.1 200 /);
    for (const { socket } of begun) socket.destroy();
    const answered = async (): Promise<string> => {
      const opened = await open(behindProxy, health);
      await expect.poll(() => opened.text()).not.toBe('');
      return opened.text();
    };
    await expect.poll(answered).toContain('{"status":"alive"}');
  });

  test('has as many as it likes on which a token was verified', async () => {
    const known: Opened[] = [];
    for (let count = 0; count < 5; count++) known.push(await openKnown());
    expect(known.map(({ isEnded }) => isEnded())).toEqual([false, false, false, false, false]);
  });
});

describe('a node with as many connections as it may have', () => {
  test('gives the place of the one that has been idle for the longest to a new one', async () => {
    const idle = await openMany(14, service, slowHeaders);
    await expect.poll(() => idle.filter(({ isEnded }) => isEnded()).length).toBeGreaterThanOrEqual(2);
    const next = await open(service, health);
    await expect.poll(() => next.text()).toContain('{"status":"alive"}');
    expect(idle.at(-1)?.isEnded()).toBe(false);
    expect(await scraped('holdfast_caller_connections_closed_total')).toBeGreaterThanOrEqual(3);
  });

  test('refuses one more while every one is being answered', async () => {
    const begun: Opened[] = [];
    const refused = async (): Promise<string | undefined> => {
      begun.push(await open(service, unfinished));
      return begun.map(({ text }) => text()).find((text) => text !== '');
    };
    await expect.poll(refused).toContain('"code":"too-many-connections"');
    expect(begun.length).toBeGreaterThan(12);
    for (const { socket } of begun) socket.destroy();
    await expect.poll(() => scraped('holdfast_caller_connections_refused_total{limit="node"}')).toBeGreaterThan(0);
  });
});

describe('bodies that take the room of the node', () => {
  const path = '/v1/fx-rates/bulk';
  const head = (bytes: number, token: string | null): string =>
    rawHead('POST', path, {
      'content-length': String(bytes),
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
    });
  const spooled = (): Promise<number | undefined> => scraped('holdfast_spooled_bytes');

  /** What an earlier test has sent is gone. */
  const untilEmpty = (): Promise<void> => vi.waitUntil(async () => (await spooled()) === 0).then(() => {});

  test('a body that says that it is longer than the room is refused before it is read', async () => {
    await untilEmpty();
    const refused = await open(service, head(10_000_001, service.admin.token));
    await expect.poll(() => refused.isEnded()).toBe(true);
    expect(refused.text()).toMatch(/^HTTP\/1\.1 503 /);
    expect(refused.text()).toMatch(/\r\nretry-after: 10\r\n/i);
    expect(refused.text()).toContain('"code":"spool-full"');
  });

  test('a second workspace has the room that the first leaves, and all of it once that has gone', async () => {
    await untilEmpty();
    const other = await service.openWorkspace();
    const first = await open(service, head(8_000_000, service.admin.token) + ' '.repeat(7_000_000));
    await expect.poll(spooled).toBe(7_000_000);
    const second = async (): Promise<string> => {
      const opened = await open(service, head(4_000_000, other.token));
      await expect.poll(() => opened.isEnded()).toBe(true);
      return opened.text();
    };
    expect(await second()).toContain('take all the room of this node');
    const small = await other.post(path, { data: [{ base: 'EUR', quote: 'CHF', date: '2026-01-05', rate: '0.95' }] });
    expect(small.status).toBe(200);
    first.socket.destroy();
    await expect.poll(spooled).toBe(0);
    const accepted = await open(service, head(4_000_000, other.token) + ' '.repeat(3_000_000));
    await expect.poll(spooled).toBe(3_000_000);
    expect(accepted.isEnded()).toBe(false);
    expect(await scraped('holdfast_spool_refusals_total')).toBeGreaterThanOrEqual(1);
  });

  test('a workspace with several bodies takes half of it', async () => {
    await untilEmpty();
    const first = await open(service, head(8_000_000, service.admin.token) + ' '.repeat(4_000_000));
    await expect.poll(spooled).toBe(4_000_000);
    const second = await open(service, head(2_000_000, service.admin.token));
    await expect.poll(() => second.isEnded()).toBe(true);
    expect(second.text()).toContain('take half of the room for bodies');
    expect(first.isEnded()).toBe(false);
  });
});
