// The list of limits, each with its rule in words, how it stands, and the room that is left.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow, filterForm } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { tableCard } from '../../parts/parts.ts';
import type { Page, PageContent } from '../../signed-in-page.ts';
import type { Row, Table } from '../../tables/table.ts';
import { consoleTable, nameFinder, type Option } from '../console-table.ts';
import { readSeenClients, type SeenClient } from '../seen-records.ts';
import { doneNote } from '../resource/done-note.ts';
import { filterText, type NameOf } from '../../portal/limits/limit-words.ts';
import { boundMembers, type LimitKind } from './bounds-fields.ts';
import { limitsPath, readFilterNames } from './limit-names.ts';
import { headroomText, ruleText, stateTitle, type LimitState } from './limit-status.ts';
import { readWholeList } from '../../tables/list-rows.ts';
import { rowsInTurns } from '../../tables/rows-in-turns.ts';

/** Each is evaluated for itself. */
const limitsShown = 20;
const fileRowsMax = 200;

/** One limit at one reporting entity; a limit that applies to none has no status. */
interface ListedLimit {
  readonly limit: any;
  readonly status: any;
}

const noStatus = { state: 'not_evaluable', headroom: null, reporting_entity_id: null, detail: null } as const;

export async function limitList(page: Page): Promise<PageContent> {
  const { api, query } = page;
  const chosen = {
    client_id: query.get('client_id'),
    kind: query.get('kind'),
    reporting_entity_id: query.get('reporting_entity_id'),
  };
  const [listed, seen] = await Promise.all([
    api.get('/v1/limits', { ...chosen, limit: String(limitsShown), cursor: query.get('cursor') }),
    api.list('/v1/reporting-entities', chosen.client_id ? { client_id: chosen.client_id } : {}, 500),
  ]);
  const entities = toOptions(seen.data);
  const clients = await readSeenClients(page, seen.data);
  const rowsOf = async (limits: readonly any[]): Promise<readonly Row[]> => {
    const [rows, nameOf] = await Promise.all([
      readStatuses(page, limits),
      readFilterNames(
        page,
        limits.map(({ filter }) => filter),
      ),
    ]);
    return rows.toSorted(byUrgency).map((row) => limitRow(page, row, { clients, entities, nameOf }));
  };
  const table: Table = {
    id: 'limits',
    caption: 'Limits and how they stand now',
    columns,
    rows: await rowsOf(listed.data),
    async *fileRows() {
      const all = await rowsOf(await readWholeList(page, { path: '/v1/limits', query: chosen }, fileRowsMax));
      yield* rowsInTurns(() => all)();
    },
  };
  const isFiltered = Object.values(chosen).some((value) => value !== null && value !== '');
  const nothing = emptyState({
    title: isFiltered ? 'No such limits' : 'No limits yet',
    text: 'A limit says how much of something a reporting entity may or must hold, such as at most 15% in private markets.',
    action: mayCreate(page) ? { title: 'New limit', href: newAddress(page) } : undefined,
  });
  return {
    title: 'Limits',
    lede: html`The rules of clients’ investment policies, the broken ones first, and the room that is left.`,
    main: html`${doneNote(page)}${listButtons(page, listed.data.length > 0)}${listFilter(page, { clients, entities, isFiltered })}
    ${listed.data.length === 0 ? nothing : tableCard(consoleTable(page, table, listed.next_cursor))}`,
    tables: [table],
  };
}

async function readStatuses(page: Page, limits: readonly any[]): Promise<readonly ListedLimit[]> {
  const statuses = await Promise.all(limits.map(({ id }) => page.api.find(`/v1/limits/${id}/status`)));
  return limits.flatMap((limit, index) => {
    const entities: readonly any[] = statuses[index]?.reporting_entities ?? [];
    return entities.length === 0 ? [{ limit, status: noStatus }] : entities.map((status) => ({ limit, status }));
  });
}

const urgency: readonly LimitState[] = ['breached', 'not_evaluable', 'compliant'];

