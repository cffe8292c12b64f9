// Writes the market of the sandbox into the catalogue that all clients share: instruments that are missing, prices and exchange rates. Points
// have the source `reference`, which gives way to whatever users send themselves; currencies that users have rates of are left alone.

import { fromDayNumber, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import type { Id } from '../../kit/id.ts';
import { codeOf } from '../../model/sandbox/persona.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { fxRate } from '../../model/instrument/fx-rate.ts';
import { netAssetValue, price } from '../../model/instrument/series-point.ts';
import { createAndGetId, type ClassIds } from '../demo/demo-catalogue.ts';
import { decimalOf } from '../demo/demo-market.ts';
import { putRates, recordRateImport } from '../instruments/fx-rate.ts';
import { instrumentRules } from '../instruments/instrument.ts';
import { lockSeries, putPoints, recordPointImport, type SeriesPointInput } from '../instruments/series-point.ts';
import type { Work } from '../core/work.ts';
import {
  listingOf,
  priceOn,
  rateOn,
  sandboxIsin,
  type ListedKey,
  type RatedCurrency,
} from './market/sandbox-market.ts';
import { isWeekday } from './market/walk.ts';

export interface DayRange {
  readonly from: Day;
  readonly until: Day;
}

function weekdaysIn({ from, until }: DayRange): Day[] {
  return Array.from({ length: Math.max(0, until - from + 1) }, (_, index) => from + index).filter(isWeekday);
}

/** Finds an instrument of the market by its ISIN, which only the sandbox uses, or creates it. */
export async function ensureListed(work: Work, key: ListedKey, classes: ClassIds): Promise<Id> {
  const isin = sandboxIsin(key);
  const [found] = await work.store.table(instrument).list({ where: { isin, reportingEntity: null }, limit: 1 });
  if (found !== undefined) return found.id;
  const { name, type, currency, path, terms } = listingOf(key);
  const classId = classes.get(path);
  return createAndGetId(work, instrumentRules, {
    type,
    name,
    ccyCode: currency,
    isin,
    ...(classId === undefined ? {} : { instrumentClass: classId }),
    ...terms,
  });
}

/** Returns how many prices are new. */
export async function putListedPrices(work: Work, key: ListedKey, id: Id, days: DayRange): Promise<number> {
  const points = weekdaysIn(days).map((day) => ({ date: fromDayNumber(day), value: decimalOf(priceOn(key, day), 2) }));
  const series = listingOf(key).type === 'mutual-fund-instrument' ? netAssetValue : price;
  return putSandboxPoints(work, series, id, points);
}

export async function putSandboxPoints(
  work: Work,
  series: typeof price | typeof netAssetValue,
  id: Id,
  points: readonly SeriesPointInput[],
): Promise<number> {
  if (points.length === 0) return 0;
  const target = await lockSeries(work, series, id);
  const rows = points.map((point) => ({ ...point, source: 'reference' }));
  const written = await putPoints(work, series, target, rows);
  recordPointImport(work, series, target, { written, accepted: rows.length });
  return written;
}

/** Returns how many rates are new. The caller has locked them. */
export async function putMarketRates(
  work: Work,
  currencies: readonly RatedCurrency[],
  days: DayRange,
): Promise<number> {
  const own: RatedCurrency[] = [];
  for (const currency of currencies) if (await isLeftToMarket(work, currency)) own.push(currency);
  const dates = weekdaysIn(days);
  const rows = own.flatMap((quote) =>
    dates.map((day) => ({
      base: codeOf('EUR'),
      quote: codeOf(quote),
      date: fromDayNumber(day),
      rate: decimalOf(rateOn(quote, day), 4),
      source: 'reference' as const,
    })),
  );
  if (rows.length === 0) return 0;
  const written = await putRates(work, rows);
  recordRateImport(work, { written, accepted: rows.length });
  return written;
}

/** Whether nobody has sent rates of the currency since the market last did: the newest is one of its own. */
async function isLeftToMarket({ store }: Work, currency: RatedCurrency): Promise<boolean> {
  const newest = { limit: 1, order: 'newest-first' } as const;
  const [quoted] = await store.table(fxRate).list({ ...newest, where: { quote: currency } });
  const [based] = await store.table(fxRate).list({ ...newest, where: { base: currency } });
  if (based !== undefined) return false;
  if (quoted === undefined) return true;
  const { base, date, rate, source } = quoted;
  const isMarkets = rate === decimalOf(rateOn(currency, toDayNumber(date)), 4);
  return base === 'EUR' && source === 'reference' && isMarkets;
}
