// Checks accrued interest that is stated against the terms of bonds, with figures worked out by hand: which days count, how exactly, and what
// two readings there are around a coupon.

import { describe, expect, test } from 'vitest';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import { fromFixed } from '../../kit/fixed.ts';
import { historyOfText } from '../../../tests/setup/ledger-text/ledger-text.ts';
import { findings } from '../history/findings.ts';

/** `2024-07-31 188.89`: the day to which the terms were asked, and what they give; undefined if they agree. */
function found(text: string): string | undefined {
  const history = historyOfText(`Accrued interest\nclient EUR FIFO\naccount A EUR, depositories D\n${text}\n`);
  const [one, ...others] = findings(history, { day: 30_000, covers: () => true }).filter(
    ({ kind }) => kind === 'accrued-interest-differs',
  );
  expect(others).toEqual([]);
  return one?.kind === 'accrued-interest-differs'
    ? `${fromDayNumber(one.accruedTo)} ${fromFixed(one.expected.amount)}`
    : undefined;
}

const uploaded = (terms: string, stated: string, date = '2024-07-31', nominal = '10000'): string | undefined =>
  found(`instrument B bond EUR, ${terms}\nupload ${date} D B ${nominal} worth 9800 accrued ${stated}`);

// From the day before to three days after: 30/360 counts 135 days to 30 July and 138 to 3 August, 31 July and 1 August both 136.
const thirty = 'rate 5%, count 30/360-BOND, maturity 2030-03-15';
// One a day: 137 to 141.
const actual = 'rate 3.65%, count ACT/365, maturity 2030-03-15';
// 184 of a half-year of 184 days: one a day, where days ÷ 365 would give 139.13.
const icma = 'rate 3.68%, count ACT/ACT-ICMA, frequency 2, maturity 2030-03-15';

