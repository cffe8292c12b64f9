// The page of one import, a screen after recognition: what is new and can be created at once, what is to be decided, booking, and whether
// reports show what was booked. Each answer is kept when it is given, so that nothing is lost by a refusal, a reload or going back.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from '../../parts/danger.ts';
import type { Field } from '../../parts/field.ts';
import { postForm } from '../../parts/forms.ts';
import { definitionList, note, sentenceHtml } from '../../parts/notes.ts';
import { card, chips } from '../../parts/parts.ts';
import type { ApiProblem, Sent } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import { consoleTable, readOptions } from '../console-table.ts';
import { columnsCard, mapColumns } from './import-columns.ts';
import { decisionsCard, decisionsForm } from './import-decisions.ts';
import { reportsCard, reportsForm } from './import-reports.ts';
import { rowsTable } from './import-rows.ts';
import {
  mappingBody,
  newWords,
  ownerCard,
  readWaiting,
  refusedCreations,
  waitingCard,
  type Refused,
  type Waiting,
} from './import-waiting.ts';
import {
  importAddress,
  importApiPath,
  importName,
  importState,
  outcomes,
  outcomeTitle,
  rowCount,
  warningText,
  type Outcome,
} from './import-words.ts';
import { workBar, workingPage } from './import-work.ts';

const path = '/console/imports/{id}';
/** An import with more rows is checked again when somebody asks for it: it takes longer than anybody should wait for an answer. */
const checkedAtOnceMax = 20_000;
/** How many problems are listed. */
const problemsMax = 20;

const nothingWaits: Waiting = {
  groups: [],
  totals: {
    groups: 0,
    rows: 0,
    new_accounts: 0,
    new_depositories: 0,
    new_instruments: 0,
    lacks_owner: false,
    unnamed_account_rows: 0,
    trade_rows: 0,
    cash_rows: 0,
  },
  nextCursor: undefined,
};

interface Shown {
  readonly refused?: Refused;
  /** What could not be created by the form that was sent. */
  readonly notCreated?: readonly any[];
}

async function importContent(sent: Page, { refused, notCreated = [] }: Shown = {}): Promise<PageContent> {
  const id = sent.params['id'] ?? '';
  // A form that was refused shows the page again, whose links lead to the page and not to the form.
  const { search } = new URL(sent.address, 'https://page.invalid');
  const page = { ...sent, address: `${importAddress(id)}${search}` };
  const [record, underWay] = await Promise.all([
    page.api.get(importApiPath(id)),
    page.api.find('/v1/import-work', { import_id: id }),
  ]);
  const [work] = underWay?.data ?? [];
  if (work !== undefined || page.longWork.runningSince(page.access, workKey(id)) !== undefined) {
    return workingPage(page, importName(record), workBar(page, work));
  }
  const problem = page.longWork.takeProblem(page.access, workKey(id));
  const outcome = outcomes.find((one) => one === page.query.get('outcome'));
  const cursor = page.query.get('cursor') ?? undefined;
  const isOpen = record.state !== 'undone';
  const [rows, waiting, problems, client, accounts] = await Promise.all([
    page.api.get(`${importApiPath(id)}/rows`, { limit: '50', outcome, cursor }),
    isOpen && record.counts.needs > 0 ? readWaiting(page, id) : nothingWaits,
    record.counts.refused > 0
      ? page.api.get(`${importApiPath(id)}/problems`, { limit: String(problemsMax) })
      : undefined,
    record.client_id === null ? undefined : page.api.find(`/v1/clients/${record.client_id}`),
    accountNames(page, id),
  ]);
  const list = { path: `${importApiPath(id)}/rows`, query: { outcome } };
  const table = rowsTable(page, { list, shown: rows.data, record, accounts: new Map(accounts) });
  const view = { record, refused };
  const [columns, owner, questions, decisions, reports] = await Promise.all([
    isOpen ? columnsCard(page, waiting, view) : emptyHtml,
    isOpen ? ownerCard(page, waiting, view) : emptyHtml,
    isOpen ? waitingCard(page, waiting, view) : emptyHtml,
    isOpen ? decisionsCard(page, waiting, view) : emptyHtml,
    record.state === 'booked' ? reportsCard(page, record, refused) : emptyHtml,
  ]);
  const main = html`${problem === undefined ? emptyHtml : note(problem.detail, { tone: 'danger', isLive: true })}${doneNote(page)}${refusedCreations(notCreated)}${steps(record, waiting)}
  ${columns}${owner}${await nextCard(page, waiting, view)}${reports}${decisions}${questions}${problemsCard(page, problems)}${notKeptNote(page, record)}${warningNotes(page, record)}
  ${card('Rows', html`${outcomeChips(page, record, outcome)}${consoleTable(page, table, rows.next_cursor)}`)}
  ${factsCard(page, record, client)}`;
  return {
    title: importName(record),
    lede: html`${[record.format, client?.name ?? 'All clients', rowCount(page, record.counts.rows)].join(' · ')}`,
    main,
    tables: [table],
    ...(refused === undefined ? {} : { status: refused.problem.status }),
  };
}

