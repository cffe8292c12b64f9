// The pages of an entity with income of several years, several private-market funds, and money that was taken out.

import { beforeAll, expect, test } from 'vitest';
import { figuresOf, plainText, tableCells } from '../../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../../setup/people/person-caller.ts';
import { book, bookedId, makeInstrument, makeStock } from '../../../setup/ledger/ledger-household.ts';
import { makeHousehold, makeRecord } from '../../../setup/structure/structure-document.ts';
import { serviceForThisFile } from '../../../setup/node/test-service.ts';

const service = serviceForThisFile();
let viewer: SignedInCaller;
let path: string;
let funds: readonly string[];

beforeAll(async () => {
  const { admin } = service;
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, name: 'Main', currency: 'CHF' });
  const entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'All' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, name: 'All', account_ids: [account] });
  const stock = await makeStock(admin, 'Novartis AG');
  const fund = (name: string): Promise<string> =>
    makeInstrument(admin, { type: 'private-market-fund', name, currency: 'CHF', commitment: '1000' });
  funds = [await fund('Alpine IV'), await fund('Boreal II')];
  const bookIt = async (fields: object): Promise<string> =>
    bookedId(await book(admin, 'v1', { account_id: account, ...fields }));
  await bookIt({ type: 'deposit', date: '2023-01-05', amount: '10000' });
  await bookIt({ type: 'buy', date: '2023-01-05', instrument_id: stock, quantity: '10', amount: '-1000' });
  const dividends = { '2023-03-10': '100', '2024-06-10': '200', '2025-01-10': '50', '2025-02-10': '7' };
  for (const [date, amount] of Object.entries(dividends))
    await bookIt({ type: 'dividend', date, instrument_id: stock, amount });
  await bookIt({ type: 'drawing', date: '2024-02-01', instrument_id: funds[0], amount: '-300' });
  await bookIt({ type: 'drawing', date: '2024-03-01', instrument_id: funds[1], amount: '-400' });
  await bookIt({ type: 'withdrawal', date: '2025-03-10', amount: '-1234.5' });
  path = `/entities/${entity}`;
  viewer = await signIn(
    service,
    await insertPerson(service, { memberships: [{ client, role: 'viewer', grants: [entity] }] }),
  );
});

async function open(page: string) {
  const reply = await viewer.get(`${path}${page}`, { 'accept-language': 'en-GB' });
  expect([page, reply.status]).toEqual([page, 200]);
  return reply;
}

test.each([
  ['start=2023-02-01&as_of=2025-01-31', 24, ['Mar 100.00', 'Jun 200.00', 'Jan 50.00']],
  ['start=2023-02-01&as_of=2025-02-28', 3, ['2023 100.00', '2024 200.00', '2025 57.00']],
])('income of %s has %i bars: months of up to two years, then years', async (query, count, received) => {
  const bars = tableCells(await open(`/income?${query}`), 'income-chart-table').map((cells) => cells.join(' '));
  expect(bars).toHaveLength(count);
  expect(bars.filter((bar) => !bar.endsWith(' 0.00'))).toEqual(received);
});

test('each of several funds can be chosen for the curve, which shows all of them at first', async () => {
  const chipsOn = async (query: string) => {
    const { text } = await open(`/private-markets?as_of=2025-03-31${query}`);
    const lists = [...text.matchAll(/<ul class="chips">(.*?)<\/ul>/gs)].map(([, list = '']) => list);
    const links = [...(lists.at(-1) ?? '').matchAll(/<a href="([^"]*)"([^>]*)>(.*?)<\/a/gs)].map(
      ([, href = '', attributes = '', title = '']) =>
        `${title}${attributes.includes('aria-current') ? '*' : ''}: ${/fund=(\w*)/.exec(href)?.[1] ?? ''}`,
    );
    return [links, plainText(/<figure[^>]*id="j-curve".*?<figcaption>(.*?)<\/figcaption>/s.exec(text)?.[1] ?? '')];
  };
  const [alpine, boreal] = funds;
  const all = [['All funds*: ', `Alpine IV: ${alpine}`, `Boreal II: ${boreal}`], 'All funds (CHF)'];
  expect(await chipsOn('')).toEqual(all);
  expect(await chipsOn('&fund=another')).toEqual(all);
  expect(await chipsOn(`&fund=${boreal}`)).toEqual([
    ['All funds: ', `Alpine IV: ${alpine}`, `Boreal II*: ${boreal}`],
    'Boreal II (CHF)',
  ]);
});

test('what was taken out stands without its sign, under a name that says so', async () => {
  const { text } = await open('?start=2025-02-01&as_of=2025-03-31');
  expect(figuresOf(text)).toContain('Taken out this period 1,234.50');
  expect(plainText(text)).toContain('10 Mar 2025: taken out CHF 1,234.50');
  const before = await open('?start=2023-01-01&as_of=2023-12-31');
  expect(figuresOf(before.text)).toContain('Paid in this period 10,000.00');
});
