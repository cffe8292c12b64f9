// Reports positions with every open lot: its cost, its value and the transaction that opened it.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { Fixed } from '../../kit/fixed.ts';
import type { LotWithPosition, ReportedInstrumentHolding, ReportedLot } from '../../model/report/lot.ts';
import { checkpointDay } from '../../engine/history/checkpoint.ts';
import { openLotsOf, type Holding } from '../../engine/history/holdings.ts';
import { holdingTerm } from '../../engine/lots/realisation.ts';
import { lotValues } from '../../engine/lots/lot-values.ts';
import { lotCostsAtDayRate } from '../../engine/returns/unrealised-parts.ts';
import type { LotKey, LotSnapshot, OpenLot } from '../../engine/lots/lot.ts';
import { requireFilterTargets } from '../core/filter-targets.ts';
import type { Work } from '../core/work.ts';
import type { DayReport } from './day-report.ts';
import { combinedValuation } from './holdings.ts';
import type { ReportBasis } from './report-basis.ts';
import { segmentTargets } from './segments/segment-targets.ts';

export interface LotFilter {
  readonly instrument?: string | undefined;
  readonly account?: string | undefined;
  readonly depository?: string | undefined;
}

/** Ordered by instrument, account and depository. */
export async function instrumentHoldings(report: DayReport): Promise<readonly ReportedInstrumentHolding[]> {
  const { basis, asOf, holdings } = report;
  const { reportingEntity, currency } = basis;
  const lots = await lotsByHolding(report, holdings);
  return holdings.map((one) => ({
    reportingEntityId: reportingEntity,
    ...positionIds(one),
    quantity: one.quantity,
    marketValue: one.marketValue,
    costBasis: one.referenceCost,
    unrealisedPnl: one.unrealised,
    currency,
    valuation: combinedValuation([one]),
    asOf,
    lots: defined(lots.get(one), 'every holding has its lots'),
  }));
}

/** The oldest lot of each position comes first. */
export async function placedLots(
  work: Work,
  report: DayReport,
  filter: LotFilter,
): Promise<readonly LotWithPosition[]> {
  const matching = report.holdings.filter((one) => matchesFilter(one, filter));
  if (matching.length === 0) await requireFilterTargets(work, segmentTargets(filter));
  const lots = await lotsByHolding(report, matching);
  return matching.flatMap((one) => {
    const currencyParts = lotCurrencyParts(report, one);
    return defined(lots.get(one), 'every holding has its lots').map((lot, index) => {
      const currencyPart = defined(currencyParts[index], 'every lot has a part');
      const parts = { unrealisedPricePart: lot.unrealisedPnl - currencyPart, unrealisedCurrencyPart: currencyPart };
      return { ...positionIds(one), ...lot, ...parts };
    });
  });
}

/** What the currency brought to each lot. */
function lotCurrencyParts({ basis: { history }, day }: DayReport, holding: Holding): readonly Fixed[] {
  const { lots } = openLotsOf(history, holding, day);
  const costs = lotCostsAtDayRate(history, holding, lots);
  return lots.map(({ referenceCost }, index) => costs[index]! - referenceCost);
}

function matchesFilter(holding: Holding, { instrument, account, depository }: LotFilter): boolean {
  return (
    (instrument === undefined || holding.instrument === instrument) &&
    (account === undefined || holding.account === account) &&
    (depository === undefined || holding.depository === depository)
  );
}

export function positionIds({
  account,
  depository,
  instrument,
}: Pick<Holding, 'account' | 'depository' | 'instrument'>) {
  return { accountId: account, depositoryId: depository, instrumentId: instrument };
}

async function lotsByHolding(
  { basis, day, turn }: DayReport,
  holdings: readonly Holding[],
): Promise<ReadonlyMap<Holding, readonly ReportedLot[]>> {
  const snapshots: (readonly [Holding, LotSnapshot])[] = [];
  for (const one of holdings) {
    snapshots.push([one, openLotsOf(basis.history, one, day)]);
    await turn.pause();
  }
  const ids = basis.findTransactionIds(snapshots.flatMap(([, { lots }]) => lots.map(({ row }) => row)));
  return new Map(snapshots.map(([one, snapshot]) => [one, reportedLots(one, snapshot, { basis, day, ids })]));
}

interface LotContext {
  readonly basis: ReportBasis;
  readonly day: Day;
  /** The ids of transactions by their booking numbers. */
  readonly ids: ReadonlyMap<number, Id>;
}

function reportedLots(
  { marketValue }: Holding,
  { lots }: LotSnapshot,
  { basis, day, ids }: LotContext,
): readonly ReportedLot[] {
  const values = lotValues(marketValue, lots);
  const { longAfter } = basis.history.facts.settings;
  return lots.map((lot, index) => ({
    ...lotIds(lot, ids),
    acquisitionDate: lot.acquired,
    quantity: lot.quantity,
    unitCost: lot.referenceUnitCost,
    costBasis: lot.referenceCost,
    marketValue: values[index]!,
    unrealisedPnl: values[index]! - lot.referenceCost,
    currency: basis.currency,
    gainClassification: isShort(lot) ? 'short_term' : holdingTerm({ acquired: lot.acquired, sold: day }, longAfter),
    estimated: lot.isEstimated,
  }));
}

function isShort({ quantity }: OpenLot): boolean {
  return quantity < 0n;
}

function lotIds(lot: LotKey, ids: ReadonlyMap<number, Id>): Pick<ReportedLot, 'id' | 'sourceTransactionId'> {
  return { id: reportedLotId(lot, ids), sourceTransactionId: ids.get(lot.row) ?? null };
}

/** A lot that an upload stated is named by the upload's day, since no transaction opened it. */
export function reportedLotId({ row, ordinal }: LotKey, ids: ReadonlyMap<number, Id>): string {
  const origin = ids.get(row) ?? `upload:${fromDayNumber(checkpointDay(row))}`;
  return ordinal === 0 ? origin : `${origin}.${ordinal}`;
}
