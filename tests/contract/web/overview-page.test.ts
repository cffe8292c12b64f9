// The first page of a signed-in person: their reporting entities with value, changes, line and allocation, and nothing of other people.

import { beforeAll, describe, expect, test } from 'vitest';
import { formatsOf } from '../../../src/surfaces/web/language/formats.ts';
import type { Reply } from '../../setup/http/caller.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { insertPerson, signIn, type MembershipFixture } from '../../setup/people/person-caller.ts';
import { figuresOf, plainText } from '../../setup/people/page-text.ts';
import { workspaceForThisFile, serviceForThisTest, type SharedService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();

async function makeEntity({ admin }: SharedService, client: string, name: string, account: string): Promise<string> {
  const id = await makeRecord(admin, 'reporting-entities', { client_id: client, name });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: id, account_ids: [account] });
  return id;
}

async function makePageHousehold(from: SharedService, name: string): Promise<LedgerHousehold> {
  const household = await makeLedgerHousehold(from.admin, name);
  await from.admin.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
  return household;
}

/** The cards of the page, by the name of their entity. */
function cardsOf({ text }: Reply): Readonly<Record<string, string>> {
  const cards = [...text.matchAll(/<section class="card entity">(.*?)<\/section>/gs)].map(([, card = '']) => card);
  return Object.fromEntries(cards.map((card) => [plainText(/<h2>(.*?)<\/h2>/s.exec(card)?.[1] ?? ''), card]));
}

let amsel: LedgerHousehold;
let drossel: LedgerHousehold;
let parents: string;
let children: string;
let abroad: string;
let trust: string;

beforeAll(async () => {
  const { admin } = service;
  [amsel, drossel] = [
    await makePageHousehold(service, 'Amsel'),
    await makePageHousehold(service, 'Drossel & Söhne <i>'),
  ];
  parents = await makeEntity(service, amsel.client, 'Parents & <i>', amsel.account);
  children = await makeEntity(service, amsel.client, 'Children', amsel.savings);
  abroad = await makeEntity(service, amsel.client, 'Abroad', amsel.euros);
  trust = await makeEntity(service, drossel.client, 'Trust', drossel.account);
  const deposit = (account_id: string, amount: string) =>
    admin.post('/v1/transactions', { type: 'deposit', account_id, date: '2026-01-02', amount });
  await deposit(amsel.account, '1234567.899');
  await deposit(amsel.savings, '7');
  await deposit(amsel.euros, '9');
  await deposit(drossel.account, '1000');
  const bought = { account_id: drossel.account, instrument_id: drossel.stock, quantity: '10', amount: '-1000' };
  await admin.post('/v1/transactions', { type: 'buy', date: '2026-01-05', ...bought });
  await admin.post(`/v1/instruments/${drossel.stock}/prices`, { date: '2026-11-13', value: '112.345' });
});

async function pageOf(memberships: readonly MembershipFixture[], from = service, language = 'en-GB'): Promise<Reply> {
  const id = await insertPerson(from, { memberships });
  return (await signIn(from, id)).get('/', { 'accept-language': language });
}

