// Turns a page or form handler into an HTTP operation: checks forms, renders the page layout with its security headers, and redirects
// to the canonical address, which cookies and identity providers are bound to.

import type { AppContext } from '../../actions/core/context.ts';
import { sessionCaller } from '../../actions/access/person-caller.ts';
import { newSecret } from '../../actions/access/placed-secret.ts';
import { findSession, deriveFormToken, type Session } from '../../actions/access/session.ts';
import type { IdentityProviders, ProviderFault } from '../../gateways/identity-providers.ts';
import { defined } from '../../kit/assert.ts';
import { JsonFault, readUtf8 } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ProviderKey } from '../../model/people/identity.ts';
import { pathNotFound } from '../http/pipeline/admission.ts';
import type { OpenOperation, ParsedOpenRequest } from '../http/operation/open-operation.ts';
import type { Problem } from '../http/operation/problem.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { readCookie, writeCookie } from './cookies.ts';
import { emptyHtml, html, type Html } from '../../kit/html.ts';
import { renderPage, type HtmlPage } from './layout.ts';
import { isSameOrigin, isFormTokenFor, maskFormToken } from './form-token.ts';
import { formatsOf } from './language/formats.ts';
import { isLanguage, readerAt, type Language, type Reader } from './language/reader.ts';
import type { LongWork } from './long-work.ts';
import type { FileWork, TableFile } from './tables/file-work.ts';
import type { ApiOperations, CallApi } from './page-api.ts';
import { sentenceHtml } from './parts/notes.ts';
import { problemTexts, problemTitle } from './problem-texts.ts';
import { readFormUpload, requireBoundary, type SentFile } from './form-upload.ts';
import { readArrivedFields } from '../http/bulk/multipart.ts';
import type { InFlight } from '../http/pipeline/in-flight.ts';
import type { CheckBeginning, Spool } from '../http/bulk/spool.ts';

export interface WebParts {
  readonly context: AppContext;
  readonly providers: IdentityProviders;
  /** Reports why signing in with a provider failed, for the operator who configured it. */
  onProviderFault(fault: ProviderFault, provider: ProviderKey): void;
  readonly callApi: CallApi;
  /** What the API declares, for forms and lists that are made from it. */
  readonly apiOperations: ApiOperations;
  /** Files of one person that are received from pages at the same time, and those that wait. */
  readonly uploads: InFlight;
  readonly longWork: LongWork;
  readonly fileWork: FileWork;
}

/** A parsed request for a page. */
export interface PageRequest
  extends WebParts, Pick<ParsedOpenRequest, 'requestId' | 'params' | 'search' | 'headers' | 'callerLeft'> {
  readonly reader: Reader;
  /** The fields of a sent form; empty for a page. */
  readonly fields: URLSearchParams;
  /** The file of a form that has one. */
  readonly file?: SentFile | undefined;
  /** Looks up who is signed in, at most once. */
  session(): Promise<Session | undefined>;
}

export type WebResponse = (
  | { readonly page: HtmlPage; readonly status?: number }
  | { readonly redirectUrl: string; readonly page?: undefined }
  | (TableFile & { readonly page?: undefined })
) & { readonly cookies?: readonly string[] };

export interface WebPath {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  /** The cookie that a form is bound to: the session of a signed-in person, or the visit of a browser without one. */
  readonly form?: 'session' | 'visit';
  /** The form of a signed-in person comes with a file, and has at most this many bytes with it. */
  readonly uploadBytesMax?: number;
  /** Whether only people who are signed in get more than a way to sign in. */
  readonly isForSignedIn?: true;
  /** Refuses whoever may not send the form, before anything of it is received. */
  checkUpload?(pageRequest: PageRequest): Promise<void>;
  /** Whether the page may be compressed: it shows no secret beside text that others can choose. */
  readonly isCompressible?: true;
  handle(pageRequest: PageRequest): Promise<WebResponse>;
}

const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Addresses may hold secrets and pages hold personal data: no page is cached, framed, scripted by others or named in a referrer. */
const securityHeaders = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
};