/** The accounts that its rows were assigned to. */
async function accountNames(page: Page, id: string): Promise<readonly (readonly [string, string])[]> {
  const { data } = await page.api.list(`${importApiPath(id)}/accounts`, {}, 100);
  return data.map(({ account_id: account, name }) => [account, name] as const);
}

const doneTexts: Readonly<Record<string, string>> = {
  mapped: 'The answer is kept. Check the import again to see its rows.',
  checked: 'The rows were decided again. Nothing is booked yet.',
  created: 'What you chose was created.',
  read: 'The file was read with these columns. Nothing is booked yet. The layout is kept for later files.',
  decided: 'The decision is kept. Booking acts on it.',
  booked: 'The import was booked.',
  undone: 'The import was undone.',
  reported: 'The accounts are in the portfolio. Reports show them from now on.',
};

function doneNote({ query }: Page): Html {
  const text = doneTexts[query.get('done') ?? ''];
  return text === undefined ? emptyHtml : note(text, { tone: 'good', isLive: true });
}

/** The way of a file, and how far it has come. */
function steps({ state, origin }: any, { totals }: Waiting): Html {
  const current = state === 'checked' ? (totals.groups > 0 ? 1 : 2) : state === 'booked' ? 3 : 4;
  const titles = [
    origin === 'feed' ? 'Received' : 'Recognised',
    'Open points answered',
    'Ready to book',
    'Booked',
    ...(state === 'undone' ? ['Undone'] : []),
  ];
  return html`<ol class="steps">
    ${titles.map(
      (title, index) =>
        html`<li class="${index < current ? 'past' : ''}" ${index === current ? html` aria-current="step"` : emptyHtml}>
          ${title}
        </li>`,
    )}
  </ol>`;
}

function factsCard(page: Page, record: any, client: any): Html {
  const { formats, timeZone } = page;
  const moment = (title: string, value: string | null): { title: string; value: string }[] =>
    value === null ? [] : [{ title, value: formats.datetime(value, timeZone) }];
  const count = (value: number): string => formats.number(String(value), 0);
  const undone = record.undone;
  return card(
    'What was recognised',
    definitionList([
      { title: 'State', value: importState(record) },
      { title: 'Format', value: record.format },
      { title: 'Client', value: client?.name ?? 'All clients' },
      { title: 'Rows', value: count(record.counts.rows) },
      ...moment('Sent', record.created_at),
      ...moment('Booked', record.booked_at),
      ...moment('Undone', record.undone_at),
      ...(undone === null
        ? []
        : [
            {
              title: 'Undoing',
              value: `${count(undone.closed)} closed, ${count(undone.restored)} restored, ${count(undone.kept)} kept because they were amended since`,
            },
          ]),
    ]),
  );
}

