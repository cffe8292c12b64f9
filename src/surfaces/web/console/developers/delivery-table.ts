// Deliveries and their attempts as tables.

import type { Page } from '../../signed-in-page.ts';
import { listRows } from '../../tables/list-rows.ts';
import type { Table } from '../../tables/table.ts';
import { duration, home, momentText, type ReadList } from './frame.ts';

/** Tried without success, and tried again. */
export function isFailing({ state, attempt_count: count }: any): boolean {
  return state === 'pending' && count > 0;
}

/** The middle of how long the last answers took; null without any. */
export function medianDuration(deliveries: readonly any[]): number | null {
  const times: number[] = deliveries.flatMap(({ attempts }) => attempts.at(-1)?.duration_ms ?? []);
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? null;
}

function answerText(page: Page, { status, error, duration_ms: ms }: any): string {
  return `${status ?? error ?? 'no answer'} in ${duration(page, ms)}`;
}

function nextText(page: Page, { state, next_attempt_at: next, ended_at: ended }: any): string {
  if (state === 'pending') return next === null ? 'waits its turn' : momentText(page, next);
  return `${state === 'dead' ? 'given up' : 'delivered'} ${momentText(page, ended)}`;
}

export function deliveryTable(page: Page, { list, data }: ReadList): Table {
  return {
    id: 'deliveries',
    caption: 'Deliveries',
    columns: [
      { key: 'event', title: 'Event', kind: 'text' },
      { key: 'created', title: 'Happened', kind: 'text' },
      { key: 'attempts', title: 'Attempts', kind: 'number', digits: 0 },
      { key: 'answer', title: 'Last answer', kind: 'text', wide: true },
      { key: 'next', title: 'Next', kind: 'text' },
    ],
    ...listRows(page, {
      list,
      shown: data,
      rowsOf(one) {
        const last = one.attempts.at(-1);
        return {
          cells: [
            { value: one.event_type, href: `${home}/deliveries/${one.id}` },
            { value: one.created_at, text: () => momentText(page, one.created_at) },
            { value: String(one.attempt_count) },
            { value: last === undefined ? null : answerText(page, last) },
            { value: nextText(page, one) },
          ],
        };
      },
    }),
  };
}

export function attemptTable(page: Page, attempts: readonly any[]): Table {
  return {
    id: 'attempts',
    caption: 'Attempts, the last one first',
    columns: [
      { key: 'number', title: 'Number', kind: 'number', digits: 0 },
      { key: 'at', title: 'When', kind: 'text' },
      { key: 'status', title: 'Answer', kind: 'text' },
      { key: 'duration', title: 'Took', kind: 'text', align: 'end' },
      { key: 'body', title: 'Beginning of the answer', kind: 'text', wide: true },
    ],
    rows: attempts.toReversed().map((one) => ({
      cells: [
        { value: String(one.number) },
        { value: one.at, text: momentText(page, one.at) },
        { value: String(one.status ?? one.error ?? 'no answer') },
        { value: String(one.duration_ms), text: duration(page, one.duration_ms) },
        { value: one.answer ?? null },
      ],
    })),
  };
}
