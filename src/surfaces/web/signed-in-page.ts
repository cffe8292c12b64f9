// Pages and forms of signed-in people. A page names its address and returns its content; this file finds the person and their language, gives
// them the API, draws menu and layout, and serves any table of the page as CSV or XLSX (`?table=<id>&format=csv`).

import { createHash } from 'node:crypto';
import type { Session } from '../../actions/access/session.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import { sessionCaller } from '../../actions/access/person-caller.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Html } from '../../kit/html.ts';
import { pathNotFound } from '../http/pipeline/admission.ts';
import { formatsOf, type Formats } from './language/formats.ts';
import type { Reader } from './language/reader.ts';
import type { LongWork } from './long-work.ts';
import { menuFor, type Area } from './menu.ts';
import { PageApi } from './page-api.ts';
import type { SentFile } from './form-upload.ts';
import { fileReadyPage, fileUnderWayPage, takeParameter } from './tables/file-page.ts';
import { FileSink } from './tables/file-sink.ts';
import type { FileProgress, NoteRows, TableFile } from './tables/file-work.ts';
import { csvMediaType, writeTableCsv, writeTableXlsx, xlsxMediaType } from './tables/table-files.ts';
import type { Table } from './tables/table.ts';
import { isBrowser, sessionFormToken, type PageRequest, type WebPath, type WebResponse } from './web-path.ts';

/** What a page knows of its request. */
export interface Page {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The fields of a sent form; empty for a page. */
  readonly fields: URLSearchParams;
  /** The file of a form that has one. */
  readonly file: SentFile | undefined;
  /** Its own path and query, without `table` and `format`. */
  readonly address: string;
  readonly reader: Reader;
  readonly formats: Formats;
  readonly api: PageApi;
  readonly access: PersonAccess;
  /** For the hidden field of its forms: `tokenField(page.formToken)`. */
  readonly formToken: string;
  /** Says how many rows of a file were read so far, for those who wait for it. */
  readonly noteRows: NoteRows;
  readonly longWork: LongWork;
  readonly now: number;
  /** The time zone of the workspace: its days begin and end there. */
  readonly timeZone: string;
}

export interface PageContent {
  readonly title: string;
  readonly main: Html;
  /** A sentence below the title. */
  readonly lede?: Html;
  /** Every table of the page, so that it can be taken along as a file. */
  readonly tables?: readonly Table[];
  /** The refusal that the page shows in place of its content; it is the answer to whoever asks for a file. */
  readonly refusal?: Refusal;
  /** The names of the islands that the page uses: files in `islands/`. */
  readonly islands?: readonly string[];
  /** After how many seconds a browser without scripts looks again, while work goes on. */
  readonly refreshSeconds?: number;
  /** The address that the browser continues to by itself. */
  readonly continueUrl?: string;
  readonly status?: number;
}

export type PageAnswer =
  | PageContent
  | { readonly redirectUrl: string; readonly title?: undefined }
  | (TableFile & { readonly title?: undefined });

interface SignedInPath {
  readonly id: string;
  /** With parameters in braces: `/entities/{id}/holdings`. */
  readonly path: string;
  readonly summary: string;
  readonly area: Area;
  /** The page shows a secret, and is not compressed. */
  readonly showsSecret?: true;
  /** The form comes with a file, and has at most this many bytes with it. */
  readonly uploadBytesMax?: number;
  /** Of a form with a file: refuses whoever may not send it, before anything of it is received. */
  checkUpload?(page: Page): Promise<void>;
  handle(page: Page): Promise<PageAnswer>;
}

/** A page at its address. */
export function signedInPage(path: SignedInPath): WebPath {
  return { ...common(path), method: 'GET', handle: (request) => answer(request, { ...path, hasFiles: true }) };
}

/** A form that is sent to its address. It usually redirects to a page, or shows the page again with what was wrong. */
export function signedInForm(path: SignedInPath): WebPath {
  const handle = (request: PageRequest): Promise<WebResponse> => answer(request, { ...path, hasFiles: false });
  const { checkUpload } = path;
  return {
    ...common(path),
    method: 'POST',
    form: 'session',
    ...(checkUpload === undefined ? {} : { checkUpload: (request) => checkFormWithFile(request, path, checkUpload) }),
    handle,
  };
}

function common(path: SignedInPath): Pick<WebPath, 'id' | 'path' | 'summary' | 'isForSignedIn'> {
  const { id, path: address, summary, showsSecret, uploadBytesMax } = path;
  return {
    id,
    path: address,
    summary,
    isForSignedIn: true,
    ...(showsSecret === true ? {} : { isCompressible: true }),
    ...(uploadBytesMax === undefined ? {} : { uploadBytesMax }),
  };
}

async function checkFormWithFile(
  request: PageRequest,
  path: SignedInPath,
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const session = await request.session();
  if (session !== undefined) await check(toPage(request, { ...path, hasFiles: false }, session));
}

/** Only a page has files; what a form is sent to is done once. */
type AnsweredPath = SignedInPath & { readonly hasFiles: boolean };

