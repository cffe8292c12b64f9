// Checks day counts and year fractions against figures published by ISDA, QuantLib and others, and against laws.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import { addMonths, civilFromDay, dayFromCivil, isLeapYear, type Day } from '../../kit/day.ts';
import { conventionDayCount, dayCountConventions, findDayCountConvention, partialFractionTerms } from './day-count.ts';
import { sumRationals, yearFraction, type DayCountConvention, type DaySpan, type YearBasis } from './day-count.ts';

function day(text: string): Day {
  return toDayNumber(parseCalendarDate(text));
}

function span(start: string, end: string): DaySpan {
  return { start: day(start), end: day(end) };
}

function named(name: string): DayCountConvention {
  const convention = findDayCountConvention(name);
  if (!convention) throw new Error(`${name} is not a day count convention`);
  return convention;
}

describe('names', () => {
  test.each<[string, DayCountConvention | undefined]>([
    ...dayCountConventions.map((convention) => [convention, convention] as [string, DayCountConvention]),
    ['30/360', '30/360-BOND'],
    ['30/360 bond basis', '30/360-BOND'],
    ['Bond Basis', '30/360-BOND'],
    ['30/360 (us)', '30/360-US'],
    ['30e/360', '30E/360'],
    ['Eurobond basis', '30E/360'],
    ['actual/actual', 'ACT/ACT-ICMA'],
    ['Act/Act', 'ACT/ACT-ICMA'],
    ['act/act ISMA', 'ACT/ACT-ICMA'],
    ['act/act ICMA', 'ACT/ACT-ICMA'],
    ['Actual/Actual (ISDA)', 'ACT/ACT-ISDA'],
    ['ACTUAL/360', 'ACT/360'],
    ['act/365F', 'ACT/365'],
    ['ACT/365 Fixed', 'ACT/365'],
    ['30E/360 (ISDA)', '30E/360-ISDA'],
    ['30E+/360', undefined],
    ['ACT/365L', undefined],
    ['ACT/365.25', undefined],
    ['ACT/ACT-AFB', undefined],
    ['BUS/252', undefined],
    ['constructor', undefined],
    ['', undefined],
  ])('%s means %s', (name, convention) => {
    expect(findDayCountConvention(name)).toBe(convention);
  });
});

