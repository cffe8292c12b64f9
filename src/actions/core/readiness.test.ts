// Checks when a node is ready, and how often it tries to change something to find out.

import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Stores } from '../../store/stores.ts';
import { OperatorMode } from '../../model/operations/operator-mode.ts';
import { normalMode } from '../../model/operations/service-mode.ts';
import type { RefusedChanges } from '../../store/server-state.ts';
import { Readiness } from './readiness.ts';

/** A database that does what the test says; `log` lists what it was asked. */
function readinessOn(parts: { ping?: () => Promise<void>; untilStarted?: () => Promise<void> } = {}) {
  const clock = new ManualClock(0);
  const log: string[] = [];
  const database = {
    refusedChanges: { count: 0, state: undefined as RefusedChanges['state'] },
    failure: undefined as Error | undefined,
  };
  const ask = async (what: string): Promise<void> => {
    log.push(what);
    if (database.failure !== undefined) throw database.failure;
  };
  const stores = Object.assign(database, {
    ping: parts.ping ?? (async () => {}),
    checkWritable: () => ask('a change'),
    checkRoom: () => ask('room'),
    readOperatorMode: async () => null,
  });
  const operatorMode = new OperatorMode(normalMode);
  const options = { answerMs: minuteMs, untilStarted: parts.untilStarted ?? (async () => {}) };
  const readiness = new Readiness({ stores: stores as unknown as Stores, clock, operatorMode }, options);
  const states = async (): Promise<unknown[]> => {
    const { status, writes } = await readiness.check();
    return [status, writes];
  };
  return { readiness, states, operatorMode, database, clock, log };
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
  expect((await state).status).toBe('ready');
  expect(order).toEqual(['threads ready', 'the database was asked']);
});

test('a change is tried every five seconds, and each third time room for new records', async () => {
  const { states, clock, log } = readinessOn();
  for (let second = 0; second < 35; second++) {
    expect(await states()).toEqual(['ready', 'ready']);
    clock.advance(secondMs);
  }
  expect(log).toEqual(['room', 'a change', 'a change', 'room', 'a change', 'a change', 'room']);
});

test('a database that refuses changes is ready for reads, and for changes once one succeeds', async () => {
  const { states, database, clock } = readinessOn();
  database.failure = new Refusal('database-read-only', '');
  expect(await states()).toEqual(['ready', 'database-read-only']);
  database.failure = undefined;
  expect(await states()).toEqual(['ready', 'database-read-only']);
  clock.advance(5 * secondMs);
  expect(await states()).toEqual(['ready', 'ready']);
});

test('in the mode of an operator no change is tried, and the mode is the reason', async () => {
  const { states, readiness, operatorMode, log } = readinessOn();
  operatorMode.follow({ mode: 'read-only', message: null, until: null });
  expect(await states()).toEqual(['ready', 'read-only']);
  operatorMode.follow({ mode: 'maintenance', message: null, until: null });
  expect(await states()).toEqual(['maintenance', 'maintenance']);
  expect([readiness.writes, log]).toEqual(['maintenance', []]);
  operatorMode.follow(normalMode);
  expect(await states()).toEqual(['ready', 'ready']);
  expect(log).toEqual(['room']);
});

test('jobs learn from a change that was refused, without another question to the database', () => {
  const { readiness, database, log } = readinessOn();
  expect(readiness.writes).toBe('ready');
  database.refusedChanges = { count: 1, state: 'database-read-only' };
  expect([readiness.writes, log]).toEqual(['database-read-only', []]);
});

test('a request that found the disk full is proof enough; only room for new records proves the opposite', async () => {
  const { states, database, clock, log } = readinessOn();
  expect(await states()).toEqual(['ready', 'ready']);
  database.refusedChanges = { count: 1, state: 'database-full' };
  expect(await states()).toEqual(['ready', 'database-full']);
  clock.advance(5 * secondMs);
  expect(await states()).toEqual(['ready', 'ready']);
  expect(log).toEqual(['room', 'room']);
});

test('a change that fails for another reason, such as a missing privilege, does not count', async () => {
  const { states, database } = readinessOn();
  database.failure = new Error('permission denied for schema public');
  expect(await states()).toEqual(['ready', 'ready']);
});

test('a clock that went back does not keep the last state for longer', async () => {
  const { states, database, clock } = readinessOn();
  database.failure = new Refusal('database-full', '');
  expect(await states()).toEqual(['ready', 'database-full']);
  database.failure = undefined;
  clock.advance(-60 * minuteMs);
  expect(await states()).toEqual(['ready', 'ready']);
});

test('a node that stops is not ready, whatever the database says', async () => {
  const { readiness, states, log } = readinessOn();
  readiness.beginStopping();
  expect((await states())[0]).toBe('stopping');
  expect(log).toEqual([]);
});
