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
import type { ValuationCase, HoldingStateText } from '../../../tests/setup/engine/valued-holding.ts';

const terms = {
  type: 'fee',
  category: 'advisory',
  rate: fixed('0.0073'),
  basis: fixed('100000'),
  convention: 'ACT/365',
  start: day('2025-01-01'),
} as const;

const fee = (held: Partial<HoldingStateText>): ValuationCase => ({
  instrument: instrument(terms),
  holdingState: { quantity: '1', ...held },
});

describe('a running fee', () => {
  test('is a debt that accrues from its start, and is zero before', () => {
    expect(['2024-12-31', '2025-01-01', '2025-01-11'].map((date) => valueTextOn(fee({}), date))).toEqual([
      '0',
      '0',
      '-20',
    ]);
    const { accrued, source } = valuationOn(fee({}), '2025-01-11');
    expect([fromFixed(accrued), source, flagsOn(fee({}), '2025-01-11')]).toEqual(['-20', 'accrual', '']);
  });

  test('accrues again after it is charged, but never from before its start', () => {
    expect(valueTextOn(fee({ lastFee: '2025-01-08' }), '2025-01-11')).toBe('-6');
    expect(valueTextOn(fee({ lastFee: '2024-12-08' }), '2025-01-11')).toBe('-20');
  });

  test.each(['1', '7', '-1', '0.5'])('counts once, whatever the units: %s', (quantity) => {
    expect(valueTextOn(fee({ quantity }), '2025-01-11')).toBe('-20');
  });

  test('that is not held is not owed', () => {
    expect(valueTextOn(fee({ quantity: '0' }), '2025-01-11')).toBe('0');
  });

  test('continues from an uploaded amount until it is charged', () => {
    const upload = { day: '2025-01-06', quantity: '1', marketValue: '-3', accrued: '-1' };
    expect([valueTextOn(fee({ upload }), '2025-01-06'), valueTextOn(fee({ upload }), '2025-01-11')]).toEqual([
      '-4',
      '-14',
    ]);
    const inDollars = { ...upload, currency: 'USD' };
    expect(valueTextOn(fee({ upload: inDollars }), '2025-01-11')).toBe('-13.2'); // 4 / 1.25 and 10
    expect(valueTextOn(fee({ upload, lastFee: '2025-01-08' }), '2025-01-11')).toBe('-6');
  });

  test('that began before 1970 accrues from then', () => {
    const old = { instrument: instrument({ ...terms, start: day('1969-12-02') }), holdingState: { quantity: '1' } };
    expect(valueTextOn(old, '1969-12-12')).toBe('-20');
    expect(valueTextOn(old, '1970-01-01')).toBe('-60');
  });

  test('is what an upload states, if it is charged on the day of the upload', () => {
    const upload = { day: '2025-01-06', quantity: '1', marketValue: '-3', accrued: '-1' };
    expect(valueTextOn(fee({ upload, lastFee: '2025-01-06' }), '2025-01-11')).toBe('-14');
    expect(valueTextOn(fee({ upload, lastFee: '2025-01-07' }), '2025-01-11')).toBe('-8');
  });
});
