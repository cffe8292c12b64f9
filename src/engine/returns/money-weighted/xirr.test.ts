// Checks the money-weighted return against published figures, extreme cases and laws over generated flows.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseCalendarDate, toDayNumber } from '../../../kit/calendar-date.ts';
import { parseDecimal } from '../../../kit/decimal.ts';
import { oneFixed, toFixed, toRatio } from '../../../kit/fixed.ts';
import type { DatedFlow } from './net-flows.ts';
import { explainXirr, xirr } from './xirr.ts';

function dated(...flows: readonly (readonly [date: string, amount: number])[]): DatedFlow[] {
  return flows.map(([date, amount]) => ({
    day: toDayNumber(parseCalendarDate(date)),
    amount: toFixed(parseDecimal(String(amount))),
  }));
}

/** Flows by day number. */
function onDays(...flows: readonly (readonly [day: number, amount: number])[]): DatedFlow[] {
  return flows.map(([day, amount]) => ({ day, amount: toFixed(parseDecimal(String(amount))) }));
}

/** One flow per year of 365 days. */
function yearly(...amounts: readonly number[]): DatedFlow[] {
  return onDays(...amounts.map((amount, index) => [index * 365, amount] as const));
}

const mathworks = dated(
  ['2007-01-12', -10000],
  ['2008-02-14', 2500],
  ['2008-03-03', 2000],
  ['2008-06-14', 3000],
  ['2008-12-01', 4000],
);

describe('published figures', () => {
  test.each<[id: string, flows: DatedFlow[], irr: number, tolerance: number, source: string]>([
    [
      'xirr-pp-dividend-tax',
      dated(['2015-12-31', -1000], ['2016-06-01', 150], ['2016-12-31', 1230]),
      0.412128788,
      1e-8,
      'Portfolio Performance',
    ],
    [
      'xirr-pp-long',
      dated(
        ['2002-11-30', -4398],
        ['2007-06-11', 200],
        ['2008-05-11', 270],
        ['2009-05-01', 280],
        ['2010-06-01', 280],
        ['2011-05-02', 300],
        ['2012-04-30', 330],
        ['2012-12-06', 14508],
      ),
      0.1444629967,
      0.0001,
      'Portfolio Performance',
    ],
    ['xirr-mathworks-act365', mathworks, 0.10064378342638, 1e-9, 'MathWorks'],
    [
      'xirr-pp-near-total-loss',
      dated(['2019-05-24', -1560.94], ['2020-01-13', -1160], ['2020-06-29', 42.8]),
      -0.999251643,
      0.0001,
      'Portfolio Performance',
    ],
    [
      'xirr-zeros',
      dated(
        ['2021-12-31', 0],
        ['2022-12-31', 0],
        ['2023-12-31', -100],
        ['2024-12-31', 10],
        ['2025-12-31', 0],
        ['2026-12-31', 10],
        ['2027-12-31', 10],
        ['2028-12-31', 10],
        ['2029-12-31', 200],
        ['2030-12-31', 0],
        ['2033-12-31', 0],
      ),
      0.175680730580782,
      1e-8,
      'pyxirr',
    ],
    ['mwr-cfa-two-year', yearly(-100, -118, 264), 0.1386, 0.00005, 'CFA'],
    ['irr-insead-2', yearly(-12, -10, -4, 40, 0, 15, 5), 0.324, 0.001, 'INSEAD'],
    ['irr-holding-wikipedia, per half', yearly(-100, -50, 300), 0.5, 1e-9, 'Wikipedia'],
  ])('%s', (_id, flows, irr, tolerance) => {
    const { rate } = xirr(flows);
    expect(Math.abs(rate! - irr)).toBeLessThan(tolerance);
  });

  // These sources use a year of other than 365 days: the same root, compounded over that year.
  test.each<[id: string, flows: DatedFlow[], daysPerYear: number, irr: number, tolerance: number]>([
    ['xirr-mathworks-act360', mathworks, 360, 0.0991988898057063, 1e-9],
    ['irr-hledger-4', dated(['2017-01-01', -100], ['2017-06-01', -100], ['2018-01-01', 220]), 365.25, 0.1273, 0.00005],
    ['irr-hledger-5', dated(['2017-01-01', -100], ['2017-06-01', -100], ['2018-01-01', 20]), 365.25, -0.9574, 0.00005],
    [
      'irr-hledger-6-total',
      dated(['2017-01-01', -100], ['2017-07-01', -100], ['2017-10-01', 50], ['2018-01-01', 155]),
      365.25,
      0.0364,
      0.00005,
    ],
    ['irr-holding-wikipedia, both halves', yearly(-100, -50, 300), 730, 1.25, 1e-9],
  ])('%s, with its own length of a year', (_id, flows, daysPerYear, irr, tolerance) => {
    const { growthPerDay } = xirr(flows);
    expect(Math.abs(Math.expm1(growthPerDay! * daysPerYear) - irr)).toBeLessThan(tolerance);
  });
});

