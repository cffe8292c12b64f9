// Checks laws of accrued interest on generated bonds, loans and zero-coupon bonds, to the last digit.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import type { Day } from '../../kit/day.ts';
import { divideRounded, magnitude, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { accretedCost, accruedInterest, accruedLoanInterest, findCouponAmount } from './accrued-interest.ts';
import type { Accrual } from './accrued-interest.ts';
import { findCouponPeriod, type CouponFrequency } from './coupon-schedule.ts';
import { dayCountConventions, type DayCountConvention } from './day-count.ts';

function day(text: string): Day {
  return toDayNumber(parseCalendarDate(text));
}

/** Recomputes the amount from the parts of the accrual. */
function amountOfParts({ parts, index }: Accrual): Fixed {
  const denominator = parts.reduce((product, part) => product * BigInt(part.denominator), 1n);
  const numerator = parts.reduce(
    (sum, part) => sum + (part.nominal * part.rate * BigInt(part.days) * denominator) / BigInt(part.denominator),
    0n,
  );
  const [factor, baseFactor] = [index?.factor ?? 1n, index?.baseFactor ?? 1n];
  return divideRounded(numerator * factor, denominator * oneFixed * baseFactor);
}

const anyConvention = fc.constantFrom(...dayCountConventions);
const anyNominal = fc.bigInt(-(10n ** 27n), 10n ** 27n);
const anyRate = fc.bigInt(-(10n ** 16n), 2n * 10n ** 17n);
const anySchedule = fc
  .record({
    maturity: fc.integer({ min: day('2010-01-01'), max: day('2060-12-31') }),
    frequency: fc.constantFrom<CouponFrequency>(1, 2, 4, 12),
    life: fc.integer({ min: 1, max: 6_000 }),
    first: fc.option(fc.integer({ min: 1, max: 800 }), { nil: undefined }),
    exDividendDays: fc.constantFrom(0, 7, 10),
  })
  .map(({ maturity, frequency, life, first, exDividendDays }) => {
    const datedDate = maturity - life;
    const firstCouponDate = first === undefined ? undefined : datedDate + first;
    return { maturity, frequency, datedDate, firstCouponDate, exDividendDays };
  });
const anyBond = fc.record({ schedule: anySchedule, convention: anyConvention, rate: anyRate });
const heldBond = fc
  .record({ bond: anyBond, share: fc.double({ min: 0, max: 1, noNaN: true }), nominal: anyNominal })
  .map(({ bond, share, nominal }) => {
    const { datedDate, maturity } = bond.schedule;
    return { bond, nominal, day: datedDate + Math.floor(share * (maturity - 1 - datedDate)) };
  });

test('the parts add up to the amount', () => {
  const factor = fc.bigInt(10n ** 17n, 3n * 10n ** 20n);
  fc.assert(
    fc.property(heldBond, fc.option(fc.record({ factor, baseFactor: factor }), { nil: undefined }), (held, index) => {
      const accrual = accruedInterest(held.bond, { ...held, index });
      expect(amountOfParts(accrual)).toBe(accrual.amount);
    }),
    { numRuns: 1_000 },
  );
});

test('on a coupon date and on the dated date the accrued interest is zero', () => {
  fc.assert(
    fc.property(heldBond, ({ bond, nominal, day }) => {
      const { start, end } = findCouponPeriod(bond.schedule, day)!;
      for (const on of [start, end]) expect(accruedInterest(bond, { nominal, day: on }).amount).toBe(0n);
    }),
    { numRuns: 500 },
  );
});

test('two holdings accrue as much as one of their combined size, within one unit in the last place per rounding', () => {
  fc.assert(
    fc.property(heldBond, anyNominal, ({ bond, nominal, day }, other) => {
      const [one, two, both] = [nominal, other, nominal + other].map(
        (each) => accruedInterest(bond, { nominal: each, day }).amount,
      ) as [Fixed, Fixed, Fixed];
      expect(magnitude(one + two - both)).toBeLessThanOrEqual(1n);
    }),
  );
});

test('accrued interest cum and ex dividend differs by the coupon that is lost', () => {
  const additive = fc.constantFrom<DayCountConvention>('ACT/360', 'ACT/365', 'ACT/ACT-ICMA', 'ACT/ACT-ISDA');
  fc.assert(
    fc.property(heldBond, additive, ({ bond, nominal, day }, convention) => {
      const floating = { points: [{ day: 0, value: bond.rate as Fixed }], spread: 0n };
      const cum = { schedule: { ...bond.schedule, exDividendDays: 0 }, convention, rate: floating };
      const { start, end } = findCouponPeriod(cum.schedule, day)!;
      fc.pre(day > start);
      const ex = { ...cum, schedule: { ...cum.schedule, exDividendDays: end - day } };
      const lost = findCouponAmount(cum, { couponDate: end, nominal })!.amount;
      const accruedEx = accruedInterest(ex, { nominal, day });
      expect(accruedEx.state).toBe('ex-dividend');
      expect(magnitude(accruedInterest(cum, { nominal, day }).amount - accruedEx.amount - lost)).toBeLessThanOrEqual(
        1n,
      );
    }),
    { numRuns: 500 },
  );
});

test('a rate or principal step to the same value changes nothing, under any convention', () => {
  const steps = fc.array(fc.integer({ min: -100, max: 900 }), { maxLength: 6 });
  fc.assert(
    fc.property(
      anyConvention,
      anyNominal,
      anyRate,
      steps,
      fc.nat(800),
      (convention, nominal, rate, offsets, length) => {
        const since = day('2023-01-31');
        const days = [since - 200, ...offsets.map((offset) => since + offset).toSorted((a, b) => a - b)];
        const plain = { principal: [{ day: since, value: nominal }], rate, convention, since };
        const stepped = {
          ...plain,
          principal: days.map((each) => ({ day: each, value: nominal })),
          rate: { points: days.map((each) => ({ day: each, value: rate - 1n })), spread: 1n },
        };
        const expected = accruedLoanInterest(plain, since + length).amount;
        expect(accruedLoanInterest(stepped, since + length).amount).toBe(expected);
      },
    ),
    { numRuns: 500 },
  );
});

test('a rate point after the day has no effect', () => {
  fc.assert(
    fc.property(heldBond, fc.integer({ min: 1, max: 400 }), anyRate, ({ bond, nominal, day }, later, next) => {
      const known = { day: bond.schedule.datedDate, value: bond.rate as Fixed };
      const [before, after] = [[known], [known, { day: day + later, value: next }]].map((list) =>
        accruedInterest({ ...bond, rate: { points: list, spread: 0n } }, { nominal, day }),
      );
      expect(after).toEqual(before);
    }),
  );
});

test('a zero-coupon bond rises from cost to par, never falls, and has gained half at half time', () => {
  const dates = fc.tuple(fc.integer({ min: 0, max: 30_000 }), fc.integer({ min: 2, max: 9_000 }), fc.nat(9_000));
  fc.assert(
    fc.property(dates, anyConvention, fc.bigInt(1n, 10n ** 21n), ([acquired, life, elapsed], convention, cost) => {
      const zero = { cost, par: 10n ** 21n, acquired, maturity: acquired + life, convention };
      const on = acquired + (elapsed % life);
      const [now, next] = [accretedCost(zero, on).amount, accretedCost(zero, on + 1).amount];
      expect(now >= cost && next >= now && next <= zero.par).toBe(true);
      const half = accretedCost({ ...zero, maturity: acquired + 2 * life, convention: 'ACT/360' }, acquired + life);
      expect(half.amount).toBe(cost + divideRounded(zero.par - cost, 2n));
    }),
    { numRuns: 500 },
  );
});
