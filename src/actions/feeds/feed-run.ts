// What can happen to the run of a feed: it is found due, leased, renewed, handed back, put off, ended or finished. A node that has lost
// the lease changes nothing.

import { jitteredBackoffMs } from '../../kit/backoff.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../kit/clock.ts';
import { isId, type Id } from '../../kit/id.ts';
import { assert } from '../../kit/assert.ts';
import { authority } from '../../model/custody/authority.ts';
import { feedProblemsMax, feedRun, type FeedError, type FeedRun } from '../../model/custody/feed-run.ts';
import type { Tenant } from '../../model/access/scope.ts';
import type { DueFeeds, TakenFeedRun } from '../../store/queues/feed-queue.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import type { Rules } from '../core/resource.ts';
import { runInTransaction, serviceAuthor, type Work } from '../core/work.ts';
import { breakConnection } from '../custody/authority.ts';
import type { StoredCredentials } from '../custody/connector-access.ts';

/** A node that does not renew its lease for this long loses the run. */
export const feedLeaseMs = 90 * secondMs;
/** The first pause before a failed run of a feed is tried again, and the longest. */
export const feedRetryMs = { first: minuteMs, max: 6 * hourMs };
/** No setting, and no failure, puts a run off for longer. */
export const feedWaitMaxMs = 7 * dayMs;
/** How long runs are kept that brought nothing. */
const emptyRunsMs = 7 * dayMs;

/** An authority whose run is due, and the custodian that it visits. */
export interface DueFeed {
  readonly authority: Id;
  readonly custodian: Id;
}

export interface TenantDueFeeds extends Omit<DueFeeds, 'keys'> {
  readonly feeds: readonly DueFeed[];
}

export interface LeasedFeedRun {
  readonly tenant: Tenant;
  readonly run: TakenFeedRun;
}

/** How an attempt ended. */
export type FeedOutcome =
  | { readonly kind: 'finished' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: Exclude<FeedError, 'credentials-broken'>; readonly detail: string }
  | BrokenOutcome;

interface BrokenOutcome {
  readonly kind: 'failed';
  readonly error: 'credentials-broken';
  readonly detail: string;
  /** What the custodian refused. */
  readonly credentials: StoredCredentials;
}

export async function listDueFeeds(
  context: AppContext,
  tenants: readonly Tenant[],
): Promise<readonly TenantDueFeeds[]> {
  const due = await context.stores.findDueFeeds(tenants, context.clock.now());
  return due.map(({ keys, ...rest }) => ({ ...rest, feeds: keys.map(readKey) }));
}

function readKey(key: string): DueFeed {
  const [custodian = '', authority = ''] = key.split(' ');
  assert(isId(custodian) && isId(authority), 'what is due is named by custodian and authority');
  return { custodian, authority };
}

/** Opens the store without `runInTransaction`, which would look for rounds: nothing here changes a figure. */
function inTransaction<T>(context: AppContext, tenant: Tenant, task: (store: Store) => Promise<T>): Promise<T> {
  return context.stores.forWriting(serviceAuthor(tenant), task);
}

/** Undefined where nothing is due, or another node has the run. Ends a run whose authority no longer lets data in. */
export async function takeFeedRun(
  context: AppContext,
  { tenant, authority }: { readonly tenant: Tenant; readonly authority: Id },
): Promise<LeasedFeedRun | undefined> {
  return inTransaction(context, tenant, async ({ custody: { feeds } }) => {
    const now = context.clock.now();
    const run = await feeds.take(authority, { id: context.ids.next(), now, leaseUntil: now + feedLeaseMs });
    if (run === undefined) return undefined;
    if (await feeds.isFetchable(run, now)) return { tenant, run };
    const detail = 'The authority was revoked or has expired, or its custodian has no connector any more.';
    await feeds.end(run, { now, error: 'authority-ended', detail });
    return undefined;
  });
}

/** Returns whether the lease was still held. */
export function renewFeedRun(context: AppContext, { tenant, run }: LeasedFeedRun): Promise<boolean> {
  return inTransaction(context, tenant, ({ custody: { feeds } }) =>
    feeds.renewLease(run, context.clock.now() + feedLeaseMs),
  );
}

/** Records how an attempt ended, and plans what follows. Returns whether the lease was still held. */
export async function finishFeedRun(
  context: AppContext,
  { tenant, run }: LeasedFeedRun,
  { outcome, intervalMs }: { readonly outcome: FeedOutcome; readonly intervalMs: number },
): Promise<boolean> {
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const { now, ids, store } = work;
    if (outcome.kind === 'stopped') return store.custody.feeds.release(run, now);
    if (outcome.kind === 'finished')
      return store.custody.feeds.finish(run, {
        now,
        nextId: ids.next(),
        nextAt: now + intervalMs,
        dropBefore: now - emptyRunsMs,
      });
    if (outcome.error === 'credentials-broken') return endBroken(work, run, outcome);
    const { error, detail } = outcome;
    const retryAt = now + jitteredBackoffMs(feedRetryMs, run.authority, run.failures);
    return store.custody.feeds.putOff(run, { retryAt, error, detail: shortened(detail) });
  });
}

/** The authority has to be reconnected before anything can be fetched again. Where it just was, the run goes on with what that gave it. */
async function endBroken(
  work: Work,
  run: TakenFeedRun,
  { detail, credentials }: Pick<BrokenOutcome, 'detail' | 'credentials'>,
): Promise<boolean> {
  await work.store.table(authority).lock(run.authority, 'to-change');
  if (!(await credentials.areCurrent(work))) return work.store.custody.feeds.release(run, work.now);
  const isOurs = await work.store.custody.feeds.end(run, {
    now: work.now,
    error: 'credentials-broken',
    detail: shortened(detail),
  });
  if (isOurs) await breakConnection(work, run.authority, detail);
  return isOurs;
}

/** How much is kept of why a run failed. */
const detailLengthMax = 1_000;

function shortened(detail: string): string {
  return [...detail].slice(0, detailLengthMax).join('');
}

/** Runs can be read, and are never written by callers. */
export const feedRunRules: Rules<typeof feedRun> = {
  resource: feedRun,
  async show({ store }, runs) {
    const ids = runs.map(({ id }) => id);
    const [counts, problems, next] = await Promise.all([
      store.custody.feedRuns.listCounts(ids),
      store.custody.feedRuns.listProblems(ids, feedProblemsMax),
      store.custody.feedRuns.listNext(runs.map(({ authority }) => authority)),
    ]);
    return runs.map((run) => {
      const shown = { problems: problems.get(run.id) ?? [], nextRunAt: next.get(run.authority) ?? null };
      return {
        ...run,
        ...shown,
        counts: { fetched: run.fetchedCount, ...(counts.get(run.id) ?? noRows) },
        importIds: run.imports,
        waitsFor: waitOf(run, shown),
      };
    });
  },
};

const noRows = { rows: 0, booked: 0, amended: 0, unchanged: 0, refused: 0, needs: 0 };

function waitOf({ state, error }: FeedRun, { problems }: Pick<FeedRun, 'problems'>): FeedRun['waitsFor'] {
  if (error === 'credentials-broken' || error === 'authority-ended') return 'consent';
  if (state === 'waiting') return error === null ? 'schedule' : error === 'quota-reached' ? 'quota' : 'custodian';
  return problems.length > 0 ? 'correction' : null;
}