describe('extremes', () => {
  // One flow out and one back: rate = (back / out) ^ (365 / days) − 1.
  test.each<[fact: string, flows: DatedFlow[], rate: number]>([
    ['money that comes back unchanged earned nothing', onDays([0, -100], [365, 100]), 0],
    ['a loss of all but a hundredth of a percent', onDays([0, -1_000_000], [365, 100]), -0.9999],
    ['a loss of all but a millionth over thirty years', onDays([0, -1_000_000], [10_950, 1]), 1e-6 ** (1 / 30) - 1],
    ['a millionfold gain over thirty years', onDays([0, -1], [10_950, 1_000_000]), 1e6 ** (1 / 30) - 1],
    ['the highest rate of the range', onDays([0, -1], [365, 10_001]), 10_000],
    ['a hundredth of a percent in a day', onDays([0, -100], [1, 100.01]), 1.0001 ** 365 - 1],
    ['a loan: received first, paid back later', onDays([0, 100], [365, -107]), 0.07],
    ['a cent next to an amount of twenty digits', onDays([0, -1e19], [1, 0.01], [365, 1.05e19]), 0.05],
    ['two hundred years', onDays([0, -1], [73_000, 50]), 50 ** (1 / 200) - 1],
  ])('%s', (_fact, flows, rate) => {
    const result = xirr(flows);
    expect(result.reason).toBeNull();
    expect(Math.abs(result.rate! - rate)).toBeLessThanOrEqual(1e-13 * Math.max(1, Math.abs(rate)));
  });

  test.each<[fact: string, flows: DatedFlow[]]>([
    ['a loss of more than 99.99 % in a year', onDays([0, -1_000_000], [365, 99])],
    ['a gain of more than 1,000,000 % in a year', onDays([0, -1], [365, 10_002])],
    ['a loss of half in a day', onDays([0, -100], [1, 50])],
    ['a doubling in a day', onDays([0, -100], [1, 200])],
    ['a rate that no double holds', onDays([0, -1], [1, 1000])],
    ['two gains of more than 1,000,000 % in a year', yearly(-1, 300_000, -20_000_000_000)],
  ])('there is no rate if all lie outside the range: %s', (_fact, flows) => {
    const none = { rate: null, growthPerDay: null };
    expect(xirr(flows)).toEqual({ ...none, reason: 'out-of-range', roots: [], hasRootsOutside: true });
  });

  // The expected rates come from bisection with fifty digits.
  test.each<[fact: string, flows: DatedFlow[], rate: number]>([
    [
      'a correction ten days after the end, beside a loss of all but 10^-80',
      onDays([0, -100_000], [365, 50_000], [730, 80_000], [740, -500]),
      0.17602492499133024,
    ],
    [
      'a refund on the second day, beside a gain of 10^22',
      onDays([0, 1], [1, -1_000], [366, 1_100]),
      0.10110139197308896,
    ],
    ['a rate of 1,000,100 %', yearly(-1, 10_003.1, -11_002.2), 0.1],
    ['a loss of 99.9901 %', yearly(-1, 1.100099, -0.0001089), 0.1],
  ])('a rate outside the range is noted and not in the way: %s', (_fact, flows, rate) => {
    const found = xirr(flows);
    expect(found).toMatchObject({ reason: null, hasRootsOutside: true });
    expect(found.rate).toBeCloseTo(rate, 12);
  });

  test.each<[fact: string, flows: DatedFlow[], reason: string]>([
    ['there are no flows', [], 'no-sign-change'],
    ['all flows are zero', onDays([1, 0], [9, 0]), 'no-sign-change'],
    ['nothing came back', onDays([0, -100], [90, -50], [365, 0]), 'no-sign-change'],
    ['nothing was paid in', onDays([0, 100], [90, 50]), 'no-sign-change'],
    ['all flows are on one day', onDays([5, -100], [5, 110]), 'no-sign-change'],
    ['the flows of each day add up to zero', onDays([5, -100], [5, 100], [6, 20], [6, -20]), 'no-sign-change'],
    ['10 % and 20 % both solve', yearly(-100, 230, -132), 'several-roots'],
    ['0 %, 10 % and 20 % all solve', yearly(-100, 330, -362, 132), 'several-roots'],
    ['10 % is a double root', yearly(-100, 220, -121), 'several-roots'],
    ['10 % is a triple root', yearly(-1000, 3300, -3630, 1331), 'several-roots'],
    ['the present value is below zero at every rate', yearly(-100, 150, -100), 'no-root'],
    ['10 % and the highest rate of the range both solve', yearly(-1, 10_002.1, -11_001.1), 'several-roots'],
    ['10 % and the lowest rate of the range both solve', yearly(-1, 1.1001, -0.00011), 'several-roots'],
    ['the highest rate of the range is a double root', yearly(-1, 20_002, -100_020_001), 'several-roots'],
  ])('there is no rate if %s', (_fact, flows, reason) => {
    expect(xirr(flows)).toMatchObject({ rate: null, growthPerDay: null, reason, hasRootsOutside: false });
  });

  test.each<[fact: string, flows: DatedFlow[], rates: number[]]>([
    ['10 % and 20 %', yearly(-100, 230, -132), [0.1, 0.2]],
    ['0 %, 10 % and 20 %', yearly(-100, 330, -362, 132), [0, 0.1, 0.2]],
    ['−50 % and +1,900 %', yearly(-100, 2_050, -1_000), [-0.5, 19]],
    ['a double root, once', yearly(-100, 220, -121), [0.1]],
    ['a double root of zero, once', yearly(-100, 200, -100), [0]],
    ['a double root beside a simple one', yearly(-100, 320, -341, 121), [0, 0.1]],
    ['the highest rate of the range', yearly(-1, 10_002.1, -11_001.1), [0.1, 10_000]],
    ['the lowest rate of the range', yearly(-1, 1.1001, -0.00011), [-0.9999, 0.1]],
  ])('several rates are named: %s', (_fact, flows, rates) => {
    const { roots } = xirr(flows);
    expect(roots).toHaveLength(rates.length);
    rates.forEach((rate, index) => {
      expect(Math.abs(roots[index]!.rate - rate)).toBeLessThan(1e-9 * Math.max(1, rate));
    });
  });

  test('a triple root is named once, as exactly as rounding lets it be located', () => {
    const { roots } = xirr(yearly(-1000, 3300, -3630, 1331));
    expect(roots).toHaveLength(1);
    expect(roots[0]!.rate).toBeCloseTo(0.1, 4);
  });

  test.each([yearly(-100, 110), yearly(-100, 150, -100), yearly(-1, 300_000, -20_000_000_000)])(
    'no rates are named unless several within the range solve (%#)',
    (...flows) => {
      expect(xirr(flows).roots).toEqual([]);
    },
  );

  // The expected rates come from bisection with fifty digits.
  test.each<[fact: string, flows: DatedFlow[], rate: number]>([
    ['three sign changes', yearly(-100, 60, -20, 80), 0.08993119218302688],
    ['an account overdrawn in between', yearly(-100, 250, -150, 40), 0.7853049243755309],
    ['everything withdrawn and paid in again', onDays([0, -100], [100, 100], [200, -100], [300, 100]), 0],
    ['a rate of exactly zero between sums that turn twice', yearly(-100, 200, -200, 100), 0],
  ])('there is one rate for %s', (_fact, flows, rate) => {
    expect(xirr(flows).rate).toBeCloseTo(rate, 12);
  });
});

