// What the pull connector makes of a custodian's answers, exactly at each bound: a small server answers what the test says.

import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bankSettings } from '../../../tests/setup/custody/sandbox.ts';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { minuteMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { ConnectorFailure, type ConnectorAccess } from '../../model/custody/connector.ts';
import type { StatementItem } from '../../model/custody/statement.ts';
import { CustodianHttp } from './custodian-http.ts';
import { readCustodianItem } from './custodian-items.ts';
import { OauthPullConnector } from './oauth-pull.ts';

interface Answer {
  readonly status?: number;
  readonly body: unknown;
}

let answer: (path: string, request: IncomingMessage, sent: string) => Answer = () => ({ body: {} });
const requests: string[] = [];
const server = createServer(async (request, response) => {
  const path = (request.url ?? '').replace('/bank/', '');
  requests.push(path);
  const { status = 200, body } = answer(path, request, (await request.toArray()).join(''));
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
});
const clock = new ManualClock('2026-11-15T12:00:00Z');
const http = new CustodianHttp({ allowPrivate: true, timeoutMs: minuteMs });
const connector = new OauthPullConnector({ http, clock });
let origin = '';

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await http.close();
  server.close();
});

const signal = new AbortController().signal;
const saved: string[] = [];

function accessWith(tokens: object = {}): ConnectorAccess {
  const credentials = { accessToken: 'access', refreshToken: 'refresh', expiresAt: null, origins: [origin], ...tokens };
  return {
    settings: bankSettings(origin, 'bank'),
    signal,
    authority: '0123456789abcdef01234568' as Id,
    credentials: JSON.stringify(credentials),
    saveCredentials: async (renewed) => void saved.push(renewed),
    originsAtConsent: async () => [],
  };
}

const failureOf = (task: Promise<unknown>): Promise<string> =>
  task.then(
    () => 'no failure',
    (error: unknown) => (error instanceof ConnectorFailure ? `${error.kind}: ${error.message}` : String(error)),
  );

async function fetchAll(mark: string | null = null): Promise<StatementItem[]> {
  const items: StatementItem[] = [];
  for await (const page of connector.fetchSince(accessWith(), { mark })) items.push(...page.items);
  return items;
}

test.each([
  [{}, 'refresh'],
  [{ refreshToken: null }, 'access'],
])('consent with %j is revoked by the token that ends all of it', async (tokens, revoked) => {
  const sent: string[] = [];
  answer = (_path, _request, text) => (sent.push(text), { body: {} });
  await connector.revoke(accessWith(tokens));
  expect(sent.map((text) => new URLSearchParams(text).get('token'))).toEqual([revoked]);
});

test('lists at most 10,000 accounts, and at most 200 characters of their names', async () => {
  const account = (index: number) => ({ number: `${index}`, name: 'n'.repeat(201), currency: '', kind: 'other' });
  const accounts = Array.from({ length: 10_000 }, (_none, index) => account(index));
  answer = () => ({ body: { accounts } });
  const listed = await connector.listAccounts(accessWith());
  expect([listed.length, listed[7]]).toEqual([
    10_000,
    { kind: 'account', number: '7', name: 'n'.repeat(200), currency: null },
  ]);
  answer = () => ({ body: { accounts: [...accounts, account(10_000)] } });
  expect(await failureOf(connector.listAccounts(accessWith()))).toMatch(/^invalid-answer.*lists no accounts/);
  answer = () => ({ body: { accounts: [{ name: 'nameless' }] } });
  expect(await failureOf(connector.listAccounts(accessWith()))).toMatch(/^invalid-answer.*has no number/);
});

const page = (changes: object = {}) => ({ body: { items: [], cursor: 'a', has_more: false, ...changes } });

test.each([
  ['500 items', { items: Array(500).fill(1) }, /^no failure$/],
  ['501 items', { items: Array(501).fill(1) }, /lists no changes/],
  ['no list of items', { items: {} }, /lists no changes/],
  ['no word on whether there are more', { has_more: 'no' }, /lists no changes/],
  ['a cursor of 1,000 characters', { cursor: 'c'.repeat(1_000) }, /^no failure$/],
  ['a cursor of 1,001 characters', { cursor: 'c'.repeat(1_001) }, /names no cursor/],
  ['an empty cursor', { cursor: '' }, /names no cursor/],
  ['a number as cursor', { cursor: 7 }, /names no cursor/],
  [
    'a cursor that stays where it is',
    { cursor: 'before', has_more: true },
    /leads back to a page that was fetched before/,
  ],
  ['the same cursor at the end', { cursor: 'before' }, /^no failure$/],
])('a page with %s', async (_what, changes, failure) => {
  answer = () => page(changes);
  expect(await failureOf(fetchAll('before'))).toMatch(failure);
});

