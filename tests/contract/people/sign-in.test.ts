// Signing in over HTTP with identity providers of a real library in a process of their own: from the link of an invite to a session,
// and everything that must not lead there.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findSession } from '../../../src/actions/access/session.ts';
import { dayMs, minuteMs } from '../../../src/kit/clock.ts';
import { Browser, type Shown } from '../../setup/people/cookie-browser.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { providersForThisFile, sayWho, type SaidAtProvider } from '../../setup/people/identity-providers.ts';
import { makeInvite, makeUser, newAddress, secretOf } from '../../setup/people/members.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const providers = await providersForThisFile();
const nobodyListens = { PROVIDER_C_ISSUER: 'http://127.0.0.1:9/nobody-listens' };
const service = serviceForThisFile({ settings: { ...providers.settings, ...nobodyListens } });
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
  const email = fields.email ?? newAddress();
  const user = await makeUser(admin, client, { email });
  return inviteAgain({ email, user }, fields.restrictions);
}

async function inviteAgain(of: Pick<Invited, 'email' | 'user'>, restrictions: object = {}): Promise<Invited> {
  const made = await makeInvite(admin, of.user, restrictions);
  return { ...of, invite: made, link: `${service.addresses.baseUrl}/invites/${await secretOf(service, made)}` };
}

/** From a page with buttons through the provider's page, where it does not remember who this is, to wherever that leads. */
async function goThrough(browser: Browser, shown: Shown, who: SaidAtProvider, provider = 'Provider A'): Promise<Shown> {
  const onward = await browser.press(shown, new RegExp(provider));
  return onward.title.startsWith('Sign in at provider_') ? sayWho(browser, onward, who) : onward;
}

async function accept(of: Invited, who: Partial<SaidAtProvider> = {}, browser = new Browser()): Promise<Browser> {
  await goThrough(browser, await browser.open(of.link), { email: of.email, ...who });
  return browser;
}

async function signIn(email: string, browser = new Browser()): Promise<Browser> {
  await goThrough(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), { email });
  return browser;
}

async function userOf(browser: Browser): Promise<string | undefined> {
  const secret = browser.cookies.get('holdfast_session');
  return secret === undefined ? undefined : (await findSession(service.house, secret))?.standing.personId;
}

async function stateOf({ invite: id }: Invited): Promise<string> {
  return (await admin.get(`/v1/invites/${id}`)).body.state;
}

/** Up to the address that the provider sends the browser back to, which is not opened. */
async function upToCallback(browser: Browser, of: Invited, email = of.email): Promise<string> {
  const page = await browser.press(await browser.open(of.link), /Provider A/);
  const form = page.forms.find(({ button }) => button === 'Sign in')!;
  const fields = { ...form.fields, email, verified: 'on' };
  let answer = await browser.ask(new URL(form.action, page.url).href, { method: 'POST', fields });
  for (;;) {
    const location = new URL(answer.headers.get('location')!, answer.url).href;
    if (location.startsWith(service.addresses.baseUrl)) return location;
    answer = await browser.ask(location);
  }
}

