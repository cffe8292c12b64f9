// Shares the event loop between requests: work that takes long runs in slices of time, and other events are handled in between.

import type { Pieces } from './turns/pieces.ts';

/** How long such work may run before other events are handled. */
const sliceMs = 2;

/**
 * And how long while bytes wait to leave: the system takes so many at a time, and what is left would wait for the end of each slice, with
 * whoever needs them.
 */
const sliceMsWhileSending = 0.25;

const leaving = new Set<SendingStream>();

interface SendingStream {
  readonly writableNeedDrain?: boolean;
  on(event: 'drain' | 'close', listener: () => void): unknown;
  off(event: 'drain' | 'close', listener: () => void): unknown;
}

/** Makes slices short until what was written to the stream has left, or never will. */
export function hurryWhileSending(stream: SendingStream): void {
  if (stream.writableNeedDrain !== true || leaving.has(stream)) return;
  leaving.add(stream);
  const done = (): void => {
    leaving.delete(stream);
    stream.off('drain', done);
    stream.off('close', done);
  };
  stream.on('drain', done);
  stream.on('close', done);
}

/** When the present slice ends; undefined while no such work runs. */
let sliceEndsAt: number | undefined;
const waiting: (() => void)[] = [];

function beginSlice(now: number): void {
  sliceEndsAt = now + (leaving.size === 0 ? sliceMs : sliceMsWhileSending);
  setImmediate(endSlice);
}

/** Continues one that waits, the longest waiting first, so that every turn of the event loop has one slice at most. */
function endSlice(): void {
  sliceEndsAt = undefined;
  const next = waiting.shift();
  if (next === undefined) return;
  beginSlice(performance.now());
  next();
}

/** Returns what to wait for where the slice of this turn of the event loop is used up, by the caller or by others; else undefined. */
export function yieldWhenBusy(): Promise<void> | undefined {
  const now = performance.now();
  if (sliceEndsAt === undefined) beginSlice(now);
  else if (now >= sliceEndsAt) return new Promise((resolve) => waiting.push(resolve));
  return undefined;
}

/** Maps very many items in order, in slices. A single item never waits. */
export async function mapInSlices<T, U>(items: readonly T[], map: (item: T) => U): Promise<U[]> {
  const results: U[] = [];
  for (const item of items) {
    const turn = results.length === 0 ? undefined : yieldWhenBusy();
    if (turn !== undefined) await turn;
    results.push(map(item));
  }
  return results;
}

/** Computes what comes in pieces, in slices. */
export async function inSlices<T>(pieces: Pieces<T>): Promise<T> {
  for (;;) {
    const { done, value } = pieces.next();
    if (done) return value;
    const turn = yieldWhenBusy();
    if (turn !== undefined) await turn;
  }
}
