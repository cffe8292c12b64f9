// The currencies, places and positions that rows name, each with a number for good. All versions of a ledger share them; each
// knows as many as there were when it was made.

import type { Currency } from '../../currencies/exchange-rates.ts';
import { cashInstrument, type PositionKey } from '../position-key.ts';
import type { Place } from '../transaction.ts';

/** Where a row has none. */
export const none = -1;

export class LedgerNames {
  readonly currencies: Currency[] = [];
  readonly places: Place[] = [];
  readonly positions: PositionKey[] = [];
  readonly #currencyNumbers = new Map<Currency, number>();
  readonly #cashInstruments: string[] = [];
  /** By account, then by depository. */
  readonly #placeNumbers = new Map<string | null, Map<string | null, number>>();
  /** By the number of the place, then by instrument. */
  readonly #positionNumbers: Map<string, number>[] = [];

  numberCurrency(currency: Currency): number {
    const known = this.#currencyNumbers.get(currency);
    if (known !== undefined) return known;
    this.#currencyNumbers.set(currency, this.currencies.length);
    this.#cashInstruments.push(cashInstrument(currency));
    return this.currencies.push(currency) - 1;
  }

  numberPlace({ account, depository }: Place): number {
    const known = this.#placeNumbers.get(account)?.get(depository);
    if (known !== undefined) return known;
    const ofAccount = this.#placeNumbers.get(account) ?? new Map<string | null, number>();
    this.#placeNumbers.set(account, ofAccount.set(depository, this.places.length));
    this.#positionNumbers.push(new Map());
    return this.places.push({ account, depository }) - 1;
  }

  numberPosition(place: number, instrument: string): number {
    const ofPlace = this.#positionNumbers[place]!;
    const known = ofPlace.get(instrument);
    if (known !== undefined) return known;
    ofPlace.set(instrument, this.positions.length);
    return this.positions.push({ ...this.places[place]!, instrument }) - 1;
  }

  numberCash(account: string, currency: Currency): number {
    const instrument = this.#cashInstruments[this.numberCurrency(currency)]!;
    return this.numberPosition(this.numberPlace({ account, depository: null }), instrument);
  }

  findPosition({ account, depository, instrument }: PositionKey): number | undefined {
    const place = this.#placeNumbers.get(account)?.get(depository);
    return place === undefined ? undefined : this.#positionNumbers[place]!.get(instrument);
  }
}

/** The first so many of a list that only grows. */
export class Prefix<T> {
  readonly length: number;
  readonly #list: readonly T[];
  #items: readonly T[] | undefined;

  constructor(list: readonly T[]) {
    this.#list = list;
    this.length = list.length;
  }

  /** Copied when first asked for, not for each version. */
  get items(): readonly T[] {
    this.#items ??= this.#list.slice(0, this.length);
    return this.#items;
  }

  /** All that the list has by now. */
  grown(): Prefix<T> {
    return this.#list.length === this.length ? this : new Prefix(this.#list);
  }
}