function render(response: WebResponse): RenderedResponse {
  const { cookies = [] } = response;
  if ('file' in response) return renderFile(response);
  if (response.page === undefined)
    return { status: 303, headers: { ...securityHeaders, location: response.redirectUrl }, cookies, text: null };
  const headers = { ...securityHeaders, 'content-type': 'text/html; charset=utf-8' };
  return { status: response.status ?? 200, headers, cookies, text: renderPage(response.page) };
}

function renderFile({ file, mediaType, name }: TableFile): RenderedResponse {
  const headers = { 'content-type': mediaType, 'content-disposition': `attachment; filename="${name}"` };
  return { status: 200, headers: { ...securityHeaders, ...headers }, text: null, chunks: ReadableStream.from(file) };
}

/** Whether a person looks at the answer. */
export function isBrowser({ accept = '' }: ParsedOpenRequest['headers']): boolean {
  return /\btext\/html\b/.test(accept);
}

interface ProblemPageOptions extends Pick<HtmlPage, 'refreshSeconds'> {
  readonly reader: Reader;
  /** Whether the address can be asked for again. */
  readonly isPage: boolean;
  /** In which moments are written; UTC if it is left out. */
  readonly timeZone?: string;
}

/** How soon a browser looks again whether maintenance has ended. */
const maintenanceRefreshSeconds = 30;

/** What the operator says about the mode, in the operator's own words. */
function noticeHtml({ notice }: Problem, { reader, timeZone = 'UTC' }: ProblemPageOptions): Html {
  if (notice === undefined) return emptyHtml;
  const { message, until } = notice;
  const text = problemTexts[reader.language];
  const end = until === null ? undefined : formatsOf(reader.locale).datetime(new Date(until).toISOString(), timeZone);
  return html`${message === null ? emptyHtml : html`<div class="notice"><p>${message}</p></div>`}
  ${end === undefined ? emptyHtml : html`<p>${text.until(end)}</p>`}`;
}

/** A problem that says that nothing can be used or changed now is told in the words of the reader, whoever sees it. */
function unwritablePage(problem: Problem, options: ProblemPageOptions): HtmlPage | undefined {
  const { reader, isPage } = options;
  const text = problemTexts[reader.language];
  switch (problem.code) {
    case 'maintenance':
      return {
        title: text.maintenance,
        main: html`<p>${text.maintenanceText}</p>
          ${noticeHtml(problem, options)}${isPage ? html`<p class="soft">${text.looksAgain}</p>` : emptyHtml}`,
        reader,
        ...(isPage ? { refreshSeconds: maintenanceRefreshSeconds } : {}),
      };
    case 'read-only-mode':
    case 'database-read-only':
    case 'database-full':
      return {
        title: text.readOnly,
        main: html`<p>${text.readOnlyText}</p>
          ${noticeHtml(problem, options)}
          <p><a href="/">${text.start}</a></p>
          <p class="soft">${text.support(problem.requestId)}</p>`,
        reader,
      };
    default:
      return undefined;
  }
}

function problemPage({ status, title, detail, requestId, code }: Problem, options: ProblemPageOptions): HtmlPage {
  const { reader, refreshSeconds } = options;
  const text = problemTexts[reader.language];
  const isNoPage = code === 'path-not-found';
  const said = reader.language === 'en' ? sentenceHtml(detail) : html`<span lang="en">${sentenceHtml(detail)}</span>`;
  const main = html`<p>${isNoPage ? text.noPageText : said}</p>
    ${status >= 500 ? html`` : html`<p><a href="/">${text.start}</a></p>`}
    <p class="soft">${text.support(requestId)}</p>`;
  const ownTitle = reader.language === 'en' ? title : problemTitle(text, status);
  return {
    title: isNoPage ? text.noPage : ownTitle,
    main,
    reader,
    ...(refreshSeconds === undefined ? {} : { refreshSeconds }),
  };
}

/** Renders a problem as a page; the log has the details under the request id. */
export function showProblem(problem: Problem, options: ProblemPageOptions): RenderedResponse {
  const { status, headers, code } = problem;
  const rendered = render({ status, page: unwritablePage(problem, options) ?? problemPage(problem, options) });
  const { 'www-authenticate': _, ...shownHeaders } = headers;
  return { ...rendered, problemCode: code, headers: { ...rendered.headers, ...shownHeaders } };
}

