// What the metrics say of what they were handed: how often, for how many seconds, and in which state.

import { expect, test } from 'vitest';
import { ManualClock } from '../../../tests/setup/kit/manual-clock.ts';
import { Scrape } from '../../../tests/setup/monitoring/scrape.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { secondMs } from '../../kit/clock.ts';
import { Keyring } from '../../signing/keyring.ts';
import { makeNodeFigures } from '../../model/operations/node-figures.ts';
import { KeyedSums } from '../../kit/memory/keyed-sums.ts';
import type { Id } from '../../kit/id.ts';
import type { QueueLevel } from '../../store/queues/queue-levels.ts';
import type { LargestEnvironments, QuotaLevel } from '../../store/queues/workspace-levels.ts';
import type { AnsweredRequest } from '../../surfaces/http/pipeline/observer.ts';
import type { ThreadPool } from '../../surfaces/http/threads/thread-pool.ts';
import type { ReadinessReport } from '../../actions/core/readiness.ts';
import { normalMode } from '../../model/operations/service-mode.ts';
import { Metrics } from './metrics.ts';

const clock = new ManualClock('2026-11-15T12:00:00Z');

interface KnownWorkspaces {
  readonly held?: readonly (readonly [workspace: string, ms: number])[];
  readonly largest?: LargestEnvironments['largest'];
  readonly all?: LargestEnvironments['all'];
  readonly nearest?: readonly QuotaLevel[];
}

interface Known {
  readonly workspaces?: KnownWorkspaces;
  readonly levels?: readonly QueueLevel[];
  readonly commit?: string;
  readonly sharedMs?: number;
}

/** Metrics of a node whose database knows these queues. */
function makeMetrics({ levels = [], commit, sharedMs = 0, workspaces = {} }: Known = {}): Metrics {
  const { held = [], largest = [], all = { rows: 0, bytes: 0 }, nearest = [] } = workspaces;
  const preAuth = {
    listQueueLevels: async () => levels,
    listLargest: async () => ({ largest, all }),
    listNearestQuotas: async () => nearest,
  };
  const stores = { replica: undefined, preAuth };
  const databaseUse = new KeyedSums({ keysMax: 10, restKey: 'other' });
  for (const [workspace, ms] of held) databaseUse.add(workspace, ms);
  const keyring = Keyring.fromText(Keyring.generate());
  const context = {
    clock,
    keyring,
    stores,
    databaseUse,
    logShipping: { logs: [], destinations: [] },
    figures: makeNodeFigures(),
  } as unknown as AppContext;
  const release = { version: '1.2.3', commit, node: 'v26.0.0', migrationLevel: 7, migrationName: '0007-lots.sql' };
  return new Metrics({ context, release, config: { workspaceMetrics: 2 }, sharedMs });
}

const scrape = async (metrics: Metrics): Promise<Scrape> => new Scrape(await metrics.text());

/** The series of a metric with their values, of those whose labels have this. */
async function seriesOf(metrics: Metrics, name: string, label = ''): Promise<Record<string, number>> {
  const { values } = await scrape(metrics);
  const own = [...values].filter(([series]) => series.split('{')[0] === name && series.includes(label));
  return Object.fromEntries(own.map(([series, value]) => [series.slice(name.length), value]));
}

/** How many were at most as long, for the bounds that are whole seconds. */
async function bucketsOf(metrics: Metrics, name: string): Promise<Record<string, number>> {
  const buckets = await seriesOf(metrics, `${name}_bucket`);
  const byBound = Object.entries(buckets).map(([labels, count]) => [/le="([^"]+)"/.exec(labels)![1]!, count] as const);
  return Object.fromEntries(byBound.filter(([bound]) => /^\d+$/.test(bound)));
}

const request = { operationId: 'v1.client.read', route: '/v1/clients/{id}', method: 'GET', status: 200, durationMs: 1 };
const answered = (changes: Partial<AnsweredRequest>): AnsweredRequest =>
  ({ ...request, ...changes }) as AnsweredRequest;

