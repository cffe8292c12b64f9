// Reports positions with every open lot: its cost, its value and the transaction that opened it.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import type { LotWithPosition, ReportedInstrumentHolding, ReportedLot } from '../../model/report/lot.ts';
import { checkpointDay } from '../../engine/history/checkpoint.ts';
import { lotSnapshotOf, openLotsOf, type Holding } from '../../engine/history/holdings.ts';
import { holdingTerm } from '../../engine/lots/realisation.ts';
import { lotValues } from '../../engine/lots/lot-values.ts';
import { lotCostsAtDayRate } from '../../engine/returns/unrealised-parts.ts';
import type { Lot, LotKey, LotSnapshot, OpenLot } from '../../engine/lots/lot.ts';
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
  const lots = await lotsByHolding(report);
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

/** A lot by its holding and its index there, and what it is called. */
export interface ListedLot {
  readonly holding: Holding;
  readonly index: number;
  readonly id: string;
  readonly sourceTransactionId: ReportedLot['sourceTransactionId'];
}

/** The oldest lot of each position comes first. Nothing of them is computed yet. */
export async function listLots(work: Work, report: DayReport, filter: LotFilter): Promise<readonly ListedLot[]> {
  const { basis, day, turn } = report;
  const matching = report.holdings.filter((one) => matchesFilter(one, filter));
  if (matching.length === 0) await requireFilterTargets(work, segmentTargets(filter));
  const listed: (readonly [Holding, readonly Lot[]])[] = [];
  for (const holding of matching) {
    listed.push([holding, openLotsOf(basis.history, holding, day)]);
    await turn.pause();
  }
  const ids = findLotTransactions(basis, listed);
  return listed.flatMap(([holding, lots]) => lots.map((lot, index) => ({ holding, index, ...lotIds(lot, ids) })));
}

/** All figures of these lots. */
export async function describeLots(report: DayReport, lots: readonly ListedLot[]): Promise<readonly LotWithPosition[]> {
  const { turn } = report;
  const figures = new Map<Holding, ReturnType<typeof splitLotFigures>>();
  for (const { holding } of lots) {
    if (figures.has(holding)) continue;
    figures.set(holding, splitLotFigures(report, holding));
    await turn.pause();
  }
  return lots.map(({ holding, index, id, sourceTransactionId }) => {
    const ofHolding = defined(figures.get(holding), 'every holding has its figures');
    return {
      ...positionIds(holding),
      id,
      sourceTransactionId,
      ...defined(ofHolding[index], 'every lot has its figures'),
    };
  });
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

async function lotsByHolding({
  basis,
  day,
  turn,
  holdings,
}: DayReport): Promise<ReadonlyMap<Holding, readonly ReportedLot[]>> {
  const snapshots: (readonly [Holding, LotSnapshot])[] = [];
  for (const one of holdings) {
    snapshots.push([one, lotSnapshotOf(basis.history, one, day)]);
    await turn.pause();
  }
  const ids = findLotTransactions(
    basis,
    snapshots.map(([holding, { lots }]) => [holding, lots]),
  );
  return new Map(
    snapshots.map(([one, snapshot]) => {
      const figures = lotFigures(one, snapshot, { basis, day });
      return [one, snapshot.lots.map((lot, index) => ({ ...lotIds(lot, ids), ...figures[index]! }))];
    }),
  );
}

/** The ids of transactions by their booking numbers. */
function findLotTransactions(
  basis: ReportBasis,
  lots: readonly (readonly [Holding, readonly LotKey[]])[],
): ReadonlyMap<number, Id> {
  return basis.findTransactionIds(lots.flatMap(([, ofHolding]) => ofHolding.map(({ row }) => row)));
}

type LotFigures = Omit<ReportedLot, 'id' | 'sourceTransactionId'>;

/** With the gain of each lot split into what its price and its currency brought. */
function splitLotFigures(report: DayReport, holding: Holding) {
  const { history } = report.basis;
  const snapshot = lotSnapshotOf(history, holding, report.day);
  const costs = lotCostsAtDayRate(history, holding, snapshot.lots);
  return lotFigures(holding, snapshot, report).map((lot, index) => {
    const currencyPart = costs[index]! - lot.costBasis;
    return { ...lot, unrealisedPricePart: lot.unrealisedPnl - currencyPart, unrealisedCurrencyPart: currencyPart };
  });
}

function lotFigures(
  { marketValue }: Holding,
  { lots }: LotSnapshot,
  { basis, day }: Pick<DayReport, 'basis' | 'day'>,
): readonly LotFigures[] {
  const values = lotValues(marketValue, lots);
  const { longAfter } = basis.history.facts.settings;
  return lots.map((lot, index) => ({
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