describe('an upload', () => {
  test.each([
    [thirty, '186.56', '186.57', '192.62', '192.63', '188.888888888888888889'],
    [actual, '136.31', '136.315', '141.705', '141.71', '138'],
    [icma, '136.31', '136.315', '141.705', '141.71', '138'],
  ])('may be half a per cent off on a day between the one before and the third after: %s', (...row) => {
    const [terms, tooLittle, least, most, tooMuch, expected] = row;
    const finding = `2024-07-31 ${expected}`;
    expect([tooLittle, least, most, tooMuch].map((stated) => uploaded(terms, stated))).toEqual([
      finding,
      undefined,
      undefined,
      finding,
    ]);
  });

  // To 16 to 20 March 1 to 5 are due on 10,000; half a per cent of it is less than a coin per 1,000.
  test.each([
    ['10000', ['0.89', '0.9', '5.1', '5.11'], '2'],
    // 1.1 to 5.5 on eleven coins.
    ['10001', ['0.89', '0.9', '5.11', '5.12'], '2.0002'],
    ['-10000', ['-5.11', '-5.1', '-0.9', '-0.89'], '-2'],
  ])('of %s nominal may be a coin off for each 1,000 that were begun', (nominal, stated, expected) => {
    const results = stated.map((one) => uploaded(actual, one, '2024-03-17', nominal));
    const finding = `2024-03-17 ${expected}`;
    expect(results).toEqual([finding, undefined, undefined, finding]);
  });

  test('in a currency without coins may be a unit off for each 1,000', () => {
    const yen = (stated: string) =>
      found(
        `rate EUR/JPY 2024-01-01 160\ninstrument B bond JPY, ${actual}\nupload 2024-03-17 D B 10000 worth 9800 accrued ${stated}`,
      );
    expect(['-9', '-9.01', '15', '15.01'].map(yen)).toEqual([undefined, '2024-03-17 2', undefined, '2024-03-17 2']);
  });

  // The coupon is 365; 29 February makes it 366 days after the one before.
  test.each([
    ['2024-03-11', '367', '2024-03-11 362'],
    ['2024-03-12', '366.5', undefined],
    ['2024-03-15', '0.9', undefined],
    ['2024-03-15', '365', undefined],
    ['2024-03-15', '369.8', undefined],
    ['2024-03-15', '371', '2024-03-15 0'],
    ['2024-03-15', '180', '2024-03-15 0'],
    ['2024-03-19', '369', undefined],
    ['2024-03-19', '365', undefined],
    ['2024-03-20', '370', '2024-03-20 5'],
    ['2024-03-20', '5', undefined],
  ])('on %s may state %s with or without the coupon of 15 March: %s', (date, stated, expected) => {
    expect(uploaded('rate 3.65%, count ACT/365, maturity 2029-03-15', stated, date)).toBe(expected);
  });

  test('after maturity states nothing but the last coupon, for a few days', () => {
    const ended = 'rate 3.65%, count ACT/ACT-ICMA, maturity 2024-03-15';
    expect(['2024-03-18', '2024-03-19', '2024-03-20'].map((date) => uploaded(ended, '365', date))).toEqual([
      undefined,
      undefined,
      '2024-03-20 0',
    ]);
  });

  test('inside the ex-dividend window states what is missing up to the coupon, not what the former holder gets', () => {
    const ex = 'rate 3.65%, count ACT/365, maturity 2030-03-15, ex-dividend 14';
    const on = (stated: string) => uploaded(ex, stated, '2024-03-06');
    expect(['-9', '357'].map(on)).toEqual([undefined, '2024-03-06 -9']);
  });

  // 2 August 2024 is a Friday: a trade of that day settles on Tuesday the 6th, 144 days after the coupon.
  test('of a Friday may state the interest up to the Tuesday on which a trade would settle', () => {
    const on = (date: string, stated: string) => uploaded(actual, stated, date);
    expect(on('2024-08-02', '144')).toBeUndefined();
    expect(on('2024-07-31', '143')).toBe('2024-07-31 138');
  });

  test('of 0 is not stated', () => {
    expect(uploaded(actual, '0')).toBeUndefined();
  });

  test('at an assumed rate, or before one is known, is not compared', () => {
    const floating = (points: string) =>
      found(
        `instrument B bond EUR, floating R, count ACT/360, maturity 2030-03-15\n${points}upload 2024-07-31 D B 10000 worth 9800 accrued 99`,
      );
    expect(['', 'interest R 2024-04-01 3%\n', 'interest R 2024-03-15 3%\n'].map(floating)).toEqual([
      undefined,
      undefined,
      '2024-07-31 115',
    ]);
  });
});

describe('a trade', () => {
  const traded = (clauses: string, units = '10000'): string | undefined =>
    found(
      `instrument B bond EUR, ${actual}\n2024-06-01 deposit A 100000\n2024-06-20 ${units.startsWith('-') ? 'sell' : 'buy'} A B ${units.replace('-', '')} @ 100 ${clauses}`,
    );

  // 102 days to 25 June: a day more or less, and half a per cent or a ten-thousandth of the nominal.
  test.each([
    ['99.99', '2024-06-25 102'],
    ['100', undefined],
    ['104', undefined],
    ['104.01', '2024-06-25 102'],
  ])('that settles on 25 June with %s of interest: %s', (stated, expected) => {
    expect(traded(`accrued ${stated} settles 2024-06-25`)).toBe(expected);
    expect(traded(`accrued ${stated} settles 2024-06-25`, '-10000')).toBe(expected);
  });

  // 96 days to the day before, 102 to five days later.
  test.each([
    ['94.99', '2024-06-20 97'],
    ['95', undefined],
    ['103', undefined],
    ['103.01', '2024-06-20 97'],
  ])('without a settlement date with %s of interest: %s', (stated, expected) => {
    expect(traded(`accrued ${stated}`)).toBe(expected);
  });

  test('does not carry the coupon that has just been paid', () => {
    const bought = `instrument B bond EUR, ${actual}\n2024-03-01 deposit A 20000\n2024-03-13 buy A B 10000 @ 100`;
    expect(found(`${bought} accrued 366 settles 2024-03-18`)).toBe('2024-03-18 3');
  });
});
