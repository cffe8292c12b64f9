// The holdings of a reporting entity as a page and as files: class, instrument, account and lot, on any day and in any currency.

import { beforeAll, describe, expect, test } from 'vitest';
import { formatsOf } from '../../../src/surfaces/web/language/formats.ts';
import type { Reply } from '../../setup/http/caller.ts';
import { book, bookedId } from '../../setup/ledger/ledger-household.ts';
import { csvRecords, plainText, tableCells } from '../../setup/people/page-text.ts';
import { insertPerson, signIn, type SignedInCaller } from '../../setup/people/person-caller.ts';
import { makeReportHousehold, type ReportHousehold } from '../../setup/reports/report-household.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

// Days end after midnight in UTC here: pages must not show the next one.
const service = serviceForThisFile({ settings: { TIME_ZONE: 'America/New_York' } });
const formats = formatsOf('en-GB');
let household: ReportHousehold;
let viewer: SignedInCaller;
let advisor: SignedInCaller;

beforeAll(async () => {
  household = await makeReportHousehold(service.admin);
  const { client, all, empty, account, stock } = household;
  await service.admin.post('/v1/fx-rates', { base: 'CHF', quote: 'USD', date: '2026-01-01', rate: '1.25' });
  const later = { type: 'buy', date: '2026-02-10', account_id: account, instrument_id: stock };
  bookedId(await book(service.admin, 'v1', { ...later, quantity: '1', price: '72', amount: '-72' }));
  const person = async (role: 'viewer' | 'advisor'): Promise<SignedInCaller> =>
    signIn(service, await insertPerson(service, { memberships: [{ client, role, grants: [all, empty] }] }));
  [viewer, advisor] = [await person('viewer'), await person('advisor')];
});

const pathOf = (more = ''): string => `/entities/${household.all}/holdings${more}`;

async function apiRows(query: string): Promise<any> {
  return (await service.admin.get(`/v1/holdings?reporting_entity_id=${household.all}&${query}`)).body;
}

const english = { 'accept-language': 'en-GB' };
const open = (more = '', person = advisor): Promise<Reply> => person.get(pathOf(more), english);

test('every value, share, cost and gain is that of the API, to the last digit shown, and the sum too', async () => {
  const [{ data, totals }, reply] = [await apiRows('by=instrument'), await open()];
  const cells = tableCells(reply, 'holdings');
  for (const row of data) {
    const shown = cells.find(([name]) => name === row.segment_name)!;
    expect(shown[1]).toContain(formats.money(row.market_value, 'CHF'));
    expect(shown[2]).toBe(formats.share(String(row.share)));
    expect(shown.slice(4, 6)).toEqual([
      formats.money(row.cost_basis, 'CHF'),
      formats.signedMoney(row.unrealised_pnl, 'CHF'),
    ]);
  }
  expect(cells.at(-1)).toEqual([
    'All together',
    formats.money(totals.market_value, 'CHF'),
    '',
    '',
    formats.money(totals.cost_basis, 'CHF'),
    formats.signedMoney(totals.unrealised_pnl, 'CHF'),
    '',
  ]);
});

test('the CSV file has the values of the API, exactly', async () => {
  const { data } = await apiRows('by=instrument');
  const reply = await open('?table=holdings&format=csv');
  expect(reply.headers.get('content-type')).toMatch(/^text\/csv/);
  const records = csvRecords(reply.text);
  for (const row of data) {
    const record = Object.values(records.find((one) => Object.values(one)[0] === row.segment_name)!);
    expect(record.slice(4, 6)).toEqual([row.cost_basis, row.unrealised_pnl]);
    expect(record[1]).toBe(row.market_value);
  }
});

test('what is stale or estimated says so with its date', async () => {
  const { data } = await apiRows('by=instrument');
  const uncertain = data.filter(({ valuation }: any) => valuation.stale || valuation.estimated);
  expect(uncertain.length).toBeGreaterThan(0);
  const cells = tableCells(await open(), 'holdings');
  for (const { segment_name, valuation } of uncertain) {
    const shown = cells.find(([name]) => name === segment_name)!;
    const day = formats.dateShort(valuation.date);
    expect(shown[1]).toContain(valuation.stale ? `Old value, of ${day}` : `Estimated, from ${day}`);
  }
});

