// Webhooks as a table: state and backlog first.

import type { Page } from '../../signed-in-page.ts';
import { listRows } from '../../tables/list-rows.ts';
import type { Table } from '../../tables/table.ts';
import { home, momentText, type ReadList } from './frame.ts';

function stateText({ state, disabled_reason: reason }: any): string {
  if (state === 'enabled') return 'enabled';
  return reason === 'gone' ? 'disabled: gone' : 'disabled';
}

export function webhookTable(page: Page, { list, data }: ReadList): Table {
  return {
    id: 'webhooks',
    caption: 'Webhooks',
    columns: [
      { key: 'url', title: 'Address', kind: 'text', wide: true },
      { key: 'state', title: 'State', kind: 'text' },
      { key: 'pending', title: 'Waiting', kind: 'number', digits: 0 },
      { key: 'dead', title: 'Dead letters', kind: 'number', digits: 0 },
      { key: 'events', title: 'Events', kind: 'text', wide: true },
    ],
    ...listRows(page, {
      list,
      shown: data,
      rowsOf: (one) => ({
        cells: [
          { value: one.url, href: `${home}/webhooks/${one.id}` },
          { value: stateText(one) },
          { value: String(one.pending_count) },
          { value: String(one.dead_letter_count) },
          { value: one.events.join(', ') },
        ],
      }),
    }),
  };
}

/** What the workspace's diagnostics say about webhooks, with their addresses. */
export function diagnosisTable(page: Page, diagnoses: readonly any[], addresses: ReadonlyMap<string, string>): Table {
  return {
    id: 'diagnostics',
    caption: 'Webhooks that need attention',
    columns: [
      { key: 'webhook', title: 'Webhook', kind: 'text', wide: true },
      { key: 'state', title: 'State', kind: 'text' },
      { key: 'pending', title: 'Waiting', kind: 'number', digits: 0 },
      { key: 'oldest', title: 'Oldest since', kind: 'text' },
      { key: 'dead', title: 'Dead letters', kind: 'number', digits: 0 },
      { key: 'newest', title: 'Last one', kind: 'text' },
    ],
    rows: diagnoses.map((one) => ({
      cells: [
        {
          value: addresses.get(one.webhook_id) ?? one.webhook_id,
          href: `${home}/webhooks/${one.webhook_id}?state=dead`,
        },
        { value: one.state },
        { value: String(one.pending_count) },
        { value: one.oldest_pending_at, text: momentText(page, one.oldest_pending_at) },
        { value: String(one.dead_letter_count) },
        { value: one.newest_dead_letter_at, text: momentText(page, one.newest_dead_letter_at) },
      ],
    })),
  };
}
