// What was gained on the units that a reporting entity sold within a span, lot by lot, with sums by term and by the segments of an
// axis. Knows no wire.

import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { civilOf, dayOf, type Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import type { GainSum, GainTotals, ReportedGain, SegmentGains } from '../../model/report/realised-gain.ts';
import type { PositionRealisation } from '../../engine/lots/lot-books.ts';
import type { PositionKey } from '../../engine/ledger/position-key.ts';
import { realisedGains } from '../../engine/history/realised-gains.ts';
import type { Work } from '../core/work.ts';
import type { Axis } from './segments/axis.ts';
import { lotIdOf, placeOf } from './lots.ts';
import { openReport, type ReportMoment, type ReportScope } from './report-basis.ts';
import { withRates } from './missing-rate-refusal.ts';
import { readSegmentNames } from './segments/segment-names.ts';
import { segmentedBy } from './segments/segments.ts';

export interface GainsQuestion extends ReportMoment {
  readonly reportingEntity: string;
  /** The first day of the year of the last one where nothing is asked for. */
  readonly from?: CalendarDate | undefined;
  /** Today where nothing is asked for. */
  readonly to?: CalendarDate | undefined;
}

type Realised = PositionRealisation & PositionKey;

export interface GainsReport {
  readonly scope: ReportScope;
  readonly from: Day;
  readonly to: Day;
  /** In the order of the ledger. */
  readonly realised: readonly Realised[];
}

export function openGainsReport(
  work: Work,
  { reportingEntity, knownAt, ...asked }: GainsQuestion,
): Promise<GainsReport> {
  return withRates(async () => {
    const scope = await openReport(work, reportingEntity, { knownAt });
    const { history, places } = scope;
    const span = spanOf(asked, scope);
    const realised = realisedGains(history, { ...span, covers: places.covers });
    return { scope, ...span, realised: realised.map((one) => ({ ...history.key(one.position), ...one })) };
  });
}

function spanOf(
  asked: Pick<GainsQuestion, 'from' | 'to'>,
  { today, latestDay }: ReportScope,
): { readonly from: Day; readonly to: Day } {
  const first = asked.from === undefined ? undefined : toDayNumber(asked.from);
  const to = asked.to === undefined ? Math.max(Math.min(today, latestDay), first ?? -Infinity) : toDayNumber(asked.to);
  return { from: first ?? dayOf({ year: civilOf(to).year, month: 1, day: 1 }), to };
}

export function reportedGains({ scope, realised }: GainsReport): readonly ReportedGain[] {
  const ids = scope.idsOf(realised.flatMap(({ row, lot }) => (lot === undefined ? [row] : [row, lot.row])));
  return realised.map((one) => reportedGain(one, scope, ids));
}

function reportedGain(one: Realised, { currency }: ReportScope, ids: ReadonlyMap<number, Id>): ReportedGain {
  return {
    transactionId: ids.get(one.row) ?? null,
    lotId: one.lot === undefined ? null : lotIdOf(one.lot, ids),
    ...placeOf(one),
    date: one.day,
    acquisitionDate: one.acquired,
    saleDate: one.sold,
    quantity: one.quantity,
    ...sumOf([one]),
    currency,
    gainClassification: one.term,
  };
}

export function gainTotals(realised: readonly Realised[]): GainTotals {
  return {
    shortTerm: sumOf(realised.filter(({ term }) => term === 'short_term')),
    longTerm: sumOf(realised.filter(({ term }) => term === 'long_term')),
    total: sumOf(realised),
  };
}

/** By segment; what the axis does not name comes last. */
export async function gainsBySegment(
  work: Work,
  { scope, realised }: GainsReport,
  axis: Axis,
): Promise<readonly SegmentGains[]> {
  const names = await readSegmentNames(work, scope, [axis]);
  return segmentedBy(axis, scope, realised).map(([segment, some]) => ({
    ...names.tell(axis, segment),
    ...gainTotals(some),
  }));
}

function sumOf(realised: readonly Realised[]): GainSum {
  const sum = { proceeds: 0n, cost: 0n, gain: 0n, pricePart: 0n, currencyPart: 0n };
  for (const one of realised) {
    sum.proceeds += one.referenceProceeds;
    sum.cost += one.referenceCost;
    sum.gain += one.referenceGain;
    sum.pricePart += one.pricePart;
    sum.currencyPart += one.currencyPart;
  }
  return sum;
}
