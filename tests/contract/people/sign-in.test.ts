// Signing in over HTTP with real identity providers in a separate process: from the link of an invite to a session, and everything that
// must not lead to one.

import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findSession } from '../../../src/actions/access/session.ts';
import { makePrintedLink } from '../../../src/actions/people/administrator.ts';
import { dayMs, minuteMs } from '../../../src/kit/clock.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { Browser, type BrowserPage } from '../../setup/people/cookie-browser.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { providersForThisFile, enterIdentity, type ProviderLogin } from '../../setup/people/identity-providers.ts';
import { makeInvite, makeUser, newEmail, inviteSecretOf } from '../../setup/people/members.ts';
import { operatorOf } from '../../setup/node/operator.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const providers = await providersForThisFile();
const nobodyListens = { PROVIDER_C_ISSUER: 'http://127.0.0.1:9/nobody-listens' };
const encryptionKey = Keyring.generate();
const service = serviceForThisFile({
  settings: { ...providers.settings, ...nobodyListens, ENCRYPTION_KEY: encryptionKey },
});
const operator = operatorOf(() => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey }));
providers.serve(service);

let admin: Caller;
let client: string;

beforeAll(async () => {
  client = await service.admin.makeClient('Lindqvist & Söner');
});
beforeEach(async () => {
  admin = await service.enter(service.first);
});

interface Invited {
  readonly email: string;
  readonly user: string;
  readonly invite: string;
  readonly link: string;
}

async function invite(fields: { email?: string; restrictions?: object } = {}): Promise<Invited> {
  const email = fields.email ?? newEmail();
  const user = await makeUser(admin, client, { email });
  return inviteAgain({ email, user }, fields.restrictions);
}

async function inviteAgain(invited: Pick<Invited, 'email' | 'user'>, restrictions: object = {}): Promise<Invited> {
  const made = await makeInvite(admin, invited.user, restrictions);
  return {
    ...invited,
    invite: made,
    link: `${service.addresses.baseUrl}/invites/${await inviteSecretOf(service, made)}`,
  };
}

/** Clicks a provider's button, fills in the provider's page if it asks, and returns the page at the end. */
async function completeProvider(
  browser: Browser,
  shown: BrowserPage,
  login: ProviderLogin,
  provider = 'Provider A',
): Promise<BrowserPage> {
  const onward = await browser.press(shown, new RegExp(provider));
  return onward.title.startsWith('Sign in at provider_') ? enterIdentity(browser, onward, login) : onward;
}

async function accept(invited: Invited, login: Partial<ProviderLogin> = {}, browser = new Browser()): Promise<Browser> {
  await completeProvider(browser, await browser.open(invited.link), { email: invited.email, ...login });
  return browser;
}

async function signIn(email: string, browser = new Browser()): Promise<Browser> {
  await completeProvider(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), { email });
  return browser;
}

async function userOf(browser: Browser): Promise<string | undefined> {
  const secret = browser.cookies.get('holdfast_session');
  return secret === undefined ? undefined : (await findSession(service.context, secret))?.access.personId;
}

async function stateOf({ invite: id }: Invited): Promise<string> {
  return (await admin.get(`/v1/invites/${id}`)).body.state;
}

/** Stops at the callback address that the provider redirects to, without opening it. */
async function callbackUrlOf(browser: Browser, invited: Invited, email = invited.email): Promise<string> {
  const page = await browser.press(await browser.open(invited.link), /Provider A/);
  const form = page.forms.find(({ button }) => button === 'Sign in')!;
  const fields = { ...form.fields, email, verified: 'on' };
  let answer = await browser.fetchPage(new URL(form.action, page.url).href, { method: 'POST', fields });
  for (;;) {
    const location = new URL(answer.headers.get('location')!, answer.url).href;
    if (location.startsWith(service.addresses.baseUrl)) return location;
    answer = await browser.fetchPage(location);
  }
}

