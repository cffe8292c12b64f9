// Texts as brokers write them: what happened, how many units, at what price.

import { expect, test } from 'vitest';
import { TextPattern } from './text-pattern.ts';

const read = (pattern: string, text: string): Record<string, string> | undefined => {
  const values = new TextPattern(pattern).read(text);
  return values && Object.fromEntries(values);
};

test.each([
  [
    'Buy {quantity} {instrument_name}@{price} {price_currency} ({isin})',
    'Buy 1,060 SMI ETF@106.02 CHF (CH0019852802)',
    { quantity: '1,060', instrument_name: 'SMI ETF', price: '106.02', price_currency: 'CHF', isin: 'CH0019852802' },
  ],
  ['Koop {quantity} @ {price} *', 'Koop 34 @ 26,88 EUR', { quantity: '34', price: '26,88' }],
  [
    'Koop {quantity} @ {price} {price_currency}',
    'KOOP 34 @ 26,88 EUR',
    { quantity: '34', price: '26,88', price_currency: 'EUR' },
  ],
  [
    '{instrument_name} {quantity} @ {price}',
    'Seefeld Ord 2p 1000 @ 298.805',
    { instrument_name: 'Seefeld Ord 2p', quantity: '1000', price: '298.805' },
  ],
  [
    'Bought {quantity} {instrument_name} ({ticker})',
    'Bought 7 A - B (C) (FOO)',
    { quantity: '7', instrument_name: 'A - B (C)', ticker: 'FOO' },
  ],
  [
    'Bought {quantity} {instrument_name}',
    'Bought .9232 U.S. Equity Fund',
    { quantity: '.9232', instrument_name: 'U.S. Equity Fund' },
  ],
  ['DIV: {ticker}.{*} @ {*} {*}', 'DIV: FOO.XLON.GB @ GBP 0.41', { ticker: 'FOO' }],
  [
    '{amount} {currency} -> {counter_amount} {counter_currency}',
    '1.10 GBP -> 1.26 EUR',
    { amount: '1.10', currency: 'GBP', counter_amount: '1.26', counter_currency: 'EUR' },
  ],
])('%s reads %s', (pattern, text, values) => {
  expect(read(pattern, text)).toEqual(values);
});

test.each([
  ['Koop {quantity} @ {price} *', 'Verkoop 34 @ 26,88 EUR'],
  ['Koop {quantity} @ {price} *', 'Koop 34 Seefeld @ 26,88 EUR'],
  ['Koop {quantity} @ {price}', 'Koop 34 @ 26,88 EUR'],
  ['Buy {quantity} {instrument_name} ({isin})', 'Buy 5 Seefeld'],
  ['Buy {quantity} {instrument_name} ({isin})', 'Buy 5 Seefeld (one of them)'],
  ['Buy {quantity} {instrument_name}', 'Buy 5'],
  ['Buy {quantity} {instrument_name}', 'Buy '],
  ['Buy {quantity}', `Buy ${'1'.repeat(500)}`],
])('%s does not read %s', (pattern, text) => {
  expect(read(pattern, text)).toBeUndefined();
});
