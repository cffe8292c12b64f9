// What the developers' pages share: their tabs, tables with links to their files, moments, names of callers and clients, and errors of forms.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import type { Field } from '../../parts/field.ts';
import { buttonsRow } from '../../parts/forms.ts';
import { note } from '../../parts/notes.ts';
import { tabs } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import type { Page, PageContent } from '../../signed-in-page.ts';
import { pagerHtml, tableHtml } from '../../tables/table-html.ts';
import type { Table } from '../../tables/table.ts';
import { tokenField } from '../../layout.ts';
import type { WholeList } from '../../tables/list-rows.ts';

export const home = '/console/developers';

const tabLinks = [
  ['Applications and keys', ''],
  ['Webhooks', '/webhooks'],
  ['Dead letters', '/dead-letters'],
  ['Events', '/events'],
  ['Audit log', '/audit'],
  ['Requests', '/requests'],
  ['Usage', '/usage'],
  ['Calculation rounds', '/rounds'],
] as const;

export type Tab = (typeof tabLinks)[number][1];

interface DeveloperContent extends Omit<PageContent, 'main'> {
  readonly tab: Tab;
  readonly main: Html;
}

/** A page with the tabs above its content. */
export function developerPage({ tab, main, ...content }: DeveloperContent): PageContent {
  const links = tabLinks.map(([title, path]) => ({ title, href: home + path, isCurrent: path === tab }));
  return { ...content, main: html`${tabs('Developers', links)}${main}` };
}

interface TablePaging {
  readonly nextCursor?: string | null | undefined;
}

/** A table in a card, with its files and the link to its next page. */
export function tableCard(page: Page, table: Table, { nextCursor }: TablePaging = {}): Html {
  const { address, reader } = page;
  const fileHref = (format: string): string =>
    withParameters(address, { table: table.id, format, cursor: null, done: null });
  const files =
    table.rows.length === 0
      ? emptyHtml
      : html`<p class="soft">
          <a href="${fileHref('csv')}" aria-label="${table.caption} as CSV">CSV</a> ·
          <a href="${fileHref('xlsx')}" aria-label="${table.caption} as XLSX">XLSX</a>
        </p>`;
  const cursor = page.query.get('cursor') ?? undefined;
  return html`<section class="card">
    ${tableHtml(table, { reader })}${files}${pagerHtml({ reader, address, cursor, nextCursor })}
  </section>`;
}

export interface ReadList {
  readonly data: readonly any[];
  readonly nextCursor: string | undefined;
  readonly list: WholeList;
}

/** One page of a list as the address asks for it, and the list that a file has. */
export async function readList(page: Page, path: string, query: Readonly<Record<string, string>>): Promise<ReadList> {
  const { cursor: _cursor, ...filters } = query;
  const { data, next_cursor: nextCursor } = await page.api.get(path, query);
  return { data, nextCursor, list: { path, query: filters } };
}

/** The filters of the address that a list call takes, with the cursor. */
export function listQuery(page: Page, names: readonly string[]): Record<string, string> {
  const sent = [...names, 'cursor'].map((name) => [name, (page.query.get(name) ?? '').trim()] as const);
  return Object.fromEntries(sent.filter(([, value]) => value !== ''));
}

export function isFiltered(page: Page, names: readonly string[]): boolean {
  return names.some((name) => (page.query.get(name) ?? '') !== '');
}

/** A day of the address as the moment it begins, in UTC; what is no day is passed on, so that the API says what is wrong. */
export function dayStart(day: string | null, { plusDays = 0 }: { readonly plusDays?: number } = {}): string {
  if (day === null || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return day ?? '';
  const moment = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(moment.getTime())) return day;
  moment.setUTCDate(moment.getUTCDate() + plusDays);
  return moment.toISOString();
}

/** With seconds, which these pages need. */
export function momentText(page: Page, moment: string | null): string {
  if (moment === null) return '–';
  const [text, seconds] = [page.formats.datetime(moment), moment.slice(17, 19)];
  return text.replace(/(\d\d:\d\d)/, `$1:${seconds}`);
}

