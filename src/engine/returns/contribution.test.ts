// Holds contributions to a worked example and to the law that those of a partition add up to the whole's return.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { cumulativeReturn } from '../../../tests/setup/engine/cumulative-return.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { toFixed, type Fixed } from '../../kit/fixed.ts';
import { contribution, contributionFrame, contributionTerms } from './contribution.ts';
import { dailyReturn, type ReturnMethod } from './daily-return.ts';

function fixed(value: number): Fixed {
  return toFixed(parseDecimal(String(value)));
}

function frameOf(method: ReturnMethod, days: readonly (readonly [begin: number, flow: number, end: number])[]) {
  return contributionFrame(
    days.map(([begin, flow, end]) => dailyReturn(method, { begin: fixed(begin), flow: fixed(flow), end: fixed(end) })),
  );
}

test('two segments over three days: gain over the base of the whole, times its growth before', () => {
  // Returns 10 %, 0 % on a base of 220, 50 %: growth before each day 1, 1.1, 1.1.
  const frame = frameOf('start-end-of-day', [
    [100, 0, 110],
    [110, 110, 220],
    [220, -30, 300],
  ]);
  expect(frame.growthBefore).toEqual(Float64Array.of(1, 1.1, 1.1));
  const shares = [8, -22, 66].map(fixed);
  const bonds = [2, 22, 44].map(fixed);
  expect(contributionTerms(frame, shares)).toEqual(Float64Array.of(0.08, -0.1 * 1.1, 0.3 * 1.1));
  expect(contribution(frame, shares)).toBeCloseTo(0.08 - 0.11 + 0.33, 15);
  expect(contribution(frame, bonds)).toBeCloseTo(0.02 + 0.11 + 0.22, 15);
});

test('a day on which the whole has no base contributes nothing, whatever was gained', () => {
  const frame = frameOf('start-end-of-day', [
    [0, 0, 5],
    [-10, 0, 5],
    [100, 0, 110],
  ]);
  expect(contributionTerms(frame, [5, 15, 10].map(fixed))).toEqual(Float64Array.of(0, 0, 0.1));
});

test('the contributions of a partition add up to the cumulative return of the whole, by either method', () => {
  const gain = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n });
  const flow = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 21n });
  const day = fc.record({ gains: fc.tuple(gain, gain, gain), flow });
  const method = fc.constantFrom<ReturnMethod>('start-end-of-day', 'modified-dietz');
  fc.assert(
    fc.property(method, fc.array(day, { minLength: 1, maxLength: 60 }), (by, days) => {
      let value = 10n ** 21n;
      const whole = days.map(({ gains: [a, b, c], flow: moved }) => {
        const values = { begin: value, flow: moved, end: value + moved + a + b + c };
        value = values.end;
        return dailyReturn(by, values);
      });
      const frame = contributionFrame(whole);
      const parts = [0, 1, 2].map((segment) =>
        contribution(
          frame,
          days.map(({ gains }) => gains[segment]!),
        ),
      );
      const total = cumulativeReturn(whole.map(({ ratio }) => ratio));
      const growthMax = Math.max(1, ...frame.growthBefore.map(Math.abs));
      expect(Math.abs(parts[0]! + parts[1]! + parts[2]! - total)).toBeLessThan(1e-12 * growthMax);
    }),
  );
});
