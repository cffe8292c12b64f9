import { describe, expect, test } from 'vitest';
import { fromFixed } from '../../kit/fixed.ts';
import {
  day,
  fixed,
  flagsOn,
  instrument,
  valuationOn,
  valueTextOn,
} from '../../../tests/setup/engine/valued-holding.ts';
import type { ValuationCase, HoldingStateText, InstrumentText } from '../../../tests/setup/engine/valued-holding.ts';

const terms = { type: 'zero-coupon', maturity: day('2027-01-01'), convention: 'ACT/365' } as const;
const lots = [
  { quantity: '1000', cost: '850', acquired: '2023-01-01' },
  { quantity: '3000', cost: '2700', acquired: '2025-01-01' },
];

function zero(text: InstrumentText, held: Partial<HoldingStateText> = {}): ValuationCase {
  return { instrument: instrument(terms, text), holdingState: { quantity: '4000', cost: '3550', lots, ...held } };
}

describe('a zero-coupon bond', () => {
  test('is worth its price in per cent of the nominal', () => {
    const priced = zero({ prices: { '2025-12-20': '94.25' } }, { lastTrade: ['2025-12-22', '90'] });
    expect(valuationOn(priced, '2025-12-31')).toMatchObject({
      value: fixed('3770'),
      accrued: 0n,
      source: 'price',
      isStale: true,
    });
  });

  test('without a price grows lot by lot from its cost at acquisition to its nominal', () => {
    const { value, parts, source } = valuationOn(zero({}, { lastTrade: ['2025-12-22', '90'] }), '2026-01-01');
    expect(source).toBe('accretion');
    // 850 + 150 × 1096/1461 and 2,700 + 300 × 365/730
    expect(parts.map(({ amount }) => fromFixed(amount))).toEqual(['962.52566735112936345', '2850']);
    expect(fromFixed(value)).toBe('3812.52566735112936345');
    expect(flagsOn(zero({}), '2026-01-01')).toBe('');
  });

  test('is estimated if the cost of a lot is estimated', () => {
    const estimated = zero({}, { lots: [lots[0]!, { ...lots[1]!, isEstimated: true }] });
    expect(flagsOn(estimated, '2026-01-01')).toBe('estimated');
  });

  test('that is held short has a negative value', () => {
    const short = zero({}, { quantity: '-3000', lots: [{ quantity: '-3000', cost: '-2700', acquired: '2025-01-01' }] });
    expect(valueTextOn(short, '2026-01-01')).toBe('-2850');
  });

  test('is worth its nominal from maturity on, whatever its price, and is flagged as not redeemed', () => {
    const priced = zero({ prices: { '2026-12-31': '99.9', '2027-01-05': '50' } });
    expect(valueTextOn(priced, '2026-12-31')).toBe('3996');
    for (const date of ['2027-01-01', '2027-01-06']) {
      expect(valuationOn(priced, date)).toMatchObject({ value: fixed('4000'), source: 'par', isEstimated: false });
      expect(flagsOn(priced, date)).toBe('matured');
    }
  });

  test('without known lots is worth its cost, flagged', () => {
    expect(valueTextOn(zero({}, { lots: [] }), '2026-01-01')).toBe('3550');
    expect(flagsOn(zero({}, { lots: [] }), '2026-01-01')).toBe('estimated');
  });
});
