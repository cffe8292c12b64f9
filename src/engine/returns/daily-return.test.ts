// Checks daily returns against published figures, the formulas as written, and laws over values.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { cumulativeReturn } from '../../../tests/setup/engine/cumulative-return.ts';
import { parseDecimal } from '../../kit/decimal.ts';
import { oneFixed, toFixed, toRatio, type Fixed } from '../../kit/fixed.ts';
import { dailyReturn, type DailyReturn, type ReturnMethod } from './daily-return.ts';
import { cumulativeReturns } from './return-statistics.ts';

function fixed(value: number): Fixed {
  return toFixed(parseDecimal(String(value)));
}

function returnOf(method: ReturnMethod, begin: number, flow: number, end: number): DailyReturn {
  return dailyReturn(method, { begin: fixed(begin), flow: fixed(flow), end: fixed(end) });
}

/** The returns for each day's flow and gain, starting from a value of zero. */
function returnsOf(days: readonly (readonly [flow: number, gain: number])[]): DailyReturn[] {
  let value = 0n;
  return days.map(([flow, gain]) => {
    const values = { begin: value, flow: fixed(flow), end: value + fixed(flow) + fixed(gain) };
    value = values.end;
    return dailyReturn('start-end-of-day', values);
  });
}

describe('published figures, flows at the start or the end of the day', () => {
  const sample = [
    [10000, 0],
    [0, 230],
    [200, 200],
    [-400, -234.41],
    [0, 293.99],
    [0, 293.99],
    [5400, 195.99],
    [-3697.04, -882.52],
    [0, -1003.85],
  ] as const;
  const daily = [
    0, 0.023, 0.019175455, -0.0220517, 0.0294117647, 0.0285714286, 0.012261967, -0.0545454545, -0.0865384615,
  ];
  const cumulative = [
    0, 0.023, 0.042616491, 0.019624983, 0.049614163, 0.079603343, 0.092841403, 0.03323197, -0.056182678,
  ];

  test.each(sample.map((_, index) => index))('twr-pp-excel-sample, Portfolio Performance, day %d', (index) => {
    const ratios = returnsOf(sample).map(({ ratio }) => ratio);
    expect(Math.abs(ratios[index]! - daily[index]!)).toBeLessThan(0.00001);
    expect(Math.abs(cumulativeReturns(ratios)[index]! - cumulative[index]!)).toBeLessThan(0.00001);
  });

  test.each([
    ['the first two days', 0, 2, 0.023],
    ['the rest', 2, 9, -0.077402422],
    ['all days', 0, 9, -0.056182678],
  ])('twr-weekly-aggregation, Portfolio Performance: %s', (_bucket, from, to, expected) => {
    const ratios = returnsOf(sample.slice(0, to)).map(({ ratio }) => ratio);
    expect(Math.abs(cumulativeReturn(ratios.slice(from)) - expected)).toBeLessThan(0.00001);
  });

  test('twr-derived-large-inflow-tiny-base: a large deposit into a tiny portfolio does not explode', () => {
    expect(returnOf('start-end-of-day', 1, 10000, 10101).ratio).toBe(0.009999000099990002);
  });

  test('twr-derived-netting-vs-gross: inflows and outflows of one day are netted', () => {
    expect(returnOf('start-end-of-day', 1000, 500 - 500, 1010).ratio).toBe(0.01);
  });

  test('twr-pp-income-without-capital: a gain without capital has no return and is flagged', () => {
    const returns = returnsOf([
      [0, 0],
      [0, 1],
    ]);
    expect(cumulativeReturn(returns.map(({ ratio }) => ratio))).toBe(0);
    expect(returns[1]).toEqual({ ratio: 0, gain: oneFixed, base: 0n, weight: 0, flag: 'zero-base' });
  });

  test('twr-wealthfolio-tiny-seed: the gain is the change that the flow does not explain', () => {
    const { gain, ratio } = returnOf('start-end-of-day', 100, 2000, 2089.16);
    expect(gain).toBe(fixed(-10.84));
    expect(ratio).toBeGreaterThan(-0.05);
  });

  test('twr-pp-flow-invariance, Portfolio Performance: flows do not change the return of a path', () => {
    const target = [0, 0.023, 0.043, 0.02, 0.05, 0.08, 0.1, 0.04, -0.05];
    const flowsA = [10000, 0, 200, -400, 0, 0, 5400, -3697.04, 0];
    const flowsB = [10000, 0, 0, 0, 0, 0, 0, 0, 0];
    for (const flows of [flowsA, flowsB]) {
      let value = 0;
      const ratios = flows.map((flow, index) => {
        const begin = value;
        const growth = index === 0 ? 1 : (1 + target[index]!) / (1 + target[index - 1]!);
        value = Number(((begin + Math.max(flow, 0)) * growth + Math.min(flow, 0)).toFixed(9));
        return returnOf('start-end-of-day', begin, flow, value).ratio;
      });
      cumulativeReturns(ratios).forEach((reached, index) => {
        expect(Math.abs(reached - target[index]!)).toBeLessThan(0.00001);
      });
    }
  });

  test.each([
    ['twr-cfa-two-year, CFA', [[100, 122] as const, [240, 264] as const], 0.342],
    ['twr-hledger-16-total, hledger', [[43.11, 50.93] as const, [560.23, 622.49] as const], 0.3127],
  ])('%s: subperiods between flows are linked', (_id, periods, total) => {
    const ratios = periods.map(([begin, end]) => returnOf('start-end-of-day', begin, 0, end).ratio);
    expect(Math.abs(cumulativeReturn(ratios) - total)).toBeLessThan(0.00005);
  });
});

