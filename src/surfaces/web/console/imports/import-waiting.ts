// What an import waits for, once for each account, instrument or word: what the file says, what answers it, and a search for the record that
// is meant. Nothing is listed whole: a file may name thousands, and a workspace have very many.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import { elementId } from '../../parts/attributes.ts';
import type { Field } from '../../parts/field.ts';
import { filterForm, postForm, type Button } from '../../parts/forms.ts';
import { note, sentenceHtml } from '../../parts/notes.ts';
import { card } from '../../parts/parts.ts';
import type { ApiProblem } from '../../page-api.ts';
import type { Page } from '../../signed-in-page.ts';
import { valueTitle } from '../resource/words.ts';
import { importAddress, importApiPath, kindTitle, rowCount, waitingReason } from './import-words.ts';
import { searchRecords, type SearchedKind } from './record-search.ts';

/** How many groups a page has. */
const groupsMax = 20;

/** A form that could not be carried out, with what it was sent with. */
export interface Refused {
  readonly fields: URLSearchParams;
  readonly problem: ApiProblem;
}

export interface Waiting {
  readonly groups: readonly any[];
  readonly totals: any;
  readonly nextCursor: string | undefined;
}

export async function readWaiting(page: Page, id: string): Promise<Waiting> {
  const query = { limit: String(groupsMax), cursor: page.query.get('waiting') };
  const { data, totals, next_cursor: nextCursor } = await page.api.get(`${importApiPath(id)}/waiting`, query);
  return { groups: data, totals, nextCursor };
}

const anchorOf = (key: string): string => elementId('waits', key);

interface GroupView {
  readonly record: any;
  readonly refused: Refused | undefined;
}

export async function waitingCard(page: Page, waiting: Waiting, view: GroupView): Promise<Html> {
  const shown = waiting.groups.filter(
    ({ code, needs, columns }) => code !== 'account-unnamed' && needs !== 'decision' && columns === undefined,
  );
  if (shown.length === 0) return emptyHtml;
  const items = await Promise.all(shown.map((group) => groupItem(page, group, view)));
  const { groups } = waiting.totals;
  const isWhole = waiting.nextCursor === undefined && page.query.get('waiting') === null;
  const pages = isWhole
    ? emptyHtml
    : html`<nav class="pager" aria-label="Pages of what the import waits for">
        ${
          page.query.get('waiting') === null
            ? emptyHtml
            : html`<a href="${withParameters(page.address, { waiting: null, find: null, q: null })}#waits">First</a>`
        }${
          waiting.nextCursor === undefined
            ? emptyHtml
            : html`<a
                rel="next"
                href="${withParameters(page.address, { waiting: waiting.nextCursor, find: null, q: null })}#waits"
                >Next</a
              >`
        }
      </nav>`;
  const intro = html`<p id="waits">
    ${groups === 1 ? 'One thing is' : `${page.formats.number(String(groups), 0)} things are`} to be decided, what most
    rows wait for first. Each answer is kept, and later files are read with it.
  </p>`;
  return card(
    'What the file leaves open',
    html`${intro}
      <ul class="questions">
        ${items}
      </ul>
      ${pages}`,
  );
}

async function groupItem(page: Page, group: any, view: GroupView): Promise<Html> {
  const { key, rows, first_line: line, code, detail, creation_problem: problem, meant } = group;
  const isRefused = view.refused?.fields.get('key') === key;
  const isSearched = page.query.get('find') === key || isRefused;
  const hint = meant === undefined ? waitingReason(code, detail) : '';
  const answers = meant === undefined ? await answersOf(page, group, { ...view, isSearched, isRefused }) : emptyHtml;
  const reason = isRefused && meant !== undefined ? refusedNote(view.refused) : emptyHtml;
  return html`<li id="${anchorOf(key)}">
    ${reason}
    <p class="question">
      <strong>${groupTitle(group)}</strong> <span class="soft">${rowCount(page, rows)}, the first on line ${line}</span>
    </p>
    ${hint === '' ? emptyHtml : html`<p class="soft">${sentenceHtml(hint)}</p>`}${exampleLine(page, group.first)}${
      problem === undefined ? emptyHtml : html`<p class="soft">${sentenceHtml(problem)}</p>`
    }${
      meant === undefined
        ? answers
        : html`<p>
            Means ${meant.name}${meant.detail === '' ? '' : ` · ${meant.detail}`} by now. Check the import again to see
            its rows.
          </p>`
    }
  </li>`;
}

function refusedNote(refused: Refused | undefined): Html {
  return refused === undefined ? emptyHtml : note(refused.problem.detail, { tone: 'danger', isLive: true });
}

/** As the file says it, for people. */
function groupTitle({ account, instrument, type_word: word, needs, code }: any): string {
  if (account !== undefined) {
    const what = String(code).startsWith('depository') ? 'Securities account' : 'Account';
    return `${what} ${[account.number, account.currency, account.institution].filter(Boolean).join(' · ')}`;
  }
  if (instrument !== undefined) {
    const code = instrument.isin ?? instrument.cusip ?? instrument.sedol ?? instrument.custodian_code;
    return [instrument.name, code, instrument.ticker, instrument.currency].filter(Boolean).join(' · ');
  }
  if (word !== undefined) return `“${word}”`;
  if (needs === 'date-order') return 'Does the day or the month come first?';
  return needs === 'mapping' ? 'Rows that cannot be read yet' : 'Rows to be classified';
}

