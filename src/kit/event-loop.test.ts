// Checks that long work leaves the event loop to others after each slice, and that several such tasks take turns.

import { EventEmitter } from 'node:events';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hurryWhileSending, mapInSlices, yieldWhenBusy } from './event-loop.ts';

/** Time passes only by the work of these tests, however busy the machine is. */
let now = 0;
beforeAll(() => void vi.spyOn(performance, 'now').mockImplementation(() => now));
afterAll(() => vi.restoreAllMocks());

/** Takes a millisecond of time without leaving the event loop. */
function work(): void {
  now++;
}

/** Counts the turns of the event loop while a task runs. */
async function countTurns(task: (turn: () => number) => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns++;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await task(() => turns);
  isDone = true;
  return turns;
}

test('a long loop leaves the event loop to others after a few milliseconds', async () => {
  const items = Array.from({ length: 60 }, (_, index) => index);
  const stepsOfTurn = new Map<number, number>();
  const turns = await countTurns(async (turn) => {
    const results = await mapInSlices(items, (item) => {
      work();
      stepsOfTurn.set(turn(), (stepsOfTurn.get(turn()) ?? 0) + 1);
      return item * 2;
    });
    expect(results).toEqual(items.map((item) => item * 2));
  });
  expect(turns).toBeGreaterThanOrEqual(6);
  // Two slices can fall into what this test counts as one turn.
  expect(Math.max(...stepsOfTurn.values())).toBeLessThanOrEqual(12);
});

test('several long loops take turns, each with a slice of its own', async () => {
  const order: string[] = [];
  const run = (name: string): Promise<unknown> =>
    mapInSlices(Array.from({ length: 30 }), () => {
      work();
      order.push(name);
    });
  await Promise.all([run('a'), run('b'), run('c')]);
  const half = order.slice(0, order.length / 2);
  for (const name of ['a', 'b', 'c']) expect(half.filter((one) => one === name).length).toBeGreaterThanOrEqual(5);
});

test('work that is short, or alone with one item, waits for nothing', async () => {
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  expect(yieldWhenBusy()).toBeUndefined();
  let isDone = false;
  void mapInSlices([1], () => (isDone = true));
  expect(isDone).toBe(true);
});

test('a loop that fails does not keep others waiting', async () => {
  const failing = mapInSlices(Array.from({ length: 20 }), () => {
    work();
    throw new Error('The work failed.');
  });
  await expect(failing).rejects.toThrow('The work failed.');
  expect(await mapInSlices([1, 2, 3], (one) => one)).toEqual([1, 2, 3]);
});

test.each(['drain', 'close'])('a long loop leaves it more often while bytes wait to leave, until %s', async (end) => {
  const stream = Object.assign(new EventEmitter(), { writableNeedDrain: true });
  hurryWhileSending(stream);
  hurryWhileSending(stream); // what is written before the rest has left waits with it
  expect([stream.listenerCount('drain'), stream.listenerCount('close')]).toEqual([1, 1]);
  const turns = await countTurns(() => mapInSlices(Array.from({ length: 20 }), work));
  expect(turns).toBeGreaterThanOrEqual(14); // 4 or 5 otherwise
  stream.emit(end);
  expect([stream.listenerCount('drain'), stream.listenerCount('close')]).toEqual([0, 0]);
  hurryWhileSending(Object.assign(stream, { writableNeedDrain: false }));
  expect(stream.listenerCount('drain')).toBe(0);
});
