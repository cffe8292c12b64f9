// What statements have said about entries so far: read from the database for each batch, changed by decisions, and written with them. A
// check keeps what it would have written, so that later batches see it.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { ownText } from '../../kit/memory/own-text.ts';
import type { ContentKey, EntryKey, KnownEntry, StatedEntry } from '../../store/imports/stated-entries.ts';
import type { Work } from '../core/work.ts';

/** How many entries a check remembers from the batches before, the latest: each takes about a kilobyte. */
export const rememberedMax = 50_000;

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** What is known about one reference. */
export interface Memo {
  readonly entry: Writable<StatedEntry>;
  /** What was known before this batch. */
  readonly before: KnownEntry | null;
  /** The reference of its transaction in the ledger; null while it has none. */
  currentReference: string | null;
  /** Another reference for the same transaction. */
  readonly same?: Memo;
  isChanged: boolean;
}

export interface MemoryKeys {
  readonly references: readonly EntryKey[];
  readonly contents: readonly ContentKey[];
  /** Of what reversals reverse. */
  readonly reversed: readonly ContentKey[];
}

const keyOf = ({ account, reference }: EntryKey): string => `${account} ${reference}`;

/** Where a reference is, or belongs, among memos in the order of their references. */
function placeOf(memos: readonly Memo[], reference: string): number {
  let [low, high] = [0, memos.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (defined(memos[middle], 'within the list').entry.reference < reference) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class EntryMemory {
  readonly #work: Work;
  readonly #options: { readonly mode: 'check' | 'book'; readonly client: Id };
  readonly #memos = new Map<string, Memo>();
  /** In the order of their references: a file may have very many equal entries. */
  readonly #byContent = new Map<string, Memo[]>();
  /** Reversals that came before what they reverse. */
  readonly #waiting = new Set<Memo>();

  constructor(work: Work, options: { readonly mode: 'check' | 'book'; readonly client: Id }) {
    this.#work = work;
    this.#options = options;
  }

  /** Whether what the batch before said may matter for these: then they are looked up once it is written. */
  isNeededBy({ references, contents, reversed }: MemoryKeys): boolean {
    if (this.#options.mode === 'check' || this.#memos.size === 0) return false;
    if (reversed.length > 0 || this.#waiting.size > 0) return true;
    return (
      references.some((key) => this.#memos.has(keyOf(key))) ||
      contents.some((key) => this.#ofContent(key).some(({ entry }) => entry.date === key.date))
    );
  }

  async load({ references, contents, reversed }: MemoryKeys): Promise<void> {
    this.#forget(this.#options.mode === 'book' ? 0 : rememberedMax);
    const { statedEntries } = this.#work.store;
    const found = await Promise.all([
      statedEntries.listByReference(distinct(references, keyOf)),
      statedEntries.listByContent(distinct(contents, ({ account, content, date }) => `${account} ${content} ${date}`)),
      this.#listWaiting(contents),
      statedEntries.listReversible(distinct(reversed, ({ account, content, date }) => `${account} ${content} ${date}`)),
    ]);
    for (const known of found.flat()) {
      if (this.#memos.has(keyOf(known))) continue;
      const { currentReference, ...entry } = known;
      this.#add({ entry, before: known, currentReference, isChanged: false });
    }
  }

  /** Hardly any account has reversals that wait. */
  async #listWaiting(contents: readonly ContentKey[]): Promise<KnownEntry[]> {
    const { statedEntries } = this.#work.store;
    const accounts = await statedEntries.listAccountsWithWaiting([...new Set(contents.map(({ account }) => account))]);
    const wanted = accounts.size === 0 ? [] : contents.filter(({ account }) => accounts.has(account));
    return statedEntries.listWaiting(distinct(wanted, ({ account, content }) => `${account} ${content}`));
  }

  /** How many entries are in memory. */
  get size(): number {
    return this.#memos.size;
  }

  /** Forgets the oldest down to this many. */
  #forget(kept: number): void {
    if (kept === 0) {
      this.#memos.clear();
      this.#byContent.clear();
      this.#waiting.clear();
    }
    for (const memo of this.#memos.values()) {
      if (this.#memos.size <= kept) return;
      this.#remove(memo);
    }
  }

  #add(memo: Memo): Memo {
    const { entry } = memo;
    entry.reference = ownText(entry.reference);
    this.#memos.set(keyOf(entry), memo);
    if (entry.content !== null) {
      const equals = this.#byContent.getOrInsert(`${entry.account} ${entry.content}`, []);
      equals.splice(placeOf(equals, entry.reference), 0, memo);
    }
    this.#noteWaiting(memo);
    return memo;
  }

  #noteWaiting(memo: Memo): void {
    if (memo.entry.isWaiting) this.#waiting.add(memo);
    else this.#waiting.delete(memo);
  }

  #remove(memo: Memo): void {
    const { account, content } = memo.entry;
    this.#memos.delete(keyOf(memo.entry));
    this.#waiting.delete(memo);
    const equals = this.#byContent.get(`${account} ${content}`) ?? [];
    const place = placeOf(equals, memo.entry.reference);
    if (equals[place] === memo) equals.splice(place, 1);
    if (equals.length === 0) this.#byContent.delete(`${account} ${content}`);
  }

  find(key: EntryKey): Memo | undefined {
    return this.#memos.get(keyOf(key));
  }

  /** Adds what nothing was known about, or replaces what is known. */
  put(entry: StatedEntry, parts: { readonly same?: Memo } = {}): Memo {
    const known = this.find(entry);
    if (known !== undefined) {
      Object.assign(known.entry, entry);
      known.isChanged = true;
      this.#noteWaiting(known);
      return known;
    }
    return this.#add({
      entry: { ...entry },
      before: null,
      currentReference: parts.same?.currentReference ?? null,
      isChanged: true,
      ...parts,
    });
  }

  /** Forgets what a row has said that was refused, back to what was known before it. */
  restore(memo: Memo, earlier: KnownEntry | undefined): void {
    if (earlier === undefined) return this.#remove(memo);
    const { digest, statedAt, importId, currentReference } = earlier;
    Object.assign(memo.entry, { digest, statedAt, importId });
    memo.currentReference = currentReference;
  }

  #ofContent({ account, content }: Pick<ContentKey, 'account' | 'content'>): readonly Memo[] {
    return this.#byContent.get(`${account} ${content}`) ?? [];
  }

  /** Whether anything of this content is known, whatever its day. */
  hasContent({ account, content }: Pick<ContentKey, 'account' | 'content'>): boolean {
    return this.#byContent.has(`${account} ${content}`);
  }

  /** Equal entries of a day. */
  #equalsOf(key: ContentKey): readonly Memo[] {
    return this.#ofContent(key).filter(({ entry }) => !entry.isReversal && entry.date === key.date);
  }

  /** Equal entries of a day, in the order of their references; each with everything that is known for the same transaction. */
  equals(key: ContentKey): readonly (readonly Memo[])[] {
    const sayings = new Map<Memo | Id, Memo[]>();
    for (const memo of this.#equalsOf(key)) {
      const first = memo.same ?? memo;
      sayings.getOrInsert(first.entry.transaction ?? first, []).push(memo);
    }
    return [...sayings.values()];
  }

  /** The transactions of equal entries of these days. */
  transactionsOf(keys: readonly ContentKey[]): readonly Id[] {
    const found = keys.flatMap((key) => this.#equalsOf(key).flatMap(({ entry }) => entry.transaction ?? []));
    return [...new Set(found)];
  }

  /** A reversal that waits for an entry of this content on this day or an earlier one. */
  waitingFor(key: ContentKey): Memo | undefined {
    if (this.#waiting.size === 0) return undefined;
    return this.#ofContent(key).find(({ entry }) => entry.isWaiting && (entry.date ?? '') >= key.date);
  }

  /** What a reversal of this day reverses: the latest after `start`, and of one day the last. Found in one pass, since very many may be equal. */
  findReversible(key: ContentKey, start = ''): Memo | undefined {
    let latest: Memo | undefined;
    let latestDay = '';
    for (const memo of this.#ofContent(key)) {
      const { entry, currentReference, same } = memo;
      if (entry.isReversal || entry.isCancelled || currentReference === null || same !== undefined) continue;
      if (entry.date === null || entry.date <= start || entry.date > key.date) continue;
      if (entry.date >= latestDay) [latest, latestDay] = [memo, entry.date];
    }
    return latest;
  }

  /** Prepares what writes all changes, with the next statement. */
  prepareChanges(): () => void {
    if (this.#options.mode === 'check') return () => {};
    const changed = [...this.#memos.values()].filter(({ isChanged }) => isChanged);
    for (const { entry, same } of changed) if (same !== undefined) entry.transaction = same.entry.transaction;
    const { statedEntries } = this.#work.store;
    const entriesOf = (memos: readonly Memo[]): StatedEntry[] => memos.map(({ entry }) => entry);
    const { client } = this.#options;
    const enqueueNew = statedEntries.prepareNew(client, entriesOf(changed.filter(({ before }) => before === null)));
    const replaced = entriesOf(changed.filter(({ before }) => before !== null));
    return () => {
      enqueueNew();
      statedEntries.put(client, replaced);
    };
  }
}

function distinct<T>(keys: readonly T[], textOf: (key: T) => string): T[] {
  return [...new Map(keys.map((key) => [textOf(key), key])).values()];
}
