// Checks when a node is ready, and how often it tries to change something to find out.

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Stores } from '../../store/stores.ts';
import { Readiness } from './readiness.ts';

/** A database that does what the test says; `log` lists what it was asked. */
function readinessOn(parts: { ping?: () => Promise<void>; untilStarted?: () => Promise<void> } = {}) {
  const clock = new ManualClock(0);
  const log: string[] = [];
  const database = { fullDiskCount: 0, failure: undefined as Error | undefined };
  const ask = async (what: string): Promise<void> => {
    log.push(what);
    if (database.failure !== undefined) throw database.failure;
  };
  const stores = Object.assign(database, {
    ping: parts.ping ?? (async () => {}),
    checkWritable: () => ask('a change'),
    checkRoom: () => ask('room'),
  });
  const options = { answerMs: minuteMs, untilStarted: parts.untilStarted ?? (async () => {}) };
  const readiness = new Readiness({ stores: stores as unknown as Stores, clock }, options);
  return { readiness, database, clock, log };
}

test('after a start it is ready once its threads are, and not before', async () => {
  const order: string[] = [];
  const started = Promise.withResolvers<void>();
  const { readiness } = readinessOn({
    ping: async () => void order.push('the database was asked'),
    untilStarted: () => started.promise,
  });
  const state = readiness.check();
  await setImmediate();
  order.push('threads ready');
  started.resolve();
  expect(await state).toBe('ready');
  expect(order).toEqual(['threads ready', 'the database was asked']);
});

test('a change is tried every five seconds, and each third time room for new records', async () => {
  const { readiness, clock, log } = readinessOn();
  for (let second = 0; second < 35; second++) {
    expect(await readiness.check()).toBe('ready');
    clock.advance(secondMs);
  }
  expect(log).toEqual(['room', 'a change', 'a change', 'room', 'a change', 'a change', 'room']);
});

test('a database that refuses changes is not ready until one succeeds', async () => {
  const { readiness, database, clock } = readinessOn();
  database.failure = new Refusal('database-read-only', '');
  expect(await readiness.check()).toBe('database-read-only');
  database.failure = undefined;
  expect(await readiness.check()).toBe('database-read-only');
  clock.advance(5 * secondMs);
  expect(await readiness.check()).toBe('ready');
});

test('a request that found the disk full is proof enough; only room for new records proves the opposite', async () => {
  const { readiness, database, clock, log } = readinessOn();
  expect(await readiness.check()).toBe('ready');
  database.fullDiskCount = 1;
  expect(await readiness.check()).toBe('database-full');
  clock.advance(5 * secondMs);
  expect(await readiness.check()).toBe('ready');
  expect(log).toEqual(['room', 'room']);
});

test('a change that fails for another reason, such as a missing privilege, does not count', async () => {
  const { readiness, database } = readinessOn();
  database.failure = new Error('permission denied for schema public');
  expect(await readiness.check()).toBe('ready');
});

test('a clock that went back does not keep the last state for longer', async () => {
  const { readiness, database, clock } = readinessOn();
  database.failure = new Refusal('database-full', '');
  expect(await readiness.check()).toBe('database-full');
  database.failure = undefined;
  clock.advance(-60 * minuteMs);
  expect(await readiness.check()).toBe('ready');
});

test('a node that stops is not ready, whatever the database says', async () => {
  const { readiness, log } = readinessOn();
  readiness.beginStopping();
  expect(await readiness.check()).toBe('stopping');
  expect(log).toEqual([]);
});
