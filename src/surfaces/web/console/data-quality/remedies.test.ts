// Each finding leads to where it is mended: the form, filled in with what the finding knows, and only what the person may open.

import { describe, expect, test } from 'vitest';
import { findingCodes, type FindingCode } from '../../../../model/report/finding.ts';
import type { Page } from '../../signed-in-page.ts';
import type { InboxFinding } from './inbox-findings.ts';
import { remediesOf, type RemedyRecords } from './remedies.ts';

const page = { api: { may: () => true } } as unknown as Page;
const records: RemedyRecords = {
  instrumentTypes: new Map([
    ['share', 'stock-instrument'],
    ['fund', 'mutual-fund-instrument'],
    ['money', 'cash'],
    ['nameless', 'unknown'],
  ]),
  breaks: new Map(),
  portfolios: new Map(),
};

function found(code: FindingCode, fields: object = {}): InboxFinding {
  const finding = {
    code,
    account_id: 'a',
    depository_id: null,
    instrument_id: 'share',
    date: '2026-10-30',
    quantity: '5',
    amount: null,
    currency: 'USD',
    to_currency: 'CHF',
    transaction_ids: ['t1', 't2'],
    ...fields,
  };
  return { entity: { id: 'e', name: 'Family', client_id: 'c' }, finding };
}

function remedies(code: FindingCode, fields: object = {}, more: Partial<RemedyRecords> = {}): string[] {
  return remediesOf(page, found(code, fields), { ...records, ...more }).map(({ title, href }) => `${title}: ${href}`);
}

const bookings = 'Its bookings: /console/bookings?client_id=c&account_id=a&instrument_id=share';
const correct = ['Correct the booking: /console/bookings/t1/edit', bookings];
const addPrice = 'Add a price: /console/instruments/share#prices-form';
const addRate = 'Add an interest rate: /console/instruments/share#interest-rates-form';
const addFactor = 'Add an index factor: /console/instruments/share#index-factors-form';
const exchangeRate = 'Add the exchange rate: /console/fx-rates/new?base=USD&quote=CHF&date=2026-10-30';
const leaveOut = 'Leave the account out of reports: /console/accounts/a/edit';
const chase = (kind: string): string[] => [
  `Accept or chase the break: /console/custody/breaks?client_id=c&class=${kind}`,
];
const book = (title: string, type: string): string[] => [
  `${title}: /console/bookings/new?type=${type}&client_id=c&account_id=a&instrument_id=share&date=2026-10-30`,
  bookings,
];

const expected: Readonly<Record<FindingCode, readonly string[]>> = {
  'fx-rate-missing': [exchangeRate],
  'rate-missing': [addRate],
  'index-factor-missing': [addFactor],
  unidentified: correct,
  'no-portfolio': ['Create its portfolio: /console/portfolios/new?reporting_entity_id=e&client_id=c'],
  'break-unknown-instrument': chase('unknown-instrument'),
  'break-missing-trade': chase('missing-trade'),
  'break-quantity': chase('quantity'),
  'break-cash': chase('cash'),
  'break-price': chase('price'),
  'break-timing': chase('timing'),
  'outside-portfolios': ['Portfolios of the client: /console/portfolios?client_id=c', leaveOut],
  unclassified: ['Set its class: /console/instruments/share/edit#field-instrument_class_id'],
  short: book('Book what is missing', 'buy'),
  'short-opened': correct,
  overdrawn: [
    'Book the missing deposit: /console/bookings/new?type=deposit&client_id=c&account_id=a&date=2026-10-30',
    bookings,
  ],
  'unexplained-value-change': [addPrice, ...correct],
  'amount-far-from-price': correct,
  'accrued-interest-differs': ['Correct the instrument: /console/instruments/share/edit', ...correct],
  'more-than-principal': ['Correct the instrument: /console/instruments/share/edit', ...correct],
  'unexplained-difference': correct,
  'settlement-not-booked': [bookings],
  'coupon-not-booked': book('Book the coupon', 'coupon'),
  'coupon-paid-early': ['Correct the instrument: /console/instruments/share/edit', ...correct],
  matured: book('Book the redemption', 'maturity'),
  'paid-out-beyond-value': [addPrice],
  'stale-value': [addPrice],
  'stale-rate': [exchangeRate],
  'estimated-value': [addPrice],
  'named-lot-missing': correct,
  'lots-not-named': correct,
  'too-much-named': correct,
  'implied-flow': book('Book what is missing', 'buy'),
  'settles-after-upload': correct,
  'estimated-cost': correct,
  'fund-in-several-places': [bookings],
  'fund-units-unclear': [bookings],
  'rate-assumed': [addRate],
  'index-base-assumed': [addFactor],
};

test.each(findingCodes)('%s', (code) => {
  expect(remedies(code)).toEqual(expected[code]);
});

