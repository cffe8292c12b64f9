// Checks public-market equivalents against published figures and against a fund that performs like its index.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { parseDecimal } from '../../kit/decimal.ts';
import { fromFixed, magnitude, oneFixed, toFixed, toRatio, type Fixed } from '../../kit/fixed.ts';
import { publicMarketEquivalent, type ComparedFlow, type PublicMarketEquivalent } from './public-market-equivalent.ts';
import { Series } from '../amounts/series.ts';
import { xirr } from '../returns/money-weighted/xirr.ts';

function fixed(value: number): Fixed {
  return toFixed(parseDecimal(String(value)));
}

/** A call if money is paid, a distribution if it is received. */
function flowOf(day: number, amount: Fixed): ComparedFlow {
  return { kind: amount < 0n ? 'drawing' : 'distribution', day, amount };
}

/** Compares one flow and one index level per year, with the residual value on the last day. */
function comparedYearly(amounts: readonly number[], levels: readonly number[], nav: number): PublicMarketEquivalent {
  const flows = amounts.map((amount, index) => flowOf(index * 365, fixed(amount)));
  const index = new Series(levels.map((level, at) => ({ day: at * 365, value: fixed(level) })));
  return compared({ flows, residualValue: fixed(nav), asOf: (amounts.length - 1) * 365 }, index);
}

function compared(...given: Parameters<typeof publicMarketEquivalent>): PublicMarketEquivalent {
  const result = publicMarketEquivalent(...given);
  if (result.reason !== null) throw new Error(`no level on day ${result.day}`);
  return result;
}

const wikipedia = [
  [-100, -50, 60, 10, 0],
  [100, 105, 115, 117, 120],
] as const;

describe('published figures', () => {
  test('pme-ks, pyxirr', () => {
    expect(Math.abs(toRatio(comparedYearly([-25, 15, 0], [100, 115, 130], 20).ksPme!) - 1.14)).toBeLessThan(0.01);
  });

  test('pme-ln, Wikipedia', () => {
    const { lnPme } = comparedYearly(...wikipedia, 110);
    expect(Math.abs(toRatio(lnPme.notionalValue) - 104.28)).toBeLessThan(0.005);
    expect(Math.abs(lnPme.irr! - 0.053)).toBeLessThan(0.001);
    expect(lnPme).toMatchObject({ reason: null, shortSince: null });
  });

  test.each<[source: string, amounts: readonly number[], levels: readonly number[], nav: number, alpha: number]>([
    ['INSEAD', [-25, 15, 0], [100, 115, 130], 20, 0.0875],
    ['Wikipedia', ...wikipedia, 110, 0.0108],
    ['Edda', [-80, -140, 0, 70, 140, 85], [890.35, 1144.98, 1271.5, 1289.09, 1466.47, 1842.37], 70, 0.028],
    [
      'directalphamethod.info',
      [-100, 0, -75, 0, 100, 0, 150, 0, 100, 0],
      [100, 77.9, 100.24, 111.15, 116.61, 135.03, 142.45, 89.75, 113.5, 130.59],
      75,
      0.1257,
    ],
  ])('direct alpha, %s (as pyxirr quotes it)', (_source, amounts, levels, nav, alpha) => {
    const { directAlpha } = comparedYearly(amounts, levels, nav);
    expect(Math.abs(directAlpha.result.rate! - alpha)).toBeLessThan(1e-4);
    expect(directAlpha.continuous).toBeCloseTo(Math.log1p(directAlpha.result.rate!), 14);
  });

  test('the result lists the carried flows with their index levels', () => {
    const { terms, asOfLevel } = comparedYearly([-25, 15, 0], [100, 115, 130], 20);
    expect(asOfLevel).toBe(fixed(130));
    expect(terms.map(({ levelDay, level, carried }) => [levelDay, fromFixed(level), fromFixed(carried)])).toEqual([
      [0, '100', '-32.5'],
      [365, '115', '16.956521739130434783'],
      [730, '130', '0'],
    ]);
  });
});

