// Checks what a statement is compared with, and which class each difference has.

import { describe, expect, test } from 'vitest';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { fixedText, toFixed, type Fixed } from '../../kit/fixed.ts';
import { cashInstrument } from '../ledger/position-key.ts';
import { classify, compareStatement } from './reconcile.ts';
import type { ComparedLine, Evidence, StatedLine, Tolerance } from './reconcile.ts';

const fixed = (text: string): Fixed => toFixed(parseDecimal(text));
const day = (text: string): number => toDayNumber(parseCalendarDate(text));

const tolerance: Tolerance = {
  units: 0n,
  cash: (currency) => fixed(currency === 'JPY' ? '1' : '0.01'),
  price: fixed('0.01'),
  settlementDays: 5,
};
const nothingElse: Evidence = { agreedOn: undefined, cashDifferences: [] };

/** `X 110 @ 10.5`: units of an instrument in the depository D, with a price. */
function units(text: string, date: string, instrument: string | null | undefined = undefined): StatedLine {
  const [subject = '', quantity = '', , price] = text.split(' ');
  return {
    account: null,
    depository: 'D',
    kind: 'units',
    subject,
    instrument: instrument === undefined ? subject : instrument,
    currency: 'EUR',
    day: day(date),
    quantity: fixed(quantity),
    price: price === undefined ? null : { value: fixed(price), day: day(date) },
  };
}

function cash(amount: string, date: string, currency = 'EUR'): StatedLine {
  const what = {
    kind: 'cash',
    subject: `cash:${currency}`,
    instrument: cashInstrument(currency),
    price: null,
  } as const;
  return { account: 'A', depository: null, ...what, currency, day: day(date), quantity: fixed(amount) };
}

/** The differences of a statement: what, difference and class, and the rows that explain it if there are any. */
function differences(text: string, lines: readonly StatedLine[], evidence = nothingElse, within = tolerance) {
  const history = historyOfText(text);
  const classified = (line: ComparedLine) => {
    const { class: found, rows } = classify(history, line, within, evidence);
    return { class: found, ...(rows.length > 0 && { rows }) };
  };
  const unlisted = (beside: StatedLine, instrument: string): StatedLine => ({
    ...beside,
    subject: instrument,
    instrument,
    quantity: 0n,
    price: null,
  });
  return compareStatement(history, { lines, tolerance: within, unlisted }).flatMap((line) => {
    const found = { what: line.stated.subject, difference: fixedText(line.difference) };
    return [
      ...(line.isWithinTolerance ? [] : [{ ...found, ...classified(line) }]),
      ...(line.isPriceWithinTolerance ? [] : [{ ...found, class: 'price' }]),
    ];
  });
}

const household = `Bought and paid
client EUR FIFO
account A EUR, depositories D
instrument X listed EUR
instrument Y listed EUR
price X 2024-01-10 10
2024-01-02 deposit A 10000
2024-01-02 buy A X 100 @ 10
2024-01-02 buy A Y 7 @ 10
`;