describe('what the finding knows is filled in', () => {
  test('a fund that is valued by its net asset value gets one; units of no named instrument have no series', () => {
    expect(remedies('stale-value', { instrument_id: 'fund' })).toEqual([
      'Add a net asset value: /console/instruments/fund#net-asset-values-form',
    ]);
    expect(remedies('stale-value', { instrument_id: 'nameless' })).toEqual([
      'Its bookings: /console/bookings?client_id=c&account_id=a&instrument_id=nameless',
    ]);
    expect(remedies('stale-value', { instrument_id: 'unread' })).toEqual([
      'Add a price: /console/instruments/unread#prices-form',
    ]);
  });

  test('without a booking there is none to correct', () => {
    expect(remedies('estimated-cost', { transaction_ids: [] })).toEqual([bookings]);
  });

  test('units in a depository are found by it, in all clients', () => {
    expect(remedies('settlement-not-booked', { account_id: null, depository_id: 'd' })).toEqual([
      'Its bookings: /console/bookings?depository_id=d&instrument_id=share',
    ]);
    expect(remedies('settlement-not-booked', { depository_id: 'd' })).toEqual([bookings]);
    expect(remedies('matured', { depository_id: 'd' })[0]).toBe(
      'Book the redemption: /console/bookings/new?type=maturity&client_id=c&account_id=a&depository_id=d&instrument_id=share&date=2026-10-30',
    );
    expect(remedies('overdrawn', { depository_id: 'd' })[0]).not.toContain('depository_id');
  });

  test.each([
    ['share', '5', 'buy'],
    ['share', '-5', 'sell'],
    ['money', '5', 'deposit'],
    ['money', '-5', 'withdrawal'],
  ])('a flow of %s that was not booked, %s: %s', (instrument, quantity, type) => {
    const [first] = remedies('implied-flow', { instrument_id: instrument, quantity });
    expect(first).toContain(`Book what is missing: /console/bookings/new?type=${type}&client_id=c&account_id=a&`);
    expect(first!.includes('instrument_id')).toBe(instrument === 'share');
  });
});

describe('a break', () => {
  const open = {
    id: 'b',
    class: 'quantity',
    account_id: 'a',
    depository_id: null,
    date: '2026-10-30',
    aspect: 'units',
    instrument_id: 'share',
    difference: '5',
  };
  const shown = (one: object, fields: object = {}): boolean =>
    remedies('break-quantity', fields, { breaks: new Map([['c', [{ ...open, ...one }]]]) })[0]!.endsWith('/breaks/b');

  test('is opened itself if it is the one that the finding means', () => {
    expect(shown({})).toBe(true);
    expect(shown({ difference: '7' }, { amount: '7' })).toBe(true);
    expect(shown({ aspect: 'cash', instrument_id: null })).toBe(true);
    for (const other of [
      { class: 'price' },
      { account_id: 'b' },
      { depository_id: 'd' },
      { date: '2026-10-29' },
      { instrument_id: 'fund' },
      { difference: '6' },
    ])
      expect([other, shown(other)]).toEqual([other, false]);
  });
});

describe('what is outside of portfolios', () => {
  const outside = (count: number, fields: object = {}): string[] => {
    const own = Array.from({ length: count }, (_none, index) => ({ id: `p${index}`, name: `Portfolio ${index}` }));
    return remedies('outside-portfolios', fields, { portfolios: new Map([['c', own]]) });
  };

  test('is added to one of up to three portfolios; of more, their list is opened', () => {
    expect(outside(1)).toEqual(['Add it to Portfolio 0: /console/portfolios/p0/edit', leaveOut]);
    expect(outside(3)).toHaveLength(4);
    expect(outside(4)).toEqual(['Portfolios of the client: /console/portfolios?client_id=c', leaveOut]);
  });

  test('in a depository cannot be left out by its account', () => {
    expect(outside(1, { account_id: null })).toEqual(['Add it to Portfolio 0: /console/portfolios/p0/edit']);
  });
});

test('what the role of the person does not open is left out', () => {
  const calls: string[] = [];
  const reader = {
    api: { may: (method: string, path: string) => (calls.push(`${method} ${path}`), method === 'GET') },
  } as unknown as Page;
  const titles = (code: FindingCode): string[] => remediesOf(reader, found(code), records).map(({ title }) => title);
  expect(titles('matured')).toEqual(['Its bookings']);
  expect(titles('fx-rate-missing')).toEqual([]);
  expect(titles('no-portfolio')).toEqual([]);
  expect(titles('outside-portfolios')).toEqual(['Portfolios of the client', 'Leave the account out of reports']);
  expect(titles('break-cash')).toEqual(['Accept or chase the break']);
  expect(titles('stale-value')).toEqual(['Add a price']);
  expect(new Set(calls)).toEqual(
    new Set([
      'POST /v1/transactions',
      'GET /v1/transactions',
      'POST /v1/fx-rates',
      'POST /v1/portfolios',
      'GET /v1/portfolios',
      'GET /v1/accounts',
      'GET /v1/reconciliation-breaks',
      'GET /v1/instruments',
    ]),
  );
});
