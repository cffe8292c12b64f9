// Summarises holdings by instrument or by segment of an axis, with what the sum of their values depends on.

import type { Day } from '../../kit/day.ts';
import { oneFixed, ratioOf, type Fixed } from '../../kit/fixed.ts';
import type { ReportedHolding, ReportedSegmentHolding, SplitWorth, ValueAndCost } from '../../model/report/holding.ts';
import type { ReportedValuation } from '../../model/report/valuation.ts';
import { staleRateDay } from '../../engine/currencies/exchange-rates.ts';
import type { History } from '../../engine/history/history.ts';
import type { Holding } from '../../engine/history/holdings.ts';
import { unsettledCash } from '../../engine/history/movements.ts';
import { findSyntheticInstrument } from '../../engine/ledger/position-key.ts';
import { accruedInReferenceCurrency, unrealisedCurrencyPart } from '../../engine/returns/unrealised-parts.ts';
import type { Work } from '../core/work.ts';
import type { Axis } from './segments/axis.ts';
import type { DayReport } from './day-report.ts';
import type { ReportBasis } from './report-basis.ts';
import { readSegmentNames } from './segments/segment-names.ts';
import { groupHoldings } from './segments/segments.ts';

/** Ordered by instrument. */
export function holdingsByInstrument({ basis, asOf, holdings }: DayReport): readonly ReportedHolding[] {
  const { reportingEntity } = basis;
  return [...Map.groupBy(holdings, ({ instrument }) => instrument)].map(([instrumentId, group]) => ({
    reportingEntityId: reportingEntity,
    instrumentId,
    quantity: totalUnits(basis.history, group),
    ...totalWorth(group),
    asOf,
  }));
}

/** What lies in one segment. */
export interface SegmentHoldings {
  readonly segment: string;
  readonly holdings: readonly Holding[];
  /** Summed on demand: a page shows only some of them. */
  sum(): ReportedSegmentHolding;
}

/** By segment; what the axis does not name comes last. */
export async function holdingsBySegment(
  work: Work,
  report: DayReport,
  axis: Axis,
): Promise<readonly SegmentHoldings[]> {
  const names = await readSegmentNames(work, report.basis, [axis]);
  const { marketValue: total } = totalWorth(report.holdings);
  return groupHoldings(axis, report.basis, report.holdings).map(([segment, group]) => ({
    segment,
    holdings: group,
    sum() {
      const worth = splitWorth(report.basis, group);
      return {
        ...names.nameSegment(axis, segment),
        quantity: isSingleInstrument(group) ? totalUnits(report.basis.history, group) : null,
        settledQuantity: settledCash(report, group),
        ...worth,
        share: shareOfTotal(worth.marketValue, total),
        valuation: combinedValuation(group),
      };
    },
  }));
}

/** What is reported of segments in which nothing is held any more. */
export async function nothingHeld(
  work: Work,
  { basis, holdings }: DayReport,
  instruments: readonly string[],
): Promise<readonly { readonly segment: string; readonly holding: ReportedSegmentHolding }[]> {
  const names = await readSegmentNames(work, basis, ['instrument']);
  const share = shareOfTotal(0n, totalWorth(holdings).marketValue);
  const figures = {
    quantity: 0n,
    settledQuantity: null,
    ...splitWorth(basis, []),
    share,
    valuation: combinedValuation([]),
  };
  return instruments.map((segment) => ({
    segment,
    holding: { ...names.nameSegment('instrument', segment), ...figures },
  }));
}

export function totalWorth(holdings: readonly Holding[]): ValueAndCost {
  const marketValue = sumBy(holdings, (one) => one.marketValue);
  const costBasis = sumBy(holdings, (one) => one.referenceCost);
  return { marketValue, costBasis, unrealisedPnl: marketValue - costBasis };
}

