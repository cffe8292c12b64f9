// Imports on the console: a file is sent, its names are assigned, it is booked and undone, in a browser without scripts.

import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { openSession } from '../../../src/actions/access/session.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { Browser, type BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { makeMember } from '../../setup/people/members.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const camt = new CamtText({ version: 8 });

const statement = camt.document([
  {
    balances: [camt.balance('OPBD', '1000.00', '2024-03-01'), camt.balance('CLBD', '1160.00', '2024-03-01')],
    entries: [
      camt.entry({ amount: '200.00', direction: 'CRDT', reference: 'A-1' }),
      camt.entry({ amount: '50.00', direction: 'DBIT', reference: 'A-2' }),
    ],
  },
]);
const file = { name: 'march.xml', content: statement };

let browser: Browser;
let client: string;
let account: string;

async function signedInAs(personId: string): Promise<Browser> {
  const { workspaceId } = service.first;
  const window = new Browser();
  const { secret } = await openSession(service.context, { workspaceId, environment: 'production', personId });
  window.cookies.set('holdfast_session', secret);
  return window;
}

beforeAll(async () => {
  const household = await makeHousehold(service.admin, 'Amsel');
  client = household.client;
  account = await makeRecord(service.admin, 'accounts', {
    entity_id: household.legalEntity,
    name: 'Current account',
    currency: 'CHF',
    external_identifier: 'another number',
  });
  browser = await signedInAs(await insertAdministrator(service));
});

const urlOf = (path: string): string => service.addresses.baseUrl + path;
const openAt = (path: string): Promise<BrowserPage> => browser.open(urlOf(path));

/** Looks again, as the page says, where a busy machine takes longer than a form waits. */
async function finished(page: BrowserPage): Promise<BrowserPage> {
  const isWorking = ({ text }: BrowserPage): boolean => text.includes('data-reload-seconds');
  let shown = page;
  await expect.poll(async () => isWorking(shown) && isWorking((shown = await browser.open(shown.url)))).toBe(false);
  return shown;
}

/** The page of an import; work that took longer ends at the list. */
async function importPage(page: BrowserPage, name: string): Promise<BrowserPage> {
  const shown = await finished(page);
  const [, href] = new RegExp(`<a href="(/console/imports/[0-9a-f]{24})"[^>]*>\\s*${name}`).exec(shown.text) ?? [];
  return new URL(shown.url).pathname === '/console/imports' && href !== undefined ? openAt(href) : shown;
}

/** Follows the first link with this text. */
function openLink({ text }: BrowserPage, title: string): Promise<BrowserPage> {
  const [, href = ''] = new RegExp(`<a\\b[^>]*href="([^"#]*)[^>]*>\\s*${title}`).exec(text) ?? [];
  return openAt(href.replaceAll('&amp;', '&'));
}

async function listAmounts(): Promise<string[]> {
  const { body } = await service.admin.get(`/v1/transactions?account_id=${account}`);
  return body.data.map(({ amount }: any) => amount);
}

async function importCount(): Promise<number> {
  return (await service.admin.get('/v1/imports')).body.data.length;
}

test('a camt file is recognised, its account is assigned, it is booked and undone', async () => {
  const form = await openAt('/console/imports');
  const sent = await browser.upload(form, 'Check the file', { file, fields: { client_id: client } });
  const checked = await importPage(sent, file.name);
  expect(checked.url).toMatch(/\/console\/imports\/[0-9a-f]{24}$/);
  expect(checked.title).toBe('march.xml · Holdfast');
  expect(checked.visibleText).toMatch(/Format camt\.053 /);
  expect(checked.visibleText).toContain('Waiting 2');
  // The closing balance of the file is 10.00 more than its entries lead to.
  expect(checked.visibleText).toContain('1160');
  expect(checked.visibleText).toContain('GET /v1/imports');

  expect(checked.visibleText).toContain('1 account is new.');

  const choices = await openLink(checked, 'Choose an existing one…');
  const assigned = await finished(await browser.press(choices, 'Assign', { target: account }));
  expect(assigned.visibleText).toContain('2 new rows can be booked.');
  expect(await listAmounts()).toEqual([]);

  const answered = await browser.press(assigned, 'Book 2 rows');
  const booked = await finished(answered);
  // The page of work that took longer says only what it led to.
  expect(booked === answered ? booked.visibleText : 'The import was booked.').toContain('The import was booked.');
  expect(booked.visibleText).toContain('Booked 2');
  expect(await listAmounts()).toEqual(['200', '-50']);

  const asking = await openAt(`${new URL(booked.url).pathname}/undo`);
  const mistyped = await browser.press(asking, 'Undo the import', { confirm_name: 'april.xml' });
  expect([mistyped.status, await listAmounts()]).toEqual([422, ['200', '-50']]);
  const undone = await finished(await browser.press(mistyped, 'Undo the import', { confirm_name: 'march.xml' }));
  expect(undone.visibleText).toContain('2 closed, 0 restored, 0 kept');
  expect(await listAmounts()).toEqual([]);

  const currentOn = async (query: string): Promise<string[]> => {
    const { text } = await openAt(new URL(booked.url).pathname + query);
    const [, choices = ''] = /<ul class="chips">(.*?)<\/ul>/s.exec(text) ?? [];
    return [...choices.matchAll(/aria-current="page"\s*>([^<]*)</g)].map(([, title = '']) => title);
  };
  expect([await currentOn(''), await currentOn('?outcome=booked')]).toEqual([['All 2'], ['Booked 2']]);

  const list = await openAt('/console/imports?state=undone');
  expect(list.visibleText).toContain('march.xml Undone Amsel camt.053 2 2 0 0 0 0');
  expect((await openAt('/console/imports?state=checked')).visibleText).not.toContain('march.xml Undone');
  const csv = await openAt('/console/imports?table=imports&format=csv');
  expect(csv.text).toContain('march.xml');
});

