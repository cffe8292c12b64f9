// One path of the console: a page, or a form that was sent. Frames its answer, sees to it that forms are our own, and that everything
// happens under the one address that cookies and providers know. Knows no page.

import type { House } from '../../actions/core/context.ts';
import type { OverviewRow } from '../../actions/people/person-overview.ts';
import type { PersonStanding } from '../../actions/access/person-caller.ts';
import { findSession, formTokenOf, newSecret, type Session } from '../../actions/access/session.ts';
import type { IdentityProviders, ProviderFault } from '../../gateways/identity-providers.ts';
import { JsonFault, readUtf8 } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { ProviderKey } from '../../model/people/identity.ts';
import { pathNotFound } from '../http/pipeline/admission.ts';
import type { OpenOperation, OpenSent } from '../http/operation/open-operation.ts';
import type { Problem } from '../http/operation/problem.ts';
import type { Rendered } from '../http/operation/wire.ts';
import { isHttps, readCookie, writeCookie } from './cookies.ts';
import { html } from '../../kit/html.ts';
import { layOut, type Page } from './layout.ts';
import { isFromHere, isTokenFor } from './form-token.ts';

export interface ConsoleParts {
  readonly house: House;
  readonly providers: IdentityProviders;
  /** Hears why a provider could not be signed in with: whoever set it up has to mend it. */
  onProviderFault(fault: ProviderFault, provider: ProviderKey): void;
  /** What somebody may read, at a glance. */
  readOverview(standing: PersonStanding): Promise<readonly OverviewRow[]>;
}

/** A request for a page, taken apart. */
export interface Visit extends ConsoleParts {
  readonly params: Readonly<Record<string, string>>;
  readonly search: string;
  readonly headers: OpenSent['headers'];
  /** What the form holds; nothing where it is no form. */
  readonly fields: URLSearchParams;
  /** Who is signed in; looked up when it is asked for. */
  session(): Promise<Session | undefined>;
}

export type ConsoleAnswer = (
  | { readonly page: Page; readonly status?: number }
  | { readonly goTo: string; readonly page?: undefined }
) & { readonly cookies?: readonly string[] };

export interface ConsolePath {
  readonly id: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly summary: string;
  /** Whose the form is: of somebody who is signed in, or of a browser in which nobody need be. */
  readonly form?: 'session' | 'visit';
  handle(visit: Visit): Promise<ConsoleAnswer>;
}

const policy =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** On every page: addresses hold secrets, pages hold what is somebody's own, and nothing of it is for frames or scripts. */
function guardsOf({ house }: ConsoleParts): Record<string, string> {
  return {
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'cache-control': 'no-store',
    ...(isHttps(house.addresses) ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
}

function render(parts: ConsoleParts, answer: ConsoleAnswer): Rendered {
  const { cookies = [] } = answer;
  if (answer.page === undefined)
    return { status: 303, headers: { ...guardsOf(parts), location: answer.goTo }, cookies, text: null };
  const headers = { ...guardsOf(parts), 'content-type': 'text/html; charset=utf-8' };
  return { status: answer.status ?? 200, headers, cookies, text: layOut(answer.page) };
}

/** In a page's own words; what a program would want to know stands in the log under the request's id. */
function showProblem(parts: ConsoleParts, { status, title, detail, headers, requestId }: Problem): Rendered {
  const main = html`<p>${detail}</p>
    <p class="soft">If it stays like this, tell us the number of your request: ${requestId}.</p>`;
  const rendered = render(parts, { status, page: { title, main } });
  const { 'www-authenticate': _, ...told } = headers;
  return { ...rendered, headers: { ...rendered.headers, ...told } };
}

function readFields({ contentType = '', body }: OpenSent): URLSearchParams {
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
function checkForm(house: House, fields: URLSearchParams, { headers }: OpenSent, form: 'session' | 'visit'): void {
  const secret = readCookie(headers, form, house.addresses);
  const token = fields.get('form_token') ?? '';
  if (isFromHere(headers, house.addresses.baseUrl) && secret !== undefined && isTokenFor(house, { token, secret }))
    return;
  throw new Refusal(
    'request-forged',
    'This form is too old, or was not sent from our own page. Go back, load the page again, and try once more.',
  );
}

function visitOf(parts: ConsoleParts, { form }: ConsolePath, sent: OpenSent): Visit {
  const { house } = parts;
  const { params, search, headers } = sent;
  const fields = form === undefined ? new URLSearchParams() : readFields(sent);
  if (form !== undefined) checkForm(house, fields, sent, form);
  const secret = readCookie(headers, 'session', house.addresses);
  let session: Promise<Session | undefined> | undefined;
  const find = async (): Promise<Session | undefined> =>
    secret === undefined ? undefined : findSession(house, secret);
  return { ...parts, params, search, headers, fields, session: () => (session ??= find()) };
}

/** Cookies and providers know one address: whoever came by another name of it is sent there. */
function elsewhere({ house }: ConsoleParts, { method, path }: ConsolePath, sent: OpenSent): string | undefined {
  const { baseUrl } = house.addresses;
  if ((sent.headers.host ?? '').toLowerCase() === new URL(baseUrl).host) return undefined;
  if (method !== 'GET') throw pathNotFound();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(sent.params[name] ?? ''));
  return `${baseUrl}${filled}${sent.search === '' ? '' : `?${sent.search}`}`;
}

export function consoleOperation(parts: ConsoleParts, path: ConsolePath): OpenOperation {
  return {
    id: `console.${path.id}`,
    host: 'base',
    method: path.method,
    path: path.path,
    summary: path.summary,
    group: 'console',
    answers: { 200: { description: 'A page.', mediaType: 'text/html' } },
    // What is not there has no page to say so: nobody was led to it.
    showProblem: (problem) => (problem.code === 'path-not-found' ? undefined : showProblem(parts, problem)),
    async handle(sent) {
      const there = elsewhere(parts, path, sent);
      if (there !== undefined) return render(parts, { goTo: there });
      return render(parts, await path.handle(visitOf(parts, path, sent)));
    },
  };
}

/** The token for forms that nobody need be signed in for, with the cookie it is bound to where there was none. */
export function visitToken({ house, headers }: Visit): {
  readonly formToken: string;
  readonly cookies: readonly string[];
} {
  const present = readCookie(headers, 'visit', house.addresses);
  const secret = present ?? newSecret();
  const cookies = present === undefined ? [writeCookie('visit', house.addresses, { value: secret })] : [];
  return { formToken: formTokenOf(house, secret), cookies };
}

/** The token for the forms of whoever is signed in. */
export function sessionToken({ house, headers }: Visit): string {
  return formTokenOf(house, readCookie(headers, 'session', house.addresses) ?? '');
}