test('pages follow each other by their cursors, and lines count through all of them', async () => {
  answer = (path) =>
    path.endsWith('after=a') ? page({ items: [3], cursor: 'b' }) : page({ items: [1, 2], has_more: true });
  requests.length = 0;
  expect((await fetchAll()).map(({ place }) => place.line)).toEqual([1, 2, 3]);
  expect(requests).toEqual(['changes?limit=500', 'changes?limit=500&after=a']);
});

test('cursors that lead in a circle end the run', async () => {
  answer = (path) => page({ cursor: path.endsWith('after=a') ? 'b' : 'a', has_more: true });
  requests.length = 0;
  expect(await failureOf(fetchAll())).toMatch(/^invalid-answer: .*leads back to a page that was fetched before/);
  expect(requests).toHaveLength(3);
});

test('a run fetches at most 1,000 pages of cursors without end, and the next one goes on behind them', async () => {
  const answerUntil = (last: number): void => {
    answer = (path) => {
      const number = Number(/after=(\d+)/.exec(path)?.[1] ?? '0') + 1;
      return page({ cursor: String(number), has_more: number < last });
    };
  };
  answerUntil(1_000);
  expect(await failureOf(fetchAll())).toBe('no failure');
  answerUntil(1_001);
  requests.length = 0;
  expect(await failureOf(fetchAll())).toMatch(/^invalid-answer: The custodian has more than 1000 pages\. /);
  expect(requests).toHaveLength(1_000);
  expect(await failureOf(fetchAll('1000'))).toBe('no failure');
});

test.each([
  [401, 'credentials-broken'],
  [403, 'credentials-broken'],
  [404, 'unavailable'],
  [500, 'unavailable'],
  [201, 'unavailable'],
])('an answer of status %d to a request for data: %s', async (status, kind) => {
  answer = () => ({ status, body: {} });
  const access = accessWith({ refreshToken: null });
  expect(await failureOf(connector.listAccounts(access))).toMatch(new RegExp(`^${kind}.*${status}`));
});

test.each([
  [400, { error: 'invalid_grant' }, 'credentials-broken: The custodian refused: invalid_grant.'],
  [400, { error: 'invalid_client' }, 'unavailable: The custodian refused: invalid_client.'],
  [400, { error: 'temporarily_unavailable' }, 'unavailable: The custodian refused: temporarily_unavailable.'],
  [400, { error: 'e'.repeat(40) }, `credentials-broken: The custodian refused: ${'e'.repeat(40)}.`],
  [400, { error: 'e'.repeat(41) }, 'credentials-broken: The custodian refused: error.'],
  [400, { error: 'a <b>hostile</b> one' }, 'credentials-broken: The custodian refused: error.'],
  [500, {}, 'unavailable: The custodian answered with status 500.'],
  [502, {}, 'unavailable: The custodian answered with status 502.'],
])('an answer of status %d to a renewal, %j: %s', async (status, body, failure) => {
  answer = (path) => (path === 'token' ? { status, body } : { status: 401, body: {} });
  expect(await failureOf(connector.listAccounts(accessWith()))).toBe(failure);
});

test.each([
  ['a minute before they end', { expiresAt: clock.now() + minuteMs }, true],
  ['no earlier', { expiresAt: clock.now() + minuteMs + 1 }, false],
  ['only if the custodian gave something to renew them with', { expiresAt: clock.now(), refreshToken: null }, false],
  ['never, if it does not say when they end', { expiresAt: null }, false],
])('tokens are renewed %s', async (_when, tokens, isRenewed) => {
  const body = { access_token: 'renewed', token_type: 'bearer', expires_in: 300 };
  const used: (string | undefined)[] = [];
  answer = (path, { headers }) => {
    if (path === 'token') return { body };
    used.push(headers.authorization);
    return { body: { accounts: [] } };
  };
  saved.length = 0;
  await connector.listAccounts(accessWith(tokens));
  expect(used).toEqual([`Bearer ${isRenewed ? 'renewed' : 'access'}`]);
  const renewed = {
    accessToken: 'renewed',
    refreshToken: 'refresh',
    expiresAt: clock.now() + 300_000,
    origins: [origin],
  };
  expect(saved.map((one) => JSON.parse(one))).toEqual(isRenewed ? [renewed] : []);
});

