// Checks that what accrues at very many floating rates is exact to the last digit, in whatever order the days are asked for, and that each
// rate is read a few times and not once for each later day.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import { divideRounded, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Point } from '../amounts/series.ts';
import { accruedInterest, accruedLoanInterest, findCouponAmount, type Accrual } from './accrued-interest.ts';
import { dayCountConventions } from './day-count.ts';

const since = toDayNumber(parseCalendarDate('2023-01-31'));
const maturity = toDayNumber(parseCalendarDate('2031-08-31'));

/** Recomputes the amount from the parts of the accrual. */
function amountOfParts({ parts, index }: Accrual): Fixed {
  const denominator = [...new Set(parts.map((part) => BigInt(part.denominator)))].reduce(
    (one, other) => one * other,
    1n,
  );
  const numerator = parts.reduce(
    (sum, part) => sum + (part.nominal * part.rate * BigInt(part.days) * denominator) / BigInt(part.denominator),
    0n,
  );
  const { factor, baseFactor } = index ?? { factor: 1n, baseFactor: 1n };
  return divideRounded(numerator * factor, denominator * oneFixed * baseFactor);
}

const anyRate = fc.bigInt(-(10n ** 16n), 2n * 10n ** 17n);
const anyNominal = fc.oneof(fc.constant(0n), fc.bigInt(-(10n ** 27n), 10n ** 27n));
const pointsFrom = (value: fc.Arbitrary<Fixed>, min: number, maxLength: number): fc.Arbitrary<Point[]> =>
  fc
    .uniqueArray(fc.record({ day: fc.integer({ min: since + min, max: since + 900 }), value }), {
      selector: ({ day }) => day,
      minLength: 1,
      maxLength,
    })
    .map((points) => points.toSorted((one, other) => one.day - other.day));
const anyDays = fc.array(fc.integer({ min: since, max: since + 1_000 }), { minLength: 1, maxLength: 6 });

/** The amount, and whether a later rate was used; and the same from the parts. */
function bothWays(accrual: Accrual): readonly [stated: readonly unknown[], ofParts: readonly unknown[]] {
  const usesLaterRate = accrual.parts.some(({ rateDay, start }) => rateDay! > start);
  return [
    [accrual.amount, accrual.isEstimated],
    [amountOfParts(accrual), usesLaterRate],
  ];
}

test('what a loan accrues at many rates is the sum of its parts, under any convention and on any days', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...dayCountConventions),
      pointsFrom(anyRate, -50, 60),
      pointsFrom(anyNominal, -100, 5),
      anyRate,
      anyDays,
      (convention, points, principal, spread, days) => {
        const schedule = { maturity, frequency: 4 as const };
        const loan = { principal, rate: { points, spread }, convention, since, schedule };
        for (const day of days) {
          const [stated, ofParts] = bothWays(accruedLoanInterest(loan, day));
          expect(stated).toEqual(ofParts);
        }
      },
    ),
    { numRuns: 500 },
  );
});

test('so is what a bond accrues, and what its coupons pay', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...dayCountConventions),
      pointsFrom(anyRate, -50, 60),
      anyNominal,
      fc.constantFrom(0, 10),
      anyDays,
      (convention, points, nominal, exDividendDays, days) => {
        const schedule = { maturity, frequency: 1 as const, datedDate: since, exDividendDays };
        const bond = { schedule, convention, rate: { points, spread: 1n } };
        for (const day of days) {
          const accrued = accruedInterest(bond, { nominal, day });
          const coupon = findCouponAmount(bond, { nominal, couponDate: accrued.period!.end })!;
          for (const [stated, ofParts] of [accrued, coupon].map(bothWays)) expect(stated).toEqual(ofParts);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('one rate serves loans of several schedules, conventions and beginnings', () => {
  const points = Array.from({ length: 500 }, (_, index) => ({ day: since + index, value: BigInt(index) * 10n ** 15n }));
  const rate = { points, spread: 0n };
  const principal = [{ day: since, value: 10n ** 24n }];
  for (const convention of dayCountConventions) {
    for (const begin of [since, since + 1, since + 30]) {
      for (const schedule of [{ maturity }, { maturity, frequency: 12 as const }, { maturity: maturity - 7 }]) {
        const [stated, ofParts] = bothWays(
          accruedLoanInterest({ principal, rate, convention, since: begin, schedule }, since + 450),
        );
        expect(stated).toEqual(ofParts);
      }
    }
  }
});

test('with a rate for each day, valuing all days reads each rate a few times', () => {
  const length = 4_000;
  let reads = 0;
  const points = new Proxy(
    Array.from({ length }, (_, index): Point => ({ day: since + index, value: BigInt(index) * 10n ** 13n })),
    {
      get(all, name) {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads++;
        return Reflect.get(all, name) as unknown;
      },
    },
  );
  const loan = {
    principal: [{ day: since, value: 10n ** 24n }],
    rate: { points, spread: 0n },
    convention: 'ACT/360' as const,
    since,
  };
  let sum = 0n;
  for (let day = since; day < since + length; day++) sum += accruedLoanInterest(loan, day).amount;
  expect(sum).toBeGreaterThan(0n);
  expect(reads).toBeLessThan(length * 100);
});

test.each([
  ['a few rates', [0, 2, 3, 9]],
  ['many rates', [0, 1, 2, 3, 5, 6, 9, 11]],
  ['a first rate that comes late', [4, 5, 6, 7, 8, 9, 11]],
])('each day accrues what is outstanding on it at the latest rate: %s', (_fact, rateDays) => {
  const points = rateDays.map((offset) => ({ day: since + offset, value: BigInt(offset + 1) * 365n * 10n ** 14n }));
  const principal = [0, 1, 4, 10].map((offset) => ({ day: since + offset, value: BigInt(7 + offset) * oneFixed }));
  const latest = (all: readonly Point[], day: number) => (all.findLast((one) => one.day <= day) ?? all[0]!).value;
  const loan = { principal, rate: { points, spread: 0n }, convention: 'ACT/365' as const, since };
  const days = Array.from({ length: 14 }, (_, index) => since + index);
  const ofDay = (day: number): Fixed => (latest(principal, day) * latest(points, day)) / (365n * oneFixed);
  const sumUntil = (end: number): Fixed => days.reduce((sum, day) => (day < end ? sum + ofDay(day) : sum), 0n);
  const known = days.filter((day) => day >= points[0]!.day);
  expect(known.map((day) => accruedLoanInterest(loan, day).amount)).toEqual(known.map(sumUntil));
});
