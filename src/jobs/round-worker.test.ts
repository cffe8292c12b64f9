// Rounds on a real database, with clocks that are moved and with several nodes: gathered, one at a time, repeated after a crash, and
// never written by one who was overtaken.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../tests/setup/http/caller.ts';
import { book, makeStock } from '../../tests/setup/ledger/ledger-household.ts';
import {
  breachesOf,
  makeRoundFamily,
  pay,
  roundsOf,
  type RoundFamily,
} from '../../tests/setup/limits/round-household.ts';
import { makeRounds, roundsOn } from '../../tests/setup/limits/rounds.ts';
import {
  serviceForThisFile,
  serviceForThisTest,
  startTestService,
  type TestDatabase,
  type TestService,
} from '../../tests/setup/node/test-service.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import { make } from '../../tests/setup/structure/structure-document.ts';
import { evaluateRound } from '../actions/rounds/round-evaluation.ts';
import { keepRound, takeRound } from '../actions/rounds/round.ts';
import { minuteMs, secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import type { EvaluateRound, Rounds } from './round-worker.ts';

/** One address for both nodes, so that tokens of one hold on the other. */
const settings = { BASE_URL: 'http://holdfast.test' };
const service = serviceForThisFile({ settings });
let admin: Caller;
let family: RoundFamily;
/** A second node on the same database, with the same clock. */
let other: TestService;

beforeAll(async () => {
  other = await startTestService({ database: service.database, clock: service.clock, settings });
});

afterAll(() => other.stop());

/** Nothing is marked, and the family has been looked at. */
beforeEach(async () => {
  admin = await service.openWorkspace();
  family = await makeRoundFamily(admin);
  await makeRounds(admin.address);
});

async function sweep(rounds: Rounds): Promise<void> {
  await rounds.sweep();
  await rounds.settle();
}

/** Evaluates, and says so, and goes on when it is let. */
function heldEvaluation(node: TestService): { evaluate: EvaluateRound; begun: Promise<void>; letGo(): void } {
  const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    begun: begun.promise,
    letGo: () => held.resolve(),
    async evaluate(question, tell) {
      const outcome = await evaluateRound(node.house, question, tell);
      begun.resolve();
      await held.promise;
      return outcome;
    },
  };
}

/** What a round has found anew of limits. */
function statesOf({ id }: { id: string }): Promise<object[]> {
  return runSql(service.database, 'SELECT state, reason FROM limit_state WHERE round_id = $1', [id]);
}

const summary = ({ state, causes, attempts }: any): unknown => [state, causes, attempts];

describe('gathering', () => {
  test('a burst of changes makes one round, some two seconds after the first', async () => {
    const rounds = roundsOn(service.house);
    const since = service.clock.now();
    await pay(admin, family, '1');
    service.clock.advance(secondMs);
    await pay(admin, family, '2');
    await admin.patch(`/v1/clients/${family.client}`, { reference_currency: 'EUR' });
    service.clock.advance(secondMs - 1);
    await sweep(rounds);
    expect(await roundsOf(admin, family)).toHaveLength(1);
    service.clock.advance(1);
    await sweep(rounds);
    await sweep(rounds);
    const [last, ...earlier] = await roundsOf(admin, family);
    expect(earlier).toHaveLength(1);
    expect(last).toEqual({
      id: expect.any(String),
      client_id: family.client,
      causes: ['transaction', 'setting'],
      state: 'finished',
      marked_since: new Date(since).toISOString(),
      started_at: new Date(since + 2_000).toISOString(),
      finished_at: new Date(since + 2_000).toISOString(),
      duration_ms: 0,
      attempts: 1,
      error: null,
      retry_at: null,
      ledger_version: expect.stringMatching(/^[\w-]{22}$/),
      progress: { done: 1, total: 1 },
      counts: { reporting_entities: 1, holdings: 1, limits: 1, breaches: 0, findings: 1 },
    });
  });

  test('changes that come during a round make one more, and no round overlaps another', async () => {
    const held = heldEvaluation(service);
    const rounds = roundsOn(service.house, { evaluate: held.evaluate });
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    await rounds.sweep();
    await held.begun;
    await pay(admin, family, '2');
    await pay(admin, family, '3');
    service.clock.advance(2 * secondMs);
    await sweep(roundsOn(service.house));
    expect((await roundsOf(admin, family)).map(({ state }) => state)).toEqual(['running', 'finished']);
    held.letGo();
    await rounds.settle();
    await sweep(rounds);
    const states = (await roundsOf(admin, family)).map(({ state }) => state);
    expect(states).toEqual(['finished', 'finished', 'finished']);
    expect(rounds.failures).toEqual([]);
  });

  test('a node looks soon where it has written itself, and leaves the rest to the sweep', async () => {
    const [here, there] = [roundsOn(service.house), roundsOn(other.house)];
    await here.lookWhereHinted();
    const late = await makeRoundFamily(admin, 'Bussard');
    service.clock.advance(secondMs);
    await pay(admin, family, '1');
    service.clock.advance(secondMs);
    await there.lookWhereHinted();
    await there.settle();
    expect(await roundsOf(admin, late)).toHaveLength(0);
    await here.lookWhereHinted();
    await here.settle();
    expect([await roundsOf(admin, late), await roundsOf(admin, family)].map(({ length }) => length)).toEqual([1, 1]);
    service.clock.advance(2 * secondMs);
    await here.lookWhereHinted();
    await here.settle();
    expect(await roundsOf(admin, family)).toHaveLength(2);
  });
});

