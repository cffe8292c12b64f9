// The activity of a reporting entity: its bookings with search, filters in the address, pages, and all that match as a file.

import { allInOrder } from '../../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { transactionTypes } from '../../../../model/ledger/transaction-kind.ts';
import { withParameters } from '../../parts/address.ts';
import type { Field } from '../../parts/field.ts';
import { filterForm } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { card, tableCard } from '../../parts/parts.ts';
import { pagerHtml, tableHtml } from '../../tables/table-html.ts';
import { fileLinks } from '../entity-controls.ts';
import { entityPage } from '../entity-page.ts';
import type { EntityView } from '../entity-view.ts';
import { activityTable } from './activity-rows.ts';
import { activityTexts } from './activity-texts.ts';
import { transactionPage } from './transaction-page.ts';

const rowsPerPage = 50;
const rowsPerRead = 1_000;

type Filters = Readonly<Record<string, string | undefined>>;

const showActivity = entityPage({
  id: 'entity-activity',
  tab: 'activity',
  summary: 'The bookings of a reporting entity',
  controls: [],
  async read(view) {
    const { page } = view;
    const text = activityTexts[page.reader.language];
    const query = { ...view.entityQuery, ...readFilters(view) };
    const [found, accounts] = await allInOrder([
      page.api.get('/v1/activity', { ...query, limit: String(rowsPerPage), cursor: view.cursor }),
      page.api.find('/v1/holdings', { ...view.entityQuery, by: 'account', limit: '100' }),
    ]);
    const table = activityTable(view, { path: '/v1/activity', query, rowsPerRead }, found.data);
    const list =
      found.data.length === 0
        ? nothingFound(view)
        : html`${tableHtml(table, { reader: page.reader })}
          ${pagerHtml({ reader: page.reader, address: page.address, cursor: view.cursor, nextCursor: found.next_cursor })}
          ${fileLinks(view, table)}`;
    return {
      lede: html`${text.lede}`,
      main: html`${filtersHtml(view, accounts?.data ?? [])}${instrumentChoice(view, found.data)}
      ${found.data.length === 0 ? card(text.caption, list) : tableCard(list)}`,
      tables: [table],
    };
  },
});

/** What the address says, in the names of the API. */
function readFilters({ page, text }: EntityView): Filters {
  const choice = (name: string): string | undefined => page.query.get(name)?.trim() || undefined;
  return {
    q: text || undefined,
    type: choice('type'),
    account_id: choice('account'),
    instrument_id: choice('instrument'),
    cash: choice('cash'),
    from: choice('from'),
    to: choice('to'),
  };
}

function isFiltered(view: EntityView): boolean {
  return Object.values(readFilters(view)).some((value) => value !== undefined);
}

/** The other choices of the address stay. */
function filtersHtml(view: EntityView, accounts: readonly any[]): Html {
  const { page } = view;
  const fields = filterFields(view, accounts);
  const dropped = new Set([...fields.map(({ name }) => name), 'cursor', 'table', 'format']);
  return filterForm({
    path: `/entities/${view.entityId}/activity`,
    reader: page.reader,
    fields,
    keep: Object.fromEntries([...page.query].filter(([name, value]) => value !== '' && !dropped.has(name))),
    isFiltered: isFiltered(view),
  });
}

function filterFields(view: EntityView, accounts: readonly any[]): readonly Field[] {
  const text = activityTexts[view.page.reader.language];
  const { type = '', account_id: account = '', cash = '', from, to } = readFilters(view);
  const types = transactionTypes.map((value) => ({ value, title: text[value] }));
  const named = accounts.flatMap(({ segment_id: value, segment_name: title }) =>
    value === null ? [] : [{ value, title: title ?? value }],
  );
  const others = account === '' || named.some(({ value }) => value === account) ? [] : [account];
  const kept = others.map((value) => ({ value, title: value }));
  return [
    { kind: 'search', name: 'text', label: text.search, value: view.text },
    {
      kind: 'select',
      name: 'type',
      label: text.what,
      value: type,
      options: [{ value: '', title: text.anyType }, ...types],
    },
    {
      kind: 'select',
      name: 'account',
      label: text.account,
      value: account,
      options: [{ value: '', title: text.anyAccount }, ...named, ...kept],
    },
    {
      kind: 'select',
      name: 'cash',
      label: text.cash,
      value: cash,
      options: [
        { value: '', title: text.anyCash },
        { value: 'in', title: text.cashIn },
        { value: 'out', title: text.cashOut },
      ],
    },
    { kind: 'date', name: 'from', label: text.from, value: from },
    { kind: 'date', name: 'to', label: text.to, value: to },
  ];
}

/** An instrument is chosen by its name in a row; here it is said, and taken back. */
function instrumentChoice(view: EntityView, bookings: readonly any[]): Html {
  const { instrument_id: instrument } = readFilters(view);
  if (instrument === undefined) return emptyHtml;
  const { page } = view;
  const text = activityTexts[page.reader.language];
  const name = bookings.find((one) => one.instrument_id === instrument)?.instrument_name ?? instrument;
  return html`<p>
    ${text.onlyInstrument(name)} ·
    <a href="${withParameters(page.address, { instrument: null, cursor: null })}">${text.allInstruments}</a>
  </p>`;
}

function nothingFound(view: EntityView): Html {
  const text = activityTexts[view.page.reader.language];
  return isFiltered(view)
    ? emptyState({ title: text.noMatchTitle, text: text.noMatchText })
    : emptyState({ title: text.emptyTitle, text: text.emptyText });
}

export const activityPaths = [showActivity, transactionPage];
