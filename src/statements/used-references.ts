// Tells apart entries of one statement that share the custodian's reference, such as a trade and its fee.

/** How many references are remembered: twins are near each other. */
const rememberedMax = 100_000;

export class UsedReferences {
  readonly #counts = new Map<string, number>();

  /** The reference itself for its first entry, then `…#2`, `…#3`. */
  distinct(reference: string): string {
    const count = (this.#counts.get(reference) ?? 0) + 1;
    this.#counts.delete(reference);
    this.#counts.set(reference, count);
    if (this.#counts.size > rememberedMax) this.#counts.delete(this.#counts.keys().next().value ?? '');
    return count === 1 ? reference : `${reference}#${count}`;
  }
}

/** Words that banks write in place of a reference. */
const nonReferences = new Set(['NONREF', 'NOTPROVIDED', 'NOREF', 'NONE', 'N/A', 'UNKNOWN']);

/** The reference that a text states, if it is one. */
export function referenceIn(text: string | undefined): string | undefined {
  const reference = text?.trim() ?? '';
  const isNone = reference === '' || nonReferences.has(reference.toUpperCase()) || /^[0-]+$/.test(reference);
  return isNone ? undefined : reference;
}
