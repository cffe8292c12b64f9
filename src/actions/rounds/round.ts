// What may happen to a round: it is found to be due, taken, kept, handed back, failed, finished. One who has lost it to another
// finishes nothing. Knows not when to do which, and no figure.

import { fromDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { backoffMs } from '../../kit/backoff.ts';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import { calculationRound, type CalculationRound, type RoundProgress } from '../../model/limit/calculation-round.ts';
import { limit as limitResource } from '../../model/limit/limit.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import type { FoundState } from '../../store/resources/limit-states.ts';
import { markAllClients, spreadSharedMarks } from '../../store/queues/dirty-flags.ts';
import { findDueRounds, type DueRounds, type FinishedRound, type TakenRound } from '../../store/queues/round-queue.ts';
import { openForWriting, type Store } from '../../store/store.ts';
import type { House } from '../core/context.ts';
import { emitLimitStates, emitRound } from './round-events.ts';
import { dayOfMoment } from '../reports/report-day.ts';
import type { Rules } from '../core/resource.ts';
import type { Tenant } from '../core/tenant-wake-ups.ts';
import { ownDoing, writingWork } from '../core/work.ts';

/** Changes gather for so long before they lead to a round. */
export const gatherMs = 2 * secondMs;
/** Whoever has not been heard of for so long has lost its round. */
const leaseMs = 30 * secondMs;
const retryMs = { first: 5 * secondMs, most: 10 * minuteMs };

/** What a round has found of a limit at a reporting entity. */
export type RoundState = Omit<FoundState, 'id'>;

/** All that a round comes to. */
export interface RoundOutcome extends FinishedRound {
  readonly states: readonly RoundState[];
  readonly valued: readonly ValuedEntity[];
}

/** What the holdings of a reporting entity came to at the end of a day. */
export interface ValuedEntity {
  readonly reportingEntity: Id;
  readonly date: CalendarDate;
  readonly currency: string;
  readonly marketValue: Decimal;
  readonly holdings: number;
}

export interface DueRoundsOf extends DueRounds {
  readonly tenant: Tenant;
}

export interface HeldRound {
  readonly tenant: Tenant;
  readonly round: TakenRound;
}

function todayOf({ clock, timeZone }: House): CalendarDate {
  return fromDayNumber(dayOfMoment(clock.now(), timeZone));
}

export async function listDueRounds(
  house: House,
  tenants: readonly Tenant[],
  gather: number,
): Promise<readonly DueRoundsOf[]> {
  const now = house.clock.now();
  const reaches = tenants.map((tenant) => ownDoing(tenant).reach);
  const due = await findDueRounds(house.database, reaches, { markedBefore: now - gather, now, today: todayOf(house) });
  return due.map((one, index) => ({ ...one, tenant: tenants[index]! }));
}

/** Marks everybody where a day has begun that nobody has marked yet, and turns what is marked for several into their own marks. */
export function spreadMarks(house: House, tenant: Tenant): Promise<void> {
  return writingWork(house, ownDoing(tenant), async ({ store, now }) => {
    if (await store.rounds.markDay(todayOf(house))) markAllClients(store, { cause: 'day', now });
    await spreadSharedMarks(store);
  });
}

/** Not through `writingWork`: what a round does to itself is no reason to look for rounds. */
function inStore<T>(house: House, tenant: Tenant, task: (store: Store) => Promise<T>): Promise<T> {
  return openForWriting(house.database, ownDoing(tenant), task);
}

/** Undefined where nothing is due, or somebody else has it. */
export async function takeRound(
  house: House,
  { tenant, client }: { readonly tenant: Tenant; readonly client: Id },
  gather: number,
): Promise<HeldRound | undefined> {
  const round = await inStore(house, tenant, ({ rounds }) => {
    const now = house.clock.now();
    const markedBefore = now - gather;
    return rounds.take(client, { id: house.ids.next(), now, leaseUntil: now + leaseMs, markedBefore });
  });
  return round && { tenant, round };
}

/** Whether it is ours still. */
export function keepRound(house: House, { tenant, round }: HeldRound, progress: RoundProgress): Promise<boolean> {
  const leaseUntil = house.clock.now() + leaseMs;
  return inStore(house, tenant, ({ rounds }) => rounds.keep(round, { ...progress, leaseUntil }));
}

export function handBackRound(house: House, { tenant, round }: HeldRound): Promise<boolean> {
  return inStore(house, tenant, ({ rounds }) => rounds.handBack(round, house.clock.now()));
}

/** Another attempt follows, later each time. */
export function failRound(house: House, { tenant, round }: HeldRound, code: string): Promise<boolean> {
  const retryAt = house.clock.now() + backoffMs(retryMs, round.attempts - 1);
  return inStore(house, tenant, ({ rounds }) => rounds.fail(round, { code, retryAt }));
}

/** Everything that it found, together with what its end brings about. Whether it was ours still: if not, nothing is written. */
export function finishRound(
  house: House,
  { tenant, round }: HeldRound,
  { states, valued, ...found }: RoundOutcome,
): Promise<boolean> {
  return writingWork(house, ownDoing(tenant), async (work) => {
    const { store, now, ids } = work;
    if (!(await store.rounds.finish(round, found, now))) return false;
    const recorded = (await stillThere(store, states)).map((state) => ({ ...state, id: ids.next() }));
    const begun = new Set(await store.limitStates.record(recorded, { client: round.client, round: round.id, now }));
    const changed = recorded.filter(({ id }) => begun.has(id));
    emitRound(work, round, valued);
    await emitLimitStates(work, round, changed);
    return true;
  });
}

/** Limits and reporting entities may have gone meanwhile; those that are there are kept from going. */
async function stillThere(store: Store, states: readonly RoundState[]): Promise<readonly RoundState[]> {
  if (states.length === 0) return [];
  const idsOf = (one: (state: RoundState) => Id): Id[] => [...new Set(states.map(one))];
  const [limits, entities] = await Promise.all([
    store.table(limitResource).hold(idsOf(({ limit }) => limit)),
    store.table(reportingEntity).hold(idsOf((state) => state.reportingEntity)),
  ]);
  const there = new Set([...limits, ...entities].map(({ id }) => id));
  return states.filter((state) => there.has(state.limit) && there.has(state.reportingEntity));
}

function shown(round: CalculationRound): CalculationRound {
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
  show: async (_work, rounds) => rounds.map(shown),
};
