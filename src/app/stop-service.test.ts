// Tests in which order a node stops, and how long each part may take when it hangs.

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stopService } from './stop-service.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Parts = Parameters<typeof stopService>[0];

/** The parts of a node that end as told, with a log of what was asked of them, and after how many milliseconds. */
function makeParts(end: (part: string) => Promise<void>) {
  const begunAt = Date.now();
  const log: [string, number][] = [];
  const ask = (what: string): Promise<void> => {
    log.push([what, Date.now() - begunAt]);
    return end(what);
  };
  const stoppable = (what: string) => ({ stop: () => ask(what) });
  const server = (what: string) => ({ stop: (graceMs: number) => ask(`${what}, grace ${graceMs} ms`) });
  const parts = {
    readiness: { beginStopping: () => void ask('not ready') },
    server: server('requests'),
    metricsServer: server('metrics'),
    scheduler: stoppable('jobs'),
    backgroundJobs: stoppable('workers'),
    threads: stoppable('threads'),
    roundThreads: stoppable('round threads'),
    requestLog: stoppable('request log'),
    tracer: stoppable('traces'),
    stores: { abort: () => void ask('waiting for the database is given up'), close: () => ask('database') },
    embedded: stoppable('embedded database'),
  };
  return { parts: parts as object as Parts, log };
}

const atOnce = ['not ready', 'requests, grace 700 ms', 'metrics, grace 700 ms', 'jobs', 'workers'];

test('a node that hangs everywhere gives up on the database first, then on requests and jobs, and stops within fourteen seconds', async () => {
  // Threads and the database that it started end by force.
  const hanging = [
    'requests, grace 700 ms',
    'metrics, grace 700 ms',
    'jobs',
    'workers',
    'request log',
    'traces',
    'database',
  ];
  const { parts, log } = makeParts((what) => (hanging.includes(what) ? new Promise(() => {}) : Promise.resolve()));
  const stopped = stopService(parts, 700);
  await vi.advanceTimersByTimeAsync(13_500);
  await stopped;
  expect(log).toEqual([
    ...atOnce.map((what) => [what, 0]),
    ['waiting for the database is given up', 10_500],
    ['threads', 12_000],
    ['round threads', 12_000],
    ['request log', 12_000],
    ['traces', 12_500],
    ['database', 13_000],
    ['embedded database', 13_500],
  ]);
});

test.each(['requests, grace 700 ms', 'metrics, grace 700 ms', 'jobs', 'workers'])(
  'while %s are under way nothing that they use is stopped, and what ends in time interrupts nothing',
  async (last) => {
    const ended = Promise.withResolvers<void>();
    const { parts, log } = makeParts((what) => (what === last ? ended.promise : Promise.resolve()));
    const stopped = stopService(parts, 700);
    await vi.advanceTimersByTimeAsync(10_499);
    expect(log.map(([what]) => what)).toEqual(atOnce);
    ended.resolve();
    await stopped;
    const after = ['threads', 'round threads', 'request log', 'traces', 'database', 'embedded database'];
    expect(log.map(([what]) => what)).toEqual([...atOnce, ...after]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect([log.length, vi.getTimerCount()]).toEqual([atOnce.length + after.length, 0]);
  },
);

test('a stop that fails leaves no timer behind, which would interrupt the database later', async () => {
  const { parts } = makeParts((what) => (what === 'jobs' ? Promise.reject(new Error('A defect')) : Promise.resolve()));
  await expect(stopService(parts, 0)).rejects.toThrow('A defect');
  expect(vi.getTimerCount()).toBe(0);
});

test('a node without these parts stops without them', async () => {
  const { parts, log } = makeParts(() => Promise.resolve());
  const none = { metricsServer: undefined, requestLog: undefined, tracer: undefined, embedded: undefined };
  await stopService({ ...parts, ...none }, 700);
  expect(log.map(([what]) => what)).toEqual([
    'not ready',
    'requests, grace 700 ms',
    'jobs',
    'workers',
    'threads',
    'round threads',
    'database',
  ]);
});
