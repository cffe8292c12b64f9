// Reads the rows of a bulk body in batches, from JSON, JSON lines or CSV.

import { JsonItemSplitter } from '../../../kit/json-item-splitter.ts';
import { JsonFault, parseJson, type Json } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { rowLengthMax, UnreadableRow, type BulkRow, type RowReader } from './bulk-row.ts';
import { CsvRows, type CsvColumns } from './csv-rows.ts';
import type { Spool } from './spool.ts';

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
    this.#rest = lines.pop() ?? '';
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

/** Decodes the pieces. Keeps a byte order mark: CSV may begin with one, JSON may not. */
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

/** Yields the rows in the order of the body. Every batch but the last has at least `batchMin` rows. */
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
