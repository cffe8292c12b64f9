import { describe, expect, test } from 'vitest';
import { fromFixed } from '../../kit/fixed.ts';
import {
  day,
  fixed,
  flagsOn,
  instrument,
  points,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';
import type { BondTerms } from '../instruments/instrument.ts';

const terms: BondTerms = {
  type: 'bond',
  schedule: { maturity: day('2027-03-01'), datedDate: day('2020-03-01') },
  convention: '30/360-BOND',
  rate: fixed('0.036'),
};

const position: HoldingStateText = { quantity: '10000', quantities: { '2025-01-10': '10000' } };

function bond(more: Partial<BondTerms>, text: InstrumentText, held: Partial<HoldingStateText> = {}): ValuationCase {
  return { instrument: instrument({ ...terms, ...more }, text), holdingState: { ...position, ...held } };
}

const clean = { prices: { '2025-01-10': '98.5' } };

describe('a bond', () => {
  test('is worth nominal × clean price / 100 plus accrued interest', () => {
    const { value, accrued, source, day: priced } = valuationOn(bond({}, clean), '2025-01-16');
    // 10,000 × 98.5 / 100 + 10,000 × 0.036 × 315/360
    expect([value, accrued].map(fromFixed)).toEqual(['10165', '315']);
    expect([source, priced]).toEqual(['price', day('2025-01-10')]);
  });

  test.each(['1', 'hundredths'] as const)('is quoted per 100 even if the price unit is %s', (priceUnit) => {
    expect(valueTextOn(bond({}, { ...clean, priceUnit }), '2025-01-16')).toBe('10165');
  });

  test('becomes stale like a listed instrument', () => {
    expect([flagsOn(bond({}, clean), '2025-01-20'), flagsOn(bond({}, clean), '2025-01-21')]).toEqual(['', 'stale']);
  });

  test('that is held short has a negative value, including its interest', () => {
    expect(valueTextOn(bond({}, clean, { quantity: '-10000' }), '2025-01-16')).toBe('-10165');
  });

  test.each([
    [{ lastTrade: ['2025-01-10', '97'] }, '10015', 'last-trade'],
    [{ cost: '9650' }, '9965', 'cost'],
  ] satisfies [Partial<HoldingStateText>, string, string][])(
    'without a price, held with %j, is worth %s',
    (held, expected, source) => {
      const one = bond({}, {}, held);
      expect(valuationOn(one, '2025-01-16')).toMatchObject({ value: fixed(expected), accrued: fixed('315'), source });
      expect(flagsOn(one, '2025-01-16')).toBe('estimated');
    },
  );
});

describe('an index-linked bond', () => {
  const indexFactors = { '2019-12-01': '80', '2020-02-01': '100', '2020-04-01': '104', '2025-01-01': '125' };

  test.each([
    ['stated', fixed('50'), '25412.5'],
    ['the latest on or before the dated date', null, '12706.25'],
  ])('has price and interest raised relative to its base factor: %s', (_name, baseFactor, expected) => {
    const linked = bond({ index: { baseFactor } }, { ...clean, indexFactors });
    expect(valueTextOn(linked, '2025-01-16')).toBe(expected); // 10,165 × 125 / base
    expect(flagsOn(linked, '2025-01-16')).toBe('');
  });

  test.each([
    ['the dated date', terms.schedule, { '2020-04-01': '100', '2025-01-01': '125' }],
    ['a missing dated date', { maturity: day('2027-03-01') }, indexFactors],
  ])('uses the first factor as its base if none is on or before %s', (_name, schedule, factors) => {
    const linked = bond({ schedule, index: { baseFactor: null } }, { ...clean, indexFactors: factors });
    const [first] = Object.entries(factors);
    const expected = (10_165 * 125) / Number(first![1]);
    expect(valueTextOn(linked, '2025-01-16')).toBe(String(expected));
    expect(valuationOn(linked, '2025-01-16')).toMatchObject({
      isEstimated: true,
      findings: [{ kind: 'index-base-assumed', day: day(first![0]) }],
    });
  });

  test('without a factor is not raised and is flagged', () => {
    const linked = bond({ index: { baseFactor: fixed('100') } }, { ...clean, indexFactors: { '2025-01-17': '125' } });
    expect(valueTextOn(linked, '2025-01-16')).toBe('10165');
    expect(flagsOn(linked, '2025-01-16')).toBe('estimated index-factor-missing');
  });

  test('has its last trade price raised by the index, but not its cost', () => {
    const linked = (held: Partial<HoldingStateText>) =>
      bond({ index: { baseFactor: fixed('100') } }, { indexFactors }, held);
    expect(valueTextOn(linked({ lastTrade: ['2025-01-10', '98.5'] }), '2025-01-16')).toBe('12706.25');
    expect(valueTextOn(linked({ cost: '12000' }), '2025-01-16')).toBe('12393.75'); // 12,000 + 315 × 1.25
  });

  test('pays its coupon and its par at the factor of their days', () => {
    const factors = { '2020-02-01': '100', '2026-01-01': '120', '2027-02-01': '130', '2027-03-02': '150' };
    const linked = bond({ index: { baseFactor: null } }, { indexFactors: factors }, { coupons: ['2025-03-01'] });
    expect(valueTextOn(linked, '2027-03-03')).toBe('13900'); // 10,000 × 1.3 + 360 × 1.2 + 360 × 1.3
  });
});

describe('a floating rate bond', () => {
  const floating = (dated: Record<string, string>): ValuationCase =>
    bond({ convention: 'ACT/360', rate: { points: points(dated), spread: fixed('0.006') } }, clean);

  test('accrues at the rate points plus the spread', () => {
    // 10,000 × (0.036 × 300 + 0.03 × 21) / 360
    const one = floating({ '2024-03-01': '0.03', '2024-12-26': '0.024' });
    expect(fromFixed(valuationOn(one, '2025-01-16').accrued)).toBe('317.5');
    expect(flagsOn(one, '2025-01-16')).toBe('');
  });

  test('is flagged if it has no rate or only a later one', () => {
    expect(valueTextOn(floating({}), '2025-01-16')).toBe('9850');
    expect(flagsOn(floating({}), '2025-01-16')).toBe('estimated rate-missing');
    expect(flagsOn(floating({ '2024-12-26': '0.024' }), '2025-01-16')).toBe('estimated rate-assumed');
  });

  test('that is ex dividend counts its coupon at the rates known on the day', () => {
    const schedule = { ...terms.schedule, exDividendDays: 10 };
    const rate = { points: points({ '2024-03-01': '0.03', '2025-02-25': '0.9' }), spread: fixed('0.006') };
    const one = bond({ schedule, rate }, clean);
    // 9,850 + the coupon of 360 − 9 days of interest by 30/360
    expect(valueTextOn(one, '2025-02-22')).toBe('10201');
  });
});

describe('a bond held beyond its maturity', () => {
  const matured = bond(
    {},
    { prices: { '2027-02-20': '99', '2027-03-03': '20' } },
    { coupons: ['2025-03-01', '2026-03-03'] },
  );

  test('is worth par plus the last coupon until it is redeemed, and is flagged', () => {
    expect(valueTextOn(matured, '2027-02-28')).toBe('10257'); // 9,900 + 357 of interest: 30/360
    for (const date of ['2027-03-01', '2027-05-01']) {
      expect(valuationOn(matured, date)).toMatchObject({
        source: 'par',
        value: fixed('10360'),
        accrued: 0n,
        isStale: false,
      });
      expect(flagsOn(matured, date)).toBe('matured coupon-not-booked');
    }
  });

  test('is worth only par once the last coupon is booked', () => {
    const paid = {
      ...matured,
      holdingState: { ...matured.holdingState, coupons: ['2025-03-01', '2026-03-03', '2027-03-02'] },
    };
    expect([valueTextOn(paid, '2027-03-01'), valueTextOn(paid, '2027-03-02')]).toEqual(['10360', '10000']);
    expect(flagsOn(paid, '2027-03-02')).toBe('matured');
  });

  test('is worth the value of an upload after maturity', () => {
    const upload = { day: '2027-03-05', quantity: '10000', marketValue: '4000' };
    const defaulted = { ...matured, holdingState: { ...matured.holdingState, upload } };
    expect([valueTextOn(defaulted, '2027-03-05'), valueTextOn(defaulted, '2027-03-06')]).toEqual(['4000', '4000']);
    expect(flagsOn(defaulted, '2027-03-06')).toBe('matured');
    const before = { ...matured, holdingState: { ...matured.holdingState, upload: { ...upload, day: '2027-02-25' } } };
    expect(valueTextOn(before, '2027-03-06')).toBe('10360');
    const onMaturity = { ...upload, day: '2027-03-01' };
    const same = { ...matured, holdingState: { ...matured.holdingState, upload: onMaturity } };
    expect(valueTextOn(same, '2027-03-02')).toBe('4000');
  });
});
