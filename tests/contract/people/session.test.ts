// Sessions of people and the pages around them: how long a session lasts, what ends it, which forms are accepted, and the headers of
// every page.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { endAllSessions, findSession, listOpenSessions, openSession } from '../../../src/actions/access/session.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { dayMs, hourMs, minuteMs, secondMs } from '../../../src/kit/clock.ts';
import { Browser } from '../../setup/people/cookie-browser.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { makeMember } from '../../setup/people/members.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const service = serviceForThisFile();
let client: string;
let user: string;
let admin: Caller;

beforeAll(async () => {
  client = await service.admin.makeClient('Lindqvist');
  user = await makeMember(service, client, { first_name: 'Astrid', last_name: 'Lindqvist' });
});
beforeEach(async () => {
  admin = await service.enter(service.first);
});

async function signedIn(person = user): Promise<Browser> {
  const { workspaceId } = service.first;
  const { secret } = await openSession(service.context, { workspaceId, environment: 'production', personId: person });
  const browser = new Browser();
  browser.cookies.set('holdfast_session', secret);
  return browser;
}

async function isSignedIn(browser: Browser): Promise<boolean> {
  const secret = browser.cookies.get('holdfast_session');
  return secret !== undefined && (await findSession(service.context, secret)) !== undefined;
}

function urlOf(path: string): string {
  return service.addresses.baseUrl + path;
}

/** The token of the forms on a page of a signed-in person. */
function formToken(browser: Browser): string {
  return service.context.keyring.mac('console-form', browser.cookies.get('holdfast_session')!).toString('base64url');
}

