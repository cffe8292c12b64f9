// The page of an import as somebody goes through it, without scripts: what is new is created at once, each question is asked once, and the end
// says whether reports show what was booked.

import { beforeAll, expect, test, vi } from 'vitest';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import type { BrowserPage } from '../../setup/people/cookie-browser.ts';
import { insertAdministrator } from '../../setup/people/person-caller.ts';
import { signedInBrowser, type SignedInBrowser } from '../../setup/people/signed-in-browser.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
const camt = new CamtText({ version: 8 });
let browser: SignedInBrowser;
let familyCount = 0;

beforeAll(async () => {
  browser = await signedInBrowser(service, await insertAdministrator(service));
});

const isins = new Map<string, string>();

/** An ISIN for each title, with its check digit. */
function isinOf(title: string): string {
  return isins.getOrInsertComputed(title, () => {
    const body = `CH${String(isins.size + 1).padStart(9, '0')}`;
    const digits = [...body].map((character) => Number.parseInt(character, 36)).join('');
    const doubled = [...digits].toReversed().map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1));
    const sum = doubled.reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
    return `${body}${(10 - (sum % 10)) % 10}`;
  });
}

const header =
  'Datum;Auftrag #;Transaktionen;Symbol;Name;ISIN;Anzahl;Stückpreis;Kosten;Aufgelaufene Zinsen;Nettobetrag;Währung Nettobetrag';
const deposit = (number: number): string =>
  `${String(number).padStart(2, '0')}-01-2016;${number};Einzahlung;;;;1.0;100000.00;0.00;0.00;100000.00;CHF`;
const buy = (number: number, title: string): string =>
  `18-01-2016;${number};Kauf;;Title ${title};${isinOf(title)};500.0;82.10;35.00;0.00;-41085.00;CHF`;
const csv = (rows: readonly string[]): string => [header, ...rows, ''].join('\n');

/** A client of its own: instruments are shared, so each family buys others. */
async function setUp() {
  const family = `Family${++familyCount}`;
  const household = await makeHousehold(service.admin, family);
  const account = await makeRecord(service.admin, 'accounts', {
    entity_id: household.legalEntity,
    name: `Brokerage of ${family}`,
    currency: 'CHF',
    institution: 'Bank Sonnenberg',
  });
  return { family, account, ...household };
}

async function checked(query: string, file: string): Promise<string> {
  const headers = { 'content-type': 'text/plain' };
  const { status, body } = await service.admin.send(`/v1/imports?${query}`, { method: 'POST', raw: file, headers });
  expect(status).toBe(201);
  return `/console/imports/${body.id}`;
}

/** Looks again, as the page says, where a busy machine takes longer than a form waits. */
async function pressed(page: BrowserPage, button: string, fields: Record<string, string> = {}): Promise<BrowserPage> {
  let shown = await browser.press(page, button, fields);
  await vi.waitUntil(
    async () =>
      !shown.text.includes('data-reload-seconds') ||
      !(shown = await browser.open(new URL(shown.url).pathname)).text.includes('data-reload-seconds'),
    { timeout: 60_000, interval: 100 },
  );
  return shown;
}

const buttonsOf = ({ forms }: BrowserPage): string[] => forms.map(({ button }) => button);

test('what is new is created with one click, booked with another, and added to a report with a third', async () => {
  const { account, family } = await setUp();
  const path = await checked(
    `account_id=${account}`,
    csv([deposit(1), buy(2, `${family}A`), buy(3, `${family}B`), buy(4, `${family}A`)]),
  );
  const open = await browser.open(path);
  expect(open.visibleText).toContain('2 instruments are new.');
  expect(open.visibleText).toContain(`Title ${family}A`);
  const created = await pressed(open, 'Create all');
  expect(created.visibleText).toContain('4 new rows can be booked.');
  const booked = await pressed(created, 'Book 4 rows');
  expect(booked.visibleText).toContain('4 booked.');
  expect(booked.visibleText).toContain(`No portfolio contains Brokerage of ${family}.`);
  const reported = await pressed(booked, 'Add to portfolio');
  expect(reported.visibleText).toContain('Reports show them from now on.');
  expect(buttonsOf(reported)).not.toContain('Add to portfolio');
  const { body } = await service.admin.get(`/v1/accounts/${account}`);
  expect(body.name).toBe(`Brokerage of ${family}`);
  const { body: portfolios } = await service.admin.get(`/v1/portfolios?account_id=${account}`);
  expect(portfolios.data).toHaveLength(1);
});

