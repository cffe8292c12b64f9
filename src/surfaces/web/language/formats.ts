// Writes exact decimals and dates as the reader's locale does. Decimals are strings and never go through a double; they are
// rounded half to even. `const formats = formatsOf(reader.locale)`; `formats.money('1234.5', 'CHF')` → 1,234.50. Null is "–".

import { assert } from '../../../kit/assert.ts';
import { doubleText } from '../../../kit/decimal.ts';
import { currencies } from '../../../model/iso-4217.ts';

export type Figure = string | null;

export interface Formats {
  readonly locale: string;
  /** With the digits of its currency, two without one; the currency itself stands in the page's words. */
  money(value: Figure, currency?: string): string;
  /** With + or −. */
  signedMoney(value: Figure, currency?: string): string;
  /** With the code of its currency: CHF 1,234.50. */
  moneyWithCode(value: Figure, currency: string): string;
  number(value: Figure, digits?: number): string;
  signedNumber(value: Figure, digits?: number): string;
  /** All digits that it has. */
  quantity(value: Figure): string;
  /** Up to so many digits after the point: prices, exchange rates. */
  upTo(value: Figure, digits: number, least?: number): string;
  /** A fraction as percent with its sign: 0.091 → +9.10%. */
  percent(value: Figure, digits?: number): string;
  /** A fraction as percent without plus: shares, weights. */
  share(value: Figure, digits?: number): string;
  /** Short, for axes: 70 m, 70 Mio; with up to two digits after the point, or as many as asked for. */
  compact(value: Figure, digits?: number): string;
  dateLong(date: Figure): string;
  dateShort(date: Figure): string;
  month(date: Figure): string;
  monthShort(date: Figure): string;
  dayMonth(date: Figure): string;
  /** An instant in a time zone, which is named. */
  datetime(instant: Figure, timeZone?: string): string;
  currencyName(code: string): string;
}

/** A ratio of the API, which is a JSON number, as a figure. */
export function ratioFigure(ratio: number | null): Figure {
  return ratio === null ? null : doubleText(ratio);
}

export const missing = '–';
const minus = '−';
const digitsMax = 18;

/** What Intl writes for thousands, millions and more in English is not what a bank writes. */
const englishUnits: Readonly<Record<string, string>> = { k: 'k', m: 'm', b: 'bn', bn: 'bn', t: 'tn', tn: 'tn' };

const formatsByLocale = new Map<string, Formats>();
const localesMax = 200;
/** More than there are currencies; a reader may ask for others. */
const keptMax = 300;

export function formatsOf(locale: string): Formats {
  const known = formatsByLocale.get(locale);
  if (known) return known;
  if (formatsByLocale.size >= localesMax) formatsByLocale.clear();
  const formats = makeFormats(locale);
  formatsByLocale.set(locale, formats);
  return formats;
}

function makeFormats(locale: string): Formats {
  const decimal = decimalWriter(locale);
  const fixed = (digits: number): Intl.NumberFormatOptions => ({
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  const amount = (currency?: string): Intl.NumberFormatOptions => fixed(currencyDigits(currency));
  const signed = { signDisplay: 'exceptZero' } as const;
  return {
    locale,
    money: (value, currency) => decimal(value, amount(currency)),
    signedMoney: (value, currency) => decimal(value, { ...amount(currency), ...signed }),
    moneyWithCode: (value, currency) =>
      decimal(value, { ...amount(currency), style: 'currency', currency, currencyDisplay: 'code' }),
    number: (value, digits = 2) => decimal(value, fixed(digits)),
    signedNumber: (value, digits = 2) => decimal(value, { ...fixed(digits), ...signed }),
    quantity: (value) => decimal(value, { maximumFractionDigits: digitsMax }),
    upTo: (value, digits, least = 0) => decimal(value, { minimumFractionDigits: least, maximumFractionDigits: digits }),
    percent: (value, digits = 2) => decimal(value, { ...fixed(digits), ...signed, style: 'percent' }),
    share: (value, digits = 1) => decimal(value, { ...fixed(digits), style: 'percent' }),
    compact: (value, digits = 2) => decimal(value, { notation: 'compact', maximumFractionDigits: digits }),
    ...dateWriters(locale),
    currencyName: keepingMade((code) => currencyName(locale, code)),
  };
}

/** Making a writer of Intl takes longer than many texts of it. */
function keepingMade<Made>(make: (name: string) => Made): (name: string) => Made {
  const known = new Map<string, Made>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found;
    if (known.size >= keptMax) known.clear();
    const made = make(name);
    known.set(name, made);
    return made;
  };
}

/** Digits after the point that amounts of a currency have. */
export function currencyDigits(currency?: string): number {
  return currencies.get(currency ?? '')?.digits ?? 2;
}

function decimalWriter(locale: string): (value: Figure, options: Intl.NumberFormatOptions) => string {
  const writers = new Map<string, Intl.NumberFormat>();
  const english = new Intl.Locale(locale).language === 'en';
  return (value, options) => {
    if (value === null) return missing;
    assert(isNumeric(value), 'figures are decimals');
    const key = JSON.stringify(options);
    const writer = writers.get(key) ?? new Intl.NumberFormat(locale, { ...commonOptions, ...options });
    writers.set(key, writer);
    // Parts take four times as long: they are only for what Intl writes otherwise than we do.
    if (!value.startsWith('-') && options.notation !== 'compact') return writer.format(value);
    return writer
      .formatToParts(value)
      .map((part) => {
        if (part.type === 'minusSign') return minus;
        if (part.type !== 'compact' || !english) return part.value;
        return `\u00A0${englishUnits[part.value.toLowerCase()] ?? part.value}`;
      })
      .join('');
  };
}

function isNumeric(text: string): text is Intl.StringNumericLiteral {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

const commonOptions = {
  signDisplay: 'negative',
  roundingMode: 'halfEven',
  numberingSystem: 'latn',
} as const satisfies Intl.NumberFormatOptions;

/** As amounts of it are called: Swiss francs. */
function currencyName(locale: string, code: string): string {
  const parts = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: code,
    currencyDisplay: 'name',
  }).formatToParts(2);
  return parts.find(({ type }) => type === 'currency')?.value ?? code;
}

type DateWriters = Pick<Formats, 'dateLong' | 'dateShort' | 'month' | 'monthShort' | 'dayMonth' | 'datetime'>;

function dateWriters(locale: string): DateWriters {
  const writer = (options: Intl.DateTimeFormatOptions): ((date: Figure) => string) => {
    const format = new Intl.DateTimeFormat(locale, {
      calendar: 'gregory',
      numberingSystem: 'latn',
      timeZone: 'UTC',
      ...options,
    });
    return (date) => (date === null ? missing : format.format(new Date(date)));
  };
  const inZone = keepingMade((timeZone) =>
    writer({
      day: 'numeric',
      month: 'short',
      year: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone,
      timeZoneName: 'short',
    }),
  );
  return {
    dateLong: writer({ day: 'numeric', month: 'long', year: 'numeric' }),
    dateShort: writer({ day: 'numeric', month: 'short', year: 'numeric' }),
    month: writer({ month: 'long', year: 'numeric' }),
    monthShort: writer({ month: 'short' }),
    dayMonth: writer({ day: 'numeric', month: 'short' }),
    datetime: (instant, timeZone = 'UTC') => inZone(timeZone)(instant),
  };
}
