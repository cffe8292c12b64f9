// Reads the activity statement of Interactive Brokers in CSV. Every line begins with the name of its section and says whether it is the
// header, data or a total of it. Codes of instruments stand at the end, so that the rows that need them wait for it.

import { CsvFault, CsvReader, type CsvRecord } from '../../kit/csv-reader.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import { StatementFault, type StatementItem, type StatementProblem } from '../../model/custody/statement.ts';
import { readCsvDate } from '../csv/csv-values.ts';
import { problemOf } from '../field-fault.ts';
import { flexBalances } from '../flex/flex-holdings.ts';
import { FlexRow, type FlexStatement } from '../flex/flex-row.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import type { StatementFormat } from '../statement-format.ts';
import { stated } from '../stated-fields.ts';
import { readMoment } from '../stated-values.ts';
import { XmlElement } from '../xml/xml-element.ts';
import {
  activitySections,
  explainingActivitySections,
  instrumentAttributes,
  instrumentSection,
  type ActivityCells,
  type FlexAttributes,
} from './activity-sections.ts';

const lineLengthMax = 1 << 16;
/** Rows that wait for the codes of their instruments. Of longer files, the first have symbols only. */
const waitingMax = 20_000;
const instrumentsMax = 20_000;
const sectionsMax = 200;
const currenciesMax = 200;

interface Waiting {
  readonly section: string;
  readonly line: number;
  readonly attributes: FlexAttributes;
}

interface UnreadSection {
  readonly line: number;
  rowCount: number;
}

interface CashOfCurrency {
  readonly line: number;
  startingCash?: string;
  endingCash?: string;
}

