// Rounds of many clients: taken and finished together, each by itself where its lease was lost, and silent where nothing has changed.

import { beforeAll, expect, test } from 'vitest';
import { evaluateRound } from '../../../src/actions/rounds/round-evaluation.ts';
import { dayMs, secondMs } from '../../../src/kit/clock.ts';
import type { EvaluateRound } from '../../../src/jobs/round-worker.ts';
import { runSql } from '../../setup/database/sql.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { listRounds, makeRoundHousehold, pay, type RoundHousehold } from '../../setup/limits/round-household.ts';
import { createRounds, runRounds } from '../../setup/limits/rounds.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
const clientCount = 6;
let admin: Caller;
let families: RoundHousehold[];

beforeAll(async () => {
  admin = await service.openWorkspace();
  families = [];
  for (let number = 0; number < clientCount; number++)
    families.push(await makeRoundHousehold(admin, `Amsel ${number}`));
  await runRounds(admin.address);
  service.clock.advance(secondMs);
});

/** Evaluates all rounds before any of them is finished, and runs a task in between. */
function evaluateTogether(beforeFinish: () => Promise<unknown> = async () => {}): EvaluateRound {
  const { promise: allEvaluated, resolve } = Promise.withResolvers<unknown>();
  let evaluatedCount = 0;
  return async (input, onProgress) => {
    const outcome = await evaluateRound(service.context, input, onProgress);
    if (++evaluatedCount === clientCount) resolve(beforeFinish());
    await allEvaluated;
    return outcome;
  };
}

async function payAll(): Promise<void> {
  for (const family of families) await pay(admin, family, '1');
  service.clock.advance(2 * secondMs);
}

async function runTogether(evaluate: EvaluateRound): Promise<unknown[]> {
  const rounds = createRounds(service.context, { concurrency: 2 * clientCount, evaluate });
  await rounds.sweep();
  await rounds.drain();
  return rounds.failures;
}

interface RoundEvent {
  readonly type: string;
  readonly client: string;
  readonly batch: string;
}

async function listEventsSince(moment: number): Promise<RoundEvent[]> {
  return runSql<RoundEvent>(
    service.database,
    `SELECT type, client_id AS client, batch_id AS batch FROM event WHERE created_at >= $1 AND type <> 'transaction.created' ORDER BY id`,
    [new Date(moment)],
  );
}

const typesOf = (events: readonly RoundEvent[], client: string): string[] =>
  events.filter((one) => one.client === client).map(({ type }) => type);

test('rounds of several clients are finished in one transaction, each with the events of its client in order', async () => {
  const before = service.clock.now();
  await payAll();
  expect(await runTogether(evaluateTogether())).toEqual([]);
  const events = await listEventsSince(before);
  expect(new Set(events.map(({ batch }) => batch)).size).toBe(1);
  for (const family of families) {
    expect(typesOf(events, family.client)).toEqual(['reporting_entity.valued', 'calculated_data.created']);
    const [last] = await listRounds(admin, family);
    expect([last.state, last.attempts]).toEqual(['finished', 1]);
  }
});

test('of rounds that are finished together, one whose lease was lost writes nothing, and the others are finished', async () => {
  await payAll();
  const [lost, ...others] = families as [RoundHousehold, ...RoundHousehold[]];
  const before = service.clock.now();
  const takeAway = (): Promise<unknown> =>
    runSql(
      service.database,
      'UPDATE calculation_round SET attempts = attempts + 1 WHERE client_id = $1 AND finished_at IS NULL',
      [lost.client],
    );
  expect(await runTogether(evaluateTogether(takeAway))).toEqual([]);
  const events = await listEventsSince(before);
  expect(typesOf(events, lost.client)).toEqual([]);
  expect((await listRounds(admin, lost))[0].state).toBe('running');
  for (const other of others) {
    expect((await listRounds(admin, other))[0].state).toBe('finished');
    expect(typesOf(events, other.client)).toContain('calculated_data.created');
  }
  service.clock.advance(30 * secondMs);
  await runRounds(admin.address);
  expect((await listRounds(admin, lost))[0].state).toBe('finished');
});

test('a new day that changes no figure emits nothing, and a change that changes no figure says only that it was calculated', async () => {
  const [family] = families as [RoundHousehold];
  const tenant = await tenantOf(admin);
  service.clock.advance(dayMs);
  admin = await service.enter(tenant);
  const [newDay, roundsBefore] = [service.clock.now(), (await listRounds(admin, family)).length];
  await runRounds(admin.address);
  const rounds = await listRounds(admin, family);
  expect([rounds.length, rounds[0].state, rounds[0].causes]).toEqual([roundsBefore + 1, 'finished', ['day']]);
  expect(await listEventsSince(newDay)).toEqual([]);
  service.clock.advance(secondMs);
  const changed = service.clock.now();
  expect((await admin.patch(`/v1/limits/${family.limit}`, { max_amount: '1600' })).status).toBe(200);
  await runRounds(admin.address);
  expect(typesOf(await listEventsSince(changed), family.client)).toEqual(['calculated_data.created']);
});
