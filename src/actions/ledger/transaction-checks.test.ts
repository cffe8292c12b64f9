// Tests which fields of settlements and of transfers of units contradict each other, and what is said of each.

import { expect, test } from 'vitest';
import { listTransactionFaults } from './transaction-checks.ts';
import type { TransactionContext, TransactionInput } from './transaction-input.ts';

const forward = {
  instrument: { type: 'fx-forward-cash-settlement-contract' },
} as unknown as TransactionContext;
const stock = { instrument: { type: 'stock-instrument' } } as unknown as TransactionContext;

function faultsOf(fields: object, context = stock): string[] {
  const input = { date: '2026-03-12', account: 'a1', source: 'manual', ...fields } as unknown as TransactionInput;
  return listTransactionFaults(input, context).map(({ code, field, detail }) => `${code} ${field}: ${detail}`);
}

const settlement = { kind: 'forward-settlement', instrument: 'f1', amount: '-5' };

test('a settlement states the amount that its forward contract settled at, and nothing of units', () => {
  expect(faultsOf(settlement, forward)).toEqual([]);
  const { amount: _none, ...without } = settlement;
  expect(faultsOf(without, forward)).toEqual([
    'missing-attribute amount: The amount that the contract settled at is required.',
  ]);
  const fields = ['quantity', 'price', 'fees', 'taxes', 'accruedInterest', 'exchangeRate'];
  expect(faultsOf({ ...settlement, ...Object.fromEntries(fields.map((field) => [field, '1'])) }, stock)).toEqual([
    'invalid-attribute instrument: This instrument is not an FX forward contract.',
    ...fields.map(
      (field) => `invalid-attribute ${field}: This cannot be sent for the settlement of a forward contract.`,
    ),
  ]);
});

const arriving = { kind: 'flow', instrument: 'i1', quantity: '10' };
const leaving = { ...arriving, quantity: '-10' };
const lots = [{ id: 'l1', quantity: '10' }];
const acquired = [{ date: '2020-01-01', quantity: '10' }];
const fromOutside = 'This can be sent only for units that come in from outside the accounts kept here.';

test.each<[string, object, string[]]>([
  ['that come in', arriving, []],
  ['that leave, with their lots', { ...leaving, lots }, []],
  ['that come in, with when they were acquired', { ...arriving, acquired }, []],
  ['acquired that day', { ...arriving, acquired: [{ date: '2026-03-12', quantity: '10' }] }, []],
  [
    'with cash on both sides',
    { ...arriving, amount: '5', counterAmount: '-5', counterAccount: 'a2' },
    [
      'invalid-attribute amount: A transfer of units cannot have a cash amount.',
      'invalid-attribute counterAmount: A transfer of units cannot have a cash amount.',
    ],
  ],
  [
    'without a quantity',
    { kind: 'flow', instrument: 'i1' },
    ['missing-attribute quantity: The number of units is required.'],
  ],
  [
    'without an instrument',
    { kind: 'flow', quantity: '10' },
    ['missing-attribute instrument: The instrument of the units is required.'],
  ],
  [
    'that come in, with lots',
    { ...arriving, lots },
    ['invalid-attribute lots: Lots can be named only for units that leave.'],
  ],
  [
    'that leave, with when they were acquired',
    { ...leaving, acquired },
    [`invalid-attribute acquired: ${fromOutside}`],
  ],
  [
    'from another account, with when they were acquired',
    { ...arriving, counterAccount: 'a2', acquired },
    [`invalid-attribute acquired: ${fromOutside}`],
  ],
  ['to another depository', { ...leaving, depository: 'd1', counterDepository: 'd2' }, []],
  [
    'to the same depository',
    { ...leaving, depository: 'd1', counterDepository: 'd1' },
    ['invalid-attribute counterDepository: This must be another depository.'],
  ],
  [
    'to the same depository for another account',
    { ...leaving, depository: 'd1', counterDepository: 'd1', counterAccount: 'a2' },
    [],
  ],
])('units %s', (_what, fields, faults) => {
  expect(faultsOf(fields)).toEqual(faults);
});

test.each<[string, object, string[]]>([
  [
    'the quantities of lots',
    { ...leaving, lots: [{ id: 'l1', quantity: '9.9' }] },
    ['invalid-attribute lots: The quantities must add up to 10.'],
  ],
  [
    'those of units acquired, and their days',
    {
      ...arriving,
      acquired: [
        { date: '2026-03-12', quantity: '1' },
        { date: '2026-03-13', quantity: '8' },
      ],
    },
    [
      'invalid-attribute acquired: The quantities must add up to 10.',
      'invalid-attribute acquired: Units cannot have been acquired after 2026-03-12.',
    ],
  ],
])('parts of a transfer are checked against the whole: %s', (_what, fields, faults) => {
  expect(faultsOf(fields)).toEqual(faults);
});