test('an import that is not booked is deleted once its name is typed', async () => {
  const named = { name: 'mistaken.csv', content: `Date;Description;Amount\n${'2024-01-31;Shop;x\n'.repeat(700)}` };
  const form = await openAt('/console/imports');
  const page = await importPage(
    await browser.upload(form, 'Check the file', { file: named, fields: { client_id: client } }),
    named.name,
  );
  expect(page.visibleText).toContain('200 rows are counted and not kept one by one.');
  const address = new URL(page.url).pathname;
  const mistyped = await browser.press(await openAt(`${address}/delete`), 'Delete the import', {
    confirm_name: 'march.xml',
  });
  expect([mistyped.status, mistyped.visibleText.includes('700 rows of the file')]).toEqual([422, true]);
  const list = await browser.press(mistyped, 'Delete the import', { confirm_name: 'mistaken.csv' });
  expect([new URL(list.url).pathname, list.visibleText.includes('mistaken.csv')]).toEqual(['/console/imports', false]);
  expect((await service.admin.get(address.replace('/console/', '/v1/'))).status).toBe(404);
});

test('what a file names is chosen among the accounts of its client, and among all where it has none', async () => {
  const { client: other, legalEntity } = await makeHousehold(service.admin, 'Kleiber');
  await makeRecord(service.admin, 'accounts', { entity_id: legalEntity, name: 'Savings of Kleiber', currency: 'CHF' });
  const choicesOf = async (name: string, fields: Record<string, string>): Promise<boolean[]> => {
    const form = await openAt('/console/imports');
    const named = { name, content: statement.replaceAll('A-', `${name}-`) };
    const page = await importPage(await browser.upload(form, 'Check the file', { file: named, fields }), name);
    const { visibleText } = 'client_id' in fields ? await openLink(page, 'Choose an existing one…') : page;
    return ['Current account', 'Savings of Kleiber'].map((title) => visibleText.includes(title));
  };
  expect(await choicesOf('kleiber.xml', { client_id: other })).toEqual([false, true]);
  expect(await choicesOf('all.xml', {})).toEqual([true, true]);
});

