// Computes tables from ledgers in text form: each file of this folder is a case, and its first line is its title. Expected figures were
// computed by hand.

import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareTables, titleOf } from '../setup/ledger-text/ledger-text.ts';

const folder = new URL('.', import.meta.url);

const ledgers = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ledger'))
  .toSorted()
  .map((file) => ({ file, text: readFileSync(new URL(file, folder), 'utf8') }));

describe('ledgers', () => {
  for (const { file, text } of ledgers) {
    test(`${titleOf(text)} (${file})`, () => {
      const { expected, actual } = compareTables(file, text);
      expect(actual, `${file} gives\n\n${actual}\n`).toBe(expected);
    });
  }
});

describe('a ledger text', () => {
  const facts = 'One share\nclient EUR FIFO\naccount A EUR\ninstrument X listed EUR\n2024-01-02 buy A X 10 @ 5\n';

  test.each([
    ['colour X red', 'one.ledger:6: does not know the word "colour"'],
    ['2024-01-03 buy A X 10 @ 5 discount 1', 'one.ledger:6: does not know the word "discount"'],
    ['2024-01-03 lend A X 10', 'one.ledger:6: does not know the word "lend"'],
    ['2024-01-03 buy A Y 10 @ 5', 'one.ledger:6: there is no instrument "Y"'],
    ['2024-01-03 buy B X 10 @ 5', 'one.ledger:6: there is no account "B"'],
    ['2024-01-03 buy A X ten @ 5', 'one.ledger:6: "ten" is no amount'],
    ['price X 2024-02-30 5', 'one.ledger:6: "2024-02-30" is no date'],
    ['price Y 2024-01-02 5', 'one.ledger:6: there is no instrument "Y"'],
    ['holdings 2024-01-03', 'one.ledger:6: a table is missing'],
    ['holdings 2024-01-03\n  instrument | colour', 'one.ledger:6: does not know the column "colour"'],
    ['holdings 2024-01-03 of Q\n  instrument', 'one.ledger:6: there is no portfolio, account or depository "Q"'],
    ['holdings 2024-01-03\n  instrument | units\n  X', 'one.ledger:8: has not 2 columns'],
  ])('with the line %j is refused with the place of the fault: %s', (line, fault) => {
    expect(() => compareTables('one.ledger', facts + line)).toThrow(fault);
  });

  test('whose table differs shows the actual one in the same columns', () => {
    const table = 'holdings 2024-01-03\n  instrument | units\n  X | 11\n  cash:EUR | -50';
    expect(compareTables('one.ledger', facts + table)).toEqual({
      expected: 'holdings 2024-01-03\n  instrument | units\n  X          | 11\n  cash:EUR   | -50',
      actual: 'holdings 2024-01-03\n  instrument | units\n  X          | 10\n  cash:EUR   | -50',
    });
  });
});
