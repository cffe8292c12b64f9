import { describe, expect, test } from 'vitest';
import { fromFixed } from '../../kit/fixed.ts';
import {
  valuationContext,
  day,
  fixed,
  flagsOn,
  holdingState,
  instrument,
  split,
  upload,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';
import type { InstrumentTerms } from '../instruments/instrument.ts';
import type { QuoteUnit } from '../instruments/quote.ts';
import { valueHolding, defaultStaleness, type PositionState } from './valuation.ts';

type QuotedType = 'listed' | 'fund' | 'other' | 'private-fund';

function terms(type: QuotedType): InstrumentTerms {
  return type === 'private-fund' ? { type, commitment: null } : { type };
}

function quotedHolding(
  type: QuotedType,
  text: InstrumentText,
  held: HoldingStateText = { quantity: '10' },
): ValuationCase {
  return { instrument: instrument(terms(type), text), holdingState: held };
}

describe('the series that is used', () => {
  const price = { prices: { '2025-01-10': '7' } };
  const netAssetValue = { netAssetValues: { '2025-01-06': '5' } };

  test.each([
    ['listed', price, 'price', '70'],
    ['listed', { ...price, ...netAssetValue }, 'price', '70'],
    ['listed', netAssetValue, 'cost', '1'],
    ['fund', netAssetValue, 'net-asset-value', '50'],
    ['fund', { ...price, ...netAssetValue }, 'price', '70'],
    ['fund', { ...price, netAssetValues: { '2025-01-10': '5' } }, 'net-asset-value', '50'],
    ['fund', { ...price, netAssetValues: { '2025-01-11': '5' } }, 'net-asset-value', '50'],
    ['fund', price, 'price', '70'],
    ['private-fund', { ...price, ...netAssetValue }, 'net-asset-value', '50'],
    ['private-fund', price, 'cost', '1'],
    ['other', price, 'price', '70'],
    ['other', netAssetValue, 'net-asset-value', '50'],
    ['other', { ...price, ...netAssetValue }, 'price', '70'],
    ['other', { ...price, netAssetValues: { '2025-01-10': '5' } }, 'price', '70'],
    ['other', { ...price, netAssetValues: { '2025-01-11': '5' } }, 'net-asset-value', '50'],
  ] as const)('%s with %j is valued by its %s: %s', (type, text, source, expected) => {
    const one = quotedHolding(type, text, { quantity: '10', cost: '1' });
    expect(valuationOn(one, '2025-01-12')).toMatchObject({
      source,
      value: fixed(expected),
      isEstimated: source === 'cost',
    });
  });
});

test('the latest point on or before the day is used and named', () => {
  const share = quotedHolding('listed', {
    currency: 'USD',
    prices: { '2025-01-10': '7', '2025-01-13': '8', '2025-01-14': '9' },
  });
  expect(valuationOn(share, '2025-01-13')).toMatchObject({
    currency: 'USD',
    value: fixed('80'),
    accrued: 0n,
    source: 'price',
    day: day('2025-01-13'),
    isStale: false,
    isEstimated: false,
    findings: [],
  });
  expect(valueTextOn(share, '2025-01-12')).toBe('70');
});

describe('a point is stale', () => {
  test.each([
    ['listed', '2025-01-11', '2025-01-12'],
    ['fund', '2025-02-15', '2025-02-16'],
    ['private-fund', '2025-05-01', '2025-05-02'],
    ['other', '2025-05-01', '2025-05-02'],
  ] as const)('of %s: not on %s, but on %s', (type, fresh, stale) => {
    const one = quotedHolding(type, { prices: { '2025-01-01': '7' }, netAssetValues: { '2025-01-01': '7' } });
    expect([flagsOn(one, fresh), flagsOn(one, stale), valueTextOn(one, stale)]).toEqual(['', 'stale', '70']);
  });

  test('after the number of days that the client sets', () => {
    const staleness = { ...defaultStaleness, listed: { daysMax: 2 } };
    const share = { ...quotedHolding('listed', { prices: { '2025-01-01': '7' } }), more: { staleness } };
    expect([flagsOn(share, '2025-01-03'), flagsOn(share, '2025-01-04')]).toEqual(['', 'stale']);
  });
});

describe('a split', () => {
  const more = { changes: [split('2025-01-08', 4n, 1n)] };

  test('divides earlier prices', () => {
    const share = { ...quotedHolding('listed', { prices: { '2025-01-07': '100', '2025-01-09': '26' } }), more };
    expect(['2025-01-07', '2025-01-08', '2025-01-09'].map((date) => valueTextOn(share, date))).toEqual([
      '1000',
      '250',
      '260',
    ]);
  });

  test.each([
    ['2025-01-07', '250'],
    ['2025-01-08', '1000'],
  ])('with a last trade on %s makes 10 units worth %s', (date, expected) => {
    const share = { ...quotedHolding('listed', {}, { quantity: '10', lastTrade: [date, '100'] }), more };
    expect(valueTextOn(share, '2025-01-09')).toBe(expected);
  });
});

test.each([
  ['1', '70'],
  ['per 100', '0.7'],
  ['hundredths', '0.7'],
] satisfies [QuoteUnit, string][])('a price unit of %s makes 10 at 7 worth %s', (priceUnit, expected) => {
  expect(valueTextOn(quotedHolding('listed', { priceUnit, prices: { '2025-01-10': '7' } }), '2025-01-10')).toBe(
    expected,
  );
  expect(valueTextOn(quotedHolding('fund', { priceUnit, netAssetValues: { '2025-01-10': '7' } }), '2025-01-10')).toBe(
    expected,
  );
});

test('a short position has a negative value', () => {
  expect(
    valueTextOn(quotedHolding('listed', { prices: { '2025-01-10': '7' } }, { quantity: '-2.5' }), '2025-01-10'),
  ).toBe('-17.5');
});

describe('without a point', () => {
  test('the last trade is used and flagged', () => {
    const share = quotedHolding(
      'listed',
      { prices: { '2025-02-01': '9' } },
      { quantity: '10', cost: '65', lastTrade: ['2025-01-10', '6'] },
    );
    expect(valuationOn(share, '2025-01-20')).toMatchObject({
      source: 'last-trade',
      value: fixed('60'),
      day: day('2025-01-10'),
    });
    expect([flagsOn(share, '2025-01-20'), flagsOn(share, '2025-01-21')]).toEqual(['estimated', 'stale estimated']);
    expect(flagsOn(share, '2025-02-01')).toBe('');
  });

  test.each([
    [null, '2025-01-10', '40'],
    ['2025-01-09', '2025-01-10', '40'],
    ['2025-01-10', '2025-01-10', '40'],
    ['2025-01-11', '2025-01-10', '60'],
    ['2025-01-11', null, '60'],
  ])(
    'and traded on %s, the price of an upload elsewhere of %s counts unless it is older',
    (traded, uploaded, value) => {
      const { instrument: share } = quotedHolding('listed', {});
      const elsewhere = { day: uploaded ?? '', quantity: '5', marketValue: '20' };
      const held = holdingState({ quantity: '10', ...(traded !== null && { lastTrade: [traded, '6'] as const }) });
      const uploadElsewhere = uploaded === null ? null : upload(elsewhere);
      const found = valueHolding(share, { ...held, uploadElsewhere }, valuationContext('2025-01-20'));
      expect([fromFixed(found.value), found.isEstimated]).toEqual([value, true]);
    },
  );

  test('and without a trade the cost is used and flagged', () => {
    const gift = quotedHolding('listed', {}, { quantity: '10', cost: '65' });
    expect(valuationOn(gift, '2025-01-20')).toMatchObject({ source: 'cost', value: fixed('65'), day: null });
    expect(flagsOn(gift, '2025-01-20')).toBe('estimated');
    expect(flagsOn(quotedHolding('other', {}, { quantity: '10', cost: '0' }), '2025-01-20')).toBe('estimated');
  });
});

test('an empty position is worth nothing and is not flagged, even without a price', () => {
  const gone = quotedHolding('listed', { currency: 'USD' }, { quantity: '0', cost: '0' });
  expect(valuationOn(gone, '2025-01-20')).toEqual({
    currency: 'USD',
    value: 0n,
    accrued: 0n,
    source: 'nothing',
    day: null,
    isStale: false,
    isEstimated: false,
    findings: [],
    parts: [],
  });
});

test('a share with a price is valued from its units, without its history', () => {
  const share = instrument({ type: 'listed' }, { prices: { '2025-01-10': '7' } });
  const units = { quantity: fixed('3'), upload: null } as PositionState;
  for (const field of ['cost', 'lots', 'quantities', 'lastTrade', 'fundFlows', 'coupons', 'lastFee'])
    Object.defineProperty(units, field, { get: () => expect.fail(`${field} was read`) });
  expect(fromFixed(valueHolding(share, units, valuationContext('2025-01-10')).value)).toBe('21');
});
