// Compares what trades paid for a unit with what the position's latest point says it is worth, in doubles.

import type { Day } from '../../kit/day.ts';
import { lastOnOrBefore, type Series } from '../amounts/series.ts';
import { powersOfTen } from '../amounts/powers-of-ten.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import { unitsPerPrice } from '../instruments/quote.ts';
import { priceUnitOf } from '../valuation/quoted-base-value.ts';
import type { History } from '../history/history.ts';

/** Beyond this part of the bound the exact figures decide. */
const certainPart = 0.999;

export class CarriedValues {
  readonly #history: History;
  readonly #instrument: ValuedInstrument;
  readonly #position: number;
  readonly #series: Series | undefined;
  readonly #unitScale: number;
  readonly #priceScale: number;

  constructor(history: History, position: number) {
    const { quantity, value, price } = history.rows.ledger.scales;
    this.#history = history;
    this.#position = position;
    this.#instrument = history.instrument(position);
    this.#series = findOnlySeries(this.#instrument);
    this.#unitScale = powersOfTen[quantity]! / powersOfTen[value]!;
    this.#priceScale = 1 / (powersOfTen[price]! * Number(unitsPerPrice[priceUnitOf(this.#instrument)]));
  }

  /** Whether the row certainly does not change the value of what is held by more than the bound. */
  isNear(row: number, bound: number): boolean {
    const { values, quantities, days, prices } = this.#history.rows;
    const carried = this.#carriedOn(days[row]!) ?? prices[row]! * this.#priceScale;
    const paid = Math.abs(values[row]! / quantities[row]!) * this.#unitScale;
    const allowed = bound * certainPart;
    return Math.abs(paid - carried) <= allowed * Math.min(paid, carried); // false for NaN
  }

  /** The value of one unit; undefined without a point, where the trade itself decides; NaN if only the exact valuation can tell. */
  #carriedOn(day: Day): number | undefined {
    const { terms } = this.#instrument;
    const series = this.#series;
    if (series === undefined) return Number.NaN;
    const index = lastOnOrBefore(series.days, day);
    if (index < 0) return terms.type === 'loan' ? 1 : undefined;
    const { values, scale } = series.column;
    const price = values[index]! / (powersOfTen[scale]! * Number(unitsPerPrice[priceUnitOf(this.#instrument)]));
    const isSplit = this.#history
      .changes(this.#position)
      .some(({ exDay }) => series.days[index]! < exDay && exDay <= day);
    return isSplit ? Number.NaN : price;
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