test('requests are counted by operation, method and status, and their seconds by class of status', async () => {
  const metrics = makeMetrics();
  for (const status of [200, 204, 399, 404, 500]) metrics.requests.count(answered({ status, durationMs: 1_500 }));
  metrics.requests.count(answered({ method: 'PROPFIND' }));
  expect(await seriesOf(metrics, 'holdfast_http_requests_total')).toEqual({
    '{operation="v1.client.read",method="GET",status="200"}': 1,
    '{operation="v1.client.read",method="GET",status="204"}': 1,
    '{operation="v1.client.read",method="GET",status="399"}': 1,
    '{operation="v1.client.read",method="GET",status="404"}': 1,
    '{operation="v1.client.read",method="GET",status="500"}': 1,
    '{operation="v1.client.read",method="other",status="200"}': 1,
  });
  const labels = (of: string): string => `{operation="v1.client.read",route="/v1/clients/{id}",status_class="${of}"}`;
  expect(await seriesOf(metrics, 'holdfast_http_request_seconds_sum')).toEqual({
    [labels('2xx')]: 3.001,
    [labels('3xx')]: 1.5,
    [labels('4xx')]: 1.5,
    [labels('5xx')]: 1.5,
  });
});

test('a request that took as long as a bound counts below it', async () => {
  const metrics = makeMetrics();
  for (const durationMs of [1_000, 5_000, 10_000]) metrics.requests.count(answered({ durationMs }));
  expect(await bucketsOf(metrics, 'holdfast_http_request_seconds')).toEqual({ 1: 1, 5: 2, 10: 3 });
});

test('refusals are counted where a caller asks for too much, and are 0 before', async () => {
  const metrics = makeMetrics();
  const refusals = (): Promise<object> => seriesOf(metrics, 'holdfast_budget_refusals_total');
  const [budget, inFlight, mail] = ['budget-exceeded', 'too-many-in-flight', 'mail-limit'].map(
    (reason) => `{reason="${reason}"}`,
  ) as [string, string, string];
  expect(await refusals()).toEqual({ [budget]: 0, [inFlight]: 0, [mail]: 0 });
  for (const code of ['budget-exceeded', 'not-found', undefined]) metrics.requests.count(answered({ code }));
  expect(await refusals()).toEqual({ [budget]: 1, [inFlight]: 0, [mail]: 0 });
});

test('defects and lines of the request log that were dropped are counted', async () => {
  const metrics = makeMetrics();
  metrics.requests.countDefect();
  metrics.requests.countUnlogged(3);
  const { values } = await scrape(metrics);
  expect(values.get('holdfast_defects_total')).toBe(1);
  expect(values.get('holdfast_request_log_dropped_total')).toBe(3);
});

test('background work is counted by its end, each of which is 0 before', async () => {
  const metrics = makeMetrics();
  metrics.jobs.countDelivery('retried', 1_500);
  metrics.jobs.countRound('finished', 2_500);
  metrics.jobs.countMail('put-off');
  metrics.jobs.countFeedRun('finished');
  metrics.jobs.countDeadLetters(4);
  metrics.jobs.countFailure('all mails');
  expect(await seriesOf(metrics, 'holdfast_delivery_attempts_total')).toEqual({
    '{outcome="delivered"}': 0,
    '{outcome="retried"}': 1,
    '{outcome="dead"}': 0,
  });
  expect(await seriesOf(metrics, 'holdfast_rounds_total')).toEqual({
    '{outcome="finished"}': 1,
    '{outcome="failed"}': 0,
    '{outcome="handed-back"}': 0,
  });
  expect(await seriesOf(metrics, 'holdfast_mails_total')).toEqual({
    '{outcome="sent"}': 0,
    '{outcome="failed"}': 0,
    '{outcome="put-off"}': 1,
  });
  expect(await seriesOf(metrics, 'holdfast_feed_runs_total', 'finished')).toEqual({ '{outcome="finished"}': 1 });
  const { values } = await scrape(metrics);
  expect(values.get('holdfast_delivery_attempt_seconds_sum')).toBe(1.5);
  expect(values.get('holdfast_round_seconds_sum')).toBe(2.5);
  expect(values.get('holdfast_dead_letters_total')).toBe(4);
  expect(values.get('holdfast_job_failures_total{work="all mails"}')).toBe(1);
});

test('a delivery or a round that took as long as a bound counts below it', async () => {
  const metrics = makeMetrics();
  const bounds = [1, 5, 10, 30, 60, 300];
  for (const seconds of bounds) {
    metrics.jobs.countDelivery('delivered', seconds * secondMs);
    metrics.jobs.countRound('finished', seconds * secondMs);
  }
  const counts = Object.fromEntries(bounds.map((bound, index) => [bound, index + 1]));
  expect(await bucketsOf(metrics, 'holdfast_delivery_attempt_seconds')).toEqual(counts);
  expect(await bucketsOf(metrics, 'holdfast_round_seconds')).toEqual(counts);
});

