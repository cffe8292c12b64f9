// Reads the cells of one line by the columns of a profile. A cell that cannot be read makes a problem of the line.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { fixedText, magnitude, toFixed, type Fixed } from '../../kit/fixed.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import { shortened } from '../short-text.ts';
import { FieldFault } from '../field-fault.ts';
import { dateOrders } from '../date-order.ts';
import { readDecimal } from '../stated-values.ts';
import type { CsvColumns } from './csv-header.ts';
import type { CsvSpelling } from './csv-spelling.ts';
import { isEmptyCell, readCsvDate, readCsvNumber, type DecimalMark } from './csv-values.ts';
import { UnknownWord } from './unknown-word.ts';

const decimalMarks: readonly DecimalMark[] = ['point', 'comma'];

export class CsvCells {
  readonly line: number;
  readonly columns: CsvColumns;
  readonly profile: CsvMapping;
  readonly #cells: readonly string[];
  readonly #spelling: CsvSpelling;
  /** What lines above the header say for all lines. */
  readonly #above: ReadonlyMap<CsvField, string>;

  constructor(
    { line, fields }: { readonly line: number; readonly fields: readonly string[] },
    columns: CsvColumns,
    { above, spelling }: { readonly above: ReadonlyMap<CsvField, string>; readonly spelling: CsvSpelling },
  ) {
    this.line = line;
    this.columns = columns;
    this.profile = columns.profile;
    this.#cells = fields;
    this.#above = above;
    this.#spelling = spelling;
  }

  get signs(): CsvSpelling['signs'] {
    return this.#spelling.signs;
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

  /** All columns of a field together, each without its sign: files write costs with either. */
  sum(field: CsvField): Decimal | undefined {
    return this.#total(field, magnitude);
  }

  /** All columns of a field together, where those of the one sign take off from those of the other. */
  netSum(field: CsvField): Decimal | undefined {
    return this.#total(field, (value) => value);
  }

  #total(field: CsvField, part: (value: Fixed) => Fixed): Decimal | undefined {
    const values = this.texts(field).map((text) => part(toFixed(this.#parse(field, text))));
    if (values.length === 0) return undefined;
    const total = readDecimal(fixedText(magnitude(values.reduce<Fixed>((sum, value) => sum + value, 0n))));
    if (total === undefined) throw this.fault(field, `The columns for ${this.nameOf(field)} add up to too much.`);
    return total;
  }

  #parse(field: CsvField, text: string): Decimal {
    const { decimalMark } = this.#spelling;
    if (decimalMark === 'unclear') return this.#parseUnclear(field, text);
    const value = readCsvNumber(text, decimalMark);
    if (value !== undefined) return value;
    const mark = `the decimal mark is a ${decimalMark}`;
    throw this.fault(field, `"${shortened(text)}" in the column ${this.nameOf(field)} is not a number (${mark}).`);
  }

  #parseUnclear(field: CsvField, text: string): Decimal {
    const [value, other] = decimalMarks.map((mark) => readCsvNumber(text, mark));
    if (value !== undefined && value === other) return value;
    const read = [value, other].flatMap((one) => one ?? []);
    const [only, second] = read;
    const what = `"${shortened(text)}" in the column ${this.nameOf(field)}`;
    if (only === undefined) throw this.fault(field, `${what} is not a number.`);
    if (second === undefined) return only;
    const why = this.#spelling.hasTwoMarks
      ? 'The numbers of the file have both decimal marks.'
      : 'No number of the file says which decimal mark it has.';
    throw this.#unclear(field, `${what} may be ${read.join(' or ')}. ${why} Name a profile that says it.`);
  }

  #unclear(field: CsvField, detail: string): UnknownWord {
    return new UnknownWord({ line: this.line, field: this.nameOf(field) }, detail);
  }

  date(field: CsvField): CalendarDate | undefined {
    const text = this.text(field);
    if (text === undefined) return undefined;
    const { dateOrder } = this.#spelling;
    if (dateOrder === 'unclear') return this.#unclearDate(field, text);
    const date = readCsvDate(text, dateOrder);
    if (date !== undefined) return date;
    const order = dateOrder.replaceAll('-', ', ');
    throw this.fault(field, `"${shortened(text)}" in the column ${this.nameOf(field)} is not a date (${order}).`);
  }

  #unclearDate(field: CsvField, text: string): CalendarDate {
    const [date, other] = new Set(dateOrders.flatMap((order) => readCsvDate(text, order) ?? []));
    const what = `"${shortened(text)}" in the column ${this.nameOf(field)}`;
    if (date === undefined) throw this.fault(field, `${what} is not a date.`);
    if (other === undefined) return date;
    const why = this.#spelling.whyUnclear ?? 'No date of the file says in which order days and months are written.';
    throw this.#unclear(field, `${what} may be ${date} or ${other}. ${why} Name a profile that says it.`);
  }

  requiredDate(): CalendarDate {
    const date = this.date('date');
    if (date === undefined) throw this.fault('date', `The line has no date in the column ${this.nameOf('date')}.`);
    return date;
  }

  currency(field: 'currency' | 'counterCurrency' | 'feesCurrency' | 'taxesCurrency'): string | undefined {
    const text =
      this.text(field) ?? (field === 'currency' ? (this.profile.constants.currency ?? undefined) : undefined);
    const code = text?.toUpperCase();
    if (code !== undefined && !isCurrencyCode(code))
      throw this.fault(field, `"${shortened(code)}" in the column ${this.nameOf(field)} is not a currency code.`);
    return code;
  }
}
