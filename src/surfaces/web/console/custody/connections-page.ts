// Connections to custodians: auth flows that are under way, authorities with their ends, and starting a new one.

import { html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow, filterForm, postForm } from '../../parts/forms.ts';
import { card } from '../../parts/parts.ts';
import { emptyState } from '../../parts/notes.ts';
import type { ApiProblem } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable, nameFinder, readOptions, type Option } from '../console-table.ts';
import { doneNote } from '../resource/done-note.ts';
import { custodyPath, custodyTabsHtml, custodyWord } from './custody-words.ts';

const recordsMax = 1_000;
type Names = (id: string | null) => string;

interface NameFinders {
  readonly clients: Names;
  readonly custodians: Names;
  readonly entities: Names;
}

function flowsTable(flows: readonly any[], { clients, custodians, entities }: NameFinders): Table {
  return {
    id: 'flows',
    caption: 'Auth flows: how consent is being given',
    columns: [
      { key: 'custodian', title: 'Custodian', kind: 'text' },
      { key: 'state', title: 'State', kind: 'text' },
      { key: 'entity', title: 'Legal entity', kind: 'text' },
      { key: 'client', title: 'Client', kind: 'text' },
      { key: 'purpose', title: 'For', kind: 'text' },
      { key: 'missing', title: 'Missing files', kind: 'text', wide: true },
      { key: 'date', title: 'Started', kind: 'date' },
    ],
    rows: flows.map((flow) => ({
      cells: [
        { value: custodians(flow.custodian_id), href: `${custodyPath}/auth-flows/${flow.id}` },
        { value: custodyWord(flow.state) },
        { value: entities(flow.legal_entity_id) },
        { value: clients(flow.client_id) },
        { value: custodyWord(flow.purpose) },
        { value: flow.missing_files.join(', ') || null },
        { value: flow.created_at.slice(0, 10) },
      ],
    })),
  };
}

function authoritiesTable(authorities: readonly any[], { clients, custodians, entities }: NameFinders): Table {
  return {
    id: 'authorities',
    caption: 'Authorities: which custodian may send what, and until when',
    columns: [
      { key: 'custodian', title: 'Custodian', kind: 'text' },
      { key: 'state', title: 'State', kind: 'text' },
      { key: 'connection', title: 'Connection', kind: 'text' },
      { key: 'entity', title: 'Legal entity', kind: 'text' },
      { key: 'client', title: 'Client', kind: 'text' },
      { key: 'accounts', title: 'Accounts', kind: 'number', digits: 0 },
      { key: 'ends', title: 'Ends', kind: 'date' },
    ],
    rows: authorities.map((one) => ({
      cells: [
        { value: custodians(one.custodian_id), href: `${custodyPath}/authorities/${one.id}` },
        { value: custodyWord(one.state) },
        {
          value: one.state === 'active' ? custodyWord(one.connection) : null,
          ...(one.broken_reason === null ? {} : { note: one.broken_reason }),
        },
        { value: entities(one.legal_entity_id) },
        { value: clients(one.client_id) },
        { value: String(one.account_ids.length) },
        { value: one.expires_at?.slice(0, 10) ?? null },
      ],
    })),
  };
}

/** Who may read no connections, such as an advisor, begins with the breaks. */
async function showCustody(page: Page): Promise<PageAnswer> {
  const isForBreaks = !page.api.may('GET', '/v1/auth-flows') && page.api.may('GET', '/v1/reconciliation-breaks');
  return isForBreaks ? { redirectUrl: `${custodyPath}/breaks` } : connectionsContent(page);
}

