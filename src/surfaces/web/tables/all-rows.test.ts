// Tests that a file gets every row of a list, is refused where there are more than it may have, and waits for budget only.

import { describe, expect, test } from 'vitest';
import { formatsOf } from '../language/formats.ts';
import { RefusedCall, type ApiProblem } from '../page-api.ts';
import type { Page } from '../signed-in-page.ts';
import { allRows } from './all-rows.ts';

interface ReadList {
  readonly page: Page;
  /** What was read, and how many rows there were after each answer. */
  readonly reads: unknown[];
  readonly noted: number[];
}

/** A list of so many rows, whose first calls are refused. */
function listOf(count: number, refusals: readonly Error[] = []): ReadList {
  const [reads, noted, refused]: [unknown[], number[], Error[]] = [[], [], [...refusals]];
  const get = async (path: string, query: Readonly<Record<string, string | null>>): Promise<unknown> => {
    reads.push([path, query]);
    const refusal = refused.shift();
    if (refusal !== undefined) throw refusal;
    const from = Number(query['cursor'] ?? 0);
    const to = Math.min(from + Number(query['limit']), count);
    const data = Array.from({ length: to - from }, (_, index) => from + index);
    return to < count ? { data, has_more: true, next_cursor: String(to) } : { data, has_more: false };
  };
  const reader = { language: 'en', locale: 'en-GB' } as const;
  const page = { reader, formats: formatsOf('en-GB'), api: { get }, noteRows: (rows: number) => noted.push(rows) };
  return { page: page as unknown as Page, reads, noted };
}

function refusedCall(status: number, retryAfterSeconds?: number): RefusedCall {
  const again = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new RefusedCall({
    status,
    code: 'rate-limited',
    title: '',
    detail: '',
    errors: [],
    ...again,
  } satisfies ApiProblem);
}

test('a file has the rows of all pages in their order, and says how many there are so far', async () => {
  const { page, reads, noted } = listOf(5);
  expect(await allRows(page, { path: '/v1/activity', query: { q: 'a' }, rowsPerRead: 2 })).toEqual([0, 1, 2, 3, 4]);
  expect(reads).toEqual([null, '2', '4'].map((cursor) => ['/v1/activity', { q: 'a', limit: '2', cursor }]));
  expect(noted).toEqual([2, 4, 5]);
});

test('a list of as many rows as a file may have is given; one of more is refused with the call that reads it', async () => {
  const list = { path: '/v1/activity', rowsPerRead: 2, rowsMax: 4 };
  expect(await allRows(listOf(4).page, list)).toEqual([0, 1, 2, 3]);
  const { page, noted } = listOf(5);
  await expect(allRows(page, list)).rejects.toMatchObject({
    code: 'report-too-large',
    message:
      'A file has at most 4 rows, and there are more. Choose less, such as a shorter period, or read them all by API: GET /v1/activity.',
  });
  expect(noted).toEqual([2, 4]);
});

describe('a refused call', () => {
  test('is made again once there is budget', async () => {
    const { page, reads } = listOf(1, [refusedCall(429, 0), refusedCall(429, 0)]);
    expect(await allRows(page, { path: '/v1/activity' })).toEqual([0]);
    expect(reads).toEqual(Array.from({ length: 3 }, () => ['/v1/activity', { limit: '100', cursor: null }]));
  });

  test.each([
    ['for budget, without saying when there is some', refusedCall(429)],
    ['because the service is busy', refusedCall(503, 0)],
    ['for what it asks', refusedCall(422)],
    ['by an error', new Error('broken')],
  ])('%s ends the file', async (_, refusal) => {
    const { page, reads } = listOf(1, [refusal]);
    await expect(allRows(page, { path: '/v1/activity' })).rejects.toBe(refusal);
    expect(reads).toHaveLength(1);
  });
});
