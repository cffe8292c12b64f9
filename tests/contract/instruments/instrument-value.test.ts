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
  // 3.65 % of 1,000 for 85 days.
  ['a loan at a fixed rate', { ...loan, interest_rate: '0.0365' }, { quantity: '1000', price: '1' }, '1008.5'],
  // The same, since no spread is stated.
  ['a loan at a reference rate', { ...loan, reference_rate: 'SARON' }, { quantity: '1000', price: '1' }, '1008.5'],
  // 1 % of it.
  [
    'a loan at a reference rate and a spread',
    { ...loan, reference_rate: 'SARON', spread: '-0.0265' },
    { quantity: '1000', price: '1' },
    '1002.328767123287671233',
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
