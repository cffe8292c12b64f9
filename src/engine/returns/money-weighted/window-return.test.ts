import { describe, expect, test } from 'vitest';
import { netFlows } from './net-flows.ts';
import { windowReturn, type FirstFlow } from './window-return.ts';

/** Flows by the day on which they are. */
function returnOf(flows: Readonly<Record<number, number>>, firstFlow: FirstFlow = 'value-before') {
  const dated = Object.entries(flows).map(([day, value]) => ({ day: Number(day), amount: BigInt(value) * 10n ** 10n }));
  return windowReturn(netFlows(dated), { firstFlow, noReturn: null });
}

describe('the return of a window', () => {
  test('is what was won in it, however short it is', () => {
    const day = returnOf({ 0: -100, 1: 95 });
    expect(day.windowRate).toBeCloseTo(-0.05, 12);
    expect(day).toMatchObject({ reason: null, yearlyRate: null, days: 1 });
    const week = returnOf({ 10: -100, 17: 300 });
    expect(week.windowRate).toBeCloseTo(2, 12);
    expect(week).toMatchObject({ reason: null, yearlyRate: null, days: 7 });
  });

  test('is yearly from one year on', () => {
    expect(returnOf({ 0: -100, 364: 110 }).yearlyRate).toBeNull();
    expect(returnOf({ 0: -100, 365: 110 }).yearlyRate).toBeCloseTo(0.1, 12);
    const two = returnOf({ 0: -100, 730: 121 });
    expect([two.yearlyRate, two.windowRate].map((rate) => rate?.toFixed(10))).toEqual(['0.1000000000', '0.2100000000']);
  });

  test('counts the day whole on which money came in', () => {
    expect(returnOf({ 0: -100, 363: 110 }, 'within-window').yearlyRate).toBeNull();
    expect(returnOf({ 0: -100, 364: 110 }, 'within-window').yearlyRate).toBeCloseTo(0.1003, 4);
  });

  test('under a year may be beyond what counts as a yearly rate, within what counts for the window', () => {
    // −99.9899 % in 364 days are less than −99.99 % a year.
    expect(returnOf({ 0: -1_000_000, 364: 101 }).windowRate).toBeCloseTo(-0.999899, 9);
    for (const days of [364, 365, 366]) {
      const lost = returnOf({ 0: -1_000_000, [days]: 9 });
      expect(lost).toMatchObject({ windowRate: null, yearlyRate: null, rate: null, reason: 'out-of-range', days });
    }
  });

  test('that is one within the yearly rates is the answer, though another solves the window', () => {
    // 0 %, and a loss of a third in each half of the ten days.
    const flows = { 0: -150, 5: 250, 10: -100 };
    const found = returnOf(flows);
    expect(found.windowRate).toBeCloseTo(0, 12);
    expect(found).toMatchObject({ reason: null, hasRootsOutside: true });
  });

  test('is none where nobody invested, or nothing came back', () => {
    const nobody = windowReturn(netFlows([]), { firstFlow: 'value-before', noReturn: 'nothing-invested' });
    expect(nobody).toMatchObject({ reason: 'nothing-invested', windowRate: null, yearlyRate: null, days: 0 });
    expect(returnOf({ 0: -100, 400: -1 })).toMatchObject({
      reason: 'no-sign-change',
      windowRate: null,
      yearlyRate: null,
      days: 400,
    });
  });
});
