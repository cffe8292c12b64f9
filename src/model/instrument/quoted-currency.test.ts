// Prices are quoted in currencies, and in hundredths of some of them.

import { expect, test } from 'vitest';
import { quotedCurrency } from './quoted-currency.ts';

test.each<[string | undefined, unknown]>([
  ['GBP', { currency: 'GBP', isInHundredths: false }],
  ['gbp', { currency: 'GBP', isInHundredths: false }],
  ['GBp', { currency: 'GBP', isInHundredths: true }],
  [' gbx ', { currency: 'GBP', isInHundredths: true }],
  ['ZAc', { currency: 'ZAR', isInHundredths: true }],
  ['ZAC', { currency: 'ZAR', isInHundredths: true }],
  ['ILA', { currency: 'ILS', isInHundredths: true }],
  ['pence', undefined],
  ['', undefined],
  [undefined, undefined],
])('%s', (word, expected) => {
  expect(quotedCurrency(word)).toEqual(expected);
});
