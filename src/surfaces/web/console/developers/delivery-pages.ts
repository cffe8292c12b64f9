// One delivery with its attempts, dead letters of the whole workspace, and events as webhooks receive them.

import { html } from '../../../../kit/html.ts';
import { writeJson } from '../../../../kit/json.ts';
import { eventTypes } from '../../../../model/event/event.ts';
import { buttonsRow, filterForm } from '../../parts/forms.ts';
import { definitionList, emptyState, note, stateDot } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import { listRows } from '../../tables/list-rows.ts';
import type { Cell, Table } from '../../tables/table.ts';
import type { WebPath } from '../../web-path.ts';
import { attemptTable } from './delivery-table.ts';
import {
  actionForm,
  clientName,
  dayStart,
  developerPage,
  doneNote,
  home,
  isFiltered,
  listQuery,
  momentText,
  readList,
  tableCard,
  type ReadList,
} from './frame.ts';
import { ReferenceNames } from '../resource/references.ts';
import { diagnosisTable } from './webhook-table.ts';

const stateWords: Readonly<Record<string, readonly [string, 'up' | 'down' | 'warn']>> = {
  pending: ['Waiting', 'warn'],
  delivered: ['Delivered', 'up'],
  dead: ['Dead letter', 'down'],
};

async function showDelivery(page: Page): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const delivery = await page.api.get(`/v1/deliveries/${encodeURIComponent(id)}`);
  const webhook = await page.api.find(`/v1/webhooks/${delivery.webhook_id}`);
  const [words, tone] = stateWords[delivery.state] ?? [delivery.state];
  const table = attemptTable(page, delivery.attempts);
  const facts = definitionList([
    { title: 'Happened', value: momentText(page, delivery.created_at) },
    { title: 'Next attempt', value: momentText(page, delivery.next_attempt_at) },
    { title: 'Event', value: delivery.event_type, href: `${home}/events/${delivery.event_id}` },
    { title: 'Webhook', value: webhook?.url ?? delivery.webhook_id, href: `${home}/webhooks/${delivery.webhook_id}` },
  ]);
  const again =
    delivery.state === 'pending'
      ? html`<p class="soft">It is sent by itself; there is nothing to do.</p>`
      : actionForm(page, `${home}/deliveries/${id}/replay`, 'Send it again', 'primary');
  return developerPage({
    tab: '/webhooks',
    title: delivery.event_type,
    lede: html`${stateDot(words, tone)}`,
    main: html`${doneNote(page)}${facts}${again}${tableCard(page, table)}`,
    tables: [table],
  });
}

async function replay(page: Page): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const sent = await page.api.send('POST', `/v1/deliveries/${encodeURIComponent(id)}/replay`);
  if (sent.ok) return { redirectUrl: `${home}/deliveries/${id}?done=queued` };
  const { status, title, detail } = sent.problem;
  const back = buttonsRow([{ title: 'Back', href: `${home}/deliveries/${id}`, kind: 'quiet' }]);
  return developerPage({ tab: '/webhooks', title, status, main: html`${note(detail, { tone: 'danger' })}${back}` });
}

async function deadLetters(page: Page): Promise<PageContent> {
  const [{ webhooks }, listed] = await Promise.all([
    page.api.get('/v1/diagnostics'),
    page.api.get('/v1/webhooks', { limit: '100' }),
  ]);
  const addresses = new Map<string, string>(listed.data.map(({ id, url }: any) => [id, url]));
  const table = diagnosisTable(page, webhooks, addresses);
  const main =
    webhooks.length === 0
      ? emptyState({
          title: 'Everything was delivered',
          text: 'No webhook is disabled or behind, and none has dead letters.',
        })
      : tableCard(page, table);
  return developerPage({
    tab: '/dead-letters',
    title: 'Dead letters',
    lede: html`Deliveries that failed for 24 hours, and webhooks that are disabled or behind.`,
    main,
    tables: [table],
  });
}

