// One option contract has one symbol, in whichever of the usual ways it is written.

import { expect, test } from 'vitest';
import type { CalendarDate } from '../kit/calendar-date.ts';
import type { Decimal } from '../kit/decimal.ts';
import { optionSymbol, type OptionTerms } from './option-symbol.ts';

const terms: OptionTerms = { expiry: '2024-06-21' as CalendarDate, right: 'C', strike: '500' as Decimal };
const occ = 'SPY   240621C00500000';

test.each<[string, { root?: string; terms?: OptionTerms }, string]>([
  [occ, {}, occ],
  [occ, { terms: { ...terms, right: 'P' } }, occ],
  ['SPY 21JUN24 500 C', {}, occ],
  ['spy 21jun24 500.0 c', {}, occ],
  ['SPY 21JUN24 7.5 P', {}, 'SPY   240621P00007500'],
  ['SPY', { terms }, occ],
  ['SPY', { root: 'SPY', terms: { ...terms, strike: '0.125' as Decimal } }, 'SPY   240621C00000125'],
  ['SPY', {}, 'SPY'],
  ['SPY1', { root: 'SPY', terms }, 'SPY1'],
  ['SPY', { terms: { ...terms, strike: '100000' as Decimal } }, 'SPY'],
  ['SPY', { terms: { ...terms, strike: '0.0001' as Decimal } }, 'SPY'],
  ['C OZL1 20240621 1000 M', { terms }, 'C OZL1 20240621 1000 M'],
  ['SPY 21XYZ24 500 C', {}, 'SPY 21XYZ24 500 C'],
])('%s with %j', (symbol, options, expected) => {
  expect(optionSymbol(symbol, options)).toBe(expected);
});
