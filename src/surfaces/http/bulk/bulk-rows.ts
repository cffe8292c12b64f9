// The rows of a bulk body, some at a time and whatever it is written in: JSON, JSON lines or CSV. A row that cannot be read
// is handed on as such, so that the others need not suffer for it. Knows neither resources nor what becomes of the rows.

import { JsonItemSplitter } from '../../../kit/json-item-splitter.ts';
import { JsonFault, parseJson, type Json } from '../../../kit/json.ts';
import { Refusal, type Fault } from '../../../kit/refusal.ts';
import { CsvRows, type CsvColumns } from './csv-rows.ts';
import type { Spool } from './spool.ts';

export interface BulkRow {
  /** Counted from zero. */
  readonly index: number;
  /** Where it stands in the body, counted from one; null where the format has no lines. */
  readonly line: number | null;
  readonly value: Json | UnreadableRow;
}

/** A row that is there and makes no sense by itself. */
export class UnreadableRow {
  readonly fault: Fault;

  constructor(code: 'malformed-json' | 'malformed-csv', detail: string, pointer = '') {
    this.fault = { code, detail, pointer };
  }
}

/** One way to find rows in text that comes in pieces. */
export interface RowReader {
  push(chunk: string): BulkRow[];
  end(): BulkRow[];
}

/** In characters. */
export const rowLengthMax = 64 * 1024;

export const bulkFormats = {
  'application/json': () => new JsonRows(),
  'application/x-ndjson': () => new JsonLineRows(),
  'text/csv': (columns: CsvColumns) => new CsvRows(columns, rowLengthMax),
} as const satisfies Record<string, (columns: CsvColumns) => RowReader>;

export type BulkFormat = keyof typeof bulkFormats;

function parseRow(text: string): Json | UnreadableRow {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonFault) return new UnreadableRow('malformed-json', error.message, error.pointer);
    throw error;
  }
}

class JsonRows implements RowReader {
  readonly #items = new JsonItemSplitter(rowLengthMax);
  #count = 0;

  push(chunk: string): BulkRow[] {
    return this.#items.push(chunk).map((text) => ({ index: this.#count++, line: null, value: parseRow(text) }));
  }

  end(): BulkRow[] {
    this.#items.end();
    return [];
  }
}

class JsonLineRows implements RowReader {
  #rest = '';
  #line = 0;
  #count = 0;

  push(chunk: string): BulkRow[] {
    const lines = (this.#rest + chunk).split('\n');
    this.#rest = lines.pop()!;
    const rows = lines.flatMap((line) => this.#read(line));
    this.#checkLength(this.#rest, this.#line + 1);
    return rows;
  }

  end(): BulkRow[] {
    return this.#read(this.#rest);
  }

  #read(text: string): BulkRow[] {
    this.#line++;
    this.#checkLength(text, this.#line);
    if (text.trim() === '') return [];
    return [{ index: this.#count++, line: this.#line, value: parseRow(text) }];
  }

  #checkLength(text: string, line: number): void {
    if (text.length <= rowLengthMax) return;
    throw new JsonFault('malformed', `Line ${line} has more than ${rowLengthMax} characters.`, { offset: 0 });
  }
}

/** The text of the pieces. A byte order mark is left in it: CSV may begin with one, JSON may not. */
async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Refusal('malformed-request', 'The body is not UTF-8.', { cause });
  }
}

/** In the order of the body, in batches of at least so many but for the last. */
export async function* readRows(spool: Spool, reader: RowReader, batchMin: number): AsyncGenerator<readonly BulkRow[]> {
  let batch: readonly BulkRow[] = [];
  for await (const text of decodeText(spool.chunks())) {
    batch = [...batch, ...reader.push(text)];
    if (batch.length < batchMin) continue;
    yield batch;
    batch = [];
  }
  batch = [...batch, ...reader.end()];
  if (batch.length > 0) yield batch;
}
