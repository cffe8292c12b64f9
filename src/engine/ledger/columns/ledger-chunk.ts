// A stretch of a ledger as columns, one typed array each; any row can be read back as a transaction.

import type { Day } from '../../../kit/day.ts';
import { transactionKinds, type LedgerTransaction, type TransactionDetails } from '../transaction.ts';
import type { DecimalColumn, SparseColumn } from '../../amounts/decimal-column.ts';
import { noNumber, type LedgerDictionary } from './ledger-dictionary.ts';

/** Marks a missing settlement day. */
export const noSettlementDay: Day = -(2 ** 31);

export interface PlainColumns {
  /** Booking number. */
  readonly row: Float64Array;
  readonly day: Int32Array;
  /** noSettlementDay if there is none. */
  readonly settlement: Int32Array;
  /** The stated time, or for a row without one its place among the timed rows (untimedSortTime). */
  readonly time: Int32Array;
  /** 1 if a time was stated. */
  readonly isTimed: Uint8Array;
  /** intradayRank. */
  readonly rank: Uint8Array;
  /** Index in transactionKinds. */
  readonly kind: Uint8Array;
  /** Index in the ledger's places: account and depository as the row names them. */
  readonly place: Int32Array;
  /** Index in the ledger's positions, or −1 for money alone. */
  readonly position: Int32Array;
  /** Index of the position of the account's cash in the row's currency, or −1 without an account. */
  readonly cash: Int32Array;
  /** Index in the ledger's currencies. */
  readonly currency: Int32Array;
}

export function newPlainColumns(length: number): PlainColumns {
  return {
    row: new Float64Array(length),
    day: new Int32Array(length),
    settlement: new Int32Array(length),
    time: new Int32Array(length),
    isTimed: new Uint8Array(length),
    rank: new Uint8Array(length),
    kind: new Uint8Array(length),
    place: new Int32Array(length),
    position: new Int32Array(length),
    cash: new Int32Array(length),
    currency: new Int32Array(length),
  };
}

export const plainColumnNames = Object.keys(newPlainColumns(0)) as readonly (keyof PlainColumns)[];

const decimalColumnNames = ['quantity', 'amount', 'price', 'value'] as const;

export type DecimalColumnName = (typeof decimalColumnNames)[number];

/** In the price column, NaN without a wide value means no price. */
type DecimalColumns = { readonly [name in DecimalColumnName]: DecimalColumn };

/** Digits after the point, by column. */
export type LedgerScales = { readonly [name in DecimalColumnName]: number };

interface ChunkColumns extends PlainColumns, DecimalColumns {
  /** In the order of the rows. */
  readonly details: SparseColumn<TransactionDetails>;
}

/** Rows in the order of compareRows. Immutable. */
export interface LedgerChunk extends ChunkColumns {
  readonly length: number;
  /** The names behind its numbers. */
  readonly names: LedgerDictionary;
  /** The smallest and the largest booking number. */
  readonly rowMin: number;
  readonly rowMax: number;
}

export function newChunk(names: LedgerDictionary, columns: ChunkColumns): LedgerChunk {
  let [rowMin, rowMax] = [Infinity, -Infinity];
  for (const row of columns.row) {
    if (row < rowMin) rowMin = row;
    if (row > rowMax) rowMax = row;
  }
  return { ...columns, length: columns.row.length, names, rowMin, rowMax };
}

export function transactionAt(chunk: LedgerChunk, index: number): LedgerTransaction {
  const { names } = chunk;
  const { account, depository } = names.places[chunk.place[index]!]!;
  const position = chunk.position[index]!;
  const settlement = chunk.settlement[index]!;
  return {
    row: chunk.row[index]!,
    kind: transactionKinds[chunk.kind[index]!]!,
    day: chunk.day[index]!,
    time: chunk.isTimed[index] === 1 ? chunk.time[index]! : null,
    settlement: settlement === noSettlementDay ? null : settlement,
    account,
    depository,
    instrument: position === noNumber ? null : names.positions[position]!.instrument,
    quantity: chunk.quantity.get(index),
    amount: chunk.amount.get(index),
    currency: names.currencies[chunk.currency[index]!]!,
    price: chunk.price.find(index),
    value: chunk.value.get(index),
    details: chunk.details.get(index) ?? null,
  };
}

type OrderColumns = Pick<PlainColumns, 'row' | 'day' | 'time' | 'rank'>;

/** The total order: trade date, time of execution, rank within the day, booking sequence. */
export function compareRows(one: OrderColumns, index: number, other: OrderColumns, otherIndex: number): number {
  return (
    one.day[index]! - other.day[otherIndex]! ||
    one.time[index]! - other.time[otherIndex]! ||
    one.rank[index]! - other.rank[otherIndex]! ||
    one.row[index]! - other.row[otherIndex]!
  );
}

/** Memory of the columns. Wide decimals, details and names, which are few, are not included. */
export function chunkBytes(chunk: LedgerChunk): number {
  const plain = plainColumnNames.map((name) => chunk[name].byteLength);
  const decimals = decimalColumnNames.map((name) => chunk[name].values.byteLength);
  return [...plain, ...decimals].reduce((sum, bytes) => sum + bytes, 0);
}