describe('the index', () => {
  const flows = [flowOf(5, fixed(-100)), flowOf(50, fixed(30))];
  const investment = { flows, residualValue: fixed(90), asOf: 100 };

  test('is used at its latest level on or before a day', () => {
    const index = new Series([
      { day: 5, value: fixed(100) },
      { day: 49, value: fixed(120) },
      { day: 51, value: fixed(999) },
      { day: 90, value: fixed(150) },
      { day: 101, value: fixed(999) },
    ]);
    const { terms, asOfLevel } = compared(investment, index);
    expect(asOfLevel).toBe(fixed(150));
    expect(terms.map(({ levelDay, carried }) => [levelDay, toRatio(carried)])).toEqual([
      [5, -150],
      [49, 37.5],
    ]);
  });

  test('that begins after the first flow gives no comparison and names the first missing day', () => {
    expect(publicMarketEquivalent(investment, new Series([{ day: 6, value: fixed(100) }]))).toEqual({
      reason: 'index-missing',
      day: 5,
    });
    expect(publicMarketEquivalent({ ...investment, flows: [] }, new Series([]))).toEqual({
      reason: 'index-missing',
      day: 100,
    });
  });

  test('with a level of zero gives no comparison', () => {
    const index = new Series([
      { day: 0, value: fixed(100) },
      { day: 40, value: 0n },
      { day: 60, value: fixed(110) },
    ]);
    expect(publicMarketEquivalent(investment, index)).toEqual({ reason: 'index-missing', day: 50 });
  });

  test('is not needed for flows after the as-of day', () => {
    const later = { ...investment, flows: [...flows, flowOf(101, fixed(-5))] };
    const index = new Series([{ day: 0, value: fixed(100) }]);
    expect(compared(later, index)).toEqual(compared(investment, index));
  });
});

describe('when the notional position goes short', () => {
  test('at the end, LN-PME has no IRR, but KS-PME and direct alpha have values', () => {
    const { lnPme, ksPme, directAlpha } = comparedYearly([-100, 200, 0], [100, 110, 120], 50);
    expect(toRatio(lnPme.notionalValue)).toBeCloseTo(120 - (200 * 120) / 110, 12);
    expect(lnPme).toMatchObject({ irr: null, reason: 'short-position', shortSince: 365 });
    expect(toRatio(ksPme!)).toBeCloseTo(((200 * 120) / 110 + 50) / 120, 12);
    expect(directAlpha.result.rate).toBeGreaterThan(0);
  });

  test('in between, LN-PME has no IRR either, and the day is reported', () => {
    const { lnPme } = comparedYearly([-100, 200, -300, 0], [100, 110, 120, 130], 250);
    expect(lnPme.notionalValue).toBeGreaterThan(0n);
    expect(lnPme).toMatchObject({ irr: null, reason: 'short-position', shortSince: 365 });
  });

  test('a call on the day of a distribution is bought before the distribution is sold', () => {
    const index = new Series([{ day: 0, value: oneFixed }]);
    const flows = [flowOf(9, fixed(80)), flowOf(9, fixed(-100))];
    expect(compared({ flows, residualValue: fixed(20), asOf: 10 }, index).lnPme.shortSince).toBeNull();
  });

  test('a position sold to the last unit is not short because of rounding', () => {
    const index = new Series([
      { day: 0, value: fixed(105) },
      { day: 9, value: fixed(100) },
    ]);
    const flows = [...Array.from({ length: 6 }, () => fixed(-50)), fixed(300)].map((amount) => flowOf(1, amount));
    const { lnPme, terms } = compared({ flows, residualValue: 0n, asOf: 9 }, index);
    expect(terms.reduce((sum, { carried }) => sum + carried, 0n)).not.toBe(0n);
    expect(lnPme).toMatchObject({ reason: 'no-sign-change', shortSince: null });
  });
});

