// Reads the rows of a bulk body in batches, from JSON, JSON lines or CSV.

import { yieldWhenBusy } from '../../../kit/event-loop.ts';
import { JsonFault, parseJson, type Json } from '../../../kit/json.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { rowLengthMax, UnreadableRow, type BulkRow, type RowReader } from './bulk-row.ts';
import { JsonItemSplitter } from './json-item-splitter.ts';
import { CsvRows, type CsvColumns } from './csv-rows.ts';
import type { Spool } from './spool.ts';

export const bulkFormats = {
  'application/json': () => new JsonRows(),
  'application/x-ndjson': () => new JsonLineRows(),
  'text/csv': (columns: CsvColumns) => new CsvRows(columns, rowLengthMax),
} as const satisfies Record<string, (columns: CsvColumns) => RowReader>;

export type BulkFormat = keyof typeof bulkFormats;

class JsonRow implements BulkRow {
  readonly index: number;
  readonly line: number | null;
  readonly #text: string;

  constructor(index: number, line: number | null, text: string) {
    this.index = index;
    this.line = line;
    this.#text = text;
  }

  read(): Json | UnreadableRow {
    try {
      return parseJson(this.#text);
    } catch (error) {
      if (error instanceof JsonFault) return new UnreadableRow('malformed-json', error.message, error.pointer);
      throw error;
    }
  }
}

class JsonRows implements RowReader {
  readonly #items = new JsonItemSplitter(rowLengthMax);
  #count = 0;

  push(chunk: string): BulkRow[] {
    return this.#items.push(chunk).map((text) => new JsonRow(this.#count++, null, text));
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
    return [new JsonRow(this.#count++, this.#line, text)];
  }

  #checkLength(text: string, line: number): void {
    if (text.length <= rowLengthMax) return;
    throw new JsonFault('malformed', `Line ${line} has more than ${rowLengthMax} characters.`, { offset: 0 });
  }
}

/** In characters. Limits how many rows are found at a time: the smallest has one character and a line break. */
const pieceLengthMax = 4 * 1024;

/** Decodes the body into pieces. Keeps a byte order mark: CSV may begin with one, JSON may not. */
async function* decodeText(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of chunks) {
      const text = decoder.decode(chunk, { stream: true });
      for (let start = 0; start < text.length; start += pieceLengthMax) {
        await yieldWhenBusy();
        yield text.slice(start, start + pieceLengthMax);
      }
    }
    yield decoder.decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Refusal('malformed-request', 'The body is not UTF-8.', { cause });
  }
}

/** How many rows a batch may have, and from how many characters of text on it is not made larger. */
export interface BatchLimits {
  readonly rowsMax: number;
  readonly charactersMax: number;
}

/** Yields the rows of each piece of the body. */
async function* readPieces(spool: Spool, reader: RowReader): AsyncGenerator<{ rows: BulkRow[]; characters: number }> {
  for await (const piece of decodeText(spool.chunks())) {
    yield { rows: reader.push(piece), characters: piece.length };
  }
  yield { rows: reader.end(), characters: 0 };
}

/** Yields the rows in the order of the body, in batches within the limits, and lets other events be handled in between. */
export async function* readRows(
  spool: Spool,
  reader: RowReader,
  { rowsMax, charactersMax }: BatchLimits,
): AsyncGenerator<readonly BulkRow[]> {
  let batch: BulkRow[] = [];
  let charactersRead = 0;
  for await (const { rows, characters } of readPieces(spool, reader)) {
    charactersRead += characters;
    for (const row of rows) {
      batch.push(row);
      if (batch.length < rowsMax) continue;
      yield batch;
      [batch, charactersRead] = [[], 0];
    }
    if (charactersRead < charactersMax || batch.length === 0) continue;
    yield batch;
    [batch, charactersRead] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