describe('a statement', () => {
  test('agrees with the ledger to the last unit, and its cash within a cent', () => {
    expect(differences(household, [units('X 100 @ 10', '2024-01-31'), units('Y 7', '2024-01-31')])).toEqual([]);
    expect(differences(household, [cash('8930.01', '2024-01-31')])).toEqual([]);
    expect(differences(household, [cash('8930.02', '2024-01-31')])).toEqual([
      { what: 'cash:EUR', difference: '0.02', class: 'cash' },
    ]);
    expect(
      differences(household, [units('X 100.000000000000000001', '2024-01-31'), units('Y 7', '2024-01-31')]),
    ).toEqual([{ what: 'X', difference: '0.000000000000000001', class: 'quantity' }]);
  });

  test('of units lists everything: what only the ledger has differs too', () => {
    expect(differences(household, [units('X 100', '2024-01-31')])).toEqual([
      { what: 'Y', difference: '-7', class: 'missing-trade' },
    ]);
  });

  test('is compared with what the ledger held on its own day', () => {
    const sold = `${household}2024-03-01 sell A X 100 @ 11\n`;
    const lines = [units('X 100', '2024-02-15'), units('Y 7', '2024-02-15')];
    expect(differences(sold, lines)).toEqual([]);
  });

  test('of an account covers the units that its depositories hold', () => {
    const line = { ...units('X 100', '2024-01-31'), account: 'A', depository: null };
    expect(differences(household, [line, { ...line, subject: 'Y', instrument: 'Y', quantity: fixed('7') }])).toEqual(
      [],
    );
  });

  test('of an account in one depository covers neither other accounts nor other depositories', () => {
    const shared = household
      .replace('account A EUR, depositories D\n', 'account A EUR, depositories D E\naccount B EUR, depositories D\n')
      .replaceAll(/(buy|sell) A/g, '$1 A/D');
    const text = `${shared}2024-01-03 deposit B/D X 5\n2024-01-03 deposit A/E X 3\n`;
    const line = { ...units('X 100', '2024-01-31'), account: 'A' };
    expect(differences(text, [line, { ...line, subject: 'Y', instrument: 'Y', quantity: fixed('7') }])).toEqual([]);
  });

  test('lists the smallest unit too', () => {
    const dust = '0.000000000000000001';
    const text = household.replace('buy A Y 7', `buy A Y ${dust}`);
    expect(differences(text, [units('X 100', '2024-01-31')])).toEqual([
      { what: 'Y', difference: `-${dust}`, class: 'missing-trade' },
    ]);
    const priced = `${text}price Y 2024-01-10 10\n`;
    expect(differences(priced, [units('X 100', '2024-01-12'), units(`Y ${dust} @ 20`, '2024-01-12')])).toEqual([
      { what: 'Y', difference: '0', class: 'price' },
    ]);
    expect(differences(priced, [units('X 100', '2024-01-12'), units('Y 0 @ 20', '2024-01-12')])).toEqual([
      { what: 'Y', difference: `-${dust}`, class: 'missing-trade' },
    ]);
  });

  test('tolerates what the client has set', () => {
    const wide: Tolerance = { ...tolerance, units: fixed('0.5'), cash: () => fixed('1'), price: fixed('0.2') };
    const lines = [units('X 100.5 @ 11', '2024-01-12'), units('Y 7', '2024-01-12')];
    expect(differences(household, lines, nothingElse, wide)).toEqual([]);
    expect(differences(household, lines)).toHaveLength(2);
  });
});

