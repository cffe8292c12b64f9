// The pages of limits: list, one with its state, its history and what would happen, creating, changing and deleting.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { filterText, type NameOf } from '../../portal/limits/limit-words.ts';
import { definitionList, emptyState, note } from '../../parts/notes.ts';
import { card, tableCard } from '../../parts/parts.ts';
import { signedInForm, signedInPage, type Page } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable, nameFinder, type Option } from '../console-table.ts';
import { readSeenClients, type SeenClient } from '../seen-records.ts';
import type { ApiRecord } from '../resource/record-view.ts';
import type { RecordSections, ResourceDefinition } from '../resource/resource-definition.ts';
import { resourcePages } from '../resource/resource-pages.ts';
import { boundMembers } from './bounds-fields.ts';
import { changeLimit, createLimit, showLimitChange, showLimitCreation } from './limit-form.ts';
import { limitList } from './limit-list.ts';
import { limitsPath, readFilterNames } from './limit-names.ts';
import { figureText, headroomText, limitBar, ruleText, stateHtml, type LimitUnit } from './limit-status.ts';
import { showWhatIf } from './what-if-page.ts';

const breachesMax = 50;

const limits: ResourceDefinition = {
  type: 'limit',
  lede: 'The rules of clients’ investment policies.',
  columns: ['name', 'kind', 'client_id'],
  notAsFacts: ['name', 'kind', 'filter', 'bounds', 'min_pct', 'max_pct', 'min_amount', 'max_amount'],
  deletedTogether: ['Its present state. The times when it was broken stay listed.'],
  actions: (page, { id }) =>
    page.api.may('POST', '/v1/limits/check')
      ? [{ title: 'What if…', href: `${limitsPath}/what-if?limit_id=${id}` }]
      : [],
  sections: limitSections,
};

async function readClientAndEntities(
  page: Page,
  client: string,
): Promise<{ readonly clients: readonly SeenClient[]; readonly entities: readonly Option[] }> {
  const { data } = await page.api.list('/v1/reporting-entities', { client_id: client }, 500);
  const entities = data.map(({ id, name }) => ({ value: String(id), title: String(name) }));
  return { clients: await readSeenClients(page, data), entities };
}

async function limitSections(page: Page, limit: ApiRecord): Promise<RecordSections> {
  const id = encodeURIComponent(limit['id']);
  const [status, { clients, entities }, breaches, nameOf] = await Promise.all([
    page.api.find(`/v1/limits/${id}/status`),
    readClientAndEntities(page, limit['client_id']),
    page.api.get('/v1/limit-breaches', { limit_id: limit['id'], limit: String(breachesMax) }),
    readFilterNames(page, [limit['filter']]),
  ]);
  const unit: LimitUnit = {
    kind: limit['kind'],
    currency: clients.find(({ id: one }) => one === limit['client_id'])?.currency ?? 'XXX',
  };
  const entityName = nameFinder(entities);
  const table = breachesTable(page, breaches.data, { unit, entityName });
  const statuses: readonly any[] = status?.reporting_entities ?? [];
  return {
    main: html`${ruleCard(page, limit, { unit, nameOf })}
    ${
      statuses.length === 0
        ? card(
            'How it stands',
            emptyState({
              title: 'Applies to nobody yet',
              text: 'The client has no reporting entity that it applies to.',
            }),
          )
        : statuses.map((one) => statusCard(page, one, { unit, name: entityName(one.reporting_entity_id) }))
    }
    ${table.rows.length === 0 ? card('When it was broken', html`<p>It was not broken so far.</p>`) : tableCard(consoleTable(page, table))}`,
    tables: [table],
  };
}

function ruleCard(page: Page, limit: ApiRecord, { unit, nameOf }: { unit: LimitUnit; nameOf: NameOf }): Html {
  const members = boundMembers[unit.kind];
  return card(
    'The rule',
    definitionList([
      { title: 'Allowed', value: ruleText(page, unit, { min: limit[members.min], max: limit[members.max] }) },
      { title: 'Counts holdings with', value: filterText(limit['filter'], 'en', nameOf) },
    ]),
  );
}