function exampleLine(page: Page, first: any): Html {
  if (first === undefined) return emptyHtml;
  const { formats } = page;
  const { date, kind, type_word: word, quantity, amount, currency, comment } = first.stated;
  const parts = [
    date === undefined ? undefined : formats.dateShort(date),
    word ?? (kind === undefined ? undefined : kindTitle(kind)),
    quantity === undefined ? undefined : `${formats.quantity(quantity)} units`,
    amount === undefined ? undefined : [formats.money(amount, currency), currency].filter(Boolean).join(' '),
    comment,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? emptyHtml : html`<p class="example">${parts.join(' · ')}</p>`;
}

interface AnswersView extends GroupView {
  readonly isSearched: boolean;
  readonly isRefused: boolean;
}

async function answersOf(page: Page, group: any, view: AnswersView): Promise<Html> {
  const { key, mapping, creation, needs } = group;
  if (needs === 'type') return typeForm(page, group, view);
  if (needs === 'date-order') return dateOrderForm(page, view);
  if (mapping === undefined) return emptyHtml;
  const search = withParameters(page.address, { find: key, q: null, done: null });
  const choose = html`<a class="button quiet" href="${search}#${anchorOf(key)}">Choose an existing one…</a>`;
  const create =
    creation === undefined || (creation.kind !== 'instrument' && creation.entity_id === null)
      ? emptyHtml
      : postForm({
          action: `${importAddress(view.record.id)}/create`,
          formToken: page.formToken,
          reader: page.reader,
          fields: [],
          hidden: { keys: key },
          buttons: [{ title: creationTitle(creation), kind: 'quiet' }],
        });
  if (!view.isSearched) return html`<div class="buttons answers">${create}${choose}</div>`;
  return html`${await searchedAnswer(page, group, view)}
    <div class="buttons answers">${create}</div>`;
}

function creationTitle({ kind, currency }: any): string {
  const what = kind === 'depository' ? 'securities account' : kind;
  return currency === null || kind === 'instrument' ? `Create the ${what}` : `Create the ${what} in ${currency}`;
}

/** A search, and what it found; without a text, the records that may be meant. */
async function searchedAnswer(page: Page, group: any, view: AnswersView): Promise<Html> {
  const { key, mapping, candidates, instrument } = group;
  const kind: SearchedKind = mapping.kind;
  const text = page.query.get('find') === key ? (page.query.get('q') ?? undefined) : undefined;
  const own = candidates.map(({ id, name, detail }: any) => ({ value: id, title: name, text: detail }));
  const words = text ?? (kind === 'instrument' ? (instrument?.isin ?? instrument?.name ?? '') : '');
  const found =
    text === undefined && own.length > 0
      ? own
      : await searchRecords(page, { kind, text: words, client: view.record.client_id });
  const keep = Object.fromEntries([...page.query].filter(([name]) => ['outcome', 'waiting', 'cursor'].includes(name)));
  const search = filterForm({
    path: `${importAddress(view.record.id)}#${anchorOf(key)}`,
    reader: page.reader,
    label: `Search for ${groupTitle(group)}`,
    button: 'Search',
    keep: { ...keep, find: key },
    fields: [{ kind: 'search', form: key, name: 'q', label: 'Search', value: words }],
  });
  if (found.length === 0)
    return html`${search}
      <p class="soft">Nothing was found. Search with other words, or create the record first.</p>`;
  const target: Field = {
    kind: 'radios',
    form: key,
    name: 'target',
    label: 'What the file means',
    options: found,
    value: view.isRefused ? (view.refused?.fields.get('target') ?? undefined) : undefined,
    isRequired: true,
  };
  const { scheme, value, currency = '', mic = '' } = mapping;
  const choose = postForm({
    id: `assign-${key}`,
    action: namesAddress(page, view.record.id),
    formToken: page.formToken,
    reader: page.reader,
    fields: [target],
    hidden: { key, kind, scheme, value, currency, mic },
    buttons: [{ title: 'Assign', kind: 'quiet' }],
    ...messagesOf(view),
  });
  return html`${search}${choose}`;
}

/** The page that is looked at stays the same if the form is refused. */
function namesAddress({ query }: Page, id: string): string {
  const names = ['waiting', 'find', 'q'] as const;
  return withParameters(`${importAddress(id)}/names`, Object.fromEntries(names.map((name) => [name, query.get(name)])));
}

function messagesOf({ isRefused, refused }: AnswersView): { readonly messages?: readonly string[] } {
  return isRefused && refused !== undefined ? { messages: [refused.problem.detail] } : {};
}

/** One answer counts for all dates of the file. */
function dateOrderForm(page: Page, { record }: AnswersView): Html {
  const order = (value: string, title: string): Button => ({ title, kind: 'quiet', name: 'date_order', value });
  return postForm({
    action: `${importAddress(record.id)}/dates`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [],
    buttons: [
      order('day-month-year', 'The day comes first: 31/12/2025'),
      order('month-day-year', 'The month comes first: 12/31/2025'),
    ],
  });
}

/** A word of the file is answered by a type of transaction, in people's words. */
async function typeForm(page: Page, group: any, view: AnswersView): Promise<Html> {
  const { data } = await page.api.list('/v1/transaction-types');
  const options = data.map(({ type }: any) => ({ value: String(type), title: valueTitle(String(type)) }));
  return postForm({
    id: `type-${group.key}`,
    action: namesAddress(page, view.record.id),
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      {
        kind: 'select',
        form: group.key,
        name: 'target',
        label: 'It means',
        options,
        isRequired: true,
        value: view.isRefused ? (view.refused?.fields.get('target') ?? undefined) : undefined,
      },
    ],
    hidden: { key: group.key, kind: 'type', scheme: 'word', value: group.type_word ?? '' },
    buttons: [{ title: 'Assign', kind: 'quiet' }],
    ...messagesOf(view),
  });
}

