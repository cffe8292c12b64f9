// Finds trades whose amount is far from units × price: a price in another unit, a slipped decimal point, a wrong currency.

import type { Day } from '../../kit/day.ts';
import { divideRounded, magnitude, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { powersOfTen } from '../amounts/powers-of-ten.ts';
import { convertedAmount, type IsoCurrency } from '../currencies/exchange-rates.ts';
import type { ValuedInstrument } from '../instruments/instrument.ts';
import { unitsPerPrice } from '../instruments/quote.ts';
import { indexRatioOn } from '../valuation/index-ratio.ts';
import { priceUnitOf } from '../valuation/quoted-base-value.ts';
import type { History } from '../history/history.ts';
import { isTradeKind } from '../history/position-kinds.ts';

export interface AmountFinding {
  readonly kind: 'amount-far-from-price';
  readonly position: number;
  readonly row: number;
  readonly day: Day;
  readonly quantity: Fixed;
  /** As booked, in the currency of the account. */
  readonly amount: Fixed;
  readonly currency: IsoCurrency;
}

/** By how many times an amount may exceed units × price, or the other way round, whatever fees and taxes are in it. */
const factorMax = 5n;

export class AmountChecks {
  readonly #history: History;
  readonly #near: NearRows;

  constructor(history: History) {
    this.#history = history;
    this.#near = new NearRows(history);
  }

  /** Of the position's rows, in order. */
  findingsOf(position: number, own: Uint32Array): readonly AmountFinding[] {
    const { rows } = this.#history;
    const instrument = this.#history.instrument(position);
    const found: AmountFinding[] = [];
    for (const row of this.#near.without(own, instrument)) {
      const price = rows.findPrice(row);
      if (price === null || !isFar(this.#history, instrument, { row, price })) continue;
      const { row: number, day, quantity, amount, currency } = rows.transaction(row);
      found.push({ kind: 'amount-far-from-price', position, row: number, day, quantity, amount, currency });
    }
    return found;
  }
}

/** Doubles alone decide that an amount is near if neither the value nor the rate of exchange is off by more than this. */
const nearFactor = 1.8;

/** How long one rate of exchange serves to recognise rows that are near. */
const rateDays = 32;

/** Recognises from the columns that a row is near units × price, which nearly all rows are. */
class NearRows {
  readonly #history: History;
  readonly #valueScale: number;
  readonly #rateScale: number;
  readonly #rates = new Map<string, PairRates>();
  /** By the number of a cash position. */
  readonly #currencies = new Map<number, IsoCurrency>();

  constructor(history: History) {
    const { quantity, price, value, amount } = history.rows.ledger.scales;
    this.#history = history;
    this.#valueScale = powersOfTen[value]! / (powersOfTen[quantity]! * powersOfTen[price]!);
    this.#rateScale = powersOfTen[amount]! / powersOfTen[value]!;
  }

  /** The trades that are not recognised, also because a figure does not fit a double. */
  without(own: Uint32Array, instrument: ValuedInstrument): readonly number[] {
    const { kinds, days, values, quantities, prices, amounts, cash } = this.#history.rows;
    const { terms, currency } = instrument;
    const hasIndex = terms.type === 'bond' && terms.index !== undefined;
    const worthScale = this.#valueScale / Number(unitsPerPrice[priceUnitOf(instrument)]);
    const others: number[] = [];
    let [lastCash, rates]: [number, PairRates | undefined] = [-1, undefined];
    for (const row of own) {
      if (!isTradeKind(kinds[row]!)) continue;
      const value = values[row]!;
      const worth = Math.abs(quantities[row]! * prices[row]!) * worthScale;
      if (hasIndex || !isNearOne(value / worth)) {
        others.push(row);
        continue;
      }
      // Rows of a position mostly are paid from the same cash.
      if (lastCash < 0 || cash[row] !== lastCash) {
        lastCash = cash[row]!;
        rates = this.#ratesTo(row, currency);
      }
      if (rates === undefined) continue;
      const paid = Math.abs(amounts[row]! / (value * this.#rateScale));
      if (!isNearOne(paid / rates.near(days[row]!))) others.push(row);
    }
    return others;
  }

  /** From the instrument's currency to the one that the row is paid in; undefined if they are the same. */
  #ratesTo(row: number, from: IsoCurrency): PairRates | undefined {
    const to = this.#currencyOf(row);
    if (to === from) return undefined;
    const key = `${from} ${to}`;
    const rates = this.#rates.get(key) ?? new PairRates(this.#history, { from, to });
    this.#rates.set(key, rates);
    return rates;
  }

  #currencyOf(row: number): IsoCurrency {
    const { rows } = this.#history;
    const cash = rows.cash[row]!;
    const cached = this.#currencies.get(cash);
    if (cached !== undefined) return cached;
    const { currency } = rows.transaction(row);
    if (cash >= 0) this.#currencies.set(cash, currency);
    return currency;
  }
}

/** The rates of one pair of currencies, as doubles. */
class PairRates {
  readonly #history: History;
  readonly #pair: { readonly from: IsoCurrency; readonly to: IsoCurrency };
  readonly #byMonth = new Map<number, number>();

  constructor(history: History, pair: { readonly from: IsoCurrency; readonly to: IsoCurrency }) {
    this.#history = history;
    this.#pair = pair;
  }

  /** On a day near this one; NaN if it is not known. */
  near(day: Day): number {
    const month = Math.floor(day / rateDays);
    const cached = this.#byMonth.get(month);
    if (cached !== undefined) return cached;
    const found = this.#history.facts.rates.find({ ...this.#pair, day });
    const rate = found === undefined ? Number.NaN : Number(found.numerator) / Number(found.denominator);
    this.#byMonth.set(month, rate);
    return rate;
  }
}

function isNearOne(ratio: number): boolean {
  return ratio < nearFactor && ratio > 1 / nearFactor;
}

interface PricedRow {
  readonly row: number;
  readonly price: Fixed;
}

function isFar({ rows, facts }: History, instrument: ValuedInstrument, { row, price }: PricedRow): boolean {
  const { day, quantity, amount, value, currency, details } = rows.transaction(row);
  const { terms, indexFactors } = instrument;
  const { factor, baseFactor } = (terms.type === 'bond' && indexRatioOn(terms, indexFactors, day).ratio) || noIndex;
  const perPrice = oneFixed * unitsPerPrice[priceUnitOf(instrument)];
  const worth = divideRounded(magnitude(quantity) * price * factor, perPrice * baseFactor);
  const accrued = details?.accrued ?? 0n;
  const rate =
    currency === instrument.currency ? undefined : facts.rates.find({ from: currency, to: instrument.currency, day });
  const paid = rate === undefined ? magnitude(value) : magnitude(convertedAmount(magnitude(amount), rate) - accrued);
  return worth !== 0n && (paid > factorMax * worth || worth > factorMax * paid);
}

const noIndex = { factor: 1n, baseFactor: 1n };
