// What the type word of a line means: the kind of transaction, and in which direction cash and units move.

import type { CsvMapping } from '../../model/custody/import-profile.ts';
import type { CorporateActionType, TransactionKind, TransactionType } from '../../model/ledger/transaction-kind.ts';
import type { Direction } from '../signed-values.ts';
import { matchesWord } from './csv-header.ts';

interface TypeTraits {
  readonly kind: TransactionKind;
  readonly cash?: Direction;
  readonly units?: Direction;
}

const traits: Readonly<Record<TransactionType, TypeTraits>> = {
  buy: { kind: 'trade', cash: 'out', units: 'in' },
  sell: { kind: 'trade', cash: 'in', units: 'out' },
  deposit: { kind: 'flow', cash: 'in', units: 'in' },
  withdrawal: { kind: 'flow', cash: 'out', units: 'out' },
  dividend: { kind: 'dividend', cash: 'in' },
  coupon: { kind: 'coupon', cash: 'in' },
  interest: { kind: 'interest' },
  fee: { kind: 'fee', cash: 'out' },
  'fx-trade': { kind: 'fx' },
  'corporate-action': { kind: 'corporate-action' },
  drawing: { kind: 'capital-call', cash: 'out' },
  maturity: { kind: 'redemption', cash: 'in', units: 'out' },
  'private-equity-cashflow': { kind: 'distribution', cash: 'in' },
};

export interface TypeMeaning extends TypeTraits {
  readonly action?: CorporateActionType;
  /** Whatever sign the amount has. `by-cash`: the units go the other way than the cash. */
  readonly direction?: Direction | 'by-cash';
  /** What the line moves, where it states more. */
  readonly moves?: 'cash' | 'units';
  readonly cancels: boolean;
  /** Whether the profile knows the word. */
  readonly isKnown: boolean;
  /** Whether it is what every line of the file is. */
  readonly isForAll?: boolean;
}

/** Remembers words, since a file has few and many lines. */
export class TypeWords {
  readonly #profile: CsvMapping;
  readonly #meanings = new Map<string, TypeMeaning>();

  constructor(profile: CsvMapping) {
    this.#profile = profile;
  }

  meaningOf(words: readonly string[]): TypeMeaning {
    const key = words.join('\n');
    let meaning = this.#meanings.get(key);
    if (meaning === undefined) {
      meaning = this.#find(words);
      if (this.#meanings.size < 10_000) this.#meanings.set(key, meaning);
    }
    return meaning;
  }

  #find(words: readonly string[]): TypeMeaning {
    for (const text of words) {
      const found = this.#profile.types.find(({ word }) => matchesWord(text, word));
      if (found === undefined) continue;
      const { type, action, direction, moves, cancels } = found;
      return {
        ...traits[type],
        ...(action ? { action } : {}),
        ...(direction ? { direction } : {}),
        ...(moves ? { moves } : {}),
        cancels: cancels === true,
        isKnown: true,
      };
    }
    const { type } = this.#profile.constants;
    if (type != null) return { ...traits[type], cancels: false, isKnown: true, isForAll: true };
    return { kind: 'flow', cancels: false, isKnown: words.length === 0 };
  }
}
