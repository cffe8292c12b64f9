// Numbers and dates as people's exports write them, by the decimal mark and the date order of a mapping profile. Strict about meaning:
// what could be read in two ways is refused.

import { parseCalendarDate, type CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { ImportProfile } from '../../model/custody/import-profile.ts';
import type { DateOrder } from '../date-order.ts';
import { withSign } from '../signed-values.ts';
import { readDecimal } from '../stated-values.ts';

export type DecimalMark = Exclude<ImportProfile['decimalMark'], 'detect'>;

/** Spaces of every width, apostrophes of every form: they only group digits. */
const groupMarks = /[\s\u00a0\u2000-\u200a\u202f\u205f'\u2018\u2019\u02bc`]/g;
const currencyWords = /^(?:[A-Z]{3}|[$€£¥]|Fr\.?|US\$|C\$)\s*|(?<!\s)\s*(?:[A-Z]{3}|[$€£¥%]|Fr\.?)$/gi;

/** Cells that say that there is no value. */
const emptyWords = new Set(['', '-', '--', '–', '—', 'n/a', 'na', 'none', 'null', '...', 'not available']);

export function isEmptyCell(cell: string): boolean {
  return emptyWords.has(cell.trim().toLowerCase());
}

/** `1'234.50`, `1.234,50-`, `(1,234.50)`, `-$5`, `CHF 12.–`, `5,00 S`. Undefined if it is not a number. */
export function readCsvNumber(cell: string, mark: DecimalMark): Decimal | undefined {
  const { digits, isNegative } = withoutSign(cell.trim().replaceAll('\u2212', '-'));
  const exact = scientific(digits, mark);
  const plain = exact ?? groupedDigits(digits.replace(currencyWords, '').replace(/[.,][-–—]+$/, ''), mark);
  if (plain === undefined) return undefined;
  const value = readDecimal(plain);
  return value === undefined || !isNegative ? value : withSign(value, 'out');
}

/** `2.6E-4` as `0.00026`: programs write very small and very large numbers so. `1e5` may be a code. */
function scientific(text: string, mark: DecimalMark): string | undefined {
  const [, whole = '', fraction = '', power = ''] =
    /^(\d{1,40})\.(\d{1,40})e([+-]?\d{1,2})$/i.exec(mark === 'point' ? text : text.replace(',', '.')) ?? [];
  if (whole === '' || (mark === 'point' && text.includes(','))) return undefined;
  const shift = Number(power);
  const digits = whole + fraction;
  const point = whole.length + shift;
  if (point <= 0) return `0.${'0'.repeat(-point)}${digits}`;
  return point >= digits.length
    ? digits + '0'.repeat(point - digits.length)
    : `${digits.slice(0, point)}.${digits.slice(point)}`;
}

function withoutSign(text: string): { digits: string; isNegative: boolean } {
  const [, inBrackets] = /^\((.*)\)$/.exec(text) ?? [];
  if (inBrackets !== undefined) return { digits: inBrackets.trim(), isNegative: true };
  const [, side] = /\d\s*(S|H|DR|CR|D|C)$/i.exec(text) ?? [];
  if (side !== undefined) {
    return { digits: text.slice(0, -side.length).trim(), isNegative: /^(?:S|DR|D)$/i.test(side) };
  }
  const isNegative = /^(?:[A-Z]{3}|[$€£¥])?\s*-/i.test(text) || /\d\s*-$/.test(text);
  return {
    digits: text
      .replace(/^((?:[A-Z]{3}|[$€£¥])?\s*)[+-]\s*/i, '$1')
      .replace(/[+-]$/, '')
      .trim(),
    isNegative,
  };
}

/** Plain digits with a point, or undefined if the groups are not of three digits. */
function groupedDigits(text: string, mark: DecimalMark): string | undefined {
  const [point, comma] = mark === 'point' ? ['.', ','] : [',', '.'];
  const trimmed = text.trim();
  const at = trimmed.indexOf(point);
  const whole = at < 0 ? trimmed : trimmed.slice(0, at);
  const fraction = at < 0 ? '' : trimmed.slice(at + 1);
  const groups = whole.replace(groupMarks, comma).split(comma);
  const [first = '', ...others] = groups;
  const areGroups = others.every((group) => /^\d{3}$/.test(group)) && (others.length === 0 || /^\d{1,3}$/.test(first));
  if (!areGroups || !/^\d*$/.test(first) || !/^\d*$/.test(fraction) || first + fraction === '') return undefined;
  return `${groups.join('') || '0'}${fraction && `.${fraction}`}`;
}

const monthNames: readonly (readonly string[])[] = [
  ['jan'],
  ['feb', 'fév', 'fev'],
  ['mar', 'mär', 'mrz', 'mae'],
  ['apr', 'avr'],
  ['may', 'mai', 'mag'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aoû', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott'],
  ['nov'],
  ['dec', 'dez', 'déc', 'dic'],
];

function monthNumber(name: string): number | undefined {
  const lower = name.toLowerCase();
  const index = monthNames.findIndex((names) => names.some((one) => lower.startsWith(one)));
  return index < 0 ? undefined : index + 1;
}

/** `31.01.24`, `01/31/2024 as of …`, `2024-01-31T10:00`, `31 January 2024`, `20240131`. Undefined if it is not a day. */
export function readCsvDate(cell: string, order: DateOrder): CalendarDate | undefined {
  const text = cell.trim();
  const [, year, month, day] = /^(\d{4})(\d{2})(\d{2})(?:\D|$)/.exec(text) ?? [];
  if (year !== undefined) return dayOrUndefined(year, Number(month), Number(day));
  const [, first = '', second = '', third = ''] =
    /^(?:\p{L}+,\s*)?(\p{L}+|\d{1,4})[.\s/-]{1,3}(\p{L}+|\d{1,2})[.,\s/-]{1,3}(\d{4}|\d{2}|\d)(?:\D|$)/u.exec(text) ??
    [];
  if (first === '') return undefined;
  if (/^\d{4}$/.test(first)) return dayOrUndefined(first, monthIn(second), Number(third));
  if (!/^\d/.test(first)) return dayOrUndefined(third, monthIn(first), Number(second));
  if (!/^\d/.test(second)) return dayOrUndefined(third, monthIn(second), Number(first));
  if (order === 'year-month-day') {
    return /^\d{2}$/.test(first) ? dayOrUndefined(first, Number(second), Number(third)) : undefined;
  }
  const isDayFirst = order === 'day-month-year';
  const [dayText, monthText] = isDayFirst ? [first, second] : [second, first];
  return dayOrUndefined(third, Number(monthText), Number(dayText));
}

function monthIn(text: string): number {
  return /^\d/.test(text) ? Number(text) : (monthNumber(text) ?? Number.NaN);
}

/** Years of two digits from 80 on are those of the last century. */
function dayOrUndefined(year: string, month: number, day: number): CalendarDate | undefined {
  const whole = year.length === 2 ? `${Number(year) >= 80 ? '19' : '20'}${year}` : year;
  const two = (value: number): string => String(value).padStart(2, '0');
  try {
    return parseCalendarDate(`${whole}-${two(month)}-${two(day)}`);
  } catch {
    return undefined;
  }
}
