import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { tightHeapTasks, withTightHeap } from './heap-growth.ts';

/** Keeps 300 rows at a time of the 4,000 that pass, and says how large the heap of the thread became. */
const threadCode = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { getHeapStatistics } = require('node:v8');
  async function pass() {
    const kept = [];
    let peak = 0;
    for (let number = 0; number < 4_000; number++) {
      kept[number % 300] = Array.from({ length: 400 }, (_, place) => ({ place, text: 'row ' + number + ' ' + place }));
      if (number % 50 !== 0) continue;
      peak = Math.max(peak, getHeapStatistics().total_heap_size);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return peak;
  }
  import(workerData.module).then(async ({ withTightHeap }) =>
    parentPort.postMessage(await (workerData.isTight ? withTightHeap(pass) : pass())));`;

async function peakOf(isTight: boolean): Promise<number> {
  const workerData = { module: new URL('heap-growth.ts', import.meta.url).href, isTight };
  const worker = new Worker(threadCode, { eval: true, workerData });
  const [peak] = await once(worker, 'message');
  await worker.terminate();
  return peak;
}

/** The middle one of several: when the collector runs is not in anybody's hand. */
async function usualPeak(isTight: boolean): Promise<number> {
  const peaks: number[] = [];
  for (let run = 0; run < 5; run++) peaks.push(await peakOf(isTight));
  return peaks.toSorted((one, other) => one - other)[2] ?? 0;
}

test('a heap through which much passes stays much smaller', async () => {
  expect(await usualPeak(true)).toBeLessThan(0.8 * (await usualPeak(false)));
});

test('the heap is kept small until the last of several tasks has ended, also if one fails', async () => {
  const before = tightHeapTasks();
  const { promise, resolve } = Promise.withResolvers<string>();
  const long = withTightHeap(() => promise);
  await expect(withTightHeap(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(tightHeapTasks()).toBe(before + 1);
  resolve('done');
  expect(await long).toBe('done');
  expect(tightHeapTasks()).toBe(before);
});
