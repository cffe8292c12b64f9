// Facts about every form that pages send: another site cannot send it, and a viewer who forges it changes nothing. Made from the list of routes.

import { beforeAll, describe, expect, test } from 'vitest';
import { sentAddresses } from '../../../src/surfaces/web/operations.ts';
import { defined } from '../../../src/kit/assert.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { Browser } from '../../setup/people/cookie-browser.ts';
import { insertPerson, signIn } from '../../setup/people/person-caller.ts';
import { pageTable, type TablePage } from '../../setup/web/page-table.ts';
import { GroupWorld, pageWorlds } from '../../setup/web/page-worlds.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let world: GroupWorld;
/** An administrator who is signed in, and a viewer of a client. */
let administrator: Browser;
let viewer: Browser;
let tokens: { readonly administrator: string; readonly viewer: string };

/** What everybody does for themselves. */
const ownForms = ['/sign-out', '/sign-out-everywhere', '/me/language', '/me/sessions/{id}/end'];
/** Their forms come with a file. */
const filePaths = ['/console/imports', '/console/custody/auth-flows/{id}/files'];
const consoleForms = sentAddresses.filter((path) => path.startsWith('/console'));

function browserWith({ cookie }: { readonly cookie: string }): Browser {
  const browser = new Browser();
  const [name = '', value = ''] = cookie.split('=', 2);
  browser.cookies.set(name, value);
  return browser;
}

beforeAll(async () => {
  world = await GroupWorld.make(service, pageWorlds['console-custody']);
  const client = await makeRecord(service.admin, 'clients', { name: 'Elsewhere' });
  const person = await insertPerson(service, { memberships: [{ client, role: 'viewer' }] });
  [administrator, viewer] = [browserWith(world.person), browserWith(await signIn(service, person))];
  tokens = { administrator: await tokenOf(administrator), viewer: await tokenOf(viewer) };
});

const tablePages: readonly TablePage[] = Object.values(pageTable).flat();

/** The names that the table of pages has for the parameters of an address: those of the page that shares most of it. */
function filled(path: string): string {
  const wanted = path.split('/');
  const shared = (shown: readonly string[]): number => {
    const at = wanted.findIndex((part, index) => {
      const other = shown[index] ?? '';
      return part !== other && !(part.startsWith('{') && other.startsWith('{'));
    });
    return at === -1 ? wanted.length : at;
  };
  const shown = tablePages.map((page) => page.path.replace(/\?.*/, '').split('/'));
  const [best = []] = shown.toSorted((one, other) => shared(other) - shared(one));
  return wanted.map((part, index) => (part.startsWith('{') ? (best[index] ?? part) : part)).join('/');
}

/** The address with ids of records that exist, where the world has such. */
function addressOf(path: string): string {
  const base = service.addresses.baseUrl;
  try {
    return world.at(filled(path));
  } catch {
    return `${base}${path.replaceAll(/\{\w+\}/g, 'unknown')}`;
  }
}

async function tokenOf(browser: Browser): Promise<string> {
  const page = await browser.open(`${service.addresses.baseUrl}/me`);
  const [token] = page.forms.map(({ fields }) => fields['form_token']).filter((one) => typeof one === 'string');
  return defined(token, 'the page of the own account has forms');
}

const plausible = { name: 'Forged', confirm_name: 'Forged', url: 'https://forged.example', type: 'buy' };

test('the list of forms has those that write', () => {
  expect(consoleForms.length).toBeGreaterThan(60);
  expect(ownForms.filter((path) => !sentAddresses.includes(path))).toEqual([]);
});

describe.each(sentAddresses)('%s', (path) => {
  test('is refused from another site, without its token, and with the token of another session', async () => {
    const url = addressOf(path);
    const own = { ...plausible, form_token: tokens.administrator };
    const before = await countAuditEntries(service.database);
    const sends: readonly (readonly [Record<string, string>, Record<string, string>])[] = [
      [own, { 'sec-fetch-site': 'cross-site', origin: 'null' }],
      [own, { 'sec-fetch-site': 'same-site', origin: 'null' }],
      [own, { origin: 'https://elsewhere.example' }],
      [plausible, { 'sec-fetch-site': 'same-origin', origin: 'null' }],
      [
        { ...plausible, form_token: tokens.viewer },
        { 'sec-fetch-site': 'same-origin', origin: 'null' },
      ],
    ];
    for (const [fields, headers] of sends) {
      const { status } = await administrator.fetchPage(url, { method: 'POST', fields, headers });
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
    }
    expect(await countAuditEntries(service.database)).toBe(before);
  });
});

describe.each(consoleForms)('%s', (path) => {
  test('sent by a viewer is not theirs to send, and changes nothing', async () => {
    const before = await countAuditEntries(service.database);
    const fields = { ...plausible, form_token: tokens.viewer };
    const headers = { 'sec-fetch-site': 'same-origin', origin: 'null' };
    const file = filePaths.includes(path) ? { file: { name: 'forged.xml', content: '<a/>' } } : {};
    const page = await viewer.fetchPage(addressOf(path), { method: 'POST', fields, headers, ...file });
    expect([403, 404]).toContain(page.status);
    expect(await countAuditEntries(service.database)).toBe(before);
  });
});