test.each<[flows: DatedFlow[], rate: number]>([
  [yearly(-100, 110), 0.10000000000000009],
  [yearly(-100, -118, 264), 0.13861216008681354],
  [mathworks, 0.10064378342663992],
])('the bits of a rate are the same on every machine (%#)', (flows, rate) => {
  expect(xirr(flows).rate).toBe(rate);
});

/** Paid in day by day, and back on the day after the last. */
function paidDaily(days: number, back: bigint): DatedFlow[] {
  return [...Array.from({ length: days }, (_, day) => ({ day, amount: -1n })), { day: days, amount: back }];
}

test.each<[fact: string, flows: DatedFlow[]]>([
  ['one that comes back', [-1n, 1n].map((amount, year) => ({ day: year * 365, amount }))],
  ['one that is received first', [1n, -1n].map((amount, year) => ({ day: year * 365, amount }))],
  ['a few that grow', [-2n, -1n, 4n].map((amount, index) => ({ day: index * 200, amount }))],
  ['a few that shrink', [-2n, -1n, 2n].map((amount, index) => ({ day: index * 200, amount }))],
  ['hundreds that grow', paidDaily(300, 330n)],
  ['hundreds that shrink', paidDaily(300, 270n)],
  ['a thousand that grow', paidDaily(1_000, 1_400n)],
])('flows of the smallest units have the rate of the same flows in whole units: %s', (_fact, flows) => {
  const { rate, reason } = xirr(flows);
  expect(reason).toBeNull();
  const balance = flows.reduce((sum, { day, amount }) => sum + Number(amount) * (1 + rate!) ** (-day / 365), 0);
  expect(Math.abs(balance)).toBeLessThan(1e-12 * flows.length);
  expect(xirr(flows.map(({ day, amount }) => ({ day, amount: amount * oneFixed }))).rate).toBeCloseTo(rate!, 13);
  const { terms } = explainXirr(flows);
  const values = terms.map((term) => ('factor' in term ? Number(term.amount) * term.factor : NaN));
  expect(Math.abs(values.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-12 * flows.length);
});

describe('laws', () => {
  const amount = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((cents) => BigInt(cents) * 10n ** 16n);
  const flow = fc.record({ day: fc.integer({ min: 0, max: 12_000 }), amount });
  const flows = fc.array(flow, { minLength: 2, maxLength: 60 });
  /** An account with deposits, occasional withdrawals and a value at the end. */
  const account = fc
    .tuple(flows, fc.integer({ min: 1, max: 100_000_000 }))
    .map(([moved, value]) => [
      ...moved.map(({ day, amount }, index) => ({ day, amount: index % 4 === 0 || amount < 0n ? amount : -amount })),
      { day: 12_001, amount: BigInt(value) * 10n ** 16n },
    ]);

  test('discounted at the rate, the money paid back equals the money paid in', () => {
    fc.assert(
      fc.property(fc.oneof(flows, account), (moved) => {
        const { rate } = xirr(moved);
        fc.pre(rate !== null && rate > -0.999999 && rate < 1e6);
        const valueAt = (yearlyRate: number) =>
          moved.reduce((sum, { day, amount }) => sum + toRatio(amount) * (1 + yearlyRate) ** (-day / 365), 0);
        const [below, above] = [valueAt(rate - 1e-7 * (1 + rate)), valueAt(rate + 1e-7 * (1 + rate))];
        expect(below * above).toBeLessThan(0);
      }),
      { numRuns: 500 },
    );
  });

  test('at each of several rates, which ascend, the money paid back equals the money paid in', () => {
    const percents = fc.uniqueArray(fc.integer({ min: -60, max: 300 }), { minLength: 2, maxLength: 4 });
    const steps = fc.constantFrom(180, 365, 730);
    fc.assert(
      fc.property(percents, steps, fc.array(flow, { maxLength: 3 }), (values, step, others) => {
        const product = values.reduce(
          (powers, percent) =>
            [...powers, 0n].map((amount, index) => 100n * amount - BigInt(100 + percent) * (powers[index - 1] ?? 0n)),
          [-oneFixed],
        );
        const moved = [...product.map((amount, index) => ({ day: index * step, amount })), ...others];
        const { roots, rootChecks } = { ...xirr(moved), ...explainXirr(moved) };
        expect(rootChecks.map(({ growthPerDay }) => growthPerDay)).toEqual(roots.map((one) => one.growthPerDay));
        const rates = roots.map(({ rate }) => rate);
        expect(rates).toEqual([...new Set(rates)].toSorted((one, other) => one - other));
        for (const { terms } of rootChecks) {
          const present = terms.map((term) => toRatio(term.amount) * term.factor);
          const turnover = present.reduce((sum, value) => sum + Math.abs(value), 0);
          expect(Math.abs(present.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-11 * turnover);
        }
      }),
    );
  });

  test('the order of flows, their parts and the first day do not change the rate, to the last bit', () => {
    fc.assert(
      fc.property(account, fc.integer({ min: -9_000, max: 9_000 }), (moved, shift) => {
        const result = xirr(moved);
        const halves = moved.flatMap(({ day, amount }) => [
          { day, amount: amount / 3n },
          { day, amount: amount - amount / 3n },
        ]);
        expect(xirr(moved.toReversed())).toEqual(result);
        expect(xirr(halves)).toEqual(result);
        expect(xirr(moved.map(({ day, amount }) => ({ day: day + shift, amount })))).toEqual(result);
      }),
    );
  });

  test('the scale and the sign of all flows do not change the rate', () => {
    fc.assert(
      fc.property(flows, fc.bigInt({ min: 1n, max: 10n ** 9n }), (moved, scale) => {
        const result = xirr(moved);
        for (const factor of [scale, -scale]) {
          const scaled = xirr(moved.map(({ day, amount }) => ({ day, amount: amount * factor })));
          expect(scaled.reason).toBe(result.reason);
          expect(scaled.growthPerDay ?? 0).toBeCloseTo(result.growthPerDay ?? 0, 12);
        }
      }),
    );
  });

  test('the terms of an explained rate add up to zero, and each is an exact net flow times its factor', () => {
    fc.assert(
      fc.property(account, (moved) => {
        const { result, referenceDay, terms } = explainXirr(moved);
        expect(result).toEqual(xirr(moved));
        expect(terms.reduce((sum, { amount }) => sum + amount, 0n)).toBe(
          moved.reduce((sum, { amount }) => sum + amount, 0n),
        );
        fc.pre(result.rate !== null);
        const values = terms.map((term) => ('factor' in term ? toRatio(term.amount) * term.factor : NaN));
        const turnover = values.reduce((sum, value) => sum + Math.abs(value), 0);
        expect(Math.abs(values.reduce((sum, value) => sum + value, 0))).toBeLessThan(1e-10 * turnover);
        const [{ day, factor }] = [terms[0] as { day: number; factor: number }];
        expect(factor).toBeCloseTo(Math.exp((result.growthPerDay ?? NaN) * (referenceDay! - day)), 9);
      }),
    );
  });

  test.each([
    ['the first of its days for a gain', 101, 0],
    ['the first of its days where nothing was earned', 100, 0],
    ['the last of its days for a loss', 99, 365],
  ])('an explained rate refers to %s', (_what, paidBack, day) => {
    expect(explainXirr(onDays([0, -100], [365, paidBack])).referenceDay).toBe(day);
  });

  test('without a rate, only the net flows are listed', () => {
    const explained = explainXirr(onDays([3, -5], [1, -7], [3, 5]));
    expect(explained).toEqual({ result: xirr([]), rootChecks: [], referenceDay: null, terms: onDays([1, -7]) });
  });
});

describe('ten thousand flows', () => {
  const count = 10_000;
  const days = Int32Array.from({ length: count }, (_, index) => Math.floor(index * 1.095));
  // Deposits of 1 to 997, every third flow a withdrawal of half of such a sum, and the balance doubled at the end.
  const moved = Float64Array.from({ length: count }, (_, index) => {
    const size = 1 + ((index * 7_919) % 997);
    return index % 3 === 2 ? size / 2 : -size;
  });
  moved[count - 1] = -2 * moved.subarray(0, count - 1).reduce((sum, value) => sum + value, 0);

  const exact = Array.from(days, (day, index) => ({ day, amount: BigInt(2 * moved[index]!) * (oneFixed / 2n) }));

  test('are explained by their factors', () => {
    const { result, referenceDay, terms } = explainXirr(exact);
    const off = terms.map((term) => {
      const factor = Math.exp((result.growthPerDay ?? NaN) * (referenceDay! - term.day));
      return Math.abs('factor' in term ? term.factor / factor - 1 : NaN);
    });
    expect(Math.max(...off)).toBeLessThan(1e-12);
  });

  test('are solved to the last digits', () => {
    const { rate } = xirr(exact);
    const valueAt = (yearlyRate: number) =>
      moved.reduce((sum, value, index) => sum + value * (1 + yearlyRate) ** (-days[index]! / 365), 0);
    expect(valueAt(rate! - 1e-12) * valueAt(rate! + 1e-12)).toBeLessThan(0);
  });
});
