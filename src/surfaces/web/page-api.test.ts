// What a page makes of the API's answers: lists up to so many rows, refusals of its own, and what only a later call can answer.

import { expect, test } from 'vitest';
import type { Caller } from '../../model/access/caller.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { PageApi, RefusedCall } from './page-api.ts';

/** The API of a page whose calls are answered so. */
function apiThat(
  answers: (url: string) => Partial<RenderedResponse> & { readonly body: object },
  options: { readonly waitsForBudget?: boolean } = {},
): PageApi {
  return new PageApi({
    ...options,
    callApi: async ({ url }) => {
      const { body, ...more } = answers(url);
      return { status: 200, headers: {}, text: JSON.stringify(body), ...more };
    },
    operations: new Map(),
    caller: {} as Caller,
    requestId: '0123456789abcdef01234567',
  });
}

/** As many rows as there are, in pages of two. */
function listOf(count: number): PageApi {
  return apiThat((url) => {
    const from = Number(new URL(url, 'http://localhost').searchParams.get('cursor') ?? 0);
    const data = [from, from + 1].filter((row) => row < count);
    return { body: { data, has_more: from + 2 < count, next_cursor: String(from + 2) } };
  });
}

test('a list is read page by page until it ends, or has as many rows as are wanted', async () => {
  expect(await listOf(5).list('/v1/limits', {}, 6)).toEqual({ data: [0, 1, 2, 3, 4], isCut: false });
  expect(await listOf(5).list('/v1/limits', {}, 4)).toEqual({ data: [0, 1, 2, 3], isCut: true });
  expect(await listOf(4).list('/v1/limits', {}, 4)).toEqual({ data: [0, 1, 2, 3], isCut: false });
  expect(await listOf(5).list('/v1/limits', {}, 3)).toEqual({ data: [0, 1, 2, 3], isCut: true });
});

test.each([
  [403, undefined],
  [404, undefined],
  [422, undefined],
  [400, 'refused'],
  [409, 'refused'],
  [429, 'refused'],
  [500, 'refused'],
])('what may be missing and is answered with %i: %s', async (status, expected) => {
  const api = apiThat(() => ({ status, body: { title: 'No', detail: 'Not here.', code: 'no' } }));
  const found = api.find('/v1/limits/1').catch((error: unknown) => {
    if (error instanceof RefusedCall) return 'refused';
    throw error;
  });
  expect(await found).toBe(expected);
});

test('a refusal says when to come again, where the API does', async () => {
  const answer = { status: 429, body: { title: 'Later', detail: 'Not now.', code: 'budget-used-up' } };
  const problemOf = (api: PageApi): Promise<unknown> =>
    api.get('/v1/limits').catch((error: unknown) => (error as RefusedCall).problem.retryAfterSeconds);
  expect(await problemOf(apiThat(() => ({ ...answer, headers: { 'retry-after': '7' } })))).toBe(7);
  expect(await problemOf(apiThat(() => answer))).toBeUndefined();
});

test('the calls of a file wait for budget, and for nothing else', async () => {
  const refused = { status: 429, body: { title: 'Later', detail: 'Not now.', code: 'budget-used-up' } };
  const waitingApi = (answers: (number: number) => ReturnType<Parameters<typeof apiThat>[0]>) => {
    let number = 0;
    const api = apiThat(() => answers(++number), { waitsForBudget: true });
    const outcome = api.get('/v1/limits').catch((error: unknown) => (error as RefusedCall).problem.status);
    return outcome.then((answer: unknown) => [answer, number]);
  };
  const again = { ...refused, headers: { 'retry-after': '0' } };
  expect(await waitingApi((number) => (number < 3 ? again : { body: { data: [] } }))).toEqual([{ data: [] }, 3]);
  expect(await waitingApi(() => refused)).toEqual([429, 1]);
  expect(await waitingApi(() => ({ ...again, status: 503 }))).toEqual([503, 1]);
});

test('an answer may have 64 MiB, and no more', async () => {
  const statusOf = (bytes: number): Promise<unknown> => {
    async function* chunks(): AsyncGenerator<Uint8Array> {
      const spaces = Buffer.alloc(bytes - 2, ' ');
      for (let at = 0; at < spaces.length; at += 2 ** 20) yield spaces.subarray(at, at + 2 ** 20);
      yield Buffer.from('{}');
    }
    const api = apiThat(() => ({ body: {}, text: null, chunks: chunks() }));
    return api.get('/v1/lots').then(
      () => 'read',
      (error: unknown) => (error as RefusedCall).code,
    );
  };
  expect([await statusOf(67_108_864), await statusOf(67_108_865)]).toEqual(['read', 'report-too-large']);
});

test('a page that asks twice says so once, with its parameters and without those that are empty', async () => {
  const api = apiThat(() => ({ body: {} }));
  const query = { by: 'class', as_of: null, currency: '', axes: ['account', 'class'] };
  for (const _ of [1, 2]) await api.get('/v1/holdings', query);
  await api.get('/v1/holdings');
  expect(api.calls).toEqual([
    { method: 'GET', url: '/v1/holdings?by=class&axes=account&axes=class' },
    { method: 'GET', url: '/v1/holdings' },
  ]);
});
