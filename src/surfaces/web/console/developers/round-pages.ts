// Calculation rounds: what caused them, how far they are, and what they found.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { filterForm } from '../../parts/forms.ts';
import { emptyState, progressBar } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import { signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import { listRows } from '../../tables/list-rows.ts';
import type { Table } from '../../tables/table.ts';
import type { WebPath } from '../../web-path.ts';
import {
  clientField,
  dayStart,
  developerPage,
  duration,
  home,
  isFiltered,
  listQuery,
  momentText,
  readList,
  tableCard,
  type ReadList,
} from './frame.ts';

const address = `${home}/rounds`;

function stateText(page: Page, { state, error, retry_at: retry, progress }: any): string {
  if (state === 'running') return progress.total === 0 ? 'running' : `running: ${progress.done} of ${progress.total}`;
  if (state !== 'failed') return state;
  return `failed: ${error ?? 'unknown'}${retry === null ? '' : `, again ${momentText(page, retry)}`}`;
}

function roundTable(page: Page, { list, data }: ReadList, names: ReadonlyMap<string, string>): Table {
  const number = (value: number | undefined): { value: string | null } => ({
    value: value === undefined ? null : String(value),
  });
  return {
    id: 'rounds',
    caption: 'Calculation rounds, the newest first',
    columns: [
      { key: 'client', title: 'Client', kind: 'text', wide: true },
      { key: 'state', title: 'State', kind: 'text', wide: true },
      { key: 'causes', title: 'Because of', kind: 'text', wide: true },
      { key: 'started', title: 'Started', kind: 'text' },
      { key: 'duration', title: 'Took', kind: 'text', align: 'end' },
      { key: 'holdings', title: 'Holdings', kind: 'number', digits: 0 },
      { key: 'breaches', title: 'Breaches', kind: 'number', digits: 0 },
      { key: 'findings', title: 'Findings', kind: 'number', digits: 0 },
    ],
    ...listRows(page, {
      list,
      shown: data,
      rowsOf: ({ duration_ms: ms, ...one }) => ({
        cells: [
          { value: names.get(one.client_id) ?? one.client_id },
          { value: stateText(page, one) },
          { value: one.causes.join(', ') },
          { value: one.started_at, text: () => momentText(page, one.started_at) },
          { value: ms === null ? null : String(ms), text: () => duration(page, ms) },
          number(one.counts?.holdings),
          number(one.counts?.breaches),
          number(one.counts?.findings),
        ],
      }),
    }),
  };
}

/** The rounds that are running, each with a bar that moves. */
function runningCard(page: Page, data: readonly any[], names: ReadonlyMap<string, string>): Html {
  const running = data.filter(({ state }) => state === 'running');
  if (running.length === 0) return emptyHtml;
  const bars = running.map(({ id, client_id: client, progress: { done, total } }) =>
    progressBar({
      id: `round-${id}`,
      label: names.get(client) ?? client,
      done,
      total: total === 0 ? null : total,
      reader: page.reader,
    }),
  );
  return card('Running now', html`<div data-reload-seconds="2">${bars}</div>`);
}

const filterNames = ['state', 'client_id', 'from'];

async function listRounds(page: Page): Promise<PageContent> {
  const value = (name: string): string => page.query.get(name) ?? '';
  const { from: _from, ...query } = listQuery(page, filterNames);
  const [rounds, client] = await Promise.all([
    readList(page, '/v1/calculation-rounds', { ...query, since: dayStart(page.query.get('from')) }),
    clientField(page, { name: 'client_id', label: 'Client', hint: '', value: value('client_id') }),
  ]);
  const options = client.kind === 'select' ? client.options : [];
  const names = new Map(options.map(({ value: id, title }) => [id, title]));
  const { data } = rounds;
  const table = roundTable(page, rounds, names);
  const states = ['running', 'finished', 'failed'].map((state) => ({ value: state, title: state }));
  const filter = filterForm({
    path: address,
    reader: page.reader,
    isFiltered: isFiltered(page, filterNames),
    fields: [
      { ...client, hint: undefined },
      {
        kind: 'select',
        name: 'state',
        label: 'State',
        options: [{ value: '', title: 'Any' }, ...states],
        value: value('state'),
      },
      { kind: 'date', name: 'from', label: 'Started since', value: value('from') },
    ],
  });
  const list =
    data.length === 0
      ? emptyState({
          title: 'No rounds',
          text: 'A round begins shortly after something changed that can move a client’s figures.',
        })
      : tableCard(page, table, rounds);
  return developerPage({
    tab: '/rounds',
    title: 'Calculation rounds',
    lede: html`After a change, the client’s holdings and limits are computed again.`,
    main: html`${filter}${runningCard(page, data, names)}${list}`,
    tables: [table],
    ...(data.some(({ state }) => state === 'running') ? { islands: ['reload'], refreshSeconds: 3 } : {}),
  });
}

export const roundPages: readonly WebPath[] = [
  signedInPage({
    id: 'developers-rounds',
    path: address,
    area: 'console',
    summary: 'Calculation rounds',
    handle: listRounds,
  }),
];
