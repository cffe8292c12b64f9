// Reports the gains that a reporting entity realised within a range of days: lot by lot, with totals by holding term and by
// segment of an axis.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import type { GainSum, GainTotals, ReportedGain, SegmentGains } from '../../model/report/realised-gain.ts';
import type { PositionRealisation } from '../../engine/lots/lot-book-changes.ts';
import type { PositionKey } from '../../engine/ledger/position-key.ts';
import { realisedGains } from '../../engine/history/realised-gains.ts';
import type { Work } from '../core/work.ts';
import type { Axis } from './segments/axis.ts';
import { reportedLotId, positionIds } from './lots.ts';
import { loadReportBasis, type ReportMoment, type ReportBasis } from './report-basis.ts';
import { requestedDays } from './report-window.ts';
import { refuseMissingRates } from './missing-rate-refusal.ts';
import { readSegmentNames } from './segments/segment-names.ts';
import { groupBySegment } from './segments/segments.ts';

interface GainsQuery extends ReportMoment {
  readonly reportingEntity: string;
  /** The first day of the year of `to` when absent. */
  readonly from?: CalendarDate | undefined;
  /** Today when absent. */
  readonly to?: CalendarDate | undefined;
}

type RealisedGain = PositionRealisation & PositionKey;

export interface GainsReport {
  readonly basis: ReportBasis;
  readonly from: Day;
  readonly to: Day;
  /** In ledger order. */
  readonly realised: readonly RealisedGain[];
}

export function openGainsReport(work: Work, { reportingEntity, knownAt, ...input }: GainsQuery): Promise<GainsReport> {
  return refuseMissingRates(async (rates) => {
    const basis = await loadReportBasis(work, reportingEntity, { knownAt, ...rates });
    const { history, places } = basis;
    const span = requestedDays(input, basis.today);
    const realised = realisedGains(history, { ...span, covers: places.covers });
    return { basis, ...span, realised: realised.map((one) => ({ ...history.key(one.position), ...one })) };
  });
}

/** In the order of what was realised. */
export function reportedGains({ basis, realised }: GainsReport): readonly ReportedGain[] {
  const ids = basis.findTransactionIds(
    realised.flatMap(({ row, lot }) => (lot === undefined ? [row] : [row, lot.row])),
  );
  return realised.map((one) => reportedGain(one, basis, ids));
}

function reportedGain(one: RealisedGain, { currency }: ReportBasis, ids: ReadonlyMap<number, Id>): ReportedGain {
  return {
    transactionId: ids.get(one.row) ?? null,
    lotId: one.lot === undefined ? null : reportedLotId(one.lot, ids),
    ...positionIds(one),
    date: one.day,
    acquisitionDate: one.acquired,
    saleDate: one.sold,
    quantity: one.quantity,
    ...sumGains([one]),
    currency,
    gainClassification: one.term,
  };
}

export function gainTotals(realised: readonly RealisedGain[]): GainTotals {
  return {
    shortTerm: sumGains(realised.filter(({ term }) => term === 'short_term')),
    longTerm: sumGains(realised.filter(({ term }) => term === 'long_term')),
    total: sumGains(realised),
  };
}

/** What was realised in one segment. */
export interface SegmentRealisations {
  readonly names: Pick<SegmentGains, 'segmentId' | 'segmentName'>;
  readonly realised: readonly RealisedGain[];
  readonly totals: GainTotals;
}

/** Ordered by segment, with the residual segment last. */
export async function gainsBySegment(
  work: Work,
  { basis, realised }: GainsReport,
  axis: Axis,
): Promise<readonly SegmentRealisations[]> {
  const names = await readSegmentNames(work, basis, [axis]);
  return groupBySegment(axis, basis, realised).map(([segment, group]) => ({
    names: names.nameSegment(axis, segment),
    realised: group,
    totals: gainTotals(group),
  }));
}

function sumGains(realised: readonly RealisedGain[]): GainSum {
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
