// What can happen to a calculation round: it is found due, leased, renewed, handed back, failed or finished. A node that has lost the lease
// changes nothing.

import { fromDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { backoffMs } from '../../kit/backoff.ts';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { calculationRound, type CalculationRound, type RoundProgress } from '../../model/limit/calculation-round.ts';
import { flagAllClients, spreadSharedFlags } from '../../store/queues/dirty-flags.ts';
import type { DueRounds, TakenRound } from '../../store/queues/round-queue.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { dayOfMoment } from '../reports/report-day.ts';
import type { Rules } from '../core/resource.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { serviceAuthor, runInTransaction } from '../core/work.ts';

/** How long changes gather before they lead to a round. */
export const roundDelayMs = 2 * secondMs;
/** A node that does not renew its lease for this long loses the round. */
export const roundLeaseMs = 30 * secondMs;
/** The first pause before a failed round is tried again, and the longest. */
export const roundRetryMs = { first: 5 * secondMs, max: 10 * minuteMs };

export interface TenantDueRounds extends Omit<DueRounds, 'keys'> {
  readonly clients: readonly Id[];
}

export interface LeasedRound {
  readonly tenant: Tenant;
  readonly round: TakenRound;
}

export function calendarDayOf({ timeZone }: Pick<AppContext, 'timeZone'>, moment: number): CalendarDate {
  return fromDayNumber(dayOfMoment(moment, timeZone));
}

function todayOf(context: AppContext): CalendarDate {
  return calendarDayOf(context, context.clock.now());
}

/** Including those where flags still gather. */
export function findTenantsWithRounds(context: AppContext): Promise<readonly Tenant[]> {
  return context.stores.preAuth.dueTenants.withRounds({ now: context.clock.now(), today: todayOf(context) });
}

export async function listDueRounds(
  context: AppContext,
  tenants: readonly Tenant[],
  delayMs: number,
): Promise<readonly TenantDueRounds[]> {
  const now = context.clock.now();
  const query = { dirtyBefore: now - delayMs, now, today: todayOf(context) };
  const due = await context.stores.findDueRounds(tenants, query);
  return due.map(({ keys, ...rest }) => ({ ...rest, clients: keys }));
}

/** Flags all clients where a new day has begun, and turns shared flags into flags of clients. */
export function spreadDirtyFlags(context: AppContext, tenant: Tenant): Promise<void> {
  return runInTransaction(context, serviceAuthor(tenant), async ({ store, now }) => {
    if (await store.rounds.markDay(todayOf(context))) flagAllClients(store, { cause: 'day', now });
    await spreadSharedFlags(store);
  });
}

/** Opens the store without `runInTransaction`, which would wake up the search for rounds: no change of a round makes another due. */
function inTransaction<T>(context: AppContext, tenant: Tenant, task: (store: Store) => Promise<T>): Promise<T> {
  return context.stores.forWriting(serviceAuthor(tenant), task);
}

export interface TenantClient {
  readonly tenant: Tenant;
  readonly client: Id;
}

/** Items of one tenant, which share a transaction. */
type Batch<Item> = readonly [Item, ...Item[]];

/** Undefined for each client where nothing is due, or another node has the round. */
export async function takeRounds(
  context: AppContext,
  wanted: Batch<TenantClient>,
  delayMs: number,
): Promise<readonly (LeasedRound | undefined)[]> {
  const [{ tenant }] = wanted;
  const taken = await inTransaction(context, tenant, ({ rounds }) => {
    const now = context.clock.now();
    const numbered = wanted.map(({ client }) => ({ client, id: context.ids.next() }));
    return rounds.take(numbered, { now, leaseUntil: now + roundLeaseMs, dirtyBefore: now - delayMs });
  });
  const byClient = new Map(taken.map((round) => [round.client, { tenant, round }]));
  return wanted.map(({ client }) => byClient.get(client));
}

/** Returns whether the lease was still held. */
export function renewRound(
  context: AppContext,
  { tenant, round }: LeasedRound,
  progress: RoundProgress,
): Promise<boolean> {
  const leaseUntil = context.clock.now() + roundLeaseMs;
  return inTransaction(context, tenant, ({ rounds }) => rounds.renewLease(round, { ...progress, leaseUntil }));
}

export function releaseRound(context: AppContext, { tenant, round }: LeasedRound): Promise<boolean> {
  return inTransaction(context, tenant, ({ rounds }) => rounds.release(round, context.clock.now()));
}

/** Records the failure and schedules another attempt, later each time. */
export function failRound(context: AppContext, { tenant, round }: LeasedRound, code: string): Promise<boolean> {
  const retryAt = context.clock.now() + backoffMs(roundRetryMs, round.attempts - 1);
  return inTransaction(context, tenant, ({ rounds }) => rounds.fail(round, { code, retryAt }));
}

function showRound(round: CalculationRound): CalculationRound {
  const { state, startedAt, finishedAt, leaseUntil } = round;
  return {
    ...round,
    durationMs: finishedAt === null ? null : finishedAt - startedAt,
    retryAt: state === 'failed' ? leaseUntil : null,
    progress: { done: round.doneCount, total: round.totalCount },
    counts:
      finishedAt === null
        ? null
        : {
            reportingEntities: round.reportingEntityCount,
            holdings: round.holdingCount,
            limits: round.limitCount,
            breaches: round.breachCount,
            findings: round.findingCount,
          },
  };
}

/** Rounds can be read, and are never written by callers. */
export const calculationRoundRules: Rules<typeof calculationRound> = {
  resource: calculationRound,
  show: async (_work, rounds) => rounds.map(showRound),
};
