// Checks the returns of segments against figures worked out by hand.

import { onePiece } from '../../../../tests/setup/engine/one-piece.ts';
import { computeAtOnce } from '../../../kit/turns/pieces.ts';
import { describe, expect, test } from 'vitest';

import { dayFromCivil } from '../../../kit/day.ts';
import { parseDecimal } from '../../../kit/decimal.ts';
import { toFixed, type Fixed } from '../../../kit/fixed.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import { SparseAmounts } from '../../amounts/sparse-amounts.ts';
import { segmentReturns, type SegmentedPosition } from './segment-returns.ts';

const start = dayFromCivil({ year: 2023, month: 3, day: 1 });

interface Held {
  readonly values: readonly Fixed[];
  readonly flows: readonly Fixed[];
  readonly income?: readonly Fixed[];
  readonly fees?: readonly Fixed[];
  readonly bank: string;
  readonly portfolios?: readonly string[];
}

function segmented({ values, flows, income, fees, bank, portfolios }: Held): SegmentedPosition<'banks' | 'portfolios'> {
  return {
    columns: () =>
      onePiece({
        values: AmountColumn.from(values),
        flows: AmountColumn.from(flows),
        ...(income && { income: AmountColumn.from(income) }),
        ...(fees && { fees: AmountColumn.from(fees) }),
      }),
    segments: { banks: [bank], portfolios: portfolios ?? [] },
  };
}

function returnsOf(dayCount: number, held: readonly Held[]) {
  const request = { window: { start, end: start + dayCount - 1 }, method: 'start-end-of-day' } as const;
  return computeAtOnce(segmentReturns({ ...request, axes: ['banks', 'portfolios'] }, held.map(segmented)));
}

function fixed(value: number): Fixed {
  return toFixed(parseDecimal(String(value)));
}

function amountsOf(column: AmountColumn): Fixed[] {
  return Array.from({ length: column.length }, (_, index) => column.at(index));
}

describe('a share and the cash it is paid from', () => {
  // Day 1: 1,000 come in, 600 of them buy shares. Day 2: the shares gain 60. Day 3: they pay 30, the bank charges 10.
  const share = {
    values: [0, 600, 660, 630].map(fixed),
    flows: [0, 600, 0, -30].map(fixed),
    income: [0, 0, 0, 30].map(fixed),
    bank: 'north',
    portfolios: ['all', 'shares'],
  };
  const cash = {
    values: [0, 400, 400, 420].map(fixed),
    flows: [0, 400, 0, 30].map(fixed),
    fees: [0, 0, 0, 10].map(fixed),
    bank: 'south',
    portfolios: ['all'],
  };
  const { whole, axes } = returnsOf(3, [share, cash]);
  const [shares, money] = [axes.banks.get('north')!, axes.banks.get('south')!];

  test('a move between them is not a flow of both together', () => {
    expect(amountsOf(whole.flows)).toEqual([0, 1_000, 0, 0].map(fixed));
  });

  test('the dividend is a return of the share, and the fee is a return of the cash', () => {
    expect([...shares.path.ratios]).toEqual([0, 0.1, 0]);
    expect([...money.path.ratios]).toEqual([0, 0, -10 / 430]);
    expect([...whole.path.ratios]).toEqual([0, 0.06, -10 / 1_060]);
  });

  test('totals', () => {
    const zero = { begin: 0n, income: 0n, fees: 0n };
    expect(shares.totals()).toEqual({ ...zero, end: fixed(630), flow: fixed(570), gain: fixed(60), income: fixed(30) });
    expect(money.totals()).toEqual({ ...zero, end: fixed(420), flow: fixed(430), gain: fixed(-10), fees: fixed(10) });
    expect(whole.totals()).toMatchObject({ end: fixed(1_050), flow: fixed(1_000), gain: fixed(50) });
  });

  test('a contribution is the gain over the base of the whole, times the growth of the whole before the day', () => {
    expect(shares.contribution).toBeCloseTo(60 / 1_000, 15);
    expect(money.contribution).toBeCloseTo((-10 / 1_060) * 1.06, 15);
    expect(whole.path.cumulativeReturn).toBeCloseTo(0.05, 15);
  });

  test('portfolios may overlap, and each has its own return', () => {
    expect(axes.portfolios.get('all')!.path.ratios).toEqual(whole.path.ratios);
    expect(axes.portfolios.get('shares')!.path.ratios).toEqual(shares.path.ratios);
    expect([...axes.portfolios.keys()]).toEqual(['all', 'shares']);
  });

  test('a day is explained by its parts', () => {
    expect(whole.explainDay(start + 1)).toEqual({
      ratio: 0.06,
      gain: fixed(60),
      base: fixed(1_000),
      weight: 0,
      flag: null,
    });
    expect(() => whole.explainDay(start + 3)).toThrow(RangeError);
    expect(() => whole.flagOn(start - 1)).toThrow(RangeError);
  });

  test('reading the columns of a segment twice gives the same amounts', () => {
    const read = () => [shares, money, whole].map(({ flows, income, fees }) => [flows, income, fees].map(amountsOf));
    const before = read();
    for (const segment of [money, shares, whole]) segment.totals();
    expect(read()).toEqual(before);
    expect(amountsOf(money.fees)).toEqual(cash.fees);
    expect(amountsOf(shares.fees)).toEqual([0n, 0n, 0n, 0n]);
  });
});

