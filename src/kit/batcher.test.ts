// Tests that items submitted while a batch runs form the next batch, and that a failing item fails alone.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { heldBytes } from '../../tests/setup/node/held-bytes.ts';
import { Batcher } from './batcher.ts';

/** Creates a batcher that doubles numbers when a batch is released; a negative number fails. */
function doublingBatcher() {
  const runs: number[][] = [];
  const releases: (() => void)[] = [];
  const batcher = new Batcher<number, number>({
    keyOf: (item) => (Math.abs(item) >= 100 ? 'large' : 'small'),
    async run(batch) {
      runs.push([...batch]);
      await new Promise<void>((resolve) => releases.push(resolve));
      if (batch.some((item) => item < 0)) throw new Error(`Not ${batch.join()}`);
      return batch.map((item) => 2 * item);
    },
  });
  const releaseAll = async (): Promise<void> => {
    for (const release of releases.splice(0)) release();
    await turn();
    await turn();
  };
  return { runs, batcher, releaseAll };
}

test('items submitted together run in one batch, and items submitted meanwhile in the next one', async () => {
  const { runs, batcher, releaseAll } = doublingBatcher();
  const first = [1, 2].map((item) => batcher.submit(item));
  await turn();
  const next = [3, 4, 5].map((item) => batcher.submit(item));
  await turn();
  expect(runs).toEqual([[1, 2]]);
  await releaseAll();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await releaseAll();
  expect([await Promise.all(next), runs]).toEqual([
    [6, 8, 10],
    [
      [1, 2],
      [3, 4, 5],
    ],
  ]);
  const last = batcher.submit(6);
  await turn();
  await releaseAll();
  expect(await last).toBe(12);
});

test('batches of different keys do not wait for each other', async () => {
  const { runs, batcher } = doublingBatcher();
  void batcher.submit(1);
  await turn();
  void batcher.submit(100);
  await turn();
  expect(runs).toEqual([[1], [100]]);
});

test('a failing item fails alone, and later items still run', async () => {
  const { runs, batcher, releaseAll } = doublingBatcher();
  const outcomes = Promise.allSettled([1, -2, 3].map((item) => batcher.submit(item)));
  await turn();
  await releaseAll();
  await releaseAll();
  expect(await outcomes).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: new Error('Not -2') },
    { status: 'fulfilled', value: 6 },
  ]);
  expect(runs).toEqual([[1, -2, 3], [1], [-2], [3]]);
  const next = batcher.submit(4);
  await turn();
  await releaseAll();
  expect(await next).toBe(8);
});

test('a batch has at most as many items as are allowed, and the others follow in order', async () => {
  const runs: number[][] = [];
  const batcher = new Batcher<number, number>({
    keyOf: () => 'all',
    batchMax: 2,
    run: async (batch) => {
      runs.push([...batch]);
      return batch;
    },
  });
  expect(await Promise.all([1, 2, 3, 4, 5].map((item) => batcher.submit(item)))).toEqual([1, 2, 3, 4, 5]);
  expect(runs).toEqual([[1, 2], [3, 4], [5]]);
});

test('as many batches of a key run at the same time as are allowed; what comes then waits for the first that ends', async () => {
  const runs: number[][] = [];
  const releases: (() => void)[] = [];
  const batcher = new Batcher<number, number>({
    keyOf: () => 'all',
    runningMax: 2,
    run: async (batch) => {
      runs.push([...batch]);
      await new Promise<void>((resolve) => releases.push(resolve));
      return batch;
    },
  });
  const submitted: Promise<number>[] = [];
  for (const item of [1, 2, 3, 4]) {
    submitted.push(batcher.submit(item));
    await turn();
  }
  expect(runs).toEqual([[1], [2]]);
  releases[1]!();
  await submitted[1];
  await turn();
  expect(runs).toEqual([[1], [2], [3, 4]]);
  for (const release of releases) release();
  expect(await Promise.all(submitted)).toEqual([1, 2, 3, 4]);
  await turn();
  submitted.push(batcher.submit(5), batcher.submit(6));
  await turn();
  expect(runs.slice(3)).toEqual([[5, 6]]);
});

test('no more batches of a key run than may, also after one of them has ended', async () => {
  const releases: (() => void)[] = [];
  const runs: string[] = [];
  const batcher = new Batcher<string, string>({
    keyOf: () => 'one key',
    runningMax: 2,
    batchMax: 1,
    async run([item]) {
      runs.push(item);
      await new Promise<void>((resolve) => releases.push(resolve));
      return [item];
    },
  });
  const results: Promise<string>[] = [];
  const submit = async (item: string): Promise<void> => {
    results.push(batcher.submit(item));
    await turn();
  };
  await submit('a');
  await submit('b');
  await submit('c');
  expect(runs).toEqual(['a', 'b']);
  // Of the two that take batches, one ends with nothing left to take.
  releases[1]!();
  await turn();
  releases[2]!();
  await turn();
  await submit('d');
  await submit('e');
  expect(runs).toEqual(['a', 'b', 'c', 'd']);
  releases[0]!();
  await turn();
  expect(runs).toEqual(['a', 'b', 'c', 'd', 'e']);
  for (const release of releases) release();
  expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('nothing is held of a key once its items are done', async () => {
  const held = await heldBytes<typeof import('./batcher.ts')>(new URL('batcher.ts', import.meta.url), async (own) => {
    const batcher = new own.Batcher<string, string>({ keyOf: (item) => item, run: async (batch) => batch });
    await Promise.all(Array.from({ length: 20_000 }, (_, index) => batcher.submit(`key ${index}`)));
    await new Promise((resolve) => setImmediate(resolve));
    return batcher;
  });
  expect(held).toBeLessThan(1_000_000);
});
