// Reads the cells of one line by the columns of a profile. A cell that cannot be read makes a problem of the line.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { fixedText, magnitude, toFixed } from '../../kit/fixed.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import { shortened } from '../short-text.ts';
import { FieldFault } from '../field-fault.ts';
import { readDecimal } from '../stated-values.ts';
import type { CsvColumns } from './csv-header.ts';
import { isEmptyCell, readCsvDate, readCsvNumber } from './csv-values.ts';

export class CsvCells {
  readonly line: number;
  readonly columns: CsvColumns;
  readonly profile: CsvMapping;
  readonly #cells: readonly string[];
  /** What lines above the header say for all lines. */
  readonly #above: ReadonlyMap<CsvField, string>;

  constructor(
    { line, fields }: { readonly line: number; readonly fields: readonly string[] },
    columns: CsvColumns,
    above: ReadonlyMap<CsvField, string>,
  ) {
    this.line = line;
    this.columns = columns;
    this.profile = columns.profile;
    this.#cells = fields;
    this.#above = above;
  }

  fault(field: CsvField, detail: string): FieldFault {
    return new FieldFault({ line: this.line, field: this.nameOf(field) }, detail);
  }

  /** The name of the column in the file. */
  nameOf(field: CsvField): string {
    return this.columns.nameOf(field);
  }

  cell(index: number): string | undefined {
    const cell = this.#cells[index];
    if (cell === undefined || cell === '' || isEmptyCell(cell)) return undefined;
    return /\s\s|[^\S ]/.test(cell) ? cell.replace(/\s+/g, ' ').trim() : cell.trim();
  }

  /** All cells of a field that say something. */
  texts(field: CsvField): readonly string[] {
    return this.columns.indexesOf(field).flatMap((index) => this.cell(index) ?? []);
  }

  /** The first of them. A loop, since this runs for every field of every line. */
  first(field: CsvField): string | undefined {
    for (const index of this.columns.indexesOf(field)) {
      const cell = this.cell(index);
      if (cell !== undefined) return cell;
    }
    return undefined;
  }

  /** The first of them, else what stands above the header. */
  text(field: CsvField): string | undefined {
    return this.first(field) ?? this.#above.get(field);
  }

  number(field: CsvField): Decimal | undefined {
    const text = this.first(field);
    return text === undefined ? undefined : this.#parse(field, text);
  }

  /** All columns of a field together, each without its sign. */
  sum(field: CsvField): Decimal | undefined {
    const values = this.texts(field).map((text) => this.#parse(field, text));
    if (values.length === 0) return undefined;
    const total = readDecimal(fixedText(values.reduce((sum, value) => sum + magnitude(toFixed(value)), 0n)));
    if (total === undefined) throw this.fault(field, `The columns for ${this.nameOf(field)} add up to too much.`);
    return total;
  }

  #parse(field: CsvField, text: string): Decimal {
    const value = readCsvNumber(text, this.profile.decimalMark);
    if (value !== undefined) return value;
    const mark = `the decimal mark is a ${this.profile.decimalMark}`;
    throw this.fault(field, `"${shortened(text)}" in the column ${this.nameOf(field)} is not a number (${mark}).`);
  }

  date(field: CsvField): CalendarDate | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const date = readCsvDate(text, this.profile.dateOrder);
    if (date !== undefined) return date;
    const order = this.profile.dateOrder.replaceAll('-', ', ');
    throw this.fault(field, `"${shortened(text)}" in the column ${this.nameOf(field)} is not a date (${order}).`);
  }

  requiredDate(): CalendarDate {
    const date = this.date('date');
    if (date === undefined) throw this.fault('date', `The line has no date in the column ${this.nameOf('date')}.`);
    return date;
  }

  currency(field: 'currency' | 'counterCurrency'): string | undefined {
    const text =
      this.text(field) ?? (field === 'currency' ? (this.profile.constants.currency ?? undefined) : undefined);
    // `GBp` is no spelling of GBP: an amount in pence would count a hundredfold.
    const code = quotedCurrency(text)?.isInHundredths === true ? text : text?.toUpperCase();
    if (code !== undefined && !isCurrencyCode(code))
      throw this.fault(field, `"${shortened(code)}" in the column ${this.nameOf(field)} is not a currency code.`);
    return code;
  }
}
