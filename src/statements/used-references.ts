// Tells apart entries of one statement that share the custodian's reference, such as a trade and its fee.

import { greatestOf } from '../kit/memory/long-list.ts';
import { RecentEntries } from '../kit/memory/recent-entries.ts';

/** How many references of a file are remembered: twins are near each other. */
const rememberedMax = 100_000;

export class UsedReferences {
  readonly #counts: RecentEntries<number>;
  readonly #scope: string;

  constructor(scope = '', counts = new RecentEntries<number>(rememberedMax)) {
    this.#scope = scope;
    this.#counts = counts;
  }

  /** Those of another statement of the file, which share its memory. */
  within(scope: string): UsedReferences {
    return new UsedReferences(scope, this.#counts);
  }

  /** The reference itself for its first entry, then `…#2`, `…#3`. */
  distinct(reference: string): string {
    const key = `${this.#scope}\n${reference}`;
    const count = (this.#counts.get(key) ?? 0) + 1;
    this.#counts.set(key, count);
    return count === 1 ? reference : `${reference}#${count}`;
  }
}

/** Words that banks write in place of a reference. */
const nonReferences = new Set(['NONREF', 'NOTPROVIDED', 'NOREF', 'NONE', 'N/A', 'UNKNOWN']);

const nonReferenceLengthMax = greatestOf([...nonReferences].map(({ length }) => length));

/** The reference that a text states, if it is one. */
export function referenceIn(text: string | undefined): string | undefined {
  const reference = text?.trim() ?? '';
  if (reference === '' || /^[0-]+$/.test(reference)) return undefined;
  const isWord = reference.length <= nonReferenceLengthMax && nonReferences.has(reference.toUpperCase());
  return isWord ? undefined : reference;
}
