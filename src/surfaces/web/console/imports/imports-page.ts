// The console's imports: the list with states and counts, and the form that a file is dropped into.

import { html, type Html } from '../../../../kit/html.ts';
import { card } from '../../parts/parts.ts';
import { emptyState } from '../../parts/notes.ts';
import { filterForm, postForm } from '../../parts/forms.ts';
import type { Field } from '../../parts/field.ts';
import type { ApiProblem } from '../../page-api.ts';
import { signedInForm, signedInPage, type Page, type PageContent } from '../../signed-in-page.ts';
import type { Column, Row, Table } from '../../tables/table.ts';
import { consoleTable, nameFinder, readOptions, type Option } from '../console-table.ts';
import { checkFile, workNote, workPath } from './import-work.ts';
import { importName, outcomes, outcomeTitle, stateTitle } from './import-words.ts';
import { listRows } from '../../tables/list-rows.ts';

const path = '/console/imports';
/** As POST /v1/imports takes, with its form around it. */
const uploadBytesMax = 1024 * 1024 * 1024;

const anyOption = (title: string): Option => ({ value: '', title });

interface Choices {
  readonly clients: readonly Option[];
  readonly profiles: readonly Option[];
}

async function readChoices(page: Page): Promise<Choices> {
  const [clients, profiles] = await Promise.all([
    readOptions(page, '/v1/clients'),
    readOptions(page, '/v1/import-profiles'),
  ]);
  return { clients, profiles };
}

function uploadFields({ clients, profiles }: Choices, chosen: URLSearchParams): Field[] {
  const select = (name: string, label: string, options: readonly Option[], hint: string): Field => ({
    kind: 'select',
    form: 'upload',
    name,
    label,
    hint,
    options,
    value: chosen.get(name) ?? '',
  });
  return [
    {
      kind: 'file',
      form: 'upload',
      name: 'file',
      label: 'File',
      hint: 'Choose it or drop it here: camt, MT940, MT535, MT536, semt, QIF, OFX, IBKR Flex or CSV, up to 1 GiB. Its format is recognised by its content.',
      isRequired: true,
    },
    select(
      'client_id',
      'Client',
      [anyOption('Say it later, or a file of prices or rates for all'), ...clients],
      'Whose accounts the file names. What the file leaves open is asked on the next page.',
    ),
    select(
      'profile',
      'Columns of a CSV file',
      [anyOption('Recognised by its header'), ...profiles],
      'A mapping profile says what the columns mean.',
    ),
  ];
}

function importsTable(rows: Pick<Table, 'rows' | 'fileRows'>): Table {
  return {
    id: 'imports',
    caption: 'Imports, the newest first',
    columns: [
      { key: 'name', title: 'File or feed', kind: 'text' },
      { key: 'state', title: 'State', kind: 'text' },
      { key: 'client', title: 'Client', kind: 'text' },
      { key: 'format', title: 'Format', kind: 'text' },
      { key: 'rows', title: 'Rows', kind: 'number', digits: 0 },
      ...outcomes.map((name): Column => ({
        key: name,
        title: outcomeTitle(name, 'booked'),
        kind: 'number',
        digits: 0,
      })),
      { key: 'date', title: 'Sent', kind: 'date' },
    ],
    ...rows,
  };
}

function importRow(clients: readonly Option[]): (record: any) => Row {
  const nameOf = nameFinder(clients);
  return (record) => ({
    cells: [
      { value: importName(record), href: `${path}/${record.id}` },
      { value: stateTitle(record.state) },
      { value: record.client_id === null ? 'All' : nameOf(record.client_id) },
      { value: record.format },
      { value: String(record.counts.rows) },
      ...outcomes.map((name) => ({ value: String(record.counts[name]) })),
      { value: record.created_at.slice(0, 10) },
    ],
  });
}

const filters = ['client_id', 'state', 'origin'] as const;