/** Why rows were refused: each problem once, with the number of its rows. */
function problemsCard(page: Page, problems: any): Html {
  if (problems === undefined || problems.data.length === 0) return emptyHtml;
  const items = problems.data.map(
    ({ rows, detail, first_line: line }: any) =>
      html`<li>
        <p>${sentenceHtml(detail)} <span class="soft">${rowCount(page, rows)}, the first on line ${line}</span></p>
      </li>`,
  );
  const more = problems.has_more === true ? html`<p class="soft">And further problems with fewer rows.</p>` : emptyHtml;
  return card(
    'Refused rows',
    html`<ul class="questions">
        ${items}
      </ul>
      ${more}`,
  );
}

function notKeptNote(page: Page, { not_kept: { rows } }: any): Html {
  if (rows === 0) return emptyHtml;
  const text = `${rowCount(page, rows)} are counted and not kept one by one. Correct the file and send it again: rows that are known by then change nothing.`;
  return note(text, { tone: 'warn' });
}

function warningNotes(page: Page, record: any): Html[] {
  return record.warnings.slice(0, 20).map((warning: any) => note(warningText(page, record, warning), { tone: 'warn' }));
}

function outcomeChips(page: Page, record: any, current: Outcome | undefined): Html {
  const link = (title: string, outcome: Outcome | null): Parameters<typeof chips>[0][number] => ({
    title,
    href: withParameters(page.address, { outcome, cursor: null, done: null }),
    isCurrent: (outcome ?? undefined) === current,
  });
  const count = (value: number): string => page.formats.number(String(value), 0);
  return chips([
    link(`All ${count(record.counts.rows)}`, null),
    ...outcomes.map((one) => link(`${outcomeTitle(one, record.state)} ${count(record.counts[one])}`, one)),
  ]);
}

interface NextView {
  readonly record: any;
  readonly refused: Refused | undefined;
}

/** What can be done with it now: the answers that most people give, each one click. */
async function nextCard(page: Page, waiting: Waiting, view: NextView): Promise<Html> {
  const { record, refused } = view;
  const { state, counts } = record;
  const address = importAddress(record.id);
  const deletion = html`<p><a class="button danger" href="${address}/delete">Delete the import…</a></p>`;
  if (state === 'undone')
    return card(
      'Delete',
      html`<p>It was undone. Send the file again to import it again.</p>
        ${deletion}`,
    );
  const undo = html`<p><a class="button danger" href="${address}/undo">Undo the import…</a></p>`;
  const isFirst = state === 'checked';
  const creation = await createForm(page, waiting, view);
  const messages = refused === undefined || refused.fields.has('key') ? emptyHtml : refusedNote(refused);
  const count = (value: number): string => page.formats.number(String(value), 0);
  const changed = counts.amended === 0 ? '' : ` and ${count(counts.amended)} changed`;
  const ready = counts.booked + counts.amended;
  const several = `${count(counts.booked)} new${changed} rows can be booked`;
  const oneText = counts.booked === 1 ? 'One new row can be booked' : 'One changed row can be booked';
  const readyText = ready === 0 ? 'No row can be booked yet' : ready === 1 ? oneText : several;
  const said = [
    isFirst ? readyText : `${count(ready)} booked`,
    ...(counts.needs === 0 ? [] : [`${count(counts.needs)} ${counts.needs === 1 ? 'needs' : 'need'} a decision`]),
    ...(counts.refused === 0 ? [] : [`${count(counts.refused)} refused`]),
    ...(counts.unchanged === 0 ? [] : [`${count(counts.unchanged)} known already`]),
  ];
  const open = counts.needs + counts.refused;
  const book = isFirst || open > 0 ? bookForms(page, waiting, record) : emptyHtml;
  return card(
    isFirst ? 'Before booking' : 'Booked',
    html`${messages}
      <p class="summary">${said.join(', ')}.</p>
      ${creation}${book}${isFirst ? deletion : undo}`,
  );
}

function refusedNote({ problem }: Refused): Html {
  return note(html`<p>${sentenceHtml(problem.detail)}</p>`, { tone: 'danger', isLive: true });
}