/** The body of the identifier mapping that a form asks for. */
export function mappingBody(record: any, fields: URLSearchParams): Readonly<Record<string, string>> {
  const kind = fields.get('kind') ?? '';
  const optional = ['currency', 'mic'].flatMap((name) => {
    const value = fields.get(name) ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return {
    kind,
    scheme: fields.get('scheme') ?? '',
    value: fields.get('value') ?? '',
    ...Object.fromEntries(optional),
    ...(record.client_id === null ? {} : { client_id: record.client_id }),
    ...(record.custodian_id === null ? {} : { custodian_id: record.custodian_id }),
    [kind === 'type' ? 'transaction_type' : `${kind}_id`]: fields.get('target') ?? '',
  };
}

/** The account, and with it the client, of rows that name none: found by a search among all that the person sees. */
export async function ownerCard(page: Page, waiting: Waiting, { record, refused }: GroupView): Promise<Html> {
  const { totals, groups } = waiting;
  const needsClient = record.client_id === null && groups.some(({ needs }) => needs === 'account');
  const rows: number = totals.unnamed_account_rows;
  if (rows === 0 && !needsClient) return emptyHtml;
  const text = page.query.get('find') === 'account' ? (page.query.get('q') ?? '') : '';
  const found = await searchRecords(page, { kind: 'account', text, client: record.client_id });
  const search = filterForm({
    path: `${importAddress(record.id)}#file-account`,
    reader: page.reader,
    label: 'Search for the account',
    button: 'Search',
    keep: { find: 'account' },
    fields: [{ kind: 'search', form: 'owner', name: 'q', label: 'Name, number or owner', value: text }],
  });
  const isRefused = refused?.fields.get('key') === 'account';
  const choose =
    found.length === 0
      ? html`<p class="soft">
          ${text === '' ? 'There is no account yet. Create one first.' : 'No account was found. Search with other words.'}
        </p>`
      : postForm({
          id: 'file-account',
          action: `${importAddress(record.id)}/account`,
          formToken: page.formToken,
          reader: page.reader,
          fields: [
            {
              kind: 'radios',
              form: 'owner',
              name: 'target',
              label: 'Account',
              options: found,
              isRequired: true,
              value: isRefused ? (refused.fields.get('target') ?? undefined) : (record.account_id ?? undefined),
            },
          ],
          hidden: { key: 'account' },
          buttons: [{ title: 'The file is of this account' }],
          ...(isRefused ? { messages: [refused.problem.detail] } : {}),
        });
  const intro =
    rows > 0
      ? `${rowCount(page, rows)} do not say which account they are of.`
      : 'The file names accounts, and nobody has said whose they are.';
  return card(
    'Which account is this file of?',
    html`<p>${intro}</p>
      ${search}${choose}`,
  );
}

/** What the summary of all groups says is new. */
export function newWords(page: Page, totals: any): readonly string[] {
  const parts = [
    [totals.new_instruments, 'instrument', 'instruments'],
    [totals.new_accounts, 'account', 'accounts'],
    [totals.new_depositories, 'securities account', 'securities accounts'],
  ] as const;
  return parts.flatMap(([count, one, several]) =>
    count === 0 ? [] : [`${page.formats.number(String(count), 0)} ${count === 1 ? one : several}`],
  );
}

/** Notes that something could not be created; what was left is listed below with its reason. */
export function refusedCreations(refused: readonly any[]): Html {
  if (refused.length === 0) return emptyHtml;
  const listed = refused.slice(0, 10).map(({ name, detail }) => html`<li>${name}: ${sentenceHtml(detail)}</li>`);
  const more = refused.length > 10 ? html`<li>And ${refused.length - 10} more.</li>` : emptyHtml;
  return note(
    html`<p>${refused.length === 1 ? 'One record was' : `${refused.length} records were`} not created:</p>
      <ul>
        ${listed}${more}
      </ul>`,
    { tone: 'warn', isLive: true },
  );
}