describe('a difference', () => {
  const all = (text: string, date = '2024-01-31') => [units(text, date), units('Y 7', date)];

  test('in what only the custodian holds is a missing trade', () => {
    const line = units('Z 5', '2024-01-31');
    expect(differences(household, [...all('X 100'), line])).toEqual([
      { what: 'Z', difference: '5', class: 'missing-trade' },
    ]);
  });

  test('in an instrument that nobody knows says so', () => {
    expect(differences(household, [...all('X 100'), units('ISIN:1 5', '2024-01-31', null)])).toEqual([
      { what: 'ISIN:1', difference: '5', class: 'unknown-instrument' },
    ]);
  });

  test('in the quantity that both hold is one of quantity, unless the cash differs by the price of the units', () => {
    expect(differences(household, all('X 110 @ 10'))).toEqual([{ what: 'X', difference: '10', class: 'quantity' }]);
    const paid: Evidence = {
      agreedOn: undefined,
      cashDifferences: [{ currency: 'EUR', difference: fixed('-100.50') }],
    };
    expect(differences(household, all('X 110 @ 10'), paid)).toMatchObject([{ class: 'missing-trade' }]);
    const received: Evidence = {
      agreedOn: undefined,
      cashDifferences: [{ currency: 'EUR', difference: fixed('100') }],
    };
    expect(differences(household, all('X 110 @ 10'), received)).toMatchObject([{ class: 'quantity' }]);
  });

  const instruments = `${household}instrument B bond EUR, rate 5%, maturity 2030-06-30
instrument Z zero-coupon EUR, maturity 2030-06-30
instrument P listed EUR, unit hundredths
2024-01-02 buy A B 1000 @ 90
2024-01-02 buy A Z 1000 @ 90
2024-01-02 buy A P 1000 @ 90
`;
  const held = ['X 100', 'Y 7', 'B 1000', 'Z 1000', 'P 1000'];

  test.each([
    ['X 110 @ 10', '-101', 'EUR', 'missing-trade'],
    ['X 110 @ 10', '-101.000000000000000001', 'EUR', 'quantity'],
    ['X 110 @ 10', '-99', 'EUR', 'missing-trade'],
    ['X 110 @ 10', '-98.999999999999999999', 'EUR', 'quantity'],
    ['X 110 @ 10', '-100', 'USD', 'quantity'],
    ['X 110', '-100', 'EUR', 'quantity'],
    ['X 100.000000000000000001 @ 1', '-0.000000000000000001', 'EUR', 'missing-trade'],
    ['X 100.000000000000000001 @ 0.1', '0', 'EUR', 'quantity'],
    ['B 1500 @ 90', '-450', 'EUR', 'missing-trade'],
    ['Z 1500 @ 90', '-450', 'EUR', 'missing-trade'],
    ['P 1500 @ 90', '-450', 'EUR', 'missing-trade'],
  ])('of %s is paid if the cash differs by its price to a hundredth: %s %s, %s', (text, amount, currency, found) => {
    const [subject = ''] = text.split(' ');
    const lines = [text, ...held.filter((one) => !one.startsWith(subject))].map((one) => units(one, '2024-01-31'));
    const cashDifferences = [{ currency, difference: fixed(amount) }];
    expect(differences(instruments, lines, { agreedOn: undefined, cashDifferences })).toMatchObject([
      { what: subject, class: found },
    ]);
  });

  test('after a statement that agreed is a missing trade where the ledger has booked nothing since, else one of quantity', () => {
    const agreed: Evidence = { agreedOn: day('2024-01-15'), cashDifferences: [] };
    expect(differences(household, all('X 150'), agreed)).toMatchObject([{ class: 'missing-trade' }]);
    const booked = `${household}2024-01-20 buy A X 5 @ 10\n`;
    expect(differences(booked, all('X 150'), agreed)).toMatchObject([{ difference: '45', class: 'quantity' }]);
  });

  test.each([
    ['buy A X 5 @ 10', '2024-01-15', 'missing-trade'],
    ['buy A X 5 @ 10', '2024-01-16', 'quantity'],
    ['buy A X 5 @ 10', '2024-01-31', 'quantity'],
    ['buy A X 5 @ 10', '2024-02-01', 'missing-trade'],
    ['buy A X 0.000000000000000001 @ 10', '2024-01-20', 'quantity'],
    ['buy A X 0 for 10', '2024-01-20', 'missing-trade'],
  ])('since a statement that agreed, where the ledger has "%s" on %s: %s', (row, date, found) => {
    const agreed: Evidence = { agreedOn: day('2024-01-15'), cashDifferences: [] };
    expect(differences(`${household}${date} ${row}\n`, all('X 150'), agreed)).toMatchObject([{ class: found }]);
  });

  const unsettled = `${household}2024-01-30 sell A X 40 @ 10, settles 2024-02-01\n`;

  test.each([
    ['a sale that settles after the statement', unsettled, 'X 100', '2024-01-31', 'timing'],
    ['a sale that has settled', unsettled, 'X 100', '2024-02-01', 'quantity'],
    ['a sale of another quantity', unsettled, 'X 99', '2024-01-31', 'quantity'],
    [
      'a purchase some days before the statement that names no settlement',
      `${household}2024-01-28 buy A X 3 @ 10\n`,
      'X 100',
      '2024-01-31',
      'timing',
    ],
    ['a purchase long before it', `${household}2024-01-20 buy A X 3 @ 10\n`, 'X 100', '2024-01-31', 'quantity'],
    [
      'a purchase that the ledger books later',
      `${household}2024-02-02 buy A X 3 @ 10\n`,
      'X 103',
      '2024-01-31',
      'timing',
    ],
    [
      'one of two purchases',
      `${household}2024-01-30 buy A X 3 @ 10\n2024-01-30 buy A X 8 @ 10\n`,
      'X 103',
      '2024-01-31',
      'timing',
    ],
    [
      'the other one of two purchases',
      `${household}2024-01-30 buy A X 3 @ 10\n2024-01-30 buy A X 8 @ 10\n`,
      'X 108',
      '2024-01-31',
      'timing',
    ],
    [
      'a purchase on the day of the statement',
      `${household}2024-01-31 buy A X 3 @ 10\n`,
      'X 100',
      '2024-01-31',
      'timing',
    ],
    [
      'a purchase that the ledger books five days later',
      `${household}2024-02-05 buy A X 3 @ 10\n`,
      'X 103',
      '2024-01-31',
      'timing',
    ],
    [
      'a purchase that the ledger books six days later',
      `${household}2024-02-06 buy A X 3 @ 10\n`,
      'X 103',
      '2024-01-31',
      'quantity',
    ],
    [
      'the smallest unit where a purchase is booked six days later',
      `${household}2024-02-06 buy A X 3 @ 10\n`,
      'X 100.000000000000000001',
      '2024-01-31',
      'quantity',
    ],
    [
      'a sale of the smallest unit that settles after the statement',
      `${household}2024-01-30 sell A X 0.000000000000000001 @ 10\n`,
      'X 100',
      '2024-01-31',
      'timing',
    ],
  ])('%s: %#', (_what, text, stated, date, found) => {
    expect(differences(text, all(stated, date))).toMatchObject([{ what: 'X', class: found }]);
  });

  test('of timing names the fewest rows that explain it, and no settled ones', () => {
    const rows = ['30 buy A X 3', '30 buy A X 5', '30 buy A X 8', '20 buy A X 11', '30 sell A X 2', '30 sell A X 4'];
    const text = household + rows.map((row) => `2024-01-${row} @ 10\n`).join('');
    const rowsFor = (stated: string) => differences(text, all(`X ${stated}`)).map((one) => 'rows' in one && one.rows);
    // The ledger holds 121 units, of which 11 were bought long before.
    expect(rowsFor('111')).toEqual([[4, 5, 6, 8, 9]]); // all of them
    expect(rowsFor('105')).toEqual([[4, 5, 6]]); // all purchases
    expect(rowsFor('127')).toEqual([[8, 9]]); // all sales
    expect(rowsFor('113')).toEqual([[6]]); // 8, and not 3 and 5
    expect(rowsFor('120')).toEqual([[4, 8]]); // 3 and −2, and not 5 and −4
    expect(rowsFor('110')).toEqual([[4, 6]]); // 3 and 8
  });

  test('of timing among very many rows is looked for in the latest twelve, and in all purchases or all sales', () => {
    const twelve = Array.from({ length: 12 }, (_, index) => index + 1);
    const purchases = twelve.map((count) => `2024-01-30 buy A X ${count}00 @ 10\n`).join('');
    const sales = purchases.replaceAll('buy', 'sell');
    const plenty = household.replace('buy A X 100', 'buy A X 10000');
    const dust = '0.000000000000000001';
    const found = (text: string, stated: string) => differences(text, all(`X ${stated}`));

    const bought = `${household}2024-01-29 buy A X 70 @ 10\n${purchases}`; // 7,970 units
    expect(found(bought, '7900')).toMatchObject([{ class: 'quantity' }]);
    expect(found(bought, '7870')).toMatchObject([{ rows: [5] }]);
    const soldBefore = `${household}2024-01-29 sell A X 70 @ 10\n${purchases}`; // 7,830
    expect(found(soldBefore, '7900')).toMatchObject([{ rows: [4] }]);

    const allSales = `${plenty}2024-01-29 sell A X ${dust} @ 10\n${sales}2024-01-30 buy A X 50 @ 10\n`;
    expect(found(allSales, '10050')).toMatchObject([{ rows: [4, ...twelve.map((count) => count + 4)] }]);
    const allPurchases = `${household}2024-01-29 buy A X 1300 @ 10\n${purchases}2024-01-30 sell A X ${dust} @ 10\n`;
    expect(found(allPurchases, '99.999999999999999999')).toMatchObject([
      { rows: [4, ...twelve.map((count) => count + 4)] },
    ]);
  });

  test('in cash is one of timing while the payment is not settled', () => {
    expect(differences(unsettled, [cash('8930', '2024-01-31')])).toMatchObject([{ class: 'timing' }]);
    expect(differences(unsettled, [cash('8930', '2024-02-01')])).toMatchObject([{ class: 'cash' }]);
  });

  test('in cash of a currency that the account does not have is one of cash', () => {
    expect(differences(household, [cash('5', '2024-01-31', 'USD')])).toMatchObject([
      { difference: '5', class: 'cash' },
    ]);
  });

  test('in the price is relative, and only where the ledger has one of about that day', () => {
    expect(differences(household, all('X 100 @ 10.1', '2024-01-12'))).toEqual([]);
    expect(differences(household, all('X 100 @ 10.11', '2024-01-12'))).toMatchObject([{ class: 'price' }]);
    expect(differences(household, all('X 100 @ 20', '2024-01-31'))).toEqual([]);
    expect(differences(household, all('X 100 @ 20', '2024-01-15'))).toMatchObject([{ class: 'price' }]);
    expect(differences(household, all('X 100 @ 20', '2024-01-16'))).toEqual([]);
  });

  test('in the price is one to the latest of price and net asset value', () => {
    const later = `${household}nav X 2024-01-11 20\n`;
    expect(differences(later, all('X 100 @ 20', '2024-01-12'))).toEqual([]);
    const earlier = `${household}nav X 2024-01-09 20\n`;
    expect(differences(earlier, all('X 100 @ 10', '2024-01-12'))).toEqual([]);
  });

  test('in the price of a day after a split is that of the new units', () => {
    const split = `${household}2024-01-12 split A X 2:1\n`;
    expect(differences(split, all('X 200 @ 5', '2024-01-12'))).toEqual([]);
  });
});
