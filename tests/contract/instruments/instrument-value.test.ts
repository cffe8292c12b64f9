// The terms of instruments as they are stored reach what they are worth: each value was worked out by hand.

import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { book, bookedId, makeInstrument } from '../../setup/ledger/ledger-household.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let account: string;
let entity: string;

beforeAll(async () => {
  ({ admin } = service);
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin);
  entity = reportingEntity;
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: entity, account_ids: [account] });
  // The last day with data.
  await book(admin, 'v1', { account_id: account, type: 'deposit', date: '2026-03-31', amount: '1' });
});

const common = { name: 'X', currency: 'CHF' };
const loan = {
  ...common,
  day_count_convention: 'ACT/365',
  type: 'loan-instrument',
  principal: '1000',
  start_date: '2026-01-01',
};

test.each([
  // From 900 to 1,000 in 365 days, of which 85 have passed.
  [
    'a zero-coupon bond',
    { ...common, type: 'zero-coupon-bond-instrument', day_count_convention: 'ACT/365', maturity: '2027-01-05' },
    { quantity: '1000', price: '90' },
    '923.287671232876712329',
  ],
  // 3.65 % of 1,000 for 89 days: it was bought without stated accrued interest.
  ['a loan at a fixed rate', { ...loan, interest_rate: '0.0365' }, { quantity: '1000', price: '1' }, '1008.9'],
  // The same, since no spread is stated.
  ['a loan at a reference rate', { ...loan, reference_rate: 'SARON' }, { quantity: '1000', price: '1' }, '1008.9'],
  // 1 % of it.
  [
    'a loan at a reference rate and a spread',
    { ...loan, reference_rate: 'SARON', spread: '-0.0265' },
    { quantity: '1000', price: '1' },
    '1002.438356164383561644',
  ],
  // 3.65 % of 10,000 for 89 days is owed.
  [
    'a running fee',
    {
      ...common,
      type: 'fee-instrument',
      category: 'custody',
      rate: '0.0365',
      basis: '10000',
      start_date: '2026-01-01',
    },
    { quantity: '1', price: '0', amount: '0' },
    '-89',
  ],
])('%s is worth what its terms say', async (_, fields, bought, value) => {
  const instrument_id = await makeInstrument(admin, fields);
  if ('reference_rate' in fields) {
    await makeRecord(admin, `instruments/${instrument_id}/interest-rates`, { date: '2025-12-31', value: '0.0365' });
  }
  bookedId(await book(admin, 'v1', { account_id: account, type: 'buy', date: '2026-01-05', instrument_id, ...bought }));
  const path = `/v1/holdings?reporting_entity_id=${entity}&as_of=2026-03-31&by=instrument`;
  const { body } = await admin.get(path);
  const held = body.data.filter(({ segment_id }: any) => segment_id === instrument_id);
  expect(held.map(({ market_value }: any) => market_value)).toEqual([value]);
});

test('interest and fees accrue up to the day that is requested, and on the days of a window after the latest data', async () => {
  const { client, legalEntity, reportingEntity } = await makeHousehold(admin);
  await admin.patch(`/v1/clients/${client}`, { reference_currency: 'CHF' });
  const account_id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF' });
  await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account_id] });
  const instrument_id = await makeInstrument(admin, { ...loan, interest_rate: '0.0365' });
  const bought = { type: 'buy', account_id, instrument_id, date: '2026-01-01', quantity: '1000', price: '1' };
  bookedId(await book(admin, 'v1', { ...bought, amount: '-1000' }));
  // 0.1 a day.
  for (const [query, asOf, value] of [
    ['', '2026-01-01', '1000'],
    ['&as_of=2026-01-11', '2026-01-11', '1001'],
    ['&as_of=2027-01-01', '2027-01-01', '1036.5'],
  ] as const) {
    const { body } = await admin.get(`/v1/holdings?reporting_entity_id=${reportingEntity}${query}`);
    const held = body.data.find(({ segment_id }: { segment_id: string }) => segment_id === instrument_id);
    expect([body.as_of.slice(0, 10), held.market_value]).toEqual([asOf, value]);
  }
  const path = `/v1/performance?reporting_entity_id=${reportingEntity}&start=2026-01-02&end=2026-01-04&by=instrument`;
  const { carried_from, data } = (await admin.get(path)).body;
  const lent = data.find(({ segment_id }: { segment_id: string }) => segment_id === instrument_id);
  expect(carried_from).toBe('2026-01-02');
  expect(lent.series.map(({ daily_return }: { daily_return: string }) => daily_return)).toEqual(['0.1', '0.1', '0.1']);
});