test('where it looks and finds what is not due yet, a node looks again', async () => {
  const rounds = roundsOn(service.house);
  const look = async (): Promise<number> => {
    await rounds.lookWhereHinted();
    await rounds.settle();
    return (await roundsOf(admin, family)).length;
  };
  service.clock.advance(2 * secondMs);
  await look();
  await admin.patch(`/v1/clients/${family.client}`, { name: 'Amsel-Meier' });
  service.clock.advance(secondMs);
  await pay(admin.at(other.admin.address), family, '1');
  service.clock.advance(secondMs);
  expect(await look()).toBe(1);
  service.clock.advance(2 * secondMs);
  expect(await look()).toBe(2);
});

describe('what is found', () => {
  test('a limit that is broken, and kept again later, each with its round', async () => {
    const rounds = roundsOn(service.house);
    await pay(admin, family, '501');
    service.clock.advance(2 * secondMs);
    await sweep(rounds);
    const [breaking] = await roundsOf(admin, family);
    expect(breaking.counts).toMatchObject({ limits: 1, breaches: 1 });
    const since = new Date(service.clock.now()).toISOString();
    const breach = { round_id: breaking.id, state: 'open', current_value: '1501', bound: 'max', since, until: null };
    expect(await breachesOf(admin, family)).toEqual([expect.objectContaining(breach)]);
    await pay(admin, family, '-2');
    service.clock.advance(2 * secondMs);
    await sweep(rounds);
    const until = new Date(service.clock.now()).toISOString();
    expect(await breachesOf(admin, family)).toEqual([expect.objectContaining({ ...breach, state: 'closed', until })]);
    expect((await roundsOf(admin, family))[0].counts).toMatchObject({ limits: 1, breaches: 0 });
  });

  test('that a rate is missing: the round is finished all the same, and the limit cannot be told', async () => {
    const yen = await make(admin, 'accounts', { entity_id: family.legalEntity, currency: 'JPY' });
    await make(admin, 'portfolios', { reporting_entity_id: family.reportingEntity, account_ids: [yen] });
    await pay(admin, { account: yen }, '1');
    await makeRounds(admin.address);
    const [last] = await roundsOf(admin, family);
    expect(last).toMatchObject({ state: 'finished', counts: { holdings: 2, limits: 1, breaches: 0, findings: 1 } });
    expect(await statesOf(last)).toEqual([{ state: 'not_evaluable', reason: 'fx-rate-missing' }]);
  });

  test('that a rate is missing for what units from outside have cost, so that nothing at all can be told', async () => {
    const stock = await makeStock(admin, 'Toyota', 'JPY');
    const acquired = [{ date: '2020-01-02', quantity: '1', cost: '100' }];
    const inKind = { type: 'deposit', account_id: family.account, date: '2026-11-10', instrument_id: stock };
    expect((await book(admin, 'v1', { ...inKind, quantity: '1', acquired })).status).toBe(201);
    await makeRounds(admin.address);
    const [last] = await roundsOf(admin, family);
    const counts = { reporting_entities: 1, holdings: 0, limits: 1, breaches: 0, findings: 1 };
    expect(last).toMatchObject({ state: 'finished', counts, ledger_version: null });
    expect(await statesOf(last)).toEqual([{ state: 'not_evaluable', reason: 'fx-rate-missing' }]);
  });

  test('a price of what all share is for those alone that hold it', async () => {
    const bystander = await makeRoundFamily(admin, 'Bussard');
    const stock = await makeStock(admin, 'Novartis AG');
    const buy = { type: 'buy', account_id: family.account, date: '2026-11-10', instrument_id: stock };
    expect((await book(admin, 'v1', { ...buy, quantity: '10', price: '5' })).status).toBe(201);
    await makeRounds(admin.address);
    const before = await roundsOf(admin, bystander);
    await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-11-11', value: '6' });
    service.clock.advance(2 * secondMs);
    await sweep(roundsOn(service.house));
    expect((await roundsOf(admin, family))[0].causes).toEqual(['series']);
    expect(await roundsOf(admin, bystander)).toEqual(before);
  });

  test('nothing of a limit that has gone meanwhile', async () => {
    const held = heldEvaluation(service);
    const rounds = roundsOn(service.house, { evaluate: held.evaluate });
    await pay(admin, family, '501');
    service.clock.advance(2 * secondMs);
    await rounds.sweep();
    await held.begun;
    expect((await admin.delete(`/v1/limits/${family.limit}`)).status).toBe(204);
    held.letGo();
    await rounds.settle();
    expect(rounds.failures).toEqual([]);
    expect((await roundsOf(admin, family))[0]).toMatchObject({ state: 'finished', counts: { breaches: 1 } });
    expect(await breachesOf(admin, family)).toEqual([]);
  });

  test('nothing of a client that has gone meanwhile', async () => {
    const client = await admin.makeClient('Gone');
    await makeRounds(admin.address);
    await admin.patch(`/v1/clients/${client}`, { reference_currency: 'USD' });
    service.clock.advance(2 * secondMs);
    const begun = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const rounds = roundsOn(service.house, {
      async evaluate(question, tell) {
        begun.resolve();
        await gone.promise;
        return evaluateRound(service.house, question, tell);
      },
    });
    await rounds.sweep();
    await begun.promise;
    expect((await admin.delete(`/v1/clients/${client}`)).status).toBe(204);
    gone.resolve();
    await rounds.settle();
    expect(rounds.failures).toEqual([]);
    expect(await roundsOf(admin, { client })).toEqual([]);
  });
});

