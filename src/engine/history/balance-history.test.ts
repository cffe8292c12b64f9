// Checks balances of cash and of fees owed, day by day, down to the smallest unit.

import { expect, test } from 'vitest';

import { cashBalanceHistory, feesOwedHistory, type BalanceHistory } from './balance-history.ts';

/** A day and what a row adds on it, or an upload states for its end. */
type Entry = readonly [day: number, amount: bigint];

const position = 1;
const cash = 2;

function sourceOf(rows: readonly Entry[], uploads: readonly Entry[]) {
  return {
    position,
    currency: 'EUR',
    movements: rows.map(([day, amount]) => ({ day, amount })),
    checkpoints: uploads.map(([day, quantity]) => ({ position, day, quantity, upload: null })),
  };
}

/** The steps, then the legs, then the findings. */
function textOf({ balance, legs, findings }: BalanceHistory): string {
  const steps = Array.from(balance.days, (day, index) => `${day}: ${balance.valueAt(index)}`);
  const flows = legs.map((leg) => {
    if (leg.measure !== 'cash') throw new RangeError('Money flows as cash.');
    const what = leg.settles === undefined ? 'flow' : 'settled';
    return `${what} ${leg.amount} ${leg.currency} at ${leg.position} on ${leg.day}`;
  });
  const implied = findings.map(({ kind, quantity, day }) => `${kind} ${quantity} on ${day}`);
  return [steps.join(', '), ...flows, ...implied].join('; ');
}

type Case = readonly [what: string, rows: readonly Entry[], uploads: readonly Entry[], expected: string];

test.each<Case>([
  ['of no rows', [], [], ''],
  [
    'of rows',
    [
      [1, 5n],
      [3, -7n],
    ],
    [],
    '1: 5, 3: -2',
  ],
  [
    'of rows of one day',
    [
      [1, 5n],
      [1, 1n],
      [2, 1n],
    ],
    [],
    '1: 6, 2: 7',
  ],
  ['that an upload states first is a flow, and no finding', [], [[4, 9n]], '4: 9; flow 9 EUR at 1 on 4'],
  ['that an upload states to be nothing is no flow', [], [[4, 0n]], '4: 0'],
  ['that an upload states as the rows do is no flow', [[4, 9n]], [[4, 9n]], '4: 9'],
  [
    'that an upload states otherwise is a flow and a finding',
    [
      [1, 5n],
      [4, 1n],
      [5, 2n],
    ],
    [[4, 7n]],
    '1: 5, 4: 7, 5: 9; flow 1 EUR at 1 on 4; implied-flow 1 on 4',
  ],
  [
    'that an upload states otherwise than a single row is a flow and a finding',
    [[1, 5n]],
    [[4, 7n]],
    '1: 5, 4: 7; flow 2 EUR at 1 on 4; implied-flow 2 on 4',
  ],
  [
    'that uploads state before, between and after the rows',
    [[2, 5n]],
    [
      [1, 1n],
      [3, 8n],
      [4, 8n],
      [5, 7n],
    ],
    '1: 1, 2: 6, 3: 8, 4: 8, 5: 7; flow 1 EUR at 1 on 1; flow 2 EUR at 1 on 3; flow -1 EUR at 1 on 5; implied-flow 2 on 3; implied-flow -1 on 5',
  ],
])('cash %s', (_what, rows, uploads, expected) => {
  expect(textOf(cashBalanceHistory(sourceOf(rows, uploads)))).toBe(expected);
});

type FeeCase = readonly [
  what: string,
  knownFrom: number,
  rows: readonly Entry[],
  uploads: readonly Entry[],
  expected: string,
];

test.each<FeeCase>([
  ['of an account that was there before are a cost', 0, [], [[4, -9n]], '4: -9'],
  ['of an account that begins with them came with it', 4, [], [[4, -9n]], '4: -9; flow -9 EUR at 1 on 4'],
  [
    'that grow are a cost, also of an account that began with them',
    9,
    [],
    [
      [4, -9n],
      [5, -10n],
    ],
    '4: -9, 5: -10; flow -9 EUR at 1 on 4',
  ],
  [
    'are settled by fees that are paid, as far as they are owed',
    0,
    [
      [5, 4n],
      [6, 5n],
      [7, 1n],
      [8, 6n],
    ],
    [[4, -10n]],
    '4: -10, 5: -6, 6: -1, 7: 0; settled 4 EUR at 1 on 5; settled -4 EUR at 2 on 5; settled 5 EUR at 1 on 6; settled -5 EUR at 2 on 6; settled 1 EUR at 1 on 7; settled -1 EUR at 2 on 7',
  ],
  [
    'are settled whole by a payment of more',
    0,
    [[5, 11n]],
    [[4, -10n]],
    '4: -10, 5: 0; settled 10 EUR at 1 on 5; settled -10 EUR at 2 on 5',
  ],
  ['are not changed by a fee that is paid back', 0, [[5, -1n]], [[4, -10n]], '4: -10'],
  ['are none before an upload states them', 0, [[3, 4n]], [[4, -10n]], '4: -10'],
  [
    'are settled only by what is paid after the day of the upload',
    0,
    [
      [4, 4n],
      [5, 1n],
    ],
    [[4, -10n]],
    '4: -10, 5: -9; settled 1 EUR at 1 on 5; settled -1 EUR at 2 on 5',
  ],
])('fees owed %s', (_what, knownFrom, rows, uploads, expected) => {
  const source = { ...sourceOf(rows, uploads), cash, isKnownBefore: (day: number) => knownFrom < day };
  expect(textOf(feesOwedHistory(source))).toBe(expected);
});