describe('an invite', () => {
  test('says who invites to what and whom it is for, as often as it is opened, and nothing comes of opening it', async () => {
    const of = await invite({ email: 'astrid@lindqvist.example' });
    for (const _ of [1, 2]) {
      const shown = await new Browser().open(of.link);
      expect([shown.status, shown.title]).toEqual([200, 'You are invited to Lindqvist & Söner · Holdfast']);
      expect(shown.words).toContain('sign in with your account for the address a…@lindqvist.example .');
      expect(shown.words).toContain('The invite holds until 22 November 2026 at 12:00 UTC.');
      expect(shown.forms.map(({ button }) => button)).toEqual(
        ['A', 'B', 'C'].map((letter) => `Continue with Provider ${letter} (for trying out)`),
      );
    }
    expect(await stateOf(of)).toBe('pending');
  });

  test('is accepted by signing in: the user is active, the identity is known, and a session begins', async () => {
    const of = await invite();
    const browser = await accept(of);
    expect(await userOf(browser)).toBe(of.user);
    expect(await stateOf(of)).toBe('accepted');
    expect((await admin.get(`/v1/users/${of.user}`)).body.status).toBe('active');
    expect([...browser.cookies.keys()].filter((name) => name.startsWith('holdfast'))).toEqual(['holdfast_session']);
    expect(browser.visited.at(-1)).toBe(`${service.addresses.baseUrl}/`);
    expect((await browser.open(`${service.addresses.baseUrl}/sign-in`)).title).toBe('Your wealth · Holdfast');
  });

  test.each(['ASTRID.B@Lindqvist.example', ' astrid.b@lindqvist.example '])(
    'is for an address however it is written: %j',
    async (email) => {
      const of = await invite({ email: 'astrid.b@lindqvist.example' });
      expect(await userOf(await accept(of, { email }))).toBe(of.user);
      await admin.delete(`/v1/users/${of.user}`);
    },
  );

  test('that asks for a provider is accepted with that one alone', async () => {
    const of = await invite({ restrictions: { identity_provider: 'provider_b' } });
    const browser = new Browser();
    const shown = await browser.open(of.link);
    expect(shown.forms.map(({ fields }) => fields['provider'])).toEqual(['provider_b']);
    const { action, fields } = shown.forms[0]!;
    const forced = await browser.send(new URL(action, shown.url).href, { ...fields, provider: 'provider_a' });
    expect(forced.status).toBe(404);
    await goThrough(browser, shown, { email: of.email }, 'Provider B');
    expect(await userOf(browser)).toBe(of.user);
  });

  test('that asks for an address is accepted with that one alone, and not with the one it was mailed to', async () => {
    const of = await invite({ restrictions: { email: 'private@lindqvist.example' } });
    const browser = new Browser();
    const wrong = await goThrough(browser, await browser.open(of.link), { email: of.email });
    expect([wrong.status, wrong.title]).toEqual([403, 'This is another account · Holdfast']);
    expect(wrong.words).toContain(`You have signed in as ${of.email} . The invite is for p…@lindqvist.example .`);
    expect([await stateOf(of), await userOf(browser)]).toEqual(['pending', undefined]);
    await goThrough(browser, wrong, { email: 'private@lindqvist.example' }, 'Use another account of Provider A');
    expect([await stateOf(of), await userOf(browser)]).toEqual(['accepted', of.user]);
  });

  test('is not accepted with an address that the provider has not verified', async () => {
    const of = await invite();
    const browser = new Browser();
    const shown = await goThrough(browser, await browser.open(of.link), { email: of.email, isVerified: false });
    expect(shown.status).toBe(403);
    expect(shown.words).toContain('the identity provider has not verified that this address is yours');
    expect([await stateOf(of), await userOf(browser)]).toEqual(['pending', undefined]);
  });

  test('is not accepted with an account that is another user’s', async () => {
    const [one, other] = [await invite(), await invite()];
    await accept(one);
    const again = await inviteAgain(other, { email: one.email });
    const browser = new Browser();
    const shown = await goThrough(browser, await browser.open(again.link), { email: one.email });
    expect(shown.status).toBe(403);
    expect(shown.words).toContain('That account is already another user’s here.');
    expect(await stateOf(again)).toBe('pending');
  });
});

describe('a link that is over says so in plain words', () => {
  test('when it was used, whoever has it', async () => {
    const of = await invite();
    await accept(of);
    const shown = await new Browser().open(of.link);
    expect([shown.status, shown.title]).toEqual([410, 'This link has been used · Holdfast']);
    expect(shown.forms).toEqual([]);
  });

  test('when it was cancelled, and when a newer one was sent', async () => {
    const of = await invite();
    const newer = await inviteAgain(of);
    expect((await new Browser().open(of.link)).title).toBe('This invite was cancelled · Holdfast');
    await admin.post(`/v1/invites/${newer.invite}/cancellation`, undefined);
    expect((await new Browser().open(newer.link)).status).toBe(410);
  });

  test('when it never was one', async () => {
    const shown = await new Browser().open(`${service.addresses.baseUrl}/invites/${'A'.repeat(43)}`);
    expect([shown.status, shown.title]).toEqual([404, 'There is no such invite · Holdfast']);
    const odd = await new Browser().open(`${service.addresses.baseUrl}/invites/%00`);
    expect(odd.status).toBe(404);
  });
});

