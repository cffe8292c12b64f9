// The rows of an import as a table: what the file says, and what became of it or would become of it.

import type { Page } from '../../signed-in-page.ts';
import { listRows, type WholeList } from '../../tables/list-rows.ts';
import type { Row, Table } from '../../tables/table.ts';
import { kindTitle, outcomeTitle, waitingReason } from './import-words.ts';

interface RowsView {
  readonly list: WholeList;
  /** The rows that the page shows. */
  readonly shown: readonly any[];
  readonly record: any;
  readonly accounts: ReadonlyMap<string, string>;
}

export function rowsTable(page: Page, view: RowsView): Table {
  return {
    id: 'rows',
    caption: 'Rows of the file, in its order',
    columns: [
      { key: 'number', title: 'Row', kind: 'text', align: 'end' },
      { key: 'outcome', title: view.record.state === 'checked' ? 'Would be' : 'Outcome', kind: 'text' },
      { key: 'date', title: 'Date', kind: 'date' },
      { key: 'what', title: 'What', kind: 'text' },
      { key: 'account', title: 'Account', kind: 'text' },
      { key: 'instrument', title: 'Instrument', kind: 'text' },
      { key: 'quantity', title: 'Units', kind: 'quantity' },
      { key: 'price', title: 'Price', kind: 'quantity' },
      { key: 'amount', title: 'Amount', kind: 'quantity' },
      { key: 'currency', title: 'Currency', kind: 'text' },
      { key: 'reference', title: 'Reference', kind: 'text' },
      { key: 'reason', title: 'Why', kind: 'text', wide: true },
    ],
    ...listRows(page, { list: view.list, shown: view.shown, rowsOf: (row) => toRow(row, view) }),
  };
}

function toRow(row: any, { record, accounts }: RowsView): Row {
  const { number, line, item, outcome, stated, account_id: account, code, detail, became, undo } = row;
  const named = stated.instrument;
  // Of a line that waits for its columns, what it says tells more than why.
  const isUnread = item === 'problem' && outcome === 'needs';
  const reason = isUnread && stated.comment !== undefined ? stated.comment : waitingReason(code, detail);
  const booked = became?.type === 'transaction' ? transactionAddress(became.id) : undefined;
  return {
    cells: [
      { value: String(number), note: `line ${line}` },
      {
        value: outcomeTitle(outcome, record.state),
        ...(booked === undefined ? {} : { href: booked }),
        ...(undo === undefined ? {} : { note: undo === 'kept' ? 'kept: amended since' : undo }),
      },
      { value: stated.date ?? null },
      {
        value: isUnread ? 'Not read yet' : kindTitle(stated.kind ?? item),
        ...(stated.type_word === undefined ? {} : { note: stated.type_word }),
      },
      { value: account === null ? (stated.account?.number ?? null) : (accounts.get(account) ?? account) },
      {
        value: named === undefined ? null : (named.name ?? named.isin ?? named.ticker ?? named.custodian_code ?? null),
      },
      { value: stated.quantity ?? null },
      { value: stated.price ?? null },
      { value: stated.amount ?? null },
      { value: stated.currency ?? null },
      { value: stated.reference ?? null },
      { value: detail === undefined ? (stated.comment ?? null) : reason },
    ],
  };
}

function transactionAddress(id: string | undefined): string | undefined {
  return id === undefined ? undefined : `/console/bookings/${encodeURIComponent(id)}`;
}
