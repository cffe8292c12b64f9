// That jobs are done in threads: how far they have come is heard, what came of them is handed back, and one that computes without an
// end does not keep the service from stopping.

import { expect, onTestFinished, test } from 'vitest';
import { Threads } from './thread-pool.ts';

/** What a thread does with the jobs it is sent. */
const side = `
  import { parentPort } from 'node:worker_threads';
  const does = {
    double: (number, { input }) => ({ kind: 'done', number, value: input * 2 }),
    fail: (number) => ({ kind: 'failed', number, value: new Error('Not today') }),
    die: () => process.exit(),
    compute: () => { for (;;); },
  };
  parentPort.on('message', ({ kind, number, job }) => {
    if (kind === 'stop') process.exit();
    if (job.name === 'begin') return parentPort.postMessage({ kind: 'begun' });
    parentPort.postMessage({ kind: 'told', number, value: job.now });
    parentPort.postMessage(does[job.name](number, job));
  });`;

function startThreads(): Threads {
  const threads = new Threads({
    count: 1,
    entry: new URL(`data:text/javascript,${encodeURIComponent(side)}`),
    workerData: () => undefined,
    observer: { answered() {}, defect() {}, outage() {} },
  });
  onTestFinished(() => threads.stop());
  return threads;
}

function work(threads: Threads, name: string, tell: (value: unknown) => void = () => {}): Promise<unknown> {
  return threads.work({ name, input: 21, now: 7 }, 'anything', tell);
}

test('a job tells how far it has come, and gives what came of it or what it failed with', async () => {
  const threads = startThreads();
  const told: unknown[] = [];
  expect(await work(threads, 'double', (value) => told.push(value))).toBe(42);
  expect(told).toEqual([7]);
  await expect(work(threads, 'fail')).rejects.toThrow('Not today');
});

test('a job whose thread dies fails, and the next one has a thread again', async () => {
  const threads = startThreads();
  await expect(work(threads, 'die')).rejects.toThrow('A thread ended in the midst of its work.');
  expect(await work(threads, 'double')).toBe(42);
});

test.each(['begin', 'die'])('threads that were started have begun when each has told so or died: %s', async (name) => {
  const threads = startThreads();
  const order: string[] = [];
  const begun = threads.untilBegun().then(() => order.push('begun'));
  threads.start();
  await work(threads, 'double').then(() => order.push('worked'));
  work(threads, name).catch(() => {});
  await begun;
  expect(order).toEqual(['worked', 'begun']);
});

test('a job that computes without an end is ended when the threads are stopped', async () => {
  const threads = startThreads();
  const { promise: begun, resolve } = Promise.withResolvers<unknown>();
  const endless = work(threads, 'compute', resolve);
  await begun;
  const ended = 'A thread ended in the midst of its work.';
  await Promise.all([expect(endless).rejects.toThrow(ended), threads.stop()]);
});
