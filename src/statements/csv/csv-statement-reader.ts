// Reads a CSV file by a mapping profile: what stands above the header, then an item or a problem for every line.

import { CsvFault, type CsvReader, type CsvRecord } from '../../kit/csv-reader.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import { StatementFault, type StatementItem, type StatementProblem } from '../../model/custody/statement.ts';
import { FieldFault } from '../field-fault.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import { UsedReferences } from '../used-references.ts';
import { parseColumnName } from './column-name.ts';
import { columnsByPlace } from './columns-by-place.ts';
import { CsvBalances } from './csv-balances.ts';
import { CsvCells } from './csv-cells.ts';
import { entryOf } from './csv-entry.ts';
import { positionOf, priceOf, rateOf } from './csv-facts.ts';
import { CsvColumns, CsvHeader, foldName, matchesWord } from './csv-header.ts';
import { computeAtOnce } from '../../kit/turns/pieces.ts';
import { CsvHead, openCsv, preambleLinesMax } from './csv-layout.ts';
import { TypeWords } from './csv-type.ts';
import { UnknownWord } from './unknown-word.ts';

/** What lines above the header may say for all lines. */
const fieldsAbove: readonly CsvField[] = ['account', 'currency', 'date', 'depository'];

/** How much of a file is enough to find its header. */
const headLength = 16_384;

export class CsvStatementReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #profile: CsvMapping;
  readonly #words: TypeWords;
  readonly #references = new UsedReferences();
  readonly #balances = new CsvBalances();
  readonly #above = new Map<CsvField, string>();
  /** Of the names above the header, the one that the profile names first counts. */
  readonly #ranks = new Map<CsvField, number>();
  #head: string | undefined = '';
  #reader: CsvReader | undefined;
  #headerLine = 0;
  #columns: CsvColumns | undefined;

  constructor(emit: EmitItem, profile: CsvMapping) {
    this.#emit = emit;
    this.#profile = profile;
    this.#words = new TypeWords(profile);
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
    for (const item of this.#balances.items(this.#profile.name)) this.#emit(item);
  }

  #start(): void {
    const head = this.#head ?? '';
    this.#head = undefined;
    // Only the beginning decides, however much arrived with it.
    if (this.#profile.header === 'none') return this.#startWithout(head);
    const csvHead = new CsvHead(head.slice(0, headLength));
    const found = computeAtOnce(csvHead.headersWhere(this.#profile, (header) => hasNeeded(header, this.#profile)));
    const [best] = found.toSorted((one, other) => this.#countRead(other.header) - this.#countRead(one.header));
    if (best === undefined) throw this.#noHeader();
    this.#headerLine = best.line;
    this.#reader = openCsv(best.delimiter);
    this.#read((reader) => reader.push(head));
  }

  /** A file without a header: every line is data. */
  #startWithout(head: string): void {
    const found = columnsByPlace(head.slice(0, headLength), this.#profile);
    if (found === undefined) throw this.#noHeader();
    this.#columns = new CsvColumns(found.header, this.#profile);
    this.#reader = openCsv(found.delimiter);
    this.#read((reader) => reader.push(head));
  }

  #countRead(header: CsvHeader): number {
    return new CsvColumns(header, this.#profile).knownCount;
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
    if (record.line < this.#headerLine) return this.#readPreamble(record.fields);
    if (record.line === this.#headerLine) {
      this.#columns = new CsvColumns(new CsvHeader(record.fields), this.#profile);
      return;
    }
    const columns = this.#columns;
    if (columns === undefined || this.#isLayout(record, columns)) return;
    try {
      if (this.#profile.header === 'named') refuseExtraCells(record, columns);
      const cells = new CsvCells(record, columns, this.#above);
      if (movesNothing(cells)) return;
      this.#emit(this.#itemOf(cells));
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      this.#emit(problemOf(error));
    }
  }

  #itemOf(cells: CsvCells): StatementItem {
    if (this.#profile.content === 'positions') return positionOf(cells);
    if (this.#profile.content === 'prices') return priceOf(cells);
    if (this.#profile.content === 'fx-rates') return rateOf(cells);
    const entry = { ...entryOf(cells, this.#words, this.#references), statement: this.#profile.name };
    this.#balances.add(entry, cells.number('balance'), cells.first('part'));
    return entry;
  }

  /** `Konto:;CH93 …` or `Konto: CH93 …`, by the same names as the columns. */
  #readPreamble(fields: readonly string[]): void {
    const texts = fields.map((field) => field.trim()).filter(Boolean);
    const [first = '', second] = texts;
    const colon = first.indexOf(':');
    const label = colon < 0 ? first : first.slice(0, colon);
    const value = (colon >= 0 && first.slice(colon + 1).trim()) || second;
    if (value === undefined) return;
    for (const field of fieldsAbove) {
      const rank = this.#profile.columns[field]?.findIndex((name) => parseColumnName(name).name === foldName(label)) ?? -1;
      if (rank < 0 || rank >= (this.#ranks.get(field) ?? Infinity)) continue;
      this.#ranks.set(field, rank);
      this.#above.set(field, value.split(' / ', 1)[0]!.trim());
    }
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
  transactions: ['amount', 'debit', 'credit', 'quantity'],
  positions: ['quantity'],
  prices: ['price'],
  'fx-rates': ['exchangeRate'],
};

function neededNames({ content, columns }: CsvMapping): string {
  const needed: readonly CsvField[] = ['date', ...neededFields[content]];
  return needed.flatMap((field) => columns[field]?.[0] ?? []).join(', ');
}

/** Reservations, monthly statements, payments that were declined: by a word of the custodian. */
function movesNothing(cells: CsvCells): boolean {
  const { ignoredWords } = cells.profile;
  if (ignoredWords.length === 0) return false;
  const words = [...cells.texts('type'), ...cells.texts('status')];
  return words.some((text) => ignoredWords.some((word) => matchesWord(text, word)));
}

function refuseExtraCells({ line, fields }: CsvRecord, { header }: CsvColumns): void {
  const extra = fields.slice(header.names.length).some((cell) => cell.trim() !== '');
  if (!extra) return;
  const detail = `The line has ${fields.length} columns, but the header has ${header.names.length}: a text with a separator in it may lack its quotes.`;
  throw new FieldFault({ line }, detail);
}

function problemOf(fault: FieldFault): StatementProblem {
  const problem: StatementProblem = { item: 'problem', place: fault.place, detail: fault.message };
  return fault instanceof UnknownWord ? { ...problem, needs: 'mapping' } : problem;
}