function eventTable(page: Page, { list, data }: ReadList, nameOf: (client: string) => string): Table {
  return {
    id: 'events',
    caption: 'Events, the newest first',
    columns: [
      { key: 'type', title: 'Event', kind: 'text' },
      { key: 'at', title: 'Happened', kind: 'text' },
      { key: 'client', title: 'Concerns', kind: 'text' },
    ],
    ...listRows(page, {
      list,
      shown: data,
      rowsOf: (one) => ({
        cells: [
          { value: one.type, href: `${home}/events/${one.id}` },
          { value: one.created_at, text: () => momentText(page, one.created_at) },
          { value: one.client_id ?? 'the whole workspace', ...nameText(one.client_id, nameOf) },
        ],
      }),
    }),
  };
}

/** Files keep the id. */
function nameText(client: string | null, nameOf: (client: string) => string): Pick<Cell, 'text'> {
  return client === null ? {} : { text: () => nameOf(client) };
}

const eventFilters = ['type', 'day'];

async function listEvents(page: Page): Promise<PageContent> {
  const { day: _day, ...query } = listQuery(page, eventFilters);
  const since = dayStart(page.query.get('day'));
  const events = await readList(page, '/v1/events', { ...query, ...(since === '' ? {} : { since }) });
  const clients = events.data.flatMap(({ client_id: id }) => (id === null ? [] : [{ to: 'client', id }]));
  const names = await ReferenceNames.read(page, clients);
  const table = eventTable(page, events, (id) => names.nameOf({ to: 'client', id }));
  const options = [{ value: '', title: 'All' }, ...eventTypes.map((type) => ({ value: type, title: type }))];
  const filter = filterForm({
    path: `${home}/events`,
    reader: page.reader,
    isFiltered: isFiltered(page, eventFilters),
    fields: [
      { kind: 'select', name: 'type', label: 'Type', options, value: page.query.get('type') ?? '' },
      { kind: 'date', name: 'day', label: 'Since', value: page.query.get('day') ?? '' },
    ],
  });
  return developerPage({
    tab: '/events',
    title: 'Events',
    lede: html`What has happened, in the form in which webhooks receive it.`,
    main: html`${filter}${tableCard(page, table, events)}`,
    tables: [table],
  });
}

async function showEvent(page: Page): Promise<PageContent> {
  const event = await page.api.get(`/v1/events/${encodeURIComponent(page.params['id'] ?? '')}`);
  const facts = definitionList([
    { title: 'Happened', value: momentText(page, event.created_at) },
    { title: 'Concerns', value: await clientName(page, event.client_id) },
  ]);
  const payload = JSON.stringify(JSON.parse(writeJson(event)), null, 2);
  return developerPage({
    tab: '/events',
    title: event.type,
    main: html`${facts}${card('As it is sent', html`<pre tabindex="0">${payload}</pre>`)}`,
  });
}

const base = { area: 'console' } as const;

export const deliveryPages: readonly WebPath[] = [
  signedInPage({
    ...base,
    id: 'developers-delivery',
    path: `${home}/deliveries/{id}`,
    summary: 'One delivery',
    handle: showDelivery,
  }),
  signedInForm({
    ...base,
    id: 'developers-delivery-replay',
    path: `${home}/deliveries/{id}/replay`,
    summary: 'Sends a delivery again',
    handle: replay,
  }),
  signedInPage({
    ...base,
    id: 'developers-dead-letters',
    path: `${home}/dead-letters`,
    summary: 'Dead letters',
    handle: deadLetters,
  }),
  signedInPage({ ...base, id: 'developers-events', path: `${home}/events`, summary: 'Events', handle: listEvents }),
  signedInPage({
    ...base,
    id: 'developers-event',
    path: `${home}/events/{id}`,
    summary: 'One event',
    handle: showEvent,
  }),
];
