// What gathers while other work is under way goes together, and fails alone.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Batcher } from './batcher.ts';

/** Runs when it is let; a negative number fails. */
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
  return { runs, gathering: batcher, open: releaseAll };
}

test('what is asked for at once goes together, and what comes meanwhile with the next', async () => {
  const { runs, gathering: batcher, open: releaseAll } = doublingBatcher();
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

test('one key waits for no other', async () => {
  const { runs, gathering: batcher } = doublingBatcher();
  void batcher.submit(1);
  await turn();
  void batcher.submit(100);
  await turn();
  expect(runs).toEqual([[1], [100]]);
});

test('one that fails fails alone, and what comes after it is done', async () => {
  const { runs, gathering: batcher, open: releaseAll } = doublingBatcher();
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