describe('days of 30/360', () => {
  // id, convention as published, start, end, days: ISDA's examples of 2008, as QuantLib prints them.
  test.each([
    ['dc-30E360-2008-02-29-2009-02-28', '30E/360', '2008-02-29', '2009-02-28', 359],
    ['dc-30E360-2006-01-31-2006-02-28', '30E/360', '2006-01-31', '2006-02-28', 28],
    ['dc-30360-bond-basis-2008-02-28-2008-03-31', '30/360 bond basis', '2008-02-28', '2008-03-31', 33],
    ['dc-30360-US-2008-02-28-2008-08-31', '30/360 US', '2008-02-28', '2008-08-31', 183],
    ['dc-30360-bond-basis-2008-02-29-2008-08-31', '30/360 bond basis', '2008-02-29', '2008-08-31', 182],
    ['dc-30E360-2008-02-29-2008-08-31', '30E/360', '2008-02-29', '2008-08-31', 181],
    ['dc-30360-US-2008-02-29-2009-02-28', '30/360 US', '2008-02-29', '2009-02-28', 360],
    ['dc-30360-US-2007-02-28-2007-08-31', '30/360 US', '2007-02-28', '2007-08-31', 180],
    ['dc-30360-bond-basis-2008-02-29-2009-02-28', '30/360 bond basis', '2008-02-29', '2009-02-28', 359],
    ['dc-30360-US-2006-02-28-2006-03-03', '30/360 US', '2006-02-28', '2006-03-03', 3],
    ['dc-30360-bond-basis-2006-02-14-2006-02-28', '30/360 bond basis', '2006-02-14', '2006-02-28', 14],
    ['dc-30360-bond-basis-2006-01-31-2006-02-28', '30/360 bond basis', '2006-01-31', '2006-02-28', 28],
    ['dc-30360-bond-basis-2007-02-26-2008-02-29', '30/360 bond basis', '2007-02-26', '2008-02-29', 363],
    ['dc-30E360-2011-08-31-2012-02-29', '30E/360', '2011-08-31', '2012-02-29', 179],
    ['dc-30360-bond-basis-2006-02-28-2006-03-03', '30/360 bond basis', '2006-02-28', '2006-03-03', 5],
    ['dc-30E360-2006-08-31-2007-02-28', '30E/360', '2006-08-31', '2007-02-28', 178],
    ['dc-30360-bond-basis-2008-02-28-2008-08-31', '30/360 bond basis', '2008-02-28', '2008-08-31', 183],
    ['dc-30360-bond-basis-2006-08-31-2007-02-28', '30/360 bond basis', '2006-08-31', '2007-02-28', 178],
    ['dc-30360-bond-basis-2007-08-31-2008-02-29', '30/360 bond basis', '2007-08-31', '2008-02-29', 179],
    ['dc-30360-bond-basis-2006-01-30-2006-02-28', '30/360 bond basis', '2006-01-30', '2006-02-28', 28],
  ])('%s', (_id, name, start, end, days) => {
    expect(conventionDayCount(span(start, end), basisOf(named(name)))).toBe(days);
  });

  // The rest of the same tables, the three conventions side by side: US, BOND, 30E.
  test.each([
    ['2006-08-20', '2007-02-20', 180, 180, 180],
    ['2007-02-28', '2007-08-31', 180, 183, 182],
    ['2008-02-29', '2008-08-31', 180, 182, 181],
    ['2008-08-31', '2009-02-28', 178, 178, 178],
    ['2006-01-31', '2006-02-28', 28, 28, 28],
    ['2006-09-30', '2006-10-31', 30, 30, 30],
    ['2006-10-31', '2006-11-28', 28, 28, 28],
    ['2007-08-31', '2008-02-28', 178, 178, 178],
    ['2008-02-28', '2008-08-28', 180, 180, 180],
    ['2008-02-28', '2008-08-30', 182, 182, 182],
    ['2008-02-28', '2008-08-31', 183, 183, 182],
    ['2007-02-26', '2008-02-28', 362, 362, 362],
    ['2008-02-29', '2009-02-28', 360, 359, 359],
    ['2008-02-28', '2008-03-30', 32, 32, 32],
    ['2008-02-28', '2008-03-31', 33, 33, 32],
  ])('%s to %s: US %d, bond basis %d, Eurobond %d', (start, end, ...expected) => {
    const counted = (['30/360-US', '30/360-BOND', '30E/360'] as const).map((name) =>
      conventionDayCount(span(start, end), { convention: name }),
    );
    expect(counted).toEqual(expected);
  });

  // The same tables for 30E/360-ISDA, each with its termination date.
  test.each([
    ['2006-08-20', '2007-02-20', '2009-08-20', 180],
    ['2006-02-28', '2006-08-31', '2009-02-28', 180],
    ['2006-08-31', '2007-02-28', '2009-02-28', 180],
    ['2007-02-28', '2007-08-31', '2009-02-28', 180],
    ['2007-08-31', '2008-02-29', '2009-02-28', 180],
    ['2008-02-29', '2008-08-31', '2009-02-28', 180],
    ['2008-08-31', '2009-02-28', '2009-02-28', 178],
    ['2006-01-31', '2006-02-28', '2008-02-29', 30],
    ['2006-01-30', '2006-02-28', '2008-02-29', 30],
    ['2006-02-28', '2006-03-03', '2008-02-29', 3],
    ['2006-02-14', '2006-02-28', '2008-02-29', 16],
    ['2006-09-30', '2006-10-31', '2008-02-29', 30],
    ['2006-10-31', '2006-11-28', '2008-02-29', 28],
    ['2007-08-31', '2008-02-28', '2008-02-29', 178],
    ['2008-02-28', '2008-08-28', '2008-02-29', 180],
    ['2008-02-28', '2008-08-30', '2008-02-29', 182],
    ['2008-02-28', '2008-08-31', '2008-02-29', 182],
    ['2007-02-26', '2008-02-28', '2008-02-29', 362],
    ['2007-02-26', '2008-02-29', '2008-02-29', 363],
    ['2008-02-29', '2009-02-28', '2008-02-29', 360],
    ['2008-02-28', '2008-03-30', '2008-02-29', 32],
    ['2008-02-28', '2008-03-31', '2008-02-29', 32],
  ])('%s to %s with maturity on %s: %d by 30E/360-ISDA', (start, end, maturity, days) => {
    expect(conventionDayCount(span(start, end), { convention: '30E/360-ISDA', maturity: day(maturity) })).toBe(days);
  });

  test('a span that ends before it starts is refused', () => {
    expect(() => conventionDayCount(span('2026-01-02', '2026-01-01'), { convention: 'ACT/360' })).toThrow(RangeError);
  });
});