test('what threads count is added up, and what they hold is told by what they are for', async () => {
  const metrics = makeMetrics();
  for (const [index, purpose] of (['reports', 'reports', 'rounds'] as const).entries()) {
    const figures = makeNodeFigures();
    metrics.node.addThread(purpose, figures);
    figures.set('connections', index + 1);
    figures.add('ledger-hits', 10);
    figures.add('replica/behind', index);
  }
  for (let times = 0; times < 2; times++) {
    expect(await seriesOf(metrics, 'holdfast_database_connections')).toEqual({
      '{thread="main"}': 0,
      '{thread="reports"}': 3,
      '{thread="rounds"}': 3,
    });
    expect(await seriesOf(metrics, 'holdfast_ledger_cache_hits_total')).toEqual({ '': 30 });
    expect(await seriesOf(metrics, 'holdfast_replica_reads_total', 'behind')).toEqual({ '{outcome="behind"}': 3 });
    expect(await seriesOf(metrics, 'holdfast_replica_reads_total', 'away')).toEqual({ '{outcome="away"}': 0 });
  }
});

test('pools of threads say how many they have, how many work, and what waits', async () => {
  const metrics = makeMetrics();
  const pool = (count: number, busy: number, waiting: number): ThreadPool =>
    ({ count, load: () => ({ busy, waiting }) }) as ThreadPool;
  metrics.node.addPool('reports', pool(4, 3, 2));
  metrics.node.addPool('rounds', pool(1, 0, 0));
  const byPool = (reports: number, rounds: number): object => ({
    '{thread="reports"}': reports,
    '{thread="rounds"}': rounds,
  });
  expect(await seriesOf(metrics, 'holdfast_work_threads')).toEqual(byPool(4, 1));
  expect(await seriesOf(metrics, 'holdfast_work_threads_busy')).toEqual(byPool(3, 0));
  expect(await seriesOf(metrics, 'holdfast_work_thread_tasks_waiting')).toEqual(byPool(2, 0));
});

test('a queue has a length and an age, which is 0 where nothing is overdue or the clock of another node is ahead', async () => {
  const now = clock.now();
  const metrics = makeMetrics({
    levels: [
      { queue: 'outbox', count: 2, oldestAt: now - 1_500 },
      { queue: 'rounds', count: 1, oldestAt: null },
      { queue: 'mails', count: 1, oldestAt: now + secondMs },
      { queue: 'feeds-broken', count: 3, oldestAt: now - secondMs },
    ],
  });
  const byQueue = (outbox: number, rounds: number, mails: number): object => ({
    '{queue="outbox"}': outbox,
    '{queue="rounds"}': rounds,
    '{queue="mails"}': mails,
  });
  expect(await seriesOf(metrics, 'holdfast_queue_items')).toEqual(byQueue(2, 1, 1));
  expect(await seriesOf(metrics, 'holdfast_queue_oldest_seconds')).toEqual(byQueue(1.5, 0, 0));
  const { values } = await scrape(metrics);
  expect(values.get('holdfast_feeds_broken')).toBe(3);
  expect(values.get('holdfast_queues_measured_timestamp_seconds')).toBe(now / secondMs);
});

test('a node says which release it runs, and that it has no replica', async () => {
  const info = (commit: string): object => ({
    [`{release="1.2.3",commit="${commit}",node="v26.0.0",migration="7"}`]: 1,
  });
  expect(await seriesOf(makeMetrics(), 'holdfast_build_info')).toEqual(info('unknown'));
  expect(await seriesOf(makeMetrics({ commit: 'abc' }), 'holdfast_build_info')).toEqual(info('abc'));
  expect(await seriesOf(makeMetrics(), 'holdfast_replica_state')).toEqual({
    '{state="none"}': 1,
    '{state="following"}': 0,
    '{state="away"}': 0,
    '{state="not-standby"}': 0,
  });
});

const ready: ReadinessReport = { status: 'ready', writes: 'ready', notice: normalMode };

test('whether changes can be made, and why not, is told apart from whether the node is ready', async () => {
  const metrics = makeMetrics();
  metrics.watchReadiness(async () => ({ ...ready, writes: 'database-full' }));
  const ofState = await seriesOf(metrics, 'holdfast_writes_state');
  expect(Object.entries(ofState).filter(([, value]) => value === 1)).toEqual([['{state="database-full"}', 1]]);
  expect(await seriesOf(metrics, 'holdfast_writes_possible')).toEqual({ '': 0 });
  expect(await seriesOf(metrics, 'holdfast_ready')).toMatchObject({ '{state="ready"}': 1 });
  clock.advance(5 * secondMs);
  metrics.watchReadiness(async () => ready);
  expect(await seriesOf(metrics, 'holdfast_writes_possible')).toEqual({ '': 1 });
});

