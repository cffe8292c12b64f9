// Breaks: differences between what custodians state and what the ledger holds, to accept with a note or to chase.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import type { Field } from '../../parts/field.ts';
import { filterForm, postForm } from '../../parts/forms.ts';
import { definitionList, emptyState, note } from '../../parts/notes.ts';
import { card, chips } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable, readOptions, type Option } from '../console-table.ts';
import { readHeldNames } from '../seen-records.ts';
import { custodyPath, custodyState, custodyTabsHtml, custodyWord } from './custody-words.ts';

const path = `${custodyPath}/breaks`;
const classes = ['missing-trade', 'quantity', 'price', 'cash', 'unknown-instrument', 'timing'];
const states = ['open', 'accepted', 'closed'];
/** Days that a break is old at least, as chips. */
const ages = ['7', '30', '90'];
const breaksMax = 1_000;
/** Names are looked for in the reports of so many reporting entities. */
const namingEntitiesMax = 10;

/** Names of places and instruments, which are only read where breaks name them; from reports, for people who may not read the records. */
async function placeNames(page: Page, breaks: readonly any[]): Promise<(one: any) => { place: string; what: string }> {
  const names = new Map<string, string>();
  const entities = await readEntities(page, breaks);
  const read = async (by: 'account' | 'depository' | 'instrument', apiPath: string): Promise<void> => {
    if (!page.api.may('GET', `${apiPath}/{id}`)) {
      for (const [id, name] of await readHeldNames(page, entities, by)) names.set(id, name);
      return;
    }
    const member = `${by}_id`;
    const ids = [...new Set(breaks.map((one) => one[member]).filter((id) => id !== null))].slice(0, 100);
    await Promise.all(
      ids.map(async (id) => {
        const record = await page.api.find(`${apiPath}/${id}`);
        if (record !== undefined) names.set(id, record.name);
      }),
    );
  };
  await Promise.all([
    read('account', '/v1/accounts'),
    read('depository', '/v1/depositories'),
    read('instrument', '/v1/instruments'),
  ]);
  const nameOf = (id: string): string => names.get(id) ?? id;
  return ({ account_id, depository_id, instrument_id, named, currency }) => ({
    place: nameOf(account_id ?? depository_id ?? ''),
    what: instrument_id === null ? (named?.name ?? named?.isin ?? currency ?? 'Cash') : nameOf(instrument_id),
  });
}

/** The reporting entities of the clients that have breaks, for people who find names in their reports. */
async function readEntities(page: Page, breaks: readonly any[]): Promise<ReadonlySet<string>> {
  if (breaks.length === 0 || page.api.may('GET', '/v1/accounts/{id}')) return new Set();
  const clients = new Set(breaks.map(({ client_id: client }) => client));
  const { data } = await page.api.list('/v1/reporting-entities', {}, 500);
  const own = data.filter(({ client_id: client }) => clients.has(client));
  return new Set(own.slice(0, namingEntitiesMax).map(({ id }) => String(id)));
}

function breaksTable(breaks: readonly any[], namesOf: (one: any) => { place: string; what: string }): Table {
  return {
    id: 'breaks',
    caption: 'Differences, the newest first',
    columns: [
      { key: 'what', title: 'What', kind: 'text' },
      { key: 'class', title: 'Kind', kind: 'text' },
      { key: 'place', title: 'Where', kind: 'text' },
      { key: 'stated', title: 'Custodian', kind: 'quantity' },
      { key: 'ledger', title: 'Ledger', kind: 'quantity' },
      { key: 'difference', title: 'Difference', kind: 'quantity' },
      { key: 'age', title: 'Days', kind: 'number', digits: 0 },
      { key: 'date', title: 'Statement of', kind: 'date' },
      { key: 'state', title: 'State', kind: 'text' },
    ],
    rows: breaks.map((one) => {
      const { place, what } = namesOf(one);
      return {
        cells: [
          { value: what, href: `${path}/${one.id}` },
          { value: custodyWord(one.class) },
          { value: place },
          { value: one.stated },
          { value: one.ledger },
          { value: one.difference },
          { value: String(one.age_days) },
          { value: one.date },
          { value: custodyWord(one.state), ...(one.note === null ? {} : { note: one.note.slice(0, 80) }) },
        ],
      };
    }),
  };
}

async function breaksContent(page: Page): Promise<PageContent> {
  const { query } = page;
  const [client, kind, age] = [query.get('client_id') ?? '', query.get('class') ?? '', query.get('min_age') ?? ''];
  const state = query.get('state') ?? 'open';
  const [clients, list] = await Promise.all([
    page.api.may('GET', '/v1/clients') ? readOptions(page, '/v1/clients') : [],
    page.api.list('/v1/reconciliation-breaks', { client_id: client, class: kind, state }, breaksMax),
  ]);
  const ageMin = ages.includes(age) ? Number(age) : 0;
  const shown = list.data.filter((one) => one.age_days >= ageMin);
  const table = breaksTable(shown, await placeNames(page, shown));
  const isFiltered = client !== '' || kind !== '' || ageMin > 0 || state !== 'open';
  const nothing = emptyState({
    title: isFiltered ? 'No such differences' : 'Custodians and ledger agree',
    text: 'Differences come from the latest statements, as soon as they are found.',
  });
  const cut = list.isCut ? note(`Only the newest ${breaksMax} are shown. Filter by client or kind.`) : emptyHtml;
  return {
    title: 'Breaks',
    main: html`${custodyTabsHtml(page, '/breaks')}${filterOf(page, { clients, client, kind, state })}${ageChips(page, age)}${cut}
    ${shown.length === 0 ? nothing : card('Differences', consoleTable(page, table))}`,
    tables: [table],
  };
}

