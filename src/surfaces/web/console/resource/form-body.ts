// Turns the fields of a sent form into the body of a request, and a record into the values of a form.

import { JsonFault, parseJson } from '../../../../kit/json.ts';
import type { SchemaField } from './schema-fields.ts';

/** What stands in the form: one text for each field, several for lists. */
export type FormValues = ReadonlyMap<string, readonly string[]>;

export interface FormBody {
  readonly body: Readonly<Record<string, unknown>>;
  /** What could not be read, by the name of its field. */
  readonly errors: ReadonlyMap<string, string>;
}

export function sentValues(fields: readonly SchemaField[], sent: URLSearchParams): FormValues {
  return new Map(fields.map(({ name }) => [name, sent.getAll(name)]));
}

export function recordValues(fields: readonly SchemaField[], record: Readonly<Record<string, any>>): FormValues {
  return new Map(fields.map((field) => [field.name, valueTexts(field, memberOf(record, field.name))]));
}

function memberOf(record: Readonly<Record<string, any>>, name: string): unknown {
  return name.split('.').reduce<any>((value, member) => value?.[member], record);
}

function valueTexts({ shape }: SchemaField, value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  switch (shape.kind) {
    case 'references':
    case 'choices':
      return Array.isArray(value) ? value.map(String) : [];
    case 'texts':
      return Array.isArray(value) ? [value.join('\n')] : [];
    case 'json':
      return [JSON.stringify(value, null, 2)];
    default:
      return [String(value)];
  }
}

/** The body of a new record: what was left empty is not sent. */
export function creationBody(fields: readonly SchemaField[], values: FormValues): FormBody {
  return bodyOf(fields, values, ({ isRequired }, value) => isRequired || !isEmpty(value));
}

/** The body of a change: only what differs from the values that the form began with. */
export function changeBody(fields: readonly SchemaField[], values: FormValues, before: FormValues): FormBody {
  return bodyOf(fields, values, ({ name, shape }) => {
    const [now, then] = [values.get(name) ?? [], before.get(name) ?? []];
    const isSet = shape.kind === 'references' || shape.kind === 'choices';
    const texts = (list: readonly string[]): string => JSON.stringify(isSet ? list.toSorted() : plainText(list));
    if (shape.kind === 'boolean') return isTrue(now) !== isTrue(then);
    return texts(now) !== texts(then);
  });
}

function plainText(list: readonly string[]): readonly string[] {
  const text = (list[0] ?? '').replaceAll('\r\n', '\n').trim();
  return text === '' ? [] : [text];
}

function isTrue(list: readonly string[]): boolean {
  return list[0] === 'true';
}

function isEmpty(value: unknown): boolean {
  return value === null || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}

function bodyOf(
  fields: readonly SchemaField[],
  values: FormValues,
  isSent: (field: SchemaField, value: unknown) => boolean,
): FormBody {
  const body: Record<string, unknown> = {};
  const errors = new Map<string, string>();
  for (const field of fields) {
    try {
      const value = readValue(field, values.get(field.name) ?? []);
      if (isSent(field, value)) setMember(body, field.name, value);
    } catch (error) {
      if (!(error instanceof JsonFault)) throw error;
      errors.set(field.name, `This is not JSON: ${error.message}`);
    }
  }
  return { body, errors };
}

function setMember(body: Record<string, any>, name: string, value: unknown): void {
  const [member = '', inner] = name.split('.');
  if (inner === undefined) body[member] = value;
  else body[member] = { ...body[member], [inner]: value };
}

/** What the API refuses is sent as it was typed, so that its answer can say what is wrong with it. */
function readValue({ shape, isNullable }: SchemaField, texts: readonly string[]): unknown {
  const text = (texts[0] ?? '').replaceAll('\r\n', '\n').trim();
  switch (shape.kind) {
    case 'references':
      return texts.flatMap((ids) => ids.split(/\s+/)).filter((id) => id !== '');
    case 'choices':
      return texts;
    case 'texts':
      return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
    case 'boolean':
      return text === 'true';
    case 'json':
      return text === '' ? null : parseJson(text);
    default:
      if (text === '') return isNullable ? null : '';
      return isWhole(shape.kind === 'integer' || hasNumbers(shape), text) ? Number(text) : text;
  }
}

function hasNumbers(shape: SchemaField['shape']): boolean {
  return shape.kind === 'choice' && typeof shape.values[0] === 'number';
}

function isWhole(isInteger: boolean, text: string): boolean {
  return isInteger && /^-?\d{1,15}$/.test(text);
}
