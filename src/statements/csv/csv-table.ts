// Finds the header of a CSV file that a mapping profile describes, and hands over the lines above it and the records below it.

import { CsvFault, type CsvReader, type CsvRecord } from '../../kit/csv-reader.ts';
import { computeAtOnce } from '../../kit/turns/pieces.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import { StatementFault } from '../../model/custody/statement.ts';
import { columnsByPlace } from './columns-by-place.ts';
import { CsvColumns, CsvHeader, headerTest } from './csv-header.ts';
import { foldName, matchesWord } from './folded-name.ts';
import { CsvHead, openCsv, preambleLinesMax } from './csv-layout.ts';

/** How much of a file is enough to find its header. */
const headLength = 16_384;
/** No export has more tables. */
const tablesMax = 100;

export interface TableListener {
  /** A line above the header. */
  above(fields: readonly string[]): void;
  /** The header itself. */
  header(columns: CsvColumns): void;
  /** A line that is neither empty nor layout. */
  record(record: CsvRecord, columns: CsvColumns): void;
}

export class CsvTable {
  readonly #profile: CsvMapping;
  readonly #listener: TableListener;
  #head: string | undefined = '';
  #reader: CsvReader | undefined;
  #headerLine = 0;
  #columns: CsvColumns | undefined;
  #tableCount = 1;
  #isHeader: ((header: CsvHeader) => boolean) | undefined;

  constructor(profile: CsvMapping, listener: TableListener) {
    this.#profile = profile;
    this.#listener = listener;
  }

  push(chunk: string): void {
    if (this.#head === undefined) return this.#read((reader) => reader.push(chunk));
    this.#head += chunk;
    if (this.#head.length >= headLength) this.#start();
  }

  end(): void {
    if (this.#head !== undefined) this.#start();
    this.#read((reader) => reader.end());
    if (this.#columns === undefined) throw this.#noHeader();
  }

  #start(): void {
    const head = this.#head ?? '';
    this.#head = undefined;
    // Only the beginning decides, however much arrived with it.
    const csvHead = new CsvHead(head.slice(0, headLength));
    if (this.#profile.header === 'none') return this.#startWithout(csvHead, head);
    const found = computeAtOnce(csvHead.headersWhere(this.#profile, (header) => hasNeeded(header, this.#profile)));
    const [best] = found.toSorted((one, other) => this.#countRead(other.header) - this.#countRead(one.header));
    if (best === undefined) throw this.#noHeader();
    this.#headerLine = best.line;
    this.#reader = openCsv(best.delimiter);
    this.#read((reader) => reader.push(head));
  }

  /** A file without a header: every line is data. */
  #startWithout(csvHead: CsvHead, head: string): void {
    const found = columnsByPlace(csvHead, this.#profile);
    if (found === undefined) throw this.#noHeader();
    this.#columns = new CsvColumns(found.header, this.#profile);
    this.#listener.header(this.#columns);
    this.#reader = openCsv(found.delimiter);
    this.#read((reader) => reader.push(head));
  }

  #countRead(header: CsvHeader): number {
    return new CsvColumns(header, this.#profile).count;
  }

  #noHeader(): StatementFault {
    const names = neededNames(this.#profile);
    if (this.#profile.header === 'none') {
      const detail = `None of the first lines has a date and an amount where the profile "${this.#profile.name}" says: ${names}.`;
      return new StatementFault({ line: 1 }, detail);
    }
    return new StatementFault(
      { line: 1 },
      `None of the first ${preambleLinesMax} lines is the header that the profile "${this.#profile.name}" describes: ${names}.`,
    );
  }

  #read(step: (reader: CsvReader) => CsvRecord[]): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    try {
      for (const record of step(reader)) this.#record(record);
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      throw new StatementFault({ line: error.line }, error.detail);
    }
  }

  #record(record: CsvRecord): void {
    if (record.line < this.#headerLine) return this.#listener.above(record.fields);
    if (record.line === this.#headerLine) {
      this.#columns = new CsvColumns(new CsvHeader(record.fields), this.#profile);
      return this.#listener.header(this.#columns);
    }
    const columns = this.#columns;
    if (columns === undefined || this.#isLayout(record, columns)) return;
    if (this.#isNextHeader(record, columns)) this.#columns = this.#nextTable(record);
    else this.#listener.record(record, columns);
  }

  /** A second table of the same kind, whose header has other columns: its first name is that of the first table. */
  #isNextHeader({ fields }: CsvRecord, { header }: CsvColumns): boolean {
    if (this.#profile.header !== 'named' || this.#tableCount >= tablesMax) return false;
    const first = foldName(fields[0] ?? '');
    if (first === '' || first !== foldName(header.names[0] ?? '')) return false;
    this.#isHeader ??= headerTest(this.#profile);
    return this.#isHeader(new CsvHeader(fields));
  }

  #nextTable({ fields }: CsvRecord): CsvColumns {
    this.#tableCount++;
    const columns = new CsvColumns(new CsvHeader(fields), this.#profile);
    this.#listener.header(columns);
    return columns;
  }

  /** Totals and notes that the profile names, lines of nothing but separators, and the header again. */
  #isLayout({ fields }: CsvRecord, { header }: CsvColumns): boolean {
    const first = fields.find((field) => field.trim() !== '');
    if (first === undefined) return true;
    if (fields.length === header.names.length && fields.every((field, index) => field === header.names[index])) {
      return true;
    }
    return this.#profile.ignoredLines.some((word) => matchesWord(first, word));
  }
}

/** Whether the lines below could be read: a date and, by content, what is counted. */
function hasNeeded(header: CsvHeader, profile: CsvMapping): boolean {
  const columns = new CsvColumns(header, profile);
  if (columns.indexesOf('date').length === 0 && profile.content !== 'positions') return false;
  return neededFields[profile.content].some((field) => columns.indexesOf(field).length > 0);
}

const neededFields: Readonly<Record<CsvMapping['content'], readonly CsvField[]>> = {
  transactions: ['amount', 'grossAmount', 'debit', 'credit', 'quantity'],
  positions: ['quantity'],
  prices: ['price'],
  'fx-rates': ['exchangeRate'],
};

function neededNames({ content, columns }: CsvMapping): string {
  const needed: readonly CsvField[] = ['date', ...neededFields[content]];
  return needed.flatMap((field) => columns[field]?.[0] ?? []).join(', ');
}
