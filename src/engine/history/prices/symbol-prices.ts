// Finds what an instrument was worth when its symbol changed: it is the same security, so its last price goes on under the new symbol.

import { divideRounded } from '../../../kit/fixed.ts';
import type { Point } from '../../amounts/series.ts';
import { unitsPerPrice } from '../../instruments/quote.ts';
import type { ValuedInstrument } from '../../instruments/instrument.ts';
import { changesBetween, type UnitChange } from '../../instruments/unit-change-span.ts';
import type { Ratio } from '../../lots/lot.ts';
import { findPoint } from '../../valuation/quoted.ts';
import { priceUnitOf } from '../../valuation/quoted-base-value.ts';
import type { Facts } from '../facts.ts';
import type { LedgerRows } from '../ledger-rows.ts';

/** A price at a row, of the day on which it was new. */
export interface TradedPoint extends Point {
  readonly row: number;
}

interface SymbolChangeSource {
  readonly facts: Pick<Facts, 'instruments'>;
  readonly rows: LedgerRows;
  tradesOf(instrument: string): readonly TradedPoint[];
  changesOf(instrument: string): readonly UnitChange[];
}

/** By the new instrument. Each has the day of the price that it carries on, which may be old. */
export function pricesBySymbolChange(source: SymbolChangeSource): ReadonlyMap<string, readonly TradedPoint[]> {
  const { rows, facts } = source;
  const found = new Map<string, TradedPoint[]>();
  for (const row of rows.rowsWithDetails) {
    const action = rows.details(row)?.action;
    if (action?.action !== 'merger' || action.isSymbolChange !== true) continue;
    const { instrument, day } = rows.transaction(row);
    const [from, to] = [facts.instruments.get(instrument!), facts.instruments.get(action.target)];
    if (from === undefined || to === undefined || !haveComparablePrices(from, to)) continue;
    const known = [...source.tradesOf(from.id), ...(found.get(from.id) ?? [])].toSorted(byDay);
    const last = findPoint(from, { day, after: -Infinity })?.point ?? known.findLast((one) => one.day <= day);
    if (last === undefined) continue;
    const { unitsBefore, unitsAfter } = changesBetween(source.changesOf(from.id), { after: last.day, until: day });
    const value = { from, to, ratio: action.ratio, last, unitsBefore, unitsAfter };
    found.getOrInsertComputed(to.id, () => []).push({ row, day: last.day, value: convertedPrice(value) });
  }
  return found;
}

export function byDay(one: TradedPoint, other: TradedPoint): number {
  return one.day - other.day || one.row - other.row;
}

/** A net asset value of a private fund is that of the whole stake, and is rolled forward by its own calls. */
function haveComparablePrices(from: ValuedInstrument, to: ValuedInstrument): boolean {
  const isPrivate = [from, to].some(({ terms }) => terms.type === 'private-fund');
  return from.currency === to.currency && !isPrivate;
}

interface PriceToConvert {
  readonly from: ValuedInstrument;
  readonly to: ValuedInstrument;
  readonly ratio: Ratio;
  readonly last: Point;
  readonly unitsBefore: bigint;
  readonly unitsAfter: bigint;
}

function convertedPrice({ from, to, ratio, last, unitsBefore, unitsAfter }: PriceToConvert): Point['value'] {
  const [pricedTo, pricedFrom] = [unitsPerPrice[priceUnitOf(to)], unitsPerPrice[priceUnitOf(from)]];
  const numerator = last.value * unitsBefore * ratio.denominator * pricedTo;
  return divideRounded(numerator, unitsAfter * ratio.numerator * pricedFrom);
}
