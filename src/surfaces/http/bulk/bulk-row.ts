// Defines one row of a bulk body, and what finds rows in text that arrives in pieces.

import type { Json } from '../../../kit/json.ts';
import type { Fault } from '../../../kit/refusal.ts';

export interface BulkRow {
  /** Counted from zero. */
  readonly index: number;
  /** The line of the body it begins on, counted from one; null where the format has no lines. */
  readonly line: number | null;
  /** Parses it. A body that is refused has rows that nobody needs to parse. */
  read(): Json | UnreadableRow;
}

/** A row that could not be parsed. It is passed on, so that in mode `per-row` the other rows are still written. */
export class UnreadableRow {
  readonly fault: Fault;

  constructor(code: 'malformed-json' | 'malformed-csv', detail: string, pointer = '') {
    this.fault = { code, detail, pointer };
  }
}

/** Finds rows in text that arrives in pieces; a piece may end anywhere. */
export interface RowReader {
  push(chunk: string): BulkRow[];
  end(): BulkRow[];
}

/** In characters. */
export const rowLengthMax = 64 * 1024;
