// What a type of instrument fixes goes before what the instrument says.

import { expect, test } from 'vitest';
import { BrokenInvariant } from '../../kit/assert.ts';
import { dayCountOf, priceUnitOf } from './instrument.ts';

test('the days of a fee are counted in one way, and those of others as the instrument says', () => {
  expect(dayCountOf({ type: 'fee-instrument', dayCountConvention: null })).toBe('ACT/365');
  expect(dayCountOf({ type: 'fee-instrument', dayCountConvention: '30E/360' })).toBe('ACT/365');
  expect(dayCountOf({ type: 'loan-instrument', dayCountConvention: '30E/360' })).toBe('30E/360');
  expect(() => dayCountOf({ type: 'loan-instrument', dayCountConvention: null })).toThrow(BrokenInvariant);
});

test('the price of a bond is for a hundred of its nominal, and that of others for what the instrument says', () => {
  expect(priceUnitOf({ type: 'bond-instrument', priceUnit: 'hundredths' })).toBe('per 100');
  expect(priceUnitOf({ type: 'stock-instrument', priceUnit: 'hundredths' })).toBe('hundredths');
});