test('whether the node is ready is checked every five seconds, whichever way the clock goes', async () => {
  const metrics = makeMetrics();
  expect(await seriesOf(metrics, 'holdfast_ready')).toEqual({});
  let count = 0;
  metrics.watchReadiness(async () => ({ ...ready, status: count++ === 0 ? 'ready' : 'stopping' }));
  const counts: number[] = [];
  for (const step of [0, 4.999, 0.001, 4.999, -9.998, -0.001]) {
    clock.advance(step * secondMs);
    const states = await seriesOf(metrics, 'holdfast_ready');
    const others = { '{state="database-away"}': 0, '{state="maintenance"}': 0 };
    const [isReady, isStopping] = count === 1 ? [1, 0] : [0, 1];
    expect(states).toEqual({
      ...others,
      '{state="ready"}': isReady,
      '{state="stopping"}': isStopping,
      '{state="starting"}': 0,
    });
    counts.push(count);
  }
  expect(counts).toEqual([1, 1, 2, 2, 2, 3]);
});

test('all who ask within five seconds get the same text, which is written once', async () => {
  const metrics = makeMetrics({ sharedMs: 5 * secondMs });
  let count = 0;
  metrics.watchReadiness(async () => (count++, ready));
  const ask = (): ReturnType<Metrics['read']> => metrics.read();
  const first = await Promise.all([ask(), ask(), ask()]);
  expect([new Set(first).size, count]).toEqual([1, 1]);
  metrics.requests.countDefect();
  clock.advance(4.999 * secondMs);
  expect(await ask()).toBe(first[0]);
  clock.advance(0.001 * secondMs);
  expect(new Scrape((await ask()).text).values.get('holdfast_defects_total')).toBe(1);
});

test('the text is compressed once for all who share it', async () => {
  const { compressed } = await makeMetrics({ sharedMs: 5 * secondMs }).read();
  expect(await compressed('gzip')).toBe(await compressed('gzip'));
});

test('the noisiest workspaces count by themselves, and all others together', async () => {
  const metrics = makeMetrics({
    workspaces: {
      held: [
        ['a', 1_500],
        ['c', 250],
        ['other', 50],
      ],
    },
  });
  const by = (workspaceId: string, code?: string): void =>
    metrics.workspaces.count(answered({ workspaceId: workspaceId as Id, code }));
  by('a');
  by('b', 'storage-quota-reached');
  by('c', 'budget-exceeded');
  by('c', 'client-not-found');
  metrics.workspaces.count(answered({}));
  expect(await seriesOf(metrics, 'holdfast_workspace_requests_total')).toEqual({
    '{workspace="a"}': 1,
    '{workspace="b"}': 1,
    '{workspace="other"}': 2,
  });
  expect(await seriesOf(metrics, 'holdfast_workspace_rejected_total')).toEqual({
    '{workspace="a"}': 0,
    '{workspace="b"}': 1,
    '{workspace="other"}': 1,
  });
  expect(await seriesOf(metrics, 'holdfast_workspace_database_seconds_total')).toEqual({
    '{workspace="a"}': 1.5,
    '{workspace="b"}': 0,
    '{workspace="other"}': 0.3,
  });
});

test('the largest environments and those nearest to a quota have series, and the rest of the storage one', async () => {
  const tenant = (workspaceId: string) => ({ workspaceId: workspaceId as Id, environment: 'production' }) as const;
  const metrics = makeMetrics({
    workspaces: {
      largest: [{ ...tenant('a'), rows: 30, bytes: 3_000 }],
      all: { rows: 35, bytes: 3_200 },
      nearest: [{ ...tenant('b'), quota: 'import-rows', used: 9, max: 12 }],
    },
  });
  expect(await seriesOf(metrics, 'holdfast_workspace_storage_bytes')).toEqual({
    '{workspace="a",environment="production"}': 3_000,
    '{workspace="other",environment="other"}': 200,
  });
  expect(await seriesOf(metrics, 'holdfast_workspace_storage_rows', 'other')).toEqual({
    '{workspace="other",environment="other"}': 5,
  });
  expect(await seriesOf(metrics, 'holdfast_workspace_quota_used_ratio')).toEqual({
    '{workspace="b",environment="production",quota="import-rows"}': 0.75,
  });
});