describe('several nodes', () => {
  /** The rounds whose end was told, the last first. */
  async function endsOf({ client }: { readonly client: string }): Promise<string[]> {
    const { body } = await admin.get(`/v1/events?type=calculated_data.created&client_id=${client}&limit=100`);
    return body.data.map((one: any) => one.data.object.calculation_round_id);
  }

  test('a round whose node has died is repeated by another, and its end comes once', async () => {
    const before = await endsOf(family);
    const held = heldEvaluation(service);
    const dying = roundsOn(service.house, { evaluate: held.evaluate });
    await pay(admin, family, '501');
    service.clock.advance(2 * secondMs);
    await dying.sweep();
    await held.begun;
    // Found broken here, mended before it is written.
    await pay(admin, family, '-501');
    service.clock.advance(30 * secondMs - 1);
    const living = roundsOn(other.house);
    await sweep(living);
    expect(await endsOf(family)).toEqual(before);
    service.clock.advance(1);
    await sweep(living);
    const [last, ...earlier] = await roundsOf(admin, family);
    expect(earlier).toHaveLength(1);
    expect([summary(last), last.counts.breaches]).toEqual([['finished', ['transaction'], 2], 0]);
    expect(await endsOf(family)).toEqual([last.id, ...before]);
    held.letGo();
    await dying.settle();
    expect(dying.failures).toEqual([]);
    expect(await endsOf(family)).toEqual([last.id, ...before]);
    expect(await roundsOf(admin, family)).toEqual([last, ...earlier]);
    expect(await breachesOf(admin, family)).toEqual([]);
  });

  test('one that was overtaken ends nothing while the other still computes', async () => {
    const before = await endsOf(family);
    const [slow, quick] = [heldEvaluation(service), heldEvaluation(other)];
    const nodes = [
      roundsOn(service.house, { evaluate: slow.evaluate }),
      roundsOn(other.house, { evaluate: quick.evaluate }),
    ] as const;
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    await nodes[0].sweep();
    await slow.begun;
    service.clock.advance(30 * secondMs);
    await nodes[1].sweep();
    await quick.begun;
    slow.letGo();
    await nodes[0].settle();
    const [running] = await roundsOf(admin, family);
    expect([await endsOf(family), running.state]).toEqual([before, 'running']);
    quick.letGo();
    await nodes[1].settle();
    expect(await endsOf(family)).toEqual([running.id, ...before]);
    expect(nodes.flatMap(({ failures }) => failures)).toEqual([]);
  });

  test('one that is slow and has been heard of lately keeps its round, and shows how far it has come', async () => {
    const workspaceId = (await admin.get('/v1/me')).body.workspace_id as Id;
    const waiting = { tenant: { workspaceId, environment: 'production' as const }, client: family.client as Id };
    await pay(admin, family, '1');
    const held = (await takeRound(service.house, waiting, 0))!;
    await pay(admin, family, '2');
    expect(await takeRound(other.house, waiting, 0)).toBeUndefined();
    service.clock.advance(20 * secondMs);
    expect(await keepRound(service.house, held, { done: 1, total: 3 })).toBe(true);
    service.clock.advance(29 * secondMs);
    await sweep(roundsOn(other.house));
    expect((await roundsOf(admin, family))[0]).toMatchObject({
      state: 'running',
      attempts: 1,
      progress: { done: 1, total: 3 },
      counts: null,
      finished_at: null,
      duration_ms: null,
    });
    service.clock.advance(secondMs);
    await sweep(roundsOn(other.house));
    expect(await keepRound(service.house, held, { done: 2, total: 3 })).toBe(false);
    expect(summary((await roundsOf(admin, family))[0])).toEqual(['finished', ['transaction'], 2]);
  });

  test('two that begin together make each round once, and never two of a client at the same time', async () => {
    const families = [family];
    for (let index = 0; index < 9; index++) families.push(await makeRoundFamily(admin, `Family ${index}`));
    const running = new Map<string, number>();
    const before = await Promise.all(families.map(endsOf));
    let most = 0;
    const nodeOn = ({ house }: TestService) =>
      roundsOn(house, {
        sideBySide: 4,
        async evaluate(question, tell) {
          const { client } = question;
          running.set(client, (running.get(client) ?? 0) + 1);
          most = Math.max(most, ...running.values());
          const outcome = await evaluateRound(house, question, tell);
          running.set(client, running.get(client)! - 1);
          return outcome;
        },
      });
    const nodes = [nodeOn(service), nodeOn(other), nodeOn(service)];
    await Promise.all(families.map((one) => pay(admin, one, '1')));
    service.clock.advance(2 * secondMs);
    await Promise.all(nodes.map(sweep));
    expect(nodes.flatMap(({ failures }) => failures)).toEqual([]);
    const ends = await Promise.all(families.map(endsOf));
    expect(ends.map((some, index) => some.length - before[index]!.length)).toEqual(families.map(() => 1));
    expect(most).toBe(1);
  });

  test('one that is told to stop hands its round back, and another goes on with it at once', async () => {
    const held = heldEvaluation(service);
    const stopping = roundsOn(service.house, { evaluate: held.evaluate });
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    await stopping.sweep();
    await held.begun;
    await stopping.stop();
    await sweep(roundsOn(other.house));
    const [last] = await roundsOf(admin, family);
    expect(summary(last)).toEqual(['finished', ['transaction'], 2]);
    held.letGo();
    await sweep(stopping);
    expect((await roundsOf(admin, family))[0]).toEqual(last);
  });
});