describe('with several reporting entities', () => {
  const both = (): readonly MembershipFixture[] => [
    { client: amsel.client, role: 'viewer', grants: [parents] },
    { client: drossel.client, role: 'admin', grants: [trust] },
  ];

  test('each has a card with its value and what it earned on the last day, this month and this year', async () => {
    const reply = await pageOf(both());
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const cards = cardsOf(reply);
    expect(Object.keys(cards)).toEqual(['Parents & <i>', 'Trust']);
    expect(figuresOf(cards['Parents & <i>']!)).toEqual([
      'Value 1,234,567.90',
      'On the last day 0.00 0.00%',
      'This month 0.00 0.00%',
      'This year 0.00 0.00%',
      'Paid in this period 1,234,567.90',
    ]);
    // 10 units, bought at 100 and priced at 112.345 on the last day.
    expect(figuresOf(cards['Trust']!)).toEqual([
      'Value 1,123.45',
      'On the last day +123.45 +12.34%',
      'This month +123.45 +12.34%',
      'This year +123.45 +12.34%',
      'Paid in this period 1,000.00',
    ]);
    expect(plainText(cards['Trust']!)).toContain('As of 13 November 2026, in Swiss francs.');
    expect(cards['Trust']).toContain(`href="/entities/${trust}"`);
    expect(reply.text).not.toContain('Children');
  });

  test('the figures are those of the API, to the last digit shown', async () => {
    const { admin } = service;
    const formats = formatsOf('en-GB');
    const { body } = await admin.get(`/v1/performance?reporting_entity_id=${trust}&detail=summary`);
    const [whole] = body.data;
    const { Trust: card = '' } = cardsOf(await pageOf(both()));
    expect(figuresOf(card)[0]).toBe(`Value ${formats.money(whole.end_market_value, 'CHF')}`);
    expect(figuresOf(card)[3]).toBe(
      `This year ${formats.signedMoney(whole.gain, 'CHF')} ${formats.percent(String(whole.twr))}`,
    );
  });

  test('a payment is marked on the line, and the line has a title, a description and a table', async () => {
    const { Trust: card = '' } = cardsOf(await pageOf(both()));
    expect(plainText(card)).toContain('2 Jan 2026: paid in CHF 1,000.00');
    expect(card).toMatch(/<svg[^>]*role="img"[^>]*aria-labelledby="value-\w+-wide-title value-\w+-wide-desc"/);
    expect(plainText(card)).toContain('one payment in or out, marked on the line');
    expect(card).toMatch(/<table id="value-\w+-table">/);
  });

  test('a German reads German, with the numbers of the browser', async () => {
    const reply = await pageOf(both(), service, 'de-CH');
    const { Trust: card = '' } = cardsOf(reply);
    expect(reply.text).toContain('<html lang="de">');
    expect(plainText(reply.text)).toContain('Ihr Vermögen');
    expect(figuresOf(card)[0]).toBe("Wert 1'123.45");
    expect(plainText(card)).toContain('Per 13. November 2026, in Schweizer Franken.');
  });

  test('a figure that cannot be computed says why, and the others are shown', async () => {
    const reply = await pageOf([{ client: amsel.client, role: 'viewer', grants: [abroad, parents] }]);
    const cards = cardsOf(reply);
    expect(plainText(cards['Abroad']!)).toContain('There is no exchange rate from EUR to CHF on or before 2026-01-02');
    expect(figuresOf(cards['Parents & <i>']!)[0]).toBe('Value 1,234,567.90');
  });
});

test('with one reporting entity the page is its overview', async () => {
  const reply = await pageOf([{ client: amsel.client, role: 'viewer', grants: [children] }]);
  expect(plainText(/<h1>(.*?)<\/h1>/s.exec(reply.text)![1]!)).toBe('Children');
  expect(figuresOf(reply.text)[0]).toBe('Value 7.00');
  expect(reply.text).toContain(`href="/entities/${children}/holdings"`);
});

test('the page says so if nothing was granted, or no longer', async () => {
  const nothing = 'You do not have access to any reports yet.';
  expect((await pageOf([{ client: amsel.client, role: 'admin' }])).text).toContain(nothing);
  const id = await insertPerson(service, {
    memberships: [{ client: amsel.client, role: 'viewer', grants: [children] }],
  });
  const signedIn = await signIn(service, id);
  expect((await signedIn.get('/')).text).toContain('Children');
  await runSql(service.database, 'DELETE FROM read_grant WHERE person_id = $1', [id]);
  expect((await signedIn.get('/')).text).toContain(nothing);
});

test('the page requires a sign-in: other visitors are redirected to the sign-in page', async () => {
  for (const headers of [{}, { cookie: 'holdfast_session=made-up' }]) {
    const reply = await service.admin.withToken(null).get('/', headers);
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/sign-in']);
  }
});

test('figures are computed in a thread if there are any, within the budget of the person', async () => {
  const own = await serviceForThisTest({
    settings: { WORK_THREADS: '1', BUDGET_PER_MINUTE: '60', BUDGET_BURST: '30' },
  });
  const client = await own.admin.makeClient('Home');
  const grants = [await makeRecord(own.admin, 'reporting-entities', { client_id: client, name: 'Empty' })];
  const signedIn = await signIn(own, await insertPerson(own, { memberships: [{ client, role: 'viewer', grants }] }));
  expect((await signedIn.get('/')).text).toContain('Nothing is held here yet');
  let last = await signedIn.get('/');
  for (let attempt = 1; attempt < 30 && last.status === 200; attempt++) last = await signedIn.get('/');
  expect([last.status, last.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
});
