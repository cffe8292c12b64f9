// What differs between then and today where no booking was corrected: rates, accounts and the reference currency.

import { beforeAll, expect, test } from 'vitest';
import { plainText, tableCells } from '../../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../../setup/people/person-caller.ts';
import { book, bookedId, makeStock } from '../../../setup/ledger/ledger-household.ts';
import { makeHousehold, makeRecord } from '../../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../../setup/node/test-service.ts';

const service = serviceForThisFile();
const english = { 'accept-language': 'en-GB' };
let advisor: SignedInCaller;
let [client, savings, path, known] = ['', '', '', ''];

const rate = (date: string, value: string, quote = 'CHF'): Promise<string> =>
  makeRecord(service.admin, 'fx-rates', { base: 'USD', quote, date, rate: value });

/** One share at 100 dollars, 1,000 francs, and 5 more in an account that does not count yet. */
beforeAll(async () => {
  const { admin, clock } = service;
  const household = await makeHousehold(admin, 'Amsel');
  ({ client } = household);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const entity_id = household.legalEntity;
  const account = await makeRecord(admin, 'accounts', { entity_id, name: 'Main', currency: 'CHF' });
  const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  const excluded = { entity_id, name: 'Savings', currency: 'CHF', exclude_from_reporting: true };
  savings = await makeRecord(admin, 'accounts', excluded);
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name: 'All', account_ids: [account, savings] });
  const apple = await makeStock(admin, 'Apple', 'USD');
  const deposit = { type: 'deposit', account_id: account, date: '2026-01-05' };
  bookedId(await book(admin, 'v1', { ...deposit, amount: '1000' }));
  bookedId(await book(admin, 'v1', { ...deposit, account_id: savings, amount: '5' }));
  bookedId(await book(admin, 'v1', { ...deposit, instrument_id: apple, quantity: '1' }));
  await admin.post(`/v1/instruments/${apple}/prices`, { date: '2026-01-05', value: '100' });
  await admin.post(`/v1/instruments/${apple}/prices`, { date: '2026-01-20', value: '100' });
  await rate('2026-01-01', '0.9');
  path = `/entities/${entity}`;
  clock.advance(1_000);
  known = `known_at=${encodeURIComponent(new Date(clock.now()).toISOString())}&as_of=2026-01-20`;
  clock.advance(1_000);
  const memberships = [{ client, role: 'advisor' as const, grants: [entity] }];
  advisor = await signIn(service, await insertPerson(service, { memberships }));
});

/** What the banner says of the value, then and today. */
async function bannerOf(): Promise<string | undefined> {
  const { status, text } = await advisor.get(`${path}/holdings?${known}`, english);
  expect(status).toBe(200);
  return /You see what was known at that moment, (.*?) ?See what changed since/.exec(plainText(text))?.[1];
}

const why = 'Exchange rates or lots from other accounts';
const without = 'without later corrections and additions.';

test('a value that is the same today is said once', async () => {
  expect(await bannerOf()).toBe(`${without} The value of 20 January 2026 is still the same today: CHF 1,090.00.`);
});

test('a holding that differs by a rate says so, and the rate and the account that changed are among the causes', async () => {
  const { admin } = service;
  await rate('2026-01-20', '0.89');
  await admin.patch(`/v1/accounts/${savings}`, { exclude_from_reporting: false });
  expect(await bannerOf()).toBe(
    `${without} The value of 20 January 2026 was CHF 1,090.00; as known today it is CHF 1,094.00 (+4.00).`,
  );
  const reply = await advisor.get(`${path}/known?${known}`, english);
  expect(reply.status).toBe(200);
  expect(tableCells(reply, 'positions')).toEqual([
    ['Cash CHF', '1,000', '1,005', '1,000.00', '1,005.00', '+5.00', why],
    ['Apple', '1', '1', '90.00', '89.00', '−1.00', why],
  ]);
  const at = '15 Nov 2026, 12:00 UTC';
  expect(tableCells(reply, 'causes').toSorted()).toEqual([
    [at, 'Account corrected', '–', '–', 'Savings', '–'],
    [at, 'Exchange rate added', '20 Jan 2026', '–', '–', '–'],
  ]);
});

test('returns, which have more places than amounts, have their difference too', async () => {
  const cells = tableCells(await advisor.get(`${path}/known?${known}`, english), 'figures');
  // A franc of the 1,095 that were brought in.
  expect(cells.filter(([name]) => name?.startsWith('Return'))).toEqual([
    ['Return (time-weighted) 1 Jan 2026 to 20 Jan 2026', '0.00%', '−0.09%', '−0.09%'],
    ['Return (money-weighted) 1 Jan 2026 to 20 Jan 2026', '0.00%', '−0.09%', '−0.09%'],
  ]);
});

test('amounts in another reference currency are not compared', async () => {
  await service.admin.patch(`/v1/clients/${client}`, { reference_currency: 'USD' });
  const reply = await advisor.get(`${path}/known?${known}`, english);
  expect(plainText(reply.text)).toContain(
    'The reference currency was changed since, so these amounts cannot be compared.',
  );
  expect(tableCells(reply, 'figures').slice(0, 3)).toEqual([
    ['Worth on 20 Jan 2026', '1,090.00', '1,229.21', '–'],
    ['Cost of what is held on 20 Jan 2026', '1,090.00', '1,229.21', '–'],
    ['Not yet realised gain on 20 Jan 2026', '0.00', '0.00', '–'],
  ]);
  expect(tableCells(reply, 'positions')).toEqual([
    ['Apple', '1', '1', '90.00', '100.00', '–', why],
    ['Cash CHF', '1,000', '1,005', '1,000.00', '1,129.21', '–', why],
  ]);
});

test('a value that cannot be computed today is not compared', async () => {
  const { data } = (await service.admin.get('/v1/fx-rates')).body;
  for (const { id } of data) await service.admin.delete(`/v1/fx-rates/${id}`);
  expect(await bannerOf()).toBe(without);
});