function listFilter(page: Page, clients: readonly Option[]): Html {
  const select = (name: string, label: string, options: readonly Option[]): Field => ({
    kind: 'select',
    form: 'filter',
    name,
    label,
    options: [anyOption('All'), ...options],
    value: page.query.get(name) ?? '',
  });
  const states = ['checked', 'booked', 'undone'].map((value) => ({ value, title: stateTitle(value) }));
  const origins = [
    { value: 'file', title: 'Files' },
    { value: 'feed', title: 'Feeds' },
  ];
  return filterForm({
    path,
    reader: page.reader,
    isFiltered: filters.some((name) => (page.query.get(name) ?? '') !== ''),
    fields: [
      select('client_id', 'Client', clients),
      select('state', 'State', states),
      select('origin', 'From', origins),
    ],
  });
}

interface Refused {
  readonly problem: ApiProblem;
  readonly fields: URLSearchParams;
}

async function importsContent(page: Page, refused?: Refused): Promise<PageContent> {
  const chosen = refused?.fields ?? page.query;
  const filter = Object.fromEntries(filters.map((name) => [name, page.query.get(name)]));
  const cursor = page.query.get('cursor') ?? undefined;
  const [choices, underWay, list] = await Promise.all([
    readChoices(page),
    page.api.get('/v1/import-work'),
    page.api.get('/v1/imports', { limit: '50', cursor, ...filter }),
  ]);
  const rows = listRows(page, {
    list: { path: '/v1/imports', query: filter },
    shown: list.data,
    rowsOf: importRow(choices.clients),
  });
  const table = importsTable(rows);
  const isEmpty = list.data.length === 0 && cursor === undefined && Object.values(filter).every((value) => !value);
  const form = postForm({
    id: 'upload',
    action: path,
    formToken: page.formToken,
    reader: page.reader,
    fields: uploadFields(choices, chosen),
    buttons: [{ title: 'Check the file' }],
    ...(refused === undefined ? {} : { messages: messagesOf(refused.problem) }),
  });
  const shown = isEmpty
    ? emptyState({ title: 'Nothing was imported yet', text: 'Send the first file of a custodian with the form above.' })
    : html`${listFilter(page, choices.clients)} ${consoleTable(page, table, list.next_cursor)}`;
  return {
    title: 'Imports',
    lede: html`A file is checked first. Nothing is booked before you have seen what would become of its rows.`,
    main: html`${workNote(underWay)}${card('Import a file', form)} ${card('All imports', shown)}`,
    tables: [table],
    ...(refused === undefined ? {} : { status: refused.problem.status }),
  };
}

/** Where reading ended, where the file could not be read. */
function messagesOf({ detail, errors }: ApiProblem): string[] {
  const line = errors.find(({ code }) => code === 'unreadable-file')?.pointer?.slice(1);
  return [line === undefined ? detail : `Line ${line}: ${detail}`];
}

const noFile: ApiProblem = {
  status: 422,
  code: 'malformed-request',
  title: 'No file',
  detail: 'No file was chosen, or it is empty. Choose the file of a custodian.',
  errors: [],
};

export const importsPaths = [
  signedInPage({
    id: 'imports',
    path,
    summary: 'Imports with their states and counts',
    area: 'console',
    handle: (page) => importsContent(page),
  }),
  signedInForm({
    id: 'imports.upload',
    path,
    summary: 'Check a file',
    area: 'console',
    uploadBytesMax,
    checkUpload: async ({ api }) => api.require('POST', '/v1/imports'),
    async handle(page) {
      const { file, fields } = page;
      if (file === undefined) return importsContent(page, { problem: noFile, fields });
      const names = ['client_id', 'profile'];
      const query = Object.fromEntries(names.map((name) => [name, fields.get(name)]));
      const name = file.fileName?.slice(0, 200);
      const work = page.api.upload('/v1/imports', { ...query, file_name: name }, { chunks: file.chunks() });
      file.keepFor(work);
      const sent = await checkFile(page, work);
      if (sent === undefined) return { redirectUrl: workPath };
      if (!sent.ok) return importsContent(page, { problem: sent.problem, fields });
      return { redirectUrl: `${path}/${sent.body.id}` };
    },
  }),
];
