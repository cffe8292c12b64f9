// Checks that one tenant runs at most its share of requests, in order, without affecting other tenants.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InFlight } from './in-flight.ts';

/** Starts work that runs until the test ends it. */
class WorkSimulator {
  readonly running: string[] = [];
  readonly #inFlight: InFlight;
  readonly #ends = new Map<string, () => void>();

  constructor(size: { running: number; waiting: number }) {
    this.#inFlight = new InFlight(size);
  }

  async start(tenant: string, name: string): Promise<void> {
    await this.#inFlight.enter(tenant);
    this.running.push(name);
    try {
      await new Promise<void>((resolve) => this.#ends.set(name, resolve));
    } finally {
      this.running.splice(this.running.indexOf(name), 1);
      this.#inFlight.leave(tenant);
    }
  }

  async end(name: string): Promise<void> {
    this.#ends.get(name)!();
    await untilIdle();
  }
}

/** Waits until everything that can proceed has proceeded. */
function untilIdle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('the share of one tenant', () => {
  test('admits a request at once, without a promise, while there is room', () => {
    const inFlight = new InFlight({ running: 2, waiting: 0 });
    expect(inFlight.enter('a')).toBeUndefined();
    expect(inFlight.enter('a')).toBeUndefined();
  });

  test('is never exceeded, and each end lets the longest waiting request proceed', async () => {
    const workplace = new WorkSimulator({ running: 2, waiting: 10 });
    for (const name of ['1', '2', '3', '4', '5']) void workplace.start('a', name);
    await untilIdle();
    expect(workplace.running).toEqual(['1', '2']);
    await workplace.end('2');
    expect(workplace.running).toEqual(['1', '3']);
    await workplace.end('1');
    expect(workplace.running).toEqual(['3', '4']);
    await workplace.end('4');
    expect(workplace.running).toEqual(['3', '5']);
  });

  test('does not affect the shares of others', async () => {
    const workplace = new WorkSimulator({ running: 1, waiting: 10 });
    for (const name of ['a1', 'a2', 'a3']) void workplace.start('a', name);
    void workplace.start('b', 'b1');
    await untilIdle();
    expect(workplace.running).toEqual(['a1', 'b1']);
    await workplace.end('b1');
    expect(workplace.running).toEqual(['a1']);
  });

  test('has a queue of limited length: further requests are refused with Retry-After', async () => {
    const workplace = new WorkSimulator({ running: 1, waiting: 2 });
    for (const name of ['1', '2', '3']) void workplace.start('a', name);
    const refusal = {
      code: 'too-many-in-flight',
      message:
        'Too many requests of this workspace are running or waiting. Try again in a second, with fewer at a time.',
      retryAfterSeconds: 1,
    };
    await expect(workplace.start('a', '4')).rejects.toMatchObject(refusal);
    await workplace.end('1');
    void workplace.start('a', '5');
    await untilIdle();
    await workplace.end('2');
    await workplace.end('3');
    expect(workplace.running).toEqual(['5']);
  });

  test('is free again after work that failed', async () => {
    const inFlight = new InFlight({ running: 1, waiting: 1 });
    const failing = async (): Promise<void> => {
      await inFlight.enter('a');
      try {
        throw new Error('The work failed.');
      } finally {
        inFlight.leave('a');
      }
    };
    await expect(failing()).rejects.toThrow('The work failed.');
    await expect(failing()).rejects.toThrow('The work failed.');
    expect(inFlight.enter('a')).toBeUndefined();
  });

  test('leaving an empty queue changes nothing', () => {
    const inFlight = new InFlight({ running: 1, waiting: 0 });
    inFlight.leave('a');
    expect(inFlight.enter('a')).toBeUndefined();
    expect(() => inFlight.enter('a')).toThrow('Too many requests');
  });
});

test('in any sequence, no tenant exceeds its share, and none waits while there is room', async () => {
  const steps = fc.array(fc.record({ tenant: fc.constantFrom('a', 'b', 'c'), kind: fc.constantFrom('start', 'end') }), {
    maxLength: 60,
  });
  await fc.assert(
    fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (sequence, share) => {
      const workplace = new WorkSimulator({ running: share, waiting: 100 });
      const present = new Map<string, number>([
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ]);
      for (const [index, { tenant, kind }] of sequence.entries()) {
        const running = workplace.running.filter((name) => name.startsWith(tenant));
        const [first] = running;
        if (kind === 'start') void workplace.start(tenant, `${tenant}${index}`);
        else if (first !== undefined) await workplace.end(first);
        present.set(tenant, present.get(tenant)! + (kind === 'start' ? 1 : first === undefined ? 0 : -1));
        await untilIdle();
        for (const [one, count] of present) {
          expect(workplace.running.filter((name) => name.startsWith(one))).toHaveLength(Math.min(share, count));
        }
      }
    }),
    { numRuns: 50 },
  );
});
