// The balances of a file of lines: what was there before the oldest line and after the newest, where all lines are of one account.

import { expect, test } from 'vitest';
import type { StatementEntry } from '../../model/custody/statement.ts';
import { CsvBalances } from './csv-balances.ts';

interface Line {
  readonly date?: string;
  readonly amount?: string;
  readonly balance?: string;
  readonly number?: string;
  readonly currency?: string | undefined;
  readonly status?: string;
}

/** The moment, day and amount of each balance. */
function balancesOf(...lines: readonly Line[]): (string | undefined)[][] {
  const balances = new CsvBalances();
  for (const { date = '2024-03-01', amount = '1', balance, number, status, ...rest } of lines) {
    const currency = 'currency' in rest ? rest.currency : 'CHF';
    const entry = { date, amount, currency, status, place: { line: 1 }, ...(number && { account: { number } }) };
    balances.add(entry as unknown as StatementEntry, balance as never);
  }
  return balances.items('S').map((item) => [item.moment, item.date, item.amount, item.currency, item.account?.number]);
}

const first = { amount: '-20', balance: '80' };
const second = { amount: '5.5', balance: '85.5' };
const both = [
  ['opening', '2024-03-01', '100', 'CHF', undefined],
  ['closing', '2024-03-01', '85.5', 'CHF', undefined],
];

test('within a day, the line that leads to the other comes first', () => {
  expect([balancesOf(first, second), balancesOf(second, first)]).toEqual([both, both]);
});

test('of different days the older comes first, whatever the amounts', () => {
  const later = { ...second, date: '2024-03-02' };
  const expected = [both[0], ['closing', '2024-03-02', '85.5', 'CHF', undefined]];
  expect([balancesOf(first, later), balancesOf(later, first)]).toEqual([expected, expected]);
});

test('one line opens and closes', () => {
  expect(balancesOf({ ...first, number: '7' })).toEqual([
    ['opening', '2024-03-01', '100', 'CHF', '7'],
    ['closing', '2024-03-01', '80', 'CHF', '7'],
  ]);
});

test('lines that are pending or have no balance do not count', () => {
  expect(balancesOf({ amount: '9' }, first, { ...second, balance: '500', status: 'pending' }, second)).toEqual(both);
});

test.each<[string, Line, Line]>([
  ['two accounts', { ...first, number: '1' }, { ...second, number: '2' }],
  ['two currencies', first, { ...second, currency: 'EUR' }],
  ['an account and none', first, { ...second, number: '1' }],
  ['no currency', { ...first, currency: undefined }, { ...second, currency: undefined }],
])('lines of %s have no balance together', (_what, one, other) => {
  expect(balancesOf(one, other)).toEqual([]);
  expect(balancesOf()).toEqual([]);
});
