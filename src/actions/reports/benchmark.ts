// What a report is compared with: an instrument and the series that tells its level, and its returns beside those of the report.
// Knows no wire.

import { divideRounded } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { benchmarkReturn, type BenchmarkDay } from '../../engine/returns/benchmark.ts';
import { Series } from '../../engine/amounts/series.ts';
import type { ReturnPath } from '../../engine/returns/return-path.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import { seesReportingEntity } from '../../model/access/scope.ts';
import type { Warning } from '../../model/report/warning.ts';
import type { SeriesKind } from '../../model/instrument/series-point.ts';
import { listInstruments } from './inputs/read-client.ts';
import { gatherWarnings, type FoundWarning } from './data-quality/warnings.ts';
import { MarketMemory, seriesOf, type KnownInstrument } from './inputs/market-data-cache.ts';
import type { ReportScope, TogetherWork } from './report-basis.ts';
import type { ReportWindow } from './report-window.ts';

/** The parameter that names an instrument, and its id. */
export interface AskedInstrument {
  readonly parameter: string;
  readonly id: string;
}

export interface ComparedInstrument {
  readonly instrument: Instrument;
  readonly kind: SeriesKind | null;
  readonly series: Series;
}

/** The first of these that has any points tells the level. */
const kindsInOrder = ['index-factor', 'price', 'net-asset-value'] as const satisfies readonly SeriesKind[];

export async function getCompared(
  together: TogetherWork,
  { parameter, id }: AskedInstrument,
  knownAt: number | undefined,
): Promise<ComparedInstrument> {
  const known = await findKnown(together, id as Id, knownAt);
  if (known === undefined || !seesReportingEntity(together.store.reach.sight, known.instrument.reportingEntity)) {
    const detail = 'There is no such instrument.';
    throw new Refusal('instrument-not-found', detail, {
      faults: [{ code: 'instrument-not-found', detail, parameter }],
    });
  }
  const kind = kindsInOrder.find((one) => (known.series[one]?.length ?? 0) > 0) ?? null;
  return { instrument: known.instrument, kind, series: (kind && known.series[kind]) ?? new Series([]) };
}

async function findKnown(
  { store, house }: TogetherWork,
  id: Id,
  knownAt: number | undefined,
): Promise<Pick<KnownInstrument, 'instrument' | 'series'> | undefined> {
  if (knownAt === undefined) return (await new MarketMemory(store, house.memory).listInstruments([id])).get(id);
  const [[instrument], columns] = await Promise.all([
    listInstruments(store, [id], knownAt),
    store.seriesColumns.listSeries([id], { knownAt }),
  ]);
  return instrument && { instrument, series: seriesOf(columns).get(id) ?? {} };
}

/** Prices and net asset values are as traded: across a split that the client's books know of, they are made those of its last units. */
export function levelsOf({ instrument, kind, series }: ComparedInstrument, { history }: ReportScope): Series {
  const position = history.table.positions.findIndex((key) => key.instrument === instrument.id);
  const changes = position === -1 || kind === 'index-factor' ? [] : history.changes(position);
  if (changes.length === 0) return series;
  const points = Array.from(series.days, (_, index) => {
    const { day, value } = series.at(index);
    const since = changes.filter(({ exDay }) => day < exDay);
    const numerator = since.reduce((product, { ratio }) => product * ratio.denominator, value);
    return {
      day,
      value: divideRounded(
        numerator,
        since.reduce((product, { ratio }) => product * ratio.numerator, 1n),
      ),
    };
  });
  return new Series(points);
}

export interface BenchmarkReport {
  readonly instrument: Id;
  readonly kind: SeriesKind | null;
  readonly days: readonly BenchmarkDay[];
  readonly path: ReturnPath;
  readonly warnings: readonly Warning[];
}

/** Its levels are converted at each day's rate where it names a currency that is not the report's. */
export function benchmarkReport(
  compared: ComparedInstrument,
  scope: ReportScope,
  { window, currency: to }: { readonly window: ReportWindow; readonly currency: string },
): BenchmarkReport {
  const { instrument, kind } = compared;
  const from = instrument.ccyCode ?? instrument.listingCurrency ?? to;
  const { rates } = scope.history.facts;
  const { days, path } = benchmarkReturn({
    window,
    series: levelsOf(compared, scope),
    ...(from === to ? {} : { conversionOn: (day) => rates.get({ from, to, day }) }),
  });
  const found = days.flatMap(({ day, flag }): FoundWarning[] => (flag ? [{ code: flag, instrument: null, day }] : []));
  return { instrument: instrument.id, kind, days, path, warnings: gatherWarnings(found) };
}
