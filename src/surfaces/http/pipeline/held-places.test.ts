// Checks that a streamed answer holds the places of its request while it is made and taken, and gives them up for a slow reader.

import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { secondMs } from '../../../kit/clock.ts';
import { HeldPlaces, inFlightUntilLast } from './held-places.ts';
import { InFlight } from './in-flight.ts';

const noPlaces = { giveUp: () => {}, takeAgain: async () => {} };

describe('a streamed response', () => {
  async function* chunks(...all: readonly string[]): AsyncGenerator<string> {
    for (const chunk of all) {
      if (chunk === 'fault') throw new Error('The database went away.');
      yield chunk;
    }
  }

  /** Returns the chunks read, and how often the response had left after each. */
  async function read(all: readonly string[], most: number): Promise<{ read: string[]; left: number[] }> {
    let left = 0;
    const seen = { read: [] as string[], left: [] as number[] };
    try {
      for await (const chunk of inFlightUntilLast(chunks(...all), noPlaces, () => left++)) {
        seen.read.push(chunk);
        seen.left.push(left);
        if (seen.read.length === most) break;
      }
    } catch {
      seen.read.push('end');
    }
    seen.left.push(left);
    return seen;
  }

  test('is in flight until its last chunk, and leaves once', async () => {
    expect(await read(['a', 'b'], 9)).toEqual({ read: ['a', 'b'], left: [0, 0, 1] });
  });

  test('leaves when its reader stops', async () => {
    expect(await read(['a', 'b', 'c'], 2)).toEqual({ read: ['a', 'b'], left: [0, 0, 1] });
  });

  test('leaves when it fails halfway', async () => {
    expect(await read(['a', 'fault'], 9)).toEqual({ read: ['a', 'end'], left: [0, 1] });
  });

  test('leaves when it was never read', async () => {
    let left = 0;
    const guarded = inFlightUntilLast(chunks('a'), noPlaces, () => left++)[Symbol.asyncIterator]();
    await guarded.return!();
    await guarded.return!();
    expect(left).toBe(1);
  });
});

describe('a slow reader', () => {
  const workspace = 'a';
  let requests: InFlight;
  let reports: InFlight;
  let parked: InFlight;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    requests = new InFlight({ running: 1, waiting: 1 });
    reports = new InFlight({ running: 1, waiting: 1 });
    parked = new InFlight({ running: 1, waiting: 0 });
  });

  const free = (): boolean[] => [requests, reports].map((limit) => !limit.isFull(workspace));

  async function openAnswer(): Promise<AsyncIterator<string>> {
    const places = new HeldPlaces(workspace, parked);
    for (const limit of [requests, reports]) await places.enter(limit);
    const chunks = inFlightUntilLast(ReadableStream.from(['1', '2']), places, () => places.leave());
    return chunks[Symbol.asyncIterator]();
  }

  test('gives all places up while it waits, and takes them again for the next piece', async () => {
    const answer = await openAnswer();
    expect((await answer.next()).value).toBe('1');
    vi.advanceTimersByTime(0.5 * secondMs);
    expect(free()).toEqual([false, false]);
    vi.advanceTimersByTime(secondMs);
    expect(free()).toEqual([true, true]);
    expect((await answer.next()).value).toBe('2');
    expect(free()).toEqual([false, false]);
    expect((await answer.next()).done).toBe(true);
    expect([...free(), parked.isFull(workspace)]).toEqual([true, true, false]);
  });

  test('waits for a place that somebody else has taken meanwhile', async () => {
    const answer = await openAnswer();
    await answer.next();
    vi.advanceTimersByTime(2 * secondMs);
    await reports.enter(workspace);
    let isTaken = false;
    const next = answer.next().then(({ value }) => ((isTaken = true), value));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isTaken).toBe(false);
    reports.leave(workspace);
    expect(await next).toBe('2');
  });

  test('that leaves while it waits for a place leaves all of them free', async () => {
    const answer = await openAnswer();
    await answer.next();
    vi.advanceTimersByTime(2 * secondMs);
    await reports.enter(workspace);
    const next = answer.next();
    await answer.return!();
    reports.leave(workspace);
    expect((await next).done).toBe(true);
    expect([...free(), parked.isFull(workspace)]).toEqual([true, true, false]);
  });

  test('keeps its places if as many answers as may wait without one do so already', async () => {
    await parked.enter(workspace);
    const answer = await openAnswer();
    await answer.next();
    vi.advanceTimersByTime(2 * secondMs);
    expect(free()).toEqual([false, false]);
    await answer.return!();
    expect(free()).toEqual([true, true]);
  });
});
