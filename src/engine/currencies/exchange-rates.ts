// Converts currencies at the end of a day: by the pair itself, its inverse, or pairs crossed through one or two other currencies. A
// pair without a path is reported as missing; it is never taken as 1.

import { leastOf } from '../../kit/memory/long-list.ts';
import type { Day } from '../../kit/day.ts';
import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { Series, type Point } from '../amounts/series.ts';

/** An ISO 4217 code. */
export type IsoCurrency = string;

export interface ConversionKey {
  readonly from: IsoCurrency;
  readonly to: IsoCurrency;
  readonly day: Day;
}

/** By day, then by the currency to convert from and into. */
export function compareConversions(one: ConversionKey, other: ConversionKey): number {
  return one.day - other.day || compareText(one.from, other.from) || compareText(one.to, other.to);
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** 1 of `base` is `rate` of `quote`, as published for the day. */
interface QuotedRate {
  readonly base: IsoCurrency;
  readonly quote: IsoCurrency;
  readonly day: Day;
  readonly rate: Fixed;
  /** Older than accepted on the day of the conversion. */
  readonly isStale: boolean;
}

/** 1 of `from` is numerator / denominator of `to`, kept as a fraction so that an amount is rounded once. */
export interface Conversion extends ConversionKey {
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The quoted rates it was made of, in order. */
  readonly quoted: readonly QuotedRate[];
}

export class MissingRateError extends Error {
  readonly exchange: ConversionKey;

  constructor(exchange: ConversionKey) {
    super(`There is no rate from ${exchange.from} to ${exchange.to}.`);
    this.name = 'RateMissing';
    this.exchange = exchange;
  }
}

/** Stands for a rate that is missing. It may be passed on as long as no amount needs it. */
export class MissingConversion implements Conversion {
  readonly from: IsoCurrency;
  readonly to: IsoCurrency;
  readonly day: Day;
  readonly quoted: readonly QuotedRate[] = [];

  constructor({ from, to, day }: ConversionKey) {
    this.from = from;
    this.to = to;
    this.day = day;
  }

  get numerator(): bigint {
    return this.need();
  }

  get denominator(): bigint {
    return this.need();
  }

  /** Called where an amount needs the rate. */
  need(): bigint {
    const { from, to, day } = this;
    throw new MissingRateError({ from, to, day });
  }
}

export interface RateSeries {
  readonly base: IsoCurrency;
  readonly quote: IsoCurrency;
  readonly points: readonly Point[] | Series;
}

/** One pair of a path, and whether it is inverted. */
export interface ConversionStep {
  readonly series: Series;
  readonly isInverse: boolean;
}

interface StoredPair {
  readonly base: IsoCurrency;
  readonly quote: IsoCurrency;
  readonly series: Series;
}

/** Tried first as the middle currency; others follow in the order of their codes. */
const preferredPivots: readonly IsoCurrency[] = ['EUR', 'USD'];

/** The currencies that a conversion goes through, both ends included. */
type Chain = readonly IsoCurrency[];

/** How many chains over two pivots are tried. */
const longChainsMax = 32;

export class ExchangeRates {
  /** The pairs that lead out of a currency, by the currency they lead to. A stored pair comes before the inverse of another. */
  #pairsByCurrency = new Map<IsoCurrency, Map<IsoCurrency, StoredPair[]>>();
  #daysMax = Infinity;
  #knownChains = new Map<string, readonly Chain[]>();

  constructor(pairs: readonly RateSeries[]) {
    const stored = pairs.map(({ base, quote, points }) => {
      return { base, quote, series: points instanceof Series ? points : new Series(points) };
    });
    for (const pair of stored) this.#addPair(pair.base, pair.quote, pair);
    for (const pair of stored) this.#addPair(pair.quote, pair.base, pair);
  }

  #addPair(from: IsoCurrency, to: IsoCurrency, pair: StoredPair): void {
    const pairsByTarget = this.#pairsByCurrency.get(from) ?? new Map<IsoCurrency, StoredPair[]>();
    this.#pairsByCurrency.set(from, pairsByTarget.set(to, [...(pairsByTarget.get(to) ?? []), pair]));
  }

  /** The same rates, where one that is older than this is stale. */
  withStaleness({ daysMax }: { readonly daysMax: number }): ExchangeRates {
    const rates = new ExchangeRates([]);
    rates.#pairsByCurrency = this.#pairsByCurrency;
    rates.#knownChains = this.#knownChains;
    rates.#daysMax = daysMax;
    return rates;
  }

  /** A missing rate is reported when an amount needs it: see MissingConversion. */
  get(exchange: ConversionKey): Conversion {
    return this.find(exchange) ?? new MissingConversion(exchange);
  }

  find(exchange: ConversionKey): Conversion | undefined {
    const { from, to } = exchange;
    const start: Conversion = { ...exchange, numerator: 1n, denominator: 1n, quoted: [] };
    if (from === to) return start;
    for (const chain of this.#chains(from, to)) {
      let conversion: Conversion | undefined = start;
      for (let at = 1; at < chain.length && conversion !== undefined; at++)
        conversion = this.#extendConversion(conversion, chain[at - 1]!, chain[at]!);
      if (conversion !== undefined) return conversion;
    }
    return undefined;
  }

  /** The paths that `find` tries, in order: the first whose pairs all have a rate by then counts. */
  listPaths(from: IsoCurrency, to: IsoCurrency): readonly (readonly ConversionStep[])[] {
    return this.#chains(from, to).flatMap((chain) => {
      let paths: readonly (readonly ConversionStep[])[] = [[]];
      for (let at = 1; at < chain.length; at++) {
        const steps = this.#conversionSteps(chain[at - 1]!, chain[at]!);
        paths = paths.flatMap((path) => steps.map((step) => [...path, step]));
      }
      return paths;
    });
  }

  /**
   * The currencies that lead from one to another, in the order in which they are tried: the pair itself, then one pivot. Two pivots
   * count only where no shorter chain is stored, whatever its rates begin with.
   */
  #chains(from: IsoCurrency, to: IsoCurrency): readonly Chain[] {
    const key = `${from} ${to}`;
    const known = this.#knownChains.get(key);
    if (known !== undefined) return known;
    const crossed = this.#pivotsFrom(from)
      .filter((pivot) => this.#isStored(pivot, to))
      .map((pivot) => [from, pivot, to]);
    const short = [...(this.#isStored(from, to) ? [[from, to]] : []), ...crossed];
    const chains = short.length > 0 ? short : this.#longChains(from, to);
    this.#knownChains.set(key, chains);
    return chains;
  }

  #longChains(from: IsoCurrency, to: IsoCurrency): readonly Chain[] {
    const chains: Chain[] = [];
    for (const first of this.#pivotsFrom(from)) {
      for (const second of this.#pivotsFrom(to)) {
        if (!this.#isStored(first, second)) continue;
        chains.push([from, first, second, to]);
        if (chains.length === longChainsMax) return chains;
      }
    }
    return chains;
  }

  #isStored(from: IsoCurrency, to: IsoCurrency): boolean {
    return this.#pairsByCurrency.get(from)?.has(to) ?? false;
  }

  #conversionSteps(from: IsoCurrency, to: IsoCurrency): ConversionStep[] {
    return (this.#pairsByCurrency.get(from)?.get(to) ?? []).map(({ base, series }) => ({
      series,
      isInverse: base !== from,
    }));
  }

  #pivotsFrom(from: IsoCurrency): readonly IsoCurrency[] {
    const reachable = [...(this.#pairsByCurrency.get(from)?.keys() ?? [])].toSorted();
    const preferred = preferredPivots.filter((pivot) => reachable.includes(pivot));
    return [...preferred, ...reachable.filter((one) => !preferred.includes(one))];
  }

  #extendConversion(before: Conversion, from: IsoCurrency, to: IsoCurrency): Conversion | undefined {
    for (const { base, quote, series } of this.#pairsByCurrency.get(from)?.get(to) ?? []) {
      const point = series.find(before.day);
      if (point === undefined) continue;
      const [by, per] = base === from ? [point.value, oneFixed] : [oneFixed, point.value];
      return {
        ...before,
        numerator: before.numerator * by,
        denominator: before.denominator * per,
        quoted: [
          ...before.quoted,
          { base, quote, day: point.day, rate: point.value, isStale: before.day - point.day > this.#daysMax },
        ],
      };
    }
    return undefined;
  }
}

/** The day of the oldest rate that is stale; null if none is, or if nothing was converted. */
export function staleRateDay({ quoted }: Conversion): Day | null {
  const days = quoted.flatMap(({ day, isStale }) => (isStale ? [day] : []));
  return days.length === 0 ? null : leastOf(days);
}

/** Converts an amount, rounded once. Nothing is nothing in every currency, with or without a rate. */
export function convertedAmount(amount: Fixed, conversion: Conversion): Fixed {
  if (amount === 0n) return 0n;
  const { numerator, denominator } = conversion;
  if (numerator === denominator) return amount;
  return divideRounded(amount * numerator, denominator);
}

/** The rate as one number, to be shown and kept with a lot. */
export function conversionRate(conversion: Conversion): Fixed {
  return convertedAmount(oneFixed, conversion);
}