describe('an invite', () => {
  test('shows who invites, to which client and whom it is for, and opening it has no effect', async () => {
    const invited = await invite({ email: 'astrid@lindqvist.example' });
    for (const _ of [1, 2]) {
      const shown = await new Browser().open(invited.link);
      expect([shown.status, shown.title]).toEqual([200, 'You are invited to Lindqvist & Söner · Holdfast']);
      expect(shown.visibleText).toContain('sign in with your account for the address a…@lindqvist.example .');
      expect(shown.visibleText).toContain('The invite is valid until 22 November 2026 at 12:00 UTC.');
      expect(shown.forms.map(({ button }) => button)).toEqual(
        ['A', 'B', 'C'].map((letter) => `Continue with Provider ${letter} (for trying out)`),
      );
    }
    expect(await stateOf(invited)).toBe('pending');
  });

  test('is accepted by signing in: the user is active, the identity is known, and a session begins', async () => {
    const invited = await invite();
    const browser = await accept(invited);
    expect(await userOf(browser)).toBe(invited.user);
    expect(await stateOf(invited)).toBe('accepted');
    expect((await admin.get(`/v1/users/${invited.user}`)).body.status).toBe('active');
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('holdfast'))).toEqual(['holdfast_session']);
    expect(browser.visited.at(-1)).toBe(`${service.addresses.baseUrl}/`);
    expect((await browser.open(`${service.addresses.baseUrl}/sign-in`)).title).toBe('Your wealth · Holdfast');
  });

  test.each(['ASTRID.B@Lindqvist.example', ' astrid.b@lindqvist.example '])(
    'accepts its address in any notation: %j',
    async (email) => {
      const invited = await invite({ email: 'astrid.b@lindqvist.example' });
      expect(await userOf(await accept(invited, { email }))).toBe(invited.user);
      await admin.delete(`/v1/users/${invited.user}`);
    },
  );

  test('that requires a provider is accepted only with that provider', async () => {
    const invited = await invite({ restrictions: { identity_provider: 'provider_b' } });
    const browser = new Browser();
    const shown = await browser.open(invited.link);
    expect(shown.forms.map(({ fields }) => fields['provider'])).toEqual(['provider_b']);
    const { action, fields } = shown.forms[0]!;
    const forced = await browser.send(new URL(action, shown.url).href, { ...fields, provider: 'provider_a' });
    expect(forced.status).toBe(404);
    await completeProvider(browser, shown, { email: invited.email }, 'Provider B');
    expect(await userOf(browser)).toBe(invited.user);
  });

  test('that requires an address is accepted only with that address, not with the one it was mailed to', async () => {
    const invited = await invite({ restrictions: { email: 'private@lindqvist.example' } });
    const browser = new Browser();
    const wrong = await completeProvider(browser, await browser.open(invited.link), { email: invited.email });
    expect([wrong.status, wrong.title]).toEqual([403, 'This is not the invited account · Holdfast']);
    expect(wrong.visibleText).toContain(
      `You signed in as ${invited.email} , but the invite is for p…@lindqvist.example .`,
    );
    expect([await stateOf(invited), await userOf(browser)]).toEqual(['pending', undefined]);
    await completeProvider(browser, wrong, { email: 'private@lindqvist.example' }, 'Use another account of Provider A');
    expect([await stateOf(invited), await userOf(browser)]).toEqual(['accepted', invited.user]);
  });

  test('is not accepted with an address that the provider has not verified', async () => {
    const invited = await invite();
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(invited.link), {
      email: invited.email,
      isVerified: false,
    });
    expect(shown.status).toBe(403);
    expect(shown.visibleText).toContain('the identity provider has not verified that this address is yours');
    expect([await stateOf(invited), await userOf(browser)]).toEqual(['pending', undefined]);
  });

  test('is not accepted with an account that is another user’s', async () => {
    const [one, other] = [await invite(), await invite()];
    await accept(one);
    const again = await inviteAgain(other, { email: one.email });
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(again.link), { email: one.email });
    expect(shown.status).toBe(403);
    expect(shown.visibleText).toContain('that account already belongs to another user.');
    expect(await stateOf(again)).toBe('pending');
  });
});

describe('a link that is no longer valid says so', () => {
  test('when it was used, to anyone who opens it', async () => {
    const invited = await invite();
    await accept(invited);
    const shown = await new Browser().open(invited.link);
    expect([shown.status, shown.title]).toEqual([410, 'This invite has already been used · Holdfast']);
    expect(shown.forms).toEqual([]);
  });

  test('when it was cancelled, and when a newer one was sent', async () => {
    const invited = await invite();
    const newer = await inviteAgain(invited);
    expect((await new Browser().open(invited.link)).title).toBe('This invite was cancelled · Holdfast');
    await admin.post(`/v1/invites/${newer.invite}/cancellation`, undefined);
    expect((await new Browser().open(newer.link)).status).toBe(410);
  });

  test('when it never was an invite', async () => {
    const shown = await new Browser().open(`${service.addresses.baseUrl}/invites/${'A'.repeat(43)}`);
    expect([shown.status, shown.title]).toEqual([404, 'This invite does not exist · Holdfast']);
    const odd = await new Browser().open(`${service.addresses.baseUrl}/invites/%00`);
    expect(odd.status).toBe(404);
  });
});

