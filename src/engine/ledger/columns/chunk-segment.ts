// Joins segments of chunks into new chunks that are neither too large nor too small.

import type { TransactionDetails } from '../transaction.ts';
import { DecimalColumn, type SparseColumn } from '../../amounts/decimal-column.ts';
import {
  newChunk,
  newPlainColumns,
  plainColumnNames,
  type DecimalColumnName,
  type LedgerChunk,
} from './ledger-chunk.ts';

/** The rows of a chunk from one index up to another, which is excluded. */
export interface ChunkSegment {
  readonly chunk: LedgerChunk;
  readonly from: number;
  readonly to: number;
}

/** The number of rows in a chunk: intended, least (unless it is the only one) and most. */
export interface ChunkBounds {
  readonly min: number;
  readonly aim: number;
  readonly max: number;
}

export const defaultBounds: ChunkBounds = { min: 1_024, aim: 2_048, max: 4_096 };

/** Returns where to cut that many rows, from 0 to their number. Pieces differ by at most one row. */
export function evenSplits(rowCount: number, { aim, max }: ChunkBounds): readonly number[] {
  const pieces = rowCount <= max ? 1 : Math.round(rowCount / aim);
  return Array.from({ length: pieces + 1 }, (_, cut) => Math.floor((rowCount * cut) / pieces));
}

/** Returns all rows of the segments, in order, in chunks within the bounds. */
export function buildChunks(segments: readonly ChunkSegment[], bounds: ChunkBounds): readonly LedgerChunk[] {
  const rowCount = countRows(segments);
  if (rowCount === 0) return [];
  if (rowCount <= bounds.max) return [joinSegments(segments)];
  const whole = joinSegments(segments);
  const cuts = evenSplits(rowCount, bounds);
  return cuts.slice(1).map((to, piece) => joinSegments([{ chunk: whole, from: cuts[piece]!, to }]));
}

function countRows(segments: readonly ChunkSegment[]): number {
  return segments.reduce((sum, { from, to }) => sum + to - from, 0);
}

/** For shorter runs a loop is faster than copying memory. */
const loopLengthMax = 16;

function joinSegments(segments: readonly ChunkSegment[]): LedgerChunk {
  const plain = newPlainColumns(countRows(segments));
  for (const name of plainColumnNames) {
    let at = 0;
    for (const { chunk, from, to } of segments) {
      copyValues(chunk[name], { from, to }, plain[name], at);
      at += to - from;
    }
  }
  return newChunk(segments[0]!.chunk.names, {
    ...plain,
    quantity: joinDecimals(segments, 'quantity'),
    amount: joinDecimals(segments, 'amount'),
    price: joinDecimals(segments, 'price'),
    value: joinDecimals(segments, 'value'),
    details: joinDetails(segments),
  });
}

type Column = Float64Array | Int32Array | Uint8Array;

function copyValues(source: Column, { from, to }: Pick<ChunkSegment, 'from' | 'to'>, target: Column, at: number): void {
  if (to - from > loopLengthMax) target.set(source.subarray(from, to), at);
  else for (let index = from; index < to; index++) target[at + index - from] = source[index]!;
}

function joinDecimals(segments: readonly ChunkSegment[], name: DecimalColumnName): DecimalColumn {
  const values = new Float64Array(countRows(segments));
  const wide = new Map<number, bigint>();
  let at = 0;
  for (const { chunk, from, to } of segments) {
    copyValues(chunk[name].values, { from, to }, values, at);
    copySparse(chunk[name].wide, { from, to }, wide, at);
    at += to - from;
  }
  return new DecimalColumn({ values, scale: segments[0]!.chunk[name].scale, wide });
}

function joinDetails(segments: readonly ChunkSegment[]): SparseColumn<TransactionDetails> {
  const details = new Map<number, TransactionDetails>();
  let at = 0;
  for (const { chunk, from, to } of segments) {
    copySparse(chunk.details, { from, to }, details, at);
    at += to - from;
  }
  return details;
}

function copySparse<T>(
  source: SparseColumn<T>,
  { from, to }: Pick<ChunkSegment, 'from' | 'to'>,
  target: Map<number, T>,
  at: number,
): void {
  if (source.size < to - from) {
    for (const [index, value] of source) if (index >= from && index < to) target.set(at + index - from, value);
    return;
  }
  for (let index = from; index < to; index++) {
    const value = source.get(index);
    if (value !== undefined) target.set(at + index - from, value);
  }
}
