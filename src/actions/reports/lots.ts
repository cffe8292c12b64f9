// Positions with every open lot: what each cost, what it is worth, and where it came from. Knows no wire.

import type { Id } from '../../kit/id.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { PlacedLot, ReportedInstrumentHolding, ReportedLot } from '../../model/report/lot.ts';
import { checkpointDay } from '../../engine/history/checkpoint.ts';
import { lotsOf, type Holding } from '../../engine/history/holdings.ts';
import { termOf } from '../../engine/lots/realisation.ts';
import { lotValues } from '../../engine/lots/lot-values.ts';
import type { LotKey, LotSnapshot, OpenLot } from '../../engine/lots/lot.ts';
import type { DayReport } from './day-report.ts';
import { valuationOf } from './holdings.ts';
import type { ReportScope } from './report-basis.ts';

export interface LotFilter {
  readonly instrument?: string | undefined;
  readonly account?: string | undefined;
  readonly depository?: string | undefined;
}

/** In the order of instrument, account and depository. */
export function instrumentHoldings(report: DayReport): readonly ReportedInstrumentHolding[] {
  const { scope, asOf, holdings } = report;
  const { reportingEntity, currency } = scope;
  const lots = lotsByHolding(report, holdings);
  return holdings.map((one) => ({
    reportingEntityId: reportingEntity,
    ...placeOf(one),
    quantity: one.quantity,
    marketValue: one.marketValue,
    costBasis: one.referenceCost,
    unrealisedPnl: one.unrealised,
    currency,
    valuation: valuationOf([one]),
    asOf,
    lots: lots.get(one)!,
  }));
}

/** Of each position the oldest lot first. */
export function placedLots(report: DayReport, filter: LotFilter): readonly PlacedLot[] {
  const asked = report.holdings.filter((one) => isAsked(one, filter));
  const lots = lotsByHolding(report, asked);
  return asked.flatMap((one) => lots.get(one)!.map((lot) => ({ ...placeOf(one), ...lot })));
}

function isAsked(holding: Holding, { instrument, account, depository }: LotFilter): boolean {
  return (
    (instrument === undefined || holding.instrument === instrument) &&
    (account === undefined || holding.account === account) &&
    (depository === undefined || holding.depository === depository)
  );
}

export function placeOf({ account, depository, instrument }: Pick<Holding, 'account' | 'depository' | 'instrument'>) {
  return { accountId: account, depositoryId: depository, instrumentId: instrument };
}

function lotsByHolding(
  { scope, day }: DayReport,
  holdings: readonly Holding[],
): ReadonlyMap<Holding, readonly ReportedLot[]> {
  const snapshots = holdings.map((one) => [one, lotsOf(scope.history, one, day)] as const);
  const ids = scope.idsOf(snapshots.flatMap(([, { lots }]) => lots.map(({ row }) => row)));
  return new Map(snapshots.map(([one, snapshot]) => [one, reportedLots(one, snapshot, { scope, day, ids })]));
}

interface LotContext {
  readonly scope: ReportScope;
  readonly day: Day;
  /** Of transactions by their booking numbers. */
  readonly ids: ReadonlyMap<number, Id>;
}

function reportedLots(
  { marketValue }: Holding,
  { lots }: LotSnapshot,
  { scope, day, ids }: LotContext,
): readonly ReportedLot[] {
  const values = lotValues(marketValue, lots);
  const { longAfter } = scope.history.facts.settings;
  return lots.map((lot, index) => ({
    ...lotNames(lot, ids),
    acquisitionDate: lot.acquired,
    quantity: lot.quantity,
    unitCost: lot.referenceUnitCost,
    costBasis: lot.referenceCost,
    marketValue: values[index]!,
    unrealisedPnl: values[index]! - lot.referenceCost,
    currency: scope.currency,
    gainClassification: isShort(lot) ? 'short_term' : termOf({ acquired: lot.acquired, sold: day }, longAfter),
    estimated: lot.isEstimated,
  }));
}

function isShort({ quantity }: OpenLot): boolean {
  return quantity < 0n;
}

function lotNames(lot: LotKey, ids: ReadonlyMap<number, Id>): Pick<ReportedLot, 'id' | 'sourceTransactionId'> {
  return { id: lotIdOf(lot, ids), sourceTransactionId: ids.get(lot.row) ?? null };
}

/** Of what an upload stated, its day: no transaction brought it. */
export function lotIdOf({ row, ordinal }: LotKey, ids: ReadonlyMap<number, Id>): string {
  const origin = ids.get(row) ?? `upload:${fromDayNumber(checkpointDay(row))}`;
  return ordinal === 0 ? origin : `${origin}.${ordinal}`;
}
