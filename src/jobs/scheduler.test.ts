// Tests that jobs run at their intervals, one run at a time, until the scheduler is stopped.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { minuteMs } from '../kit/clock.ts';
import { Scheduler } from './scheduler.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

interface Failure {
  readonly job: string;
  readonly error: unknown;
}

function schedulerOf(run: () => Promise<unknown>): { scheduler: Scheduler; failures: Failure[] } {
  const failures: Failure[] = [];
  const jobs = [{ name: 'sweep', intervalMs: 100, run }];
  return { scheduler: new Scheduler(jobs, { onFailure: (job, error) => failures.push({ job, error }) }), failures };
}

test('a job runs after its interval, and again after each further interval', async () => {
  let runs = 0;
  const { scheduler } = schedulerOf(async () => runs++);
  scheduler.start();
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(99);
  expect(runs).toBe(0);
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(300);
  expect(runs).toBe(4);
  await scheduler.stop();
});

test('a job that takes longer than its interval never runs twice at the same time', async () => {
  let running = 0;
  let most = 0;
  let runs = 0;
  const { scheduler } = schedulerOf(async () => {
    runs++;
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 250));
    running--;
  });
  scheduler.start();
  await vi.advanceTimersByTimeAsync(1_000);
  expect([runs, most]).toEqual([3, 1]);
  const stopped = scheduler.stop();
  await vi.advanceTimersByTimeAsync(250);
  await stopped;
});

test('a job that fails is reported by name and runs again', async () => {
  let runs = 0;
  const { scheduler, failures } = schedulerOf(async () => {
    if (++runs === 1) throw new Error('the first time');
  });
  scheduler.start();
  await vi.advanceTimersByTimeAsync(200);
  expect(runs).toBe(2);
  expect(failures).toEqual([{ job: 'sweep', error: new Error('the first time') }]);
  await scheduler.stop();
});

test('while jobs may not run, none does and none is reported; they go on at their next turn', async () => {
  let runs = 0;
  let mayRun = false;
  const failures: unknown[] = [];
  const options = { onFailure: (_job: string, error: unknown) => failures.push(error), mayRun: () => mayRun };
  const scheduler = new Scheduler([{ name: 'sweep', intervalMs: 100, run: async () => runs++ }], options);
  scheduler.start();
  await vi.advanceTimersByTimeAsync(500);
  expect(runs).toBe(0);
  mayRun = true;
  await vi.advanceTimersByTimeAsync(100);
  expect([runs, failures]).toEqual([1, []]);
  await scheduler.stop();
});

test('a job that hangs delays no other', async () => {
  let runs = 0;
  const hung = { name: 'hung', intervalMs: 10, run: () => new Promise(() => {}) };
  const scheduler = new Scheduler([hung, { name: 'sweep', intervalMs: 10, run: async () => runs++ }], {
    onFailure: () => {},
  });
  scheduler.start();
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toBe(5);
});

test('a run that does not come back is given up, reported, told so, and the job runs again', async () => {
  const signals: AbortSignal[] = [];
  const failures: unknown[] = [];
  const run = (signal: AbortSignal): Promise<unknown> => {
    signals.push(signal);
    return signals.length === 1 ? new Promise(() => {}) : Promise.resolve();
  };
  const job = { name: 'sweep', intervalMs: 100, giveUpMs: 1_000, run };
  const scheduler = new Scheduler([job], { onFailure: (name, error) => failures.push([name, String(error)]) });
  scheduler.start();
  await vi.advanceTimersByTimeAsync(1_099);
  expect([signals.length, failures]).toEqual([1, []]);
  await vi.advanceTimersByTimeAsync(101);
  expect(failures).toEqual([['sweep', 'Error: The job did not come back within 1000 ms and was given up.']]);
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
  await scheduler.stop();
});

test('a run is given up after five minutes where its job says nothing else', async () => {
  const { scheduler, failures } = schedulerOf(() => new Promise(() => {}));
  scheduler.start();
  await vi.advanceTimersByTimeAsync(100 + 5 * minuteMs - 1);
  expect(failures).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(failures).toHaveLength(1);
});

test('stopping waits for the running jobs, and none starts afterwards', async () => {
  let started = 0;
  let finished = 0;
  const { scheduler } = schedulerOf(async () => {
    started++;
    await new Promise((resolve) => setTimeout(resolve, 500));
    finished++;
  });
  scheduler.start();
  await vi.advanceTimersByTimeAsync(100);
  let isStopped = false;
  const stopped = scheduler.stop().then(() => (isStopped = true));
  await vi.advanceTimersByTimeAsync(499);
  expect([started, finished, isStopped]).toEqual([1, 0, false]);
  await vi.advanceTimersByTimeAsync(1);
  await stopped;
  expect([started, finished]).toEqual([1, 1]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(started).toBe(1);
});

test('stopping before the first run leaves no timer behind', async () => {
  const { scheduler } = schedulerOf(async () => {});
  scheduler.start();
  await scheduler.stop();
  expect(vi.getTimerCount()).toBe(0);
});