test('a number with several accounts is assigned for the currency of the rows that wait', async () => {
  const { client: owner, legalEntity } = await makeHousehold(service.admin, 'Stieglitz');
  const fields = { entity_id: legalEntity, external_identifier: 'U-77' };
  for (const currency of ['CHF', 'USD']) await makeRecord(service.admin, 'accounts', { ...fields, currency });
  const euros = await makeRecord(service.admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
  const content =
    ':20:E\n:25:U-77\n:28C:1/1\n:60F:C240101EUR0,\n:61:240102C5,NTRFNONREF//EUROS-0001\n:62F:C240102EUR5,\n-\n';
  const sent = { file: { name: 'euros.sta', content }, fields: { client_id: owner } };
  const page = await importPage(
    await browser.upload(await openAt('/console/imports'), 'Check the file', sent),
    'euros.sta',
  );
  expect(page.visibleText).toContain('U-77 · EUR');
  await finished(await browser.press(await openLink(page, 'Choose an existing one…'), 'Assign', { target: euros }));
  const { data } = (await service.admin.get(`/v1/identifier-mappings?account_id=${euros}`)).body;
  expect(data).toMatchObject([{ value: 'U-77', currency: 'EUR', client_id: owner, source: 'manual' }]);
});

test('before an import is undone, the page says how many rows it booked or changed', async () => {
  const { client: other, legalEntity } = await makeHousehold(service.admin, 'Zeisig');
  const iban = 'CH9300762011623852957';
  await makeRecord(service.admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', external_identifier: iban });
  const bring = async (entries: readonly string[]): Promise<string> => {
    const { status, body } = await service.admin.send(`/v1/imports?client_id=${other}&book=true`, {
      method: 'POST',
      raw: camt.document([{ entries }]),
      headers: { 'content-type': 'application/xml' },
    });
    expect(status).toBe(201);
    return body.id;
  };
  const first = await bring(['A-1', 'A-2', 'A-3'].map((reference) => camt.entry({ amount: '200.00', reference })));
  const corrected = ['A-1', 'A-2', 'A-3'].map((reference) => camt.entry({ amount: '210.00', reference }));
  const second = await bring([...corrected, camt.entry({ amount: '5.00', reference: 'A-4' })]);
  const pages = await Promise.all([first, second].map((id) => openAt(`/console/imports/${id}/undo`)));
  expect(pages.map(({ visibleText }) => /\d+ rows that it booked or changed/.exec(visibleText)?.[0])).toEqual([
    '3 rows that it booked or changed',
    '4 rows that it booked or changed',
  ]);
});

test.each([
  ['is damaged', statement.slice(0, 400).replace('<', '<<'), 422, /Line \d+:/],
  ['is of no known format', 'Dear bank, hello.', 422, /no format that can be read/],
  ['is empty', '', 422, /No file was chosen/],
])('a file that %s is refused on the page of the form, and nothing is kept', async (_what, content, status, text) => {
  const before = await importCount();
  const page = await openAt('/console/imports');
  const refused = await finished(await browser.upload(page, 'Check the file', { file: { name: 'x', content } }));
  expect([refused.status, await importCount()]).toEqual([status, before]);
  expect(refused.visibleText).toMatch(text);
});

describe('the form with a file', () => {
  const forged = [403, 'Cross-site request refused · Holdfast'];

  test('is refused without its token', async () => {
    const before = await importCount();
    const page = await openAt('/console/imports');
    const refused = await browser.upload(page, 'Check the file', { file, fields: { form_token: 'x' } });
    expect([refused.status, refused.title]).toEqual(forged);
    expect(await importCount()).toBe(before);
  });

  test('is refused before its file arrives where nobody is signed in, or from another site', async () => {
    const fields = { form_token: 'x' };
    const type = { method: 'POST', fields, file } as const;
    const stranger = await new Browser().fetchPage(urlOf('/console/imports'), type);
    expect([stranger.status, stranger.title, stranger.headers.get('connection')]).toEqual([...forged, 'close']);
    const headers = { origin: 'https://elsewhere.example' };
    const elsewhere = await browser.fetchPage(urlOf('/console/imports'), { ...type, headers });
    expect([elsewhere.status, elsewhere.title]).toEqual(forged);
  });

  /** Announces a form of 1 GiB, sends its beginning, and returns what is answered without the rest. */
  async function answerToBeginning(sender: Browser, beginning: string, path = '/console/imports'): Promise<number> {
    const headers = {
      cookie: [...sender.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'content-type': 'multipart/form-data; boundary=x',
      'content-length': String(2 ** 30),
      'sec-fetch-site': 'same-origin',
    };
    const sent = request(urlOf(path), { method: 'POST', headers, agent: false }).on('error', () => {});
    onTestFinished(() => void sent.destroy());
    sent.write(beginning);
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    return answer.statusCode ?? 0;
  }
  const part = (head: string, content: string): string =>
    `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
  const fileBeginning = part('name="file"; filename="x"', 'x'.repeat(64 * 1024));

  test.each([
    ['with a wrong token', part('name="form_token"', 'x') + fileBeginning],
    ['with a file before its token', fileBeginning],
    ['with a long field before its token', part('name="client_id"', 'x'.repeat(4_000)).repeat(3)],
  ])('is refused %s before its file arrives', async (_what, beginning) => {
    expect(await answerToBeginning(browser, beginning)).toBe(403);
  });

  test('is refused before any of it arrives where the sender may not import', async () => {
    const viewer = await signedInAs(await makeMember(service, client, { role: 'viewer' }));
    expect(await answerToBeginning(viewer, '--x')).toBe(403);
    const path = `/console/custody/auth-flows/${'0'.repeat(24)}/files`;
    expect(await answerToBeginning(viewer, '--x', path)).toBe(403);
  });

  test('for a record that does not exist is refused before any of it arrives', async () => {
    const path = `/console/custody/auth-flows/${'0'.repeat(24)}/files`;
    expect(await answerToBeginning(browser, '--x', path)).toBe(404);
  });

  test('has at most 1 GiB', async () => {
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'content-length': String(2 ** 31) };
    const page = await browser.fetchPage(urlOf('/console/imports'), { method: 'POST', headers });
    expect([page.status, page.title]).toEqual([413, expect.stringContaining('Holdfast')]);
  });
});

test('a viewer cannot import, nor see what was imported', async () => {
  const viewer = await signedInAs(await makeMember(service, client, { role: 'viewer' }));
  expect((await viewer.open(urlOf('/console/imports'))).status).toBe(403);
});