test('a portfolio keeps its accounts when the accounts of an import are added', async () => {
  const { account, client, reportingEntity } = await setUp();
  const { body: entities } = await service.admin.get(`/v1/legal-entities?client_id=${client}`);
  const first = await makeRecord(service.admin, 'accounts', { entity_id: entities.data[0].id, currency: 'EUR' });
  const portfolio = await makeRecord(service.admin, 'portfolios', {
    reporting_entity_id: reportingEntity,
    name: 'Liquid assets',
    account_ids: [first],
  });
  const path = await checked(`account_id=${account}`, csv([deposit(1)]));
  const booked = await pressed(await browser.open(path), 'Book one row');
  await pressed(booked, 'Add to portfolio', { portfolio });
  const { body } = await service.admin.get(`/v1/portfolios/${portfolio}`);
  expect(body.account_ids).toEqual([first, account].toSorted());
});

test('a file is never half booked without asking: with its instruments, or only the rows that are ready', async () => {
  const { account, family } = await setUp();
  const file = (from: number): string => csv([deposit(from), deposit(from + 1), buy(from + 2, `${family}C`)]);
  const path = await checked(`account_id=${account}`, file(1));
  const open = await browser.open(path);
  expect(open.visibleText).toContain('One trade waits, and 2 rows of cash in the same accounts');
  expect(buttonsOf(open)).not.toContain('Book 2 rows');
  const half = await pressed(open, 'Book only the 2 rows that are ready');
  expect(half.visibleText).toContain('2 booked, 1 needs a decision.');
  const second = await checked(`account_id=${account}`, file(11));
  const whole = await pressed(await browser.open(second), 'Create the instruments and book all');
  expect(whole.visibleText).toMatch(/\b[13] booked/);
  expect(whole.visibleText).not.toContain('needs a decision');
});

test('the account of a file that names none is found by a search, and its rows are decided again', async () => {
  const { account, family, client } = await setUp();
  const path = await checked('', csv([deposit(1), deposit(2)]));
  const open = await browser.open(path);
  expect(open.visibleText).toContain('Which account is this file of?');
  expect((await browser.open(`${path}?find=account&q=nobody`)).visibleText).toContain('No account was found.');
  const found = await browser.open(`${path}?find=account&q=${family}`);
  expect(found.visibleText).toContain(`Brokerage of ${family} CHF · ${family}`);
  const unchosen = await pressed(found, 'The file is of this account');
  expect([unchosen.status, unchosen.visibleText]).toEqual([422, expect.stringContaining('Which account')]);
  const said = await pressed(found, 'The file is of this account', { target: account });
  expect(said.visibleText).toContain('2 new rows can be booked.');
  expect((await service.admin.get(path.replace('/console/', '/v1/'))).body.client_id).toBe(client);
});

test('of several owners one is asked for, and what was chosen stays chosen when the form is refused', async () => {
  const { client, family } = await setUp();
  const trust = await makeRecord(service.admin, 'legal-entities', { client_id: client, name: `${family} Trust` });
  const path = await checked(`client_id=${client}`, camt.document([{ entries: [camt.entry({ reference: 'A-1' })] }]));
  const open = await browser.open(path);
  expect(open.visibleText).toContain('1 account is new.');
  const refused = await pressed(open, 'Create it');
  expect([refused.status, refused.visibleText]).toEqual([422, expect.stringContaining('Say which one owns')]);
  const created = await pressed(refused, 'Create it', { entity_id: trust });
  expect(created.visibleText).toContain('One new row can be booked.');
  expect((await service.admin.get(`/v1/accounts?entity_id=${trust}`)).body.data).toHaveLength(1);
});

test('a word is assigned to a record that a search finds; the search stays when the answer is refused', async () => {
  const { account, client, family } = await setUp();
  const other = await makeRecord(service.admin, 'instruments', {
    type: 'stock-instrument',
    name: `Known ${family}`,
    currency: 'CHF',
  });
  const path = await checked(`account_id=${account}`, csv([buy(1, `${family}D`)]));
  const { body } = await service.admin.get(`${path.replace('/console/', '/v1/')}/waiting`);
  const search = `${path}?find=${body.data[0].key}&q=known ${family}`;
  const found = await browser.open(search);
  expect(found.visibleText).toContain(`Known ${family} CHF`);
  // What a form names is gone by then: the page is shown again as it was, with the reason.
  const refused = await pressed(found, 'Assign', { target: account });
  expect(refused.status).toBe(404);
  expect(refused.visibleText).toContain(`Known ${family} CHF`);
  expect(refused.text).toContain(`value="known ${family}"`);
  const assigned = await pressed(refused, 'Assign', { target: other });
  expect(assigned.visibleText).toContain('One new row can be booked.');
  const { body: mappings } = await service.admin.get(`/v1/identifier-mappings?client_id=${client}`);
  expect(mappings.data).toMatchObject([{ instrument_id: other, source: 'manual' }]);
});