export class ActivityReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #reader = new CsvReader(lineLengthMax, { allowsStrayQuotes: true });
  readonly #headers = new Map<string, readonly string[]>();
  readonly #unread = new Map<string, UnreadSection>();
  readonly #instruments = new Map<string, FlexAttributes>();
  readonly #cash = new Map<string, CashOfCurrency>();
  #waiting: Waiting[] = [];
  #statement: { -readonly [K in keyof FlexStatement]: FlexStatement[K] } = {
    accountId: undefined,
    from: undefined,
    to: undefined,
    statedAt: undefined,
  };

  constructor(emit: EmitItem) {
    this.#emit = emit;
  }

  push(chunk: string): void {
    this.#read(() => this.#reader.push(chunk));
  }

  end(): void {
    this.#read(() => this.#reader.end());
    if (this.#headers.size === 0) throw new StatementFault({ line: 1 }, 'The file has no section.');
    this.#release();
    for (const [currency, { line, ...cash }] of this.#cash)
      this.#emitRow({ section: 'Cash Report', line, attributes: { currency, ...cash } }, flexBalances);
    for (const [section, { line, rowCount }] of this.#unread) {
      const detail = `The section ${section.slice(0, 60)} is not read (rows: ${rowCount}). If it moved cash or units, enter them by hand.`;
      this.#emit({ item: 'problem', place: { line, field: section.slice(0, 60) }, detail });
    }
  }

  #read(step: () => CsvRecord[]): void {
    try {
      for (const record of step()) this.#record(record);
    } catch (error) {
      if (!(error instanceof CsvFault)) throw error;
      throw new StatementFault({ line: error.line }, error.detail);
    }
  }

  #record({ line, fields }: CsvRecord): void {
    const [section = '', level = '', ...cells] = fields.map((field) => field.trim());
    if (level === 'Header') {
      // A section may have several, of which each is that of the rows below it.
      if (this.#headers.has(section) || this.#headers.size < sectionsMax) this.#headers.set(section, cells);
      return;
    }
    if (level !== 'Data' || section === '') return;
    const header = this.#headers.get(section) ?? [];
    const byName: ActivityCells = new Map(header.map((name, index) => [name, cells[index] ?? '']));
    if (section === 'Statement' || section === 'Account Information') return this.#about(byName);
    if (section === 'Cash Report') return this.#cashRow(line, byName);
    if (explainingActivitySections.has(section)) return;
    const known = activitySections.get(section);
    if (known === undefined) return this.#count(section, line);
    const attributes = known.attributes(byName);
    if (attributes === undefined) return;
    if (section === instrumentSection) this.#keepInstrument(byName);
    this.#waiting.push({ section, line, attributes: withAccount(attributes, byName) });
    if (this.#waiting.length >= waitingMax) this.#release();
  }

  /** What counts for the whole file. */
  #about(cells: ActivityCells): void {
    const value = cells.get('Field Value') ?? '';
    switch (cells.get('Field Name')) {
      case 'Period': {
        const [first = '', last = first] = value.split(' - ');
        this.#statement.from = dayOf(first);
        this.#statement.to = dayOf(last);
        break;
      }
      case 'WhenGenerated':
        this.#statement.statedAt = momentOf(value);
        break;
      case 'Account':
        // A name may follow in brackets.
        this.#statement.accountId = value.split(' ', 1)[0] || undefined;
        break;
      default:
    }
  }

  #cashRow(line: number, cells: ActivityCells): void {
    const currency = cells.get('Currency') ?? '';
    if (!/^[A-Z]{3}$/.test(currency)) return;
    const name = cells.get('Currency Summary');
    if (name !== 'Starting Cash' && name !== 'Ending Cash') return;
    if (!this.#cash.has(currency) && this.#cash.size >= currenciesMax) return;
    const cash = this.#cash.get(currency) ?? { line };
    cash[name === 'Starting Cash' ? 'startingCash' : 'endingCash'] = cells.get('Total') ?? '';
    this.#cash.set(currency, cash);
  }

  #count(section: string, line: number): void {
    const unread = this.#unread.get(section);
    if (unread !== undefined) unread.rowCount++;
    else if (this.#unread.size < sectionsMax) this.#unread.set(section, { line, rowCount: 1 });
    else throw new StatementFault({ line }, `The file has more than ${sectionsMax} sections that are not known.`);
  }

  #keepInstrument(cells: ActivityCells): void {
    const { symbol: _symbol, ...attributes } = instrumentAttributes(cells);
    const name = { issuer: attributes['description'] ?? '' };
    for (const symbol of (cells.get('Symbol') ?? '').split(',')) {
      const key = keyOf({ assetCategory: attributes['assetCategory'] ?? '', symbol: symbol.trim() });
      if (this.#instruments.size < instrumentsMax && !this.#instruments.has(key))
        this.#instruments.set(key, { ...attributes, ...name });
    }
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    // Instruments come before what is about them.
    for (const isInstrument of [true, false]) {
      for (const row of waiting) {
        const section = activitySections.get(row.section);
        if (section !== undefined && (row.section === instrumentSection) === isInstrument)
          this.#emitRow(row, section.items);
      }
    }
  }

  #emitRow({ section, line, attributes }: Waiting, read: (row: FlexRow) => readonly StatementItem[]): void {
    const instrument = section === instrumentSection ? undefined : this.#instrumentOf(attributes);
    const row = new FlexRow(new XmlElement(section, line, { ...instrument, ...attributes }), this.#statement);
    try {
      for (const item of read(row)) this.#emit(item);
    } catch (error) {
      const { account, statement, place } = row;
      this.#emit(stated<StatementProblem>({ ...problemOf(error, place), account, statedAt: statement.statedAt }));
    }
  }

  /** Cash rows do not say the category: what has their symbol is a security, and no exchange of currencies. */
  #instrumentOf({ assetCategory = 'STK', symbol = '' }: FlexAttributes): FlexAttributes | undefined {
    if (symbol === '' || assetCategory === 'CASH') return undefined;
    return this.#instruments.get(keyOf({ assetCategory, symbol }));
  }
}

function keyOf({ assetCategory, symbol }: { readonly assetCategory: string; readonly symbol: string }): string {
  return `${assetCategory}/${symbol}`;
}

/** Statements of several accounts name that of each row. */
function withAccount(attributes: FlexAttributes, cells: ActivityCells): FlexAttributes {
  const account = cells.get('Account');
  return account === undefined || account === '' ? attributes : { ...attributes, accountId: account };
}

function dayOf(text: string): CalendarDate | undefined {
  return readCsvDate(text, 'year-month-day');
}

/** `2025-01-05, 10:00:00 EST`: the zone is left out, since only statements of one sender are compared. */
function momentOf(text: string): string | undefined {
  const [, day, time] = /^(\d{4}-\d{2}-\d{2}),? (\d{2}:\d{2}:\d{2})/.exec(text) ?? [];
  return day === undefined ? undefined : readMoment(`${day}T${time}`);
}

export const ibActivityFormat: StatementFormat = {
  name: 'ib-activity',
  title: 'Interactive Brokers: activity statement, CSV',
  // The transaction history begins in the same way, and is a table of its own.
  recognises: (head) =>
    /^"?Statement"?,"?Header"?,"?Field Name"?,/.test(head) && !/^"?Transaction History"?,"?Header"?,/m.test(head),
  open: (emit) => new ActivityReader(emit),
};
