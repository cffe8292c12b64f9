// Failures that pass: a lost answer, an overloaded service, a used-up budget and an expired token. Nothing is booked twice.

import { beforeAll, describe, expect, test } from 'vitest';
import { Holdfast, NoAnswer, RateLimited, ServiceFailed } from '../../../packages/sdk/src/index.ts';
import { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { makeSdkHousehold, sdkClient } from '../../setup/sdk/sdk-household.ts';

const service = serviceForThisFile();
let accountId: string;

beforeAll(async () => {
  ({ accountId } = await makeSdkHousehold(sdkClient(service)));
});

type Trouble = 'answer lost' | 'not sent' | 503;

/** A network that has these troubles with the first requests to a path, and then none. */
function troubledFetch(path: string, troubles: Trouble[]): typeof fetch & { keys: (string | null)[] } {
  const keys: (string | null)[] = [];
  const troubled: typeof fetch = async (input, init) => {
    if (!String(input).includes(path)) return fetch(input, init);
    keys.push(new Headers(init?.headers).get('idempotency-key'));
    const trouble = troubles.shift();
    if (trouble === undefined) return fetch(input, init);
    if (trouble === 503) return new Response('<h1>Bad gateway</h1>', { status: 503, headers: { 'retry-after': '2' } });
    if (trouble === 'answer lost') await (await fetch(input, init)).text();
    throw new TypeError('The connection was reset.');
  };
  return Object.assign(troubled, { keys });
}

const deposit = () => ({ type: 'deposit', date: '2026-03-02', account_id: accountId, amount: '100' }) as const;

function countTransactions(holdfast: Holdfast): Promise<number> {
  return holdfast.transactions
    .list({ account_id: accountId })
    .toArray()
    .then((rows) => rows.length);
}

describe('a write', () => {
  test('whose answer was lost is sent again and has happened once', async () => {
    const troubled = troubledFetch('/v1/transactions', ['answer lost', 503, 'answer lost']);
    const waits: number[] = [];
    const holdfast = sdkClient(service, { fetch: troubled, waits });
    const before = await countTransactions(sdkClient(service));
    const { data, isReplayed } = await holdfast.transactions.create(deposit()).withResponse();
    expect(isReplayed).toBe(true);
    expect(data.amount).toBe('100');
    expect(await countTransactions(sdkClient(service))).toBe(before + 1);
    expect(new Set(troubled.keys).size).toBe(1);
    expect(troubled.keys).toHaveLength(4);
    // Each wait is longer than the one before; the service has asked for two seconds in the second answer.
    expect(waits).toHaveLength(3);
    expect(waits[1]).toBeGreaterThanOrEqual(2_000);
  });

  test('has a new key each time, or the one that the caller gives', async () => {
    const troubled = troubledFetch('/v1/transactions', []);
    const holdfast = sdkClient(service, { fetch: troubled });
    await holdfast.transactions.create(deposit());
    await holdfast.transactions.create(deposit());
    const first = await holdfast.transactions.create(deposit(), { idempotencyKey: 'pay-2026-03' }).withResponse();
    const second = await holdfast.transactions.create(deposit(), { idempotencyKey: 'pay-2026-03' }).withResponse();
    expect(new Set(troubled.keys).size).toBe(3);
    expect([first.isReplayed, second.isReplayed]).toEqual([false, true]);
    expect(second.data).toEqual(first.data);
  });

  test('a deletion whose answer was lost is not an error', async () => {
    const booked = await sdkClient(service).transactions.create(deposit());
    const holdfast = sdkClient(service, { fetch: troubledFetch('/v1/transactions', ['answer lost']) });
    await expect(holdfast.transactions.delete(booked.id)).resolves.toBeUndefined();
  });
});

describe('attempts', () => {
  test('end after the agreed number, with the last failure', async () => {
    const away = troubledFetch('/v1/me', Array<Trouble>(9).fill('not sent'));
    const failure = await sdkClient(service, { fetch: away, retries: 2 })
      .me.get()
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(NoAnswer);
    expect(failure).toMatchObject({ status: 0, code: 'network-failed' });
    expect(away.keys).toHaveLength(3);
    const failing = troubledFetch('/v1/me', [503, 503]);
    const answer = await sdkClient(service, { fetch: failing })
      .me.get({ retries: 1 })
      .catch((error: unknown) => error);
    expect(answer).toBeInstanceOf(ServiceFailed);
    expect(answer).toMatchObject({ code: 'http-503', detail: '<h1>Bad gateway</h1>', retryAfterMs: 2_000 });
  });

  test('end when the caller aborts, and when the time of each is up', async () => {
    const silent: typeof fetch = (input, init) =>
      String(input).includes('/v1/me')
        ? new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
        : fetch(input, init);
    const aborting = new AbortController();
    const call = sdkClient(service, { fetch: silent }).me.get({ signal: aborting.signal });
    aborting.abort(new Error('Not needed any more.'));
    await expect(call).rejects.toThrow('Not needed any more.');
    const slow = sdkClient(service, { fetch: silent }).me.get({ timeoutMs: 1, retries: 1 });
    await expect(slow).rejects.toMatchObject({ code: 'timed-out', detail: 'There was no whole answer within 1 ms.' });
  });
});

test('a used-up budget is waited for as long as the service asks', async () => {
  const settings = { BUDGET_PER_MINUTE: '60', BUDGET_BURST: '8' };
  const tight = await serviceForThisTest({ settings });
  const waits: number[] = [];
  const holdfast = sdkClient(tight, { waits });
  for (let count = 0; count < 20; count++) await holdfast.me.get();
  expect(waits.length).toBeGreaterThan(0);
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
  const impatient = sdkClient(tight, { retries: 0 });
  await expect(Promise.all(Array.from({ length: 20 }, () => impatient.me.get()))).rejects.toBeInstanceOf(RateLimited);
});

describe('tokens', () => {
  function countingFetch(): typeof fetch & { paths: string[] } {
    const paths: string[] = [];
    const counting: typeof fetch = (input, init) => {
      paths.push(new URL(String(input)).pathname);
      return fetch(input, init);
    };
    return Object.assign(counting, { paths });
  }

  test('one is fetched for any number of calls at once, and another when it ends', async () => {
    const counting = countingFetch();
    const holdfast = sdkClient(service, { fetch: counting });
    await Promise.all(Array.from({ length: 10 }, () => holdfast.me.get()));
    const tokenCount = (): number => counting.paths.filter((path) => path === '/oauth/token').length;
    expect(tokenCount()).toBe(1);
    service.clock.advance(24 * 3_600_000);
    await Promise.all(Array.from({ length: 10 }, () => holdfast.me.get()));
    expect(tokenCount()).toBe(2);
    expect(counting.paths.filter((path) => path === '/v1/me')).toHaveLength(20);
  });

  test('one that the service refuses is replaced once, and the call repeated', async () => {
    const { address } = service.admin;
    const { clientId, clientSecret } = service.first;
    const offered = ['expired', 'not yet used'];
    let count = 0;
    const holdfast = new Holdfast({
      url: address,
      async token() {
        count++;
        if (offered.shift() === 'expired') return 'no longer valid';
        const { token } = await Caller.withCredentials(address, { clientId, clientSecret });
        return token!;
      },
    });
    const answers = await Promise.all([holdfast.me.get(), holdfast.me.get(), holdfast.me.get()]);
    expect(answers.map(({ workspace_id: id }) => id)).toEqual(Array(3).fill(service.first.workspaceId));
    expect(count).toBe(2);
  });
});
