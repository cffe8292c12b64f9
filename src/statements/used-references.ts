// Tells apart entries of one statement that share the custodian's reference, such as a trade and its fee.

import { RecentCounts } from '../kit/memory/recent-counts.ts';

/** How many references of a file are remembered at least: twins are near each other. */
const rememberedMin = 100_000;

export class UsedReferences {
  readonly #counts: RecentCounts;
  readonly #scope: string;

  constructor(scope = '', counts = new RecentCounts(rememberedMin)) {
    this.#scope = scope;
    this.#counts = counts;
  }

  /** Those of another statement of the file, which share its memory. */
  within(scope: string): UsedReferences {
    return new UsedReferences(scope, this.#counts);
  }

  /** The reference itself for its first entry, then `…#2`, `…#3`. */
  distinct(reference: string): string {
    const count = this.#counts.increment(`${this.#scope}\n${reference}`);
    return count === 1 ? reference : `${reference}#${count}`;
  }
}

/** Words that banks write in place of a reference. */
const nonReferences = new Set(['NONREF', 'NOTPROVIDED', 'NOREF', 'NONE', 'N/A', 'UNKNOWN']);

const nonReferenceLengthMax = Math.max(...[...nonReferences].map(({ length }) => length));

/** The reference that a text states, if it is one. */
export function referenceIn(text: string | undefined): string | undefined {
  const reference = text?.trim() ?? '';
  if (reference === '' || /^[0-]+$/.test(reference)) return undefined;
  const isWord = reference.length <= nonReferenceLengthMax && nonReferences.has(reference.toUpperCase());
  return isWord ? undefined : reference;
}
