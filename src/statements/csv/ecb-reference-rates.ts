// The reference rates of the European Central Bank as published in CSV: a line for each day, a column for each currency against the
// euro, `N/A` for a missing rate, and a comma at the end of each line.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import { CsvFault, CsvReader, type CsvRecord } from '../../kit/csv-reader.ts';
import { StatementFault } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import type { EmitItem, FormatReader } from '../format-reader.ts';
import type { StatementFormat } from '../statement-format.ts';
import { isNotAvailable, laterDate, readDecimal } from '../stated-values.ts';
import { readCsvDate } from './csv-values.ts';

export function isEcbHeader([first, ...others]: readonly string[]): boolean {
  return first === 'Date' && others.length > 0 && others.every((name) => name === '' || /^[A-Z]{3}$/.test(name));
}

export interface EcbRate {
  readonly quote: string;
  readonly date: string;
  readonly rate: string;
}

/** The rates of one line; those that are missing are left out. */
export function ecbRatesOf(header: readonly string[], [date = '', ...cells]: readonly string[]): EcbRate[] {
  return cells.flatMap((rate, index) => {
    const quote = header[index + 1] ?? '';
    const isMissing = quote === '' || isNotAvailable(rate);
    return isMissing ? [] : [{ quote, date, rate }];
  });
}

class EcbRatesReader implements FormatReader {
  readonly #emit: EmitItem;
  readonly #reader = new CsvReader(1 << 16);
  #header: readonly string[] | undefined;
  /** Files begin with their latest day, which is when they were made. */
  #firstDate: CalendarDate | undefined;

  constructor(emit: EmitItem) {
    this.#emit = emit;
  }

  push(chunk: string): void {
    this.#read(() => this.#reader.push(chunk));
  }

  end(): void {
    this.#read(() => this.#reader.end());
    if (this.#header === undefined) throw new StatementFault({ line: 1 }, 'The file is empty.');
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
    const cells = fields.map((field) => field.trim());
    const header = this.#header;
    if (header === undefined) {
      if (!isEcbHeader(cells)) throw new StatementFault({ line }, 'The header is not that of the reference rates.');
      this.#header = cells;
      return;
    }
    const [day = ''] = cells;
    // The file of one day writes `16 November 2026`, the history `2026-11-16`.
    const date = readCsvDate(day, 'year-month-day');
    if (date === undefined || cells.length > header.length) {
      const detail =
        date === undefined ? `"${shortened(day)}" is not a date.` : 'The line has more columns than the header.';
      this.#emit({ item: 'problem', place: { line, field: 'Date' }, detail });
      return;
    }
    this.#firstDate ??= date;
    const statedAt = laterDate(this.#firstDate, date);
    for (const { quote, rate } of ecbRatesOf(header, cells)) {
      const value = readDecimal(rate);
      const place = { line, field: quote };
      if (value === undefined) this.#emit({ item: 'problem', place, detail: `"${shortened(rate)}" is not a rate.` });
      else this.#emit({ item: 'fx-rate', place, base: 'EUR', quote, date, rate: value, statedAt });
    }
  }
}

export const ecbCsvFormat: StatementFormat = {
  name: 'ecb-csv',
  title: 'Reference rates of the European Central Bank, CSV',
  recognises(head) {
    const [first = ''] = head.replace(/^\ufeff/, '').split(/\r?\n/, 1);
    return isEcbHeader(first.split(',').map((name) => name.trim()));
  },
  open: (emit) => new EcbRatesReader(emit),
};
