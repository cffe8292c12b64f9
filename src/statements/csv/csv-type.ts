// What the type word of a line means by the profile: the kind of transaction, and in which direction cash and units move.

import type { CsvMapping } from '../../model/custody/import-profile.ts';
import { opposite } from '../signed-values.ts';
import { meaningOfType } from '../typed-entry.ts';
import type { WordMeaning } from '../type-vocabulary.ts';
import { matchesWord } from './folded-name.ts';

export interface ProfileMeaning extends WordMeaning {
  /** Whether the direction of the cash counts whatever sign the amount has. */
  readonly isDirected: boolean;
  /** What the line moves, where it states more. */
  readonly moves?: 'cash' | 'units';
  /** Whether the units go the other way than the cash. */
  readonly isByCash?: boolean;
  /** Whether the line takes back another. */
  readonly cancels: boolean;
}

/** Remembers words, since a file has few and many lines. */
export class TypeWords {
  readonly #profile: CsvMapping;
  readonly #meanings = new Map<string, ProfileMeaning | undefined>();

  constructor(profile: CsvMapping) {
    this.#profile = profile;
  }

  /** Undefined if the profile says nothing about them. */
  meaningOf(words: readonly string[]): ProfileMeaning | undefined {
    const key = words.join('\n');
    if (this.#meanings.has(key)) return this.#meanings.get(key);
    const meaning = this.#find(words);
    if (this.#meanings.size < 10_000 && key.length < 1_000) this.#meanings.set(key, meaning);
    return meaning;
  }

  #find(words: readonly string[]): ProfileMeaning | undefined {
    for (const text of words) {
      const found = this.#profile.types.find(({ word }) => matchesWord(text, word));
      if (found === undefined) continue;
      const { type, action, direction, moves, cancels } = found;
      const meaning = meaningOfType(type, action);
      const back = cancels === true;
      if (direction === 'by-cash') return { kind: meaning.kind, isDirected: false, isByCash: true, cancels: back };
      if (direction === 'as-stated') {
        const { cash: _cash, units: _units, ...plain } = meaning;
        return { ...plain, isDirected: false, cancels: back };
      }
      if (moves === 'units' && direction != null)
        return { ...meaning, units: direction, moves, isDirected: false, cancels: back };
      const cash = direction ?? (back && meaning.cash !== undefined ? opposite(meaning.cash) : meaning.cash);
      const units = back && meaning.units !== undefined ? opposite(meaning.units) : meaning.units;
      return {
        ...meaning,
        ...(cash && { cash }),
        ...(units && { units }),
        ...(moves && { moves }),
        isDirected: direction != null,
        cancels: back,
      };
    }
    const { type } = this.#profile.constants;
    return type == null ? undefined : { ...meaningOfType(type, undefined), isDirected: false, cancels: false };
  }
}
