// Amounts, dates and currencies as OFX writes them: a point or a comma before the decimals, `20240131120000.000[-5:EST]`.

import { parseCalendarDate, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { fromFixed, magnitude, toFixed } from '../../kit/fixed.ts';
import { isCurrencyCode } from '../../model/currency.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';
import { shortened } from '../short-text.ts';
import { FieldFault } from '../field-fault.ts';
import { readDecimal, readExactMoment } from '../stated-values.ts';
import type { XmlElement } from '../xml/xml-element.ts';

export function ofxFault(element: XmlElement, field: string, detail: string): FieldFault {
  return new FieldFault({ line: element.child(field)?.line ?? element.line, field }, detail);
}

/** A comma is a decimal comma, unless a point follows it. */
export function readOfxNumber(text: string): Decimal | undefined {
  const compact = text.replace(/^\+/, '');
  if (/^-?\d{1,3}(?:,\d{3})+\.\d*$/.test(compact)) return readDecimal(compact.replaceAll(',', ''));
  return /^-?\d*(?:[.,]\d*)?$/.test(compact) ? readDecimal(compact.replace(',', '.')) : undefined;
}

export function numberIn(element: XmlElement | undefined, name: string): Decimal | undefined {
  const text = element?.textAt(name);
  if (element === undefined || text === undefined) return undefined;
  const value = readOfxNumber(text);
  if (value === undefined) throw ofxFault(element, name, `"${shortened(text)}" in ${name} is not a number.`);
  return value;
}

export function requiredNumber(element: XmlElement, name: string): Decimal {
  const value = numberIn(element, name);
  if (value === undefined) throw ofxFault(element, name, `${name} is missing.`);
  return value;
}

/** All of these together, each without its sign; undefined if none is stated or they add up to zero. */
export function sumOf(element: XmlElement, names: readonly string[]): Decimal | undefined {
  let sum = 0n;
  for (const name of names) sum += magnitude(toFixed(numberIn(element, name) ?? fromFixed(0n)));
  return sum === 0n ? undefined : fromFixed(sum);
}

const datePattern =
  /^(\d{4})(\d{2})(\d{2})(?:(\d{2})(\d{2})(\d{2})?(?:\.\d+)?)?(?:\[([+-]?\d{1,2}(?:[.:]\d{1,2})?)(?::[^\]]*)?\])?$/;

/** The day in the time zone that it states. */
export function readOfxDate(text: string): CalendarDate | undefined {
  const [, year, month, day] = datePattern.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  try {
    return parseCalendarDate(`${year}-${month}-${day}`);
  } catch {
    return undefined;
  }
}

/** The moment in UTC; without a zone it is Greenwich's, as the standard says. */
export function readOfxMoment(text: string): string | undefined {
  const [, year, month, day, hour = '00', minute = '00', second = '00', zone = '0'] =
    datePattern.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  return readExactMoment(`${year}-${month}-${day}T${hour}:${minute}:${second}${offsetOf(zone)}`);
}

/** Minutes of the fractions of an hour, in two digits, that zones have. Others are minutes themselves. */
const fractionMinutes: Readonly<Record<string, number>> = { '50': 30, '75': 45 };

/** Hours, perhaps with a fraction: `-5`, `5.5`, `5.75`, and `-3.30` for half an hour as some write it. */
function offsetOf(zone: string): string {
  const [, sign = '', hours = '0', part = ''] = /^([+-]?)(\d{1,2})(?:[.:](\d{1,2}))?$/.exec(zone) ?? [];
  const minutes = String(part.length === 1 ? Number(part) * 6 : (fractionMinutes[part] ?? part));
  return `${sign === '-' ? '-' : '+'}${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}`;
}

export function dateIn(element: XmlElement | undefined, name: string): CalendarDate | undefined {
  const text = element?.textAt(name);
  if (element === undefined || text === undefined) return undefined;
  const date = readOfxDate(text);
  if (date === undefined) throw ofxFault(element, name, `"${shortened(text)}" in ${name} is not a date.`);
  return date;
}

export function requiredDate(element: XmlElement, name: string): CalendarDate {
  const date = dateIn(element, name);
  if (date === undefined) throw ofxFault(element, name, `${name} is missing.`);
  return date;
}

/** The moment of a trade, where a time is stated that is not the usual midnight or noon. */
export function momentOfTrade(element: XmlElement, name: string): string | undefined {
  const text = element.textAt(name) ?? '';
  return /^\d{8}(?!000000|120000)\d{4}/.test(text) ? readOfxMoment(text) : undefined;
}

export function currencyCodeIn(element: XmlElement, name: string): string | undefined {
  const text = element.textAt(name);
  // `GBp` is no spelling of GBP: an amount in pence would count a hundredfold.
  const code = quotedCurrency(text)?.isInHundredths === true ? text : text?.toUpperCase();
  if (code !== undefined && !isCurrencyCode(code))
    throw ofxFault(element, name, `"${shortened(code)}" in ${name} is not a currency code.`);
  return code;
}
