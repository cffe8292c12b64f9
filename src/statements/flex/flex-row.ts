// One row of a Flex query: its attributes as values. Dates come in the forms that a query can be set to, where they are certain.

import { DateFault, parseCalendarDate, type CalendarDate } from '../../kit/calendar-date.ts';
import { zeroDecimal, type Decimal } from '../../kit/decimal.ts';
import type { NamedAccount, SourcePlace } from '../../model/custody/statement.ts';
import { readOrderedDate, type DateOrder } from '../date-order.ts';
import { FieldFault } from '../field-fault.ts';
import { readDecimal, readMoment } from '../stated-values.ts';
import type { XmlElement } from '../xml/xml-element.ts';

/** What counts for all rows of one account. */
export interface FlexStatement {
  readonly accountId: string | undefined;
  readonly from: CalendarDate | undefined;
  readonly to: CalendarDate | undefined;
  readonly statedAt: string | undefined;
}

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

export class FlexRow {
  readonly #element: XmlElement;
  readonly statement: FlexStatement;
  readonly #order: DateOrder | undefined;

  constructor(element: XmlElement, statement: FlexStatement, order?: DateOrder) {
    this.#element = element;
    this.statement = statement;
    this.#order = order;
  }

  get name(): string {
    return this.#element.name;
  }

  get place(): SourcePlace {
    return { line: this.#element.line, field: this.#element.name };
  }

  /** The row's own account goes before that of the statement, which may stand for several. */
  get account(): NamedAccount | undefined {
    const own = this.text('accountId');
    const number = own === undefined || own === '-' ? this.statement.accountId : own;
    return number === undefined ? undefined : { number, institution: 'Interactive Brokers' };
  }

  /** All currencies of an account are one statement. */
  get statementName(): string {
    const { from, to } = this.statement;
    return [this.account?.number, from ?? this.date('fromDate'), to ?? this.date('toDate')].filter(Boolean).join('/');
  }

  /** Undefined if it is missing or empty. */
  text(...names: readonly string[]): string | undefined {
    for (const name of names) {
      const value = this.#element.attributes[name]?.trim();
      if (value !== undefined && value !== '' && value !== '--') return value;
    }
    return undefined;
  }

  decimal(...names: readonly string[]): Decimal | undefined {
    const text = this.text(...names);
    if (text === undefined) return undefined;
    const value = readDecimal(text.replaceAll(',', ''));
    if (value === undefined) throw this.fault(names[0]!, `"${text.slice(0, 40)}" is not a decimal number.`);
    return value;
  }

  /** Undefined if it is missing or zero: Flex writes 0 where nothing is meant. */
  amount(...names: readonly string[]): Decimal | undefined {
    const value = this.decimal(...names);
    return value === zeroDecimal ? undefined : value;
  }

  required(name: string): string {
    const value = this.text(name);
    if (value === undefined) throw this.fault(name, `${name} is missing.`);
    return value;
  }

  requiredDecimal(...names: readonly string[]): Decimal {
    const value = this.decimal(...names);
    if (value === undefined) throw this.fault(names[0]!, `${names[0]} is missing.`);
    return value;
  }

  currency(name = 'currency'): string {
    const value = this.required(name).toUpperCase();
    if (!/^[A-Z]{3}$/.test(value))
      throw this.fault(name, `"${value.slice(0, 40)}" is not a currency code of three letters.`);
    return value;
  }

  /** The first of these that is stated. */
  date(...names: readonly string[]): CalendarDate | undefined {
    for (const name of names) {
      const text = this.text(name);
      if (text === undefined || text === 'MULTI') continue;
      const date = readFlexDate(text, this.#order);
      if (date === undefined) {
        throw this.fault(
          name,
          `"${text.slice(0, 40)}" is not a date that is certain. Set the query to yyyy-MM-dd or yyyyMMdd.`,
        );
      }
      return date;
    }
    return undefined;
  }

  requiredDate(...names: readonly string[]): CalendarDate {
    const date = this.date(...names);
    if (date === undefined) throw this.fault(names[0]!, `The date is missing: none of ${names.join(', ')} is stated.`);
    return date;
  }

  /** Codes are separated by semicolons: `O;P`. */
  hasCode(code: string): boolean {
    return (this.text('notes', 'code') ?? '').split(/[;,\s]+/).includes(code);
  }

  fault(field: string, detail: string): FieldFault {
    return new FieldFault({ line: this.#element.line, field: `${this.#element.name}/${field}` }, detail);
  }
}

/** With slashes: `05/01/2024`, which may be of either order. */
export const slashedDate = /^\d{1,2}\/\d{1,2}\/(?:\d{4}|\d{2})(?!\d)/;

/** `20240105`, `2024-01-05` or `05-Jan-24`, with any time after it. Days with slashes are read in the order that is known of the file. */
export function readFlexDate(text: string, order?: DateOrder): CalendarDate | undefined {
  if (order !== undefined && slashedDate.test(text)) return readOrderedDate(text, order);
  const numeric = /^(\d{4})(-?)(\d{2})\2(\d{2})(?=$|\D|\d{2}:|\d{6}$)/.exec(text);
  const [, year, , month, day] = numeric ?? [];
  if (year !== undefined) return existing(`${year}-${month}-${day}`);
  const [, dayText, name, yearText] = /^(\d{2})-([A-Za-z]{3})-(\d{2}|\d{4})(?!\d)/.exec(text) ?? [];
  const index = name === undefined ? -1 : months.indexOf(name.toUpperCase());
  if (index < 0) return undefined;
  return existing(`${yearText!.padStart(4, '20')}-${String(index + 1).padStart(2, '0')}-${dayText}`);
}

function existing(text: string): CalendarDate | undefined {
  try {
    return parseCalendarDate(text);
  } catch (error) {
    if (error instanceof DateFault) return undefined;
    throw error;
  }
}

/** `20240105;103000` as a moment, so that statements of one sender can be compared. */
export function flexMoment(text: string, order?: DateOrder): string | undefined {
  const date = readFlexDate(text, order);
  const [, hour = '00', minute = '00', second = '00'] =
    /(\d{2}):?(\d{2}):?(\d{2})(?:\s*[A-Z]+)?$/.exec(text.slice(8)) ?? [];
  return date && readMoment(`${date}T${hour}:${minute}:${second}Z`);
}
