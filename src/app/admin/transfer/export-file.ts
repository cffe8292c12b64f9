// Writes one file of an export, and counts and hashes it on the way: what it says of itself is of the file before it is encrypted.

import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { csvLine } from '../../../kit/csv-line.ts';
import { openSink, type FileSink } from '../../../kit/files/age.ts';
import { blockLines } from './manifest.ts';

export interface WrittenFile {
  readonly rows: number;
  readonly lines: number;
  readonly sha256: string;
  readonly blocks: readonly string[];
}

/** Where a field of CSV is empty there is no value; a text that is empty or begins with a backslash has one before it. */
export function csvField(value: string | null): string {
  if (value === null) return '';
  return value === '' || value.startsWith('\\') ? `\\${value}` : value;
}

/** What `csvField` made a field of. */
export function csvValue(field: string): string | null {
  if (field === '') return null;
  return field.startsWith('\\') ? field.slice(1) : field;
}

export class ExportFile {
  readonly #sink: FileSink;
  readonly #isCsv: boolean;
  readonly #hash = createHash('sha256');
  readonly #blocks: string[] = [];
  #block = createHash('sha256');
  #rows = 0;
  #lines = 0;

  private constructor(sink: FileSink, isCsv: boolean) {
    this.#sink = sink;
    this.#isCsv = isCsv;
  }

  /** Nobody else may read what is exported. With recipients, nobody but these. */
  static async create(
    path: string,
    columns: readonly string[] | undefined,
    recipients: readonly string[] = [],
  ): Promise<ExportFile> {
    const sink = await openSink(await open(path, 'wx', 0o600), recipients);
    const file = new ExportFile(sink, columns !== undefined);
    if (columns !== undefined) await file.#write([csvLine(columns)]);
    return file;
  }

  /** Rows as JSON objects; for CSV as JSON arrays of texts. */
  async writeRows(rows: readonly string[]): Promise<void> {
    this.#rows += rows.length;
    await this.#write(rows.map((row) => (this.#isCsv ? csvRow(row) : `${row}\n`)));
  }

  /** Each text is one row; one of CSV may have line breaks within. */
  async #write(texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      this.#hash.update(text);
      for (const line of text.split(/(?<=\n)/)) {
        this.#block.update(line);
        if (++this.#lines % blockLines === 0) this.#endBlock();
      }
    }
    await this.#sink.write(Buffer.from(texts.join('')));
  }

  #endBlock(): void {
    this.#blocks.push(this.#block.digest('hex'));
    this.#block = createHash('sha256');
  }

  /** After an error: the file is of no use. */
  abandon(): Promise<void> {
    return this.#sink.abandon();
  }

  async close(): Promise<WrittenFile> {
    if (this.#lines % blockLines !== 0) this.#endBlock();
    await this.#sink.close();
    return { rows: this.#rows, lines: this.#lines, sha256: this.#hash.digest('hex'), blocks: this.#blocks };
  }
}

function csvRow(row: string): string {
  const values: readonly (string | null)[] = JSON.parse(row);
  return csvLine(values.map(csvField));
}
