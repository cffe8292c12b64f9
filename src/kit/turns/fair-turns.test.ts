// Tests that long computations of one thread take turns by owner, that input is handled between them, and that short ones go first.

import { expect, test } from 'vitest';
import { FairTurns } from './fair-turns.ts';
import type { Pieces } from './pieces.ts';

/** A thread whose time passes only while it computes, and whose input is handled between two callbacks. */
class Thread {
  readonly turns = new FairTurns({ now: () => this.#now, afterInput: (callback) => this.#callbacks.push(callback) });
  readonly order: string[] = [];
  readonly #callbacks: (() => void)[] = [];
  #now = 0;

  /** Computes pieces of a millisecond each. */
  start(
    name: string,
    terms: { owner: string; size: number; signal?: AbortSignal | undefined },
    pieceCount: number,
  ): void {
    const turn = this.turns.open(terms);
    turn.run(this.#pieces(name, pieceCount)).then(
      () => this.order.push(`${name} ends`),
      (reason) => this.order.push(`${name} ends: ${reason}`),
    );
  }

  *#pieces(name: string, count: number): Pieces<void> {
    for (let index = 0; index < count; index++) {
      this.#now++;
      this.order.push(name);
      yield;
    }
  }

  /** Runs until nothing waits; `onInput` is called each time that input is handled. */
  async finish(onInput: () => void = () => {}): Promise<void> {
    for (;;) {
      for (let count = 0; count < 100; count++) await Promise.resolve();
      onInput();
      const callback = this.#callbacks.shift();
      if (callback === undefined) return;
      callback();
    }
  }

  /** The order, with repetitions of a name left out. */
  get turnOrder(): string[] {
    return this.order.filter((name, index) => name !== this.order[index - 1]);
  }
}

/** How many milliseconds a computation runs each time until input is handled. */
async function slicesOf(thread: Thread, name: string): Promise<number[]> {
  const ends: number[] = [0];
  await thread.finish(() => ends.push(thread.order.filter((one) => one === name).length));
  return ends.map((end, index) => end - (ends[index - 1] ?? 0)).filter((length) => length > 0);
}

test('many long computations of one owner delay those of another by one slice each time', async () => {
  const thread = new Thread();
  for (const name of ['a1', 'a2', 'a3']) thread.start(name, { owner: 'a', size: 100 }, 9);
  thread.start('b', { owner: 'b', size: 100 }, 9);
  await thread.finish();
  const ends = thread.order.filter((name) => name.endsWith('ends'));
  expect(ends).toEqual(['a1 ends', 'b ends', 'a2 ends', 'a3 ends']);
  const turnsBeforeB = thread.turnOrder.slice(0, thread.turnOrder.indexOf('b ends'));
  expect(turnsBeforeB.filter((name) => name === 'b')).toHaveLength(9);
  expect(turnsBeforeB.filter((name) => name.startsWith('a') && !name.endsWith('ends')).length).toBeLessThan(13);
});

test('slices are a millisecond while several owners compute, and three milliseconds later', async () => {
  const thread = new Thread();
  thread.start('a', { owner: 'a', size: 100 }, 400);
  thread.start('b', { owner: 'b', size: 100 }, 3);
  const slices = await slicesOf(thread, 'a');
  const lastShort = slices.lastIndexOf(1, -2);
  expect(new Set(slices.slice(0, lastShort))).toEqual(new Set([1]));
  expect(new Set(slices.slice(lastShort + 1, -1))).toEqual(new Set([3]));
  // A piece that is there before the first slice, the two that take turns with those of b, and a tenth of a second.
  expect(lastShort + 1).toBe(3 + 100);
});

test('slices are three milliseconds where all computations belong to one owner', async () => {
  const thread = new Thread();
  thread.start('a', { owner: 'a', size: 100 }, 30);
  thread.start('another', { owner: 'a', size: 200 }, 30);
  expect(new Set((await slicesOf(thread, 'a')).slice(1, -1))).toEqual(new Set([3]));
});

test('the shortest computation of an owner goes first, and equal ones one after the other', async () => {
  const thread = new Thread();
  thread.start('long', { owner: 'a', size: 50 }, 12);
  thread.start('equal', { owner: 'a', size: 50 }, 6);
  thread.start('short', { owner: 'a', size: 5 }, 6);
  await thread.finish();
  expect(thread.order.filter((name) => name.endsWith('ends'))).toEqual(['short ends', 'long ends', 'equal ends']);
});

test('input is handled after every slice, so a small computation starts and ends while a long one is under way', async () => {
  const thread = new Thread();
  thread.start('long', { owner: 'a', size: 100 }, 30);
  let inputCount = 0;
  await thread.finish(() => {
    if (++inputCount === 3) thread.order.push('small');
  });
  expect(thread.order.indexOf('small')).toBeLessThan(10);
  expect(inputCount).toBeGreaterThanOrEqual(10);
});

test('input is handled between any two slices, however many computations wait', async () => {
  const callbacks: (() => void)[] = [];
  let now = 0;
  const turns = new FairTurns({ now: () => now, afterInput: (callback) => void callbacks.push(callback) });
  function* pieces(): Pieces<void> {
    for (let index = 0; index < 9; index++) yield void now++;
  }
  const all = ['a', 'b', 'c'].map((owner) => turns.open({ owner, size: 1 }).run(pieces()));
  // The first pieces come before any slice.
  for (let before = now; callbacks.length > 0; before = now) {
    const called = callbacks.splice(0);
    for (const callback of called) callback();
    for (let count = 0; count < 100; count++) await Promise.resolve();
    expect(now - before).toBeLessThanOrEqual(1);
  }
  await Promise.all(all);
  expect(now).toBe(27);
});

test('a computation within its slice does not wait', async () => {
  const turns = new FairTurns({ now: () => 1_000, afterInput: (callback) => callback() });
  const turn = turns.open({ owner: 'a', size: 1 });
  await turn.pause();
  expect(turn.pause()).toBeUndefined();
});

test('a computation that is given up ends at its next turn, before all others of its owner', async () => {
  const thread = new Thread();
  const controller = new AbortController();
  thread.start('given up', { owner: 'a', size: 100, signal: controller.signal }, 1_000);
  thread.start('short', { owner: 'a', size: 5 }, 20);
  thread.start('other', { owner: 'b', size: 100 }, 20);
  let count = 0;
  await thread.finish(() => {
    if (++count === 4) controller.abort('nobody waits');
  });
  expect(thread.order.filter((name) => name.endsWith('ends') || name.includes(':'))).toEqual([
    'given up ends: nobody waits',
    'other ends',
    'short ends',
  ]);
  expect(thread.order.filter((name) => name === 'given up').length).toBeLessThan(5);
});

test('a computation that was given up before it begins does not begin its second piece', async () => {
  const thread = new Thread();
  thread.start('given up', { owner: 'a', size: 100, signal: AbortSignal.abort('nobody waits') }, 1_000);
  await thread.finish();
  expect(thread.order).toEqual(['given up', 'given up ends: nobody waits']);
});

test('a computation that fails fails alone', async () => {
  const thread = new Thread();
  function* failing(): Pieces<void> {
    yield;
    throw new Error('Not today');
  }
  const failed = thread.turns
    .open({ owner: 'a', size: 1 })
    .run(failing())
    .catch(({ message }: Error) => message);
  thread.start('other', { owner: 'a', size: 2 }, 5);
  await thread.finish();
  expect(await failed).toBe('Not today');
  expect(thread.order.at(-1)).toBe('other ends');
});