function byUrgency(one: ListedLimit, other: ListedLimit): number {
  return urgency.indexOf(one.status.state) - urgency.indexOf(other.status.state);
}

interface ListNames {
  readonly clients: readonly SeenClient[];
  readonly entities: readonly Option[];
  readonly nameOf: NameOf;
}

const columns: Table['columns'] = [
  { key: 'name', title: 'Limit', kind: 'text', wide: true },
  { key: 'entity', title: 'Reporting entity', kind: 'text' },
  { key: 'state', title: 'State', kind: 'text' },
  { key: 'headroom', title: 'Room', kind: 'quantity' },
  { key: 'rule', title: 'Allowed', kind: 'text' },
  { key: 'counts', title: 'Counts', kind: 'text', wide: true },
  { key: 'client', title: 'Client', kind: 'text' },
];

function limitRow(page: Page, { limit, status }: ListedLimit, { clients, entities, nameOf }: ListNames): Row {
  const client = clients.find(({ id }) => id === limit.client_id);
  const kind: LimitKind = limit.kind;
  const unit = { kind, currency: client?.currency ?? 'XXX' };
  const bounds = { min: limit[boundMembers[kind].min], max: limit[boundMembers[kind].max] };
  return {
    cells: [
      { value: limit.name, href: `${limitsPath}/${limit.id}` },
      { value: nameFinder(entities)(status.reporting_entity_id) },
      { value: status === noStatus ? 'Applies to nobody yet' : stateTitle(status.state) },
      { value: status.headroom, text: headroomText(page, unit, status.headroom) },
      { value: ruleText(page, unit, bounds) },
      { value: filterText(limit.filter, 'en', nameOf) },
      client?.name == null ? { value: null } : { value: client.name, href: `/console/clients/${limit.client_id}` },
    ],
  };
}

function toOptions(records: readonly any[]): readonly Option[] {
  return records.map(({ id, name }) => ({ value: String(id), title: String(name) }));
}

function mayCreate(page: Page): boolean {
  return page.api.may('POST', '/v1/limits');
}

function newAddress({ query }: Page): string {
  const client = query.get('client_id') ?? '';
  return client === '' ? `${limitsPath}/new` : `${limitsPath}/new?client_id=${encodeURIComponent(client)}`;
}

function listButtons(page: Page, hasLimits: boolean): Html {
  const client = page.query.get('client_id') ?? '';
  const whatIf = `${limitsPath}/what-if${client === '' ? '' : `?client_id=${encodeURIComponent(client)}`}`;
  return buttonsRow([
    ...(mayCreate(page) ? [{ title: 'New limit', href: newAddress(page) }] : []),
    ...(hasLimits ? [{ title: 'What if…', href: whatIf, kind: 'quiet' as const }] : []),
  ]);
}

interface FilterView extends Pick<ListNames, 'clients' | 'entities'> {
  readonly isFiltered: boolean;
}

function listFilter(page: Page, { clients, entities, isFiltered }: FilterView): Html {
  const all = { value: '', title: 'All' };
  const value = (name: string): string => page.query.get(name) ?? '';
  const clientOptions = clients
    .flatMap(({ id, name }) => (name === null ? [] : [{ value: id, title: name }]))
    .toSorted((a, b) => a.title.localeCompare(b.title, page.reader.locale));
  const fields: readonly Field[] = [
    ...(clientOptions.length === 0
      ? []
      : [
          {
            kind: 'select',
            name: 'client_id',
            label: 'Client',
            options: [all, ...clientOptions],
            value: value('client_id'),
          } as const,
        ]),
    {
      kind: 'select',
      name: 'reporting_entity_id',
      label: 'Only for the reporting entity',
      options: [all, ...entities],
      value: value('reporting_entity_id'),
    },
    {
      kind: 'select',
      name: 'kind',
      label: 'Kind',
      options: [all, { value: 'proportional', title: 'A share' }, { value: 'absolute', title: 'An amount' }],
      value: value('kind'),
    },
  ];
  return clients.length === 0 ? emptyHtml : filterForm({ path: limitsPath, reader: page.reader, fields, isFiltered });
}