test('values can be had in another currency, at the rate of the day', async () => {
  const { data, totals } = await apiRows('by=instrument&as_of=2026-02-01');
  const cells = tableCells(await open('?currency=USD&as_of=2026-02-01'), 'holdings');
  const stock = data.find(({ segment_id }: any) => segment_id === household.stock);
  expect(stock.market_value).toBe('721.23456789012345678');
  // 721.23456789… × 1.25
  expect(cells.find(([name]) => name === 'Novartis AG')![1]).toContain('901.54');
  expect(cells.at(-1)![1]).toBe(formats.money(String(Number(totals.market_value) * 1.25), 'USD'));
});

test('rows are sorted and filtered by the address', async () => {
  const names = async (more: string): Promise<string[]> =>
    tableCells(await open(more), 'holdings').map(([name = '']) => name);
  const { data: classes } = await apiRows('by=class');
  expect(classes.length).toBeGreaterThan(1);
  const byValue = classes
    .toSorted((one: any, other: any) => Number(one.market_value) - Number(other.market_value))
    .map((row: any) => row.segment_name ?? 'Without a class');
  const shown = async (more: string): Promise<string[]> => (await names(more)).filter((name) => byValue.includes(name));
  expect([await shown('?sort=value'), await shown('?sort=-value')]).toEqual([byValue, byValue.toReversed()]);
  expect(await names('?sort=__proto__')).toEqual(await names('?sort=value'));
  expect(await names('?text=nova')).toContain('Novartis AG');
  expect((await names('?text=nova')).some((name) => name.startsWith('Cash'))).toBe(false);
  expect(plainText((await open('?text=nobody')).text)).toContain('No holding has this name');
});

describe('one instrument', () => {
  test('shows its accounts and, to advisors, its lots', async () => {
    const reply = await open(`?open=${household.stock}`);
    const lots = await service.admin.get(
      `/v1/lots?reporting_entity_id=${household.all}&instrument_id=${household.stock}`,
    );
    expect(tableCells(reply, 'accounts')).toHaveLength(1);
    expect(tableCells(reply, 'lots').map((cells) => [cells[0], cells[2], cells[4], cells[5]])).toEqual(
      lots.body.data.map((lot: any) => [
        formats.dateShort(lot.acquisition_date),
        formats.quantity(lot.quantity),
        formats.money(lot.cost_basis, 'CHF'),
        formats.money(lot.market_value, 'CHF'),
      ]),
    );
    expect(lots.body.data).toHaveLength(2);
  });

  test('shows viewers no lots, which the API refuses them', async () => {
    const reply = await open(`?open=${household.stock}`, viewer);
    expect(reply.status).toBe(200);
    expect(tableCells(reply, 'accounts')).toHaveLength(1);
    expect(reply.text).not.toContain('<table id="lots">');
  });
});

test('every explanation that the page links to is one that the API gives', async () => {
  const { text } = await open(`?open=${household.stock}`);
  const links = [...text.matchAll(/href="(\/entities\/\w+\/explain\?[^"]*)"/g)].map(([, href = '']) =>
    href.replaceAll('&amp;', '&'),
  );
  expect(links.length).toBeGreaterThan(20);
  const queries = new Set(links.map((link) => link.replace(/^.*\?/, '')));
  for (const query of queries) {
    const reply = await advisor.get(`/v1/explain?reporting_entity_id=${household.all}&depth=0&${query}`);
    expect([query, reply.status, reply.body?.detail]).toEqual([query, 200, undefined]);
  }
  expect((await open('', viewer)).text).not.toContain('/explain?');
});

test('an explanation names the day of the workspace', async () => {
  const { text } = await advisor.get(
    `/entities/${household.all}/explain?figure=market_value&as_of=2026-02-10`,
    english,
  );
  expect(plainText(text)).toContain('10 February 2026');
  expect(plainText(text)).not.toContain('11 February 2026');
});

test.each([
  ['2026-11-14', '2026-11-14'],
  // The evening before in New York, and midnight there.
  ['2026-11-14T04:59:59.999Z', '2026-11-13'],
  ['2026-11-14T05:00:00Z', '2026-11-14'],
  ['2026-11-14T00:00:00+14:00', '2026-11-13'],
  ['yesterday', undefined],
])('as known at %s: the form has the day in the workspace, %s', async (knownAt, day) => {
  const { text } = await open(`?known_at=${encodeURIComponent(knownAt)}`);
  const [, attributes = ''] = /<input([^>]*name="known_at"[^>]*)>/s.exec(text) ?? [];
  expect([attributes.includes('type="date"'), /value="([^"]*)"/.exec(attributes)?.[1]]).toEqual([true, day]);
});

test('an entity that holds nothing says so', async () => {
  const reply = await viewer.get(`/entities/${household.empty}/holdings`, english);
  expect(plainText(reply.text)).toContain('Nothing is held');
});