describe('a session', () => {
  test('ends after half an hour without a request', async () => {
    const browser = await signedIn();
    for (const _ of [1, 2, 3]) {
      service.clock.advance(29 * minuteMs);
      expect(await isSignedIn(browser)).toBe(true);
    }
    service.clock.advance(30 * minuteMs);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('ends after twelve hours, even with requests', async () => {
    const browser = await signedIn();
    for (let hours = 0; hours < 23; hours++) {
      service.clock.advance(29 * minuteMs);
      expect(await isSignedIn(browser)).toBe(true);
    }
    service.clock.advance(12 * hourMs - 23 * 29 * minuteMs);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('is updated at most once a minute', async () => {
    const browser = await signedIn();
    const seen = async () =>
      (await runSql<{ seen_at: Date }>(service.database, 'SELECT max(seen_at) AS seen_at FROM session'))[0]!;
    const first = await seen();
    service.clock.advance(59 * secondMs);
    await isSignedIn(browser);
    expect(await seen()).toEqual(first);
    service.clock.advance(secondMs);
    await isSignedIn(browser);
    expect((await seen()).seen_at.getTime() - first.seen_at.getTime()).toBe(minuteMs);
  });

  test('is stored only as a hash of its secret', async () => {
    const browser = await signedIn();
    const rows = await runSql(service.database, 'SELECT row_to_json(session)::text AS row FROM session');
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('holdfast_session'));
  });

  test.each([
    ['nothing', undefined, null],
    ['nothing visible', '\u0000 \u{1F4B0}', null],
    ['its name', 'Mozilla/5.0 (X11)', 'Mozilla/5.0 (X11)'],
    ['its name among other signs', '\tMozilla\r\n5.0 é', 'Mozilla 5.0'],
    ['much', `a${'b'.repeat(200)}`, `a${'b'.repeat(199)}`],
  ])('keeps what its browser says of itself: %s', async (_what, userAgent, kept) => {
    const owner = { workspaceId: service.first.workspaceId, environment: 'production', personId: user } as const;
    await endAllSessions(service.context, owner);
    await openSession(service.context, owner, { userAgent });
    const open = await listOpenSessions(service.context, owner);
    expect(open.map((one) => one.userAgent)).toEqual([kept]);
  });

  test('of a user without any client is refused at once, and works again when a client grants access', async () => {
    const browser = await signedIn();
    await admin.post(`/v1/users/${user}/disable`, undefined);
    expect(await isSignedIn(browser)).toBe(false);
    await admin.post(`/v1/users/${user}/enable`, undefined);
    expect(await isSignedIn(browser)).toBe(true);
    const gone = await makeMember({ ...service, admin }, client);
    const memberBrowser = await signedIn(gone);
    await admin.delete(`/v1/users/${gone}`);
    expect(await isSignedIn(memberBrowser)).toBe(false);
  });

  test('is stored for a week and then deleted', async () => {
    service.clock.advance(30 * dayMs);
    await deleteExpired(service.context);
    const browser = await signedIn();
    await browser.send(urlOf('/sign-out'), { form_token: formToken(browser) });
    const count = async () => (await runSql(service.database, 'SELECT FROM session')).length;
    service.clock.advance(7 * dayMs + 12 * hourMs);
    await deleteExpired(service.context);
    expect(await count()).toBe(1);
    service.clock.advance(1);
    await deleteExpired(service.context);
    expect(await count()).toBe(0);
  });
});

describe('signing out', () => {
  test('ends only this session', async () => {
    const [firstBrowser, secondBrowser] = [await signedIn(), await signedIn()];
    const secret = firstBrowser.copy();
    const shown = await firstBrowser.send(urlOf('/sign-out'), { form_token: formToken(firstBrowser) });
    expect([shown.status, shown.url]).toEqual([200, urlOf('/sign-in')]);
    expect(firstBrowser.cookies.has('holdfast_session')).toBe(false);
    expect([await isSignedIn(secret), await isSignedIn(secondBrowser)]).toEqual([false, true]);
  });

  test('everywhere ends all sessions of the person, and of no other', async () => {
    const [firstBrowser, secondBrowser] = [await signedIn(), await signedIn()];
    const other = await signedIn(await makeMember({ ...service, admin }, client));
    const secret = firstBrowser.copy();
    await firstBrowser.send(urlOf('/sign-out-everywhere'), { form_token: formToken(firstBrowser) });
    expect([await isSignedIn(secret), await isSignedIn(secondBrowser), await isSignedIn(other)]).toEqual([
      false,
      false,
      true,
    ]);
  });
});

describe('a form is accepted', () => {
  const own = { 'sec-fetch-site': 'same-origin', origin: 'null' };

  test.each([
    ['as browsers send it', own],
    ['as browsers send it with the origin', { 'sec-fetch-site': 'same-origin', origin: 'own' }],
    ['as older browsers send it', { origin: 'own' }],
    ['as browsers send it without these headers', {}],
  ] as [string, Record<string, string>][])('%s', async (_how, headers) => {
    const browser = await signedIn();
    const sentHeaders = headers['origin'] === 'own' ? { ...headers, origin: service.addresses.baseUrl } : headers;
    const { status } = await browser.fetchPage(urlOf('/sign-out'), {
      method: 'POST',
      fields: { form_token: formToken(browser) },
      headers: sentHeaders,
    });
    expect(status).toBe(303);
  });

  const refused: [string, (token: string, other: string) => Record<string, string>, Record<string, string>][] = [
    ['without its token', () => ({}), own],
    ['with a token of another person', (_token, other) => ({ form_token: other }), own],
    ['with a shortened token', (token) => ({ form_token: token.slice(1) }), own],
    ['from another site', (token) => ({ form_token: token }), { 'sec-fetch-site': 'cross-site', origin: 'null' }],
    ['from another host of the same site', (token) => ({ form_token: token }), { 'sec-fetch-site': 'same-site' }],
    ['from another origin', (token) => ({ form_token: token }), { origin: 'https://elsewhere.example' }],
  ];
  test.each(refused)('not %s', async (_how, fields, headers) => {
    const [browser, other] = [await signedIn(), await signedIn()];
    const sent = { method: 'POST', fields: fields(formToken(browser), formToken(other)), headers } as const;
    const shown = await browser.fetchPage(urlOf('/sign-out'), sent);
    expect([shown.status, shown.title]).toEqual([403, 'Cross-site request refused · Holdfast']);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('to sign in is accepted only in the browser that it was shown in, so no other page can sign a person in as somebody else', async () => {
    const own = await serviceForThisTest({ settings: provider, database: service.database, clock: service.clock });
    const [browser, attacker] = [new Browser(), new Browser()];
    const address = `${own.addresses.baseUrl}/sign-in`;
    const { fields } = (await attacker.open(address)).forms[0]!;
    for (const open of [false, true]) {
      if (open) await browser.open(address);
      expect((await browser.send(`${address}/provider_a`, fields)).status).toBe(403);
    }
    expect((await attacker.send(`${address}/provider_a`, fields)).status).toBe(502);
  });

  test('only as a form', async () => {
    const browser = await signedIn();
    const headers = { ...own, 'content-type': 'application/json' };
    const shown = await browser.fetchPage(urlOf('/sign-out'), { method: 'POST', fields: {}, headers });
    expect([shown.status, shown.title]).toEqual([415, 'Unsupported media type · Holdfast']);
  });
});

const provider = {
  PROVIDER_A_ISSUER: 'http://127.0.0.1:9/nobody-listens',
  PROVIDER_A_CLIENT_ID: 'holdfast',
  PROVIDER_A_CLIENT_SECRET: 'a secret',
  PROVIDER_A_NAME: 'Bank & <Söhne>',
};

describe('a page', () => {
  const guards = {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self' data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };

  test.each([
    ['GET', '/sign-in', 200],
    ['GET', '/invites/unknown', 404],
    ['GET', '/sign-in/callback?state=x', 400],
    ['POST', '/sign-in/provider_a', 403],
    ['POST', '/sign-out', 403],
  ] as const)('has security headers: %s %s', async (method, path, status) => {
    const sent = method === 'GET' ? { method } : { method, fields: {} };
    const shown = await new Browser().fetchPage(urlOf(path), sent);
    expect([shown.status, shown.headers.get('content-type')]).toEqual([status, 'text/html; charset=utf-8']);
    expect(Object.fromEntries(Object.keys(guards).map((name) => [name, shown.headers.get(name)]))).toEqual(guards);
    expect(shown.headers.has('strict-transport-security')).toBe(false);
    expect(shown.text).toMatch(/<html lang="en">.*<main id="main".*<h1>/s);
    expect(shown.text).not.toMatch(/<script|style=|<style/);
  });

  test('says so where no identity provider is configured', async () => {
    const { visibleText: words, forms } = await new Browser().open(urlOf('/sign-in'));
    expect(words).toContain('No identity provider is configured here, so nobody can sign in yet.');
    expect(forms).toEqual([]);
  });

  test('is not part of the API reference', async () => {
    const { paths } = JSON.parse((await new Browser().fetchPage(urlOf('/openapi.json'))).text);
    expect(
      Object.keys(paths).filter((path) => !/^\/(api|v\d|oauth|docs|openapi|healthz|readyz|metrics|version)/.test(path)),
    ).toEqual([]);
  });

  test('has its style sheet under a URL that changes with its content', async () => {
    const { text } = await new Browser().open(urlOf('/sign-in'));
    const [, address] = /href="(\/console\.css\?v=[^"]+)"/.exec(text)!;
    const style = await new Browser().fetchPage(urlOf(address!));
    expect([style.status, style.headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
  });

  test('is served under the single address of the service, whatever host name was requested', async () => {
    const shown = await new Browser().fetchPage(urlOf('/sign-in?a=b'), {
      method: 'GET',
      headers: { host: 'localhost:1234' },
    });
    expect([shown.status, shown.headers.get('location')]).toEqual([303, urlOf('/sign-in?a=b')]);
    const sent = { method: 'POST', fields: {}, headers: { host: 'localhost:1234' } } as const;
    expect((await new Browser().fetchPage(urlOf('/sign-out'), sent)).status).toBe(404);
  });

  test('under https has cookies that are bound to the host and to TLS, and sends HSTS', async () => {
    const settings = { ...provider, BASE_URL: 'https://wealth.example' };
    const { server } = await serviceForThisTest({ settings, database: service.database, clock: service.clock });
    const { port } = server.app.server.address() as { port: number };
    const openOnHost = (path: string, host: string) =>
      new Browser().fetchPage(`http://127.0.0.1:${port}${path}`, { method: 'GET', headers: { host } });
    const shown = await openOnHost('/sign-in', 'wealth.example');
    expect(shown.headers.get('set-cookie')).toMatch(
      /^__Host-holdfast_visit=[\w-]{43}; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(shown.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(shown.forms.map(({ button }) => button)).toEqual(['Continue with Bank & <Söhne>']);
    expect((await openOnHost('/sign-in', 'elsewhere.example')).headers.get('location')).toBe(
      'https://wealth.example/sign-in',
    );
  });
});

describe('in the audit log', () => {
  /** The lines about the user that concern no client, newest first. */
  async function listLines(): Promise<unknown[]> {
    const { body } = await admin.get(`/v1/audit-log?limit=100&subject_type=user&subject_id=${user}`);
    const lines = body.data.filter((line: any) => line.client_id === null);
    return lines.map(({ act, subject, credential_id: credential, after }: any) => ({
      act,
      subject,
      credential,
      after,
    }));
  }

  const line = (act: string, session: unknown): object => ({
    act,
    subject: user,
    credential: null,
    after: { session_id: session },
  });

  test('a sign-in and a sign-out are a line each, by the person, with the session', async () => {
    const before = await listLines();
    const browser = await signedIn();
    const [signIn] = await listLines();
    expect(signIn).toEqual(line('sign-in', expect.stringMatching(/^[0-9a-f]{24}$/)));
    await browser.send(urlOf('/sign-out'), { form_token: formToken(browser) });
    const lines = await listLines();
    expect(lines).toEqual([line('sign-out', (signIn as any).after.session_id), signIn, ...before]);
    expect((await admin.get('/v1/audit-log?act=sign-out&limit=1')).body.data).toHaveLength(1);
  });

  test('a sign-out everywhere is one line', async () => {
    const browser = await signedIn();
    await browser.send(urlOf('/sign-out-everywhere'), { form_token: formToken(browser) });
    expect((await listLines())[0]).toEqual(line('sign-out', null));
  });

  test('whoever sees only one client does not see them, since a login may serve several', async () => {
    await signedIn();
    const scoped = await admin.becomeApplication({ rights: ['read', 'admin'], scoped_to: client });
    expect((await scoped.get('/v1/audit-log?act=sign-in')).body.data).toEqual([]);
  });
});