describe('what happens while somebody is at the provider', () => {
  const meanwhile: [string, (of: Invited) => Promise<unknown>, number, string][] = [
    [
      'cancelled',
      (of) => admin.post(`/v1/invites/${of.invite}/cancellation`, undefined),
      410,
      'This invite was cancelled',
    ],
    ['accepted in another window', (of) => accept(of), 410, 'This link has been used'],
    ['deleted with its user', (of) => admin.delete(`/v1/users/${of.user}`), 404, 'There is no such invite'],
  ];
  test.each(meanwhile)('an invite that is %s lets nobody in', async (_how, happen, status, title) => {
    const of = await invite();
    const browser = new Browser();
    const callback = await upToCallback(browser, of);
    await happen(of);
    const shown = await browser.open(callback);
    expect([shown.status, shown.title]).toEqual([status, `${title} · Holdfast`]);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('an invite that expires lets nobody in', async () => {
    const of = await invite();
    service.clock.advance(7 * dayMs - minuteMs);
    const browser = new Browser();
    const callback = await upToCallback(browser, of);
    service.clock.advance(minuteMs);
    const shown = await browser.open(callback);
    expect([shown.status, shown.title]).toEqual([410, 'This invite has expired · Holdfast']);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('ten minutes are long enough', async () => {
    const of = await invite();
    const browser = new Browser();
    const callback = await upToCallback(browser, of);
    service.clock.advance(10 * minuteMs);
    expect((await browser.open(callback)).title).toBe('This sign-in cannot go on · Holdfast');
    expect(await stateOf(of)).toBe('pending');
  });
});

describe('coming back', () => {
  test('works once, for the browser that set out', async () => {
    const of = await invite();
    const browser = new Browser();
    const callback = await upToCallback(browser, of);
    const stranger = await new Browser().open(callback);
    expect([stranger.status, stranger.title]).toEqual([400, 'This sign-in cannot go on · Holdfast']);
    const thief = browser.copy();
    await browser.open(callback);
    expect(await userOf(browser)).toBe(of.user);
    expect((await browser.open(callback)).title).toBe('This sign-in cannot go on · Holdfast');
    const replayed = await thief.open(callback);
    expect([replayed.status, replayed.title]).toEqual([400, 'The sign-in did not work · Holdfast']);
    expect(await userOf(thief)).toBeUndefined();
  });

  test('with a state of one’s own making leads nowhere, and does not end the sign-in that is under way', async () => {
    const of = await invite();
    const browser = new Browser();
    const callback = await upToCallback(browser, of);
    const forged = callback.replace(/state=[^&]*/, 'state=forged');
    for (const url of [forged, callback.replace(/state=[^&]*&?/, ''), `${service.addresses.baseUrl}/sign-in/callback`])
      expect((await browser.open(url)).title).toBe('This sign-in cannot go on · Holdfast');
    await browser.open(callback);
    expect(await userOf(browser)).toBe(of.user);
  });

  test('with a code of somebody else’s sign-in leads nowhere', async () => {
    const [of, other] = [await invite(), await invite()];
    const [browser, attacker] = [new Browser(), new Browser()];
    const callback = new URL(await upToCallback(browser, of));
    callback.searchParams.set('code', new URL(await upToCallback(attacker, other)).searchParams.get('code')!);
    const shown = await browser.open(callback.href);
    expect([shown.status, shown.title]).toEqual([400, 'The sign-in did not work · Holdfast']);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('with a cookie that was changed leads nowhere', async () => {
    const of = await invite();
    const browser = new Browser();
    const callback = await upToCallback(browser, of);
    const sealed = browser.cookies.get('holdfast_departure')!;
    browser.cookies.set('holdfast_departure', `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`);
    expect((await browser.open(callback)).title).toBe('This sign-in cannot go on · Holdfast');
    browser.cookies.set('holdfast_departure', 'x');
    expect((await browser.open(callback)).status).toBe(400);
  });

  test('from a provider that says no leads to a page that says so', async () => {
    const of = await invite();
    const browser = new Browser();
    const provider = await browser.press(await browser.open(of.link), /Provider A/);
    const shown = await browser.press(provider, 'Cancel');
    expect([shown.status, shown.title]).toEqual([403, 'You have not signed in · Holdfast']);
    expect(shown.text).toContain(`href="/invites/`);
    expect(await stateOf(of)).toBe('pending');
  });

  test('is not reached where a provider does not answer, which hinders no other', async () => {
    const of = await invite();
    const browser = new Browser();
    const shown = await browser.press(await browser.open(of.link), /Provider C/);
    expect([shown.status, shown.title]).toEqual([502, 'The identity provider does not answer · Holdfast']);
    expect(service.log.join('\n')).toContain('somebody could not sign in with an identity provider');
    expect(await userOf(await accept(of, {}, browser))).toBe(of.user);
  });
});

describe('signing in again', () => {
  test('finds somebody by their identity, whatever their address is by now', async () => {
    const of = await invite();
    await accept(of);
    expect(await userOf(await signIn(of.email))).toBe(of.user);
    const moved = newAddress();
    await admin.patch(`/v1/users/${of.user}`, { email: moved });
    expect(await userOf(await signIn(of.email))).toBe(of.user);
    const browser = new Browser();
    const shown = await goThrough(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), {
      email: moved,
    });
    expect([shown.status, shown.title]).toEqual([403, 'Nobody is let in with this account · Holdfast']);
    expect(await userOf(browser)).toBeUndefined();
  });

  test('does not find somebody who has never accepted an invite, at the same provider or another', async () => {
    const [never, once] = [await invite(), await invite()];
    await accept(once);
    expect(await userOf(await signIn(never.email))).toBeUndefined();
    const browser = new Browser();
    const shown = await browser.open(`${service.addresses.baseUrl}/sign-in`);
    expect((await goThrough(browser, shown, { email: once.email }, 'Provider B')).status).toBe(403);
  });

  test('does not let in somebody whom every client has disabled', async () => {
    const of = await invite();
    await accept(of);
    await admin.post(`/v1/users/${of.user}/disable`, undefined);
    const browser = new Browser();
    const shown = await goThrough(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), of);
    expect([shown.status, await userOf(browser)]).toEqual([403, undefined]);
    const waiting = await invite();
    const other = new Browser();
    const page = await other.open(waiting.link);
    await admin.post(`/v1/users/${waiting.user}/disable`, undefined);
    expect((await goThrough(other, page, waiting)).title).toBe('Your access is disabled · Holdfast');
    expect([await stateOf(waiting), await userOf(other)]).toEqual(['pending', undefined]);
  });

  test('tells when an identity was last used, and an invite joins further ones to the same user', async () => {
    const of = await invite();
    await accept(of);
    service.clock.advance(minuteMs);
    await signIn(of.email);
    const again = await inviteAgain(of, { identity_provider: 'provider_b' });
    const browser = new Browser();
    await goThrough(browser, await browser.open(again.link), { email: of.email }, 'Provider B');
    const rows = await runSql<{ issuer: string; waited: string }>(
      service.database,
      `SELECT issuer, extract(epoch FROM last_signed_in_at - created_at)::text AS waited FROM person_identity
       WHERE person_id = $1 ORDER BY issuer`,
      [of.user],
    );
    expect(rows.map(({ issuer, waited }) => [issuer.slice(-10), Number(waited)])).toEqual([
      ['provider_a', 60],
      ['provider_b', 0],
    ]);
  });

  test('gives a new secret each time and ends the session before it; one that was put there by somebody is not taken', async () => {
    const of = await invite();
    const browser = await accept(of);
    const first = browser.copy();
    browser.cookies.delete('holdfast_session');
    browser.cookies.set('holdfast_session', first.cookies.get('holdfast_session')!);
    const again = await inviteAgain(of);
    await accept(again, {}, browser);
    expect(browser.cookies.get('holdfast_session')).not.toBe(first.cookies.get('holdfast_session'));
    expect([await userOf(browser), await userOf(first)]).toEqual([of.user, undefined]);
    const planted = new Browser();
    planted.cookies.set('holdfast_session', 'planted');
    await signIn(of.email, planted);
    expect(planted.cookies.get('holdfast_session')).not.toBe('planted');
  });

  test('somebody who is known in several places chooses one', async () => {
    const of = await invite();
    await accept(of);
    const stranger = await service.openWorkspace('sandbox');
    const theirs = await stranger.makeClient('Elsewhere');
    const user = await makeUser(stranger, theirs, { email: of.email });
    const secret = await secretOf(service, await makeInvite(stranger, user));
    const there = { ...of, link: `${service.addresses.baseUrl}/invites/${secret}` };
    expect(await userOf(await accept(there))).toBe(user);
    const browser = new Browser();
    const shown = await goThrough(browser, await browser.open(`${service.addresses.baseUrl}/sign-in`), {
      email: of.email,
    });
    expect([shown.status, shown.title]).toEqual([200, 'Where to? · Holdfast']);
    const names = shown.forms.map(({ button }) => button).toSorted();
    expect(names).toEqual([expect.stringMatching(/./), 'Another workspace (sandbox)'].toSorted());
    const elsewhere = browser.copy();
    const { fields, action } = shown.forms[0]!;
    const forced = { ...fields, place: 'ffffffffffffffffffffffff/production' };
    expect((await elsewhere.send(new URL(action, shown.url).href, forced)).status).toBe(400);
    await browser.press(shown, 'Another workspace (sandbox)');
    expect(await userOf(browser)).toBe(user);
  });
});

test('no secret of a link, a sign-in or a session is logged or counted', async () => {
  const of = await invite();
  const browser = await accept(of);
  await browser.ask(of.link, { method: 'POST', fields: {} });
  await browser.ask(`${of.link}/nothing`);
  const secrets = [of.link.split('/').at(-1)!, browser.cookies.get('holdfast_session')!, of.email];
  const code = new URL(browser.visited.find((url) => url.includes('code='))!).searchParams;
  const hidden = [...secrets, code.get('code')!, code.get('state')!];
  const told = service.log.join('\n') + (await admin.get('/metrics')).text;
  expect(told).toContain('/invites/{secret}');
  expect(hidden.filter((secret) => secret.length < 6 || told.includes(secret))).toEqual([]);
});
