// Files that are made to take time or memory, or to make the reader guess.

import { expect, test } from 'vitest';
import { readCsv, testProfile } from '../../../tests/setup/statements/read-csv.ts';

const columns = { date: ['Date'], type: ['Type'], amount: ['Amount'] };
const detected = { decimalMark: 'detect', dateOrder: 'detect', signs: 'detect' } as const;

test('thousands of columns that nobody reads are told in a few', () => {
  const names = Array.from({ length: 6_000 }, (_, index) => `c${index}`);
  const line = `2024-01-31,deposit,5,${names.map((_, index) => index + 1).join(',')}`;
  const ignoredColumns = Array.from({ length: 200 }, (_, index) => `ignored ${index}*`);
  const items = readCsv(
    `Date,Type,Amount,${names.join(',')}\n${`${line}\n`.repeat(20)}`,
    testProfile({ columns, ignoredColumns, delimiter: 'comma', types: [{ word: 'deposit', type: 'deposit' }] }),
  );
  const counts = items.flatMap((one) => (one.item === 'notice' ? [one.columns.length] : []));
  expect(counts.every((count) => count <= 50)).toBe(true);
  expect(items.filter(({ item }) => item === 'entry' || item === 'problem')).toHaveLength(20);
});

test('columns of one name are read once, and the others are told', () => {
  const text = `Date,Type,Amount,Fee,Fee,fee\n2024-01-31,deposit,5,1,2,3\n`;
  const items = readCsv(text, testProfile({ columns: { ...columns, fees: ['Fee'] } }));
  expect(items.at(-1)).toMatchObject({
    item: 'notice',
    columns: [
      { name: 'Fee', example: '2' },
      { name: 'fee', example: '3' },
    ],
  });
});

test('words, numbers and dates of 60 KB are cut or refused, and nothing takes long', () => {
  const long = (text: string): string => text.repeat(Math.floor(60_000 / text.length));
  for (const word of ['kauf ', 'aA', 'zins-', 'ä', '1,', '0', ' ']) {
    const cell = `"${long(word)}"`;
    const lines = [`2024-01-31,${cell},5`, `2024-01-31,deposit,${cell}`, `${cell},deposit,5`];
    const items = readCsv(`Date,Type,Amount\n${lines.join('\n')}\n`, testProfile({ columns, ...detected }));
    const texts = items.map((one) => (one.item === 'entry' ? one.typeWord : one.item === 'problem' ? one.detail : ''));
    expect(texts.every((text) => (text ?? '').length < 500)).toBe(true);
    expect(items.length).toBeGreaterThanOrEqual(3);
  }
});

test('a file with another word in every row keeps no more of them than it needs', () => {
  const lines = Array.from({ length: 30_000 }, (_, index) => `2024-01-31,w${index},5`);
  const items = readCsv(`Date,Type,Amount\n${lines.join('\n')}\n`, testProfile({ columns }));
  expect(items).toHaveLength(30_000);
  expect(items[29_999]).toMatchObject({ typeWord: 'w29999', byWord: { isKnown: false } });
});

test.each([
  ['1.234', 'a leading zero elsewhere', '0.123', '1.234'],
  ['1,234', 'two decimals elsewhere', '12.50', '1234'],
  ['1.234', 'a number with both marks', '1.234,56', '1234'],
])('the decimal mark of %s is told by %s: %s', (cell, _, other, amount) => {
  const text = `Date,Type,Amount\n2024-01-31,deposit,"${cell}"\n2024-01-31,deposit,"${other}"\n`;
  expect(readCsv(text, testProfile({ columns, ...detected }))[0]).toMatchObject({ amount });
});

test('numbers with both marks leave only those in doubt that could be read in two ways', () => {
  const text = 'Date;Type;Amount\n2024-01-31;deposit;1,50\n2024-01-31;deposit;1.50\n2024-01-31;deposit;1.500\n';
  expect(readCsv(text, testProfile({ columns, ...detected }))).toMatchObject([
    { amount: '1.5' },
    { amount: '1.5' },
    { item: 'problem', needs: 'mapping', place: { line: 4, field: 'Amount' } },
  ]);
});

test('whether amounts are signed is told from all lines; a trade goes the way that its word says', () => {
  const own = testProfile({ columns: { ...columns, quantity: ['Units'] }, ...detected });
  const read = (...lines: readonly string[]) =>
    readCsv(`Date,Type,Amount,Units\n${lines.join('\n')}\n`, own).map((one) => one.item === 'entry' && one.amount);
  expect(read('2024-01-31,fee,5,', '2024-01-31,buy,7,1')).toEqual(['-5', '-7']);
  expect(read('2024-01-31,fee,5,', '2024-01-31,buy,7,1', '2024-01-31,withdrawal,-9,')).toEqual(['5', '-7', '-9']);
});
