// The page of a signed-in person: their reporting entities with value, return, currency and day, and nothing of other people.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Reply } from '../../setup/http/caller.ts';
import { makeLedgerHousehold, type LedgerHousehold } from '../../setup/ledger/ledger-household.ts';
import { insertPerson, signIn, type MembershipFixture } from '../../setup/people/person-caller.ts';
import { serviceForThisFile, serviceForThisTest, type TestService } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();

async function makeEntity({ admin }: TestService, client: string, name: string, account: string): Promise<string> {
  const id = await makeRecord(admin, 'reporting-entities', { client_id: client, name });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: id, account_ids: [account] });
  return id;
}

async function makePageHousehold(from: TestService, name: string): Promise<LedgerHousehold> {
  const household = await makeLedgerHousehold(from.admin, name);
  await from.admin.patch(`/v1/clients/${household.client}`, { reference_currency: 'CHF' });
  return household;
}

/** The cells of the table, row by row. */
function cellsOf({ text }: Reply): string[][] {
  const [, body = ''] = /<tbody>(.*)<\/tbody>/s.exec(text) ?? [];
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row]) =>
    [...row!.matchAll(/<(th|td)[^>]*>(.*?)<\/\1>/gs)].map(([, , cell]) => cell!.replaceAll(/<[^>]*>/g, '').trim()),
  );
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
  parents = await makeEntity(service, amsel.client, 'Parents', amsel.account);
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

async function pageOf(memberships: readonly MembershipFixture[], from = service): Promise<Reply> {
  const id = await insertPerson(from, { memberships });
  return (await signIn(from, id)).get('/');
}

describe('the page', () => {
  test('shows what was granted, of every client, with its value, return and day', async () => {
    const reply = await pageOf([
      { client: amsel.client, role: 'viewer', grants: [parents] },
      { client: drossel.client, role: 'admin', grants: [trust] },
    ]);
    expect([reply.status, reply.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(cellsOf(reply)).toEqual([
      ['Parents', 'Amsel', '1,234,567.90', 'CHF', '0.00%', '2026-01-02'],
      ['Trust', 'Drossel &amp; Söhne &lt;i&gt;', '1,123.45', 'CHF', '+12.35%', '2026-11-13'],
    ]);
    expect(reply.text).not.toContain('Children');
  });

  test('has the same figures as the reports', async () => {
    const { admin } = service;
    const holdings = await admin.get(`/v1/holdings?reporting_entity_id=${trust}`);
    const performance = await admin.get(`/v1/performance?reporting_entity_id=${trust}&detail=summary`);
    expect(holdings.body.totals.market_value).toBe('1123.45');
    expect(performance.body.data[0].twr).toBeCloseTo(0.12345, 12);
  });

  test('shows the reason for a figure that cannot be computed, and shows the others', async () => {
    const reply = await pageOf([{ client: amsel.client, role: 'viewer', grants: [abroad, parents] }]);
    const [, , ...cells] = cellsOf(reply)[0]!;
    expect(cells).toEqual(['There is no exchange rate from EUR to CHF on or before 2026-01-02.']);
    expect(cellsOf(reply)[1]!.slice(0, 3)).toEqual(['Parents', 'Amsel', '1,234,567.90']);
  });

  test('names the missing rate that the report names, not the first that it meets', async () => {
    const { admin } = service;
    const id = await makeRecord(admin, 'reporting-entities', { client_id: amsel.client, name: 'Overseas' });
    for (const [currency, date] of [
      ['JPY', '2026-01-03'],
      ['SEK', '2026-01-02'],
      ['NOK', '2026-01-02'],
    ] as const) {
      const account = await makeRecord(admin, 'accounts', { entity_id: amsel.legalEntity, currency });
      await makeRecord(admin, 'portfolios', { reporting_entity_id: id, name: currency, account_ids: [account] });
      await makeRecord(admin, 'transactions', { type: 'deposit', account_id: account, date, amount: '5' });
    }
    const { body } = await admin.get(`/v1/performance?reporting_entity_id=${id}&detail=summary`);
    expect(body.detail).toBe('There is no exchange rate from NOK to CHF on or before 2026-01-02.');
    const reply = await pageOf([{ client: amsel.client, role: 'viewer', grants: [id] }]);
    expect(cellsOf(reply)[0]!.slice(2)).toEqual([body.detail]);
  });

  test('says so if nothing was granted, or no longer', async () => {
    expect((await pageOf([{ client: amsel.client, role: 'admin' }])).text).toContain(
      'do not have access to any reports yet',
    );
    const id = await insertPerson(service, {
      memberships: [{ client: amsel.client, role: 'viewer', grants: [children] }],
    });
    const signedIn = await signIn(service, id);
    expect(cellsOf(await signedIn.get('/'))).toHaveLength(1);
    await runSql(service.database, 'DELETE FROM read_grant WHERE person_id = $1', [id]);
    expect(cellsOf(await signedIn.get('/'))).toEqual([]);
  });

  test('requires a sign-in: other visitors are redirected to the sign-in page', async () => {
    for (const headers of [{}, { cookie: 'holdfast_session=made-up' }]) {
      const reply = await service.admin.withToken(null).get('/', headers);
      expect([reply.status, reply.headers.get('location')]).toEqual([303, '/sign-in']);
    }
  });

  test('is accessible to screen readers: one heading, a table with a caption, and a header for each row and column', async () => {
    const { text } = await pageOf([{ client: amsel.client, role: 'viewer', grants: [parents] }]);
    expect(text).toMatch(/<html lang="en">/);
    expect(text.match(/<h1>/g)).toHaveLength(1);
    expect(text.match(/<caption/g)).toHaveLength(1);
    expect(text.match(/<th scope="col"/g)).toHaveLength(6);
    expect(text.match(/<th scope="row"/g)).toHaveLength(1);
    expect(text).not.toContain('<script');
  });
});

test('figures are computed in a thread if there are any, within the budget of the person', async () => {
  const own = await serviceForThisTest({
    settings: { WORK_THREADS: '1', BUDGET_PER_MINUTE: '60', BUDGET_BURST: '30' },
  });
  const client = await own.admin.makeClient('Home');
  const grants = [await makeRecord(own.admin, 'reporting-entities', { client_id: client, name: 'Empty' })];
  const signedIn = await signIn(own, await insertPerson(own, { memberships: [{ client, role: 'viewer', grants }] }));
  expect(cellsOf(await signedIn.get('/'))[0]!.slice(0, 4)).toEqual(['Empty', 'Home', '0.00', 'EUR']);
  for (let attempt = 1; attempt < 30; attempt++) await signedIn.get('/');
  const refused = await signedIn.get('/');
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
});
