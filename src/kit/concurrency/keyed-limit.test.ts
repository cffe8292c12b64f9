// Checks that each key has room for a limited number, that the others wait in order, and that waiting can end.

import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { KeyedLimit, WaitedTooLong } from './keyed-limit.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('those who wait enter in order when another leaves, and other keys are not affected', async () => {
  const limit = new KeyedLimit(1);
  const entered: string[] = [];
  expect(limit.enter('a')).toBeUndefined();
  for (const name of ['second', 'third']) void limit.enter('a')!.then(() => entered.push(name));
  expect([limit.isFull('a'), limit.waitingCount('a'), limit.isFull('b')]).toEqual([true, 2, false]);
  limit.leave('a');
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual(['second']);
  limit.leave('a');
  await vi.advanceTimersByTimeAsync(0);
  expect(entered).toEqual(['second', 'third']);
  limit.leave('a');
  expect([limit.isFull('a'), limit.waitingCount('a')]).toEqual([false, 0]);
});

test('one that waits too long is turned away, and the next one enters instead', async () => {
  const limit = new KeyedLimit(1);
  void limit.enter('a');
  const late = limit.enter('a', { waitMsMax: 1_000 })!.catch((error: unknown) => error);
  const patient = limit.enter('a')!;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await late).toBeInstanceOf(WaitedTooLong);
  limit.leave('a');
  await patient;
  expect(limit.isFull('a')).toBe(true);
  limit.leave('a');
  expect(limit.isFull('a')).toBe(false);
});

test('one that leaves while it waits gives up its place, and the next one enters instead', async () => {
  const limit = new KeyedLimit(1);
  const controller = new AbortController();
  const signal = (): AbortSignal => controller.signal;
  expect(limit.enter('a', { signal })).toBeUndefined();
  const leaving = limit.enter('a', { signal })!.catch((reason: unknown) => reason);
  const patient = limit.enter('a')!;
  expect(limit.waitingCount('a')).toBe(2);
  controller.abort('left');
  expect(await leaving).toBe('left');
  expect(limit.waitingCount('a')).toBe(1);
  expect(await limit.enter('a', { signal })!.catch((reason: unknown) => reason)).toBe('left');
  expect(getEventListeners(signal(), 'abort')).toEqual([]);
  limit.leave('a');
  await patient;
  limit.leave('a');
  expect([limit.isFull('a'), limit.waitingCount('a')]).toEqual([false, 0]);
});

test('one that has entered is not turned away later', async () => {
  const limit = new KeyedLimit(1);
  void limit.enter('a');
  const next = limit.enter('a', { waitMsMax: 1_000 })!;
  limit.leave('a');
  await next;
  expect(vi.getTimerCount()).toBe(0);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(limit.isFull('a')).toBe(true);
});
