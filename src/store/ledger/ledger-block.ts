// Rows of a ledger as columns that never change, which of them still count, and several of them put together. Knows no account and
// no statement.

import { idBytes, noName, type DecimalDigits, type Names } from '../postgres/binary/column-builder.ts';
import { pieceRowsMax } from '../postgres/binary/binary-rows.ts';
import { ledgerColumnKinds, type CounterRowsPiece, type LedgerDetails, type LedgerRowsPiece } from './ledger-rows.ts';

type Kinds = typeof ledgerColumnKinds;
export type LedgerColumnName = keyof Kinds;

/** Rows in no order. See ColumnData for what a column is made of. */
export interface LedgerPiece extends Omit<LedgerRowsPiece, 'details'> {
  /** By row. */
  readonly details: ReadonlyMap<number, LedgerDetails>;
  /** Of typed arrays to the byte; of what else there is, about. */
  readonly bytes: number;
}

/** A piece, without the rows that have been closed since it was made. */
export interface LivePiece {
  readonly rows: LedgerPiece;
  readonly gone: ReadonlySet<number>;
}

const noneGone: ReadonlySet<number> = new Set();

export function wholePiece(rows: LedgerPiece): LivePiece {
  return { rows, gone: noneGone };
}

export function toLedgerPiece(piece: LedgerRowsPiece | CounterRowsPiece): LedgerPiece {
  const { details, counter: _counter, ...rows } = { counter: undefined, ...piece };
  const parsed = new Map<number, LedgerDetails>();
  for (const [row, text] of details) parsed.set(row, JSON.parse(text) as LedgerDetails);
  return weighed({ ...rows, details: parsed });
}

/** All arrays of a piece besides what is in them; an object with a few texts; a bigint in a map; an entry of a set; a short text. */
const pieceBytes = 4_000;
const detailsBytes = 400;
const wideBytes = 80;
const goneBytes = 40;
const nameBytes = 80;

function weighed(rows: Omit<LedgerPiece, 'bytes'>): LedgerPiece {
  let bytes = pieceBytes + detailsBytes * rows.details.size;
  for (const name of Object.keys(ledgerColumnKinds) as LedgerColumnName[]) bytes += columnBytes(rows[name]);
  return { ...rows, bytes };
}

function columnBytes(column: LedgerPiece[LedgerColumnName]): number {
  if (ArrayBuffer.isView(column)) return column.byteLength;
  if ('numbers' in column) return column.numbers.byteLength + nameBytes * column.names.length;
  if ('digits' in column) return column.digits.byteLength + column.places.byteLength + wideBytes * column.wide.size;
  return 0;
}

export function bytesOf(pieces: readonly LivePiece[]): number {
  return pieces.reduce((sum, { rows, gone }) => sum + rows.bytes + goneBytes * gone.size, 0);
}

export function countOf({ rows, gone }: LivePiece): number {
  return rows.length - gone.size;
}

/** Without the rows of these booking numbers. */
export function withoutRows(pieces: readonly LivePiece[], sequences: ReadonlySet<number>): readonly LivePiece[] {
  if (sequences.size === 0) return pieces;
  return pieces.map((piece) => {
    const { sequence } = piece.rows;
    const gone = new Set(piece.gone);
    for (const row of placesOf(sequences, sequence)) gone.add(row);
    return gone.size === piece.gone.size ? piece : { rows: piece.rows, gone };
  });
}

/** To look for so many one by one is quicker than to look at every row. */
const oneByOneMax = 8;

function placesOf(wanted: ReadonlySet<number>, numbers: Float64Array): number[] {
  const places: number[] = [];
  if (wanted.size > oneByOneMax) {
    for (let row = 0; row < numbers.length; row++) if (wanted.has(numbers[row]!)) places.push(row);
    return places;
  }
  for (const number of wanted) {
    const row = numbers.indexOf(number);
    if (row >= 0) places.push(row);
  }
  return places;
}

/** Without the rows of these accounts. */
export function withoutAccounts(pieces: readonly LivePiece[], accounts: ReadonlySet<string>): readonly LivePiece[] {
  return pieces.map((piece) => {
    const { numbers, names } = piece.rows.account;
    const left = names.map((name) => accounts.has(name));
    if (!left.includes(true)) return piece;
    const gone = new Set(piece.gone);
    for (let row = 0; row < numbers.length; row++) if (left[numbers[row]!]) gone.add(row);
    return { rows: piece.rows, gone };
  });
}

