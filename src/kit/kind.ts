// What a kind of value is: how it is read, written and described. `field.ts` and `structured-field.ts` declare the kinds.

import type { Decimal } from './decimal.ts';
import { fixedText, roundedText, type Fixed } from './fixed.ts';
import { writeJson, type Json } from './json.ts';

export type JsonSchema = { readonly [keyword: string]: unknown };

/** Whether names are written as declared (camelCase) or in snake_case. */
export type NameStyle = 'camel' | 'snake';

/** How a wire writes values. */
export interface WritingStyle {
  /** Whether exact decimals are JSON numbers or strings. */
  readonly decimals: 'number' | 'string';
  readonly names: NameStyle;
  /** Amounts have all digits where it is absent. */
  readonly rounding?: AmountRounding;
}

/** How amounts in one unit are rounded for people to read, half to even. */
export interface AmountRounding {
  /** How many digits after the point; null for all. */
  readonly digits: number | null;
  /** The rounding of amounts in another unit. */
  in(unit: string): AmountRounding;
}

/** How values are described: as a wire writes them, or as requests may send them, with decimals of either form. */
export interface SchemaStyle {
  readonly decimals: WritingStyle['decimals'] | 'either';
  readonly names: NameStyle;
}

/** All digits, or as many as the style says. */
export function amountText(value: Fixed, { rounding }: WritingStyle): Decimal {
  const { digits } = rounding ?? { digits: null };
  return (digits === null ? fixedText(value) : roundedText(value, digits)) as Decimal;
}

/** The style for amounts in another unit; the same style where there is none. */
export function styleIn(unit: unknown, style: WritingStyle): WritingStyle {
  if (style.rounding === undefined || typeof unit !== 'string') return style;
  return { ...style, rounding: style.rounding.in(unit) };
}

/** Describes what requests may send: decimals are read from numbers and from strings, whatever the answers write. */
export function requestStyle({ names }: WritingStyle): SchemaStyle {
  return { decimals: 'either', names };
}

/** snake_case names, and decimals as strings; also the style of events and of stored snapshots. */
export const snakeCaseStrings: WritingStyle = { decimals: 'string', names: 'snake' };

/** camelCase names, and decimals as numbers. */
export const camelCaseNumbers: WritingStyle = { decimals: 'number', names: 'camel' };

/** Why a value is not valid: a clause that follows the field's name, such as "must not be empty". */
export class FieldFault extends Error {}

/** A kind of value. One without a reader is for computed values, which occur in answers only. */
export interface Kind<T> {
  read?(value: Json, names?: NameStyle): T;
  /** Reads the text of a query parameter; `read` does where this is absent. */
  readText?(text: string): T;
  write(value: T, style: WritingStyle): unknown;
  /** The JSON text of what `write` returns, without building objects: for reports with many rows. */
  text?(value: T, style: WritingStyle): string;
  schema(style: SchemaStyle): JsonSchema;
  /** Has members or items, and is stored as JSON. */
  readonly isStructured?: true;
}

/** A kind with a reader: the only ones that requests can use. */
export interface FieldKind<T> extends Kind<T> {
  read(value: Json, names?: NameStyle): T;
}

/** The value type of a kind. */
export type ValueOf<K> = K extends Kind<infer T> ? T : never;

/** Writes a value as JSON text, byte for byte what `writeJson(kind.write(…))` gives. */
export function kindText<T>(kind: Kind<T>, value: T, style: WritingStyle): string {
  return kind.text === undefined ? writeJson(kind.write(value, style)) : kind.text(value, style);
}

/** The same values on the wire, computed as another type. It has no reader. */
export function computedAs<T, U>(kind: Kind<U>, convert: (value: T, style: WritingStyle) => U): Kind<T> {
  const { text } = kind;
  return {
    write: (value, style) => kind.write(convert(value, style), style),
    ...(text ? { text: (value: T, style: WritingStyle) => text(convert(value, style), style) } : {}),
    schema: kind.schema,
  };
}

/** A kind whose amounts are in a unit of their own. */
export function amountsIn<T>(kind: Kind<T>, unitOf: (value: T) => string): Kind<T> {
  return {
    ...kind,
    write: (value, style) => kind.write(value, styleIn(unitOf(value), style)),
    text: (value, style) => kindText(kind, value, styleIn(unitOf(value), style)),
  };
}

/** A value of a kind that contains itself: `schema` describes the inner value, so that the description ends. */
export function recursive<T>(kind: () => Kind<T>, schema: JsonSchema): Kind<T> {
  return {
    write: (value, style) => kind().write(value, style),
    text: (value, style) => kindText(kind(), value, style),
    schema: () => schema,
  };
}

/** A value that is already rendered, with the schema that describes it. */
export function rendered(schema: JsonSchema): Kind<unknown> {
  return { write: (value) => value, schema: () => schema };
}

/** The value or null. It can be read if the kind itself can. */
export function nullable<T>(kind: FieldKind<T>): FieldKind<T | null>;
export function nullable<T>(kind: Kind<T>): Kind<T | null>;
export function nullable<T>(kind: Kind<T>): Kind<T | null> {
  const { read } = kind;
  return {
    ...(kind.isStructured ? { isStructured: true } : {}),
    ...(read ? { read: (value: Json, names?: NameStyle) => (value === null ? null : read(value, names)) } : {}),
    write: (value, style) => (value === null ? null : kind.write(value, style)),
    text: (value, style) => (value === null ? 'null' : kindText(kind, value, style)),
    schema: (style) => nullableSchema(kind.schema(style)),
  };
}

/** The schema of a value or null: one `anyOf`, even where the value's schema is one itself. */
export function orNull(schema: JsonSchema): JsonSchema {
  const { anyOf } = schema;
  return { anyOf: [...(Array.isArray(anyOf) ? anyOf : [schema]), { type: 'null' }] };
}

function nullableSchema(schema: JsonSchema): JsonSchema {
  if ('anyOf' in schema) return orNull(schema);
  const { type, ...rest } = schema;
  const { enum: words } = rest;
  return { ...rest, type: [type, 'null'], ...(Array.isArray(words) ? { enum: [...words, null] } : {}) };
}

/** Writes null where there is no value. */
export function nullWhenAbsent<T>(kind: Kind<T>): Kind<T | null | undefined> {
  return {
    write: (value, style) => (value == null ? null : kind.write(value, style)),
    text: (value, style) => (value == null ? 'null' : kindText(kind, value, style)),
    schema: (style) => orNull(kind.schema(style)),
  };
}

/** Any text that the service writes. */
export const anyText: Kind<string> = { write: (value) => value, schema: () => ({ type: 'string' }) };

/** Any whole number that the service writes. */
export const anyInteger: Kind<number> = { write: (value) => value, schema: () => ({ type: 'integer' }) };
