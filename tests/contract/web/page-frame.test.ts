// What every page has around its content: its language, form tokens that differ from page to page, scripts of our own, and problems as pages.

import { beforeAll, describe, expect, test } from 'vitest';
import { openSession } from '../../../src/actions/access/session.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { Browser, type BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { makeMember } from '../../setup/people/members.ts';
import { unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let user: string;

beforeAll(async () => {
  const client = await service.admin.makeClient('Amsel');
  user = await makeMember(service, client, { first_name: 'Astrid', last_name: 'Amsel' });
});

async function signedIn(personId = user): Promise<Browser> {
  const { workspaceId } = service.first;
  const person = { workspaceId, environment: 'production', personId } as const;
  const browser = new Browser();
  browser.cookies.set('holdfast_session', (await openSession(service.context, person)).secret);
  return browser;
}

const urlOf = (path: string): string => service.addresses.baseUrl + path;
const openAt = (browser: Browser, path: string, headers: Record<string, string> = {}): Promise<BrowserPage> =>
  browser.open(urlOf(path), headers);

const tokensOf = ({ forms }: BrowserPage): string[] => forms.map(({ fields }) => String(fields['form_token']));

describe('the language', () => {
  test('is that of the browser', async () => {
    const page = await openAt(await signedIn(), '/', { 'accept-language': 'de-CH,en;q=0.5' });
    expect(page.text).toContain('<html lang="de">');
    expect(page.visibleText).toContain('Abmelden');
  });

  test('is English for a reader of any other', async () => {
    const page = await openAt(await signedIn(), '/', { 'accept-language': 'sv' });
    expect(page.text).toContain('<html lang="en">');
  });

  test('is the one that the person has chosen', async () => {
    const browser = await signedIn();
    browser.cookies.set('holdfast_language', 'de');
    expect((await openAt(browser, '/', { 'accept-language': 'en' })).text).toContain('<html lang="de">');
  });

  test.each([
    ['/console', 200],
    ['/console/clients', 200],
    ['/console/clients/{id}', 404],
    ['/console/nowhere', 404],
  ])('is English on %s for a reader of German, from the frame to the problems', async (path, status) => {
    const browser = await signedIn(await insertAdministrator(service));
    browser.cookies.set('holdfast_language', 'de');
    const german = await openAt(browser, path.replace('{id}', unknownId), {
      accept: 'text/html',
      'accept-language': 'de-CH',
    });
    browser.cookies.delete('holdfast_language');
    const english = await openAt(browser, path.replace('{id}', unknownId), {
      accept: 'text/html',
      'accept-language': 'en-CH',
    });
    const withoutRequest = ({ visibleText }: BrowserPage): string => visibleText.replace(/request number \w+/, '');
    expect([german.status, withoutRequest(german)]).toEqual([status, withoutRequest(english)]);
    expect(german.text).toContain('<html lang="en">');
  });
});

test('the name of the service leads to the first page of the part that the reader is in', async () => {
  const browser = await signedIn(await insertAdministrator(service));
  const brandOn = async (path: string): Promise<string | undefined> =>
    /<a class="brand" href="([^"]*)"/.exec((await openAt(browser, path)).text)?.[1];
  expect([await brandOn('/'), await brandOn('/console')]).toEqual(['/', '/console']);
});

describe('the token of forms', () => {
  test('is written differently on every page, and each is accepted', async () => {
    const browser = await signedIn();
    const [one, other] = [await openAt(browser, '/'), await openAt(browser, '/')];
    expect(tokensOf(one)[0]).not.toBe(tokensOf(other)[0]);
    expect((await browser.press(one, 'Sign out')).url).toBe(urlOf('/sign-in'));
  });

  test('is refused when a byte of it was changed', async () => {
    const browser = await signedIn();
    const [token = ''] = tokensOf(await openAt(browser, '/'));
    const changed = Buffer.from(token, 'base64url').map((byte, index) => (index === 40 ? byte ^ 1 : byte));
    const page = await browser.send(urlOf('/sign-out'), { form_token: Buffer.from(changed).toString('base64url') });
    expect([page.status, page.title]).toEqual([403, 'Cross-site request refused · Holdfast']);
  });
});

describe('a form that nobody has filled in', () => {
  const send = (path: string, fields: Record<string, string>): Promise<BrowserPage> =>
    new Browser().fetchPage(urlOf(path), { method: 'POST', fields });

  test.each(['/sign-in/a', '/invites/any/sign-in'])('%s takes no more than such a form has', async (path) => {
    expect((await send(path, { a: 'b'.repeat(16 * 1024) })).status).toBe(413);
    expect((await send(path, { a: 'b'.repeat(16 * 1024 - 2) })).status).toBe(403);
  });

  test('is refused before its fields are read, where there are too many', async () => {
    const fields = (count: number): Record<string, string> =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, '']));
    const refused = await send('/sign-out', fields(5_001));
    expect(refused.status).toBe(400);
    expect(refused.visibleText).toContain('A form has at most 5000 fields.');
    expect((await send('/sign-out', fields(5_000))).status).toBe(403);
  });
});

describe('an address that is not served', () => {
  test.each([
    ['text/html,application/xhtml+xml,*/*;q=0.8', '/nowhere', 'text/html; charset=utf-8'],
    ['application/json', '/nowhere', 'application/problem+json'],
    ['text/html', '/v1/nowhere', 'application/problem+json'],
    ['text/html', '/islands/nowhere', 'application/problem+json'],
  ])('answers %s at %s as %s', async (accept, path, mediaType) => {
    const page = await new Browser().fetchPage(urlOf(path), { method: 'GET', headers: { accept } });
    expect([page.status, page.headers.get('content-type')]).toEqual([404, mediaType]);
  });
});

test.each([
  '/entities/%25/holdings',
  '/entities/a%2Fb/holdings',
  '/entities/a%3Flimit=1/holdings',
  '/entities/%E2%80%A8/holdings',
])('%s leads to no other path of the API: it does not exist', async (path) => {
  const page = await openAt(await signedIn(), path, { accept: 'text/html' });
  expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  expect(page.visibleText).toContain('This page does not exist');
});

test('an island is served as a script without types, under an address that changes with its content', async () => {
  const script = await new Browser().fetchPage(urlOf('/islands/shortcuts'));
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8']);
  expect(script.text).not.toContain(': void');
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
});
