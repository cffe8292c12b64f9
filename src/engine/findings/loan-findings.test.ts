// Checks of which loans more is held than was lent, and where.

import { expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { day, fixed } from '../../../tests/setup/engine/valued-holding.ts';
import { principalFindings } from './loan-findings.ts';

/** Of what accounts lend, or borrow if negative, of a loan of 1,000; the first account is A. */
function excessOf(...quantities: readonly string[]) {
  const accounts = ['A', 'B', 'C', 'D'].slice(0, quantities.length);
  const history = historyOfText(`Loans
client EUR FIFO
instrument L loan EUR, principal 1000, rate 5%, start 2024-01-01
${accounts.map((account) => `account ${account} EUR`).join('\n')}
${accounts.map((account, index) => rowOf(account, quantities[index]!)).join('\n')}`);
  const positions = history.table.sortedPositions().filter((position) => history.key(position).instrument === 'L');
  const accountOf = (position: number) => history.key(position).account;
  return principalFindings(history, positions, day('2024-03-01')).map(({ position, positions: all, ...rest }) => ({
    ...rest,
    most: accountOf(position),
    all: all.map(accountOf).join(''),
  }));
}

function rowOf(account: string, quantity: string): string {
  return quantity.startsWith('-')
    ? `2024-01-02 withdraw ${account} L ${quantity.slice(1)}`
    : `2024-01-02 deposit ${account} L ${quantity}`;
}

const kind = 'more-than-principal';
const dust = '0.000000000000000001';

test('a loan of which just the principal is held is none, and the smallest unit more is one', () => {
  expect(excessOf('1000')).toEqual([]);
  expect(excessOf('600', '400')).toEqual([]);
  expect(excessOf('-1000')).toEqual([]);
  expect(excessOf('1000', dust)).toEqual([{ kind, most: 'A', all: 'AB', quantity: fixed('1000') + 1n, excess: 1n }]);
});

test('names the place that holds most of it, and all that hold any', () => {
  expect(excessOf('0', '600', '700', '100')).toEqual([
    { kind, most: 'C', all: 'BCD', quantity: fixed('1400'), excess: fixed('400') },
  ]);
  expect(excessOf('700', '700')).toMatchObject([{ most: 'A', all: 'AB' }]);
});

test('what is lent and what is borrowed are looked at apart from each other', () => {
  expect(excessOf('1100', '-900')).toEqual([
    { kind, most: 'A', all: 'A', quantity: fixed('1100'), excess: fixed('100') },
  ]);
  expect(excessOf('1100', '-1200', '-100')).toEqual([
    { kind, most: 'A', all: 'A', quantity: fixed('1100'), excess: fixed('100') },
    { kind, most: 'B', all: 'BC', quantity: fixed('-1300'), excess: fixed('300') },
  ]);
});