describe('a day that begins', () => {
  /** Whoever has had a round because of the day, in the order of their rounds. */
  function listDaily(database: TestDatabase): Promise<object[]> {
    const text = `SELECT client_id AS client, causes, attempts FROM calculation_round WHERE 'day' = ANY (causes) ORDER BY id`;
    return runSql(database, text);
  }

  test('marks every client once, in the zone of the service, whichever nodes see it first', async () => {
    const zurich = await serviceForThisTest({ settings: { TIME_ZONE: 'Europe/Zurich' } });
    const { house, clock, database, admin: caller } = zurich;
    await sweep(roundsOn(house));
    const clients = [await caller.makeClient('One'), await caller.makeClient('Two')];
    clock.advance(Date.parse('2026-11-15T22:59:59.999Z') - clock.now());
    await sweep(roundsOn(house));
    clock.advance(2 * secondMs);
    expect(await listDaily(database)).toEqual([]);
    const nodes = [roundsOn(house), roundsOn(house)];
    await Promise.all(nodes.map(sweep));
    clock.advance(2 * secondMs);
    await Promise.all(nodes.map((rounds) => rounds.lookWhereHinted()));
    await Promise.all(nodes.map((rounds) => rounds.settle()));
    clock.advance(2 * secondMs);
    await Promise.all(nodes.map(sweep));
    const daily = clients.toSorted().map((client) => ({ client, causes: ['day'], attempts: 1 }));
    expect(await listDaily(database)).toHaveLength(2);
    expect(await listDaily(database)).toEqual(expect.arrayContaining(daily));
  });
});

