// That jobs come round again and again, one run at a time, until they are told to stop.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Timetable } from './scheduler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Failure {
  readonly job: string;
  readonly error: unknown;
}

function timetableOf(run: () => Promise<unknown>): { timetable: Timetable; failures: Failure[] } {
  const failures: Failure[] = [];
  const jobs = [{ name: 'sweep', everyMs: 100, run }];
  return { timetable: new Timetable(jobs, (job, error) => failures.push({ job, error })), failures };
}

test('a job runs after its time has passed, and again each time after', async () => {
  let runs = 0;
  const { timetable } = timetableOf(async () => runs++);
  timetable.start();
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(99);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(runs).toBe(4);
  await timetable.stop();
});

test('a job that takes longer than its time never runs twice at once', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const { timetable } = timetableOf(async () => {
    runs++;
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 250));
    running--;
  });
  timetable.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([runs, most]).toEqual([3, 1]);
  const stopped = timetable.stop();
  await vi.advanceTimersByTimeAsync(250);
  await stopped;
});

test('a job that fails is told of by name and runs again', async () => {
  let runs = 0;
  const { timetable, failures } = timetableOf(async () => {
    if (++runs === 1) throw new Error('the first time');
  });
  timetable.start();
  await vi.advanceTimersByTimeAsync(200);
  expect(runs).toBe(2);
  expect(failures).toEqual([{ job: 'sweep', error: new Error('the first time') }]);
  await timetable.stop();
});

test('one that hangs holds back no other', async () => {
  let runs = 0;
  const hung = { name: 'hung', everyMs: 10, run: () => new Promise(() => {}) };
  const timetable = new Timetable([hung, { name: 'sweep', everyMs: 10, run: async () => runs++ }], () => {});
  timetable.start();
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toBe(5);
});

test('stopping lets what is running finish, and nothing begins after', async () => {
  let begun = 0;
  let finished = 0;
  const { timetable } = timetableOf(async () => {
    begun++;
    await new Promise((resolve) => setTimeout(resolve, 500));
    finished++;
  });
  timetable.start();
  await vi.advanceTimersByTimeAsync(100);
  let isStopped = false;
  const stopped = timetable.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(499);
  expect([begun, finished, isStopped]).toEqual([1, 0, false]);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect([begun, finished]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(begun).toBe(1);
});

test('stopping before the first run leaves no timer behind', async () => {
  const { timetable } = timetableOf(async () => {});
  timetable.start();
  await timetable.stop();
  expect(vi.getTimerCount()).toBe(0);
});