/** Nobody has signed in yet: their forms have a token and a choice. */
const visitBytesMax = 16 * 1024;
/** More than the longest filter of a limit has. The parser takes seconds for as many as would fit into a body. */
const fieldsMax = 5_000;

function hasTooManyFields(text: string): boolean {
  let count = 1;
  for (let at = text.indexOf('&'); at >= 0 && count <= fieldsMax; at = text.indexOf('&', at + 1)) count++;
  return count > fieldsMax;
}

function readFields({ contentType = '', body }: ParsedOpenRequest): URLSearchParams {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType))
    throw new Refusal('unsupported-media-type', 'Send the form as application/x-www-form-urlencoded.');
  try {
    const text = readUtf8(body);
    if (hasTooManyFields(text)) throw new Refusal('malformed-request', `A form has at most ${fieldsMax} fields.`);
    return new URLSearchParams(text);
  } catch (error) {
    if (error instanceof JsonFault) throw new Refusal('malformed-request', 'The form is not UTF-8.');
    throw error;
  }
}

/** Refuses a form that another site could have sent on a person's behalf. */
function checkForm(
  context: AppContext,
  fields: URLSearchParams,
  { headers }: ParsedOpenRequest,
  form: 'session' | 'visit',
): void {
  const secret = readCookie(headers, form, context.addresses);
  const token = fields.get('form_token') ?? '';
  if (
    isSameOrigin(headers, context.addresses.baseUrl) &&
    secret !== undefined &&
    isFormTokenFor(context, { token, secret })
  )
    return;
  throw forged();
}

function forged(): Refusal {
  const detail = 'This form has expired or was not sent from our own page. Go back, reload the page and try again.';
  return new Refusal('request-forged', detail);
}

/** The token is the first field of our forms: nothing else of a form is received before it was checked. */
const tokenBytesMax = 8 * 1024;

function tokenCheck(context: AppContext, parsed: ParsedOpenRequest, boundary: string): CheckBeginning {
  return (beginning) => {
    const token = readArrivedFields(beginning, boundary).get('form_token');
    if (token === undefined && beginning.length < tokenBytesMax) return false;
    checkForm(context, new URLSearchParams({ form_token: token ?? '' }), parsed, 'session');
    return true;
  };
}

/** Receives a form with its file: only from a person who is signed in and may send it, and only after its token was checked. */
async function handleUpload(parts: WebParts, path: WebPath, parsed: ParsedOpenRequest): Promise<WebResponse> {
  const { context, uploads } = parts;
  const request = toPageRequest(parts, { path: path.path }, parsed);
  const session = isSameOrigin(parsed.headers, context.addresses.baseUrl) ? await request.session() : undefined;
  if (session === undefined) throw forged();
  await path.checkUpload?.(request);
  const boundary = requireBoundary(parsed.contentType);
  const { workspaceId, personId } = session.access;
  const person = `${workspaceId}/${personId}`;
  await uploads.enter(person, parsed.callerLeft);
  let [spool, upload]: [Spool?, Awaited<ReturnType<typeof readFormUpload>>?] = [];
  const release = async (): Promise<void> => {
    uploads.leave(person);
    await spool?.discard();
  };
  try {
    const bytesMax = defined(path.uploadBytesMax, 'the path of an upload');
    spool = await parsed.receiveUpload(bytesMax, tokenCheck(context, parsed, boundary));
    upload = await readFormUpload(spool, boundary);
    const { fields, file } = upload;
    checkForm(context, fields, parsed, 'session');
    return await path.handle({ ...request, fields, file });
  } finally {
    const use = upload?.useAfterAnswer();
    if (use === undefined) await release();
    // What was received is a file without a name: nothing is left of it even if closing fails.
    else use.then(release).catch(() => {});
  }
}

