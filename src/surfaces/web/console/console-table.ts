// A table of the console with its files and pages below, and choices for its forms.

import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { withParameters } from '../parts/address.ts';
import type { Page } from '../signed-in-page.ts';
import { pagerHtml, tableHtml } from '../tables/table-html.ts';
import type { Table } from '../tables/table.ts';

export interface Option {
  readonly value: string;
  readonly title: string;
}

/** More are not read for one select. */
const optionsMax = 500;

/** The records of a list of the API, by name. */
export async function readOptions(
  page: Page,
  apiPath: string,
  query: Readonly<Record<string, string>> = {},
): Promise<Option[]> {
  const { data } = await page.api.list(apiPath, query, optionsMax);
  return data
    .map((record) => ({ value: String(record.id), title: optionTitle(record) }))
    .toSorted((a, b) => a.title.localeCompare(b.title, page.reader.locale));
}

/** The currency tells accounts of one name apart. */
function optionTitle({ id, name, currency }: any): string {
  const title: string = name ?? id;
  return currency === undefined || currency === null || title.includes(currency) ? title : `${title} · ${currency}`;
}

export function nameFinder(options: readonly Option[]): (id: string | null) => string {
  const names = new Map(options.map(({ value, title }) => [value, title]));
  return (id) => (id === null ? '–' : (names.get(id) ?? id));
}

/** The table, the links to it as CSV and XLSX, and those to other pages of the list. */
export function consoleTable(page: Page, table: Table, nextCursor?: string | null): Html {
  const { reader, address, query } = page;
  const href = (format: string): string =>
    withParameters(address, { cursor: null, done: null, table: table.id, format });
  const files =
    table.rows.length === 0
      ? emptyHtml
      : html`<p class="files">
          <a href="${href('csv')}" aria-label="${table.caption} as CSV">CSV</a>
          <a href="${href('xlsx')}" aria-label="${table.caption} as XLSX">XLSX</a>
        </p>`;
  const cursor = query.get('cursor') ?? undefined;
  return html`${tableHtml(table, { reader })}${files}${pagerHtml({ reader, address, cursor, nextCursor })}`;
}
