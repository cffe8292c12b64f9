// The list of a kind of record: filters in the address, pages by cursor, and the whole list as CSV or XLSX.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow, filterForm } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { withParameters } from '../../parts/address.ts';
import type { Page, PageContent } from '../../signed-in-page.ts';
import { pagerHtml, tableHtml } from '../../tables/table-html.ts';
import type { Cell, Column, Table } from '../../tables/table.ts';
import { ReferenceNames } from './references.ts';
import { formFields } from './resource-form.ts';
import { nameOf } from './record-kinds.ts';
import { doneNote } from './done-note.ts';
import { referencesOf, valueText, type ApiRecord } from './record-view.ts';
import type { ResourceParts } from './resource-definition.ts';
import { parameterField, referenceOf, type SchemaField } from './schema-fields.ts';
import { capitalise, fieldTitle } from './words.ts';
import { listRows, type WholeList } from '../../tables/list-rows.ts';

export async function showList(page: Page, parts: ResourceParts): Promise<PageContent> {
  const { kind, definition } = parts;
  const operation = parts.operation(page, 'GET', 'list');
  const filters = (definition.filters ?? []).flatMap((name) => parameterField(operation, name) ?? []);
  const chosen = Object.fromEntries(filters.map(({ name }) => [name, page.query.get(name)]));
  const answer = await page.api.get(kind.apiPath, { ...chosen, cursor: page.query.get('cursor') });
  const records: readonly ApiRecord[] = answer.data;
  const nextCursor: string | null = answer.has_more === true ? answer.next_cursor : null;
  const isFiltered = Object.values(chosen).some((value) => value !== null && value !== '');
  const table = await recordTable(page, parts, { records, list: { path: kind.apiPath, query: chosen } });
  const isEmpty = records.length === 0 && !isFiltered && page.query.get('cursor') === null;
  const address = withParameters(page.address, { done: null });
  const main = html`${doneNote(page)}${parts.may(page, 'POST', 'list') && !isEmpty ? newButton(parts) : emptyHtml}
  ${filters.length === 0 || isEmpty ? emptyHtml : await filterHtml(page, { path: kind.pagePath, filters, isFiltered })}
  ${isEmpty ? emptyList(page, parts) : tableWithFiles(page, table)}
  ${pagerHtml({ reader: page.reader, address, cursor: page.query.get('cursor') ?? undefined, nextCursor })}`;
  return { title: capitalise(kind.several), lede: html`${definition.lede}`, main, tables: [table] };
}

interface ListedRecords {
  /** Those that the page shows. */
  readonly records: readonly ApiRecord[];
  readonly list: WholeList;
}

/** A table of records with the columns of their definition; the first leads to the record. */
export async function recordTable(
  page: Page,
  { kind, definition, operation }: ResourceParts,
  { records, list }: ListedRecords,
): Promise<Table> {
  const { resource } = operation(page, 'GET', 'list');
  const { columns } = definition;
  const names = new ReferenceNames(page);
  const prepare = (some: readonly ApiRecord[]): Promise<void> =>
    names.add(some.flatMap((record) => referencesOf(record, resource, [...columns])));
  await prepare(records);
  const cellOf = (record: ApiRecord, name: string, index: number): Cell => {
    if (index === 0) return { value: nameOf(record), href: `${kind.pagePath}/${encodeURIComponent(record['id'])}` };
    const value: unknown = record[name];
    const target = referenceOf(name, resource);
    if (target === undefined || value === null || value === undefined) {
      return {
        value: value === null || value === undefined ? null : plainText(value),
        text: () => valueText(page, value),
      };
    }
    if (Array.isArray(value)) return { value: String(value.length) };
    const reference = { to: target.to, id: String(value) };
    const href = names.addressOf(reference);
    return { value: names.nameOf(reference), ...(href === undefined ? {} : { href }) };
  };
  return {
    id: kind.several.replaceAll(' ', '-'),
    caption: capitalise(kind.several),
    columns: columns.map((name): Column => ({
      key: name,
      title: fieldTitle(name, referenceOf(name, resource)),
      kind: 'text',
    })),
    ...listRows(page, {
      list,
      shown: records,
      prepare,
      rowsOf: (record) => ({ cells: columns.map((name, index) => cellOf(record, name, index)) }),
    }),
  };
}

function plainText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** A table in a card, with the links to take it along. */
export function tableWithFiles(page: Page, table: Table): Html {
  const address = (format: string): string =>
    withParameters(page.address, { cursor: null, done: null, table: table.id, format });
  return html`<section class="card">
    ${tableHtml(table, { reader: page.reader })}
    <p class="files"><a href="${address('csv')}">CSV</a> <a href="${address('xlsx')}">XLSX</a></p>
  </section>`;
}

function newButton({ kind }: ResourceParts): Html {
  return buttonsRow([{ title: `New ${kind.one}`, href: `${kind.pagePath}/new` }]);
}

function emptyList(page: Page, parts: ResourceParts): Html {
  const { kind, definition } = parts;
  return emptyState({
    title: `No ${kind.several} yet`,
    text: definition.lede,
    action: parts.may(page, 'POST', 'list') ? { title: `New ${kind.one}`, href: `${kind.pagePath}/new` } : undefined,
  });
}

interface FilterView {
  readonly path: string;
  readonly filters: readonly SchemaField[];
  readonly isFiltered: boolean;
}

async function filterHtml(page: Page, { path, filters, isFiltered }: FilterView): Promise<Html> {
  const values = new Map(filters.map(({ name }) => [name, page.query.getAll(name)]));
  const optional = filters.map((field) => ({ ...field, isRequired: false, hint: undefined }));
  const fields = (await formFields(page, optional, { values })).map(asFilter);
  return filterForm({ path, reader: page.reader, fields, isFiltered });
}

/** A filter by yes or no has three states; a text is searched for. */
function asFilter(field: Field): Field {
  const { name, label } = field;
  if (field.kind === 'select') {
    const options = field.options.filter(({ value }) => value !== '');
    return { ...field, options: [{ value: '', title: 'All' }, ...options] };
  }
  if (field.kind === 'checkbox') {
    const options = ['', 'true', 'false'].map((value) => ({
      value,
      title: { '': 'All', true: 'Yes', false: 'No' }[value] ?? '',
    }));
    return { kind: 'select', name, label, options, value: field.isChecked === true ? 'true' : '' };
  }
  return name === 'q' && field.kind === 'text' ? { ...field, kind: 'search', label: 'Search' } : field;
}