/** "38 instruments and 1 account are new." with one button for all, and one owner where the client has several. */
async function createForm(page: Page, waiting: Waiting, { record, refused }: NextView): Promise<Html> {
  const parts = newWords(page, waiting.totals);
  if (parts.length === 0) return emptyHtml;
  const isOne = parts.length === 1 && parts[0]?.startsWith('1 ') === true;
  const list = parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}` : (parts[0] ?? '');
  const owner = waiting.totals.lacks_owner === true ? [await ownerField(page, record, refused)] : [];
  const form = postForm({
    id: 'create-all',
    action: `${importAddress(record.id)}/create`,
    formToken: page.formToken,
    reader: page.reader,
    fields: owner,
    buttons: [
      { title: isOne ? 'Create it' : 'Create all' },
      { title: 'Review', href: `${withParameters(page.address, { done: null })}#waits` },
    ],
  });
  return html`<p class="summary"><strong>${list} ${isOne ? 'is' : 'are'} new.</strong></p>
    ${form}`;
}

async function ownerField(page: Page, record: any, refused: Refused | undefined): Promise<Field> {
  const query: Readonly<Record<string, string>> = record.client_id === null ? {} : { client_id: record.client_id };
  const options = await readOptions(page, '/v1/legal-entities', query);
  return {
    kind: 'select',
    form: 'create-all',
    name: 'entity_id',
    label: 'Owner of the new accounts',
    hint: 'The client has several legal entities.',
    options,
    isRequired: true,
    value: refused?.fields.get('entity_id') ?? undefined,
  };
}

function bookForms(page: Page, { totals }: Waiting, record: any): Html {
  const { id, state, counts } = record;
  const isFirst = state === 'checked';
  const form = (title: string, hidden: Readonly<Record<string, string>>, kind: 'primary' | 'quiet'): Html =>
    postForm({
      action: `${importAddress(id)}/book`,
      formToken: page.formToken,
      reader: page.reader,
      fields: [],
      hidden,
      buttons: [{ title, kind }],
    });
  const check = isFirst ? checkForm(page, id) : emptyHtml;
  const count = (value: number): string => page.formats.number(String(value), 0);
  const ready = counts.booked + counts.amended;
  if (isFirst && totals.trade_rows > 0) {
    const both =
      totals.new_instruments > 0 && totals.lacks_owner === false
        ? form('Create the instruments and book all', { create: 'all' }, 'quiet')
        : emptyHtml;
    const trades = totals.trade_rows === 1 ? 'One trade waits' : `${count(totals.trade_rows)} trades wait`;
    const cash = totals.cash_rows === 1 ? 'one row' : `${count(totals.cash_rows)} rows`;
    return html`${note(
        html`<p>
          ${trades}, and ${cash} of cash in the same accounts could be booked without them. Holdings and balances would
          then not agree.
        </p>`,
        { tone: 'warn' },
      )}
      <div class="buttons answers">
        ${both}${form(ready === 1 ? 'Book only the row that is ready' : `Book only the ${count(ready)} rows that are ready`, { cash_alone: 'true' }, 'quiet')}${check}
      </div>`;
  }
  if (isFirst && ready === 0) return html`<div class="buttons answers">${check}</div>`;
  const title = isFirst ? (ready === 1 ? 'Book one row' : `Book ${count(ready)} rows`) : 'Book the rest';
  const kind = isFirst && counts.needs > 0 ? 'quiet' : 'primary';
  const created =
    record.create_instruments === true && totals.new_instruments > 0
      ? html`<p class="soft">Booking creates the instruments that are new, as was said when the file was sent.</p>`
      : emptyHtml;
  const left =
    isFirst && counts.needs > 0
      ? html`<p class="soft">Rows that wait stay out and can be booked later.</p>`
      : isFirst
        ? emptyHtml
        : html`<p class="soft">Only rows that wait or were refused are tried again.</p>`;
  return html`${created}${left}
    <div class="buttons answers">${form(title, {}, kind)}${check}</div>`;
}

