// The catalogue of the demo, laid out: instruments with their prices, and the rates. Knows no client.

import type { Id } from '../../kit/id.ts';
import type { AnyChange } from '../../kit/resource.ts';
import type { CurrencyCode } from '../../model/currency.ts';
import { netAssetValue, price } from '../../model/instrument/series-point.ts';
import { holdRates, putRates, traceRates } from '../instruments/fx-rate.ts';
import { instrumentRules } from '../instruments/instrument.ts';
import { instrumentClassRules } from '../instruments/instrument-class.ts';
import { createThing, listThings, type WriteRules } from '../core/resource.ts';
import { holdSeries, putPoints, tracePoints } from '../instruments/series-point.ts';
import type { Work } from '../core/work.ts';
import { dateOf } from './demo-days.ts';
import { decimalOf, demoListed, demoPrices, demoRates, type DemoPoint, type ListedName } from './demo-market.ts';

/** By the names from the root down, with slashes between. */
export type ClassIds = ReadonlyMap<string, Id>;

export async function make(work: Work, rules: WriteRules<any>, fields: AnyChange): Promise<Id> {
  return (await createThing(work, rules, fields as never)).id;
}

export async function readClasses(work: Work): Promise<ClassIds> {
  const { things } = await listThings(work, instrumentClassRules, { where: {}, limit: 1_000 });
  return new Map(things.map(({ id, path }) => [(path as readonly string[]).join('/'), id]));
}

export async function makeCatalogue(work: Work, classes: ClassIds): Promise<ReadonlyMap<ListedName, Id>> {
  const made = new Map<ListedName, Id>();
  for (const [name, one] of Object.entries(demoListed) as [ListedName, (typeof demoListed)[ListedName]][]) {
    const id = await make(work, instrumentRules, {
      type: one.type,
      name: one.name,
      ccyCode: one.currency,
      instrumentClass: classes.get(one.path.join('/'))!,
      ...one.terms,
    });
    made.set(name, id);
    const series = one.type === 'mutual-fund-instrument' ? netAssetValue : price;
    await putSeries(work, series, id, demoPrices.get(name)!);
  }
  return made;
}

export async function putSeries(
  work: Work,
  series: typeof price | typeof netAssetValue,
  id: Id,
  points: readonly DemoPoint[],
): Promise<void> {
  const instrument = await holdSeries(work, series, id);
  const rows = points.map(({ day, value }) => ({
    date: dateOf(day),
    value: decimalOf(value, 2),
    source: 'reference',
  }));
  const written = await putPoints(work, series, instrument, rows);
  tracePoints(work, series, instrument, { written, accepted: rows.length });
}

export async function putAllRates(work: Work): Promise<void> {
  await holdRates(work);
  const rows = [...demoRates].flatMap(([quote, points]) =>
    points.map(({ day, value }) => ({
      base: 'EUR' as CurrencyCode,
      quote: quote as CurrencyCode,
      date: dateOf(day),
      rate: decimalOf(value, 4),
      source: 'reference' as const,
    })),
  );
  const written = await putRates(work, rows);
  traceRates(work, { written, accepted: rows.length });
}
