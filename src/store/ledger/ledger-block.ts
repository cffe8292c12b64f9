// Immutable columns of ledger rows: which rows are still current, and how blocks are merged.

import { idBytes, nullName, type InternedNames } from '../postgres/binary/column-builder.ts';
import type { DecimalDigits } from '../postgres/binary/numeric.ts';
import { blockRowsMax } from '../postgres/binary/binary-rows.ts';
import { ledgerColumnKinds, type CounterRowsBlock, type LedgerDetails, type LedgerRowsBlock } from './ledger-rows.ts';

type Kinds = typeof ledgerColumnKinds;
type LedgerColumnName = keyof Kinds;

/** Rows in no particular order. See ColumnData for the layout of a column. */
export interface LedgerBlock extends Omit<LedgerRowsBlock, 'details'> {
  /** Keyed by row. */
  readonly details: ReadonlyMap<number, LedgerDetails>;
  /** Exact for typed arrays, an estimate for everything else. */
  readonly bytes: number;
}

/** A block without the rows that were closed after it was built. */
export interface LiveBlock {
  readonly rows: LedgerBlock;
  readonly removed: ReadonlySet<number>;
}

const noRows: ReadonlySet<number> = new Set();

export function toLiveBlock(rows: LedgerBlock): LiveBlock {
  return { rows, removed: noRows };
}

export function toLedgerBlock(block: LedgerRowsBlock | CounterRowsBlock): LedgerBlock {
  const { details, counter: _counter, ...rows } = { counter: undefined, ...block };
  const parsed = new Map<number, LedgerDetails>();
  for (const [row, text] of details) parsed.set(row, parseDetails(text));
  return withByteSize({ ...rows, details: parsed });
}

function parseDetails(text: string): LedgerDetails {
  return JSON.parse(text);
}

/**
 * Estimated sizes: the empty arrays of a block; a details object with a few texts; a bigint in a map; an entry of a set; a short
 * text.
 */
const blockBytes = 4_000;
const detailsBytes = 400;
const wideBytes = 80;
const removedRowBytes = 40;
const nameBytes = 80;

function withByteSize(rows: Omit<LedgerBlock, 'bytes'>): LedgerBlock {
  const { length: _length, details, ...columns } = rows;
  let bytes = blockBytes + detailsBytes * details.size;
  for (const column of Object.values(columns)) bytes += columnBytes(column);
  return { ...rows, bytes };
}

function columnBytes(column: LedgerBlock[Exclude<LedgerColumnName, 'details'>]): number {
  if (ArrayBuffer.isView(column)) return column.byteLength;
  if ('numbers' in column) return column.numbers.byteLength + nameBytes * column.names.length;
  return column.digits.byteLength + column.places.byteLength + wideBytes * column.wide.size;
}

export function totalBytes(blocks: readonly LiveBlock[]): number {
  return blocks.reduce((sum, { rows, removed }) => sum + rows.bytes + removedRowBytes * removed.size, 0);
}

export function liveRowCount({ rows, removed }: LiveBlock): number {
  return rows.length - removed.size;
}

/** The instruments that its rows name, also as the target of a corporate action. Leaves out what only removed rows name. */
export function instrumentNames({ rows, removed }: LiveBlock): ReadonlySet<string> {
  const { numbers, names } = rows.instrument;
  const found = new Set(removed.size === 0 ? names : undefined);
  for (let row = 0; removed.size > 0 && row < numbers.length; row++) {
    if (numbers[row] !== nullName && !removed.has(row)) found.add(names[numbers[row]!]!);
  }
  for (const [row, { target }] of rows.details) if (target !== undefined && !removed.has(row)) found.add(target);
  return found;
}

/** Leaves out the rows with these booking numbers. */
export function withoutRows(blocks: readonly LiveBlock[], sequences: ReadonlySet<number>): readonly LiveBlock[] {
  if (sequences.size === 0) return blocks;
  return blocks.map((block) => {
    const { sequence } = block.rows;
    const removed = new Set(block.removed);
    for (const row of rowIndexesOf(sequences, sequence)) removed.add(row);
    return removed.size === block.removed.size ? block : { rows: block.rows, removed };
  });
}

/** Up to this many numbers, one `indexOf` each is faster than checking every row. */
const oneByOneMax = 8;

function rowIndexesOf(wanted: ReadonlySet<number>, numbers: Float64Array): number[] {
  const rows: number[] = [];
  if (wanted.size > oneByOneMax) {
    for (let row = 0; row < numbers.length; row++) if (wanted.has(numbers[row]!)) rows.push(row);
    return rows;
  }
  for (const number of wanted) {
    const row = numbers.indexOf(number);
    if (row >= 0) rows.push(row);
  }
  return rows;
}

/** Leaves out the rows of these accounts. */
export function withoutAccounts(blocks: readonly LiveBlock[], accounts: ReadonlySet<string>): readonly LiveBlock[] {
  return blocks.map((block) => {
    const { numbers, names } = block.rows.account;
    const isExcluded = names.map((name) => accounts.has(name));
    if (!isExcluded.includes(true)) return block;
    const removed = new Set(block.removed);
    for (let row = 0; row < numbers.length; row++) if (isExcluded[numbers[row]!]) removed.add(row);
    return { rows: block.rows, removed };
  });
}