function checkForm(page: Page, id: string): Html {
  return postForm({
    action: `${importAddress(id)}/check`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [],
    buttons: [{ title: 'Check again', kind: 'quiet' }],
  });
}

async function deleteContent(
  page: Page,
  { typed, problem }: { typed?: string; problem?: ApiProblem } = {},
): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const record = await page.api.get(importApiPath(id));
  const name = importName(record);
  const count = page.formats.number(String(record.counts.rows), 0);
  const main = html`${problem === undefined ? emptyHtml : note(problem.detail, { tone: 'danger', isLive: true })}${dangerConfirmation(
    {
      name,
      action: `${importAddress(id)}/delete`,
      formToken: page.formToken,
      cancelHref: importAddress(id),
      reader: page.reader,
      heading: `Delete ${name}`,
      together: [{ title: `${count} rows of the file, none of which is booked` }],
      typed,
      buttonTitle: 'Delete the import',
    },
  )}`;
  const status = problem?.status ?? (typed === undefined ? undefined : 422);
  return { title: `Delete ${name}`, main, ...(status === undefined ? {} : { status }) };
}

const workKey = (id: string): string => `import/${id}`;

interface Act {
  readonly work: Promise<Sent>;
  /** What the page says once it is done. */
  readonly done: string;
}

/** Does what may take long, which goes on while the page shows that it does. */
async function act(page: Page, { work, done }: Act): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const sent: Sent | undefined = await page.longWork.wait(page.access, workKey(id), work, page.now);
  if (sent === undefined) return { redirectUrl: importAddress(id) };
  if (!sent.ok) return importContent(page, { refused: { fields: page.fields, problem: sent.problem } });
  const notCreated = sent.body.creations?.refused ?? [];
  if (notCreated.length > 0) return importContent(page, { notCreated });
  return { redirectUrl: `${importAddress(id)}?done=${done}` };
}

/** Decides about all rows again where nobody has to wait long for it. */
async function afterAnswer(page: Page, record: any): Promise<PageAnswer> {
  const isQuick = record.state === 'checked' && record.counts.rows <= checkedAtOnceMax;
  if (!isQuick) return { redirectUrl: `${importAddress(record.id)}?done=mapped` };
  return act(page, { work: page.api.send('POST', `${importApiPath(record.id)}/check`), done: 'checked' });
}

/** Books what can be booked; first creates the instruments where the person says so. */
async function book(page: Page): Promise<Sent> {
  const api = importApiPath(page.params['id'] ?? '');
  if (page.fields.get('create') === 'all') {
    const created = await page.api.send('POST', `${api}/create-missing`, {});
    if (!created.ok) return created;
  }
  const query = page.fields.get('cash_alone') === 'true' ? '?cash_alone=true' : '';
  return page.api.send('POST', `${api}/book${query}`);
}

async function undoContent(page: Page, typed?: string): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const record = await page.api.get(importApiPath(id));
  const name = importName(record);
  const count = page.formats.number(String(record.counts.booked + record.counts.amended), 0);
  const main = dangerConfirmation({
    name,
    action: `${importAddress(id)}/undo`,
    formToken: page.formToken,
    cancelHref: importAddress(id),
    reader: page.reader,
    heading: `Undo ${name}`,
    togetherTitle: 'This is taken back:',
    together: [{ title: `${count} rows that it booked or changed; those that were amended since stay as they are` }],
    typed,
    buttonTitle: 'Undo the import',
  });
  return { title: `Undo ${name}`, main, ...(typed === undefined ? {} : { status: 422 }) };
}

