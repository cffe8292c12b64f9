// Parses the parts of a transaction line that all kinds share: places, instruments, clauses, and the cash amount in the account's
// currency.

import type { IsoCurrency } from '../../../src/engine/currencies/exchange-rates.ts';
import type { ValuedInstrument } from '../../../src/engine/instruments/instrument.ts';
import type { HoldingPlace, LedgerTransaction, TransactionDetails } from '../../../src/engine/ledger/transaction.ts';
import { multiply, type Fixed } from '../../../src/kit/fixed.ts';
import { readRowClauses, type ClauseWord, type RowClauses } from './row-clauses.ts';
import type { Structure } from './structure.ts';
import type { Words } from './words.ts';

export interface RowContext {
  readonly structure: Structure;
  readonly instruments: ReadonlyMap<string, ValuedInstrument>;
  readonly labels: Map<string, number>;
}

/** The fields that a kind of transaction sets; the others stay empty. */
export type RowParts = Pick<LedgerTransaction, 'kind'> & Partial<LedgerTransaction>;

export type RowTextReader = (row: RowText) => RowParts;

/** A transaction line while its reader parses it. */
export class RowText {
  readonly words: Words;
  readonly word: string;
  readonly #context: RowContext;
  #clauses: RowClauses | undefined;

  constructor(words: Words, context: RowContext) {
    this.words = words;
    this.word = words.next('a kind of transaction');
    this.#context = context;
  }

  get isPlaceNext(): boolean {
    return this.#context.structure.isPlaceName(this.words.peek().split('/')[0]!) || this.words.peek().startsWith('-/');
  }

  place(): HoldingPlace {
    return this.#context.structure.place(this.words);
  }

  /** Whether the next word is an instrument and not an amount. */
  get isInstrumentNext(): boolean {
    return this.#context.instruments.has(this.words.peek()) || this.words.peek().startsWith('?');
  }

  /** Reads a declared instrument, or `?name` for one missing from the catalogue, which is in the account's currency. */
  instrument(
    { account }: HoldingPlace = { account: null, depository: null },
  ): Pick<ValuedInstrument, 'id' | 'currency' | 'priceUnit'> & Partial<ValuedInstrument> {
    const id = this.words.next('an instrument');
    const known = this.#context.instruments.get(id);
    if (known !== undefined) return known;
    if (!id.startsWith('?')) this.words.fail(`there is no instrument "${id}"`);
    return { id, currency: this.accountCurrency(account), priceUnit: '1' };
  }

  clauses(...allowed: readonly ClauseWord[]): RowClauses {
    return (this.#clauses ??= readRowClauses(this.words, this.#context.labels, allowed));
  }

  get settlement() {
    return this.#clauses?.settles ?? null;
  }

  get label(): string | undefined {
    return this.#clauses?.label;
  }

  accountCurrency(account: string | null): IsoCurrency {
    if (account === null) return this.#context.structure.settings.referenceCurrency;
    return this.#context.structure.account(this.words, account).currency;
  }

  currencyOf(instrument: string): IsoCurrency {
    return this.#context.instruments.get(instrument)?.currency ?? this.#context.structure.settings.referenceCurrency;
  }

  cashCurrency(account: string | null): IsoCurrency {
    return this.#clauses?.cashCurrency ?? this.accountCurrency(account);
  }

  /** Converts an amount from the instrument's currency into the account's, with its sign. */
  cash(value: Fixed, { account, currency }: { account: string | null; currency: IsoCurrency }) {
    const { rate, amount } = this.#clauses!;
    const cashCurrency = this.cashCurrency(account);
    if (amount !== undefined) return { amount: value < 0n ? -amount : amount, currency: cashCurrency };
    if (rate !== undefined) return { amount: multiply(value, rate), currency: cashCurrency };
    if (currency !== cashCurrency && value !== 0n)
      this.words.fail(`a rate from ${currency} to ${cashCurrency} is missing`);
    return { amount: value, currency: cashCurrency };
  }
}

/** Returns null if no detail is present. */
export function presentDetails(details: {
  readonly [Key in keyof TransactionDetails]: TransactionDetails[Key] | undefined;
}) {
  const stated = Object.entries(details).filter(([, value]) => value !== undefined);
  return stated.length === 0 ? null : (Object.fromEntries(stated) as TransactionDetails);
}

/** Returns undefined for an empty list. */
export function nonEmpty<Item>(items: readonly Item[]): readonly Item[] | undefined {
  return items.length === 0 ? undefined : items;
}
