// Inserts and removes rows in a list of chunks in ledger order. Untouched chunks stay the same objects.

import { append } from '../../../kit/memory/long-list.ts';
import { buildChunks, type ChunkBounds, type ChunkSegment } from './chunk-segment.ts';
import { compareRows, type LedgerChunk } from './ledger-chunk.ts';

export type ChunkList = readonly LedgerChunk[];

/** Puts each new row into the last chunk that begins before it, or into the first. */
export function insertRows(chunks: ChunkList, addition: LedgerChunk, bounds: ChunkBounds): ChunkList {
  if (chunks.length === 0) return buildChunks([wholeChunk(addition)], bounds);
  const merged: LedgerChunk[] = [];
  let from = 0;
  for (const [index, chunk] of chunks.entries()) {
    const next = chunks[index + 1];
    const to =
      next === undefined ? addition.length : firstNotBefore({ chunk: addition, from, to: addition.length }, next, 0);
    if (to === from) merged.push(chunk);
    else append(merged, buildChunks(interleave(chunk, { chunk: addition, from, to }), bounds));
    from = to;
  }
  return merged;
}

function wholeChunk(chunk: LedgerChunk): ChunkSegment {
  return { chunk, from: 0, to: chunk.length };
}

/** Returns the index of the segment's first row that does not come before a row of another chunk. */
function firstNotBefore({ chunk, from, to }: ChunkSegment, other: LedgerChunk, otherIndex: number): number {
  let [low, high] = [from, to];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareRows(chunk, middle, other, otherIndex) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Alternates between runs of one and of the other. */
function interleave(chunk: LedgerChunk, addition: ChunkSegment): readonly ChunkSegment[] {
  const segments: ChunkSegment[] = [];
  let [at, from] = [0, addition.from];
  while (from < addition.to) {
    const until = firstNotBefore({ chunk, from: at, to: chunk.length }, addition.chunk, from);
    if (until > at) segments.push({ chunk, from: at, to: until });
    at = until;
    const rest = { ...addition, from: from + 1 };
    const to = at === chunk.length ? addition.to : firstNotBefore(rest, chunk, at);
    segments.push({ ...addition, from, to });
    from = to;
  }
  if (at < chunk.length) segments.push({ chunk, from: at, to: chunk.length });
  return segments;
}

/** A row by its chunk and its index there. */
export interface RowLocation {
  readonly chunk: number;
  readonly index: number;
}

/** Joins a chunk that becomes too small with the smaller of its neighbours. */
export function removeRow(chunks: ChunkList, { chunk: at, index }: RowLocation, bounds: ChunkBounds): ChunkList {
  const chunk = chunks[at]!;
  const remaining: ChunkSegment[] = [
    { chunk, from: 0, to: index },
    { chunk, from: index + 1, to: chunk.length },
  ];
  if (chunks.length === 1 || chunk.length > bounds.min)
    return chunks.toSpliced(at, 1, ...buildChunks(remaining, bounds));
  const [before, after] = [chunks[at - 1], chunks[at + 1]];
  const isBeforeSmaller = before !== undefined && (after === undefined || before.length <= after.length);
  return isBeforeSmaller
    ? chunks.toSpliced(at - 1, 2, ...buildChunks([wholeChunk(before), ...remaining], bounds))
    : chunks.toSpliced(at, 2, ...buildChunks([...remaining, wholeChunk(after!)], bounds));
}