describe('changes while the person is at the provider', () => {
  const meanwhile: [string, (invited: Invited) => Promise<unknown>, number, string][] = [
    [
      'cancelled',
      (invited) => admin.post(`/v1/invites/${invited.invite}/cancellation`, undefined),
      410,
      'This invite was cancelled',
    ],
    ['accepted in another window', (invited) => accept(invited), 410, 'This invite has already been used'],
    [
      'deleted with its user',
      (invited) => admin.delete(`/v1/users/${invited.user}`),
      404,
      'This invite does not exist',
    ],
  ];
  test.each(meanwhile)('an invite that is %s cannot be accepted', async (_how, happen, status, title) => {
    const invited = await invite();
    const browser = new Browser();
    const callback = await callbackUrlOf(browser, invited);
    await happen(invited);
    const shown = await browser.open(callback);
    expect([shown.status, shown.title]).toEqual([status, `${title} · Holdfast`]);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('an expired invite cannot be accepted', async () => {
    const invited = await invite();
    service.clock.advance(7 * dayMs - minuteMs);
    const browser = new Browser();
    const callback = await callbackUrlOf(browser, invited);
    service.clock.advance(minuteMs);
    const shown = await browser.open(callback);
    expect([shown.status, shown.title]).toEqual([410, 'This invite has expired · Holdfast']);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('ten minutes are long enough', async () => {
    const invited = await invite();
    const browser = new Browser();
    const callback = await callbackUrlOf(browser, invited);
    service.clock.advance(10 * minuteMs);
    expect((await browser.open(callback)).title).toBe('This sign-in cannot continue · Holdfast');
    expect(await stateOf(invited)).toBe('pending');
  });
});

describe('the return from the provider', () => {
  test('works once, in the browser where the sign-in began', async () => {
    const invited = await invite();
    const browser = new Browser();
    const callback = await callbackUrlOf(browser, invited);
    const stranger = await new Browser().open(callback);
    expect([stranger.status, stranger.title]).toEqual([400, 'This sign-in cannot continue · Holdfast']);
    const thief = browser.copy();
    await browser.open(callback);
    expect(await userOf(browser)).toBe(invited.user);
    expect((await browser.open(callback)).title).toBe('This sign-in cannot continue · Holdfast');
    const replayed = await thief.open(callback);
    expect([replayed.status, replayed.title]).toEqual([400, 'The sign-in failed · Holdfast']);
    expect(await userOf(thief)).toBeUndefined();
  });

  test('with an invented state is refused, and does not end the sign-in in progress', async () => {
    const invited = await invite();
    const browser = new Browser();
    const callback = await callbackUrlOf(browser, invited);
    const forged = callback.replace(/state=[^&]*/, 'state=forged');
    for (const url of [forged, callback.replace(/state=[^&]*&?/, ''), `${service.addresses.baseUrl}/sign-in/callback`])
      expect((await browser.open(url)).title).toBe('This sign-in cannot continue · Holdfast');
    await browser.open(callback);
    expect(await userOf(browser)).toBe(invited.user);
  });

  test('with a code of another sign-in is refused', async () => {
    const [invited, other] = [await invite(), await invite()];
    const [browser, attacker] = [new Browser(), new Browser()];
    const callback = new URL(await callbackUrlOf(browser, invited));
    callback.searchParams.set('code', new URL(await callbackUrlOf(attacker, other)).searchParams.get('code')!);
    const shown = await browser.open(callback.href);
    expect([shown.status, shown.title]).toEqual([400, 'The sign-in failed · Holdfast']);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('with a changed cookie is refused', async () => {
    const invited = await invite();
    const browser = new Browser();
    const callback = await callbackUrlOf(browser, invited);
    const sealed = browser.cookies.get('holdfast_departure')!;
    browser.cookies.set('holdfast_departure', `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`);
    expect((await browser.open(callback)).title).toBe('This sign-in cannot continue · Holdfast');
    browser.cookies.set('holdfast_departure', 'x');
    expect((await browser.open(callback)).status).toBe(400);
  });

  test('from a provider that refused the sign-in shows a page that says so', async () => {
    const invited = await invite();
    const browser = new Browser();
    const provider = await browser.press(await browser.open(invited.link), /Provider A/);
    const shown = await browser.press(provider, 'Cancel');
    expect([shown.status, shown.title]).toEqual([403, 'You are not signed in · Holdfast']);
    expect(shown.text).toContain(`href="/invites/`);
    expect(await stateOf(invited)).toBe('pending');
  });

  test('does not happen if a provider does not answer, which affects no other provider', async () => {
    const invited = await invite();
    const browser = new Browser();
    const shown = await browser.press(await browser.open(invited.link), /Provider C/);
    expect([shown.status, shown.title]).toEqual([502, 'The identity provider is not responding · Holdfast']);
    expect(service.log.join('\n')).toContain('sign-in with an identity provider failed');
    expect(await userOf(await accept(invited, {}, browser))).toBe(invited.user);
  });
});

describe('signing in again', () => {
  test('finds a person by their identity, even if their address has changed', async () => {
    const invited = await invite();
    await accept(invited);
    expect(await userOf(await signIn(invited.email))).toBe(invited.user);
    const moved = newEmail();
    await admin.patch(`/v1/users/${invited.user}`, { email: moved });
    expect(await userOf(await signIn(invited.email))).toBe(invited.user);
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), {
      email: moved,
    });
    expect([shown.status, shown.title]).toEqual([403, 'This account has no access · Holdfast']);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('does not find a person who has never accepted an invite, at the same provider or another', async () => {
    const [never, once] = [await invite(), await invite()];
    await accept(once);
    expect(await userOf(await signIn(never.email))).toBeUndefined();
    const browser = new Browser();
    const shown = await browser.open(`${service.addresses.baseUrl}/sign-in`);
    expect((await completeProvider(browser, shown, { email: once.email }, 'Provider B')).status).toBe(403);
  });

  test('is refused to a user who is disabled at every client', async () => {
    const invited = await invite();
    await accept(invited);
    await admin.post(`/v1/users/${invited.user}/disable`, undefined);
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), invited);
    expect([shown.status, await userOf(browser)]).toEqual([403, undefined]);
    const waiting = await invite();
    const other = new Browser();
    const page = await other.open(waiting.link);
    await admin.post(`/v1/users/${waiting.user}/disable`, undefined);
    expect((await completeProvider(other, page, waiting)).title).toBe('Your access is disabled · Holdfast');
    expect([await stateOf(waiting), await userOf(other)]).toEqual(['pending', undefined]);
  });

  test('records when an identity was last used, and an invite links further identities to the same user', async () => {
    const invited = await invite();
    await accept(invited);
    service.clock.advance(minuteMs);
    await signIn(invited.email);
    const again = await inviteAgain(invited, { identity_provider: 'provider_b' });
    const browser = new Browser();
    await completeProvider(browser, await browser.open(again.link), { email: invited.email }, 'Provider B');
    const rows = await runSql<{ issuer: string; waited: string }>(
      service.database,
      `SELECT issuer, extract(epoch FROM last_signed_in_at - created_at)::text AS waited FROM person_identity
       WHERE person_id = $1 ORDER BY issuer`,
      [invited.user],
    );
    expect(rows.map(({ issuer, waited }) => [issuer.slice(-10), Number(waited)])).toEqual([
      ['provider_a', 60],
      ['provider_b', 0],
    ]);
  });

  test('creates a new secret each time and ends the previous session; a secret planted by someone else is not used', async () => {
    const invited = await invite();
    const browser = await accept(invited);
    const first = browser.copy();
    browser.cookies.delete('holdfast_session');
    browser.cookies.set('holdfast_session', first.cookies.get('holdfast_session')!);
    const again = await inviteAgain(invited);
    await accept(again, {}, browser);
    expect(browser.cookies.get('holdfast_session')).not.toBe(first.cookies.get('holdfast_session'));
    expect([await userOf(browser), await userOf(first)]).toEqual([invited.user, undefined]);
    const planted = new Browser();
    planted.cookies.set('holdfast_session', 'planted');
    await signIn(invited.email, planted);
    expect(planted.cookies.get('holdfast_session')).not.toBe('planted');
  });

  test('a person with access to several workspaces chooses one', async () => {
    const invited = await invite();
    await accept(invited);
    const stranger = await service.openWorkspace('sandbox');
    const strangersClient = await stranger.makeClient('Elsewhere');
    const user = await makeUser(stranger, strangersClient, { email: invited.email });
    const secret = await inviteSecretOf(service, await makeInvite(stranger, user));
    const otherInvite = { ...invited, link: `${service.addresses.baseUrl}/invites/${secret}` };
    expect(await userOf(await accept(otherInvite))).toBe(user);
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), {
      email: invited.email,
    });
    expect([shown.status, shown.title]).toEqual([200, 'Choose a workspace · Holdfast']);
    const names = shown.forms.map(({ button }) => button).toSorted();
    expect(names).toEqual([expect.stringMatching(/./), 'Another workspace (sandbox)'].toSorted());
    const otherBrowser = browser.copy();
    const { fields, action } = shown.forms[0]!;
    const forced = { ...fields, place: 'ffffffffffffffffffffffff/production' };
    expect((await otherBrowser.send(new URL(action, shown.url).href, forced)).status).toBe(400);
    await browser.press(shown, 'Another workspace (sandbox)');
    expect(await userOf(browser)).toBe(user);
  });

  test('a workspace that a person administers is one of those to choose from, without any membership there', async () => {
    const invited = await invite();
    await accept(invited);
    const tenant = await tenantOf(await service.openWorkspace('sandbox'));
    const { link } = await makePrintedLink(service.context, tenant);
    await accept({ ...invited, link });
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), {
      email: invited.email,
    });
    expect(shown.title).toBe('Choose a workspace · Holdfast');
    expect(shown.forms.map(({ button }) => button)).toContain('Another workspace (sandbox)');
    expect(shown.forms).toHaveLength(2);
    await browser.press(shown, 'Another workspace (sandbox)');
    const session = await findSession(service.context, browser.cookies.get('holdfast_session')!);
    expect(session?.access).toMatchObject({ ...tenant, isWorkspaceAdministrator: true, memberships: [] });
  });
});

