// How often something rare is measured, and what happens when it fails or takes long.

import { expect, onTestFinished, test, vi } from 'vitest';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { secondMs } from '../../kit/clock.ts';
import { RareMeasurement } from './rare-measurement.ts';

test('it is measured at most every 15 seconds, whichever way the clock goes', async () => {
  const clock = new ManualClock('2026-11-15T12:00:00Z');
  const start = clock.now();
  const at: number[] = [];
  const measurement = new RareMeasurement(clock, async (now) => void at.push((now - start) / secondMs));
  for (const step of [0, 14.999, 0.001, 1, 13.999, 0.001, -14.999, -0.001]) {
    clock.advance(step * secondMs);
    await measurement.collect();
  }
  expect(at).toEqual([0, 15, 30, 15]);
});

test('requests that come together measure once, and a failure is not repeated at once', async () => {
  let count = 0;
  const measurement = new RareMeasurement(new ManualClock(0), async () => {
    count++;
    throw new Error('The database is away.');
  });
  await Promise.all([measurement.collect(), measurement.collect()]);
  await measurement.collect();
  expect(count).toBe(1);
});

test('nobody waits longer than two seconds for one that takes long, which is not begun again meanwhile', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const clock = new ManualClock(0);
  let count = 0;
  const measurement = new RareMeasurement(clock, () => {
    count++;
    return new Promise(() => {});
  });
  const states: string[] = [];
  for (const _ of [1, 2]) {
    const collected = measurement.collect().then(() => states.push('answered'));
    await vi.advanceTimersByTimeAsync(2 * secondMs - 1);
    states.push('waiting');
    await vi.advanceTimersByTimeAsync(1);
    await collected;
    clock.advance(60 * secondMs);
  }
  expect([states, count]).toEqual([['waiting', 'answered', 'waiting', 'answered'], 1]);
});
