// The holdings of a reporting entity on any day and in any currency: class by class, instrument by instrument, and on demand the accounts
// and lots of one instrument.

import { allInOrder } from '../../../kit/concurrency/all-in-order.ts';
import { emptyHtml, html, type Html } from '../../../kit/html.ts';
import { withParameters } from '../parts/address.ts';
import { filterForm } from '../parts/forms.ts';
import { emptyState, note } from '../parts/notes.ts';
import type { PageContent } from '../signed-in-page.ts';
import { tableHtml } from '../tables/table-html.ts';
import type { Table } from '../tables/table.ts';
import { fileLinks } from './entity-controls.ts';
import { entityPage } from './entity-page.ts';
import type { EntityView } from './entity-view.ts';
import { instrumentsMax, readHoldings, readInstrument, type HeldRow, type HoldingsReport } from './holdings-report.ts';
import { accountsTable, defaultSort, holdingsTable, lotsTable, shownInstruments } from './holdings-table.ts';
import { holdingsTexts } from './holdings-texts.ts';
import { valueTexts } from './value-texts.ts';

/** How many instruments a page shows; a file has all. */
const rowsMax = 150;

const showHoldings = entityPage({
  id: 'entity-holdings',
  tab: 'holdings',
  summary: 'What a reporting entity holds, by class, instrument, account and lot',
  controls: ['day', 'currency'],
  read: readPage,
});

async function readPage(view: EntityView): Promise<Omit<PageContent, 'title'>> {
  const { formats, reader, query } = view.page;
  const text = holdingsTexts[reader.language];
  const opened = query.get('open') ?? undefined;
  const [report, detail] = await allInOrder([
    readHoldings(view),
    opened === undefined ? undefined : readInstrument(view, opened),
  ]);
  const { end, valueCurrency } = report;
  const lede = html`${valueTexts[reader.language].asOf(formats.dateLong(end), formats.currencyName(valueCurrency))}`;
  if (report.instruments.length === 0) {
    return {
      lede,
      main: html`<section class="card">${emptyState({ title: text.nothing, text: text.nothingText })}</section>`,
    };
  }
  const instruments = shownInstruments(view, report, { text: view.text, classId: query.get('class') || undefined });
  const window = windowOf(view, instruments);
  const table = holdingsTable(view, report, { shown: window.rows, instruments });
  const instrument = report.instruments.find(({ id }) => id === opened);
  const openedParts =
    instrument === undefined || detail === undefined
      ? undefined
      : openedTables(view, report, { instrument, ...detail });
  return {
    lede,
    tables: [table, ...(openedParts ?? [])],
    main: html`${openedParts === undefined ? emptyHtml : openedHtml(view, openedParts)}
      <section class="card">
        ${filterHtml(view, report)} ${cutNote(view, report)}
        ${
          instruments.length === 0
            ? emptyState({ title: text.nothing, text: text.noneFound })
            : html`${tableHtml(table, { reader, sort: { address: view.page.address, current: view.sort ?? defaultSort } })}
              ${window.pager}`
        }
        <p class="soft">${text.sortHint}</p>
        ${fileLinks(view, table)}
      </section>`,
  };
}

function cutNote({ page: { formats, reader } }: EntityView, { isCut }: HoldingsReport): Html {
  if (!isCut) return emptyHtml;
  return note(holdingsTexts[reader.language].tooMany(formats.number(String(instrumentsMax), 0)), { tone: 'warn' });
}

/** The words and the class to filter by; the other choices of the address stay. */
function filterHtml(view: EntityView, { classes }: HoldingsReport): Html {
  const { query, reader } = view.page;
  const text = holdingsTexts[reader.language];
  const dropped = new Set(['text', 'class', 'page', 'open', 'table', 'format']);
  const options = classes.map(({ id, name }) => ({ value: id ?? 'none', title: name ?? text.noClass }));
  return filterForm({
    path: `/entities/${view.entityId}/holdings`,
    reader,
    fields: [
      { kind: 'search', name: 'text', label: text.find, value: view.text, maxLength: 100, form: 'filter' },
      {
        kind: 'select',
        name: 'class',
        label: text.filterTitle,
        value: query.get('class') ?? '',
        options: [{ value: '', title: text.allClasses }, ...options],
        form: 'filter',
      },
    ],
    keep: Object.fromEntries([...query].filter(([name, value]) => value !== '' && !dropped.has(name))),
    isFiltered: view.text !== '' || (query.get('class') ?? '') !== '',
  });
}

interface RowWindow {
  readonly rows: readonly HeldRow[];
  readonly pager: Html;
}

function windowOf(view: EntityView, rows: readonly HeldRow[]): RowWindow {
  const { query, reader, address, formats } = view.page;
  const text = holdingsTexts[reader.language];
  const count = Math.max(Math.ceil(rows.length / rowsMax), 1);
  const sent = Number(query.get('page') ?? '1');
  const page = Number.isInteger(sent) ? Math.min(Math.max(sent, 1), count) : 1;
  if (count === 1) return { rows, pager: emptyHtml };
  const link = (to: number, title: string): Html =>
    to < 1 || to > count
      ? emptyHtml
      : html`<a href="${withParameters(address, { page: to === 1 ? null : String(to), open: null })}">${title}</a>`;
  const number = (value: number): string => formats.number(String(value), 0);
  return {
    rows: rows.slice((page - 1) * rowsMax, page * rowsMax),
    pager: html`<nav class="pager" aria-label="${text.pages(number(page), number(count))}">
      ${link(page - 1, text.previous)}<span>${text.pages(number(page), number(count))}</span>${link(page + 1, text.next)}
    </nav>`,
  };
}

interface OpenedInstrument {
  readonly instrument: HeldRow;
  readonly accounts: readonly any[];
  readonly lots: readonly any[] | undefined;
}

function openedTables(view: EntityView, report: HoldingsReport, opened: OpenedInstrument): readonly Table[] {
  const { instrument, accounts, lots } = opened;
  const held = accountsTable(view, report, { instrument, accounts });
  return lots === undefined ? [held] : [held, lotsTable(view, report, { instrument, accounts, lots })];
}

function openedHtml(view: EntityView, tables: readonly Table[]): Html {
  const { reader, address } = view.page;
  const text = holdingsTexts[reader.language];
  const without = tables.length < 2 ? html`<p class="soft">${text.noLots}</p>` : emptyHtml;
  return html`<section class="card opened" id="opened">
    ${tables.map((table) => html`${tableHtml(table, { reader })}${fileLinks(view, table)}`)}${without}
    <p><a href="${withParameters(address, { open: null })}">${text.close}</a></p>
  </section>`;
}

export const holdingsPaths = [showHoldings];