describe('contributions', () => {
  test('are the gain over the base of the whole, times its growth before: two segments over three days', () => {
    // The whole returns 10 %, 0 % on a base of 220, 50 %: its growth before each day is 1, 1.1, 1.1.
    const { axes } = returnsOf(3, [
      { values: [50, 58, 36, 102].map(fixed), flows: [0, 0, 0, 0].map(fixed), bank: 'north' },
      { values: [50, 52, 184, 198].map(fixed), flows: [0, 0, 110, -30].map(fixed), bank: 'south' },
    ]);
    const [shares, bonds] = [axes.banks.get('north')!, axes.banks.get('south')!];
    expect(shares.contributionTerms()).toEqual(Float64Array.of(0.08, -0.1 * 1.1, 0.3 * 1.1));
    expect(shares.contribution).toBeCloseTo(0.08 - 0.11 + 0.33, 15);
    expect(bonds.contribution).toBeCloseTo(0.02 + 0.11 + 0.22, 15);
  });

  test('are zero on a day on which the whole has no base, whatever the gain', () => {
    // Day 1 gains 5 on a base of 0, day 3 gains 15 on −10, day 5 gains 10 on 100.
    const { whole } = returnsOf(5, [
      { values: [0, 5, -10, 5, 100, 110].map(fixed), flows: [0, 0, -15, 0, 95, 0].map(fixed), bank: 'north' },
    ]);
    expect(whole.contributionTerms()).toEqual(Float64Array.of(0, 0, 0, 0, 0.1));
  });
});

describe.each([
  ['of the smallest units', 1n],
  ['of ten-thousandths', 10n ** 14n],
  ['that fit two doubles', 2n ** 73n],
  ['far beyond two doubles', 2n ** 120n],
])('amounts %s', (_size, unit) => {
  const scaled = (...amounts: readonly number[]): Fixed[] => amounts.map((amount) => BigInt(amount) * unit);

  test('have the same returns, flags and contributions as others', () => {
    const { whole, axes } = returnsOf(6, [
      { values: scaled(50, 58, 36, 102, 0, -1, 0), flows: scaled(0, 0, 0, 0, -102, 0, 0), bank: 'north' },
      { values: scaled(50, 52, 184, 198, 0, 0, 1), flows: scaled(0, 0, 110, -30, -198, 0, 0), bank: 'south' },
    ]);
    const [north, south] = [axes.banks.get('north')!, axes.banks.get('south')!];
    expect([...whole.path.ratios]).toEqual([0.1, 0, 0.5, 0, 0, 0]);
    expect([...north.path.ratios]).toEqual([8 / 50, -22 / 58, 66 / 36, 0, 0, 0]);
    expect([...north.contributionTerms()]).toEqual([0.08, -0.1 * 1.1, 0.3 * 1.1, 0, 0, 0]);
    expect([...south.contributionTerms()]).toEqual([0.02, 0.1 * 1.1, 0.2 * 1.1, 0, 0, 0]);
    expect(north.contribution).toBeCloseTo(0.08 - 0.11 + 0.33, 15);
    expect(whole.contribution).toBeCloseTo(whole.path.cumulativeReturn!, 15);
    expect(whole.flaggedDays()).toEqual([
      { day: start + 4, flag: 'zero-base' },
      { day: start + 5, flag: 'negative-base' },
    ]);
    expect(south.flaggedDays()).toEqual([{ day: start + 5, flag: 'zero-base' }]);
    expect(amountsOf(whole.gains)).toEqual(scaled(0, 10, 0, 110, 0, -1, 2));
  });

  test('are invested where they come in, and not where they only grow out of nothing', () => {
    const paidIn = returnsOf(2, [{ values: scaled(0, 1, 2), flows: scaled(0, 1, 0), bank: 'north' }]).whole;
    expect([paidIn.path.noReturn, paidIn.path.cumulativeReturn]).toEqual([null, 1]);
    expect(paidIn.flaggedDays()).toEqual([]);
    const grown = returnsOf(2, [{ values: scaled(0, 1, 2), flows: scaled(0, -1, 0), bank: 'north' }]).whole;
    expect([grown.path.noReturn, grown.path.cumulativeReturn]).toEqual(['nothing-invested', null]);
    const short = returnsOf(2, [{ values: scaled(-1, -2, -1), flows: scaled(0, 0, 0), bank: 'north' }]).whole;
    expect(short.path.noReturn).toBe('nothing-invested');
  });

  test('that are lost beyond everything are flagged on their day', () => {
    const { whole } = returnsOf(2, [{ values: scaled(2, 0, -1), flows: scaled(0, 1, 2), bank: 'north' }]);
    expect(whole.flaggedDays()).toEqual([{ day: start + 1, flag: 'loss-exceeds-base' }]);
    expect([...whole.path.ratios]).toEqual([-1, -1.5]);
  });
});

