// Checks that waiting ends with the promise or with the time, and that no timer is left behind.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitAtMost, withDeadline } from './deadline.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const tooLate = (): Error => new Error('too late');

test('what comes in time is returned, and nothing waits on', async () => {
  expect(await withDeadline(Promise.resolve('answer'), 1_000, tooLate)).toBe('answer');
  await expect(withDeadline(Promise.reject(new Error('refused')), 1_000, tooLate)).rejects.toThrow('refused');
  await waitAtMost(Promise.resolve(), 1_000);
  await expect(waitAtMost(Promise.reject(new Error('refused')), 1_000)).rejects.toThrow('refused');
  expect(vi.getTimerCount()).toBe(0);
});

test('what does not come ends when the time is over, and not before', async () => {
  const ended: string[] = [];
  const never = new Promise<never>(() => {});
  const refused = withDeadline(never, 1_000, tooLate).catch(({ message }: Error) => ended.push(message));
  const waited = waitAtMost(never, 1_000).then(() => ended.push('waited'));
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  await Promise.all([refused, waited]);
  expect(ended.toSorted()).toEqual(['too late', 'waited']);
});
