// Records which rates were needed and are missing. Converts at 1 in their place, so it serves to find gaps and never to show an
// amount.

import {
  ExchangeRates,
  MissingConversion,
  type Conversion,
  type IsoCurrency,
  type ConversionKey,
  type ConversionStep,
} from './exchange-rates.ts';

export class RateGapRecorder extends ExchangeRates {
  #rates: ExchangeRates;
  /** By pair, with the first day. */
  readonly #listMissing = new Map<string, ConversionKey>();

  constructor(rates: ExchangeRates) {
    super([]);
    this.#rates = rates;
  }

  override get(exchange: ConversionKey): Conversion {
    return this.find(exchange) ?? new RecordedGap(exchange, this);
  }

  override find(exchange: ConversionKey): Conversion | undefined {
    return this.#rates.find(exchange);
  }

  /** Itself, since what is recorded has to stay in one place. */
  override withStaleness(staleness: { readonly daysMax: number }): this {
    this.#rates = this.#rates.withStaleness(staleness);
    return this;
  }

  override listPaths(from: IsoCurrency, to: IsoCurrency): readonly (readonly ConversionStep[])[] {
    return this.#rates.listPaths(from, to);
  }

  recordMissing(exchange: ConversionKey): void {
    const key = `${exchange.from} ${exchange.to}`;
    const existing = this.#listMissing.get(key);
    if (existing === undefined || exchange.day < existing.day) this.#listMissing.set(key, exchange);
  }

  /** Lists each pair once, with the first day on which it was needed. */
  listMissing(): readonly ConversionKey[] {
    return [...this.#listMissing.values()];
  }
}

/** Is recorded when an amount needs it. */
class RecordedGap extends MissingConversion {
  readonly #recorder: RateGapRecorder;

  constructor(exchange: ConversionKey, recorder: RateGapRecorder) {
    super(exchange);
    this.#recorder = recorder;
  }

  override need(): bigint {
    const { from, to, day } = this;
    this.#recorder.recordMissing({ from, to, day });
    return 1n;
  }
}
