// The page of one import: what was recognised, what waits for a name, what booking would do or did, and booking and undoing it.

import { emptyHtml, html, type Html } from '../../../../kit/html.ts';
import { withParameters } from '../../parts/address.ts';
import { confirmationField, dangerConfirmation, isNameTyped } from '../../parts/danger.ts';
import { postForm } from '../../parts/forms.ts';
import { definitionList, note } from '../../parts/notes.ts';
import { card, chips } from '../../parts/parts.ts';
import type { ApiProblem, Sent } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageAnswer, type PageContent } from '../../signed-in-page.ts';
import { consoleTable } from '../console-table.ts';
import { mappingBody, readWaitingNames, waitingNamesCard } from './import-names.ts';
import { rowsTable } from './import-rows.ts';
import { importName, importState, outcomes, outcomeTitle, type Outcome } from './import-words.ts';
import { workBar, workingPage } from './import-work.ts';

const path = '/console/imports/{id}';
const addressOf = (id: string): string => `/console/imports/${encodeURIComponent(id)}`;
const apiPath = (id: string): string => `/v1/imports/${encodeURIComponent(id)}`;

interface Refused {
  readonly fields: URLSearchParams;
  readonly problem: ApiProblem;
}

async function importContent(page: Page, refused?: Refused): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const [record, underWay] = await Promise.all([
    page.api.get(apiPath(id)),
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
  const [rows, names, client, accounts] = await Promise.all([
    page.api.get(`${apiPath(id)}/rows`, { limit: '50', outcome, cursor }),
    isOpen && record.counts.needs > 0 ? readWaitingNames(page, id) : [],
    record.client_id === null ? undefined : page.api.find(`/v1/clients/${record.client_id}`),
    record.client_id === null ? [] : accountNames(page, record.client_id),
  ]);
  const list = { path: `${apiPath(id)}/rows`, query: { outcome } };
  const table = rowsTable(page, { list, shown: rows.data, record, accounts: new Map(accounts) });
  const waiting = await waitingNamesCard(page, record, { names, refused });
  const main = html`${problem === undefined ? emptyHtml : note(problem.detail, { tone: 'danger', isLive: true })}${doneNote(page)}${steps(record)}${factsCard(page, record, client)}${warningNotes(record)}${notKeptNote(page, record)}${waiting}
  ${actCard(page, record, refused)}
  ${card('Rows', html`${outcomeChips(page, record, outcome)}${consoleTable(page, table, rows.next_cursor)}`)}`;
  return {
    title: importName(record),
    main,
    tables: [table],
    ...(refused === undefined ? {} : { status: refused.problem.status }),
  };
}

async function accountNames(page: Page, client: string): Promise<readonly (readonly [string, string])[]> {
  const { data } = await page.api.list('/v1/accounts', { client_id: client }, 500);
  return data.map(({ id, name }) => [id, name] as const);
}

const doneTexts: Readonly<Record<string, string>> = {
  mapped: 'The mapping is kept. Booking looks the rows up again with it.',
  booked: 'The import was booked.',
  undone: 'The import was undone.',
};

function doneNote({ query }: Page): Html {
  const text = doneTexts[query.get('done') ?? ''];
  return text === undefined ? emptyHtml : note(text, { tone: 'good', isLive: true });
}

/** The way of a file, and how far it has come. */
function steps({ state, counts, origin }: any): Html {
  const current = state === 'checked' ? (counts.needs > 0 ? 1 : 2) : state === 'booked' ? 3 : 4;
  const titles = [
    origin === 'feed' ? 'Received' : 'Recognised',
    'Names assigned',
    'Checked',
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

/** Rows that are counted and not kept one by one, by their problem. */
function notKeptNote(page: Page, { not_kept: notKept }: any): Html {
  if (notKept.rows === 0) return emptyHtml;
  const count = (value: number): string => page.formats.number(String(value), 0);
  return note(
    html`<p>
        ${count(notKept.rows)} rows are counted and not kept one by one. Correct the file and send it again: rows that
        are known by then change nothing.
      </p>
      <ul>
        ${notKept.problems
          .slice(0, 20)
          .map(
            ({ rows, detail, first_line: line }: any) =>
              html`<li>${count(rows)} rows, the first on line ${count(line)}: ${detail}</li>`,
          )}
      </ul>`,
    { tone: 'warn' },
  );
}

function warningNotes({ warnings }: any): Html[] {
  return warnings.slice(0, 20).map(({ detail }: any) => note(detail, { tone: 'warn' }));
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

/** What can be done with it now. */
function actCard(page: Page, record: any, refused: Refused | undefined): Html {
  const { state, counts } = record;
  const deletion = html`<p><a class="button danger" href="${addressOf(record.id)}/delete">Delete the import…</a></p>`;
  if (state === 'undone')
    return card(
      'Delete',
      html`<p>It was undone. Send the file again to import it again.</p>
        ${deletion}`,
    );
  const open = counts.needs + counts.refused;
  const undo = html`<p><a class="button danger" href="${addressOf(record.id)}/undo">Undo the import…</a></p>`;
  if (state === 'booked' && open === 0) return card('Undo', undo);
  const isFirst = state === 'checked';
  const text = isFirst
    ? `Booking writes ${counts.booked} new and ${counts.amended} changed rows, against the ledger as it is now. Rows that wait or are refused stay out and can be booked later.`
    : `${open} rows are not booked. Assign what they name, or correct the records, and book again: only those rows are tried.`;
  const act = postForm({
    action: `${addressOf(record.id)}/book`,
    formToken: page.formToken,
    reader: page.reader,
    fields: [
      {
        kind: 'checkbox',
        name: 'create_instruments',
        label: 'Create instruments that are missing, from what the file says about them',
      },
    ],
    buttons: [{ title: isFirst ? 'Book' : 'Book the rest' }],
    ...(refused === undefined || refused.fields.has('kind') ? {} : { messages: [refused.problem.detail] }),
  });
  return card(
    isFirst ? 'Book' : 'Book the rest, or undo',
    html`<p>${text}</p>
      ${act}${isFirst ? deletion : undo}`,
  );
}

async function deleteContent(
  page: Page,
  { typed, problem }: { typed?: string; problem?: ApiProblem } = {},
): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const record = await page.api.get(apiPath(id));
  const name = importName(record);
  const count = page.formats.number(String(record.counts.rows), 0);
  const main = html`${problem === undefined ? emptyHtml : note(problem.detail, { tone: 'danger', isLive: true })}${dangerConfirmation(
    {
      name,
      action: `${addressOf(id)}/delete`,
      formToken: page.formToken,
      cancelHref: addressOf(id),
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

/** Books or undoes; what takes long goes on while the page shows that it does. */
async function act(page: Page, verb: 'book' | 'undo', query: string): Promise<PageAnswer> {
  const id = page.params['id'] ?? '';
  const address = addressOf(id);
  const work = page.api.send('POST', `${apiPath(id)}/${verb}${query}`);
  const sent: Sent | undefined = await page.longWork.wait(page.access, workKey(id), work, page.now);
  if (sent === undefined) return { redirectUrl: address };
  if (!sent.ok) return importContent(page, { fields: page.fields, problem: sent.problem });
  return { redirectUrl: `${address}?done=${verb === 'book' ? 'booked' : 'undone'}` };
}

async function undoContent(page: Page, typed?: string): Promise<PageContent> {
  const id = page.params['id'] ?? '';
  const record = await page.api.get(apiPath(id));
  const name = importName(record);
  const count = page.formats.number(String(record.counts.booked + record.counts.amended), 0);
  const main = dangerConfirmation({
    name,
    action: `${addressOf(id)}/undo`,
    formToken: page.formToken,
    cancelHref: addressOf(id),
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
    handle: (page) =>
      act(page, 'book', page.fields.get('create_instruments') === 'true' ? '?create_instruments=true' : ''),
  }),
  signedInForm({
    id: 'import.names',
    path: `${path}/names`,
    summary: 'Assign a name of an import',
    area: 'console',
    async handle(page) {
      const id = page.params['id'] ?? '';
      const record = await page.api.get(apiPath(id));
      const sent = await page.api.send('POST', '/v1/identifier-mappings', mappingBody(record, page.fields));
      if (!sent.ok) return importContent(page, { fields: page.fields, problem: sent.problem });
      return { redirectUrl: `${addressOf(id)}?done=mapped` };
    },
  }),
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
      const record = await page.api.get(apiPath(page.params['id'] ?? ''));
      const typed = page.fields.get(confirmationField) ?? '';
      return isNameTyped(importName(record), typed) ? act(page, 'undo', '') : undoContent(page, typed);
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
      const record = await page.api.get(apiPath(id));
      const typed = page.fields.get(confirmationField) ?? '';
      if (!isNameTyped(importName(record), typed)) return deleteContent(page, { typed });
      const sent = await page.api.send('DELETE', apiPath(id));
      return sent.ok ? { redirectUrl: '/console/imports' } : deleteContent(page, { problem: sent.problem });
    },
  }),
];
