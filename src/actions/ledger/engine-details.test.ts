// Checks how the optional details of transactions are converted for the engine.

import { describe, expect, test } from 'vitest';
import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { oneFixed } from '../../kit/fixed.ts';
import type { TransactionDetails } from '../../engine/ledger/transaction.ts';
import type { LedgerDetails } from '../../store/ledger/ledger-rows.ts';
import { toEngineDetails, sameCurrencyTerms, type DetailedRow } from './engine-details.ts';

const trade: DetailedRow = { kind: 'trade', account: 'own', instrument: 'stock' };
const flow: DetailedRow = { ...trade, kind: 'flow' };
const action: DetailedRow = { ...trade, kind: 'corporate-action' };
const one = oneFixed;
const ratio = (numerator: bigint, denominator: bigint) => ({ numerator, denominator });

const cases: [what: string, row: DetailedRow, kept: Record<string, unknown>, expected: TransactionDetails | null][] = [
  ['interest bought with a bond', trade, { accrued: '1.5' }, { accrued: (3n * one) / 2n }],
  ['a part that nothing explains', trade, { unexplained: '0.01' }, null],
  [
    'an exchange within an account',
    { ...trade, kind: 'fx' },
    { counterAmount: '-2', counterCurrency: 'USD' },
    { counterCash: { account: 'own', currency: 'USD', amount: -2n * one } },
  ],
  [
    'cash moved to another account of the client',
    flow,
    { counterAccount: 'other', counterAmount: '2', counterCurrency: 'CHF' },
    { counterCash: { account: 'other', currency: 'CHF', amount: 2n * one } },
  ],
  [
    'units moved to another account of the client',
    flow,
    { counterAccount: 'other' },
    { counterPlace: { account: 'other', depository: null } },
  ],
  [
    'units moved to another depository',
    flow,
    { counterDepository: 'vault' },
    { counterPlace: { account: 'own', depository: 'vault' } },
  ],
  ['a split', action, { action: 'split', ratio: '3:1.5' }, { action: { action: 'split', ratio: ratio(2n, 1n) } }],
  [
    'a reverse split',
    action,
    { action: 'reverse-split', ratio: '1:10' },
    { action: { action: 'split', ratio: ratio(1n, 10n) } },
  ],
  [
    'a stock dividend',
    action,
    { action: 'stock-dividend', ratio: '1.05:1' },
    { action: { action: 'split', ratio: ratio(21n, 20n) } },
  ],
  [
    'a spin-off',
    action,
    { action: 'spin-off', ratio: '1:3', target: 'new', costShare: '0.25' },
    { action: { action: 'spin-off', ratio: ratio(1n, 3n), target: 'new', share: one / 4n } },
  ],
  [
    'a merger with cash in lieu',
    action,
    { action: 'merger', ratio: '2:3', target: 'new', cashInLieu: '0.5' },
    { action: { action: 'merger', ratio: ratio(2n, 3n), target: 'new', cashInLieu: one / 2n } },
  ],
  [
    'a change of symbol',
    action,
    { action: 'symbol-change', target: 'new' },
    { action: { action: 'merger', ratio: ratio(1n, 1n), target: 'new', isSymbolChange: true } },
  ],
  ['a return of capital', action, { action: 'return-of-capital' }, { action: { action: 'return-of-capital' } }],
  [
    'the lots that a sale names',
    trade,
    { lots: [{ sequence: 7, ordinal: 1, quantity: '2' }] },
    { named: [{ row: 7, ordinal: 1, quantity: 2n * one }] },
  ],
  ['what a fee is for', { ...trade, kind: 'fee' }, { category: 'custody' }, { category: 'custody' }],
  ['a call that lowers the commitment otherwise', trade, { effectOnUnfunded: '3' }, { effectOnUnfunded: 3n * one }],
  ['a distribution that may be called again', trade, { recallable: '4' }, { recallable: 4n * one }],
  ['what was withheld', { ...trade, kind: 'dividend' }, { withholding: '0.35' }, { withholding: (35n * one) / 100n }],
];

test.each(cases)('%s', (_what, row, stored, expected) => {
  expect(toEngineDetails(stored as LedgerDetails, row, sameCurrencyTerms)).toEqual(expected);
});

describe('the acquisition history of deposited units', () => {
  const date = '2019-03-04' as CalendarDate;
  const stored = { acquired: [{ date, quantity: '10', cost: '200' }] } as unknown as LedgerDetails;
  const lot = { quantity: 10n * one, cost: 200n * one, acquired: toDayNumber(date), isEstimated: false };

  test('takes its cost in the reference currency from the terms', () => {
    const terms = {
      referenceCost: (cost: bigint, units: { instrument: string; acquired: number }) =>
        units.instrument === 'stock' && units.acquired === lot.acquired ? cost * 2n : 0n,
    };
    expect(toEngineDetails(stored, flow, terms)).toEqual({ lots: [{ ...lot, referenceCost: 400n * one }] });
  });

  test('has the same cost if the instrument is in the reference currency', () => {
    expect(toEngineDetails(stored, flow, sameCurrencyTerms)).toEqual({ lots: [{ ...lot, referenceCost: 200n * one }] });
  });
});
