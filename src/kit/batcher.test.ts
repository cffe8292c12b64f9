// What gathers while other work is under way goes together, and fails alone.

import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Gathering } from './batcher.ts';

/** Runs when it is let; a negative number fails. */
function doubling() {
  const runs: number[][] = [];
  const gates: (() => void)[] = [];
  const gathering = new Gathering<number, number>({
    keyOf: (one) => (Math.abs(one) >= 100 ? 'large' : 'small'),
    async run(some) {
      runs.push([...some]);
      await new Promise<void>((resolve) => gates.push(resolve));
      if (some.some((one) => one < 0)) throw new Error(`Not ${some.join()}`);
      return some.map((one) => 2 * one);
    },
  });
  const open = async (): Promise<void> => {
    for (const gate of gates.splice(0)) gate();
    await turn();
    await turn();
  };
  return { runs, gathering, open };
}

test('what is asked for at once goes together, and what comes meanwhile with the next', async () => {
  const { runs, gathering, open } = doubling();
  const first = [1, 2].map((one) => gathering.ask(one));
  await turn();
  const next = [3, 4, 5].map((one) => gathering.ask(one));
  await turn();
  expect(runs).toEqual([[1, 2]]);
  await open();
  expect(await Promise.all(first)).toEqual([2, 4]);
  await open();
  expect([await Promise.all(next), runs]).toEqual([
    [6, 8, 10],
    [
      [1, 2],
      [3, 4, 5],
    ],
  ]);
  const later = gathering.ask(6);
  await turn();
  await open();
  expect(await later).toBe(12);
});

test('one key waits for no other', async () => {
  const { runs, gathering } = doubling();
  void gathering.ask(1);
  await turn();
  void gathering.ask(100);
  await turn();
  expect(runs).toEqual([[1], [100]]);
});

test('one that fails fails alone, and what comes after it is done', async () => {
  const { runs, gathering, open } = doubling();
  const asked = Promise.allSettled([1, -2, 3].map((one) => gathering.ask(one)));
  await turn();
  await open();
  await open();
  expect(await asked).toEqual([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: new Error('Not -2') },
    { status: 'fulfilled', value: 6 },
  ]);
  expect(runs).toEqual([[1, -2, 3], [1], [-2], [3]]);
  const next = gathering.ask(4);
  await turn();
  await open();
  expect(await next).toBe(8);
});