export function count(page: Page, value: number): string {
  return page.formats.number(String(value), 0);
}

export function duration(page: Page, ms: number | null): string {
  if (ms === null) return '–';
  return ms < 10_000 ? `${count(page, ms)} ms` : `${page.formats.number(String(ms / 1_000), 1)} s`;
}

/** What the names of applications, keys and people are, as far as one page of each list has them. */
export async function callerNames(page: Page): Promise<ReadonlyMap<string, string>> {
  const [applications, keys, users] = await Promise.all(
    ['/v1/applications', '/v1/keys', '/v1/users'].map((path) => page.api.find(path, { limit: '100' })),
  );
  const named = (list: any, nameOf: (one: any) => string): [string, string][] =>
    (list?.data ?? []).map((one: any) => [one.id, nameOf(one)]);
  return new Map([
    ...named(applications, ({ name }) => name),
    ...named(keys, ({ label }) => label),
    ...named(users, ({ name, email }) => name ?? email),
    [page.access.personId, page.access.name],
  ]);
}

/** Ends the page for whoever may not make such records, before a form is shown: the API refuses the list too. */
export async function requireList(page: Page, path: string): Promise<void> {
  await page.api.get(path, { limit: '1' });
}

/** The clients to choose from: a list, or an id to type where there are too many for one. */
export async function clientField(
  page: Page,
  field: { name: string; label: string; hint: string; value: string },
): Promise<Field> {
  const { data, has_more: hasMore } = await page.api.get('/v1/clients', { limit: '100' });
  if (hasMore) return { ...field, kind: 'text', hint: `${field.hint} Type the client’s id.` };
  const clients = data.map(({ id, name }: any) => ({ value: id, title: name }));
  return { ...field, kind: 'select', options: [{ value: '', title: 'The whole workspace' }, ...clients] };
}

/** The name of a client, or of the whole workspace. */
export async function clientName(page: Page, id: string | null): Promise<string> {
  if (id === null) return 'The whole workspace';
  return (await page.api.find(`/v1/clients/${id}`))?.name ?? id;
}

/** Puts the errors of a refused call to their fields; those of no field are messages. */
export function withErrors(
  fields: readonly Field[],
  problem: ApiProblem | undefined,
): { fields: Field[]; messages: string[] } {
  if (problem === undefined) return { fields: [...fields], messages: [] };
  const errors = new Map(problem.errors.map(({ pointer = '', detail }) => [pointer.split('/')[1] ?? '', detail]));
  const shown = fields.map((field) => {
    const error = errors.get(field.name);
    if (error !== undefined) errors.delete(field.name);
    return error === undefined ? field : { ...field, error };
  });
  const messages = problem.errors.length === 0 ? [problem.detail] : [...errors.values()];
  return { fields: shown, messages };
}

/** A button that is a form of its own. */
export function actionForm(
  page: Page,
  action: string,
  title: string,
  kind: 'primary' | 'quiet' | 'danger' = 'quiet',
): Html {
  return html`<form method="post" action="${action}">
    ${tokenField(page.formToken)}${buttonsRow([{ title, kind }])}
  </form>`;
}

/** The call that a form makes, before it is made. */
export function callHint(call: string): Html {
  return html`<p class="soft">By API: <code>${call}</code></p>`;
}

const doneTexts: Readonly<Record<string, string>> = {
  changed: 'Your changes are saved.',
  deleted: 'It was deleted.',
  queued: 'It is sent again. It arrives out of order: later events may have arrived before.',
  tested: 'The test is on its way. Reload in a moment to see the answer.',
  none: 'There is no dead letter since then.',
};

/** Says what the form that led here has done: `?done=changed`. */
export function doneNote(page: Page): Html {
  const done = page.query.get('done') ?? '';
  const [, number] = /^replayed-(\d+)$/.exec(done) ?? [];
  const text =
    number === undefined ? doneTexts[done] : `${number} dead letters are sent again, in their original order.`;
  return text === undefined ? emptyHtml : note(text, { tone: 'good', isLive: true });
}
