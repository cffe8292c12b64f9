// Checks that jobs run in threads, report progress and return results, that an endless one does not keep the service from stopping,
// that a thread learns that nobody reads its response any more, and that the memory of chunks is given back.

import { expect, onTestFinished, test } from 'vitest';
import { defined } from '../../../kit/assert.ts';
import type { ThreadTask } from './thread-messages.ts';
import { ThreadPool } from './thread-pool.ts';

/** The code of the thread. */
const threadCode = `
  import { parentPort } from 'node:worker_threads';
  const handlers = {
    double: (number, { input }) => ({ kind: 'done', number, value: input * 2 }),
    fail: (number) => ({ kind: 'failed', number, value: new Error('Not today') }),
    die: () => process.exit(),
    compute: () => { for (;;); },
    cancelled: (number) => ({ kind: 'done', number, value: cancelled }),
  };
  const cancelled = [];
  parentPort.on('message', ({ kind, number, job, task }) => {
    if (kind === 'stop') process.exit();
    if (kind === 'cancel') return cancelled.push(number);
    if (kind === 'task') {
      parentPort.postMessage({ kind: 'response', number, rendered: { status: 200, headers: {}, text: null }, hasChunks: true });
      for (const length of [3, 5]) parentPort.postMessage({ kind: 'chunk', number, bytes: new Uint8Array(length) });
      return;
    }
    if (kind === 'more') return;
    if (job.name === 'begin') return parentPort.postMessage({ kind: 'ready' });
    parentPort.postMessage({ kind: 'progress', number, value: job.now });
    parentPort.postMessage(handlers[job.name](number, job));
  });`;

function startThreads(): ThreadPool {
  const threads = new ThreadPool({
    count: 1,
    entry: new URL(`data:text/javascript,${encodeURIComponent(threadCode)}`),
    workerData: () => undefined,
    observer: { answered() {}, defect() {}, outage() {} },
  });
  onTestFinished(() => threads.stop());
  return threads;
}

function runJob(
  threads: ThreadPool,
  name: string,
  reportProgress: (value: unknown) => void = () => {},
): Promise<unknown> {
  return threads.runJobAt(threads.indexFor('anything'), { name, input: 21, now: 7 }, reportProgress);
}

test('a job reports progress, and returns its result or its error', async () => {
  const threads = startThreads();
  const progress: unknown[] = [];
  expect(await runJob(threads, 'double', (value) => progress.push(value))).toBe(42);
  expect(progress).toEqual([7]);
  await expect(runJob(threads, 'fail')).rejects.toThrow('Not today');
});

test('a job whose thread dies fails, and the next one has a thread again', async () => {
  const threads = startThreads();
  await expect(runJob(threads, 'die')).rejects.toThrow('A worker thread ended before its work was done.');
  expect(await runJob(threads, 'double')).toBe(42);
});

test.each(['begin', 'die'])('started threads are ready once each has reported or died: %s', async (name) => {
  const threads = startThreads();
  const order: string[] = [];
  const ready = threads.untilReady().then(() => order.push('ready'));
  threads.start();
  await runJob(threads, 'double').then(() => order.push('worked'));
  runJob(threads, name).catch(() => {});
  await ready;
  expect(order).toEqual(['worked', 'ready']);
});

test('an endless job is terminated when the threads are stopped', async () => {
  const threads = startThreads();
  const { promise: ready, resolve } = Promise.withResolvers<unknown>();
  const endless = runJob(threads, 'compute', resolve);
  await ready;
  const ended = 'A worker thread ended before its work was done.';
  await Promise.all([expect(endless).rejects.toThrow(ended), threads.stop()]);
});

test.each([
  ['before its first chunk', 0],
  ['after its first chunk', 1],
])('a thread is told when nobody reads its response any more: %s', async (_moment, chunksRead) => {
  const threads = startThreads();
  const { chunks } = await threads.perform({ requestId: 'one' } as ThreadTask, 'anything');
  const reader = defined(chunks, 'the response is streamed')[Symbol.asyncIterator]();
  for (let count = 0; count < chunksRead; count++) await reader.next();
  await reader.return?.();
  expect(await reader.next()).toEqual({ done: true, value: undefined });
  expect(await runJob(threads, 'cancelled')).toEqual([0]);
});

test('a thread is told when a caller leaves before the response, which is dropped when it comes', async () => {
  const threads = startThreads();
  const controller = new AbortController();
  const pending = threads.perform({ requestId: 'one' } as ThreadTask, 'anything', controller.signal);
  controller.abort(new Error('left'));
  await expect(pending).rejects.toThrow('left');
  expect(await runJob(threads, 'cancelled')).toEqual([0]);
  await expect(threads.perform({ requestId: 'two' } as ThreadTask, 'anything', controller.signal)).rejects.toThrow(
    'left',
  );
  expect(threads.load()).toEqual({ busy: 0, waiting: 0 });
});

test('a thread is told when a caller leaves while somebody in the process reads the response for it', async () => {
  const threads = startThreads();
  const controller = new AbortController();
  const task = { requestId: 'one' } as ThreadTask;
  const { chunks } = await threads.perform(task, 'anything', controller.signal);
  const reader = defined(chunks, 'the response is streamed')[Symbol.asyncIterator]();
  for (let count = 0; count < 2; count++) await reader.next();
  const next = reader.next();
  controller.abort(new Error('left'));
  await expect(next).rejects.toThrow('left');
  expect(await runJob(threads, 'cancelled')).toEqual([0]);
  expect(threads.load()).toEqual({ busy: 0, waiting: 0 });
});

test('the memory of a chunk is free as soon as the next is taken', async () => {
  const threads = startThreads();
  const { chunks } = await threads.perform({ requestId: 'one' } as ThreadTask, 'anything');
  const reader = defined(chunks, 'the response is streamed')[Symbol.asyncIterator]();
  const { value: first } = await reader.next();
  const lengthBefore = first.length;
  const { value: second } = await reader.next();
  expect([lengthBefore, first.length, second.length]).toEqual([3, 0, 5]);
});