test('pages name no parameter of the API outside the calls that they list', async () => {
  const { account, family } = await setUp();
  const file = csv([deposit(1), buy(2, `${family}E`), '31-13-2024;9;Einzahlung;;;;1.0;1.00;0.00;0.00;1.00;CHF']);
  const paths = [await checked(`account_id=${account}`, file), await checked('', file)];
  for (const path of paths) {
    const { text } = await browser.open(path);
    const shown = text.replace(/<details class="card api".*<\/details>/s, '').replaceAll(/<[^>]+>/g, ' ');
    expect(shown.match(/\b[a-z]+_[a-z_]+\b|=true/g)).toBeNull();
  }
});

test('a file with thousands of instruments has a small page, whose questions and rows are listed page by page', async () => {
  const { account, family } = await setUp();
  const rows = Array.from({ length: 6_000 }, (_, index) => buy(index, `${family}N${index % 3_000}`));
  const path = await checked(`account_id=${account}`, csv(rows));
  const first = await browser.open(path);
  expect(first.visibleText).toContain('3,000 instruments are new.');
  expect(first.visibleText).toContain('3,000 things are to be decided');
  expect(first.text.length).toBeLessThan(120_000);
  const [, next = ''] = /href="([^"]*waiting=[^"]*)#waits"/.exec(first.text) ?? [];
  const titles = ({ text }: BrowserPage): string[] =>
    [...text.matchAll(/class="question">\s*<strong>([^<]*)</g)].map(([, title = '']) => title);
  const second = await browser.open(next.replaceAll('&amp;', '&'));
  expect([titles(first).length, titles(second).length]).toEqual([20, 20]);
  expect(titles(second).filter((title) => titles(first).includes(title))).toEqual([]);
});

test('a file of an unknown layout is read once a person says what its columns mean, and the next one by itself', async () => {
  const { account } = await setUp();
  const file = 'Wann am;Vorfall;Wieviel\n31.12.2025;Spesen;-12,50\n02.01.2026;Zinsen;3,25\n';
  const page = await browser.open(await checked(`account_id=${account}`, file));
  expect(page.visibleText).toContain('What do the columns mean?');
  expect(page.visibleText).toContain('31.12.2025 · Spesen · -12,50');
  const refused = await pressed(page, 'Read the file so', { name: 'Sheet of Stieglitz', 'column-3': 'amount' });
  expect(refused.status).toBe(422);
  expect(refused.visibleText).toContain('Say which column is the date.');
  const said = { 'column-1': 'date', 'column-2': 'type', 'column-3': 'amount' };
  const read = await pressed(refused, 'Read the file so', said);
  expect(read.visibleText).toContain('The file was read with these columns.');
  expect(read.visibleText).toContain('2 new rows can be booked');
  const booked = await pressed(read, 'Book 2 rows');
  expect(booked.visibleText).toContain('2 booked');
  const { body } = await service.admin.get(`/v1/transactions?account_id=${account}`);
  expect(body.data.map(({ type, amount }: any) => `${type} ${amount}`)).toEqual(['fee -12.5', 'interest 3.25']);
  const next = await browser.open(await checked(`account_id=${account}`, file.replace('-12,50', '-7,00')));
  expect(next.visibleText).not.toContain('What do the columns mean?');
  expect(next.visibleText).toContain('new row');
});

test('whether the day or the month comes first is asked once, and answered with one click', async () => {
  const { account } = await setUp();
  const file = 'Date,Description,Amount\n03/04/2025,Rent,-5.00\n04/05/2025,Shop,-2.00\n';
  const page = await browser.open(await checked(`account_id=${account}`, file));
  expect(page.visibleText.match(/Does the day or the month come first\?/g)).toHaveLength(1);
  const read = await pressed(page, 'The day comes first: 31/12/2025');
  expect(read.visibleText).toContain('2 new rows can be booked');
  expect(read.visibleText).toContain('3 Apr 2025');
});
