// Kinds of field value: how each is read from JSON, written back, and described. Knows no resource and no domain word.

import { parseCalendarDate, type CalendarDate } from './calendar-date.ts';
import { parseDecimal, type Decimal } from './decimal.ts';
import { toFixed, type Fixed } from './fixed.ts';
import { isId, isUuid, type Id } from './id.ts';
import { formatInstant, parseInstant } from './instant.ts';
import { JsonNumber, rawNumber, writeJson, type Json } from './json.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Whether exact decimals travel as JSON numbers or as strings. */
export type DecimalStyle = 'number' | 'string';

/** Whether the members of a structured value are called as declared or in snake_case. */
export type NameStyle = 'camel' | 'snake';

/** Why a value cannot be what its field wants: a sentence without the field's name. */
export class FieldFault extends Error {}

export interface FieldKind<T> {
  read(value: Json, names?: NameStyle): T;
  write(value: T, decimals: DecimalStyle, names?: NameStyle): unknown;
  schema(decimals: DecimalStyle, names?: NameStyle): JsonSchema;
  /** How it is read from a query, where that is another way. */
  readText?(text: string): T;
  /** A value has parts of its own and is stored as JSON. */
  readonly isStructured?: true;
}

/** The value type of a kind. */
export type ValueOf<K> = K extends FieldKind<infer T> ? T : never;

function readString(value: Json): string {
  if (typeof value !== 'string') throw new FieldFault('must be a string');
  return value;
}

function textKind<T extends string>(schema: JsonSchema, check: (text: string) => T): FieldKind<T> {
  return { read: (value) => check(readString(value)), write: (value) => value, schema: () => schema };
}

export interface TextLimits {
  readonly lengthMin?: number;
  readonly lengthMax: number;
}

/** Free text, counted in Unicode code points; white space at the ends is kept out. */
export function text({ lengthMin = 1, lengthMax }: TextLimits): FieldKind<string> {
  return textKind({ type: 'string', minLength: lengthMin, maxLength: lengthMax }, (value) => {
    if (value.length < lengthMin || (lengthMin > 0 && value.trim() === '')) throw new FieldFault('must not be empty');
    if (value.length > lengthMax && [...value].length > lengthMax) {
      throw new FieldFault(`must have at most ${lengthMax} characters`);
    }
    if (value !== value.trim()) throw new FieldFault('must not begin or end with white space');
    // PostgreSQL's text cannot hold it. Bodies never bring it; queries can.
    if (value.includes('\0')) throw new FieldFault('must not hold the character U+0000');
    return value;
  });
}

/** One of a closed set of words, written exactly so. */
export function oneOf<const W extends string>(words: readonly W[]): FieldKind<W> {
  return textKind({ type: 'string', enum: words }, (value) => {
    if (!(words as readonly string[]).includes(value)) throw new FieldFault(`must be one of ${words.join(', ')}`);
    return value as W;
  });
}

/** A set of words out of a closed list, in the order of that list, without repetition. */
export function someOf<const W extends string>(words: readonly W[]): FieldKind<readonly W[]> {
  const schema = { type: 'array', items: { type: 'string', enum: words }, minItems: 1, uniqueItems: true };
  const word = oneOf(words);
  const readChoices = (items: readonly Json[]): readonly W[] => {
    const choices = new Set(items.map((item) => word.read(item)));
    if (choices.size !== items.length) throw new FieldFault('must not name a word twice');
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

export interface IntegerRange {
  readonly min: number;
  readonly max: number;
}

/** A whole number, as a JSON number or, in a query, as text. */
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
export function oneOfNumbers(numbers: readonly number[]): FieldKind<number> {
  const range = integer({ min: Math.min(...numbers), max: Math.max(...numbers) });
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

/** Turns a parser's own error into the fault of a field. */
function parseOrFault<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new FieldFault(error instanceof Error ? error.message : 'is not valid');
  }
}

/** An exact decimal: a JSON number or a string in, never through a double. */
export const decimal: FieldKind<Decimal> = {
  read(value) {
    if (value instanceof JsonNumber) return parseOrFault(parseDecimal, value.text);
    if (typeof value === 'string') return parseOrFault(parseDecimal, value);
    throw new FieldFault('must be a decimal, as a number or a string');
  },
  write: (value, decimals) => (decimals === 'number' ? rawNumber(value) : value),
  schema: (decimals) => (decimals === 'number' ? { type: 'number' } : { type: 'string', format: 'decimal' }),
};

export interface DecimalRange {
  /** As they are shown: canonical decimals. */
  readonly above?: string;
  readonly min?: string;
  readonly max?: string;
}

function isWithin(value: Fixed, { above, min, max }: DecimalRange): boolean {
  const bound = (text: string): Fixed => toFixed(text as Decimal);
  if (above !== undefined && value <= bound(above)) return false;
  if (min !== undefined && value < bound(min)) return false;
  return max === undefined || value <= bound(max);
}

/** An exact decimal within bounds; `sentence` says which, without the field's name. */
export function decimalWithin(range: DecimalRange, sentence: string): FieldKind<Decimal> {
  const bounds = {
    ...(range.above === undefined ? {} : { exclusiveMinimum: Number(range.above) }),
    ...(range.min === undefined ? {} : { minimum: Number(range.min) }),
    ...(range.max === undefined ? {} : { maximum: Number(range.max) }),
  };
  return {
    ...decimal,
    read(value) {
      const read = decimal.read(value);
      if (!isWithin(toFixed(read), range)) throw new FieldFault(sentence);
      return read;
    },
    schema: (decimals) => ({ ...decimal.schema(decimals), ...(decimals === 'number' ? bounds : {}) }),
  };
}

export const calendarDate: FieldKind<CalendarDate> = textKind({ type: 'string', format: 'date' }, (value) =>
  parseOrFault(parseCalendarDate, value),
);

/** A moment, in milliseconds since the epoch within, RFC 3339 in UTC on the wire. */
export const instant: FieldKind<number> = {
  read: (value) => parseOrFault(parseInstant, readString(value)),
  write: (value) => formatInstant(value),
  schema: () => ({ type: 'string', format: 'date-time' }),
};

/** The id of a thing: 24 hex characters, to be treated as opaque. */
export const id: FieldKind<Id> = textKind({ type: 'string', pattern: '^[0-9a-f]{24}$' }, (value) => {
  if (!isId(value)) throw new FieldFault('must be an id of 24 hexadecimal characters');
  return value;
});

/** The id of a user: a UUID, to be treated as opaque. */
export const uuid: FieldKind<Id> = textKind({ type: 'string', format: 'uuid' }, (value) => {
  if (!isUuid(value)) throw new FieldFault('must be a UUID in lower case');
  return value as string as Id;
});

/** A JSON object that is passed through as it is. For what the service computes: read only to be compared. */
export const anyObject: FieldKind<unknown> = {
  isStructured: true,
  read(value) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof JsonNumber) {
      throw new FieldFault('must be an object');
    }
    return JSON.parse(writeJson(value));
  },
  write: (value) => value,
  schema: () => ({ type: 'object', additionalProperties: true }),
};
