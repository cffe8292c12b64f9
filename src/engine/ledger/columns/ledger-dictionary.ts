// Numbers the currencies, places and positions that rows name, permanently. All versions of a ledger share it; each sees as many
// as existed when it was made.

import type { IsoCurrency } from '../../currencies/exchange-rates.ts';
import { cashInstrument, type PositionKey } from '../position-key.ts';
import type { HoldingPlace } from '../transaction.ts';

/** Marks a missing value. */
export const noNumber = -1;

export class LedgerDictionary {
  readonly currencies: IsoCurrency[] = [];
  readonly places: HoldingPlace[] = [];
  readonly positions: PositionKey[] = [];
  readonly #currencyNumbers = new Map<IsoCurrency, number>();
  readonly #cashInstruments: string[] = [];
  /** By account, then by depository. */
  readonly #placeNumbers = new Map<string | null, Map<string | null, number>>();
  /** By the number of the place, then by instrument. */
  readonly #positionNumbers: Map<string, number>[] = [];

  internCurrency(currency: IsoCurrency): number {
    const existing = this.#currencyNumbers.get(currency);
    if (existing !== undefined) return existing;
    this.#currencyNumbers.set(currency, this.currencies.length);
    this.#cashInstruments.push(cashInstrument(currency));
    return this.currencies.push(currency) - 1;
  }

  internPlace({ account, depository }: HoldingPlace): number {
    const existing = this.#placeNumbers.get(account)?.get(depository);
    if (existing !== undefined) return existing;
    const byDepository = this.#placeNumbers.get(account) ?? new Map<string | null, number>();
    this.#placeNumbers.set(account, byDepository.set(depository, this.places.length));
    this.#positionNumbers.push(new Map());
    return this.places.push({ account, depository }) - 1;
  }

  internPosition(place: number, instrument: string): number {
    const byInstrument = this.#positionNumbers[place]!;
    const existing = byInstrument.get(instrument);
    if (existing !== undefined) return existing;
    byInstrument.set(instrument, this.positions.length);
    return this.positions.push({ ...this.places[place]!, instrument }) - 1;
  }

  internCash(account: string, currency: IsoCurrency): number {
    const instrument = this.#cashInstruments[this.internCurrency(currency)]!;
    return this.internPosition(this.internPlace({ account, depository: null }), instrument);
  }

  findPosition({ account, depository, instrument }: PositionKey): number | undefined {
    const place = this.#placeNumbers.get(account)?.get(depository);
    return place === undefined ? undefined : this.#positionNumbers[place]!.get(instrument);
  }
}

/** The first entries of a list that only grows. */
export class ListPrefix<T> {
  readonly length: number;
  readonly #list: readonly T[];
  #items: readonly T[] | undefined;

  constructor(list: readonly T[]) {
    this.#list = list;
    this.length = list.length;
  }

  /** Copied on first use, not for each version. */
  get items(): readonly T[] {
    this.#items ??= this.#list.slice(0, this.length);
    return this.#items;
  }

  /** Extends it to everything that the list has by now. */
  extended(): ListPrefix<T> {
    return this.#list.length === this.length ? this : new ListPrefix(this.#list);
  }
}
