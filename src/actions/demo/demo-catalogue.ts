// Creates the catalogue of the demo: instruments with their prices, and exchange rates.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { netAssetValue, price } from '../../model/instrument/series-point.ts';
import { lockRates, putRates, recordRateImport } from '../instruments/fx-rate.ts';
import { instrumentRules } from '../instruments/instrument.ts';
import { instrumentClassRules } from '../instruments/instrument-class.ts';
import { createRecord, listRecords, type WriteRules } from '../core/resource.ts';
import {
  lockSeries,
  putPoints,
  recordPointImport,
  type SeriesPointInput,
  type SeriesResource,
} from '../instruments/series-point.ts';
import type { Work } from '../core/work.ts';
import { dateOf } from './demo-days.ts';
import { decimalOf, demoInstruments, demoPrices, demoRates, type DemoPoint, type ListedName } from './demo-market.ts';

/** Class ids by path: the names from the root down, joined with slashes. */
export type ClassIds = ReadonlyMap<string, Id>;

export interface DemoCatalogue {
  readonly classes: ClassIds;
  readonly instruments: ReadonlyMap<ListedName, Id>;
}

export async function createAndGetId(work: Work, rules: WriteRules<any>, fields: AnyChange): Promise<Id> {
  return (await createRecord(work, rules, fields as never)).id;
}

export async function listClassIds(work: Work): Promise<ClassIds> {
  const { records } = await listRecords(work, instrumentClassRules, { where: {}, limit: 1_000 });
  return new Map(records.map(({ id, path }) => [(path as readonly string[]).join('/'), id]));
}

export async function createCatalogue(work: Work, classes: ClassIds): Promise<ReadonlyMap<ListedName, Id>> {
  const idsByName = new Map<ListedName, Id>();
  for (const [name, one] of Object.entries(demoInstruments) as [ListedName, (typeof demoInstruments)[ListedName]][]) {
    const id = await createAndGetId(work, instrumentRules, {
      type: one.type,
      name: one.name,
      ccyCode: one.currency,
      instrumentClass: defined(classes.get(one.path.join('/')), 'the classes of the demo exist'),
      ...one.terms,
    });
    idsByName.set(name, id);
    const series = one.type === 'mutual-fund-instrument' ? netAssetValue : price;
    await putSeries(work, series, id, defined(demoPrices.get(name), 'every instrument of the demo has prices'));
  }
  return idsByName;
}

export async function putSeries(
  work: Work,
  series: typeof price | typeof netAssetValue,
  id: Id,
  points: readonly DemoPoint[],
): Promise<void> {
  await putDatedPoints(
    work,
    series,
    id,
    points.map(({ day, value }) => ({ date: dateOf(day), value: decimalOf(value, 2) })),
  );
}

/** Writes points of any series. */
export async function putDatedPoints(
  work: Work,
  series: SeriesResource,
  id: Id,
  points: readonly SeriesPointInput[],
): Promise<void> {
  const instrument = await lockSeries(work, series, id);
  const rows = points.map((point) => ({ ...point, source: 'reference' }));
  const written = await putPoints(work, series, instrument, rows);
  recordPointImport(work, series, instrument, { written, accepted: rows.length });
}

export function putDemoRates(work: Work): Promise<void> {
  return putEuroRates(work, demoRates);
}

/** What one euro costs in each of these currencies. */
export async function putEuroRates(work: Work, rates: ReadonlyMap<string, readonly DemoPoint[]>): Promise<void> {
  await lockRates(work);
  const rows = [...rates].flatMap(([quote, points]) =>
    points.map(({ day, value }) => ({
      base: 'EUR' as CurrencyCode,
      quote: quote as CurrencyCode,
      date: dateOf(day),
      rate: decimalOf(value, 4),
      source: 'reference' as const,
    })),
  );
  const written = await putRates(work, rows);
  recordRateImport(work, { written, accepted: rows.length });
}
