// Compares what trades paid for a unit with what the position's latest point says it is worth, in doubles.

import type { Day } from '../../kit/day.ts';
import { lastOnOrBefore, type Series } from '../amounts/series.ts';
import { powersOfTen } from '../amounts/powers-of-ten.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import { unitsPerPrice } from '../instruments/quote.ts';
import { priceUnitOf } from '../valuation/quoted-base-value.ts';
import type { History } from '../history/history.ts';
import { isTradeKind } from '../history/position-kinds.ts';

/** Beyond this part of the bound the exact figures decide. */
const certainPart = 0.999;

/** The days of trades that may change the value of what is held by more than the bound. Takes the position's rows in order. */
export function farTradeDays(history: History, position: number, own: Uint32Array): Day[] {
  const { kinds, days, values, quantities, prices, ledger } = history.rows;
  const carried = new CarriedValues(history, position);
  const unitScale = powersOfTen[ledger.scales.quantity]! / powersOfTen[ledger.scales.value]!;
  const priceScale = 1 / (powersOfTen[ledger.scales.price]! * carried.unitsPerPrice);
  const allowed = (Number(history.facts.settings.valueChangeBound) / 1e18) * certainPart;
  const far: Day[] = [];
  for (const row of own) {
    if (!isTradeKind(kinds[row]!)) continue;
    const day = days[row]!;
    const unit = carried.on(day) ?? prices[row]! * priceScale;
    const paid = Math.abs(values[row]! / quantities[row]!) * unitScale;
    const isNear = Math.abs(paid - unit) <= allowed * Math.min(paid, unit); // false for NaN
    if (!isNear) far.push(day);
  }
  return far;
}

class CarriedValues {
  readonly unitsPerPrice: number;
  readonly #series: Series | undefined;
  readonly #scale: number;
  readonly #valueWithoutPoint: number | undefined;
  readonly #splitDays: readonly Day[];

  constructor(history: History, position: number) {
    const instrument = history.instrument(position);
    this.unitsPerPrice = Number(unitsPerPrice[priceUnitOf(instrument)]);
    this.#series = findOnlySeries(instrument);
    this.#scale = powersOfTen[this.#series?.column.scale ?? 0]! * this.unitsPerPrice;
    this.#valueWithoutPoint = instrument.terms.type === 'loan' ? 1 : undefined;
    this.#splitDays = history.changes(position).map(({ exDay }) => exDay);
  }

  /** The value of one unit; undefined without a point, where the trade itself decides; NaN if only the exact valuation can tell. */
  on(day: Day): number | undefined {
    const series = this.#series;
    if (series === undefined) return Number.NaN;
    const index = lastOnOrBefore(series.days, day);
    if (index < 0) return this.#valueWithoutPoint;
    for (const split of this.#splitDays) if (series.days[index]! < split && split <= day) return Number.NaN;
    return series.column.values[index]! / this.#scale;
  }
}

/** The series that values it; undefined if several do, or if an index raises it. */
function findOnlySeries({ terms, prices, netAssetValues }: ValuedInstrument): Series | undefined {
  switch (terms.type) {
    case 'listed':
    case 'loan':
    case 'zero-coupon':
      return prices;
    case 'bond':
      return terms.index === undefined ? prices : undefined;
    case 'other':
    case 'fund':
      if (netAssetValues.length === 0) return prices;
      return prices.length === 0 ? netAssetValues : undefined;
    case 'fee':
    case 'forward':
    case 'private-fund':
      return undefined;
  }
}