/** A basis whose ICMA periods are years or parts of years from 1990 on. */
function basisOf(convention: DayCountConvention, frequency: 1 | 2 | 4 | 12 = 2): YearBasis {
  if (convention === '30E/360-ISDA') return { convention, maturity: day('2012-02-29') };
  if (convention !== 'ACT/ACT-ICMA') return { convention };
  const bounds = Array.from({ length: 40 * frequency }, (_, count) =>
    addMonths(day('1990-01-15'), (count * 12) / frequency),
  );
  return { convention, frequency, periods: bounds.slice(1).map((end, index) => ({ start: bounds[index]!, end })) };
}

function toNumber({ numerator, denominator }: { numerator: bigint; denominator: bigint }): number {
  return Number(numerator) / Number(denominator);
}

describe('year fractions', () => {
  // id, convention as published, start, end, fraction, tolerance: ISDA's EMU memo as QuantLib prints it; pyxirr for 365.
  test.each([
    ['yf-actactisda-2003-07-15', 'act/act ISDA', '2003-07-15', '2004-01-15', 0.504004790778, 1e-10],
    ['yf-actactisda-1999-07-01', 'act/act ISDA', '1999-07-01', '2000-07-01', 1.0013773486, 1e-10],
    ['yf-actactisda-2000-01-30', 'act/act ISDA', '2000-01-30', '2000-06-30', 0.415300546448, 1e-10],
    ['yf-actactisda-1999-02-01', 'act/act ISDA', '1999-02-01', '1999-07-01', 0.41095890411, 1e-10],
    ['yf-actactisda-2003-11-01', 'act/act ISDA', '2003-11-01', '2004-05-01', 0.497724380567, 1e-10],
    ['QuantLib, long first', 'act/act ISDA', '2002-08-15', '2003-07-15', 0.915068493151, 1e-10],
    ['QuantLib, penultimate', 'act/act ISDA', '1999-07-30', '2000-01-30', 0.503892506924, 1e-10],
    ['yf-act365F-2007-12-28', 'act/365F', '2007-12-28', '2008-02-28', 0.16986301369863013, 1e-12],
  ])('%s', (_id, name, start, end, fraction, tolerance) => {
    const calculated = toNumber(yearFraction(span(start, end), basisOf(named(name))));
    expect(Math.abs(calculated - fraction)).toBeLessThan(tolerance);
  });

  test.each([
    ['2024-12-30', '2025-01-03', 2, 2],
    ['2024-12-31', '2025-01-01', 1, 0],
    ['2025-01-01', '2025-01-02', 0, 1],
    ['2023-12-31', '2024-01-02', 1, 1],
    ['2023-12-31', '2025-01-02', 366, 2],
  ])('from %s to %s by ACT/ACT-ISDA there are %d days of leap years, and %d others', (start, end, leap, others) => {
    const { terms } = yearFraction(span(start, end), { convention: 'ACT/ACT-ISDA' });
    expect(terms).toEqual(
      [
        { days: others, denominator: 365 },
        { days: leap, denominator: 366 },
      ].filter(({ days }) => days > 0),
    );
  });

  // id, start, end, coupon periods, frequency, fraction: QuantLib, from the EMU memo and ICMA's rules for odd periods.
  test.each<[string, string, string, readonly [string, string][], number, number]>([
    ['yf-actactisma-2000-01-30', '2000-01-30', '2000-06-30', [['2000-01-30', '2000-07-30']], 2, 0.417582417582],
    ['a regular half-year', '2003-11-01', '2004-05-01', [['2003-11-01', '2004-05-01']], 2, 0.5],
    ['a short first year', '1999-02-01', '1999-07-01', [['1998-07-01', '1999-07-01']], 1, 0.41095890411],
    [
      'a long first period',
      '2002-08-15',
      '2003-07-15',
      [
        ['2002-07-15', '2003-01-15'],
        ['2003-01-15', '2003-07-15'],
      ],
      2,
      0.915760869565,
    ],
    [
      'a long last period',
      '1999-11-30',
      '2000-04-30',
      [
        ['1999-11-30', '2000-02-29'],
        ['2000-02-29', '2000-05-31'],
      ],
      4,
      91 / (91 * 4) + 61 / (92 * 4),
    ],
  ])(
    '%s: each day is divided by the length of its own coupon period',
    (_id, start, end, periods, frequency, fraction) => {
      const basis = {
        convention: 'ACT/ACT-ICMA',
        frequency,
        periods: periods.map((period) => span(...period)),
      } as const;
      expect(Math.abs(toNumber(yearFraction(span(start, end), basis)) - fraction)).toBeLessThan(1e-10);
    },
  );

  test('a year fraction is exact and lists its terms', () => {
    expect(yearFraction(span('2003-11-01', '2004-05-01'), { convention: 'ACT/ACT-ISDA' })).toEqual({
      days: 182,
      terms: [
        { days: 61, denominator: 365 },
        { days: 121, denominator: 366 },
      ],
      numerator: 61n * 366n + 121n * 365n,
      denominator: 365n * 366n,
    });
    expect(yearFraction(span('2026-01-31', '2026-03-31'), { convention: '30/360-BOND' })).toEqual({
      days: 60,
      terms: [{ days: 60, denominator: 360 }],
      numerator: 60n,
      denominator: 360n,
    });
    expect(yearFraction(span('2026-01-31', '2026-01-31'), { convention: 'ACT/365' })).toMatchObject({
      days: 0,
      terms: [],
    });
  });

  test('coupon periods that do not cover the span are refused', () => {
    const periods = [span('2026-01-15', '2026-07-15')];
    const basis = { convention: 'ACT/ACT-ICMA', frequency: 2, periods } as const;
    expect(() => yearFraction(span('2026-01-14', '2026-07-15'), basis)).toThrow(RangeError);
    expect(() => yearFraction(span('2026-01-15', '2026-07-16'), basis)).toThrow(RangeError);
  });
});

