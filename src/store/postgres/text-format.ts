// Converts values to the text format in which they are sent to PostgreSQL, and its results from text to values.

import pg from 'pg';
import { defined } from '../../kit/assert.ts';
import { parseJson } from '../../kit/json.ts';
import { SeenClients } from './seen-clients.ts';
import type { ResultField, Value } from './statement.ts';

type ParseText = (text: string) => unknown;

export interface ResultColumn {
  readonly name: string;
  readonly parse: ParseText;
}

/** PostgreSQL writes a numeric with all the decimal places of its column; our decimals have no trailing zeros. */
function canonicalDecimal(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text[end - 1] === '0') end--;
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end);
}

/** The driver's own parser, for types that need none of ours. */
function driverParser(typeOid: number): ParseText {
  const parse: ParseText = pg.types.getTypeParser(typeOid, 'text');
  return parse;
}

const textArrayOid = 1009;
const parseAnyArray = driverParser(textArrayOid);

/** Splits arrays of ids and plain words, which need no quotes, by hand: most arrays hold nothing else. */
function parseTextArray(text: string): unknown {
  if (text === '{}') return [];
  return /["\\]|NULL/.test(text) ? parseAnyArray(text) : text.slice(1, -1).split(',');
}

const parsers: Readonly<Record<number, ParseText>> = {
  20: Number, // int8: counts only; amounts are numeric
  [textArrayOid]: parseTextArray,
  1082: String, // date
  1184: (text) => Date.parse(text), // timestamptz
  1700: canonicalDecimal, // numeric
  3802: parseJson, // jsonb: its numbers keep their digits
};

export function resultColumns(fields: readonly ResultField[]): ResultColumn[] {
  return fields.map(({ name, dataTypeID }) => ({ name, parse: parsers[dataTypeID] ?? driverParser(dataTypeID) }));
}

function toElement(item: unknown): string {
  if (item === null) return 'NULL';
  const text = String(item);
  // Of very many elements hardly any has to be escaped, and looking for two characters is faster than replacing none.
  return text.includes('"') || text.includes('\\') ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

/** Joins elements at once if all are texts without characters to escape, as in most of very many rows. */
function toArrayText(items: readonly unknown[]): string {
  if (items.length > 1 && items.every((item) => typeof item === 'string')) {
    const joined = items.join('\n');
    if (!joined.includes('"') && !joined.includes('\\')) return `{"${items.join('","')}"}`;
  }
  let text = '{';
  for (const item of items) text += text.length === 1 ? toElement(item) : `,${toElement(item)}`;
  return `${text}}`;
}

/** An array of numbers, ids, moments or words of ours, which need no quotes, with `NULL` for null. */
export function plainArrayText(items: readonly (string | number | null)[]): string {
  return `{${items.join()}}`;
}

/** A value that is written as text before it is sent, if it is an array. */
export function withArrayAsText(value: Value): Value {
  return isArray(value) ? toArrayText(value) : value;
}

function isArray(value: Value): value is readonly (string | null)[] {
  return Array.isArray(value);
}

/** A parameter's value as text; a Buffer stays one and is sent as bytes. */
export function toText(value: unknown): unknown {
  if (Array.isArray(value)) return toArrayText(value);
  if (value instanceof SeenClients)
    return toArrayText(defined(value.ids, 'visible clients are known before they are sent'));
  if (value instanceof Date) return value.toISOString();
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}