test('flows that cancel to the last place are zero, however they are stored', () => {
  const nothing = [0n, 0n];
  const flows = [10n ** 14n - 1n, 1n, -(10n ** 14n)].map((flow) => [0n, flow]);
  const { whole } = returnsOf(
    1,
    flows.map((each) => ({ values: nothing, flows: each, bank: 'north' })),
  );
  expect(whole.flaggedDays()).toEqual([]);
  expect(whole.totals().flow).toBe(0n);
});

describe('a window of 400 days', () => {
  const dayCount = 400;
  const flat = Array.from({ length: dayCount + 1 }, () => fixed(100));
  const none = flat.map(() => 0n);

  function pathOf(values: readonly Fixed[], flows: readonly Fixed[] = none) {
    return returnsOf(dayCount, [{ values, flows, bank: 'north' }]).whole;
  }

  test('the yearly return counts from the window’s start if there is a value before it', () => {
    const whole = pathOf(flat.map((value, index) => (index < 200 ? value : fixed(110))));
    expect(whole.path.annualised()).toMatchObject({ from: start, days: 400 });
    expect(whole.path.annualised().ratio).toBeCloseTo(1.1 ** (365 / 400) - 1, 14);
  });

  test('the yearly return otherwise counts from the first day that ends with a value', () => {
    const [values, flows] = [flat.with(0, 0n).with(1, 0n).fill(0n, 0, 10), none.with(10, fixed(100))];
    expect(pathOf(values, flows).path.annualised()).toEqual({ ratio: 0, from: start + 9, days: 391, reason: null });
  });

  test('what is all withdrawn on the first day has a return from that day on', () => {
    const [values, flows] = [none.with(0, fixed(100)), none.with(1, fixed(-100))];
    expect(pathOf(values, flows).path.annualised()).toEqual({ ratio: 0, from: start, days: 400, reason: null });
  });

  test('what comes on the last day has a return of that day', () => {
    const [values, flows] = [none.with(400, fixed(100)), none.with(400, fixed(100))];
    expect(pathOf(values, flows).path.annualised()).toMatchObject({ from: start + 399, days: 1 });
    expect(pathOf(none).path.annualised()).toMatchObject({ from: start + 400, days: 0 });
  });

  test('the maximum drawdown has its dates', () => {
    const values = flat.map((value, index) => (index > 50 && index <= 60 ? fixed(75) : value));
    expect(pathOf(values).path.maximumDrawdown()).toMatchObject({
      ratio: 0.25,
      peak: start + 49,
      trough: start + 50,
      recovery: start + 60,
    });
  });

  test('volatility counts weekdays and uses the requested number of days per year', () => {
    const held = {
      values: flat.map((value, index) => (index % 2 === 0 ? value : fixed(101))),
      flows: none,
      bank: 'north',
    };
    const request = { window: { start, end: start + dayCount - 1 }, method: 'modified-dietz', axes: [] } as const;
    const usual = computeAtOnce(segmentReturns(request, [segmented(held)])).whole.path.volatility();
    const every = computeAtOnce(
      segmentReturns({ ...request, volatilityDays: 365 }, [segmented(held)]),
    ).whole.path.volatility();
    expect(usual.count).toBe(286);
    expect(usual.ratio).toBe(usual.deviation! * Math.sqrt(252));
    expect(every.ratio).toBe(usual.deviation! * Math.sqrt(365));
  });

  test('the money-weighted return treats the value before the window as paid in and the value at its end as paid back', () => {
    const values = flat.map((value, index) => (index === dayCount ? fixed(232) : index < 35 ? value : fixed(200)));
    const { result, terms } = pathOf(values, none.with(35, fixed(100))).explainMoneyWeightedReturn();
    expect(terms.map(({ day, amount }) => [day - start, amount])).toEqual([
      [-1, fixed(-100)],
      [34, fixed(-100)],
      [399, fixed(232)],
    ]);
    // 100 for 400 days and 100 for 365: 100 × (1 + r) ^ (400 / 365) + 100 × (1 + r) = 232.
    expect(100 * (1 + result.rate!) ** (400 / 365) + 100 * (1 + result.rate!)).toBeCloseTo(232, 9);
  });
});

