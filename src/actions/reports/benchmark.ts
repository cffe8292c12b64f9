// Compares a report with an instrument: chooses the series that gives its level, and computes its returns.

import { divideRounded } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { ratioDifference } from '../../engine/amounts/ratio-text.ts';
import { benchmarkReturn, type BenchmarkDay } from '../../engine/returns/benchmark.ts';
import { changesBetween } from '../../engine/instruments/unit-change-span.ts';
import { Series, type Point } from '../../engine/amounts/series.ts';
import { ReturnPath } from '../../engine/returns/return-path.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import { canSeeReportingEntity } from '../../model/access/scope.ts';
import type { Warning } from '../../model/report/warning.ts';
import type { SeriesKind } from '../../model/instrument/series-point.ts';
import { findBuiltInRecord } from '../instruments/built-in-instruments.ts';
import { listInstruments } from './inputs/read-client.ts';
import { groupWarnings, type FoundWarning } from './data-quality/warnings.ts';
import { MarketDataCache, toSeriesByInstrument, type VersionedInstrument } from './inputs/market-data-cache.ts';
import type { ReportBasis, ReportSnapshotWork } from './report-basis.ts';
import type { ReportWindow } from './report-window.ts';
import { emptyFigureSeries, pathSeries, type FigureSeries } from './segments/segment-series.ts';

/** The parameter that names an instrument, and its id. */
export interface InstrumentInput {
  readonly parameter: string;
  readonly id: string;
}

export interface ComparedInstrument {
  readonly instrument: Instrument;
  readonly kind: SeriesKind | null;
  readonly series: Series;
}

/** The first of these with any points gives the level. */
const levelKindsInOrder = ['index-factor', 'price', 'net-asset-value'] as const satisfies readonly SeriesKind[];

export async function getComparedInstrument(
  snapshotWork: ReportSnapshotWork,
  { parameter, id }: InstrumentInput,
  knownAt: number | undefined,
): Promise<ComparedInstrument> {
  const found = await findInstrument(snapshotWork, id as Id, knownAt);
  if (
    found === undefined ||
    !canSeeReportingEntity(snapshotWork.store.scope.visibleClients, found.instrument.reportingEntity)
  ) {
    const detail = 'There is no such instrument.';
    throw new Refusal('instrument-not-found', detail, {
      faults: [{ code: 'instrument-not-found', detail, parameter }],
    });
  }
  const kind = levelKindsInOrder.find((one) => (found.series[one]?.length ?? 0) > 0) ?? null;
  return { instrument: found.instrument, kind, series: (kind && found.series[kind]) ?? new Series([]) };
}

async function findInstrument(
  work: ReportSnapshotWork,
  id: Id,
  knownAt: number | undefined,
): Promise<Pick<VersionedInstrument, 'instrument' | 'series'> | undefined> {
  const { store, context } = work;
  const builtIn = await findBuiltInRecord(work, id);
  if (builtIn !== undefined) return { instrument: builtIn, series: {} };
  if (knownAt === undefined)
    return (await new MarketDataCache(store, context.ledgerCache).listInstruments([id])).get(id);
  const [[instrument], columns] = await Promise.all([
    listInstruments(store, [id], knownAt),
    store.seriesColumns.listSeries([id], { knownAt }),
  ]);
  return instrument && { instrument, series: toSeriesByInstrument(columns).get(id) ?? {} };
}

/**
 * Prices and net asset values are as traded: across a split that the client's ledger has, they are adjusted to the latest units.
 */
export function splitAdjustedLevels(
  { instrument, kind, series }: ComparedInstrument,
  { history }: ReportBasis,
): Series {
  const position = history.table.positions.findIndex((key) => key.instrument === instrument.id);
  const changes = position === -1 || kind === 'index-factor' ? [] : history.changes(position);
  if (changes.length === 0) return series;
  const points: Point[] = [];
  // The latest first: each point has the splits of the one after it, and perhaps more.
  for (let index = series.length - 1; index >= 0; index--) {
    const { day, value } = series.at(index);
    const { unitsBefore, unitsAfter } = changesBetween(changes, { after: day, until: Infinity });
    points.push({ day, value: divideRounded(value * unitsBefore, unitsAfter) });
  }
  return new Series(points);
}

export interface BenchmarkReport {
  readonly instrument: Id;
  readonly compared: ComparedInstrument;
  readonly kind: SeriesKind | null;
  readonly days: readonly BenchmarkDay[];
  readonly path: ReturnPath;
  readonly series: FigureSeries;
  readonly warnings: readonly Warning[];
}

/** Converts its levels at each day's rate if its currency is not the report's. */
export function benchmarkReport(
  compared: ComparedInstrument,
  basis: ReportBasis,
  { window, currency: to }: { readonly window: ReportWindow; readonly currency: string },
): BenchmarkReport {
  const { instrument, kind } = compared;
  const from = instrument.ccyCode ?? instrument.listingCurrency ?? to;
  const { rates, settings } = basis.history.facts;
  const { days, path } = benchmarkReturn({
    window,
    ...(settings.volatilityDays !== undefined && { volatilityDays: settings.volatilityDays }),
    series: splitAdjustedLevels(compared, basis),
    ...(from === to ? {} : { conversionOn: (day) => rates.get({ from, to, day }) }),
  });
  if (!window.isCovered) return nothingCompared(compared, path);
  const found = days.flatMap(({ day, flag }): FoundWarning[] => (flag ? [{ code: flag, instrument: null, day }] : []));
  const last = days.at(-1)?.end?.point.day ?? window.end;
  const { daysMax } = kind === 'price' ? settings.staleness.listed : settings.staleness.fund;
  if (window.end - last > daysMax) found.push({ code: 'stale-value', instrument: instrument.id, day: last });
  const series = pathSeries(path);
  return { instrument: instrument.id, compared, kind, days, path, series, warnings: groupWarnings(found) };
}

/** There are no days on which it could be compared with anything. */
function nothingCompared(compared: ComparedInstrument, { days, ratios }: ReturnPath): BenchmarkReport {
  const { instrument, kind } = compared;
  const path = new ReturnPath({ days, ratios, firstValue: days[0]!, noReturn: 'nothing-covered' });
  return { instrument: instrument.id, compared, kind, days: [], path, series: emptyFigureSeries, warnings: [] };
}

/** The return of one less that of the other; null if one of them has none. */
export function excessReturn(
  { cumulativeReturn: own }: ReturnPath,
  { cumulativeReturn: other }: ReturnPath,
): number | null {
  return own === null || other === null ? null : ratioDifference(own, other);
}
