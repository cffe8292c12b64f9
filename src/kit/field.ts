// The kinds of plain values: texts, words, numbers, decimals, dates, moments and ids. The entry to all kinds.

import { greatestOf, leastOf } from './memory/long-list.ts';
import { fromDayNumber, parseCalendarDate, type CalendarDate } from './calendar-date.ts';
import type { Day } from './day.ts';
import { doubleText, parseDecimal, type Decimal } from './decimal.ts';
import { fixedText, toFixed, type Fixed } from './fixed.ts';
import { isId, isUuid, type Id } from './id.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { isJsonObject, JsonNumber, rawNumber, writeJson, type Json } from './json.ts';
import {
  amountText,
  computedAs,
  FieldFault,
  type FieldKind,
  type JsonSchema,
  type Kind,
  type SchemaStyle,
} from './kind.ts';

export {
  amountsIn,
  anyText,
  anyInteger,
  camelCaseNumbers,
  computedAs,
  FieldFault,
  kindText,
  nullable,
  recursive,
  rendered,
  snakeCaseStrings,
  orNull,
  requestStyle,
} from './kind.ts';
export type {
  AmountRounding,
  FieldKind,
  JsonSchema,
  Kind,
  NameStyle,
  SchemaStyle,
  ValueOf,
  WritingStyle,
} from './kind.ts';

function readString(value: Json): string {
  if (typeof value !== 'string') throw new FieldFault('must be a string');
  return value;
}

function textKind<T extends string>(schema: JsonSchema, check: (text: string) => T): FieldKind<T> {
  return { read: (value) => check(readString(value)), write: (value) => value, schema: () => schema };
}

interface TextLimits {
  readonly lengthMin?: number;
  readonly lengthMax: number;
  /** `many` also takes line breaks and tabs: for comments, not for names. */
  readonly lines?: 'one' | 'many';
}

/** Control characters, and what begins a new line. */
const controls = /[\p{Cc}\u2028\u2029]/u;
const controlsButLineBreaks = /(?![\t\n\r])[\p{Cc}\u2028\u2029]/u;
/** They reorder the text around them, so that a name looks like another: marks, embeddings, overrides and isolates. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u;

function codePointName(character: string): string {
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** Refuses characters that are not seen, or that change how others are seen. */
function refuseHiddenCharacters(value: string, lines: 'one' | 'many'): void {
  const [control] = (lines === 'one' ? controls : controlsButLineBreaks).exec(value) ?? [];
  if (control !== undefined) {
    const what = lines === 'one' ? 'control characters or line breaks' : 'control characters';
    throw new FieldFault(`must not contain ${what}, such as ${codePointName(control)}`);
  }
  const [mark] = directionMarks.exec(value) ?? [];
  if (mark !== undefined) {
    throw new FieldFault(
      `must not contain characters that change the direction of text, such as ${codePointName(mark)}`,
    );
  }
}

/** Free text. Its length is counted in Unicode code points, and white space at either end is refused. */
export function text({ lengthMin = 1, lengthMax, lines = 'one' }: TextLimits): FieldKind<string> {
  return textKind({ type: 'string', minLength: lengthMin, maxLength: lengthMax }, (value) => {
    if (value.length < lengthMin || (lengthMin > 0 && value.trim() === '')) throw new FieldFault('must not be empty');
    if (value.length > lengthMax && [...value].length > lengthMax) {
      throw new FieldFault(`must have at most ${lengthMax} characters`);
    }
    if (value !== value.trim()) throw new FieldFault('must not begin or end with white space');
    refuseHiddenCharacters(value, lines);
    return value;
  });
}

/** The same text, accepted with white space at either end, which is not kept. */
export function trimmed(kind: FieldKind<string>): FieldKind<string> {
  return { ...kind, read: (value) => kind.read(typeof value === 'string' ? value.trim() : value) };
}

/** One of a closed set of words, case-sensitive. */
export function oneOf<const W extends string>(words: readonly W[]): FieldKind<W> {
  return textKind({ type: 'string', enum: words }, (value) => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new FieldFault(`must be one of ${words.join(', ')}`);
    return word;
  });
}

/** A set of words from a closed list, in the order of that list. */
export function someOf<const W extends string>(words: readonly W[]): FieldKind<readonly W[]> {
  const schema = { type: 'array', items: { type: 'string', enum: words }, minItems: 1, uniqueItems: true };
  const word = oneOf(words);
  const readChoices = (items: readonly Json[]): readonly W[] => {
    const choices = new Set(items.map((item) => word.read(item)));
    if (choices.size !== items.length) throw new FieldFault('must not repeat a value');
    return words.filter((candidate) => choices.has(candidate));
  };
  return {
    read(value) {
      if (!Array.isArray(value) || value.length === 0) throw new FieldFault('must be a non-empty array');
      return readChoices(value);
    },
    write: (value) => value,
    schema: () => schema,
    readText: (text) => readChoices(text.split(',')),
  };
}

export const boolean: FieldKind<boolean> = {
  read(value) {
    if (typeof value !== 'boolean') throw new FieldFault('must be true or false');
    return value;
  },
  write: (value) => value,
  schema: () => ({ type: 'boolean' }),
  readText(text) {
    if (text !== 'true' && text !== 'false') throw new FieldFault('must be true or false');
    return text === 'true';
  },
};

interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

/** A whole number, as a JSON number or as digits in a string. */
export function integer({ min, max }: IntegerRange): FieldKind<number> {
  return {
    read(value) {
      const digits = value instanceof JsonNumber ? value.text : value;
      const number = typeof digits === 'string' && /^-?\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN;
      if (Number.isNaN(number) || number < min || number > max) {
        throw new FieldFault(`must be a whole number from ${min} to ${max}`);
      }
      return number;
    },
    write: (value) => value,
    schema: () => ({ type: 'integer', minimum: min, maximum: max }),
  };
}

