// Shows the fields of a record by their declared schema: values in the reader's formats, references as links with names.

import { html, type Html } from '../../../../kit/html.ts';
import type { Resource } from '../../../../kit/resource.ts';
import { breakable } from '../../parts/breakable.ts';
import { definitionList } from '../../parts/notes.ts';
import type { Page } from '../../signed-in-page.ts';
import { ReferenceNames, type Reference } from './references.ts';
import { referenceOf } from './schema-fields.ts';
import { fieldTitle, figureFields, valueTitle } from './words.ts';

export type ApiRecord = Readonly<Record<string, any>>;

/** So many of a set are named; the rest is counted. */
const listedMax = 20;

export const noValue = '–';

/** The references of a record's fields. */
export function referencesOf(
  record: ApiRecord,
  resource: Resource | undefined,
  names = Object.keys(record),
): Reference[] {
  return names.flatMap((name) => {
    const target = referenceOf(name, resource);
    const value: unknown = record[name];
    if (target === undefined || value === null || value === undefined) return [];
    const ids = Array.isArray(value) ? value.slice(0, listedMax) : [value];
    return ids.map((id) => ({ to: target.to, id: String(id) }));
  });
}

/** All fields of a record but those left out. */
export async function recordFacts(
  page: Page,
  record: ApiRecord,
  { resource, without = [] }: { readonly resource: Resource | undefined; readonly without?: readonly string[] },
): Promise<Html> {
  const shown = Object.keys(record)
    .filter((name) => !without.includes(name))
    .toSorted(idLast);
  const names = await ReferenceNames.read(page, referencesOf(record, resource, shown));
  const facts = shown.map((name) => {
    const target = referenceOf(name, resource);
    const value: unknown = record[name];
    const title = fieldTitle(name, target);
    if (target === undefined || value === null) return { title, value: fieldHtml(page, name, value) };
    const ids: readonly unknown[] = Array.isArray(value) ? value : [value];
    return {
      title,
      value: referencesHtml(
        ids.map((id) => ({ to: target.to, id: String(id) })),
        names,
      ),
    };
  });
  return definitionList(facts);
}

/** What people read stands before what programs need. */
function idLast(one: string, other: string): number {
  return Number(one === 'id') - Number(other === 'id');
}

function referencesHtml(references: readonly Reference[], names: ReferenceNames): Html {
  if (references.length === 0) return html`${noValue}`;
  const links = references.slice(0, listedMax).map((reference, index) => {
    const address = names.addressOf(reference);
    const name = names.nameOf(reference);
    const separator = index === 0 ? '' : ', ';
    const shown = breakable(name);
    return address === undefined ? html`${separator}${shown}` : html`${separator}<a href="${address}">${shown}</a>`;
  });
  const more = references.length - listedMax;
  return more > 0 ? html`${links} and ${more} more` : html`${links}`;
}

const moment = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;
const day = /^\d{4}-\d{2}-\d{2}$/;
const word = /^[a-z]+(?:[-_][a-z]+)*$|^[A-Z]+_[A-Z]+$/;

function valueHtml(page: Page, value: unknown): Html | string {
  if (typeof value !== 'object' || value === null) return valueText(page, value);
  if (Array.isArray(value)) {
    if (value.length === 0) return noValue;
    if (value.every((one) => typeof one !== 'object')) return value.map((one) => valueText(page, one)).join(', ');
    return html`<pre tabindex="0">${JSON.stringify(value, null, 2)}</pre>`;
  }
  return definitionList(
    Object.entries(value).map(([name, inner]) => ({ title: fieldTitle(name), value: valueHtml(page, inner) })),
  );
}

/** Figures are grouped, with all their digits; other numbers, such as that of an account, stay as they are. */
function fieldHtml(page: Page, name: string, value: unknown): Html | string {
  return typeof value === 'string' && figureFields.has(name) ? page.formats.quantity(value) : valueHtml(page, value);
}

/** A value of the API as a person reads it. */
export function valueText({ formats }: Page, value: unknown): string {
  if (value === null || value === undefined || value === '') return noValue;
  if (typeof value === 'boolean') return valueTitle(String(value));
  const text = String(value);
  if (moment.test(text)) return formats.datetime(text);
  if (day.test(text)) return formats.dateLong(text);
  return word.test(text) ? valueTitle(text) : text;
}