/** The same, with accrued interest and the parts of the unrealised gain. One loop: a client may have thousands of holdings. */
export function splitWorth({ history }: Pick<ReportBasis, 'history'>, holdings: readonly Holding[]): SplitWorth {
  let [marketValue, costBasis, accruedInterest, currencyPart] = [0n, 0n, 0n, 0n];
  for (const one of holdings) {
    marketValue += one.marketValue;
    costBasis += one.referenceCost;
    accruedInterest += accruedInReferenceCurrency(one);
    currencyPart += unrealisedCurrencyPart(history, one);
  }
  const unrealisedPnl = marketValue - costBasis;
  return {
    marketValue,
    costBasis,
    unrealisedPnl,
    accruedInterest,
    unrealisedPricePart: unrealisedPnl - currencyPart,
    unrealisedCurrencyPart: currencyPart,
  };
}

/** Null if the total is zero. */
export function shareOfTotal(part: Fixed, total: Fixed): number | null {
  return total === 0n ? null : ratioOf(part, total);
}

/** Of one instrument. A private fund without units is one investment, however many places paid for it. */
export function totalUnits(history: History, holdings: readonly Holding[]): Fixed {
  return isOneInvestment(history, holdings) ? oneFixed : sumBy(holdings, ({ quantity }) => quantity);
}

export function isOneInvestment(history: History, holdings: readonly Holding[]): boolean {
  const [one, other] = holdings.filter(({ quantity }) => quantity !== 0n);
  if (one === undefined || other === undefined) return false;
  return history.values.spreadFunds.positionsOf(one.position).length > 0;
}

function sumBy(holdings: readonly Holding[], figure: (holding: Holding) => Fixed): Fixed {
  const [only] = holdings;
  if (only !== undefined && holdings.length === 1) return figure(only);
  return holdings.reduce((sum, one) => sum + figure(one), 0n);
}

/** Null if anything but the cash of one currency is held. */
function settledCash({ basis: { history }, day }: DayReport, holdings: readonly Holding[]): Fixed | null {
  const isCash = holdings.every(({ instrument }) => findSyntheticInstrument(instrument)?.kind === 'cash');
  if (!isCash || holdings.length === 0 || !isSingleInstrument(holdings)) return null;
  return sumBy(holdings, ({ position, quantity }) => quantity - unsettledCash(history, position, day));
}

function isSingleInstrument(holdings: readonly Holding[]): boolean {
  return holdings.every(({ instrument }) => instrument === holdings[0]?.instrument);
}

/** Of several, the oldest day; a doubt about one is a doubt about the sum. */
export function combinedValuation(holdings: readonly Holding[]): ReportedValuation {
  const [only] = holdings;
  if (only !== undefined && holdings.length === 1) {
    const { source: onlySource, day, isStale, isEstimated } = only.valuation;
    const base = { source: onlySource, date: day, stale: isStale, estimated: isEstimated };
    return { ...base, ...staleRate([only]) };
  }
  const valuations = holdings.map(({ valuation }) => valuation);
  const [source, ...others] = new Set(valuations.map((one) => one.source));
  const days = valuations.flatMap(({ day }) => day ?? []);
  return {
    source: source === undefined ? 'nothing' : others.length > 0 ? 'several' : source,
    date: oldestDay(days),
    stale: valuations.some(({ isStale }) => isStale),
    estimated: valuations.some(({ isEstimated }) => isEstimated),
    ...staleRate(holdings),
  };
}

/** The oldest day of the rates that the values are converted at and that are too old. What is worth nothing needs no rate. */
function staleRate(holdings: readonly Holding[]): Pick<ReportedValuation, 'staleRateDate'> {
  const days = holdings.flatMap(({ marketValue, conversion }) =>
    marketValue === 0n ? [] : (staleRateDay(conversion) ?? []),
  );
  const staleRateDate = oldestDay(days);
  return staleRateDate === null ? {} : { staleRateDate };
}

function oldestDay(days: readonly Day[]): Day | null {
  return days.reduce<Day | null>((oldest, day) => (oldest === null || day < oldest ? day : oldest), null);
}
