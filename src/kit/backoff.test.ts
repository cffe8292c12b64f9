// Waits before retries double up to a maximum, and spread over the later half of each, the same on every node.

import { expect, test } from 'vitest';
import { backoffMs, jitteredBackoffMs } from './backoff.ts';

const backoff = { first: 1_000, max: 60_000 };

test('a wait doubles with each attempt, up to the maximum', () => {
  expect([0, 1, 5, 6, 100].map((attempts) => backoffMs(backoff, attempts))).toEqual([
    1_000, 2_000, 32_000, 60_000, 60_000,
  ]);
  expect(backoffMs({ first: 1, max: Infinity }, 25)).toBe(2 ** 20);
});

test('retries of many spread from half of the wait to all of it', () => {
  const waits = Array.from({ length: 1_000 }, (_none, index) => jitteredBackoffMs(backoff, `id-${index}`, 0));
  expect(Math.min(...waits)).toBeGreaterThanOrEqual(500);
  expect(Math.max(...waits)).toBeLessThanOrEqual(1_000);
  for (const from of [500, 600, 700, 800, 900])
    expect(waits.filter((wait) => wait >= from && wait < from + 100).length).toBeGreaterThan(100);
  expect(jitteredBackoffMs(backoff, 'id-1', 0)).toBe(waits[1]);
  expect(jitteredBackoffMs(backoff, 'id-1', 1) / 2).not.toBe(waits[1]);
});
