// What hangs on a client, on its page: its settings with what they mean, and the first records of each kind with the way to all of them.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { buttonsRow, type Button } from '../../parts/forms.ts';
import type { Page } from '../../signed-in-page.ts';
import { tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import { recordKind } from '../resource/record-kinds.ts';
import { valueText, type ApiRecord } from '../resource/record-view.ts';
import { resourceParts, type RecordSections } from '../resource/resource-definition.ts';
import { recordTable } from '../resource/resource-list.ts';
import { bodyFields } from '../resource/schema-fields.ts';
import { capitalise } from '../resource/words.ts';

/** So many of each kind are on the page. */
const shownMax = 20;

interface Section {
  readonly type: string;
  readonly columns: readonly string[];
  /** The parameter of the list, and of the form for a new one, that names the client. */
  readonly parameter: string;
}

const sections: readonly Section[] = [
  { type: 'client', columns: ['name', 'reference_currency'], parameter: 'parent_id' },
  { type: 'legal-entity', columns: ['name', 'created_at'], parameter: 'client_id' },
  { type: 'account', columns: ['name', 'currency', 'institution', 'entity_id'], parameter: 'client_id' },
  { type: 'depository', columns: ['name', 'external_identifier', 'legal_entity_id'], parameter: 'client_id' },
  { type: 'reporting-entity', columns: ['name', 'created_at'], parameter: 'client_id' },
  { type: 'portfolio', columns: ['name', 'reporting_entity_id', 'account_ids'], parameter: 'client_id' },
  { type: 'limit', columns: ['name', 'kind', 'reporting_entity_id'], parameter: 'client_id' },
  { type: 'user', columns: ['name', 'email', 'role', 'status'], parameter: 'client_id' },
];

/** Names of the fields that say how the client's figures are computed. */
export const settingNames: readonly string[] = [
  'reference_currency',
  'accounting_method',
  'value_change_bound',
  'long_term_months',
  'stale_days_listed',
  'stale_days_funds',
  'stale_days_private',
  'volatility_days',
  'reconciliation',
];

export async function clientSections(page: Page, client: ApiRecord): Promise<RecordSections> {
  const open = sections.filter(({ type }) => page.api.may('GET', recordKind(type).apiPath));
  const drawn = await Promise.all(open.map((section) => drawSection(page, client, section)));
  const settings = settingsTable(page, client);
  return {
    main: html`${drawn.map(({ main }) => main)}
      <section class="card">${tableHtml(settings, { reader: page.reader })}</section>`,
    tables: [settings, ...drawn.map(({ table }) => table)],
  };
}

async function drawSection(
  page: Page,
  client: ApiRecord,
  { type, columns, parameter }: Section,
): Promise<{ readonly main: Html; readonly table: Table }> {
  const parts = resourceParts({ type, columns, lede: '' });
  const { kind } = parts;
  const query = { [parameter]: client['id'] };
  const answer = await page.api.get(kind.apiPath, { ...query, limit: String(shownMax) });
  const title = type === 'client' ? 'Child clients' : capitalise(kind.several);
  const list = { path: kind.apiPath, query };
  const table = { ...(await recordTable(page, parts, { records: answer.data, list })), caption: title };
  const own = new URLSearchParams({ [parameter]: client['id'], client_id: client['id'] }).toString();
  const all: Button = { title: `All ${kind.several}`, href: `${kind.pagePath}?${own}`, kind: 'quiet' };
  const creation: Button = { title: `New ${kind.one}`, href: `${kind.pagePath}/new?${own}`, kind: 'quiet' };
  const isCreated = parts.may(page, 'POST', 'list');
  const buttons = [...(isCreated ? [creation] : []), ...(answer.has_more === true ? [all] : [])];
  const content =
    answer.data.length === 0
      ? html`<h2>${title}</h2>
          <p class="soft">None yet.</p>`
      : tableHtml(table, { reader: page.reader });
  return {
    table,
    main: html`<section class="card">${content}${buttons.length === 0 ? emptyHtml : buttonsRow(buttons)}</section>`,
  };
}

/** Each setting with its value and what it means, in the API's words. */
function settingsTable(page: Page, client: ApiRecord): Table {
  const fields = bodyFields(page.api.operation('PATCH', '/v1/clients/{id}'));
  const settings = fields.filter(({ name }) => settingNames.includes(name.split('.')[0] ?? ''));
  return {
    id: 'settings',
    caption: 'Settings of its figures',
    columns: [
      { key: 'setting', title: 'Setting', kind: 'text' },
      { key: 'value', title: 'Value', kind: 'text' },
      { key: 'meaning', title: 'What it means', kind: 'text', wide: true },
    ],
    rows: settings.map(({ name, title, hint }) => {
      const value: unknown = name.split('.').reduce<any>((inner, member) => inner?.[member], client);
      return {
        cells: [
          { value: title },
          { value: value === null || value === undefined ? null : String(value), text: valueText(page, value) },
          { value: hint?.replace(/ If left empty:.*$/s, '') ?? null },
        ],
      };
    }),
  };
}
