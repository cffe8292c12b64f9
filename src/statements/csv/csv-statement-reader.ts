// Reads a CSV file by a mapping profile: what stands above the header, then items or a problem for every line.

import type { CsvRecord } from '../../kit/csv-reader.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import type { StatementItem, StatementProblem } from '../../model/custody/statement.ts';
import { bothOrders, inBothOrders } from '../date-readings.ts';
import { FieldFault } from '../field-fault.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import { UsedReferences } from '../used-references.ts';
import { CsvBalances } from './csv-balances.ts';
import { CsvCells } from './csv-cells.ts';
import { entriesOf } from './csv-entry.ts';
import { positionOf, priceOf, rateOf } from './csv-facts.ts';
import { parseColumnName, type ColumnName } from './column-name.ts';
import type { CsvColumns } from './csv-header.ts';
import { foldName, matchesWord } from './folded-name.ts';
import { spellingOf, type CsvSpelling } from './csv-spelling.ts';
import { CsvTable, type TableListener } from './csv-table.ts';
import { TypeWords } from './csv-type.ts';
import { UnknownWord } from './unknown-word.ts';
import { UnreadColumns } from './unread-columns.ts';

/** What lines above the header may say for all lines. */
const fieldsAbove: readonly CsvField[] = ['account', 'currency', 'date', 'depository'];

export class CsvStatementReader implements FormatReader, TableListener {
  readonly #emit: EmitItem;
  readonly #profile: CsvMapping;
  readonly #table: CsvTable;
  /** One, or one for each order in which the dates of the file may be written. */
  readonly #lines: readonly CsvLines[];
  readonly #above = new Map<CsvField, string>();
  /** Of the names above the header, the one that the profile names first counts. */
  readonly #ranks = new Map<CsvField, number>();
  /** Of each table of the file. */
  readonly #unread: UnreadColumns[] = [];

  /** `spelling` is what the file itself says of what the profile leaves open. */
  constructor(emit: EmitItem, profile: CsvMapping, spelling = spellingOf(profile)) {
    this.#emit = emit;
    this.#profile = profile;
    this.#table = new CsvTable(profile, this);
    const spellings =
      spelling.isDayOrMonthFirst === true ? bothOrders.map((dateOrder) => ({ ...spelling, dateOrder })) : [spelling];
    this.#lines = spellings.map((one) => new CsvLines(profile, one, this.#above));
  }

  push(chunk: string): void {
    this.#table.push(chunk);
  }

  end(): void {
    this.#table.end();
    this.#emitAll(this.#lines.map((lines) => lines.balances()));
    for (const unread of this.#unread) {
      const notice = unread.notice();
      if (notice !== undefined) this.#emit(notice);
    }
  }

  #emitAll([items = [], others]: readonly (readonly StatementItem[])[]): void {
    for (const item of inBothOrders(items, others)) this.#emit(item);
  }

  header(columns: CsvColumns): void {
    this.#unread.push(new UnreadColumns(columns));
  }

  record(record: CsvRecord, columns: CsvColumns): void {
    const read = this.#lines.map((lines) => lines.read(record, columns));
    const [first] = read;
    // Lines that move nothing count for nothing.
    if (first === undefined) return;
    this.#emitAll(read.map((items) => items ?? []));
    this.#unread.at(-1)?.add(record.line, record.fields);
  }

  /** `Konto:;CH93 …` or `Konto: CH93 …`, by the same names as the columns; those that stand above only, also behind other words. */
  above(fields: readonly string[]): void {
    const texts = fields.map((field) => field.trim()).filter(Boolean);
    const [first = '', second] = texts;
    const colon = first.indexOf(':');
    const label = colon < 0 ? first : first.slice(0, colon);
    const value = (colon >= 0 && first.slice(colon + 1).trim()) || second;
    if (value === undefined) return;
    this.#keepAbove(label, value, () => true);
    for (const [index, text] of texts.slice(1, -1).entries())
      this.#keepAbove(text, texts[index + 2] ?? '', ({ isAboveOnly }) => isAboveOnly);
  }

  #keepAbove(label: string, value: string, isMeant: (name: ColumnName) => boolean): void {
    for (const field of fieldsAbove) {
      const names = (this.#profile.columns[field] ?? []).map(parseColumnName);
      const rank = names.findIndex((name) => isMeant(name) && name.name === foldName(label));
      if (rank < 0 || rank >= (this.#ranks.get(field) ?? Infinity)) continue;
      this.#ranks.set(field, rank);
      this.#above.set(field, value.split(' / ', 1)[0]!.trim());
    }
  }
}

/** The lines of a file, read in one spelling. */
class CsvLines {
  readonly #profile: CsvMapping;
  readonly #spelling: CsvSpelling;
  readonly #above: ReadonlyMap<CsvField, string>;
  readonly #words: TypeWords;
  readonly #references = new UsedReferences();
  readonly #balances = new CsvBalances();

  constructor(profile: CsvMapping, spelling: CsvSpelling, above: ReadonlyMap<CsvField, string>) {
    this.#profile = profile;
    this.#spelling = spelling;
    this.#above = above;
    this.#words = new TypeWords(profile);
  }

  /** Undefined if the line moves nothing. */
  read(record: CsvRecord, columns: CsvColumns): readonly StatementItem[] | undefined {
    try {
      if (this.#profile.header === 'named') refuseExtraCells(record, columns);
      const cells = new CsvCells(record, columns, { above: this.#above, spelling: this.#spelling });
      return movesNothing(cells) ? undefined : this.#itemsOf(cells);
    } catch (error) {
      if (!(error instanceof FieldFault)) throw error;
      return [problemOf(error)];
    }
  }

  balances(): readonly StatementItem[] {
    return this.#balances.items(this.#profile.name);
  }

  #itemsOf(cells: CsvCells): readonly StatementItem[] {
    switch (this.#profile.content) {
      case 'positions':
        return [positionOf(cells)];
      case 'prices':
        return [priceOf(cells)];
      case 'fx-rates':
        return [rateOf(cells)];
      case 'transactions': {
        const statement = this.#profile.name;
        const balance = cells.number('balance');
        const entries = entriesOf(cells, this.#words, this.#references).map((entry) => ({ ...entry, statement }));
        const [first, ...others] = entries;
        if (first === undefined) return [];
        this.#balances.add(first, balance, cells.first('part'));
        // The balance after the line is that after all of its entries, and proves only a line that is one entry.
        return others.length > 0 || balance === undefined ? entries : [{ ...first, balance }];
      }
    }
  }
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
