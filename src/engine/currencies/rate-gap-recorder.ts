// Rates that say which ones were asked for and are missing, for whoever looks for gaps and for nobody who shows an amount: one for one
// stands in for what is missing.

import { ExchangeRates, type Conversion, type Currency, type Exchange, type Leg } from './exchange-rates.ts';

export class NotedRates extends ExchangeRates {
  readonly #rates: ExchangeRates;
  /** By pair, on the first day. */
  readonly #missing = new Map<string, Exchange>();

  constructor(rates: ExchangeRates) {
    super([]);
    this.#rates = rates;
  }

  override get(exchange: Exchange): Conversion {
    const found = this.find(exchange);
    if (found !== undefined) return found;
    this.note(exchange);
    return { ...exchange, numerator: 1n, denominator: 1n, quoted: [] };
  }

  override find(exchange: Exchange): Conversion | undefined {
    return this.#rates.find(exchange);
  }

  override listWays(from: Currency, to: Currency): readonly (readonly Leg[])[] {
    return this.#rates.listWays(from, to);
  }

  note(exchange: Exchange): void {
    const key = `${exchange.from} ${exchange.to}`;
    const known = this.#missing.get(key);
    if (known === undefined || exchange.day < known.day) this.#missing.set(key, exchange);
  }

  /** Each pair once, with the first day on which it was asked for. */
  missing(): readonly Exchange[] {
    return [...this.#missing.values()];
  }
}
