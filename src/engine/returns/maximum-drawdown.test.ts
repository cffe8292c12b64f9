// Checks the maximum drawdown against published figures and against a search through all pairs of days.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseCalendarDate, toDayNumber } from '../../kit/calendar-date.ts';
import { maximumDrawdown, type MaximumDrawdown } from './maximum-drawdown.ts';

function from(date: string, levels: readonly number[]) {
  const first = toDayNumber(parseCalendarDate(date));
  return { days: levels.map((_, index) => first + index), levels };
}

function day(date: string): number {
  return toDayNumber(parseCalendarDate(date));
}

/** Scales the levels by a power of two, which rounds nothing, so that the first is 1 or above and the day before is no peak. */
function drawdownOfLevels({ days, levels }: { days: number[]; levels: readonly number[] }): MaximumDrawdown {
  const unit = 2 ** Math.floor(Math.log2(levels[0] ?? 1));
  return maximumDrawdown({ days, cumulative: levels.map((level) => level / unit - 1) });
}

describe('published figures (Portfolio Performance)', () => {
  test('mdd-multi-peak: the deepest of several falls', () => {
    expect(drawdownOfLevels(from('2015-01-01', [2, 2, 0.5, 2, 2, 3, 4, 5, 6, 7]))).toEqual({
      ratio: 0.75,
      peak: day('2015-01-02'),
      trough: day('2015-01-03'),
      recovery: day('2015-01-04'),
      peakReturn: 0,
      troughReturn: -0.75,
    });
  });

  test('mdd-none: an index that only rises never falls', () => {
    expect(drawdownOfLevels(from('2015-01-01', [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))).toEqual({
      ratio: 0,
      peak: null,
      trough: null,
      recovery: null,
      peakReturn: null,
      troughReturn: null,
    });
  });

  test('mdd-recovery: a third lost in two days and recovered in eight', () => {
    const series = from('2015-01-01', [100, 120, 110, 80, 85, 90, 95, 100, 105, 110, 115, 120]);
    expect(drawdownOfLevels(series)).toMatchObject({
      ratio: 1 / 3,
      peak: day('2015-01-02'),
      trough: day('2015-01-04'),
      recovery: day('2015-01-12'),
    });
  });
});

describe('dates', () => {
  test.each<[fact: string, levels: number[], ratio: number, dates: (number | null)[]]>([
    ['a fall that is not made up has no recovery date', [4, 2, 3], 0.5, [0, 1, null]],
    ['the peak is the last day at its level', [4, 4, 4, 3, 4], 0.25, [2, 3, 4]],
    ['the trough is the first day at the bottom', [4, 2, 2, 4], 0.5, [0, 1, 3]],
    ['of two equal falls the first counts', [4, 2, 4, 2, 4], 0.5, [0, 1, 2]],
    ['a later, deeper fall from the same peak counts', [4, 3, 4, 2, 1, 8], 0.75, [2, 4, 5]],
    ['a rise short of the peak is no recovery', [8, 4, 7, 2, 8], 0.75, [0, 3, 4]],
    ['a recovery past the peak counts on its day', [8, 4, 9, 7], 0.5, [0, 1, 2]],
    ['a total loss is a fall of 1', [8, 0, 0], 1, [0, 1, null]],
    ['a single day cannot fall', [8], 0, [null, null, null]],
    ['an index without days cannot fall', [], 0, [null, null, null]],
  ])('%s', (_fact, levels, ratio, [peak, trough, recovery]) => {
    const days = levels.map((_, index) => index);
    expect(drawdownOfLevels({ days, levels })).toMatchObject({ ratio, peak, trough, recovery });
  });

  test('a rounding error in a level is not a fall and does not prevent a recovery', () => {
    expect(drawdownOfLevels({ days: [0, 1], levels: [1, 1 - 2 ** -50] })).toMatchObject({ ratio: 0, peak: null });
    const recovered = drawdownOfLevels({ days: [0, 1, 2], levels: [1, 0.5, 1 - 2 ** -50] });
    expect(recovered).toMatchObject({ ratio: 0.5, recovery: 2 });
  });

  test('a fall of just the tolerance is none', () => {
    const cumulative = [0.00008890058234101161, 0.00008890058134092271];
    expect(maximumDrawdown({ days: [0, 1], cumulative })).toMatchObject({ ratio: 0, peak: null, trough: null });
    const deeper = [cumulative[0]!, cumulative[1]! - 2 ** -52];
    expect(maximumDrawdown({ days: [0, 1], cumulative: deeper })).toMatchObject({ peak: 0, trough: 1 });
  });

  test('of returns that only rounding tells apart, the highest is that of the peak', () => {
    const cumulative = [0.5, 0.5 - 2 ** -54, 0.25];
    expect(maximumDrawdown({ days: [0, 1, 2], cumulative })).toMatchObject({ peak: 1, trough: 2, peakReturn: 0.5 });
  });

  test('many tiny falls add up to a fall', () => {
    const levels = Array.from({ length: 100 }, (_, index) => 1 - index * 1e-13);
    expect(drawdownOfLevels({ days: levels.map((_, index) => index), levels }).ratio).toBeCloseTo(9.9e-12, 16);
  });
});

describe('daily returns as an index', () => {
  test('the index starts at 1 on the day before the first return, so that the first day can fall', () => {
    expect(maximumDrawdown({ days: [10, 11], cumulative: [-0.5, 0] })).toEqual({
      ratio: 0.5,
      peak: 9,
      trough: 10,
      recovery: 11,
      peakReturn: 0,
      troughReturn: -0.5,
    });
  });

  test('without returns there is no fall', () => {
    expect(maximumDrawdown({ days: [], cumulative: [] })).toMatchObject({ ratio: 0, peak: null, trough: null });
  });

  test('the day before the first counts like a day without a return', () => {
    const cumulative = fc.array(fc.double({ min: -0.9, max: 3, noNaN: true }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(cumulative, (returns) => {
        const days = returns.map((_, index) => 100 + index);
        const withDayBefore = maximumDrawdown({ days: [99, ...days], cumulative: [0, ...returns] });
        expect(maximumDrawdown({ days, cumulative: returns })).toEqual(withDayBefore);
      }),
    );
  });
});

test('no peak and later trough are further apart, and the dates are those of such a pair', () => {
  const level = fc.integer({ min: 1, max: 40 });
  fc.assert(
    fc.property(fc.array(level, { minLength: 1, maxLength: 30 }), (levels) => {
      const { ratio, peak, trough, recovery } = drawdownOfLevels({ days: levels.map((_, index) => index), levels });
      const falls = levels.flatMap((high, index) => levels.slice(index).map((low) => (high - low) / high));
      expect(ratio).toBe(Math.max(0, ...falls));
      fc.pre(peak !== null && trough !== null);
      expect((levels[peak]! - levels[trough]!) / levels[peak]!).toBe(ratio);
      expect(levels.slice(peak + 1, trough).every((between) => between < levels[peak]!)).toBe(true);
      const back = levels.findIndex((value, index) => index > trough && value >= levels[peak]!);
      expect(recovery).toBe(back < 0 ? null : back);
    }),
  );
});