describe('a round that fails', () => {
  test('is tried again later each time, takes in what has changed meanwhile, and keeps no other waiting', async () => {
    const neighbour = await makeRoundFamily(admin, 'Bussard');
    await makeRounds(admin.address);
    let isBroken = true;
    const rounds = roundsOn(service.house, {
      async evaluate(question, tell) {
        if (isBroken && question.client === family.client) throw new Error('A defect');
        return evaluateRound(service.house, question, tell);
      },
    });
    await pay(admin, family, '1');
    await pay(admin, neighbour, '1');
    service.clock.advance(2 * secondMs);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt++) {
      await sweep(rounds);
      const [failed] = await roundsOf(admin, family);
      expect(failed).toMatchObject({ state: 'failed', error: 'internal', attempts: attempt, counts: null });
      const wait = Date.parse(failed.retry_at) - service.clock.now();
      waits.push(wait / secondMs);
      service.clock.advance(wait - 1);
      await sweep(rounds);
      service.clock.advance(1);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
    const [{ id }] = (await roundsOf(admin, family)) as [{ id: string }];
    const told = (rounds.failures as Error[]).map(({ message, cause }) => [message, (cause as Error).message]);
    const sentence = (attempt: number) => `Attempt ${attempt} at round ${id} of client ${family.client} failed.`;
    expect(told).toEqual(waits.map((_wait, index) => [sentence(index + 1), 'A defect']));
    expect((await roundsOf(admin, neighbour)).map(({ state }) => state)).toEqual(['finished', 'finished']);
    isBroken = false;
    await admin.patch(`/v1/clients/${family.client}`, { reference_currency: 'EUR' });
    await sweep(rounds);
    const [last, ...earlier] = await roundsOf(admin, family);
    expect([summary(last), earlier.length]).toEqual([['finished', ['transaction', 'setting'], 10], 1]);
    expect(last).toMatchObject({ error: null, retry_at: null });
    service.clock.advance(10 * minuteMs);
    await sweep(rounds);
    expect(await roundsOf(admin, family)).toHaveLength(2);
  });
});
