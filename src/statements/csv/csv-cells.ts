// Reads the cells of one line by the columns of a profile. A cell that cannot be read makes a problem of the line.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { fixedText, fromFixed, magnitude, toFixed, type Fixed } from '../../kit/fixed.ts';
import { snakeCase } from '../../kit/resource.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';
import type { CsvField, CsvMapping } from '../../model/custody/import-profile.ts';
import type { ForeignPrice } from '../../model/custody/statement.ts';
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
  #inTexts: ReadonlyMap<string, string> | undefined;

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

  /** The first of them, else what a text of the line says of the field. */
  first(field: CsvField): string | undefined {
    const index = this.#firstIndex(field);
    return index === undefined ? this.inText(field) : this.cell(index);
  }

  /** A loop, since this runs for every field of every line. */
  #firstIndex(field: CsvField): number | undefined {
    for (const index of this.columns.indexesOf(field)) if (this.cell(index) !== undefined) return index;
    return undefined;
  }

  /** What the first pattern that fits a text of the line reads. */
  inText(field: CsvField | 'priceCurrency'): string | undefined {
    if (this.columns.texts.length === 0) return undefined;
    this.#inTexts ??= this.#readTexts();
    return this.#inTexts.get(snakeCase(field));
  }

  /** Of each column, by the first pattern that fits it. */
  #readTexts(): ReadonlyMap<string, string> {
    const read = new Map<string, string>();
    const done = new Set<number>();
    for (const { index, pattern } of this.columns.texts) {
      if (done.has(index)) continue;
      const values = pattern.read(this.cell(index) ?? '');
      if (values === undefined) continue;
      done.add(index);
      for (const [name, value] of values) if (!read.has(name)) read.set(name, value);
    }
    return read;
  }

  /** The first of them, else what stands above the header. */
  text(field: CsvField): string | undefined {
    return this.first(field) ?? this.#above.get(field);
  }

  number(field: CsvField): Decimal | undefined {
    const index = this.#firstIndex(field);
    const text = index === undefined ? this.inText(field) : this.cell(index);
    if (text === undefined) return undefined;
    return this.#parse(field, text, index === undefined ? this.#markInTexts() : undefined);
  }

  /** Texts may be in another language than the numbers of the file: one of their own numbers tells the mark, if any does. */
  #markInTexts(): 'point' | 'comma' | undefined {
    for (const name of ['price', 'amount', 'counter_amount', 'quantity']) {
      const text = this.#inTexts?.get(name) ?? '';
      const [, mark] = /^0([.,])\d{3}$/.exec(text) ?? /([.,])(?:\d{1,2}|\d{4,})$/.exec(text) ?? [];
      if (mark !== undefined) return mark === '.' ? 'point' : 'comma';
    }
    return undefined;
  }

  /** A price in the currency of the line; undefined if it is stated in another. */
  price(currency: string | undefined): Decimal | undefined {
    const { price, stated } = this.#statedPrice() ?? {};
    return price === undefined ? undefined : inCurrency(price, stated, currency);
  }

  /** A price that is stated in another currency than that of the line. */
  foreignPrice(currency: string | undefined): ForeignPrice | undefined {
    const { price, stated } = this.#statedPrice() ?? {};
    if (price === undefined || stated === undefined || currency === undefined) return undefined;
    if (inCurrency(price, stated, currency) !== undefined || quotedCurrency(stated) === undefined) return undefined;
    return { price, currency: stated };
  }

  #statedPrice(): { readonly price: Decimal; readonly stated: string | undefined } | undefined {
    const index = this.#firstIndex('price');
    const text = index === undefined ? this.inText('price') : this.cell(index);
    if (text === undefined) return undefined;
    const stated = index === undefined ? this.inText('priceCurrency') : this.#currencyAt(index);
    const mark = index === undefined ? this.#markInTexts() : undefined;
    return { price: this.#parse('price', text, mark), stated };
  }

  /** Fees or taxes that are in the currency of the line, and those in another in words: `Finra fee 0.61 EUR`. */
  costs(field: 'fees' | 'taxes', currency: string | undefined): Costs {
    const values: Fixed[] = [];
    const others: string[] = [];
    for (const index of this.columns.indexesOf(field)) {
      const cell = this.cell(index);
      if (cell === undefined) continue;
      const value = this.#parse(field, cell);
      const stated = this.#currencyAt(index);
      const same = inCurrency(value, stated, currency);
      if (same !== undefined) values.push(toFixed(same));
      else if (value !== '0') others.push([this.columns.header.names[index]?.trim(), value, stated].join(' '));
    }
    if (values.length === 0) return { sum: undefined, others };
    // Files write costs with either sign, unless they have that of the cash.
    const isSigned = this.profile.costs === 'signed';
    const sum = values.reduce<Fixed>((total, value) => total + (isSigned ? -value : magnitude(value)), 0n);
    return { sum: this.#readable(field, sum), others };
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
    return this.#readable(field, magnitude(values.reduce<Fixed>((sum, value) => sum + value, 0n)));
  }

  #readable(field: CsvField, sum: Fixed): Decimal {
    const total = readDecimal(fixedText(sum));
    if (total === undefined) throw this.fault(field, `The columns for ${this.nameOf(field)} add up to too much.`);
    return total;
  }

  /** The word for the currency of a column, if it is said apart from that of the line. */
  #currencyAt(index: number): string | undefined {
    const currency = this.columns.currencyOf(index);
    if (currency === undefined) return undefined;
    return 'code' in currency ? currency.code : this.cell(currency.index);
  }

  #parse(field: CsvField, text: string, decimalMark = this.#spelling.decimalMark): Decimal {
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
    const text = field === 'currency' ? this.#lineCurrency() : this.text(field);
    // `GBp` is no spelling of GBP: an amount in pence would count a hundredfold.
    const code = quotedCurrency(text)?.isInHundredths === true ? text : text?.toUpperCase();
    if (code !== undefined && !isCurrencyCode(code))
      throw this.fault(field, `"${shortened(code)}" in the column ${this.nameOf(field)} is not a currency code.`);
    return code;
  }

  #lineCurrency(): string | undefined {
    return (
      this.#namedCurrency() ??
      this.first('currency') ??
      this.#amountCurrency() ??
      this.#above.get('currency') ??
      this.profile.constants.currency ??
      undefined
    );
  }

  /** A column that has the currency of the file in its name, whatever its values are. */
  #namedCurrency(): string | undefined {
    for (const index of this.columns.indexesOf('currency')) {
      const currency = this.columns.currencyOf(index);
      if (currency !== undefined && 'code' in currency) return currency.code;
    }
    return undefined;
  }

  /** What is said of the column of the amount itself. */
  #amountCurrency(): string | undefined {
    for (const field of amountFields[this.profile.content]) {
      const index = this.#firstIndex(field);
      const currency = index === undefined ? undefined : this.#currencyAt(index);
      if (currency !== undefined) return currency;
    }
    return undefined;
  }
}

interface Costs {
  readonly sum: Decimal | undefined;
  readonly others: readonly string[];
}

const amountFields: Readonly<Record<CsvMapping['content'], readonly CsvField[]>> = {
  transactions: ['amount', 'grossAmount', 'debit', 'credit'],
  positions: ['value', 'price'],
  prices: ['price'],
  'fx-rates': [],
};

/** Undefined if it is in another currency, or if nobody knows whether it is. */
function inCurrency(value: Decimal, stated: string | undefined, currency: string | undefined): Decimal | undefined {
  if (stated === undefined || !/^[a-z]{3}$/i.test(stated)) return value;
  const quoted = quotedCurrency(stated);
  if (quoted?.isInHundredths === true)
    return currency === quoted.currency ? fromFixed(toFixed(value) / 100n) : undefined;
  return stated.toUpperCase() === currency ? value : undefined;
}
