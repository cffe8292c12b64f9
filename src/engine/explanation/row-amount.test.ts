// Checks how the cash of a row follows from its units, price, interest, rate and withheld tax, against figures worked out by hand.

import { describe, expect, test } from 'vitest';

import { checkedLines } from '../../../tests/setup/engine/explained-ledger.ts';
import { fixed } from '../../../tests/setup/engine/valued-holding.ts';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { explainRowAmount } from './explanation.ts';

const facts = `One row
client EUR FIFO
account A EUR
instrument X listed EUR
instrument U listed USD
instrument B bond EUR, rate 4%, maturity 2034-06-30, frequency 1
instrument C bond USD, rate 4%, maturity 2034-06-30, frequency 1
rate EUR/USD 2024-01-01 1.25
`;

/** The lines of the amount and of what it is made of, without where that comes from. */
function amountLines(row: string, rate: string | null = null): readonly string[] {
  const history = historyOfText(`${facts}2024-02-01 ${row}\n`);
  const [booked] = [...history.facts.ledger.transactions({ from: -Infinity, to: Infinity })];
  const figure = explainRowAmount(history, booked!, rate === null ? null : fixed(rate));
  return checkedLines(figure).filter((line) => !line.startsWith('    '));
}

describe('the cash of income', () => {
  test.each([
    ['dividend A X 25 withheld 5', ['row-amount 25 = 30 − 5', '  earned 30', '  withheld-tax 5']],
    ['coupon A B 30 withheld 4', ['row-amount 30 = 34 − 4', '  earned 34', '  withheld-tax 4']],
    ['interest A 9 withheld 3', ['row-amount 9 = 12 − 3', '  earned 12', '  withheld-tax 3']],
    ['dividend A X 25', ['row-amount 25']],
    ['interest A 9', ['row-amount 9']],
    ['coupon A B 30', ['row-amount 30']],
    ['fee A 7', ['row-amount -7']],
  ])('%s is what was earned less what was withheld, and else as booked', (row, lines) => {
    expect(amountLines(row)).toEqual(lines);
  });
});

describe('the cash of a trade', () => {
  test.each([
    ['buy A X 10 @ 10', ['row-amount -100 = 0 − 100', '  row-value 100 = 10 × 10']],
    ['sell A X 10 @ 10 fees 1', ['row-amount 99 = 99', '  row-value 99 = 10 × 10 − 1']],
    [
      'buy A B 1000 @ 99 accrued 12',
      ['row-amount -1002 = 0 − 990 − 12', '  row-value 990 = 1000 × 99 ÷ 100', '  accrued-interest 12'],
    ],
    [
      'redeem A B 1000 @ 100 accrued 7',
      ['row-amount 1007 = 1000 + 7', '  row-value 1000 = 1000 × 100 ÷ 100', '  accrued-interest 7'],
    ],
    [
      'sell A X 10 @ 10 amount 99.98',
      ['row-amount 99.98 = 100 + (-0.02)', '  row-value 100 = 10 × 10', '  rounded-by-the-booking -0.02'],
    ],
  ])('%s is its value with the interest, and what the booking rounded', (row, lines) => {
    expect(amountLines(row)).toEqual(lines);
  });

  test.each([
    [
      'buy A C 1000 @ 99 accrued 12 rate 0.8',
      '0.8',
      [
        'row-amount -801.6 = (0 − 990 − 12) × 0.8',
        '  row-value 990 = 1000 × 99 ÷ 100',
        '  accrued-interest 12',
        '  rate-of-the-trade 0.8',
      ],
    ],
    [
      'sell A U 3 @ 3.33 rate 0.87654321 amount 8.76',
      '0.87654321',
      [
        'row-amount 8.76 = (9.99) × 0.87654321 + 0.0033333321',
        '  row-value 9.99 = 3 × 3.33',
        '  rate-of-the-trade 0.87654321',
        '  rounded-by-the-booking 0.0033333321',
      ],
    ],
  ])('%s, in another currency, is that at the rate of the row', (row, rate, lines) => {
    expect(amountLines(row, rate)).toEqual(lines);
  });

  test.each([
    ['buy A U 10 @ 10 rate 0.8', null, 'row-amount -80'],
    ['buy A X 10 @ 10', '1', 'row-amount -100'],
  ])('%s, at the rate %s, has no formula: a rate belongs to two currencies', (row, rate, line) => {
    expect(amountLines(row, rate)).toEqual([line]);
  });
});
