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
  *findingsOf(position: number, own: Uint32Array): Generator<AmountFinding> {
    const { rows } = this.#history;
    const instrument = this.#history.instrument(position);
    const perPrice = Number(unitsPerPrice[priceUnitOf(instrument)]);
    for (const row of own) {
      if (!isTradeKind(rows.kinds[row]!) || this.#near.has(row, instrument, perPrice)) continue;
      const price = rows.findPrice(row);
      if (price === null || !isFar(this.#history, instrument, { row, price })) continue;
      const { row: number, day, quantity, amount, currency } = rows.transaction(row);
      yield { kind: 'amount-far-from-price', position, row: number, day, quantity, amount, currency };
    }
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
  readonly #rates = new Map<string, number>();
  /** By the number of a cash position. */
  readonly #currencies = new Map<number, IsoCurrency>();

  constructor(history: History) {
    const { quantity, price, value, amount } = history.rows.ledger.scales;
    this.#history = history;
    this.#valueScale = powersOfTen[value]! / (powersOfTen[quantity]! * powersOfTen[price]!);
    this.#rateScale = powersOfTen[amount]! / powersOfTen[value]!;
  }

  /** Takes the units that a price is for. False also if a figure does not fit a double. */
  has(row: number, { terms, currency }: ValuedInstrument, perPrice: number): boolean {
    const { values, quantities, prices, amounts } = this.#history.rows;
    if (terms.type === 'bond' && terms.index !== undefined) return false;
    const value = values[row]!;
    const worth = (quantities[row]! * prices[row]! * this.#valueScale) / perPrice;
    if (!isNearOne(value / Math.abs(worth))) return false;
    const paidIn = this.#currencyOf(row);
    if (paidIn === currency) return true;
    const paid = Math.abs(amounts[row]! / (value * this.#rateScale));
    return isNearOne(paid / this.#rate({ from: currency, to: paidIn }, row));
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

  /** On a day near that of the row; NaN if it is not known. */
  #rate({ from, to }: { readonly from: IsoCurrency; readonly to: IsoCurrency }, row: number): number {
    const day = this.#history.rows.days[row]!;
    const key = `${from} ${to} ${Math.floor(day / rateDays)}`;
    const cached = this.#rates.get(key);
    if (cached !== undefined) return cached;
    const found = this.#history.facts.rates.find({ from, to, day });
    const rate = found === undefined ? Number.NaN : Number(found.numerator) / Number(found.denominator);
    this.#rates.set(key, rate);
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