async function answer(request: PageRequest, path: AnsweredPath): Promise<WebResponse> {
  const session = await request.session();
  if (session === undefined) return { redirectUrl: '/sign-in' };
  const page = toPage(request, path, session);
  const answered = wantsFile(request, path) ? await answerFile(request, path, page) : await path.handle(page);
  return answered.title === undefined ? answered : showContent(session, { page, area: path.area, content: answered });
}

/** The file itself, or a page that says how far it is. */
async function answerFile(request: PageRequest, path: SignedInPath, page: Page): Promise<PageAnswer> {
  const { access, query, address, reader } = page;
  // Whoever may see something else by now gets another file.
  const parts = [access, reader, address, query.get('table'), query.get('format')];
  const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  const isPatient = !isBrowser(request.headers);
  const isTaken = isPatient || query.has(takeParameter);
  const found = await request.fileWork.get(access, key, {
    isPatient,
    isTaken,
    async make(progress) {
      const content = await path.handle({ ...page, noteRows: progress.noteRows });
      if (content.title === undefined) throw noSuchTable();
      return tableFile(content, query, progress);
    },
  });
  if (!('file' in found)) return fileUnderWayPage(page, found.rows);
  if (found.isNew || isTaken) return found.file;
  return fileReadyPage(page);
}

interface ShownContent {
  readonly page: Page;
  readonly area: Area;
  readonly content: PageContent;
}

function showContent({ access }: Session, { page, area, content }: ShownContent): WebResponse {
  const { title, main, lede, islands, refreshSeconds, continueUrl, status } = content;
  return {
    ...(status === undefined ? {} : { status }),
    page: {
      title,
      main,
      width: 'wide',
      reader: page.reader,
      signedIn: {
        name: access.name,
        formToken: page.formToken,
        environment: access.environment,
        menu: menuFor(access, {
          reader: page.reader,
          area,
          address: page.address,
          mayRead: (apiPath) => page.api.may('GET', apiPath),
        }),
      },
      calls: page.api.calls,
      area,
      ...(lede === undefined ? {} : { lede }),
      ...(islands === undefined ? {} : { islands }),
      ...(refreshSeconds === undefined ? {} : { refreshSeconds }),
      ...(continueUrl === undefined ? {} : { continueUrl }),
    },
  };
}

const fileParameters: ReadonlySet<string> = new Set(['table', 'format', takeParameter]);

/** Ids, names and days. Anything else could lead a page's own calls to another path. */
function isPlainParameter(text: string): boolean {
  return /^[\w.-]{1,200}$/.test(text);
}

function wantsFile({ search }: PageRequest, { hasFiles }: AnsweredPath): boolean {
  return hasFiles && new URLSearchParams(search).has('format');
}

function toPage(request: PageRequest, answered: AnsweredPath, { access, id: sessionId }: Session): Page {
  if (!Object.values(request.params).every(isPlainParameter)) throw pathNotFound();
  const { params, fields, file, reader, callApi, apiOperations, requestId, context, longWork } = request;
  const query = new URLSearchParams(request.search);
  const { path, hasFiles } = answered;
  const isFile = wantsFile(request, answered);
  // A file is made also for a browser that comes back for it, and a form is carried out to its end.
  const callerLeft = hasFiles && !isFile ? request.callerLeft : undefined;
  const own = new URLSearchParams([...query].filter(([name]) => !fileParameters.has(name)));
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(params[name] ?? ''));
  return {
    params,
    query,
    fields,
    file,
    reader,
    access,
    noteRows: () => {},
    longWork,
    address: own.size === 0 ? filled : `${filled}?${own.toString()}`,
    formats: formatsOf(reader.locale),
    api: new PageApi({
      callApi,
      operations: apiOperations,
      requestId,
      caller: sessionCaller(access, sessionId),
      callerLeft,
      waitsForBudget: isFile,
    }),
    formToken: sessionFormToken(request),
    now: context.clock.now(),
    timeZone: context.timeZone,
  };
}

/** Files have the table's id as their name: names of clients could hold anything. */
async function tableFile(
  { tables = [], refusal }: PageContent,
  query: URLSearchParams,
  { noteBytes }: FileProgress,
): Promise<TableFile> {
  if (refusal !== undefined) throw refusal;
  const format = query.get('format');
  const table = tables.find(({ id }) => id === query.get('table'));
  if (table?.picture !== undefined && format === 'svg') {
    return { file: [Buffer.from(table.picture())], mediaType: 'image/svg+xml', name: `${table.id}.svg` };
  }
  if (table === undefined || (format !== 'csv' && format !== 'xlsx')) {
    throw noSuchTable();
  }
  const name = `${table.id}.${format}`;
  const sink = new FileSink(noteBytes);
  if (format === 'csv') {
    await writeTableCsv(table, sink);
    return { file: sink.pieces, mediaType: csvMediaType, name };
  }
  await writeTableXlsx(table, sink);
  return { file: sink.pieces, mediaType: xlsxMediaType, name };
}

function noSuchTable(): Refusal {
  return new Refusal('path-not-found', 'This page has no such table. Go back and choose a table of the page.');
}
