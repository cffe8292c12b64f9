// Rates that say which ones were asked for and are missing, for whoever looks for gaps and for nobody who shows an amount: one for one
// stands in for what is missing.

import {
  ExchangeRates,
  type Conversion,
  type IsoCurrency,
  type ConversionKey,
  type ConversionStep,
} from './exchange-rates.ts';

export class RateGapRecorder extends ExchangeRates {
  readonly #rates: ExchangeRates;
  /** By pair, on the first day. */
  readonly #listMissing = new Map<string, ConversionKey>();

  constructor(rates: ExchangeRates) {
    super([]);
    this.#rates = rates;
  }

  override get(exchange: ConversionKey): Conversion {
    const found = this.find(exchange);
    if (found !== undefined) return found;
    this.recordMissing(exchange);
    return { ...exchange, numerator: 1n, denominator: 1n, quoted: [] };
  }

  override find(exchange: ConversionKey): Conversion | undefined {
    return this.#rates.find(exchange);
  }

  override listPaths(from: IsoCurrency, to: IsoCurrency): readonly (readonly ConversionStep[])[] {
    return this.#rates.listPaths(from, to);
  }

  recordMissing(exchange: ConversionKey): void {
    const key = `${exchange.from} ${exchange.to}`;
    const existing = this.#listMissing.get(key);
    if (existing === undefined || exchange.day < existing.day) this.#listMissing.set(key, exchange);
  }

  /** Each pair once, with the first day on which it was asked for. */
  listMissing(): readonly ConversionKey[] {
    return [...this.#listMissing.values()];
  }
}
