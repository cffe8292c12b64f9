// Currencies into each other at the end of a day: the pair itself, its inverse, or two pairs crossed through a third
// currency. A pair that cannot be reached is missing, never one.

import type { Day } from '../../kit/day.ts';
import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { Series, type Point } from '../amounts/series.ts';

/** An ISO 4217 code. */
export type Currency = string;

export interface Exchange {
  readonly from: Currency;
  readonly to: Currency;
  readonly day: Day;
}

/** 1 of `base` is `rate` of `quote`, as it was given for the day. */
export interface QuotedRate {
  readonly base: Currency;
  readonly quote: Currency;
  readonly day: Day;
  readonly rate: Fixed;
}

/** 1 of `from` is numerator / denominator of `to`, kept as a fraction so that an amount is rounded once. */
export interface Conversion extends Exchange {
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** What it was made of, in the order of the way. */
  readonly quoted: readonly QuotedRate[];
}

export class RateMissing extends Error {
  readonly exchange: Exchange;

  constructor(exchange: Exchange) {
    super(`There is no rate from ${exchange.from} to ${exchange.to}.`);
    this.name = 'RateMissing';
    this.exchange = exchange;
  }
}

export interface RateSeries {
  readonly base: Currency;
  readonly quote: Currency;
  readonly points: readonly Point[] | Series;
}

/** A pair on the way, and whether it is read backwards. */
export interface Leg {
  readonly series: Series;
  readonly isInverse: boolean;
}

interface Pair {
  readonly base: Currency;
  readonly quote: Currency;
  readonly series: Series;
}

/** Tried first as the currency in the middle; the others follow in the order of their codes. */
const usualPivots: readonly Currency[] = ['EUR', 'USD'];

export class ExchangeRates {
  /** The pairs that lead out of a currency, by where they lead: the one stored so before the inverse of another. */
  readonly #ways = new Map<Currency, Map<Currency, Pair[]>>();

  constructor(pairs: readonly RateSeries[]) {
    const stored = pairs.map(({ base, quote, points }) => {
      return { base, quote, series: points instanceof Series ? points : new Series(points) };
    });
    for (const pair of stored) this.#put(pair.base, pair.quote, pair);
    for (const pair of stored) this.#put(pair.quote, pair.base, pair);
  }

  #put(from: Currency, to: Currency, pair: Pair): void {
    const ways = this.#ways.get(from) ?? new Map<Currency, Pair[]>();
    this.#ways.set(from, ways.set(to, [...(ways.get(to) ?? []), pair]));
  }

  get(exchange: Exchange): Conversion {
    const found = this.find(exchange);
    if (found === undefined) throw new RateMissing(exchange);
    return found;
  }

  find(exchange: Exchange): Conversion | undefined {
    const { from, to } = exchange;
    const start: Conversion = { ...exchange, numerator: 1n, denominator: 1n, quoted: [] };
    if (from === to) return start;
    const direct = this.#step(start, from, to);
    if (direct) return direct;
    for (const pivot of this.#pivotsFrom(from)) {
      const half = this.#step(start, from, pivot);
      const crossed = half && this.#step(half, pivot, to);
      if (crossed) return crossed;
    }
    return undefined;
  }

  /** The ways that `find` tries, in its order: the first whose pairs have all begun counts. */
  listWays(from: Currency, to: Currency): readonly (readonly Leg[])[] {
    const crossed = this.#pivotsFrom(from).flatMap((pivot) =>
      this.#legs(from, pivot).flatMap((half) => this.#legs(pivot, to).map((other) => [half, other])),
    );
    return [...this.#legs(from, to).map((leg) => [leg]), ...crossed];
  }

  #legs(from: Currency, to: Currency): Leg[] {
    return (this.#ways.get(from)?.get(to) ?? []).map(({ base, series }) => ({ series, isInverse: base !== from }));
  }

  #pivotsFrom(from: Currency): readonly Currency[] {
    const reached = [...(this.#ways.get(from)?.keys() ?? [])].toSorted();
    const usual = usualPivots.filter((pivot) => reached.includes(pivot));
    return [...usual, ...reached.filter((one) => !usual.includes(one))];
  }

  #step(before: Conversion, from: Currency, to: Currency): Conversion | undefined {
    for (const { base, quote, series } of this.#ways.get(from)?.get(to) ?? []) {
      const point = series.find(before.day);
      if (point === undefined) continue;
      const [by, per] = base === from ? [point.value, oneFixed] : [oneFixed, point.value];
      return {
        ...before,
        numerator: before.numerator * by,
        denominator: before.denominator * per,
        quoted: [...before.quoted, { base, quote, day: point.day, rate: point.value }],
      };
    }
    return undefined;
  }
}

/** An amount in the other currency, rounded once. */
export function convertedAmount(amount: Fixed, { numerator, denominator }: Conversion): Fixed {
  if (numerator === denominator) return amount;
  return divideRounded(amount * numerator, denominator);
}

/** The rate as one figure, for showing and for keeping with a lot. */
export function conversionRate(conversion: Conversion): Fixed {
  return convertedAmount(oneFixed, conversion);
}