test.each([
  ['a window that ends before it starts', { start, end: start - 1 }, 1],
  ['columns that are not as long as the window', { start, end: start + 1 }, 2],
])('%s is refused', (_fault, window, length) => {
  const position = segmented({ values: Array(length).fill(1n), flows: Array(length).fill(1n), bank: 'north' });
  const request = { window, method: 'start-end-of-day', axes: ['banks'] } as const;
  expect(() => computeAtOnce(segmentReturns(request, [position]))).toThrow(RangeError);
});

test.each(['values', 'flows', 'income', 'fees'] as const)(
  '%s that are not as long as the window are refused',
  (name) => {
    const days = 20;
    const columns = { values: new AmountColumn(days + 1), flows: new AmountColumn(days + 1) };
    const parts = { indexes: Int32Array.of(1), high: Float64Array.of(1), low: Float64Array.of(0) };
    const dense = AmountColumn.from(Array.from({ length: days + 2 }, () => 1n));
    const isDense = name === 'values';
    for (const axes of [[], ['banks']] as const) {
      for (const wrong of isDense ? [dense] : [dense, SparseAmounts.find(days + 2, parts)!]) {
        const position = { columns: () => onePiece({ ...columns, [name]: wrong }), segments: { banks: ['north'] } };
        const request = { window: { start, end: start + days - 1 }, method: 'start-end-of-day', axes } as const;
        expect(() => computeAtOnce(segmentReturns<'banks'>(request, [position]))).toThrow(RangeError);
      }
    }
  },
);

test('contributions to a whole of the smallest unit are exact, however large its parts are', () => {
  const large = 2n ** 120n;
  const { whole, axes } = returnsOf(1, [
    { values: [large, large + 2n ** 70n], flows: [0n, 0n], bank: 'north' },
    { values: [1n - large, 3n - large - 2n ** 70n], flows: [0n, 0n], bank: 'south' },
  ]);
  expect([...whole.path.ratios]).toEqual([2]);
  expect([...axes.banks.get('north')!.contributionTerms()]).toEqual([2 ** 70]);
  expect([...axes.banks.get('south')!.contributionTerms()]).toEqual([-(2 ** 70)]);
});

test('money that comes in on the first day of a year is there for the whole year, and so is what was there before', () => {
  const [none, held] = [Array.from({ length: 366 }, () => 0n), Array.from({ length: 366 }, () => fixed(100))];
  const begun = { values: held.with(0, 0n).with(365, fixed(110)), flows: none.with(1, fixed(100)), bank: 'north' };
  const before = { values: held.with(365, fixed(110)), flows: none, bank: 'north' };
  for (const one of [begun, before]) {
    const { whole } = returnsOf(365, [one]);
    expect(whole.moneyWeightedReturn().windowRate).toBeCloseTo(0.1, 12);
    expect(whole.moneyWeightedReturn().yearlyRate).not.toBeNull();
    expect(whole.explainMoneyWeightedReturn().result).toEqual(whole.moneyWeightedReturn());
  }
  const late = { values: held.fill(0n, 0, 2).with(365, fixed(110)), flows: none.with(2, fixed(100)), bank: 'north' };
  expect(returnsOf(365, [late]).whole.moneyWeightedReturn().yearlyRate).toBeNull();
});
