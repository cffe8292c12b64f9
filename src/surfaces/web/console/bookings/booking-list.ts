// The list of bookings: by client, account, instrument, type and days.

import { html, type Html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow, filterForm } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { tableCard } from '../../parts/parts.ts';
import type { Page, PageContent } from '../../signed-in-page.ts';
import type { Row, Table } from '../../tables/table.ts';
import { consoleTable, nameFinder, readOptions, type Option } from '../console-table.ts';
import { doneNote } from '../resource/done-note.ts';
import { valueTitle } from '../resource/words.ts';
import { listRows } from '../../tables/list-rows.ts';

const path = '/console/bookings';
const filters = ['account_id', 'depository_id', 'instrument_id', 'type', 'from', 'to', 'external_reference'] as const;
type Names = (id: string | null) => string;

/** The account of a client that was chosen without one: its first. */
function chosenAccount(page: Page, accounts: readonly Option[]): string | null {
  const account = page.query.get('account_id');
  if (account !== null && account !== '') return account;
  return (page.query.get('client_id') ?? '') === '' ? null : (accounts[0]?.value ?? null);
}

export async function bookingList(page: Page): Promise<PageContent> {
  const client = page.query.get('client_id') ?? '';
  const [clients, accounts, types] = await Promise.all([
    readOptions(page, '/v1/clients'),
    readOptions(page, '/v1/accounts', client === '' ? {} : { client_id: client }),
    page.api.list('/v1/transaction-types'),
  ]);
  const account = chosenAccount(page, accounts);
  const chosen = { ...Object.fromEntries(filters.map((name) => [name, page.query.get(name)])), account_id: account };
  const [list, instruments] = await Promise.all([
    page.api.get('/v1/transactions', { limit: '100', cursor: page.query.get('cursor'), ...chosen }),
    readOptions(page, '/v1/instruments'),
  ]);
  const rows = listRows(page, {
    list: { path: '/v1/transactions', query: chosen },
    shown: list.data,
    rowsOf: bookingRow({ account: nameFinder(accounts), instrument: nameFinder(instruments) }),
  });
  const table = bookingsTable(rows);
  const isFiltered = client !== '' || Object.values(chosen).some((value) => value !== null && value !== '');
  const shown =
    table.rows.length === 0
      ? emptyState({
          title: 'No bookings',
          text: isFiltered ? 'None match. Choose another account or period.' : 'Import a file, or book by hand.',
          action: { title: 'Import a file', href: '/console/imports' },
        })
      : tableCard(consoleTable(page, table, list.next_cursor));
  return {
    title: 'Bookings',
    lede: html`By day, in the order in which they were booked.`,
    main: html`${doneNote(page)}${newButton({ client, account })}
    ${bookingFilter(page, { clients, accounts, account, types: types.data, isFiltered })}${shown}`,
    tables: [table],
  };
}

function newButton({ client, account }: { client: string; account: string | null }): Html {
  const search = new URLSearchParams();
  if (client !== '') search.set('client_id', client);
  if (account !== null) search.set('account_id', account);
  const query = search.toString();
  return buttonsRow([{ title: 'New booking', href: `${path}/new${query === '' ? '' : `?${query}`}` }]);
}

interface FilterView {
  readonly clients: readonly Option[];
  readonly accounts: readonly Option[];
  readonly account: string | null;
  readonly types: readonly any[];
  readonly isFiltered: boolean;
}

function bookingFilter(page: Page, { clients, accounts, account, types, isFiltered }: FilterView): Html {
  const all = { value: '', title: 'All' };
  const value = (name: string): string => page.query.get(name) ?? '';
  const fields: Field[] = [
    { kind: 'select', name: 'client_id', label: 'Client', options: [all, ...clients], value: value('client_id') },
    {
      kind: 'select',
      name: 'account_id',
      label: 'Account',
      options: value('client_id') === '' ? [all, ...accounts] : accounts,
      value: account ?? '',
    },
    {
      kind: 'select',
      name: 'type',
      label: 'Type',
      options: [all, ...types.map(({ type }) => ({ value: type, title: valueTitle(type) }))],
      value: value('type'),
    },
    { kind: 'date', name: 'from', label: 'From', value: value('from') },
    { kind: 'date', name: 'to', label: 'To', value: value('to') },
    { kind: 'search', name: 'external_reference', label: 'Reference', value: value('external_reference') },
  ];
  const instrument = value('instrument_id');
  const keep: Record<string, string> = instrument === '' ? {} : { instrument_id: instrument };
  return filterForm({ path, reader: page.reader, fields, isFiltered, keep });
}

function bookingsTable(rows: Pick<Table, 'rows' | 'fileRows'>): Table {
  return {
    id: 'bookings',
    caption: 'Bookings by day',
    columns: [
      { key: 'date', title: 'Day', kind: 'date' },
      { key: 'type', title: 'Type', kind: 'text' },
      { key: 'account', title: 'Account', kind: 'text' },
      { key: 'instrument', title: 'Instrument', kind: 'text' },
      { key: 'quantity', title: 'Units', kind: 'quantity' },
      { key: 'amount', title: 'Amount', kind: 'quantity' },
      { key: 'currency', title: 'Currency', kind: 'text' },
      { key: 'source', title: 'From', kind: 'text' },
      { key: 'comment', title: 'Comment', kind: 'text', wide: true },
    ],
    ...rows,
  };
}

function bookingRow(names: { readonly account: Names; readonly instrument: Names }): (booking: any) => Row {
  return (one) => ({
    cells: [
      { value: one.date, href: `${path}/${one.id}` },
      { value: one.type, text: () => valueTitle(one.type) },
      { value: one.account_id == null ? 'All holders' : names.account(one.account_id) },
      { value: one.instrument_id == null ? null : names.instrument(one.instrument_id) },
      { value: one.quantity ?? null },
      { value: one.amount ?? null },
      { value: one.currency ?? null },
      { value: one.source, text: () => valueTitle(one.source) },
      { value: one.comment ?? null },
    ],
  });
}