async function connectionsContent(page: Page): Promise<PageContent> {
  const client = page.query.get('client_id') ?? '';
  const narrow = client === '' ? {} : { client_id: client };
  const [clients, custodians, entities, flows, authorities] = await Promise.all([
    readOptions(page, '/v1/clients'),
    readOptions(page, '/v1/custodians'),
    readOptions(page, '/v1/legal-entities'),
    page.api.list('/v1/auth-flows', narrow, recordsMax),
    page.api.list('/v1/authorities', narrow, recordsMax),
  ]);
  const names: NameFinders = {
    clients: nameFinder(clients),
    custodians: nameFinder(custodians),
    entities: nameFinder(entities),
  };
  const isOver = ({ state }: any): boolean => ['active', 'revoked', 'cancelled'].includes(state);
  const underWay = flowsTable(
    flows.data.filter((flow) => !isOver(flow)),
    names,
  );
  const held = authoritiesTable(
    authorities.data.filter(({ state }) => ['active', 'revoke-in-progress', 'revoked'].includes(state)),
    names,
  );
  const isEmpty = underWay.rows.length + held.rows.length === 0 && client === '';
  return {
    title: 'Custody',
    lede: html`Who may send data, how consent is being given, and whether what they state is what the ledger holds.`,
    main: html`${custodyTabsHtml(page, '')}${doneNote(page)}${startButtons}${
      isEmpty
        ? nothing
        : html`${clientFilter(page, clients)}${card('Under way', consoleTable(page, underWay))}${card('Authorities', consoleTable(page, held))}`
    }`,
    tables: [underWay, held],
  };
}

const nothing = emptyState({
  title: 'No custodian sends data yet',
  text: 'Connect one: its owner gives consent, and the data of the accounts comes in by itself.',
});

const startButtons = buttonsRow([
  { title: 'Connect a custodian', href: `${custodyPath}/auth-flows/new` },
  { title: 'Custodians', href: '/console/custodians' },
]);

function clientFilter({ query, reader }: Page, clients: readonly Option[]): Html {
  const value = query.get('client_id') ?? '';
  const options = [{ value: '', title: 'All' }, ...clients];
  return filterForm({
    path: custodyPath,
    reader,
    isFiltered: value !== '',
    fields: [{ kind: 'select', name: 'client_id', label: 'Client', options, value }],
  });
}

async function startContent(page: Page, refused?: ApiProblem): Promise<PageContent> {
  page.api.require('POST', '/v1/admin/auth-flows');
  const [custodians, entities, depositories] = await Promise.all([
    readOptions(page, '/v1/custodians'),
    readOptions(page, '/v1/legal-entities'),
    readOptions(page, '/v1/depositories'),
  ]);
  const errorAt = (name: string): string | undefined =>
    refused?.errors.find(({ pointer }) => pointer === `/${name}`)?.detail;
  const select = (name: string, label: string, options: readonly { value: string; title: string }[]): Field => ({
    kind: 'select',
    name,
    label,
    options: name === 'custodian_id' ? options : [{ value: '', title: 'None' }, ...options],
    value: page.fields.get(name) ?? '',
    isRequired: name === 'custodian_id',
    error: errorAt(name),
  });
  const form = postForm({
    action: `${custodyPath}/auth-flows/new`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      select('custodian_id', 'Custodian', custodians),
      select('legal_entity_id', 'Legal entity whose accounts they are', entities),
      select('depository_id', 'Only this depository', depositories),
    ],
    buttons: [{ title: 'Start' }, { title: 'Cancel', href: custodyPath }],
    ...(refused === undefined || refused.errors.some(({ pointer }) => pointer !== undefined)
      ? {}
      : { messages: [refused.detail] }),
  });
  return {
    title: 'Connect a custodian',
    main: card('Who and where', form),
    ...(refused && { status: refused.status }),
  };
}

/** Fields that were left empty are not sent. */
function filledFields(fields: URLSearchParams, names: readonly string[]): Readonly<Record<string, string>> {
  const filled = names.filter((name) => (fields.get(name) ?? '') !== '');
  return Object.fromEntries(filled.map((name) => [name, fields.get(name) ?? '']));
}

export const connectionPaths = [
  signedInPage({
    id: 'custody',
    path: custodyPath,
    summary: 'Connections to custodians',
    area: 'console',
    handle: showCustody,
  }),
  signedInPage({
    id: 'custody.start',
    path: `${custodyPath}/auth-flows/new`,
    summary: 'Connect a custodian',
    area: 'console',
    handle: (page) => startContent(page),
  }),
  signedInForm({
    id: 'custody.start.send',
    path: `${custodyPath}/auth-flows/new`,
    summary: 'Start an auth flow',
    area: 'console',
    async handle(page) {
      const body = filledFields(page.fields, ['custodian_id', 'legal_entity_id', 'depository_id']);
      const sent = await page.api.send('POST', '/v1/admin/auth-flows', body);
      if (!sent.ok) return startContent(page, sent.problem);
      return { redirectUrl: `${custodyPath}/auth-flows/${sent.body.id}?done=created` };
    },
  }),
];
