// The request log, and how much of its budget the workspace uses.

import { snakeCase } from '../../../../kit/resource.ts';
import {
  workspaceSettingNames,
  workspaceSettings,
  type WorkspaceSettingName,
} from '../../../../model/access/workspace-settings.ts';
import { greatestOf } from '../../../../kit/memory/long-list.ts';
import { doubleText } from '../../../../kit/decimal.ts';
import { html } from '../../../../kit/html.ts';
import { barChart } from '../../charts/bar-chart.ts';
import { withParameters } from '../../parts/address.ts';
import { filterForm } from '../../parts/forms.ts';
import { emptyState } from '../../parts/notes.ts';
import { card, chips, figuresList } from '../../parts/parts.ts';
import { signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import { listRows } from '../../tables/list-rows.ts';
import type { Table } from '../../tables/table.ts';
import type { WebPath } from '../../web-path.ts';
import {
  callerNames,
  count,
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

type Names = ReadonlyMap<string, string>;

function whoText(names: Names, { credential_id: credential, user_id: user }: any): string {
  const texts = [user, credential].flatMap((id) => (id === null ? [] : [names.get(id) ?? id]));
  return texts.join(' through ');
}

function requestTable(page: Page, { list, data }: ReadList, names: Names): Table {
  return {
    id: 'requests',
    caption: 'Requests, the newest first',
    columns: [
      { key: 'at', title: 'When', kind: 'text' },
      { key: 'method', title: 'Method', kind: 'text' },
      { key: 'path', title: 'Path', kind: 'text', wide: true },
      { key: 'status', title: 'Status', kind: 'text', align: 'end' },
      { key: 'code', title: 'Code', kind: 'text' },
      { key: 'duration', title: 'Took', kind: 'text', align: 'end' },
      { key: 'who', title: 'Who', kind: 'text' },
      { key: 'request', title: 'Request id', kind: 'text' },
    ],
    ...listRows(page, {
      list,
      shown: data,
      rowsOf: (one) => ({
        cells: [
          { value: one.at, text: () => momentText(page, one.at) },
          { value: one.method },
          { value: one.path },
          { value: String(one.status) },
          { value: one.code, ...(one.code === null ? {} : { href: `/docs/errors#${one.code}` }) },
          { value: String(one.duration_ms), text: () => duration(page, one.duration_ms) },
          { value: whoText(names, one) },
          { value: one.request_id },
        ],
      }),
    }),
  };
}

const direct = ['outcome', 'status', 'path', 'credential_id', 'user_id', 'request_id', 'code'];
const filterNames = [...direct, 'from', 'to'];
const outcomes = [
  { value: '', title: 'Any' },
  { value: 'answered', title: 'Answered' },
  { value: 'refused', title: 'Refused (4xx)' },
  { value: 'failed', title: 'Failed (5xx)' },
];

async function listRequests(page: Page): Promise<PageContent> {
  const period = { since: dayStart(page.query.get('from')), until: dayStart(page.query.get('to'), { plusDays: 1 }) };
  const [requests, names] = await Promise.all([
    readList(page, '/v1/requests', { ...listQuery(page, direct), ...period }),
    callerNames(page),
  ]);
  const table = requestTable(page, requests, names);
  const value = (name: string): string => page.query.get(name) ?? '';
  const filter = filterForm({
    path: `${home}/requests`,
    reader: page.reader,
    isFiltered: isFiltered(page, filterNames),
    fields: [
      { kind: 'select', name: 'outcome', label: 'Result', options: outcomes, value: value('outcome') },
      { kind: 'text', name: 'status', label: 'Status', value: value('status') },
      { kind: 'search', name: 'path', label: 'Path', value: value('path') },
      { kind: 'text', name: 'credential_id', label: 'Application or key', value: value('credential_id') },
      { kind: 'text', name: 'request_id', label: 'Request id', value: value('request_id') },
      { kind: 'date', name: 'from', label: 'From', value: value('from') },
      { kind: 'date', name: 'to', label: 'To', value: value('to') },
    ],
  });
  const list =
    requests.data.length === 0
      ? emptyState({ title: 'No requests', text: 'Nothing matches, or the request log is off on this service.' })
      : tableCard(page, table, requests);
  return developerPage({
    tab: '/requests',
    title: 'Requests',
    lede: html`What was asked of this workspace; at most the newest 100,000 requests. Usage says for how many days.`,
    main: html`${filter}${list}`,
    tables: [table],
  });
}

const intervals = [
  ['minute', 'Last 60 minutes'],
  ['hour', 'Last 24 hours'],
  ['day', 'Last 7 days'],
] as const;

type Interval = (typeof intervals)[number][0];

function slotTitle(page: Page, from: string, interval: Interval): string {
  return interval === 'day' ? page.formats.dayMonth(from) : from.slice(11, 16);
}

function usageChart(page: Page, { slots }: any, interval: Interval, title: string) {
  const values = (of: (slot: any) => number): string[] => slots.map((slot: any) => String(of(slot)));
  return barChart({
    id: 'usage',
    title: `${title}, by ${interval} (UTC)`,
    description: `How many requests were answered, refused and failed in each ${interval}.`,
    reader: page.reader,
    groupTitle: 'From',
    groups: slots.map(({ from }: any) => slotTitle(page, from, interval)),
    arrangement: 'stacked',
    unit: 'number',
    series: [
      { title: 'Answered', values: values((one) => one.request_count - one.refused_count - one.failed_count) },
      { title: 'Refused', values: values((one) => one.refused_count) },
      { title: 'Failed', values: values((one) => one.failed_count) },
    ],
  });
}

function callerTable(callers: readonly any[], names: Names): Table {
  return {
    id: 'callers',
    caption: 'Who asked most',
    columns: [
      { key: 'who', title: 'Who', kind: 'text', wide: true },
      { key: 'count', title: 'Requests', kind: 'number', digits: 0 },
    ],
    rows: callers.map((one) => {
      const query = one.credential_id === null ? `user_id=${one.user_id}` : `credential_id=${one.credential_id}`;
      return {
        cells: [
          { value: whoText(names, one), href: `${home}/requests?${query}` },
          { value: String(one.request_count) },
        ],
      };
    }),
  };
}

const settingTitles: Readonly<Record<WorkspaceSettingName, string>> = {
  requestsPerMinute: 'Requests a minute',
  burst: 'Requests at once',
  storageBytes: 'Storage',
  importRows: 'Rows kept of imports',
  importBytes: 'Storage of imports',
  importRowsPerDay: 'Imported rows a day',
  requestLogDays: 'Request log is kept for',
  eventDays: 'Events and deliveries are kept for',
  roundDays: 'Calculation rounds are kept for',
  limitDays: 'Ended states of limits are kept for',
  auditDays: 'Audit log is kept for',
  unbookedImportDays: 'Imports that nobody books are kept for',
};

function settingText(page: Page, name: WorkspaceSettingName, value: number | null): string {
  const { unit } = workspaceSettings[name];
  return value === null ? '' : `${count(page, Math.ceil(value / unit.size))} ${unit.name}`;
}

/** As `GET /v1/usage` says it. */
interface ShownSetting {
  readonly name: string;
  readonly value: number | null;
  readonly source: string;
  readonly used: number | null;
}

/** What the workspace may use, and for how long its rows are kept. */
function settingTable(page: Page, settings: readonly ShownSetting[]): Table {
  return {
    id: 'settings',
    caption: 'Set by the operator',
    columns: [
      { key: 'name', title: 'What', kind: 'text', wide: true },
      { key: 'value', title: 'Allowed', kind: 'text' },
      { key: 'used', title: 'Used', kind: 'text' },
      { key: 'source', title: 'Holds for', kind: 'text' },
    ],
    rows: workspaceSettingNames.flatMap((name) => {
      const found = settings.find((one) => one.name === snakeCase(name));
      if (found === undefined) return [];
      return [
        {
          cells: [
            { value: settingTitles[name] },
            { value: found.value === null ? 'No limit' : settingText(page, name, found.value) },
            { value: settingText(page, name, found.used) },
            { value: found.source === 'workspace' ? 'This workspace' : 'All workspaces' },
          ],
        },
      ];
    }),
  };
}

async function showUsage(page: Page): Promise<PageContent> {
  const [interval, title] = intervals.find(([name]) => name === page.query.get('interval')) ?? intervals[0];
  const [minutes, usage, names] = await Promise.all([
    page.api.get('/v1/usage', { interval: 'minute' }),
    page.api.get('/v1/usage', { interval }),
    callerNames(page),
  ]);
  const busiest = greatestOf(minutes.slots.map((one: any) => one.application_count));
  const overBudget: number = usage.slots.reduce((sum: number, one: any) => sum + one.over_budget_count, 0);
  const figures = figuresList([
    {
      title: 'Requests a minute',
      value: count(page, usage.requests_per_minute),
      small: `${count(page, usage.burst)} at once`,
    },
    {
      title: 'Busiest minute of the last hour',
      value: count(page, busiest),
      small: `${page.formats.share(doubleText(busiest / usage.requests_per_minute))} of the budget`,
    },
    { title: 'Refused because the budget was used up', value: count(page, overBudget), small: title.toLowerCase() },
  ]);
  const links = intervals.map(([name, text]) => ({
    title: text,
    href: withParameters(page.address, { interval: name }),
    isCurrent: name === interval,
  }));
  const chart = usageChart(page, usage, interval, title);
  const callers = callerTable(usage.callers, names);
  const settings = settingTable(page, usage.settings);
  return developerPage({
    tab: '/usage',
    title: 'Usage',
    lede: html`Applications and keys share one budget; each person has one of their own. Counted from the request log.`,
    main: html`${figures}${chips(links)}${card(title, chart.figure)}${tableCard(page, settings)}${tableCard(page, callers)}`,
    tables: [chart.table, settings, callers],
  });
}

export const requestPages: readonly WebPath[] = [
  signedInPage({
    id: 'developers-requests',
    path: `${home}/requests`,
    area: 'console',
    summary: 'The request log',
    handle: listRequests,
  }),
  signedInPage({
    id: 'developers-usage',
    path: `${home}/usage`,
    area: 'console',
    summary: 'Usage and budget',
    handle: showUsage,
  }),
];