/**
 * Merges blocks to keep their number low: rebuilds a block that lost half of its rows, and merges a block with the one before it
 * when it has at least half as many rows and both fit into one. So a row is copied only a few times, even when rows arrive one by
 * one.
 */
export function compacted(blocks: readonly LiveBlock[]): readonly LiveBlock[] {
  const compact: LiveBlock[] = [];
  for (const block of blocks) {
    let last = 2 * block.removed.size > block.rows.length ? [block] : undefined;
    let count = liveRowCount(block);
    for (let before = compact.at(-1); before !== undefined; before = compact.at(-1)) {
      if (2 * count < liveRowCount(before) || count + liveRowCount(before) > blockRowsMax) break;
      count += liveRowCount(before);
      compact.pop();
      last = [before, ...(last ?? [block])];
    }
    if (count > 0) compact.push(last === undefined ? block : toLiveBlock(merged(last)));
  }
  return compact;
}

interface MergeSource {
  readonly block: LedgerBlock;
  /** The indexes of the rows to copy. */
  readonly rows: Uint32Array;
}

function mergeSource({ rows: block, removed }: LiveBlock): MergeSource {
  const rows = new Uint32Array(block.length - removed.size);
  let at = 0;
  for (let row = 0; row < block.length; row++) if (!removed.has(row)) rows[at++] = row;
  return { block, rows };
}

function merged(blocks: readonly LiveBlock[]): LedgerBlock {
  const sources = blocks.map(mergeSource);
  const length = sources.reduce((sum, { rows }) => sum + rows.length, 0);
  const integers = (getColumn: (source: MergeSource) => Float64Array): Float64Array =>
    copyRows(new Float64Array(length), sources, getColumn);
  const days = (getColumn: (source: MergeSource) => Int32Array): Int32Array =>
    copyRows(new Int32Array(length), sources, getColumn);
  const decimals = (getColumn: (source: MergeSource) => DecimalDigits): DecimalDigits =>
    mergedDecimals(length, sources, getColumn);
  const names = (getColumn: (source: MergeSource) => InternedNames): InternedNames =>
    mergedNames(length, sources, getColumn);
  return withByteSize({
    length,
    account: names(({ block }) => block.account),
    sequence: integers(({ block }) => block.sequence),
    id: mergedIds(length, sources),
    kind: names(({ block }) => block.kind),
    day: days(({ block }) => block.day),
    settlement: days(({ block }) => block.settlement),
    executed: integers(({ block }) => block.executed),
    depository: names(({ block }) => block.depository),
    instrument: names(({ block }) => block.instrument),
    currency: names(({ block }) => block.currency),
    quantity: decimals(({ block }) => block.quantity),
    amount: decimals(({ block }) => block.amount),
    price: decimals(({ block }) => block.price),
    value: decimals(({ block }) => block.value),
    details: mergedSparse(sources, ({ block }) => block.details),
  });
}

type NumberArray = Float64Array | Int32Array | Uint8Array;

function copyRows<A extends NumberArray>(
  target: A,
  sources: readonly MergeSource[],
  getColumn: (source: MergeSource) => A,
): A {
  let at = 0;
  for (const source of sources) {
    const values = getColumn(source);
    for (const row of source.rows) target[at++] = values[row]!;
  }
  return target;
}

function mergedIds(length: number, sources: readonly MergeSource[]): Uint8Array {
  const target = new Uint8Array(length * idBytes);
  let at = 0;
  for (const { block, rows } of sources) {
    for (const row of rows) {
      for (let index = 0; index < idBytes; index++) target[at++] = block.id[row * idBytes + index]!;
    }
  }
  return target;
}

function mergedDecimals(
  length: number,
  sources: readonly MergeSource[],
  getColumn: (source: MergeSource) => DecimalDigits,
): DecimalDigits {
  return {
    digits: copyRows(new Float64Array(length), sources, (source) => getColumn(source).digits),
    places: copyRows(new Uint8Array(length), sources, (source) => getColumn(source).places),
    wide: mergedSparse(sources, (source) => getColumn(source).wide),
  };
}

function mergedNames(
  length: number,
  sources: readonly MergeSource[],
  getColumn: (source: MergeSource) => InternedNames,
): InternedNames {
  const known = new Map<string, number>();
  const numbers = new Int32Array(length);
  let at = 0;
  for (const source of sources) {
    const before = getColumn(source);
    for (const row of source.rows) {
      const number = before.numbers[row]!;
      numbers[at++] = number === nullName ? nullName : internName(known, before.names[number]!);
    }
  }
  return { numbers, names: [...known.keys()] };
}

function internName(known: Map<string, number>, name: string): number {
  const found = known.get(name);
  if (found !== undefined) return found;
  known.set(name, known.size);
  return known.size - 1;
}

function mergedSparse<T>(
  sources: readonly MergeSource[],
  getColumn: (source: MergeSource) => ReadonlyMap<number, T>,
): ReadonlyMap<number, T> {
  const target = new Map<number, T>();
  let at = 0;
  for (const source of sources) {
    const values = getColumn(source);
    for (let index = 0; index < source.rows.length && values.size > 0; index++) {
      const value = values.get(source.rows[index]!);
      if (value !== undefined) target.set(at + index, value);
    }
    at += source.rows.length;
  }
  return target;
}