const anyDay = fc.integer({ min: day('1990-01-15'), max: day('2029-01-15') });
const anyConvention = fc.constantFrom(...dayCountConventions);
const threeDays = fc.tuple(anyDay, anyDay, anyDay).map((days) => days.toSorted((a, b) => a - b) as [Day, Day, Day]);

function isSame(one: { numerator: bigint; denominator: bigint }, other: { numerator: bigint; denominator: bigint }) {
  return one.numerator * other.denominator === other.numerator * one.denominator;
}

describe('laws', () => {
  test('parts of a span add up to the whole in every convention, to the last digit', () => {
    fc.assert(
      fc.property(threeDays, anyConvention, ([start, middle, end], convention) => {
        const [whole, basis] = [{ start, end }, basisOf(convention)];
        const parts = [
          ...partialFractionTerms({ start, end: middle }, whole, basis),
          ...partialFractionTerms({ start: middle, end }, whole, basis),
        ];
        const sum = sumRationals(parts.map((term) => ({ ...term, numerator: BigInt(term.days) })));
        expect(isSame(sum, yearFraction(whole, basis))).toBe(true);
        expect(parts.every((term) => term.days > 0)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a later end day never gives a smaller count', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 800 }), anyConvention, (start, length, convention) => {
        const until = (end: Day) => conventionDayCount({ start, end }, basisOf(convention));
        expect(until(start + length + 1)).toBeGreaterThanOrEqual(until(start + length));
        expect(until(start)).toBe(0);
      }),
      { numRuns: 1_000 },
    );
  });

  test('thirty-day months: a span of whole months counts 30 days for each', () => {
    const thirty = fc.constantFrom<DayCountConvention>('30/360-US', '30/360-BOND', '30E/360', '30E/360-ISDA');
    fc.assert(
      fc.property(anyDay, fc.integer({ min: 0, max: 120 }), thirty, (start, months, convention) => {
        fc.pre(civilFromDay(start).day <= 27);
        expect(conventionDayCount({ start, end: addMonths(start, months) }, basisOf(convention))).toBe(30 * months);
      }),
    );
  });

  test('ACT/ACT-ISDA: a calendar year is exactly 1, leap or not, and a day is 1/365 or 1/366', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1900, max: 2199 }), fc.integer({ min: 0, max: 364 }), (year, offset) => {
        const [start, end] = [
          dayFromCivil({ year, month: 1, day: 1 }),
          dayFromCivil({ year: year + 1, month: 1, day: 1 }),
        ];
        const basis = { convention: 'ACT/ACT-ISDA' } as const;
        expect(isSame(yearFraction({ start, end }, basis), { numerator: 1n, denominator: 1n })).toBe(true);
        const aDay = yearFraction({ start: start + offset, end: start + offset + 1 }, basis);
        expect(aDay.terms).toEqual([{ days: 1, denominator: isLeapYear(year) ? 366 : 365 }]);
      }),
    );
  });

  test('ACT/ACT-ICMA: n whole coupon periods are n / frequency years', () => {
    const frequencies = fc.constantFrom<1 | 2 | 4 | 12>(1, 2, 4, 12);
    fc.assert(
      fc.property(frequencies, fc.nat(20), fc.integer({ min: 1, max: 20 }), (frequency, first, count) => {
        const months = 12 / frequency;
        const start = addMonths(day('1990-01-15'), first * months);
        const whole = { start, end: addMonths(start, count * months) };
        fc.pre(whole.end <= day('2029-01-15'));
        const fraction = yearFraction(whole, basisOf('ACT/ACT-ICMA', frequency));
        expect(isSame(fraction, { numerator: BigInt(count), denominator: BigInt(frequency) })).toBe(true);
      }),
    );
  });

  test('the ACT conventions differ only in the year they divide by', () => {
    fc.assert(
      fc.property(threeDays, ([start, , end]) => {
        for (const [convention, length] of [
          ['ACT/360', 360n],
          ['ACT/365', 365n],
        ] as const) {
          const fraction = yearFraction({ start, end }, { convention });
          expect(isSame(fraction, { numerator: BigInt(end - start), denominator: length })).toBe(true);
        }
      }),
    );
  });

  test('sums of fractions are exact over the least common denominator', () => {
    const term = fc.record({
      numerator: fc.bigInt(-(10n ** 30n), 10n ** 30n),
      denominator: fc.integer({ min: 1, max: 4_500 }),
    });
    fc.assert(
      fc.property(fc.array(term, { maxLength: 8 }), (terms) => {
        const { numerator, denominator } = sumRationals(terms);
        const product = terms.reduce((all, { denominator }) => all * BigInt(denominator), 1n);
        const expected = terms.reduce((sum, one) => sum + one.numerator * (product / BigInt(one.denominator)), 0n);
        expect(numerator * product).toBe(expected * denominator);
        expect(terms.every((one) => denominator % BigInt(one.denominator) === 0n)).toBe(true);
      }),
    );
    const sum = sumRationals([4, 6, 360, 360].map((denominator) => ({ numerator: 1n, denominator })));
    expect(sum).toEqual({ numerator: 152n, denominator: 360n });
    expect(sumRationals([{ numerator: 2n, denominator: 365 }])).toEqual({ numerator: 2n, denominator: 365n });
  });
});