test('an answer may be as long as it may be, and no longer', async () => {
  answer = () => ({ body: 'x'.repeat(10) });
  const send = (bytesMax: number) =>
    http.send({ url: `${origin}/bank/any`, method: 'GET', headers: {}, bytesMax, signal });
  expect(String((await send(10)).body)).toBe('x'.repeat(10));
  expect(await failureOf(send(9))).toBe('invalid-answer: An answer of the custodian is longer than 9 bytes.');
});

test('an answer is nested at most eight levels deep', async () => {
  const listWith = (levels: number): Promise<string> => {
    answer = () => ({ body: `{"accounts":[],"more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}` });
    return failureOf(connector.listAccounts(accessWith()));
  };
  expect(await listWith(8)).toBe('no failure');
  expect(await listWith(9)).toMatch(/^invalid-answer: /);
});

test('an answer with a token has at most 256 KiB', async () => {
  const tokens = JSON.stringify({ access_token: 'new', token_type: 'bearer', expires_in: 3_600 });
  const expired = accessWith({ expiresAt: clock.now() });
  const listWith = (length: number): Promise<string> => {
    answer = (path) => ({ body: path.endsWith('token') ? tokens.padEnd(length) : { accounts: [] } });
    return failureOf(connector.listAccounts(expired));
  };
  expect(await listWith(262_144)).toBe('no failure');
  expect(await listWith(262_145)).toBe('invalid-answer: An answer of the custodian is longer than 262144 bytes.');
});

test('a revocation is confirmed by status 200 only, as RFC 7009 says', async () => {
  for (const status of [204, 205]) {
    answer = () => ({ status, body: '' });
    expect(await failureOf(connector.revoke(accessWith()))).toMatch(/^invalid-answer: /);
  }
  answer = () => ({ status: 200, body: '' });
  expect(await failureOf(connector.revoke(accessWith()))).toBe('no failure');
});

test('a client that was closed calls nobody any more', async () => {
  answer = () => ({ body: {} });
  const own = new CustodianHttp({ allowPrivate: true, timeoutMs: minuteMs });
  const call = () => own.send({ url: `${origin}/bank/any`, method: 'GET', headers: {}, bytesMax: 10, signal });
  expect((await call()).status).toBe(200);
  await own.close();
  requests.length = 0;
  expect([await failureOf(call()), requests]).toEqual([expect.stringMatching(/^unavailable: /), []]);
});

test('a custodian that never answers is given up after a time that the failure names', async () => {
  const silent = createServer(() => {});
  await once(silent.listen(0, '127.0.0.1'), 'listening');
  const { port } = silent.address() as AddressInfo;
  const impatient = new CustodianHttp({ allowPrivate: true, timeoutMs: 250 });
  const request = { url: `http://127.0.0.1:${port}/`, method: 'GET', headers: {}, bytesMax: 1, signal } as const;
  expect(await failureOf(impatient.send(request))).toBe(
    'unavailable: The custodian did not answer within 0.25 seconds.',
  );
  await impatient.close();
  silent.closeAllConnections();
  silent.close();
});

test('a text of an item has at most 500 characters, and an empty one is none', () => {
  const item = (base: string) =>
    readCustodianItem({ item: 'fx_rate', base, quote: 'CHF', date: '2026-02-03', rate: '2' }, 1);
  expect(item(` ${'b'.repeat(498)} `)).toMatchObject({ item: 'fx-rate', base: 'b'.repeat(498) });
  expect(item('b'.repeat(501))).toMatchObject({ detail: 'base must be a text of at most 500 characters.' });
  expect(item(' ')).toMatchObject({ item: 'problem', detail: 'base is missing.' });
});

test('a moment of an item has to be one', () => {
  const item = (stated_at: string) =>
    readCustodianItem({ item: 'instrument', instrument: { isin: 'CH0012032048' }, stated_at }, 1);
  expect(item('2026-02-03T10:00:00Z')).toMatchObject({ item: 'instrument', statedAt: '2026-02-03T10:00:00Z' });
  const detail = 'stated_at must be a timestamp with an offset, such as 2026-11-15T14:00:00Z.';
  expect(item('yesterday')).toMatchObject({ item: 'problem', detail });
});
