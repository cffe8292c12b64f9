// The latest statements of a client's custodians beside the ledger, line by line.

import { html } from '../../../../kit/html.ts';
import type { Field } from '../../parts/field.ts';
import { filterForm } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import { signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import type { Table } from '../../tables/table.ts';
import { consoleTable, nameFinder, readOptions } from '../console-table.ts';
import { custodyPath, custodyTabsHtml, custodyWord } from './custody-words.ts';

const path = `${custodyPath}/reconciliation`;
type Names = (id: string | null) => string;

function linesTable(lines: readonly any[], { place, instrument }: { place: Names; instrument: Names }): Table {
  return {
    id: 'lines',
    caption: 'Statements and ledger, line by line',
    columns: [
      { key: 'what', title: 'What', kind: 'text' },
      { key: 'place', title: 'Where', kind: 'text' },
      { key: 'date', title: 'Statement of', kind: 'date' },
      { key: 'stated', title: 'Custodian', kind: 'quantity' },
      { key: 'ledger', title: 'Ledger', kind: 'quantity' },
      { key: 'difference', title: 'Difference', kind: 'quantity' },
      { key: 'classes', title: 'Kind', kind: 'text' },
    ],
    rows: lines.map((line) => ({
      cells: [
        {
          value:
            line.kind === 'cash'
              ? `Cash ${line.currency ?? ''}`.trim()
              : line.instrument_id === null
                ? (line.named?.name ?? line.named?.isin ?? 'Unknown')
                : instrument(line.instrument_id),
          ...(line.is_stated ? {} : { note: 'only in the ledger' }),
        },
        { value: place(line.account_id ?? line.depository_id) },
        { value: line.date },
        { value: line.stated },
        { value: line.ledger },
        { value: line.difference },
        { value: line.classes.map(custodyWord).join(', ') || 'Agrees' },
      ],
    })),
  };
}

async function reconciliationContent(page: Page): Promise<PageContent> {
  const client = page.query.get('client_id') ?? '';
  const date = page.query.get('date') ?? '';
  const isOnlyDifferent = page.query.get('differences_only') === 'true';
  const clients = await readOptions(page, '/v1/clients');
  const fields: Field[] = [
    { kind: 'select', name: 'client_id', label: 'Client', options: clients, value: client, isRequired: true },
    { kind: 'date', name: 'date', label: 'Statements until', value: date },
    { kind: 'checkbox', name: 'differences_only', label: 'Only differences', isChecked: isOnlyDifferent },
  ];
  const filter = filterForm({ path, reader: page.reader, fields, isFiltered: client !== '' });
  const top = html`${custodyTabsHtml(page, '/reconciliation')}${filter}`;
  if (client === '') {
    const text = 'Choose a client to see what its custodians state beside what the ledger holds.';
    return { title: 'Reconciliation', main: html`${top}${emptyState({ title: 'Whose?', text })}` };
  }
  const [accounts, depositories, instruments, report] = await Promise.all([
    readOptions(page, '/v1/accounts', { client_id: client }),
    readOptions(page, '/v1/depositories', { client_id: client }),
    readOptions(page, '/v1/instruments'),
    page.api.get('/v1/reconciliations', {
      client_id: client,
      date,
      differences_only: isOnlyDifferent ? 'true' : null,
      limit: '100',
      cursor: page.query.get('cursor'),
    }),
  ]);
  const table = linesTable(report.data, {
    place: nameFinder([...accounts, ...depositories]),
    instrument: nameFinder(instruments),
  });
  const count = (value: number): string => page.formats.number(String(value), 0);
  return {
    title: 'Reconciliation',
    lede: html`Lines: ${count(report.counts.lines)}. Different: ${count(report.counts.differences)}.`,
    main: html`${top}${card('Lines', consoleTable(page, table, report.next_cursor))}`,
    tables: [table],
  };
}

export const reconciliationPaths = [
  signedInPage({
    id: 'reconciliation',
    path,
    summary: 'Statements of custodians beside the ledger',
    area: 'console',
    handle: reconciliationContent,
  }),
];
