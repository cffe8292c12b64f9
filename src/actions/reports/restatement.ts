// What a reporting entity held at the end of a day as known at one moment and at another, and where the two differ. Knows no wire.

import type { Day } from '../../kit/day.ts';
import { Refusal } from '../../kit/refusal.ts';
import { holdings, type Holding } from '../../engine/history/holdings.ts';
import { positionText } from '../../engine/ledger/position-key.ts';
import type { Worth } from '../../model/report/holding.ts';
import type { RestatedFigures, RestatedHolding, RestatedTotals } from '../../model/report/restatement.ts';
import type { Work } from '../core/work.ts';
import { dateAsked, type AsOf } from './day-report.ts';
import { worthOf } from './holdings.ts';
import { placeOf } from './lots.ts';
import { openReport, type ReportScope } from './report-basis.ts';
import { withRates } from './missing-rate-refusal.ts';
import { endOfDay, reportDay } from './report-day.ts';

export interface RestatementQuestion {
  readonly reportingEntity: string;
  readonly from: number;
  /** Now, where there is none. */
  readonly to?: number | undefined;
  /** The day of the first moment where nothing is asked for. */
  readonly asOf?: AsOf | undefined;
}

export interface Restatement {
  /** None where the reporting entity was not known then. */
  readonly before: ReportScope | undefined;
  readonly after: ReportScope | undefined;
  /** Of either, the later one first. */
  readonly scope: ReportScope;
  readonly day: Day;
  readonly asOf: number;
  /** Those that differ, in the order of instrument, account and depository. */
  readonly holdings: readonly RestatedHolding[];
  readonly totals: RestatedTotals;
}

/** Both answers are about the same day, whatever was the last one with data then. */
export function readRestatement(work: Work, question: RestatementQuestion): Promise<Restatement> {
  const { reportingEntity, from, to, asOf: asked } = question;
  return withRates(async () => {
    const before = await findScope(work, reportingEntity, from);
    const after =
      before === undefined
        ? await openReport(work, reportingEntity, { knownAt: to })
        : await findScope(work, reportingEntity, to);
    const scope = (after ?? before)!;
    const day = reportDay(dateAsked(asked ?? from, scope), scope);
    const [held, heldNow] = [heldOn(before, day), heldOn(after, day)];
    const compares = (before ?? scope).currency === scope.currency;
    return {
      before,
      after,
      scope,
      day,
      asOf: endOfDay(day, scope.timeZone),
      holdings: restatedHoldings({ before: held, after: heldNow, compares }),
      totals: restatedTotals({ before: worthOf(held), after: worthOf(heldNow), compares }),
    };
  });
}

/** Undefined where it was not known then. */
async function findScope(
  work: Work,
  reportingEntity: string,
  knownAt: number | undefined,
): Promise<ReportScope | undefined> {
  try {
    return await openReport(work, reportingEntity, { knownAt });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'reporting-entity-not-found') return undefined;
    throw error;
  }
}

function heldOn(scope: ReportScope | undefined, day: Day): readonly Holding[] {
  return scope === undefined ? [] : holdings(scope.history, { day, covers: scope.places.covers });
}

interface Compared<T> {
  readonly before: T;
  readonly after: T;
  /** Whether both are in one currency: else there is no difference. */
  readonly compares: boolean;
}

const nothing: RestatedFigures = { quantity: 0n, marketValue: 0n, costBasis: 0n, unrealisedPnl: 0n };

function restatedHoldings({ before, after, compares }: Compared<readonly Holding[]>): RestatedHolding[] {
  const [known, knownNow] = [before, after].map((some) => new Map(some.map((one) => [positionText(one), one])));
  const all = new Map([...known!, ...knownNow!]);
  return [...all]
    .toSorted(([, one], [, other]) => compareText(orderOf(one), orderOf(other)))
    .flatMap(([key, one]) => {
      const [then, now] = [known!.get(key), knownNow!.get(key)].map((held) => (held ? figuresOf(held) : null));
      const difference = less(now ?? nothing, then ?? nothing);
      if (then && now && compares && isNothing(difference)) return [];
      return [{ ...placeOf(one), before: then ?? null, after: now ?? null, difference: compares ? difference : null }];
    });
}

function orderOf({ instrument, account, depository }: Holding): string {
  return [instrument, account ?? '', depository ?? ''].join(' ');
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function figuresOf(holding: Holding): RestatedFigures {
  return { quantity: holding.quantity, ...worthOf([holding]) };
}

function less<F extends Readonly<Record<string, bigint>>>(one: F, other: F): F {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value - other[name]!])) as F;
}

function isNothing(figures: RestatedFigures): boolean {
  return Object.values(figures).every((value) => value === 0n);
}

function restatedTotals({ before, after, compares }: Compared<Worth>): RestatedTotals {
  return { before, after, difference: compares ? less({ ...after }, { ...before }) : null };
}