function statusCard(page: Page, status: any, { unit, name }: { unit: LimitUnit; name: string }): Html {
  const { reporting_entity_id: entity, current_value: value, headroom, unclassified_value: unclassified } = status;
  const bar =
    value === null
      ? emptyHtml
      : limitBar(page, unit, {
          id: `limit-${entity}`,
          title: 'Value and bounds',
          value,
          min: status.min,
          max: status.max,
          headroom,
        });
  const isSomeUnclassified = unclassified !== null && !/^-?0(?:\.0*)?$/.test(unclassified);
  const since = status.since === null ? 'Not yet found by a round' : page.formats.datetime(status.since, page.timeZone);
  return card(
    name,
    html`<p>${stateHtml(status)}</p>
      ${bar}
      ${definitionList([
        { title: 'Now', value: figureText(page, unit, value) },
        { title: 'Room', value: headroomText(page, unit, headroom) },
        { title: 'Since', value: since },
        { title: 'In the portal', value: 'Limits of the reporting entity', href: `/entities/${entity}/limits` },
      ])}
      ${
        isSomeUnclassified
          ? note(
              `Holdings without a class are worth ${figureText(page, unit, unclassified)}. They may belong here and are not counted.`,
              { tone: 'warn' },
            )
          : emptyHtml
      }`,
  );
}

function breachesTable(
  page: Page,
  breaches: readonly any[],
  { unit, entityName }: { readonly unit: LimitUnit; readonly entityName: (id: string | null) => string },
): Table {
  const { formats, timeZone } = page;
  return {
    id: 'breaches',
    caption: 'When it was broken, the newest first',
    columns: [
      { key: 'entity', title: 'Reporting entity', kind: 'text' },
      { key: 'since', title: 'Since', kind: 'text' },
      { key: 'until', title: 'Until', kind: 'text' },
      { key: 'value', title: 'Value then', kind: 'quantity' },
      { key: 'bound', title: 'Allowed', kind: 'quantity' },
    ],
    rows: breaches.map((one) => ({
      cells: [
        { value: entityName(one.reporting_entity_id) },
        { value: one.since, text: formats.datetime(one.since, timeZone) },
        { value: one.until, text: one.until === null ? 'Still broken' : formats.datetime(one.until, timeZone) },
        { value: one.current_value, text: figureText(page, unit, one.current_value) },
        {
          value: one.bound_value,
          text: `${one.bound === 'max' ? 'at most' : 'at least'} ${figureText(page, unit, one.bound_value)}`,
        },
      ],
    })),
  };
}

const area = 'console';

export const consoleLimitPages = [
  signedInPage({ id: 'limit-list', path: limitsPath, summary: 'Limits and how they stand', area, handle: limitList }),
  signedInPage({
    id: 'limit-what-if',
    path: `${limitsPath}/what-if`,
    summary: 'What trades or other bounds would do to limits',
    area,
    handle: showWhatIf,
  }),
  signedInPage({ id: 'limit-new', path: `${limitsPath}/new`, summary: 'New limit', area, handle: showLimitCreation }),
  signedInForm({ id: 'limit-new-send', path: `${limitsPath}/new`, summary: 'New limit', area, handle: createLimit }),
  signedInPage({
    id: 'limit-edit',
    path: `${limitsPath}/{id}/edit`,
    summary: 'Edit limit',
    area,
    handle: showLimitChange,
  }),
  signedInForm({
    id: 'limit-edit-send',
    path: `${limitsPath}/{id}/edit`,
    summary: 'Edit limit',
    area,
    handle: changeLimit,
  }),
  ...resourcePages(limits, { without: ['list', 'creation', 'change'] }),
];