/** One of a few whole numbers. */
export function oneOfNumbers<const N extends number>(numbers: readonly N[]): FieldKind<N> {
  const range = integer({ min: leastOf(numbers), max: greatestOf(numbers) });
  return {
    read(value) {
      const digits = value instanceof JsonNumber ? value.text : value;
      const found = numbers.find((number) => String(number) === digits);
      if (found === undefined) throw new FieldFault(`must be one of ${numbers.join(', ')}`);
      return found;
    },
    write: range.write,
    schema: () => ({ type: 'integer', enum: numbers }),
  };
}

/** Turns a parser's error into a fault of the field. */
function parseOrFault<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new FieldFault(error instanceof Error ? error.message : 'is not valid');
  }
}

const decimalPattern = String.raw`^-?(0|[1-9]\d{0,19})(\.\d{1,18})?$`;

/** `bounds` are keywords for numbers; `pattern` says the same of the digits in a string that a request sends. */
export function decimalSchema({ decimals }: SchemaStyle, bounds: JsonSchema, pattern = decimalPattern): JsonSchema {
  const number = { type: 'number', ...bounds };
  if (decimals === 'number') return number;
  return decimals === 'string'
    ? { type: 'string', format: 'decimal' }
    : { anyOf: [number, { type: 'string', pattern }] };
}

/** An exact decimal: read from a JSON number or a string, never converted to a double. */
export const decimal: FieldKind<Decimal> = {
  read(value) {
    if (value instanceof JsonNumber) return parseOrFault(parseDecimal, value.text);
    if (typeof value === 'string') return parseOrFault(parseDecimal, value);
    throw new FieldFault('must be a decimal, as a number or a string');
  },
  write: (value, { decimals }) => (decimals === 'number' ? rawNumber(value) : value),
  text: (value, { decimals }) => (decimals === 'number' ? value : `"${value}"`),
  schema: (style) => decimalSchema(style, {}),
};

/** An exact decimal that was computed and is no money: units, a price, a multiple. Never rounded. */
export const quantity: Kind<Fixed> = computedAs(decimal, fixedText);

/** An exact amount of money that was computed: rounded where the style says so. */
export const amount: Kind<Fixed> = computedAs(decimal, amountText);

/** A computed double, such as a return, a rate or a share. */
export const ratio: Kind<number> = {
  write: (value, { decimals }) => (decimals === 'number' ? value : doubleText(value)),
  schema: decimal.schema,
};

interface DecimalRange {
  /** Canonical decimals. */
  readonly above?: string;
  readonly min?: string;
  readonly max?: string;
}

/** An exact decimal within bounds. `fault` states them: "must be greater than 0". */
export function decimalWithin(range: DecimalRange, fault: string): FieldKind<Decimal> {
  const { above, min, max } = range;
  const bound = (text: string | undefined): Fixed | undefined =>
    text === undefined ? undefined : toFixed(parseDecimal(text));
  const [aboveBound, minBound, maxBound] = [bound(above), bound(min), bound(max)];
  const isWithin = (value: Fixed): boolean =>
    (aboveBound === undefined || value > aboveBound) &&
    (minBound === undefined || value >= minBound) &&
    (maxBound === undefined || value <= maxBound);
  const keywords = {
    ...(above === undefined ? {} : { exclusiveMinimum: Number(above) }),
    ...(min === undefined ? {} : { minimum: Number(min) }),
    ...(max === undefined ? {} : { maximum: Number(max) }),
  };
  return {
    ...decimal,
    read(value) {
      const read = decimal.read(value);
      if (!isWithin(toFixed(read))) throw new FieldFault(fault);
      return read;
    },
    schema: (style) => decimalSchema(style, keywords),
  };
}

export const calendarDate: FieldKind<CalendarDate> = textKind({ type: 'string', format: 'date' }, (value) =>
  parseOrFault(parseCalendarDate, value),
);

/** A date that was computed. */
export const date: Kind<Day> = computedAs(calendarDate, fromDayNumber);

let lastInstant = { instant: 0, text: formatInstant(0) };

/** Formats an instant. All rows of a report name the same one, so the last is remembered. */
function instantText(value: number): string {
  if (lastInstant.instant !== value) lastInstant = { instant: value, text: formatInstant(value) };
  return lastInstant.text;
}

/** A moment: milliseconds since the epoch in memory, RFC 3339 in UTC on the wire. */
export const instant: FieldKind<number> = {
  read: (value) => parseOrFault(parseInstant, readString(value)),
  write: instantText,
  schema: () => ({ type: 'string', format: 'date-time' }),
};

/** The id of a record: 24 hexadecimal characters, opaque to callers. */
export const id: FieldKind<Id> = textKind({ type: 'string', pattern: '^[0-9a-f]{24}$' }, (value) => {
  if (!isId(value)) throw new FieldFault('must be an id of 24 hexadecimal characters');
  return value;
});

/** The id of a user: a UUID, opaque to callers. */
export const uuid: FieldKind<Id> = textKind({ type: 'string', format: 'uuid' }, (value) => {
  if (!isUuid(value)) throw new FieldFault('must be a UUID in lower case');
  return value as string as Id;
});

/** Any JSON object, passed through unchanged. For computed fields, which are read only to be compared. */
export const anyObject: FieldKind<unknown> = {
  isStructured: true,
  read(value) {
    if (!isJsonObject(value)) throw new FieldFault('must be an object');
    return JSON.parse(writeJson(value));
  },
  write: (value) => value,
  schema: () => ({ type: 'object', additionalProperties: true }),
};