export const importPaths = [
  signedInPage({
    id: 'import',
    path,
    summary: 'An import with its rows',
    area: 'console',
    handle: (page) => importContent(page),
  }),
  signedInForm({
    id: 'import.book',
    path: `${path}/book`,
    summary: 'Book an import',
    area: 'console',
    handle: (page) => act(page, { work: book(page), done: 'booked' }),
  }),
  signedInForm({
    id: 'import.check',
    path: `${path}/check`,
    summary: 'Check an import again',
    area: 'console',
    handle: (page) =>
      act(page, {
        work: page.api.send('POST', `${importApiPath(page.params['id'] ?? '')}/check`),
        done: 'checked',
      }),
  }),
  signedInForm({
    id: 'import.create',
    path: `${path}/create`,
    summary: 'Create what an import waits for',
    area: 'console',
    handle(page) {
      const keys = page.fields.getAll('keys').filter((key) => key !== '');
      const entity = page.fields.get('entity_id') ?? '';
      const body = { ...(keys.length === 0 ? {} : { keys }), ...(entity === '' ? {} : { entity_id: entity }) };
      const work = page.api.send('POST', `${importApiPath(page.params['id'] ?? '')}/create-missing`, body);
      return act(page, { work, done: 'created' });
    },
  }),
  signedInForm({
    id: 'import.account',
    path: `${path}/account`,
    summary: 'Say which account a file is of',
    area: 'console',
    handle(page) {
      const body = { account_id: page.fields.get('target') ?? '' };
      const work = page.api.send('PATCH', importApiPath(page.params['id'] ?? ''), body);
      return act(page, { work, done: 'checked' });
    },
  }),
  signedInForm({
    id: 'import.columns',
    path: `${path}/columns`,
    summary: 'Say what the columns of a file mean',
    area: 'console',
    handle: (page) => act(page, { work: mapColumns(page), done: 'read' }),
  }),
  signedInForm({
    id: 'import.dates',
    path: `${path}/dates`,
    summary: 'Say whether dates begin with the day or the month',
    area: 'console',
    handle(page) {
      const order = page.fields.get('date_order') ?? '';
      const address = `${importApiPath(page.params['id'] ?? '')}/check?date_order=${encodeURIComponent(order)}`;
      return act(page, { work: page.api.send('POST', address), done: 'checked' });
    },
  }),
  signedInForm({
    id: 'import.names',
    path: `${path}/names`,
    summary: 'Assign a name of an import',
    area: 'console',
    async handle(page) {
      const record = await page.api.get(importApiPath(page.params['id'] ?? ''));
      const sent = await page.api.send('POST', '/v1/identifier-mappings', mappingBody(record, page.fields));
      if (!sent.ok) return importContent(page, { refused: { fields: page.fields, problem: sent.problem } });
      return afterAnswer(page, record);
    },
  }),
  decisionsForm(importContent),
  reportsForm(importContent),
  signedInPage({
    id: 'import.undo',
    path: `${path}/undo`,
    summary: 'Undo an import: what would be undone',
    area: 'console',
    handle: (page) => undoContent(page),
  }),
  signedInForm({
    id: 'import.undo.do',
    path: `${path}/undo`,
    summary: 'Undo an import',
    area: 'console',
    async handle(page) {
      const id = page.params['id'] ?? '';
      const record = await page.api.get(importApiPath(id));
      const typed = page.fields.get(confirmationField) ?? '';
      if (!isNameTyped(importName(record), typed)) return undoContent(page, typed);
      return act(page, { work: page.api.send('POST', `${importApiPath(id)}/undo`), done: 'undone' });
    },
  }),
  signedInPage({
    id: 'import.delete',
    path: `${path}/delete`,
    summary: 'Delete an import: what would be deleted',
    area: 'console',
    handle: (page) => deleteContent(page),
  }),
  signedInForm({
    id: 'import.delete.do',
    path: `${path}/delete`,
    summary: 'Delete an import',
    area: 'console',
    async handle(page) {
      const id = page.params['id'] ?? '';
      const record = await page.api.get(importApiPath(id));
      const typed = page.fields.get(confirmationField) ?? '';
      if (!isNameTyped(importName(record), typed)) return deleteContent(page, { typed });
      const sent = await page.api.send('DELETE', importApiPath(id));
      return sent.ok ? { redirectUrl: '/console/imports' } : deleteContent(page, { problem: sent.problem });
    },
  }),
];
