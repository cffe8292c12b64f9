// The references (FITID) of one account in an OFX file: a repeated transaction keeps its own, another one under the same gets a number,
// and a correction has that of what it corrects.

import { hash } from 'node:crypto';
import { RecentEntries } from '../../kit/memory/recent-entries.ts';
import { ownText } from '../../kit/memory/own-text.ts';

/** How many of a file are remembered: repetitions are near each other. */
const rememberedMax = 50_000;

/** What the accounts of one file share. */
export class FinancialIdMemory {
  /** How many contents each reference has. */
  readonly counts = new RecentEntries<number>(rememberedMax);
  /** Which of the contents of its reference each is, from 1. */
  readonly ordinals = new RecentEntries<number>(rememberedMax);
  readonly corrected = new RecentEntries<string>(rememberedMax);
}

export class FinancialIds {
  readonly #memory: FinancialIdMemory;
  readonly #account: string;

  constructor(account = '', memory = new FinancialIdMemory()) {
    this.#account = account;
    this.#memory = memory;
  }

  #keyOf(id: string): string {
    return `${this.#account}\n${id}`;
  }

  /** Institutions should give every transaction a reference of its own, and some give several the same. */
  distinct(id: string, content: string): string {
    const { counts, ordinals } = this.#memory;
    const key = this.#keyOf(id);
    const contentKey = `${key}\n${hash('sha256', content).slice(0, 20)}`;
    let ordinal = ordinals.get(contentKey);
    if (ordinal === undefined) {
      ordinal = (counts.get(key) ?? 0) + 1;
      counts.set(key, ordinal);
    }
    ordinals.set(contentKey, ordinal);
    return ordinal === 1 ? id : `${id}#${ordinal}`;
  }

  /** A transaction that corrects another, perhaps one that was a correction itself. Returns the reference of the first. */
  correct(id: string | undefined, correctedId: string): string {
    const first = this.first(correctedId);
    if (id !== undefined) this.#memory.corrected.set(this.#keyOf(id), ownText(first));
    return first;
  }

  first(id: string): string {
    return this.#memory.corrected.get(this.#keyOf(id)) ?? id;
  }
}