describe('while a workspace is suspended', () => {
  afterEach(async () => void (await operator('workspace', 'resume', service.first.workspaceId)));

  test('nobody is signed in there, and everybody again once it is resumed', async () => {
    const invited = await invite();
    await accept(invited);
    await operator('workspace', 'suspend', service.first.workspaceId);
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), {
      email: invited.email,
    });
    expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('suspended')]);
    expect(browser.cookies.get('holdfast_session')).toBeUndefined();
    await operator('workspace', 'resume', service.first.workspaceId);
    expect(await userOf(await signIn(invited.email))).toBe(invited.user);
  });

  test('a person of two workspaces can choose the other', async () => {
    const invited = await invite();
    await accept(invited);
    const tenant = await tenantOf(await service.openWorkspace('sandbox'));
    const { link } = await makePrintedLink(service.context, tenant);
    await accept({ ...invited, link });
    await operator('workspace', 'suspend', service.first.workspaceId);
    const browser = new Browser();
    const shown = await completeProvider(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), {
      email: invited.email,
    });
    expect(shown.forms.map(({ button }) => button)).toEqual(['Another workspace (sandbox)']);
    expect(shown.visibleText).toContain(': suspended by its operator.');
    const place = `${service.first.workspaceId}/${service.first.environment}`;
    const refused = await browser.copy().press(shown, 'Another workspace (sandbox)', { place });
    expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('suspended')]);
    await browser.press(shown, 'Another workspace (sandbox)');
    const session = await findSession(service.context, browser.cookies.get('holdfast_session')!);
    expect(session?.access).toMatchObject(tenant);
  });
});

test('no secret of a link, a sign-in or a session is logged or counted', async () => {
  const invited = await invite();
  const browser = await accept(invited);
  await browser.fetchPage(invited.link, { method: 'POST', fields: {} });
  await browser.fetchPage(`${invited.link}/nothing`);
  const secrets = [invited.link.split('/').at(-1)!, browser.cookies.get('holdfast_session')!, invited.email];
  const code = new URL(browser.visited.find((url) => url.includes('code='))!).searchParams;
  const hidden = [...secrets, code.get('code')!, code.get('state')!];
  const output = service.log.join('\n') + (await admin.get('/metrics')).text;
  expect(output).toContain('/invites/{secret}');
  expect(hidden.filter((secret) => secret.length < 6 || output.includes(secret))).toEqual([]);
});
