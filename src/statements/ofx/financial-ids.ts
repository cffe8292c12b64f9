// The references (FITID) of one account in an OFX file: a repeated transaction keeps its own, another one under the same gets a number,
// and a correction has that of what it corrects.

import { hash } from 'node:crypto';

/** How many are remembered: repetitions are near each other. */
const rememberedMax = 50_000;

export class FinancialIds {
  /** The contents under each reference, in the order in which they came. */
  readonly #contents = new Map<string, string[]>();
  readonly #corrected = new Map<string, string>();

  /** Institutions should give every transaction a reference of its own, and some give several the same. */
  distinct(id: string, content: string): string {
    const contents = this.#contents.get(id) ?? [];
    const digest = hash('sha256', content).slice(0, 20);
    let at = contents.indexOf(digest);
    if (at < 0) at = contents.push(digest) - 1;
    if (this.#contents.size < rememberedMax) this.#contents.set(id, contents);
    return at === 0 ? id : `${id}#${at + 1}`;
  }

  /** A transaction that corrects another, perhaps one that was a correction itself. Returns the reference of the first. */
  correct(id: string | undefined, correctedId: string): string {
    const first = this.first(correctedId);
    if (id !== undefined && this.#corrected.size < rememberedMax) this.#corrected.set(id, first);
    return first;
  }

  first(id: string): string {
    return this.#corrected.get(id) ?? id;
  }
}
