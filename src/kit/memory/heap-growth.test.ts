import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { tightHeapTasks, withTightHeap } from './heap-growth.ts';

/** Keeps 300 rows at a time of the 4,000 that pass, and prints how large the heap became. */
const program = `
  import { getHeapStatistics } from 'node:v8';
  const { withTightHeap } = await import(process.argv[1]);
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
  console.log(await (process.argv[2] === 'tight' ? withTightHeap(pass) : pass()));`;

/** Runs it with a collector that has no threads beside it: when that one collects depends on the program, not on the machine's load. */
async function printedBy(text: string, growth: 'tight' | 'usual', ...others: readonly string[]): Promise<string> {
  const module = new URL('heap-growth.ts', import.meta.url).href;
  const flags = ['--single-threaded', ...others, '--input-type=module', '--eval', text];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, module, growth]);
  return stdout.trim();
}

async function peakOf(growth: 'tight' | 'usual'): Promise<number> {
  return Number(await printedBy(program, growth));
}

test('a heap through which much passes stays much smaller', async () => {
  const usual = await peakOf('usual');
  expect(usual).toBeGreaterThan(100_000_000);
  expect(await peakOf('tight')).toBeLessThan(0.85 * usual);
});

/** Prints what V8 is told while two tasks run at the same time, and then one that fails. */
const flagProgram = `
  import v8 from 'node:v8';
  import { syncBuiltinESMExports } from 'node:module';
  const told = [];
  v8.setFlagsFromString = (flag) => void told.push(flag);
  syncBuiltinESMExports();
  const { withTightHeap } = await import(process.argv[1]);
  const { promise, resolve } = Promise.withResolvers();
  const first = withTightHeap(() => promise);
  await withTightHeap(async () => told.push('both'));
  resolve();
  await first;
  told.push('none');
  await withTightHeap(() => Promise.reject(new Error())).catch(() => told.push('failed'));
  console.log(JSON.stringify(told));`;

test('the heap grows as usual again once no task runs any more, also after one that failed', async () => {
  const flags = JSON.parse(await printedBy(flagProgram, 'tight')) as string[];
  const growth = (percent: number): string => `--heap-growing-percent=${percent}`;
  expect(flags.filter((one) => /growing|^[a-z]/.test(one))).toEqual([
    growth(30),
    'both',
    growth(0),
    'none',
    growth(30),
    growth(0),
    'failed',
  ]);
});

/** Keeps more and more, up to 24 MB, and prints whether the whole heap was collected meanwhile. */
const firstCollection = `
  import { PerformanceObserver } from 'node:perf_hooks';
  const { chooseSmallHeap, withTightHeap } = await import(process.argv[1]);
  chooseSmallHeap();
  const kept = [];
  let isCollected = false;
  new PerformanceObserver((list) => { isCollected ||= list.getEntries().some(({ detail }) => detail.kind === 4); })
    .observe({ entryTypes: ['gc'] });
  async function keep() {
    while (!isCollected && kept.length < 12_000) {
      kept.push(new Array(250).fill(kept.length));
      await new Promise((resolve) => (kept.length % 20 === 0 ? setTimeout(resolve, 1) : setImmediate(resolve)));
    }
  }
  await (process.argv[2] === 'tight' ? withTightHeap(keep) : keep());
  console.log(isCollected ? 'collected' : 'none');`;

test('a long task of a small node begins with a collection, however far away the limit of the heap is', async () => {
  const limit = '--initial-old-space-size=400';
  const usual = await printedBy(firstCollection, 'usual', limit);
  expect([usual, await printedBy(firstCollection, 'tight', limit)]).toEqual(['none', 'collected']);
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
