// One path of the console: a page, or a form that was sent. Frames its answer, sees to it that forms are our own, and that everything
// happens under the one address that cookies and providers know. Knows no page.

import type { AppContext } from '../../actions/core/context.ts';
import type { OverviewRow } from '../../actions/people/person-overview.ts';
import type { PersonAccess } from '../../model/access/person-access.ts';
import { findSession, deriveFormToken, newSecret, type Session } from '../../actions/access/session.ts';
import type { IdentityProviders, ProviderFault } from '../../gateways/identity-providers.ts';
import { JsonFault, readUtf8 } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ProviderKey } from '../../model/people/identity.ts';
import { pathNotFound } from '../http/pipeline/admission.ts';
import type { OpenOperation, ParsedOpenRequest } from '../http/operation/open-operation.ts';
import type { Problem } from '../http/operation/problem.ts';
import type { RenderedResponse } from '../http/operation/rendered-response.ts';
import { isHttps, readCookie, writeCookie } from './cookies.ts';
import { html } from '../../kit/html.ts';
import { renderPage, type HtmlPage } from './layout.ts';
import { isSameOrigin, isFormTokenFor } from './form-token.ts';

export interface WebParts {
  readonly context: AppContext;
  readonly providers: IdentityProviders;
  /** Hears why a provider could not be signed in with: whoever set it up has to mend it. */
  onProviderFault(fault: ProviderFault, provider: ProviderKey): void;
  /** What somebody may read, at a glance. */
  readOverview(access: PersonAccess): Promise<readonly OverviewRow[]>;
}

/** A request for a page, taken apart. */
export interface PageRequest extends WebParts {
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  readonly headers: ParsedOpenRequest['headers'];
  /** What the form holds; nothing where it is no form. */
  readonly fields: URLSearchParams;
  /** Who is signed in; looked up when it is asked for. */
  session(): Promise<Session | undefined>;
}

export type WebResponse = (
  | { readonly page: HtmlPage; readonly status?: number }
  | { readonly redirectUrl: string; readonly page?: undefined }
) & { readonly cookies?: readonly string[] };

export interface WebPath {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  /** Whose the form is: of somebody who is signed in, or of a browser in which nobody need be. */
  readonly dateFormat?: 'session' | 'visit';
  handle(pageRequest: PageRequest): Promise<WebResponse>;
}

const policy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** On every page: addresses hold secrets, pages hold what is somebody's own, and nothing of it is for frames or scripts. */
function securityHeaders({ context }: WebParts): Record<string, string> {
  return {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    ...(isHttps(context.addresses) ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

function render(parts: WebParts, response: WebResponse): RenderedResponse {
  const { cookies = [] } = response;
  if (response.page === undefined)
    return { status: 303, headers: { ...securityHeaders(parts), location: response.redirectUrl }, cookies, text: null };
  const headers = { ...securityHeaders(parts), 'content-type': 'text/html; charset=utf-8' };
  return { status: response.status ?? 200, headers, cookies, text: renderPage(response.page) };
}

/** In a page's own words; what a program would want to know stands in the log under the request's id. */
function showProblem(parts: WebParts, { status, title, detail, headers, requestId }: Problem): RenderedResponse {
  const main = html`<p>${detail}</p>
    <p class="soft">If it stays like this, tell us the number of your request: ${requestId}.</p>`;
  const rendered = render(parts, { status, page: { title, main } });
  const { 'www-authenticate': _, ...shownHeaders } = headers;
  return { ...rendered, headers: { ...rendered.headers, ...shownHeaders } };
}

function readFields({ contentType = '', body }: ParsedOpenRequest): URLSearchParams {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType))
    throw new Refusal('unsupported-media-type', 'A form is sent as application/x-www-form-urlencoded.');
  try {
    return new URLSearchParams(readUtf8(body));
  } catch (error) {
    if (error instanceof JsonFault) throw new Refusal('malformed-request', 'The form is not UTF-8.');
    throw error;
  }
}

/** What somebody else's page could have sent on a person's behalf is not done. */
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
  throw new Refusal(
    'request-forged',
    'This form is too old, or was not sent from our own page. Go back, load the page again, and try once more.',
  );
}

function toPageRequest(parts: WebParts, { dateFormat: form }: WebPath, parsed: ParsedOpenRequest): PageRequest {
  const { context } = parts;
  const { params, search, headers } = parsed;
  const fields = form === undefined ? new URLSearchParams() : readFields(parsed);
  if (form !== undefined) checkForm(context, fields, parsed, form);
  const secret = readCookie(headers, 'session', context.addresses);
  let session: Promise<Session | undefined> | undefined;
  const lookUp = async (): Promise<Session | undefined> =>
    secret === undefined ? undefined : findSession(context, secret);
  return { ...parts, params, search, headers, fields, session: () => (session ??= lookUp()) };
}

/** Cookies and providers know one address: whoever came by another name of it is sent there. */
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

export function webOperation(parts: WebParts, path: WebPath): OpenOperation {
  return {
    id: `console.${path.id}`,
    host: 'base',
    method: path.method,
    path: path.path,
    summary: path.summary,
    group: 'console',
    responses: { 200: { description: 'A page.', mediaType: 'text/html' } },
    // What is not there has no page to say so: nobody was led to it.
    showProblem: (problem) => (problem.code === 'path-not-found' ? undefined : showProblem(parts, problem)),
    async handle(parsed) {
      const canonicalUrl = canonicalAddress(parts, path, parsed);
      if (canonicalUrl !== undefined) return render(parts, { redirectUrl: canonicalUrl });
      return render(parts, await path.handle(toPageRequest(parts, path, parsed)));
    },
  };
}

/** The token for forms that nobody need be signed in for, with the cookie it is bound to where there was none. */
export function visitorFormToken({ context, headers }: PageRequest): {
  readonly formToken: string;
  readonly cookies: readonly string[];
} {
  const existingSecret = readCookie(headers, 'visit', context.addresses);
  const secret = existingSecret ?? newSecret();
  const cookies = existingSecret === undefined ? [writeCookie('visit', context.addresses, { value: secret })] : [];
  return { formToken: deriveFormToken(context, secret), cookies };
}

/** The token for the forms of whoever is signed in. */
export function sessionFormToken({ context, headers }: PageRequest): string {
  return deriveFormToken(context, readCookie(headers, 'session', context.addresses) ?? '');
}
