// Checks the order in which the transactions of a ledger are applied.

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { compareTransactions } from '../../../tests/setup/engine/transaction-order.ts';
import { allEvents, eventWith, withRowNumbers } from '../../../tests/setup/engine/generated-facts.ts';
import { oneFixed } from '../../kit/fixed.ts';
import type { LedgerTransaction } from './transaction.ts';

const one = oneFixed;
const split = { action: { action: 'split', ratio: { numerator: 2n, denominator: 1n } } } as const;
const at = { day: 19_000, account: 'euro' } as const;
const ownCash = { counterCash: { account: 'second', currency: 'EUR', amount: one } };
const ownPlace = { counterPlace: { account: 'dollar', depository: 'south' } };

/** Transactions in the expected order, each with a different rank. */
const inOrder = [
  eventWith({ ...at, kind: 'corporate-action', instrument: 'alpha', details: split }),
  eventWith({ ...at, kind: 'flow', amount: one }),
  eventWith({ ...at, kind: 'trade', instrument: 'alpha', quantity: one }),
  eventWith({ ...at, kind: 'flow', amount: -one, details: ownCash }),
  eventWith({ ...at, kind: 'dividend', instrument: 'alpha', amount: one }),
  eventWith({ ...at, kind: 'trade', instrument: 'alpha', quantity: -one }),
  eventWith({ ...at, kind: 'redemption', instrument: 'bond', quantity: -one }),
  eventWith({ ...at, kind: 'flow', amount: -one }),
];

function sorted(rows: readonly LedgerTransaction[]): number[] {
  return rows.toSorted(compareTransactions).map(({ row }) => row);
}

test('within a day: corporate actions, inflows, buys, own transfers, income, sells, redemptions, outflows', () => {
  const rows = withRowNumbers(inOrder);
  const backwards = rows.map((row) => ({ ...row, row: rows.length + 1 - row.row })).toReversed();
  expect(sorted(backwards)).toEqual(rows.map(({ row }) => rows.length + 1 - row));
});

test.each([
  ['a call', eventWith({ ...at, kind: 'capital-call', instrument: 'private', amount: -one }), 2],
  ['a currency exchange', eventWith({ ...at, kind: 'fx', amount: -one, details: ownCash }), 3],
  [
    'a transfer of units between own accounts',
    eventWith({ ...at, kind: 'flow', quantity: -one, details: ownPlace }),
    3,
  ],
  ['a fee', eventWith({ ...at, kind: 'fee', amount: -one }), 4],
  ['interest', eventWith({ ...at, kind: 'interest', amount: one }), 4],
  ['a coupon', eventWith({ ...at, kind: 'coupon', amount: one }), 4],
  ['a distribution', eventWith({ ...at, kind: 'distribution', instrument: 'private', amount: one }), 6],
  ['the settlement of a forward', eventWith({ ...at, kind: 'forward-settlement', amount: one }), 6],
  ['units that leave the portfolio', eventWith({ ...at, kind: 'flow', instrument: 'alpha', quantity: -one }), 7],
])('%s has the rank of its group', (_, found, rank) => {
  const rows = withRowNumbers([...inOrder.slice(0, rank), found, ...inOrder.slice(rank)]);
  expect(sorted(rows.toReversed())).toEqual(rows.map(({ row }) => row));
});

test('the execution time takes precedence over the rank; without a time, inflows are first and outflows last', () => {
  const rows = withRowNumbers([
    eventWith({ ...at, kind: 'trade', instrument: 'alpha', quantity: one }),
    eventWith({ ...at, kind: 'trade', instrument: 'alpha', quantity: -one, time: 1_000 }),
    eventWith({ ...at, kind: 'trade', instrument: 'alpha', quantity: one, time: 2_000 }),
    eventWith({ ...at, kind: 'trade', instrument: 'alpha', quantity: -one }),
  ]);
  expect(sorted(rows.toReversed())).toEqual([1, 2, 3, 4]);
});

test('the day takes precedence over everything, and the booking number decides ties', () => {
  const later = { ...inOrder[0]!, day: at.day + 1 };
  const rows = withRowNumbers([inOrder[7]!, inOrder[7]!, later]);
  expect(sorted(rows.toReversed())).toEqual([1, 2, 3]);
});

test('the order is total: it does not depend on the order of the input', () => {
  const shuffled = allEvents.chain((events) => {
    const rows = withRowNumbers(events);
    return fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length }));
  });
  fc.assert(
    fc.property(shuffled, ([rows, others]) => {
      expect(sorted(others)).toEqual(sorted(rows));
    }),
  );
});