describe('an index that stays where it is', () => {
  const flat = new Series([{ day: 0, value: 1n }]);
  const flowsOf = (...amounts: readonly Fixed[]) => amounts.map((amount, day) => flowOf(day, amount));

  test('gives the multiple and the value of the flows as they are, to the last digit', () => {
    const { ksPme, lnPme } = compared(
      { flows: flowsOf(-oneFixed, fixed(0.5)), residualValue: fixed(0.25), asOf: 9 },
      flat,
    );
    expect([ksPme, lnPme.notionalValue]).toEqual([fixed(0.75), fixed(0.5)]);
    expect(compared({ flows: flowsOf(-oneFixed, 0n, 1n), residualValue: 0n, asOf: 9 }, flat).ksPme).toBe(1n);
  });

  test('is held short if more was distributed than called, beyond what rounding may be', () => {
    const shortSince = (distributed: Fixed) =>
      compared({ flows: flowsOf(-oneFixed, distributed), residualValue: 0n, asOf: 9 }, flat).lnPme.shortSince;
    expect([shortSince(oneFixed + 2n), shortSince(oneFixed + 3n)]).toEqual([null, 1]);
  });
});

test('without calls there is nothing to compare', () => {
  expect(comparedYearly([0, 10, 0], [100, 100, 100], 5)).toMatchObject({
    ksPme: null,
    directAlpha: { result: { rate: null, reason: 'no-sign-change' }, continuous: null },
  });
});

describe('reversals', () => {
  const index = new Series([
    { day: 0, value: fixed(100) },
    { day: 10, value: fixed(200) },
    { day: 20, value: fixed(400) },
  ]);
  const call: ComparedFlow = { kind: 'drawing', day: 0, amount: fixed(-100) };
  const paidOut: ComparedFlow = { kind: 'distribution', day: 10, amount: fixed(60) };

  test('a returned call lowers the carried calls, and a repaid distribution the carried distributions', () => {
    const flows: ComparedFlow[] = [
      call,
      { kind: 'drawing', day: 10, amount: fixed(40) },
      paidOut,
      { kind: 'distribution', day: 20, amount: fixed(-20) },
    ];
    // Calls: 100 × 4 − 40 × 2 = 320. Distributions: 60 × 2 − 20 = 100.
    const { ksPme } = compared({ flows, residualValue: fixed(220), asOf: 20 }, index);
    expect(ksPme).toBe(oneFixed);
  });

  test('a distribution that is paid back on its day changes nothing, nor does a call that is returned', () => {
    const pairs: ComparedFlow[] = [
      paidOut,
      { ...paidOut, amount: -paidOut.amount },
      { kind: 'drawing', day: 10, amount: fixed(-30) },
      { kind: 'drawing', day: 10, amount: fixed(30) },
    ];
    const figures = (flows: readonly ComparedFlow[]) => {
      const { ksPme, lnPme, directAlpha } = compared({ flows, residualValue: fixed(220), asOf: 20 }, index);
      return { ksPme, lnPme, directAlpha };
    };
    expect(figures([call, ...pairs])).toEqual(figures([call]));
  });

  test('if every call was returned, there is nothing to compare', () => {
    const flows: ComparedFlow[] = [call, { ...call, amount: -call.amount }];
    expect(compared({ flows, residualValue: fixed(5), asOf: 20 }, index).ksPme).toBeNull();
  });
});

test('a fund that performs like the index has a KS-PME of 1, no alpha, and the IRR of its LN-PME', () => {
  const call = fc.record({ day: fc.nat(3_000), size: fc.bigInt({ min: 10n ** 18n, max: 10n ** 24n }) });
  const level = fc.integer({ min: 50, max: 500 });
  fc.assert(
    fc.property(
      fc.array(call, { minLength: 1, maxLength: 10 }),
      fc.array(level, { minLength: 31, maxLength: 31 }),
      (calls, levels) => {
        const index = new Series(levels.map((value, at) => ({ day: at * 100, value: fixed(value) })));
        const flows = calls.map(({ day, size }) => flowOf(day, -size));
        const held = compared({ flows, residualValue: 0n, asOf: 3_001 }, index).lnPme.notionalValue;
        const { ksPme, lnPme, directAlpha } = compared({ flows, residualValue: held, asOf: 3_001 }, index);
        expect(magnitude(ksPme! - oneFixed)).toBeLessThanOrEqual(1n);
        expect(directAlpha.continuous).toBeCloseTo(0, 12);
        expect(lnPme.irr).toBe(xirr([...flows, { day: 3_001, amount: held }]).rate);
      },
    ),
  );
});