/**
 * As few pieces as needed: where a piece has lost half of its rows, or has at least half as many as the one before it and both
 * have room in one, it is put together anew. So a row is copied a few times at most, however many come one by one.
 */
export function tidied(pieces: readonly LivePiece[]): readonly LivePiece[] {
  const tidy: LivePiece[] = [];
  for (const piece of pieces) {
    let last = 2 * piece.gone.size > piece.rows.length ? [piece] : undefined;
    let count = countOf(piece);
    for (let before = tidy.at(-1); before !== undefined; before = tidy.at(-1)) {
      if (2 * count < countOf(before) || count + countOf(before) > pieceRowsMax) break;
      count += countOf(before);
      last = [tidy.pop()!, ...(last ?? [piece])];
    }
    if (count > 0) tidy.push(last === undefined ? piece : wholePiece(merged(last)));
  }
  return tidy;
}

interface Source {
  readonly piece: LedgerPiece;
  /** The rows that are copied. */
  readonly rows: Uint32Array;
}

function sourceOf({ rows: piece, gone }: LivePiece): Source {
  const rows = new Uint32Array(piece.length - gone.size);
  let at = 0;
  for (let row = 0; row < piece.length; row++) if (!gone.has(row)) rows[at++] = row;
  return { piece, rows };
}

function merged(pieces: readonly LivePiece[]): LedgerPiece {
  const sources = pieces.map(sourceOf);
  const length = sources.reduce((sum, { rows }) => sum + rows.length, 0);
  const columns = Object.entries(ledgerColumnKinds).map(([name, kind]) => {
    const of = <T>(source: Source): T => source.piece[name as LedgerColumnName] as T;
    switch (kind) {
      case 'integer':
      case 'instant':
        return [name, gathered(new Float64Array(length), sources, of)];
      case 'day':
        return [name, gathered(new Int32Array(length), sources, of)];
      case 'id':
        return [name, mergedIds(length, sources)];
      case 'decimal':
        return [name, mergedDecimals(length, sources, of)];
      case 'name':
        return [name, mergedNames(length, sources, of)];
      case 'text':
        return [name, mergedSparse(sources, of)];
    }
  });
  return weighed({ ...Object.fromEntries(columns), length });
}

type NumberArray = Float64Array | Int32Array | Uint8Array;

function gathered<A extends NumberArray>(target: A, sources: readonly Source[], of: (source: Source) => A): A {
  let at = 0;
  for (const source of sources) {
    const values = of(source);
    for (const row of source.rows) target[at++] = values[row]!;
  }
  return target;
}

function mergedIds(length: number, sources: readonly Source[]): Uint8Array {
  const target = new Uint8Array(length * idBytes);
  let at = 0;
  for (const { piece, rows } of sources) {
    for (const row of rows) {
      for (let index = 0; index < idBytes; index++) target[at++] = piece.id[row * idBytes + index]!;
    }
  }
  return target;
}

function mergedDecimals(
  length: number,
  sources: readonly Source[],
  of: (source: Source) => DecimalDigits,
): DecimalDigits {
  return {
    digits: gathered(new Float64Array(length), sources, (source) => of(source).digits),
    places: gathered(new Uint8Array(length), sources, (source) => of(source).places),
    wide: mergedSparse(sources, (source) => of(source).wide),
  };
}

function mergedNames(length: number, sources: readonly Source[], of: (source: Source) => Names): Names {
  const known = new Map<string, number>();
  const numbers = new Int32Array(length);
  let at = 0;
  for (const source of sources) {
    const before = of(source);
    for (const row of source.rows) {
      const number = before.numbers[row]!;
      numbers[at++] = number === noName ? noName : numberOf(known, before.names[number]!);
    }
  }
  return { numbers, names: [...known.keys()] };
}

function numberOf(known: Map<string, number>, name: string): number {
  const found = known.get(name);
  if (found !== undefined) return found;
  known.set(name, known.size);
  return known.size - 1;
}

function mergedSparse<T>(
  sources: readonly Source[],
  of: (source: Source) => ReadonlyMap<number, T>,
): ReadonlyMap<number, T> {
  const target = new Map<number, T>();
  let at = 0;
  for (const source of sources) {
    const values = of(source);
    for (let index = 0; index < source.rows.length && values.size > 0; index++) {
      const value = values.get(source.rows[index]!);
      if (value !== undefined) target.set(at + index, value);
    }
    at += source.rows.length;
  }
  return target;
}
