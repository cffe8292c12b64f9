// The form of an operation's body: a field for each member by its declared schema, with the API's faults at the fields.

import { defined } from '../../../../kit/assert.ts';
import type { Field } from '../../parts/field.ts';
import type { ApiProblem } from '../../page-api.ts';
import type { Page } from '../../signed-in-page.ts';
import type { FormValues } from './form-body.ts';
import { findRecordKind } from './record-kinds.ts';
import { referenceOptions } from './references.ts';
import type { SchemaField } from './schema-fields.ts';
import { valueTitle } from './words.ts';

export interface FormState {
  readonly values: FormValues;
  readonly errors?: ReadonlyMap<string, string> | undefined;
  /** Narrows the records that references can be chosen from, such as `client_id`. */
  readonly narrowing?: Readonly<Record<string, string | undefined>>;
}

/** Draws the fields; references are chosen by name. */
export async function formFields(
  page: Page,
  fields: readonly SchemaField[],
  { values, errors, narrowing = {} }: FormState,
): Promise<readonly Field[]> {
  return Promise.all(
    fields.map(async (field) => {
      const texts = values.get(field.name) ?? [];
      const common = {
        name: field.name,
        label: field.title,
        hint: field.hint,
        isRequired: field.isRequired,
        error: errors?.get(field.name),
      };
      const { shape } = field;
      if (shape.kind === 'reference' || shape.kind === 'references') {
        const options = await referenceOptions(page, shape.to, narrowing);
        return referenceField(field, { common, texts, options });
      }
      return valueField(field, { common, texts });
    }),
  );
}

interface CommonParts {
  readonly name: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly isRequired: boolean;
  readonly error: string | undefined;
}

type Options = Awaited<ReturnType<typeof referenceOptions>>;

interface Parts {
  readonly common: CommonParts;
  readonly texts: readonly string[];
}

function referenceField(
  { shape, isRequired }: SchemaField,
  { common, texts, options }: Parts & { readonly options: Options },
): Field {
  const isMany = shape.kind === 'references';
  const kind = 'to' in shape ? findRecordKind(shape.to) : undefined;
  if (options === undefined) {
    const where = `The id: open the ${kind?.one ?? 'record'} in the console; its id is the last part of the address.`;
    const hint = `${common.hint ?? ''} ${isMany ? `${where} One a line.` : where}`.trim();
    return isMany
      ? { ...common, hint, kind: 'textarea', rows: 3, value: texts.join('\n') }
      : { ...common, hint, kind: 'text', value: texts[0], autocomplete: 'off' };
  }
  if (!isMany) return { ...common, kind: 'select', value: texts[0], options: withNone(options, isRequired) };
  // What is chosen already stays in the form: a set is replaced as a whole.
  const others = texts.filter((id) => !options.some(({ value }) => value === id));
  const all = [...options, ...others.map((id) => ({ value: id, title: id }))];
  if (all.length > 0) return { ...common, kind: 'checks', values: texts, options: all };
  const { several } = defined(kind, 'only records of a kind are listed');
  return { ...common, hint: `There are no ${several} yet.`, kind: 'checks', options };
}

function withNone(options: readonly { value: string; title: string }[], isRequired: boolean): NonNullable<Options> {
  return isRequired ? options : [{ value: '', title: 'None' }, ...options];
}

function valueField({ shape, isRequired }: SchemaField, { common, texts }: Parts): Field {
  const value = texts[0];
  switch (shape.kind) {
    case 'choice':
    case 'choices': {
      const options = shape.values.map((one) => ({ value: String(one), title: valueTitle(String(one)) }));
      if (shape.kind === 'choices') return { ...common, kind: 'checks', values: texts, options };
      const isSet = isRequired || (value !== undefined && value !== '');
      return { ...common, kind: 'select', value, options: isSet ? options : [{ value: '', title: '–' }, ...options] };
    }
    case 'boolean':
      return { ...common, isRequired: false, kind: 'checkbox', isChecked: value === 'true' };
    case 'date':
      return { ...common, kind: 'date', value };
    case 'moment':
      return {
        ...common,
        hint: `${common.hint ?? ''} Such as 2026-10-31T18:00:00Z.`.trim(),
        kind: 'text',
        value,
        autocomplete: 'off',
      };
    case 'decimal':
    case 'integer':
      return { ...common, kind: 'number', value };
    case 'texts':
      return { ...common, hint: `${common.hint ?? ''} One a line.`.trim(), kind: 'textarea', rows: 4, value };
    case 'json':
      return { ...common, hint: `${common.hint ?? ''} As JSON.`.trim(), kind: 'textarea', rows: 8, value };
    case 'long-text':
      return { ...common, kind: 'textarea', rows: 4, value, maxLength: shape.maxLength };
    case 'email':
      return { ...common, kind: 'email', value, maxLength: shape.maxLength, autocomplete: 'off' };
    default:
      return {
        ...common,
        kind: 'text',
        value,
        autocomplete: 'off',
        ...('maxLength' in shape && { maxLength: shape.maxLength }),
      };
  }
}

export interface PlacedFaults {
  readonly errors: ReadonlyMap<string, string>;
  /** Those that belong to no field of the form. */
  readonly messages: readonly string[];
}

/** Puts the faults of a refused call at their fields: `/depository_ids/0` is a fault of `depository_ids`. */
export function placeFaults(problem: ApiProblem, fields: readonly SchemaField[]): PlacedFaults {
  const errors = new Map<string, string>();
  const messages: string[] = [];
  for (const { pointer, detail } of problem.errors) {
    const name = (pointer ?? '').slice(1).replaceAll('/', '.');
    const field = fields.find((one) => name === one.name || name.startsWith(`${one.name}.`));
    if (field === undefined) messages.push(detail);
    else errors.set(field.name, joined(errors.get(field.name), detail));
  }
  return { errors, messages: errors.size === 0 && messages.length === 0 ? [problem.detail] : messages };
}

function joined(before: string | undefined, detail: string): string {
  return before === undefined ? detail : `${before} ${detail}`;
}