describe('Modified Dietz', () => {
  test('mdietz-daily-midday: a flow counts for half the day', () => {
    expect(returnOf('modified-dietz', 1000, 100, 1110)).toEqual({
      ratio: 10 / 1050,
      gain: fixed(10),
      base: fixed(1050),
      weight: 0.5,
      flag: null,
    });
  });

  test.each<[fact: string, begin: number, flow: number, end: number, weight: number, ratio: number]>([
    ['without a flow it is the simple return', 1000, 0, 1010, 0, 0.01],
    ['a first deposit counts for the whole day', 0, 1000, 1010, 1, 0.01],
    ['a full withdrawal keeps the return on the value before it', 1000, -1010, 0, 0, 0.01],
    ['a full withdrawal at a loss is not −100 %', 1000, -990, 0, 0, -0.01],
    ['a deposit on the day of a total loss is lost too', 100, 50, 0, 1, -1],
    ['a first deposit that is lost on its day is a total loss', 0, 50, 0, 1, -1],
    ['half of an outflow counts', 1000, -200, 809, 0.5, 0.01],
    ['half of an inflow that pays off a debt counts', -100, 300, 210, 0.5, 0.2],
  ])('%s', (_fact, begin, flow, end, weight, ratio) => {
    expect(returnOf('modified-dietz', begin, flow, end)).toMatchObject({ weight, ratio, flag: null });
  });
});

describe('a base that is not positive', () => {
  test.each<[method: ReturnMethod, begin: number, flow: number, end: number, flag: string]>([
    ['start-end-of-day', 0, 0, 0, 'zero-base'],
    ['start-end-of-day', 0, -10, 0, 'zero-base'],
    ['start-end-of-day', -100, 100, 50, 'zero-base'],
    ['start-end-of-day', -100, 0, -90, 'negative-base'],
    ['start-end-of-day', -100, 40, -70, 'negative-base'],
    ['modified-dietz', 0, -10, 0, 'negative-base'],
    ['modified-dietz', 1000, -2000, 5, 'zero-base'],
    ['modified-dietz', 1000, -2200, 5, 'negative-base'],
    ['modified-dietz', -50, 0, 20, 'negative-base'],
  ])('%s of %d with a flow of %d to %d has no return: %s', (method, begin, flow, end, flag) => {
    expect(returnOf(method, begin, flow, end)).toMatchObject({ ratio: 0, gain: fixed(end - begin - flow), flag });
  });

  test('a loss of more than the base is flagged and has a ratio below −1', () => {
    expect(returnOf('start-end-of-day', 100, 0, -50)).toMatchObject({ ratio: -1.5, flag: 'loss-exceeds-base' });
    expect(returnOf('start-end-of-day', 100, 0, 0)).toMatchObject({ ratio: -1, flag: null });
  });
});

test.each<[fact: string, method: ReturnMethod, values: readonly [Fixed, Fixed, Fixed], expected: Partial<DailyReturn>]>(
  [
    ['that comes in is there from the start', 'start-end-of-day', [3n, 1n, 4n], { weight: 1, base: 4n, gain: 0n }],
    ['that leaves is there to the end', 'start-end-of-day', [3n, -1n, 2n], { weight: 0, base: 3n, gain: 0n }],
    ['that comes in first is a base', 'modified-dietz', [0n, 1n, 2n], { weight: 1, base: 1n, ratio: 1, flag: null }],
    ['that comes in on the day of a loss is lost', 'modified-dietz', [3n, 1n, 0n], { weight: 1, base: 4n, ratio: -1 }],
    ['owed is no base', 'start-end-of-day', [-1n, 0n, -1n], { base: -1n, ratio: 0, flag: 'negative-base' }],
    ['lost beyond everything is flagged', 'start-end-of-day', [1n, 0n, -1n], { ratio: -2, flag: 'loss-exceeds-base' }],
  ],
)('the smallest amount %s (%s)', (_fact, method, [begin, flow, end], expected) => {
  expect(dailyReturn(method, { begin, flow, end })).toMatchObject(expected);
});

describe('laws', () => {
  const amount = fc.bigInt({ min: 1n, max: 10n ** 32n });
  const flow = fc.bigInt({ min: -(10n ** 32n), max: 10n ** 32n });

  test('the ratio is V1 / (V0 + F) − 1 for money in, and (V1 − F) / V0 − 1 for money out', () => {
    fc.assert(
      fc.property(amount, flow, amount, (begin, moved, end) => {
        const { ratio } = dailyReturn('start-end-of-day', { begin, flow: moved, end });
        const expected = moved < 0n ? toRatio(end - moved) / toRatio(begin) : toRatio(end) / toRatio(begin + moved);
        expect(Math.abs(ratio - (expected - 1))).toBeLessThan(1e-14 * Math.max(1, expected));
      }),
    );
  });

  test('both methods agree on a day without flow, and the ratio is the gain over the base', () => {
    fc.assert(
      fc.property(amount, amount, flow, (begin, end, moved) => {
        const still = { begin, end, flow: 0n };
        expect(dailyReturn('modified-dietz', still)).toEqual(dailyReturn('start-end-of-day', still));
        const { ratio, gain, base } = dailyReturn('modified-dietz', { begin, end, flow: moved });
        expect(gain).toBe(end - begin - moved);
        expect(ratio).toBe(base > 0n ? Number(gain) / Number(base) : 0);
      }),
    );
  });

  test('a flow in kind without gain or loss has a return of zero under both methods', () => {
    fc.assert(
      fc.property(amount, flow, (begin, moved) => {
        const values = { begin, flow: moved, end: begin + moved };
        expect(dailyReturn('start-end-of-day', values).ratio).toBe(0);
        expect(dailyReturn('modified-dietz', values).ratio).toBe(0);
      }),
    );
  });
});
