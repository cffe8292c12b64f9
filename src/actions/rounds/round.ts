// What may happen to a round: it is found to be due, taken, kept, handed back, failed, finished. One who has lost it to another
// finishes nothing. Knows not when to do which, and no figure.

import { fromDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { backoffMs } from '../../kit/backoff.ts';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import { calculationRound, type CalculationRound, type RoundProgress } from '../../model/limit/calculation-round.ts';
import { limit as limitResource } from '../../model/limit/limit.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { flagAllClients, spreadSharedFlags } from '../../store/queues/dirty-flags.ts';
import type { DueRounds, TakenRound } from '../../store/queues/round-queue.ts';
import type { Store } from '../../store/store.ts';
import type { AppContext } from '../core/context.ts';
import { emitLimitStates, emitRoundFinished } from './round-events.ts';
import type { RoundOutcome, RoundState } from './round-outcome.ts';
import { dayOfMoment } from '../reports/report-day.ts';
import type { Rules } from '../core/resource.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import { serviceAuthor, runInTransaction } from '../core/work.ts';

/** Changes gather for so long before they lead to a round. */
export const roundDelayMs = 2 * secondMs;
/** Whoever has not been heard of for so long has lost its round. */
const leaseMs = 30 * secondMs;
const retryMs = { first: 5 * secondMs, max: 10 * minuteMs };

export interface TenantDueRounds extends Omit<DueRounds, 'keys'> {
  readonly clients: readonly Id[];
}

export interface LeasedRound {
  readonly tenant: Tenant;
  readonly round: TakenRound;
}

function todayOf({ clock, timeZone }: AppContext): CalendarDate {
  return fromDayNumber(dayOfMoment(clock.now(), timeZone));
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

/** Marks everybody where a day has begun that nobody has marked yet, and turns what is marked for several into their own marks. */
export function spreadDirtyFlags(context: AppContext, tenant: Tenant): Promise<void> {
  return runInTransaction(context, serviceAuthor(tenant), async ({ store, now }) => {
    if (await store.rounds.markDay(todayOf(context))) flagAllClients(store, { cause: 'day', now });
    await spreadSharedFlags(store);
  });
}

/** Not through `writingWork`: what a round does to itself is no reason to look for rounds. */
function inTransaction<T>(context: AppContext, tenant: Tenant, task: (store: Store) => Promise<T>): Promise<T> {
  return context.stores.forWriting(serviceAuthor(tenant), task);
}

/** Undefined where nothing is due, or somebody else has it. */
export async function takeRound(
  context: AppContext,
  { tenant, client }: { readonly tenant: Tenant; readonly client: Id },
  delayMs: number,
): Promise<LeasedRound | undefined> {
  const round = await inTransaction(context, tenant, ({ rounds }) => {
    const now = context.clock.now();
    const markedBefore = now - delayMs;
    return rounds.take(client, { id: context.ids.next(), now, leaseUntil: now + leaseMs, dirtyBefore: markedBefore });
  });
  return round && { tenant, round };
}

/** Whether it is ours still. */
export function renewRound(
  context: AppContext,
  { tenant, round }: LeasedRound,
  progress: RoundProgress,
): Promise<boolean> {
  const leaseUntil = context.clock.now() + leaseMs;
  return inTransaction(context, tenant, ({ rounds }) => rounds.renewLease(round, { ...progress, leaseUntil }));
}

export function releaseRound(context: AppContext, { tenant, round }: LeasedRound): Promise<boolean> {
  return inTransaction(context, tenant, ({ rounds }) => rounds.release(round, context.clock.now()));
}

/** Another attempt follows, later each time. */
export function failRound(context: AppContext, { tenant, round }: LeasedRound, code: string): Promise<boolean> {
  const retryAt = context.clock.now() + backoffMs(retryMs, round.attempts - 1);
  return inTransaction(context, tenant, ({ rounds }) => rounds.fail(round, { code, retryAt }));
}

/** Everything that it found, together with what its end brings about. Whether it was ours still: if not, nothing is written. */
export function finishRound(
  context: AppContext,
  { tenant, round }: LeasedRound,
  { states, valuations, ...found }: RoundOutcome,
): Promise<boolean> {
  return runInTransaction(context, serviceAuthor(tenant), async (work) => {
    const { store, now, ids } = work;
    if (!(await store.rounds.finish(round, found, now))) return false;
    const recorded = (await onlyExisting(store, states)).map((state) => ({ ...state, id: ids.next() }));
    const startedIds = new Set(
      await store.limitStates.putStates(recorded, { client: round.client, round: round.id, now }),
    );
    const changed = recorded.filter(({ id }) => startedIds.has(id));
    emitRoundFinished(work, round, valuations);
    await emitLimitStates(work, round, changed);
    return true;
  });
}

/** Limits and reporting entities may have gone meanwhile; those that are there are kept from going. */
async function onlyExisting(store: Store, states: readonly RoundState[]): Promise<readonly RoundState[]> {
  if (states.length === 0) return [];
  const idsOf = (one: (state: RoundState) => Id): Id[] => [...new Set(states.map(one))];
  const [limits, entities] = await Promise.all([
    store.table(limitResource).lockReferenced(idsOf(({ limit }) => limit)),
    store.table(reportingEntity).lockReferenced(idsOf((state) => state.reportingEntity)),
  ]);
  const existing = new Set([...limits, ...entities].map(({ id }) => id));
  return states.filter((state) => existing.has(state.limit) && existing.has(state.reportingEntity));
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

/** Read, and never written by callers. */
export const calculationRoundRules: Rules<typeof calculationRound> = {
  resource: calculationRound,
  show: async (_work, rounds) => rounds.map(showRound),
};
