// Compares what a reporting entity held at the end of a day as known at two moments, and reports the differences.

import { defined } from '../../kit/assert.ts';
import type { Day } from '../../kit/day.ts';
import { Refusal } from '../../kit/refusal.ts';
import { holdings, type Holding } from '../../engine/history/holdings.ts';
import { positionKeyText } from '../../engine/ledger/position-key.ts';
import type { ValueAndCost } from '../../model/report/holding.ts';
import type { RestatedFigures, RestatedHolding, RestatedTotals } from '../../model/report/restatement.ts';
import type { Work } from '../core/work.ts';
import { requestedDate, type AsOf } from './day-report.ts';
import { totalWorth } from './holdings.ts';
import { positionIds } from './lots.ts';
import { loadReportBasis, type ReportBasis, type ReportMoment } from './report-basis.ts';
import { refuseMissingRates } from './missing-rate-refusal.ts';
import { latestDay, reportDay } from './latest-day.ts';
import { dayOfMoment, endOfDay } from './report-day.ts';

export interface RestatementQuery {
  readonly reportingEntity: string;
  readonly from: number;
  /** Now when absent. */
  readonly to?: number | undefined;
  /** The latest day with data up to the day of `from` when absent. */
  readonly asOf?: AsOf | undefined;
}

export interface Restatement {
  /** Undefined when the reporting entity was not known at that moment. */
  readonly before: ReportBasis | undefined;
  readonly after: ReportBasis | undefined;
  /** `after`, or `before` when `after` is undefined. */
  readonly basis: ReportBasis;
  readonly day: Day;
  readonly asOf: number;
  /** All holdings of both sides. */
  readonly heldBefore: readonly Holding[];
  readonly heldAfter: readonly Holding[];
  /** Only holdings that differ, ordered by instrument, account and depository. */
  readonly holdings: readonly RestatedHolding[];
  readonly totals: RestatedTotals;
}

/** Reads both sides as of the same day: without one, the latest day with data that either side has up to the day of `from`. */
export function readRestatement(work: Work, query: RestatementQuery): Promise<Restatement> {
  const { reportingEntity, from, to, asOf: requestedAsOf } = query;
  return refuseMissingRates(async (rates) => {
    const before = await findReportBasis(work, reportingEntity, { knownAt: from, ...rates });
    const after =
      before === undefined
        ? await loadReportBasis(work, reportingEntity, { knownAt: to, ...rates })
        : await findReportBasis(work, reportingEntity, { knownAt: to, ...rates });
    const basis = defined(after ?? before, 'a restatement has an answer at one of the two moments');
    const day =
      requestedAsOf === undefined
        ? latestDayOf([before, after], from)
        : reportDay(requestedDate(requestedAsOf, basis), basis);
    const [heldBefore, heldAfter] = [holdingsOn(before, day), holdingsOn(after, day)];
    const isComparable = (before ?? basis).currency === basis.currency;
    return {
      before,
      after,
      basis,
      day,
      asOf: endOfDay(day, basis.timeZone),
      heldBefore,
      heldAfter,
      holdings: restatedHoldings({ before: heldBefore, after: heldAfter, isComparable }),
      totals: restatedTotals({ before: totalWorth(heldBefore), after: totalWorth(heldAfter), isComparable }),
    };
  });
}

/** Both sides have the same today, that of the moment. */
function latestDayOf(sides: readonly (ReportBasis | undefined)[], moment: number): Day {
  return sides.reduce((latest, basis) => {
    if (basis === undefined) return latest;
    return Math.max(latest, latestDay({ ...basis, today: dayOfMoment(moment, basis.timeZone) }));
  }, -Infinity);
}

/** Undefined when the reporting entity was not known at that moment. */
async function findReportBasis(
  work: Work,
  reportingEntity: string,
  moment: ReportMoment,
): Promise<ReportBasis | undefined> {
  try {
    return await loadReportBasis(work, reportingEntity, moment);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'reporting-entity-not-found') return undefined;
    throw error;
  }
}

function holdingsOn(basis: ReportBasis | undefined, day: Day): readonly Holding[] {
  return basis === undefined ? [] : holdings(basis.history, { day, covers: basis.places.covers });
}

interface BeforeAndAfter<T> {
  readonly before: T;
  readonly after: T;
  /** Whether both sides are in the same currency; otherwise there is no difference to report. */
  readonly isComparable: boolean;
}

const zeroFigures: RestatedFigures = { quantity: 0n, marketValue: 0n, costBasis: 0n, unrealisedPnl: 0n };

function restatedHoldings({ before, after, isComparable }: BeforeAndAfter<readonly Holding[]>): RestatedHolding[] {
  const byPosition = (list: readonly Holding[]): Map<string, Holding> =>
    new Map(list.map((one) => [positionKeyText(one), one]));
  const [beforeByPosition, afterByPosition] = [byPosition(before), byPosition(after)];
  const all = new Map([...beforeByPosition, ...afterByPosition]);
  return [...all]
    .toSorted(([, one], [, other]) => (sortKey(one) < sortKey(other) ? -1 : 1))
    .flatMap(([key, one]) => {
      const [oldFigures, newFigures] = [beforeByPosition.get(key), afterByPosition.get(key)].map((held) =>
        held ? holdingFigures(held) : null,
      );
      const difference = subtractFigures(newFigures ?? zeroFigures, oldFigures ?? zeroFigures);
      if (oldFigures && newFigures && isComparable && isZero(difference)) return [];
      return [
        {
          ...positionIds(one),
          before: oldFigures ?? null,
          after: newFigures ?? null,
          difference: isComparable ? difference : null,
        },
      ];
    });
}

/** No two positions have the same. */
function sortKey({ instrument, account, depository }: Holding): string {
  return [instrument, account ?? '', depository ?? ''].join(' ');
}

function holdingFigures(holding: Holding): RestatedFigures {
  return { quantity: holding.quantity, ...totalWorth([holding]) };
}

function subtractFigures<F extends Readonly<Record<string, bigint>>>(one: F, other: F): F {
  return Object.fromEntries(Object.entries(one).map(([name, value]) => [name, value - other[name]!])) as F;
}

function isZero(figures: RestatedFigures): boolean {
  return Object.values(figures).every((value) => value === 0n);
}

function restatedTotals({ before, after, isComparable }: BeforeAndAfter<ValueAndCost>): RestatedTotals {
  return { before, after, difference: isComparable ? subtractFigures({ ...after }, { ...before }) : null };
}
