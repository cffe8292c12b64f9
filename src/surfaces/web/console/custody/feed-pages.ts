// Runs of feeds: what custodians sent, what became of it, and what a run waits for.

import { emptyHtml, html } from '../../../../kit/html.ts';
import { filterForm } from '../../parts/forms.ts';
import { definitionList, emptyState, note } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import { signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import type { Column, Row, Table } from '../../tables/table.ts';
import { consoleTable, nameFinder, readOptions } from '../console-table.ts';
import { runForm } from './run-form.ts';
import { custodyPath, custodyState, custodyTabsHtml, custodyWord } from './custody-words.ts';
import { listRows } from '../../tables/list-rows.ts';

const path = `${custodyPath}/feeds`;
const filters = ['client_id', 'authority_id', 'state'] as const;
const states = ['waiting', 'running', 'finished', 'failed'];

function runsTable(rows: Pick<Table, 'rows' | 'fileRows'>): Table {
  const count = (key: string, title: string): Column => ({ key, title, kind: 'number', digits: 0 });
  return {
    id: 'runs',
    caption: 'Runs, the newest first',
    columns: [
      { key: 'custodian', title: 'Custodian', kind: 'text' },
      { key: 'state', title: 'State', kind: 'text' },
      { key: 'waits', title: 'Waits for', kind: 'text' },
      count('rows', 'Rows'),
      count('booked', 'Booked'),
      count('refused', 'Refused'),
      count('needs', 'Waiting'),
      { key: 'started', title: 'Started', kind: 'date' },
      { key: 'next', title: 'Next', kind: 'date' },
      { key: 'error', title: 'Problem', kind: 'text', wide: true },
    ],
    ...rows,
  };
}

function runRow(custodianName: (id: string | null) => string): (run: any) => Row {
  return (run) => ({
    cells: [
      { value: custodianName(run.custodian_id), href: `${path}/${run.id}` },
      { value: custodyWord(run.state) },
      { value: custodyWord(run.waits_for) },
      { value: String(run.counts.rows) },
      { value: String(run.counts.booked) },
      { value: String(run.counts.refused) },
      { value: String(run.counts.needs) },
      { value: run.started_at?.slice(0, 10) ?? null },
      { value: run.next_run_at?.slice(0, 10) ?? null },
      { value: run.error_detail },
    ],
  });
}

const nothing = emptyState({
  title: 'No feed has run yet',
  text: 'A feed runs by itself once an authority is active and its custodian has a connector.',
  action: { title: 'Connections', href: custodyPath },
});

async function feedsContent(page: Page): Promise<PageContent> {
  const chosen = Object.fromEntries(filters.map((name) => [name, page.query.get(name)]));
  const [clients, custodians, list] = await Promise.all([
    readOptions(page, '/v1/clients'),
    readOptions(page, '/v1/custodians'),
    page.api.get('/v1/feeds', { limit: '50', cursor: page.query.get('cursor'), ...chosen }),
  ]);
  const rows = listRows(page, {
    list: { path: '/v1/feeds', query: chosen },
    shown: list.data,
    rowsOf: runRow(nameFinder(custodians)),
  });
  const table = runsTable(rows);
  const isFiltered = Object.values(chosen).some((value) => value !== null && value !== '');
  const authority = page.query.get('authority_id');
  const keep: Record<string, string> = authority === null ? {} : { authority_id: authority };
  const all = { value: '', title: 'All' };
  const filter = filterForm({
    path,
    reader: page.reader,
    isFiltered,
    keep,
    fields: [
      {
        kind: 'select',
        name: 'client_id',
        label: 'Client',
        options: [all, ...clients],
        value: chosen['client_id'] ?? '',
      },
      {
        kind: 'select',
        name: 'state',
        label: 'State',
        options: [all, ...states.map((value) => ({ value, title: custodyWord(value) }))],
        value: chosen['state'] ?? '',
      },
    ],
  });
  return {
    title: 'Feeds',
    main: html`${custodyTabsHtml(page, '/feeds')}${
      table.rows.length === 0 && !isFiltered
        ? nothing
        : html`${filter}${card('Runs', consoleTable(page, table, list.next_cursor))}`
    }`,
    tables: [table],
  };
}

function problemsTable(problems: readonly any[]): Table {
  return {
    id: 'problems',
    caption: 'Rows that are refused or wait for something',
    columns: [
      { key: 'code', title: 'Why', kind: 'text' },
      { key: 'detail', title: 'In words', kind: 'text', wide: true },
      { key: 'import', title: 'Import', kind: 'text' },
    ],
    rows: problems.map((one) => ({
      cells: [
        { value: one.code ?? one.needs ?? one.outcome ?? null },
        { value: one.detail ?? null },
        one.import_id === undefined
          ? { value: null }
          : {
              value: 'Show',
              href: `/console/imports/${encodeURIComponent(one.import_id)}?outcome=${one.outcome ?? ''}`,
            },
      ],
    })),
  };
}

/** After how many seconds the page of a run that is under way shows how far it is. */
const refreshSeconds = 5;

function underWayText(state: string): string {
  const begun = state === 'running' ? 'The run is under way.' : 'The run begins within seconds.';
  return `${begun} This page shows by itself how far it is.`;
}

async function runContent(page: Page): Promise<PageContent> {
  const run = await page.api.get(`/v1/feeds/${encodeURIComponent(page.params['id'] ?? '')}`);
  const custodian = await page.api.find(`/v1/custodians/${run.custodian_id}`);
  const { formats, timeZone } = page;
  const moment = (value: string | null): string => formats.datetime(value, timeZone);
  const count = (value: number): string => formats.number(String(value), 0);
  const table = problemsTable(run.problems);
  const facts = definitionList([
    { title: 'State', value: custodyState(run.state) },
    { title: 'Waits for', value: custodyWord(run.waits_for) },
    { title: 'Started', value: moment(run.started_at) },
    { title: 'Finished', value: moment(run.finished_at) },
    { title: 'Next', value: moment(run.next_run_at) },
    { title: 'Attempts', value: count(run.attempts) },
    { title: 'Sent by the custodian', value: count(run.counts.fetched) },
    {
      title: 'Rows',
      value: `${count(run.counts.booked)} booked, ${count(run.counts.amended)} changed, ${count(run.counts.unchanged)} unchanged, ${count(run.counts.refused)} refused, ${count(run.counts.needs)} waiting`,
    },
    { title: 'Authority', value: 'Show', href: `${custodyPath}/authorities/${run.authority_id}` },
  ]);
  const isUnderWay = run.state === 'running' || (run.state === 'waiting' && Date.parse(run.due_at) <= page.now);
  const mayRun = !isUnderWay && run.next_run_at !== null && page.api.may('POST', '/v1/feeds/{id}/run');
  const imports = run.import_ids
    .slice(-20)
    .map(
      (id: string) => html`<li><a href="/console/imports/${encodeURIComponent(id)}">Import ${id.slice(-6)}</a></li>`,
    );
  return {
    title: `Run of ${custodian?.name ?? 'a feed'}`,
    lede: html`<a href="${path}">Feeds</a>`,
    ...(isUnderWay ? { refreshSeconds } : {}),
    main: html`${
      run.error_detail === null
        ? emptyHtml
        : note(run.error_detail, { tone: run.state === 'failed' ? 'danger' : 'warn' })
    }${isUnderWay ? note(underWayText(run.state), { isLive: true }) : emptyHtml}${card('Run', html`${facts}${mayRun ? runForm(page, run.authority_id) : emptyHtml}`)}${
      imports.length === 0
        ? emptyHtml
        : card(
            'Its imports',
            html`<ul>
              ${imports}
            </ul>`,
          )
    }
    ${card('Problems', consoleTable(page, table))}`,
    tables: [table],
  };
}

export const feedPaths = [
  signedInPage({ id: 'feeds', path, summary: 'Runs of feeds', area: 'console', handle: feedsContent }),
  signedInPage({ id: 'feed', path: `${path}/{id}`, summary: 'A run of a feed', area: 'console', handle: runContent }),
];
