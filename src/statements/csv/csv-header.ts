// Finds the header of a CSV file and which of its columns say what, by the names in a mapping profile.

import { keysOf } from '../../kit/keys.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';

/** Names are compared without regard to case, spaces, underscores and a byte order mark. */
export function foldName(name: string): string {
  return name
    .replace(/[\ufeff\s\u00a0_]+/g, ' ')
    .trim()
    .toLowerCase();
}

/** Whether a word of a profile means a text: `Total*` means everything that begins with it. */
export function matchesWord(text: string, word: string): boolean {
  return matchesFolded(foldName(text), foldName(word));
}

function matchesFolded(text: string, word: string): boolean {
  if (!word.endsWith('*') || word === '*') return text === word;
  return text.startsWith(word.slice(0, -1).trimEnd());
}

/** No statement has more columns; of a wider file, the rest is not looked at. */
const examinedColumnsMax = 1_000;

/** A header, ready to be compared with many profiles. */
export class CsvHeader {
  readonly names: readonly string[];
  readonly #indexes = new Map<string, number>();

  constructor(names: readonly string[]) {
    this.names = names;
    for (const [index, name] of names.entries()) {
      const folded = foldName(name);
      if (folded !== '' && !this.#indexes.has(folded)) this.#indexes.set(folded, index);
    }
  }

  /** How many different names it has. */
  get size(): number {
    return this.#indexes.size;
  }

  find(name: string): number | undefined {
    return this.#indexes.get(foldName(name));
  }

  /** Whether it has one of these names, which are folded already. */
  hasAny(folded: readonly string[]): boolean {
    return folded.some((name) => this.#indexes.has(name));
  }
}

/** Tells of any header whether it has everything that the profile is recognised by. */
export function headerTest({ recognisedBy, columns }: CsvMapping): (header: CsvHeader) => boolean {
  const fields = keysOf(columns).flatMap((field) => (columns[field]?.length ? [columns[field]] : []));
  const wanted = recognisedBy.length > 0 ? recognisedBy.map((names) => names.split('|')) : fields;
  const folded = wanted.map((names) => names.map(foldName));
  return (header) => folded.length > 0 && folded.every((names) => header.hasAny(names));
}

/** The columns of a file that say each field of a profile. */
export class CsvColumns {
  readonly header: CsvHeader;
  readonly profile: CsvMapping;
  readonly #indexes: ReadonlyMap<CsvField, readonly number[]>;

  constructor(header: CsvHeader, profile: CsvMapping) {
    this.header = header;
    this.profile = profile;
    this.#indexes = new Map(
      keysOf(profile.columns).map((field) => {
        const indexes = (profile.columns[field] ?? []).flatMap((name) => header.find(name) ?? []);
        return [field, [...new Set(indexes)]];
      }),
    );
  }

  /** In the order in which the profile names them. */
  indexesOf(field: CsvField): readonly number[] {
    return this.#indexes.get(field) ?? [];
  }

  /** The name of a field's column in the file. */
  nameOf(field: CsvField): string {
    const [index] = this.indexesOf(field);
    return (
      (index === undefined ? undefined : this.header.names[index])?.trim() || this.profile.columns[field]?.[0] || field
    );
  }

  /** Columns that no field reads and that the profile does not leave out on purpose: a name that stands twice is read once. */
  unread(): readonly number[] {
    const read = new Set([...this.#indexes.values()].flat());
    const ignored = this.profile.ignoredColumns.map(foldName);
    return this.header.names.slice(0, examinedColumnsMax).flatMap((name, index) => {
      const folded = foldName(name);
      return read.has(index) || ignored.some((word) => matchesFolded(folded, word)) ? [] : [index];
    });
  }

  /** Whether a column that both profiles read says one field here and another one there. */
  readsOtherwise(other: CsvColumns): boolean {
    const fieldsThere = other.#fieldsByIndex();
    return this.#fieldsByIndex()
      .entries()
      .some(([index, fields]) => {
        const there = fieldsThere.get(index);
        return there !== undefined && !fields.some((field) => there.includes(field));
      });
  }

  #fieldsByIndex(): Map<number, CsvField[]> {
    const fields = new Map<number, CsvField[]>();
    for (const [field, indexes] of this.#indexes)
      for (const index of indexes) fields.getOrInsert(index, []).push(field);
    return fields;
  }

  /** How many columns of the file the profile reads. */
  get count(): number {
    return new Set([...this.#indexes.values()].flat()).size;
  }
}