function toPageRequest(
  parts: WebParts,
  { path, form }: Pick<WebPath, 'path' | 'form'>,
  parsed: ParsedOpenRequest,
): PageRequest {
  const { context } = parts;
  const { params, search, headers, requestId, callerLeft } = parsed;
  const reader = readerFor(path, headers, context);
  const fields = form === undefined ? new URLSearchParams() : readFields(parsed);
  if (form !== undefined) checkForm(context, fields, parsed, form);
  const secret = readCookie(headers, 'session', context.addresses);
  let session: Promise<Session | undefined> | undefined;
  const lookUp = async (): Promise<Session | undefined> => {
    const found = secret === undefined ? undefined : await findSession(context, secret);
    if (found !== undefined) parsed.noteCaller(sessionCaller(found.access));
    return found;
  };
  const own = { params, search, headers, requestId, callerLeft };
  return { ...parts, ...own, reader, fields, session: () => (session ??= lookUp()) };
}

function readerFor(path: string, headers: ParsedOpenRequest['headers'], context: AppContext): Reader {
  return readerAt(path, { acceptLanguage: headers['accept-language'], chosen: readChoice(headers, context) });
}

/** The language that the person has chosen in this browser. */
function readChoice(headers: ParsedOpenRequest['headers'], { addresses }: AppContext): { language?: Language } {
  const language = readCookie(headers, 'language', addresses) ?? '';
  return isLanguage(language) ? { language } : {};
}

/** Returns the address to redirect to if the request came in under another host name than the configured one. */
function canonicalAddress(
  { context }: WebParts,
  { method, path }: WebPath,
  parsed: ParsedOpenRequest,
): string | undefined {
  const { baseUrl } = context.addresses;
  if ((parsed.headers.host ?? '').toLowerCase() === new URL(baseUrl).host) return undefined;
  if (method !== 'GET') throw pathNotFound();
  const filledPath = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) =>
    encodeURIComponent(parsed.params[name] ?? ''),
  );
  return `${baseUrl}${filledPath}${parsed.search === '' ? '' : `?${parsed.search}`}`;
}

/** A page that has called the API knows only what the API answers in text. */
function withNotice(problem: Problem, { operatorMode }: AppContext): Problem {
  return problem.code === 'read-only-mode' ? { ...problem, notice: operatorMode.current } : problem;
}

export function webOperation(parts: WebParts, path: WebPath): OpenOperation {
  return {
    id: `console.${path.id}`,
    host: 'base',
    method: path.method,
    path: path.path,
    summary: path.summary,
    group: 'console',
    responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
    ...(path.isCompressible === true ? { isCompressible: true } : {}),
    ...(path.isForSignedIn === true ? { isForSignedIn: true } : {}),
    ...(path.uploadBytesMax === undefined ? {} : { isUpload: true }),
    ...(path.form === 'visit' ? { bodyBytesMax: visitBytesMax } : {}),
    // What another host serves gets the plain answer of the API, unless a browser asks.
    showProblem: (problem, { headers }) =>
      problem.code === 'path-not-found' && !isBrowser(headers)
        ? undefined
        : showProblem(withNotice(problem, parts.context), {
            reader: readerFor(path.path, headers, parts.context),
            isPage: path.method === 'GET',
            timeZone: parts.context.timeZone,
          }),
    async handle(parsed) {
      const canonicalUrl = canonicalAddress(parts, path, parsed);
      if (canonicalUrl !== undefined) return render({ redirectUrl: canonicalUrl });
      if (path.uploadBytesMax !== undefined) return render(await handleUpload(parts, path, parsed));
      return render(await path.handle(toPageRequest(parts, path, parsed)));
    },
  };
}

/** The token for forms of a browser without a session, and the cookie that it is bound to if there was none yet. */
export function visitorFormToken({ context, headers }: PageRequest): {
  readonly formToken: string;
  readonly cookies: readonly string[];
} {
  const existingSecret = readCookie(headers, 'visit', context.addresses);
  const secret = existingSecret ?? newSecret();
  const cookies = existingSecret === undefined ? [writeCookie('visit', context.addresses, { value: secret })] : [];
  return { formToken: maskFormToken(deriveFormToken(context, secret)), cookies };
}

/** The token for the forms of a signed-in person. */
export function sessionFormToken({ context, headers }: PageRequest): string {
  return maskFormToken(deriveFormToken(context, readCookie(headers, 'session', context.addresses) ?? ''));
}
