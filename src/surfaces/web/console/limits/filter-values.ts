// The values of a condition: chosen by name where they are records, types or paths of classes, else typed.

import { instrumentTypeNames } from '../../../../model/instrument/instrument.ts';
import type { LimitFilterField } from '../../../../model/limit/limit-filter.ts';
import type { Field } from '../../parts/field.ts';
import type { Page } from '../../signed-in-page.ts';
import type { Option } from '../console-table.ts';
import { referenceOptions } from '../resource/references.ts';
import { valueTitle } from '../resource/words.ts';
import type { ConditionDraft, FilterDraft } from './filter-draft.ts';

/** The kinds of records that properties name by their ids. */
export const referencedTypes: Partial<Record<LimitFilterField, string>> = {
  'instrument_class.id': 'instrument-class',
  'instrument.id': 'instrument',
  custodian: 'custodian',
  'portfolio.id': 'portfolio',
};

/** What can be chosen, by property; a property without options is typed. */
export type FilterChoices = ReadonlyMap<LimitFilterField, readonly Option[]>;

function fieldsOf(draft: FilterDraft): readonly LimitFilterField[] {
  return draft.kind === 'condition' ? [draft.field] : draft.filters.flatMap(fieldsOf);
}

/** Reads the choices of those properties that the filter tests. */
export async function readChoices(page: Page, draft: FilterDraft, client: string): Promise<FilterChoices> {
  const choices = await Promise.all(
    [...new Set(fieldsOf(draft))].map(async (field) => [field, await optionsOf(page, field, client)] as const),
  );
  return new Map(choices.flatMap(([field, options]) => (options === undefined ? [] : [[field, options] as const])));
}

async function optionsOf(page: Page, field: LimitFilterField, client: string): Promise<readonly Option[] | undefined> {
  if (field === 'instrument.type') return instrumentTypeNames.map((value) => ({ value, title: valueTitle(value) }));
  if (field === 'instrument_class.path') return pathOptions(page);
  const type = referencedTypes[field];
  if (type === undefined) return undefined;
  const narrowing: Record<string, string> = type === 'portfolio' ? { client_id: client } : {};
  return referenceOptions(page, type, narrowing);
}

/** A path is one value of the form, with a line for each of its names. */
async function pathOptions(page: Page): Promise<readonly Option[]> {
  const { data } = await page.api.list('/v1/instrument-classes', {}, 500);
  return data
    .map(({ path }: { path: readonly string[] }) => ({ value: path.join('\n'), title: path.join(' › ') }))
    .toSorted((a, b) => a.title.localeCompare(b.title, page.reader.locale));
}

interface ValueView {
  /** The name of its form field. */
  readonly name: string;
  readonly error: string | undefined;
  readonly choices: FilterChoices;
}

/** The fields that its values are entered by. */
export function valueFields(condition: ConditionDraft, { name, error, choices }: ValueView): readonly Field[] {
  const { field, operator, values } = condition;
  const options = choices.get(field);
  if (field === 'instrument_class.path' && (operator === 'starts_with' || operator === 'equals')) {
    return [pathField(condition, { name, error, options: options ?? [] })];
  }
  if (options === undefined || field === 'instrument_class.path') {
    const hint = typedHints[field] ?? 'One a line.';
    const value = values.join(field === 'currency' || field === 'issuer_country' ? ', ' : '\n');
    if (field === 'currency' || field === 'issuer_country')
      return [{ kind: 'text', name, label: 'Values', hint, value, error, autocomplete: 'off', isRequired: true }];
    return [{ kind: 'textarea', name, label: 'Values', hint, rows: 3, value, error, isRequired: true }];
  }
  const titles = new Map(options.map(({ value, title }) => [value, title]));
  const chosen = values.map((value) => ({ value, title: titles.get(value) ?? value }));
  const others = options.filter(({ value }) => !values.includes(value));
  const isFirst = chosen.length === 0;
  const add: Field = {
    kind: 'select',
    name,
    form: 'add',
    label: isFirst ? 'Value' : 'One more',
    options: [{ value: '', title: isFirst ? 'Choose' : 'None' }, ...others],
    value: '',
    error,
    isRequired: isFirst,
  };
  return isFirst ? [add] : [{ kind: 'checks', name, label: 'Values', options: chosen, values }, add];
}

const typedHints: Partial<Record<LimitFilterField, string>> = {
  currency: 'Codes such as CHF, EUR.',
  issuer_country: 'Codes of two letters such as CH, DE.',
  'instrument_class.path': 'Names of classes, one a line.',
  tags: 'Tags, one a line.',
};

function pathField(
  { values }: ConditionDraft,
  { name, error, options }: { name: string; error: string | undefined; options: readonly Option[] },
): Field {
  const value = values.join('\n');
  const isKnown = value === '' || options.some((one) => one.value === value);
  const all = isKnown ? options : [...options, { value, title: values.join(' › ') }];
  return { kind: 'select', name, label: 'Class', options: all, value, error, isRequired: true };
}
