// Finds the header of a CSV file and which of its columns say what, by the names in a mapping profile.

import { keysOf } from '../../kit/keys.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import { codeBetween, parseColumnName, type ColumnName } from './column-name.ts';
import { foldName, matchesFolded } from './folded-name.ts';
import { TextPattern } from './text-pattern.ts';

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

  find(name: ColumnName): number | undefined {
    if (name.isAboveOnly) return undefined;
    const exact = this.#indexes.get(name.whole);
    if (exact !== undefined) return exact;
    const index = name.place === undefined ? this.#named(name) : name.place - 1;
    if (index === undefined) return undefined;
    return index + name.offset < this.names.length ? index + name.offset : undefined;
  }

  #named({ name, aroundCode }: ColumnName): number | undefined {
    if (aroundCode === undefined) return this.#indexes.get(name);
    for (const [one, index] of this.#indexes) if (codeBetween(one, aroundCode) !== undefined) return index;
    return undefined;
  }

  /** Which currency the amounts of a column are in, as far as the header says it: the code, or the column that says it. */
  currencyOf(name: ColumnName, index: number): ColumnCurrency | undefined {
    const { aroundCode, currency, whole } = name;
    const folded = foldName(this.names[index] ?? '');
    if (folded === whole) return undefined;
    const code = aroundCode && codeBetween(folded, aroundCode);
    if (code !== undefined) return { code };
    if (currency === undefined) return undefined;
    const beside = /^\+[1-9]$/.test(currency) ? index + Number(currency) : this.#indexes.get(currency);
    if (beside !== undefined) return { index: beside };
    return /^[a-z]{3}$/.test(currency) ? { code: currency.toUpperCase() } : undefined;
  }
}

export type ColumnCurrency = { readonly code: string } | { readonly index: number };

/** Tells of any header whether it has everything that the profile is recognised by. */
export function headerTest({ recognisedBy, columns }: CsvMapping): (header: CsvHeader) => boolean {
  const fields = keysOf(columns).flatMap((field) => (columns[field]?.length ? [columns[field]] : []));
  const wanted = recognisedBy.length > 0 ? recognisedBy.map((names) => names.split('|')) : fields;
  const parsed = wanted.map((names) => names.map(parseColumnName));
  return (header) =>
    parsed.length > 0 && parsed.every((names) => names.some((name) => header.find(name) !== undefined));
}

/** The columns of a file that say each field of a profile. */
export class CsvColumns {
  readonly header: CsvHeader;
  readonly profile: CsvMapping;
  readonly #indexes: ReadonlyMap<CsvField, readonly number[]>;
  readonly #currencies = new Map<number, ColumnCurrency>();
  /** The patterns of the profile, each with the column that it takes apart. */
  readonly texts: readonly { readonly index: number; readonly pattern: TextPattern }[];

  constructor(header: CsvHeader, profile: CsvMapping) {
    this.header = header;
    this.profile = profile;
    this.texts = profile.texts.flatMap(({ column, pattern }) => {
      const index = header.find(parseColumnName(column));
      return index === undefined ? [] : [{ index, pattern: new TextPattern(pattern) }];
    });
    this.#indexes = new Map(keysOf(profile.columns).map((field) => [field, this.#find(profile.columns[field] ?? [])]));
  }

  #find(names: readonly string[]): readonly number[] {
    const indexes = new Set<number>();
    for (const name of names.map(parseColumnName)) {
      const index = this.header.find(name);
      if (index === undefined) continue;
      indexes.add(index);
      const currency = this.header.currencyOf(name, index);
      if (currency !== undefined && !this.#currencies.has(index)) this.#currencies.set(index, currency);
    }
    return [...indexes];
  }

  /** Which currency the amounts of this column are in, if that is said apart from the currency of the line. */
  currencyOf(index: number): ColumnCurrency | undefined {
    return this.#currencies.get(index);
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

  /** Which columns of the file the profile reads. */
  get #read(): ReadonlySet<number> {
    const currencies = [...this.#currencies.values()].flatMap((one) => ('index' in one ? [one.index] : []));
    return new Set(
      [...this.#indexes.values()].flat().concat(
        currencies,
        this.texts.map(({ index }) => index),
      ),
    );
  }

  /** Columns that no field reads and that the profile does not leave out on purpose: a name that stands twice is read once. */
  unread(): readonly number[] {
    const read = this.#read;
    const ignored = this.#ignored();
    const examined = this.header.names.slice(0, examinedColumnsMax);
    return examined.flatMap((_, index) => (read.has(index) || ignored.has(index) ? [] : [index]));
  }

  #ignored(): ReadonlySet<number> {
    const { ignoredColumns } = this.profile;
    const words = ignoredColumns.map(foldName);
    const found = ignoredColumns.flatMap((word) => this.header.find(parseColumnName(word)) ?? []);
    const named = this.header.names.slice(0, examinedColumnsMax).flatMap((name, index) => {
      const folded = foldName(name);
      return words.some((word) => matchesFolded(folded, word)) ? [index] : [];
    });
    return new Set([...found, ...named]);
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

  /** How many columns of the file the profile knows: those that it reads, and those that it leaves unread on purpose. */
  get count(): number {
    return new Set([...this.#read, ...this.#ignored()]).size;
  }
}