interface Chosen {
  readonly clients: readonly Option[];
  readonly client: string;
  readonly kind: string;
  readonly state: string;
}

function filterOf(page: Page, { clients, client, kind, state }: Chosen): Html {
  const all = { value: '', title: 'All' };
  const worded = (values: readonly string[]): Option[] => values.map((value) => ({ value, title: custodyWord(value) }));
  const options = [all, ...clients];
  const clientField: Field = { kind: 'select', name: 'client_id', label: 'Client', options, value: client };
  return filterForm({
    path,
    reader: page.reader,
    isFiltered: client !== '' || kind !== '' || state !== 'open',
    keep: page.query.has('min_age') ? { min_age: page.query.get('min_age') ?? '' } : {},
    fields: [
      ...(clients.length === 0 ? [] : [clientField]),
      { kind: 'select', name: 'class', label: 'Kind', options: [all, ...worded(classes)], value: kind },
      { kind: 'select', name: 'state', label: 'State', options: [...worded(states), all], value: state },
    ],
  });
}

function ageChips(page: Page, age: string): Html {
  return chips([
    { title: 'Any age', href: withParameters(page.address, { min_age: null }), isCurrent: !ages.includes(age) },
    ...ages.map((days) => ({
      title: `${days} days or older`,
      href: withParameters(page.address, { min_age: days }),
      isCurrent: days === age,
    })),
  ]);
}

async function breakContent(page: Page, problem?: ApiProblem): Promise<PageContent> {
  const found = await page.api.get(`/v1/reconciliation-breaks/${encodeURIComponent(page.params['id'] ?? '')}`);
  const { place, what } = (await placeNames(page, [found]))(found);
  const { formats, timeZone } = page;
  const unit = found.aspect === 'units' ? '' : (found.currency ?? '');
  const figure = (value: string | null): string => `${formats.quantity(value)} ${unit}`.trim();
  const facts = definitionList([
    { title: 'State', value: custodyState(found.state) },
    { title: 'Kind', value: custodyWord(found.class) },
    { title: 'Where', value: place },
    { title: 'The custodian states', value: figure(found.stated) },
    { title: 'The ledger has', value: figure(found.ledger) },
    { title: 'Difference', value: figure(found.difference) },
    { title: 'First seen', value: formats.dateLong(found.first_date) },
    { title: 'Latest statement', value: formats.dateLong(found.date) },
    { title: 'Days', value: formats.number(String(found.age_days), 0) },
    ...(found.accepted_at === null
      ? []
      : [{ title: 'Accepted', value: `${formats.datetime(found.accepted_at, timeZone)} by ${found.accepted_by}` }]),
  ]);
  const done = page.query.get('done') === null ? emptyHtml : note('It is saved.', { tone: 'good', isLive: true });
  const explained = found.transaction_ids
    .slice(0, 20)
    .map(
      (id: string) => html`<li><a href="/console/bookings/${encodeURIComponent(id)}">Booking ${id.slice(-6)}</a></li>`,
    );
  return {
    title: what,
    lede: html`<a href="${path}">Breaks</a>`,
    main: html`${done}${card('Difference', facts)}${
      explained.length === 0
        ? emptyHtml
        : card(
            'Explained by bookings that are not settled yet',
            html`<ul>
              ${explained}
            </ul>`,
          )
    }${workForm(page, found, problem)}`,
    ...(problem === undefined ? {} : { status: problem.status }),
  };
}

function workForm(page: Page, found: any, problem: ApiProblem | undefined): Html {
  if (!page.api.may('PATCH', '/v1/reconciliation-breaks/{id}')) return emptyHtml;
  const keep = { title: 'Save the note', kind: 'quiet', name: 'state', value: '' } as const;
  const buttons =
    found.state === 'closed'
      ? [keep]
      : found.state === 'accepted'
        ? [{ title: 'Open it again', name: 'state', value: 'open' }, keep]
        : [{ title: 'Accept the difference', name: 'state', value: 'accepted' }, keep];
  const form = postForm({
    action: `${path}/${encodeURIComponent(found.id)}`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      {
        kind: 'textarea',
        name: 'note',
        label: 'Note',
        hint: 'What is behind it, or whom you asked. An accepted difference opens again by itself when it changes.',
        value: problem === undefined ? (found.note ?? '') : (page.fields.get('note') ?? ''),
        maxLength: 2_000,
      },
    ],
    buttons,
    ...(problem === undefined ? {} : { messages: [problem.detail] }),
  });
  return card('Work on it', form);
}

export const breakPaths = [
  signedInPage({ id: 'breaks', path, summary: 'Reconciliation breaks', area: 'console', handle: breaksContent }),
  signedInPage({
    id: 'break',
    path: `${path}/{id}`,
    summary: 'A reconciliation break',
    area: 'console',
    handle: (page) => breakContent(page),
  }),
  signedInForm({
    id: 'break.send',
    path: `${path}/{id}`,
    summary: 'Note, accept or reopen a break',
    area: 'console',
    async handle(page) {
      const id = encodeURIComponent(page.params['id'] ?? '');
      const text = (page.fields.get('note') ?? '').replaceAll('\r\n', '\n').trim();
      const state = page.fields.get('state') ?? '';
      const body = { note: text === '' ? null : text, ...(state === '' ? {} : { state }) };
      const sent = await page.api.send('PATCH', `/v1/reconciliation-breaks/${id}`, body);
      if (!sent.ok) return breakContent(page, sent.problem);
      return { redirectUrl: `${path}/${id}?done=changed` };
    },
  }),
];
