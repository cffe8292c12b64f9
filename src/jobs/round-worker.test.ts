// Tests rounds on a real database, with a manual clock and several nodes: changes are batched, a client has one round at a time, a round
// is repeated after a crash, and a node that has lost its lease writes nothing.

import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Caller } from '../../tests/setup/http/caller.ts';
import { book, makeStock } from '../../tests/setup/ledger/ledger-household.ts';
import {
  listBreaches,
  makeRoundHousehold,
  pay,
  listRounds,
  type RoundHousehold,
} from '../../tests/setup/limits/round-household.ts';
import { runRounds, createRounds } from '../../tests/setup/limits/rounds.ts';
import type { TestDatabase } from '../../tests/setup/database/test-database.ts';
import {
  serviceForThisFile,
  serviceForThisTest,
  startTestService,
  type TestService,
} from '../../tests/setup/node/test-service.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import { makeRecord } from '../../tests/setup/structure/structure-document.ts';
import { evaluateRound } from '../actions/rounds/round-evaluation.ts';
import { renewRound, takeRounds } from '../actions/rounds/round.ts';
import { minuteMs, secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import type { QueueWorker } from './leased-worker.ts';
import type { EvaluateRound } from './round-worker.ts';

/** One base URL for both nodes, so that tokens of one are valid on the other. */
const settings = { BASE_URL: 'http://holdfast.test' };
const service = serviceForThisFile({ settings });
let admin: Caller;
let family: RoundHousehold;
/** A second node on the same database and clock. */
let other: TestService;

beforeAll(async () => {
  other = await startTestService({ database: service.database, clock: service.clock, settings });
});

afterAll(() => other.stop());

/** Ensures that no client is flagged and the family has had a round. */
beforeEach(async () => {
  admin = await service.openWorkspace();
  family = await makeRoundHousehold(admin);
  await runRounds(admin.address);
});

async function sweep(rounds: QueueWorker): Promise<void> {
  await rounds.sweep();
  await rounds.drain();
}

/** Evaluates, signals that it has, and returns when it is released. */
function blockedEvaluation(node: TestService): { evaluate: EvaluateRound; started: Promise<void>; release(): void } {
  const [started, blocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  return {
    started: started.promise,
    release: () => blocked.resolve(),
    async evaluate(question, onProgress) {
      const outcome = await evaluateRound(node.context, question, onProgress);
      started.resolve();
      await blocked.promise;
      return outcome;
    },
  };
}

/** Lists the states of limits that began with a round. */
function statesOf({ id }: { id: string }): Promise<object[]> {
  return runSql(service.database, 'SELECT state, reason FROM limit_state WHERE round_id = $1', [id]);
}

const summary = ({ state, causes, attempts }: any): unknown => [state, causes, attempts];

describe('batching of changes', () => {
  test('says how long a round was evaluated, and how it ended', async () => {
    const ends: [string, number][] = [];
    const rounds = createRounds(service.context, { onEnd: (end, durationMs) => void ends.push([end, durationMs]) });
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    const begunAt = performance.now();
    await sweep(rounds);
    const [[end, durationMs] = []] = ends;
    expect([ends.length, end]).toEqual([1, 'finished']);
    expect(durationMs).toBeGreaterThan(0);
    expect(durationMs).toBeLessThanOrEqual(performance.now() - begunAt);
  });

  test('a burst of changes leads to one round, about two seconds after the first change', async () => {
    const rounds = createRounds(service.context);
    const since = service.clock.now();
    await pay(admin, family, '1');
    service.clock.advance(secondMs);
    await pay(admin, family, '2');
    await admin.patch(`/v1/clients/${family.client}`, { reference_currency: 'EUR' });
    service.clock.advance(secondMs - 1);
    await sweep(rounds);
    expect(await listRounds(admin, family)).toHaveLength(1);
    service.clock.advance(1);
    await sweep(rounds);
    await sweep(rounds);
    const [last, ...earlier] = await listRounds(admin, family);
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

  test('changes during a round lead to one more round, and rounds never overlap', async () => {
    const blocked = blockedEvaluation(service);
    const rounds = createRounds(service.context, { evaluate: blocked.evaluate });
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    await rounds.sweep();
    await blocked.started;
    await pay(admin, family, '2');
    await pay(admin, family, '3');
    service.clock.advance(2 * secondMs);
    await sweep(createRounds(service.context));
    expect((await listRounds(admin, family)).map(({ state }) => state)).toEqual(['running', 'finished']);
    blocked.release();
    await rounds.drain();
    await sweep(rounds);
    const states = (await listRounds(admin, family)).map(({ state }) => state);
    expect(states).toEqual(['finished', 'finished', 'finished']);
    expect(rounds.failures).toEqual([]);
  });

  test('a node soon checks the tenants it has written to, and leaves the others to the sweep', async () => {
    const [here, there] = [createRounds(service.context), createRounds(other.context)];
    await here.processWakeUps();
    const late = await makeRoundHousehold(admin, 'Bussard');
    service.clock.advance(secondMs);
    await pay(admin, family, '1');
    service.clock.advance(secondMs);
    await there.processWakeUps();
    await there.drain();
    expect(await listRounds(admin, late)).toHaveLength(0);
    await here.processWakeUps();
    await here.drain();
    expect([await listRounds(admin, late), await listRounds(admin, family)].map(({ length }) => length)).toEqual([
      1, 1,
    ]);
    service.clock.advance(2 * secondMs);
    await here.processWakeUps();
    await here.drain();
    expect(await listRounds(admin, family)).toHaveLength(2);
  });
});

test('a node that finds a client that is not due yet checks again later', async () => {
  const rounds = createRounds(service.context);
  const processAndCount = async (): Promise<number> => {
    await rounds.processWakeUps();
    await rounds.drain();
    return (await listRounds(admin, family)).length;
  };
  service.clock.advance(2 * secondMs);
  await processAndCount();
  await admin.patch(`/v1/clients/${family.client}`, { name: 'Amsel-Meier' });
  service.clock.advance(secondMs);
  await pay(admin.atAddress(other.admin.address), family, '1');
  service.clock.advance(secondMs);
  expect(await processAndCount()).toBe(1);
  service.clock.advance(2 * secondMs);
  expect(await processAndCount()).toBe(2);
});

describe('results of rounds', () => {
  test('a limit is breached and later restored, each in its own round', async () => {
    const rounds = createRounds(service.context);
    await pay(admin, family, '501');
    service.clock.advance(2 * secondMs);
    await sweep(rounds);
    const [breaking] = await listRounds(admin, family);
    expect(breaking.counts).toMatchObject({ limits: 1, breaches: 1 });
    const since = new Date(service.clock.now()).toISOString();
    const breach = { round_id: breaking.id, state: 'open', current_value: '1501', bound: 'max', since, until: null };
    expect(await listBreaches(admin, family)).toEqual([expect.objectContaining(breach)]);
    await pay(admin, family, '-2');
    service.clock.advance(2 * secondMs);
    await sweep(rounds);
    const until = new Date(service.clock.now()).toISOString();
    expect(await listBreaches(admin, family)).toEqual([expect.objectContaining({ ...breach, state: 'closed', until })]);
    expect((await listRounds(admin, family))[0].counts).toMatchObject({ limits: 1, breaches: 0 });
  });

  test('a missing rate: the round is still finished, and the limit cannot be evaluated', async () => {
    const yen = await makeRecord(admin, 'accounts', { entity_id: family.legalEntity, currency: 'JPY' });
    await makeRecord(admin, 'portfolios', { reporting_entity_id: family.reportingEntity, account_ids: [yen] });
    await pay(admin, { account: yen }, '1');
    await runRounds(admin.address);
    const [last] = await listRounds(admin, family);
    expect(last).toMatchObject({ state: 'finished', counts: { holdings: 2, limits: 1, breaches: 0, findings: 1 } });
    expect(await statesOf(last)).toEqual([{ state: 'not_evaluable', reason: 'fx-rate-missing' }]);
  });

  test('a missing rate of deposited units: they are a finding, and the state of a limit on cash stays as it was', async () => {
    const stock = await makeStock(admin, 'Toyota', 'JPY');
    const acquired = [{ date: '2020-01-02', quantity: '1', cost: '100' }];
    const inKind = { type: 'deposit', account_id: family.account, date: '2026-11-10', instrument_id: stock };
    expect((await book(admin, 'v1', { ...inKind, quantity: '1', acquired })).status).toBe(201);
    await runRounds(admin.address);
    const [last] = await listRounds(admin, family);
    const counts = { reporting_entities: 1, holdings: 2, limits: 1, breaches: 0, findings: 1 };
    expect(last).toMatchObject({ state: 'finished', counts });
    expect(await statesOf(last)).toEqual([]);
  });

  test('a price of a shared instrument leads only to rounds of its holders', async () => {
    const bystander = await makeRoundHousehold(admin, 'Bussard');
    const stock = await makeStock(admin, 'Novartis AG');
    const buy = { type: 'buy', account_id: family.account, date: '2026-11-10', instrument_id: stock };
    expect((await book(admin, 'v1', { ...buy, quantity: '10', price: '5' })).status).toBe(201);
    await runRounds(admin.address);
    const before = await listRounds(admin, bystander);
    await admin.post(`/v1/instruments/${stock}/prices`, { date: '2026-11-11', value: '6' });
    service.clock.advance(2 * secondMs);
    await sweep(createRounds(service.context));
    expect((await listRounds(admin, family))[0].causes).toEqual(['series']);
    expect(await listRounds(admin, bystander)).toEqual(before);
  });

  test('a limit that was deleted meanwhile has no result', async () => {
    const blocked = blockedEvaluation(service);
    const rounds = createRounds(service.context, { evaluate: blocked.evaluate });
    await pay(admin, family, '501');
    service.clock.advance(2 * secondMs);
    await rounds.sweep();
    await blocked.started;
    expect((await admin.delete(`/v1/limits/${family.limit}`)).status).toBe(204);
    blocked.release();
    await rounds.drain();
    expect(rounds.failures).toEqual([]);
    expect((await listRounds(admin, family))[0]).toMatchObject({ state: 'finished', counts: { breaches: 1 } });
    expect((await admin.get(`/v1/limit-breaches?limit_id=${family.limit}`)).status).toBe(404);
  });

  test('a client that was deleted meanwhile has no result', async () => {
    const client = await admin.makeClient('Gone');
    await runRounds(admin.address);
    await admin.patch(`/v1/clients/${client}`, { reference_currency: 'USD' });
    service.clock.advance(2 * secondMs);
    const started = Promise.withResolvers<void>();
    const gone = Promise.withResolvers<void>();
    const rounds = createRounds(service.context, {
      async evaluate(question, onProgress) {
        started.resolve();
        await gone.promise;
        return evaluateRound(service.context, question, onProgress);
      },
    });
    await rounds.sweep();
    await started.promise;
    expect((await admin.delete(`/v1/clients/${client}`)).status).toBe(204);
    gone.resolve();
    await rounds.drain();
    expect(rounds.failures).toEqual([]);
    expect((await admin.get(`/v1/calculation-rounds?client_id=${client}`)).status).toBe(404);
  });
});

describe('several nodes', () => {
  /** Lists the rounds whose end was emitted as an event, latest first. */
  async function endsOf({ client }: { readonly client: string }): Promise<string[]> {
    const { body } = await admin.get(`/v1/events?type=calculated_data.created&client_id=${client}&limit=100`);
    return body.data.map((one: any) => one.data.object.calculation_round_id);
  }

  test('a round of a dead node is repeated by another node, and its end is emitted once', async () => {
    const before = await endsOf(family);
    const blocked = blockedEvaluation(service);
    const dying = createRounds(service.context, { evaluate: blocked.evaluate });
    await pay(admin, family, '501');
    service.clock.advance(2 * secondMs);
    await dying.sweep();
    await blocked.started;
    // The dying node finds a breach here, which is fixed before it is written.
    await pay(admin, family, '-501');
    service.clock.advance(30 * secondMs - 1);
    const living = createRounds(other.context);
    await sweep(living);
    expect(await endsOf(family)).toEqual(before);
    service.clock.advance(1);
    await sweep(living);
    const [last, ...earlier] = await listRounds(admin, family);
    expect(earlier).toHaveLength(1);
    expect([summary(last), last.counts.breaches]).toEqual([['finished', ['transaction'], 2], 0]);
    expect(await endsOf(family)).toEqual([last.id, ...before]);
    blocked.release();
    await dying.drain();
    expect(dying.failures).toEqual([]);
    expect(await endsOf(family)).toEqual([last.id, ...before]);
    expect(await listRounds(admin, family)).toEqual([last, ...earlier]);
    expect(await listBreaches(admin, family)).toEqual([]);
  });

  test('a node that lost its lease finishes nothing while the other node still evaluates', async () => {
    const before = await endsOf(family);
    const [slow, quick] = [blockedEvaluation(service), blockedEvaluation(other)];
    const nodes = [
      createRounds(service.context, { evaluate: slow.evaluate }),
      createRounds(other.context, { evaluate: quick.evaluate }),
    ] as const;
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    await nodes[0].sweep();
    await slow.started;
    service.clock.advance(30 * secondMs);
    await nodes[1].sweep();
    await quick.started;
    slow.release();
    await nodes[0].drain();
    const [running] = await listRounds(admin, family);
    expect([await endsOf(family), running.state]).toEqual([before, 'running']);
    quick.release();
    await nodes[1].drain();
    expect(await endsOf(family)).toEqual([running.id, ...before]);
    expect(nodes.flatMap(({ failures }) => failures)).toEqual([]);
  });

  test('a slow node that renews its lease keeps its round, and reports its progress', async () => {
    const workspaceId = (await admin.get('/v1/me')).body.workspace_id as Id;
    const waiting = { tenant: { workspaceId, environment: 'production' as const }, client: family.client as Id };
    await pay(admin, family, '1');
    const blocked = (await takeRounds(service.context, [waiting], 0))[0]!;
    await pay(admin, family, '2');
    expect(await takeRounds(other.context, [waiting], 0)).toEqual([undefined]);
    service.clock.advance(20 * secondMs);
    expect(await renewRound(service.context, blocked, { done: 1, total: 3 })).toBe(true);
    service.clock.advance(29 * secondMs);
    await sweep(createRounds(other.context));
    expect((await listRounds(admin, family))[0]).toMatchObject({
      state: 'running',
      attempts: 1,
      progress: { done: 1, total: 3 },
      counts: null,
      finished_at: null,
      duration_ms: null,
    });
    service.clock.advance(secondMs);
    await sweep(createRounds(other.context));
    expect(await renewRound(service.context, blocked, { done: 2, total: 3 })).toBe(false);
    expect(summary((await listRounds(admin, family))[0])).toEqual(['finished', ['transaction'], 2]);
  });

  test('nodes that start together run each round once, and never two rounds of a client at the same time', async () => {
    const families = [family];
    for (let index = 0; index < 9; index++) families.push(await makeRoundHousehold(admin, `Family ${index}`));
    const running = new Map<string, number>();
    const before = await Promise.all(families.map(endsOf));
    let most = 0;
    const nodeOn = ({ context }: TestService) =>
      createRounds(context, {
        concurrency: 4,
        async evaluate(question, onProgress) {
          const { client } = question;
          running.set(client, (running.get(client) ?? 0) + 1);
          most = Math.max(most, ...running.values());
          const outcome = await evaluateRound(context, question, onProgress);
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

  test.each([
    [4, 2],
    [3, 2],
    [2, 1],
    [1, 1],
  ])('of %d places of a node, a tenant has at most %d at a time, and gets them back', async (concurrency, expected) => {
    const families = [family];
    for (let index = 0; index < 5; index++) families.push(await makeRoundHousehold(admin, `Family ${index}`));
    await runRounds(admin.address);
    let [running, most] = [0, 0];
    const rounds = createRounds(service.context, {
      concurrency,
      async evaluate(question, onProgress) {
        most = Math.max(most, ++running);
        const outcome = await evaluateRound(service.context, question, onProgress);
        running -= 1;
        return outcome;
      },
    });
    await Promise.all(families.map((one) => pay(admin, one, '1')));
    service.clock.advance(2 * secondMs);
    await sweep(rounds);
    const last = await Promise.all(families.map(async (one) => summary((await listRounds(admin, one))[0])));
    expect([most, last]).toEqual([expected, families.map(() => ['finished', ['transaction'], 1])]);
  });

  test('a node says that it goes on before another may take its round, with no progress until there is some', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const rounds = createRounds(service.context, {
      async evaluate(question, onProgress) {
        await released;
        return evaluateRound(service.context, question, onProgress);
      },
    });
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    await rounds.sweep();
    const leaseOf = async (): Promise<unknown> =>
      (
        await runSql<{ lease: Date }>(
          service.database,
          `SELECT lease_until AS lease FROM calculation_round WHERE client_id = $1 AND state = 'running'`,
          [family.client],
        )
      )[0]?.lease.getTime();
    await expect.poll(leaseOf).toBe(service.clock.now() + 30 * secondMs);
    service.clock.advance(29 * secondMs);
    vi.advanceTimersByTime(29 * secondMs);
    await expect.poll(leaseOf).toBe(service.clock.now() + 30 * secondMs);
    expect((await listRounds(admin, family))[0].progress).toEqual({ done: 0, total: 0 });
    release();
    await rounds.drain();
    expect(rounds.failures).toEqual([]);
  });

  test('a stopped node releases its round, and another node takes it over at once', async () => {
    const blocked = blockedEvaluation(service);
    const ends: string[] = [];
    const onEnd = (end: string): void => void ends.push(end);
    const stopping = createRounds(service.context, { evaluate: blocked.evaluate, onEnd });
    await pay(admin, family, '1');
    service.clock.advance(2 * secondMs);
    await stopping.sweep();
    await blocked.started;
    await stopping.stop();
    expect(ends).toEqual(['handed-back']);
    await sweep(createRounds(other.context));
    const [last] = await listRounds(admin, family);
    expect(summary(last)).toEqual(['finished', ['transaction'], 2]);
    blocked.release();
    await sweep(stopping);
    expect((await listRounds(admin, family))[0]).toEqual(last);
  });
});

describe('a new day', () => {
  /** Lists the clients that had a round because of the new day, in the order of their rounds. */
  function listDaily(database: TestDatabase): Promise<object[]> {
    const text = `SELECT client_id AS client, causes, attempts FROM calculation_round WHERE 'day' = ANY (causes) ORDER BY id`;
    return runSql(database, text);
  }

  test("flags every client once, in the service's time zone, on whichever node notices it first", async () => {
    const zurich = await serviceForThisTest({ settings: { TIME_ZONE: 'Europe/Zurich' } });
    const { context, clock, database, admin: caller } = zurich;
    await sweep(createRounds(context));
    const clients = [await caller.makeClient('One'), await caller.makeClient('Two')];
    clock.advance(Date.parse('2026-11-15T22:59:59.999Z') - clock.now());
    await sweep(createRounds(context));
    clock.advance(2 * secondMs);
    expect(await listDaily(database)).toEqual([]);
    const nodes = [createRounds(context), createRounds(context)];
    await Promise.all(nodes.map(sweep));
    clock.advance(2 * secondMs);
    await Promise.all(nodes.map((rounds) => rounds.processWakeUps()));
    await Promise.all(nodes.map((rounds) => rounds.drain()));
    clock.advance(2 * secondMs);
    await Promise.all(nodes.map(sweep));
    const daily = clients.toSorted().map((client) => ({ client, causes: ['day'], attempts: 1 }));
    expect(await listDaily(database)).toHaveLength(2);
    expect(await listDaily(database)).toEqual(expect.arrayContaining(daily));
  });
});

describe('a round that fails', () => {
  test('is retried after growing delays, includes changes made meanwhile, and delays no other round', async () => {
    const neighbour = await makeRoundHousehold(admin, 'Bussard');
    await runRounds(admin.address);
    let isBroken = true;
    const ends: string[] = [];
    const rounds = createRounds(service.context, {
      onEnd: (end) => void ends.push(end),
      async evaluate(question, onProgress) {
        if (isBroken && question.client === family.client) throw new Error('A defect');
        return evaluateRound(service.context, question, onProgress);
      },
    });
    await pay(admin, family, '1');
    await pay(admin, neighbour, '1');
    service.clock.advance(2 * secondMs);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 9; attempt++) {
      await sweep(rounds);
      const [failed] = await listRounds(admin, family);
      expect(failed).toMatchObject({ state: 'failed', error: 'internal', attempts: attempt, counts: null });
      const wait = Date.parse(failed.retry_at) - service.clock.now();
      waits.push(wait / secondMs);
      service.clock.advance(wait - 1);
      await sweep(rounds);
      service.clock.advance(1);
    }
    expect(waits).toEqual([5, 10, 20, 40, 80, 160, 320, 600, 600]);
    expect(ends.toSorted()).toEqual([...waits.map(() => 'failed'), 'finished']);
    const [{ id }] = (await listRounds(admin, family)) as [{ id: string }];
    const reported = (rounds.failures as Error[]).map(({ message, cause }) => [message, (cause as Error).message]);
    const sentence = (attempt: number) => `Attempt ${attempt} at round ${id} of client ${family.client} failed.`;
    expect(reported).toEqual(waits.map((_wait, index) => [sentence(index + 1), 'A defect']));
    expect((await listRounds(admin, neighbour)).map(({ state }) => state)).toEqual(['finished', 'finished']);
    isBroken = false;
    await admin.patch(`/v1/clients/${family.client}`, { reference_currency: 'EUR' });
    await sweep(rounds);
    const [last, ...earlier] = await listRounds(admin, family);
    expect([summary(last), earlier.length]).toEqual([['finished', ['transaction', 'setting'], 10], 1]);
    expect(last).toMatchObject({ error: null, retry_at: null });
    service.clock.advance(10 * minuteMs);
    await sweep(rounds);
    expect(await listRounds(admin, family)).toHaveLength(2);
  });
});
