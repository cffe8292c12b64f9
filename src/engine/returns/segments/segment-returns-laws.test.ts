// Checks the returns of segments against single days worked out one by one with bigints, and against laws over positions.

import { onePiece } from '../../../../tests/setup/engine/one-piece.ts';
import { computeAtOnce } from '../../../kit/turns/pieces.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { contribution, contributionFrame, contributionTerms } from '../../../../tests/setup/engine/contribution.ts';
import { cumulativeReturn } from '../../../../tests/setup/engine/cumulative-return.ts';
import { dayFromCivil } from '../../../kit/day.ts';
import { divideRounded, type Fixed } from '../../../kit/fixed.ts';
import { AmountColumn } from '../../amounts/amount-column.ts';
import { SparseAmounts } from '../../amounts/sparse-amounts.ts';
import { highPart, lowPart } from '../../amounts/amount-parts.ts';
import { dailyReturn, type DailyReturn, type ReturnMethod } from '../daily-return.ts';
import { cumulativeReturns } from '../return-statistics.ts';
import { segmentReturns, type SegmentedPosition } from './segment-returns.ts';
import type { SegmentReturn } from './segment-return.ts';

const methods = ['start-end-of-day', 'modified-dietz'] as const satisfies ReturnMethod[];
const start = dayFromCivil({ year: 2023, month: 3, day: 1 });

interface Held {
  readonly values: readonly Fixed[];
  readonly flows: readonly Fixed[];
  readonly bank: string;
  readonly portfolios: readonly string[];
  readonly income: readonly Fixed[];
  readonly fees: readonly Fixed[];
  /** Whether it is a forward. */
  readonly isUninvested: boolean;
}

function heldAt(bank: string, values: readonly Fixed[], flows: readonly Fixed[]): Held {
  const none = values.map(() => 0n);
  return { values, flows, income: none, fees: none, bank, portfolios: [], isUninvested: false };
}

/** Desks lie within banks, banks within towns; portfolios overlap. */
const axisNames = ['towns', 'portfolios', 'banks', 'desks'] as const;
type Axis = (typeof axisNames)[number];

function segmentsOf({ bank, portfolios, values }: Held): Readonly<Record<Axis, readonly string[]>> {
  const town = bank === 'rest' ? 'none' : 'harbour';
  return { banks: [bank], towns: [town], desks: [`${bank} ${values[0]! % 2n}`], portfolios };
}

function segmented(held: Held): SegmentedPosition<Axis> {
  return { columns: segmentedColumns(held), segments: segmentsOf(held) };
}

function segmentedColumns({ values, flows, income, fees, isUninvested }: Held): SegmentedPosition<Axis>['columns'] {
  return (spare = new AmountColumn(values.length)) => {
    expect(spare.isEmpty).toBe(true);
    for (const [index, value] of values.entries()) spare.set(index, value);
    return onePiece({
      values: spare,
      flows: entriesOf(flows),
      income: entriesOf(income),
      fees: AmountColumn.from(fees),
      isUninvested,
    });
  };
}

function entriesOf(amounts: readonly Fixed[]): SparseAmounts | AmountColumn {
  const places = Int32Array.from([...amounts.keys()].filter((index) => amounts[index] !== 0n));
  const partsOf = (part: (amount: Fixed) => number) => Float64Array.from(places, (place) => part(amounts[place]!));
  const entries = SparseAmounts.find(amounts.length, {
    indexes: places,
    high: partsOf(highPart),
    low: partsOf(lowPart),
  });
  return entries ?? AmountColumn.from(amounts);
}

function returnsOf(method: ReturnMethod, dayCount: number, held: readonly Held[]) {
  const window = { start, end: start + dayCount - 1 };
  return computeAtOnce(segmentReturns({ window, method, axes: axisNames }, held.map(segmented)));
}

function amountsOf(column: AmountColumn): Fixed[] {
  return Array.from({ length: column.length }, (_, index) => column.at(index));
}

/** Computes each day separately from sums of bigints. */
function expectedDays(method: ReturnMethod, held: readonly Held[], dayCount: number): DailyReturn[] {
  const valuesOn = (some: readonly Held[], index: number) => {
    const sumOn = (key: 'values' | 'flows', at: number) => some.reduce((sum, one) => sum + one[key][at]!, 0n);
    return { begin: sumOn('values', index), end: sumOn('values', index + 1), flow: sumOn('flows', index + 1) };
  };
  return Array.from({ length: dayCount }, (_, index) => {
    const values = valuesOn(held, index);
    const isEmpty = values.begin === 0n && values.end === 0n && values.flow === 0n;
    const day = dailyReturn(method, values);
    if (isEmpty) return { ...day, flag: null };
    const forwards = valuesOn(
      held.filter(({ isUninvested }) => isUninvested),
      index,
    );
    // Half a flow is rounded as in the base of the whole.
    const flowInBase = day.weight === 0.5 ? divideRounded(forwards.flow, 2n) : BigInt(day.weight) * forwards.flow;
    const isNothing = held.some(({ isUninvested }) => isUninvested) && day.base <= forwards.begin + flowInBase;
    return day.base > 0n && isNothing ? { ...day, ratio: 0, flag: 'nothing-invested' } : day;
  });
}

function expectedReason(days: readonly DailyReturn[], held: readonly Held[]): string | null {
  const amounts = held.flatMap(({ values, flows }) => [...values, ...flows]);
  if (amounts.every((amount) => amount === 0n)) return 'nothing-covered';
  const valueBefore = held.reduce((sum, { values, isUninvested }) => sum + (isUninvested ? 0n : values[0]!), 0n);
  const flowOn = (index: number) => held.reduce((sum, { flows }) => sum + flows[index + 1]!, 0n);
  const isInvested = valueBefore > 0n || days.some((_, index) => flowOn(index) > 0n);
  const hasBase = days.some(({ base, flag }) => base > 0n && flag !== 'nothing-invested');
  return isInvested && hasBase ? null : 'nothing-invested';
}

interface ExpectedWhole {
  readonly days: readonly DailyReturn[];
  readonly reason: string | null;
}

function expectSameDays(
  segment: SegmentReturn,
  days: readonly DailyReturn[],
  { days: whole, reason }: ExpectedWhole,
): void {
  const frame = contributionFrame(whole);
  const gains = days.map(({ gain }) => gain);
  expect([...segment.path.ratios]).toEqual(days.map(({ ratio }) => ratio));
  expect(days.map((_, index) => segment.flagOn(start + index))).toEqual(days.map(({ flag }) => flag));
  expect(segment.flaggedDays()).toEqual(
    days.map(({ flag }, index) => ({ day: start + index, flag })).filter(({ flag }) => flag !== null),
  );
  expect(days.map((_, index) => segment.explainDay(start + index))).toEqual(days);
  expect(amountsOf(segment.gains)).toEqual([0n, ...gains]);
  expect(segment.path.cumulative).toEqual(cumulativeReturns(days.map(({ ratio }) => ratio)));
  expect(segment.contribution).toBe(reason === null ? contribution(frame, gains) : null);
  expect(segment.contributionTerms()).toEqual(contributionTerms(frame, gains));
  expect(segment.totals().gain).toBe(gains.reduce((sum, gain) => sum + gain, 0n));
}

function expectSameAmounts(segment: SegmentReturn, held: readonly Held[]): void {
  const sumsOf = (key: AmountKey) =>
    held[0]![key].map((_, index) => held.reduce((sum, one) => sum + one[key][index]!, 0n));
  const totalOf = (key: AmountKey) => sumsOf(key).reduce((sum, amount, index) => (index === 0 ? 0n : sum + amount), 0n);
  const totals = { flow: totalOf('flows'), income: totalOf('income'), fees: totalOf('fees') };
  expect(segment.totals()).toMatchObject(totals);
  for (const key of ['values', 'flows', 'income', 'fees'] as const) {
    expect(amountsOf(segment[key])).toEqual(sumsOf(key));
  }
  expect(segment.totals()).toMatchObject(totals);
}

type AmountKey = 'values' | 'flows' | 'income' | 'fees';

const fitMax = 2n ** 51n * 10n ** 14n;
const smallArbitrary = fc.oneof(
  { weight: 3, arbitrary: fc.constant(0n) },
  { weight: 3, arbitrary: fc.bigInt({ min: -(10n ** 22n), max: 10n ** 24n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -3n, max: 3n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: -9n, max: 9n }).map((units) => units * 10n ** 18n) },
);
const greatArbitrary = fc.oneof(smallArbitrary, fc.bigInt({ min: -fitMax, max: fitMax }));

function heldArbitrary(dayCount: number, amount: fc.Arbitrary<Fixed>): fc.Arbitrary<Held> {
  const dense = fc.array(amount, { minLength: dayCount + 1, maxLength: dayCount + 1 });
  const day = fc.integer({ min: 0, max: dayCount });
  const single = fc
    .tuple(day, amount)
    .map(([at, put]) => Array.from({ length: dayCount + 1 }, (_, index) => (index === at ? put : 0n)));
  const column = fc.oneof(dense, single);
  const bank = fc.constantFrom('north', 'south', 'rest');
  const portfolios = fc.subarray(['old', 'new']);
  const isUninvested = fc.boolean();
  return fc.record({ values: column, flows: column, bank, portfolios, income: column, fees: column, isUninvested });
}

function caseArbitrary(amount: fc.Arbitrary<Fixed>) {
  const dayCount = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant(24));
  return dayCount.chain((days) =>
    fc.record({ dayCount: fc.constant(days), held: fc.array(heldArbitrary(days, amount), { maxLength: 5 }) }),
  );
}

describe.each(methods)('%s', (method) => {
  test.each([
    ['that fit two doubles', smallArbitrary],
    ['at and beyond the limits of two doubles', greatArbitrary],
  ])('amounts %s: every figure of a day equals that of the day computed alone, to the last bit', (_size, amount) => {
    fc.assert(
      fc.property(caseArbitrary(amount), ({ dayCount, held }) => {
        const { whole, axes } = returnsOf(method, dayCount, held);
        const wholeDays = expectedDays(method, held, dayCount);
        const expectedWhole = { days: wholeDays, reason: expectedReason(wholeDays, held) };
        expectSameDays(whole, wholeDays, expectedWhole);
        expect(whole.path.noReturn).toBe(expectedWhole.reason);
        for (const axis of axisNames) {
          expect([...axes[axis].keys()]).toEqual([...new Set(held.flatMap((one) => segmentsOf(one)[axis]))]);
          for (const [key, segment] of axes[axis]) {
            const own = held.filter((one) => segmentsOf(one)[axis].includes(key));
            const days = expectedDays(method, own, dayCount);
            expectSameDays(segment, days, expectedWhole);
            expect(segment.path.noReturn).toBe(expectedReason(days, own));
            expectSameAmounts(segment, own);
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('every segment has the sums of its positions, with many positions on crossing axes', () => {
    const many = fc.array(heldArbitrary(2, smallArbitrary), { minLength: 50, maxLength: 60 });
    fc.assert(
      fc.property(many, (held) => {
        const segmentsOn = {
          banks: (one: Held) => one.bank,
          signs: ({ values }: Held) => String(values[0]! > 0n),
          parities: ({ flows }: Held) => String(flows[0]! % 2n === 0n),
        };
        const axes = Object.keys(segmentsOn) as (keyof typeof segmentsOn)[];
        const positions = held.map((one) => ({
          columns: segmentedColumns(one),
          segments: { banks: [one.bank], signs: [segmentsOn.signs(one)], parities: [segmentsOn.parities(one)] },
        }));
        const returns = computeAtOnce(segmentReturns({ window: { start, end: start + 1 }, method, axes }, positions));
        expect([...returns.axes.banks.keys()]).toEqual([...new Set(held.map(({ bank }) => bank))]);
        expectSameAmounts(returns.whole, held);
        for (const axis of axes) {
          for (const [key, segment] of returns.axes[axis]) {
            expectSameAmounts(
              segment,
              held.filter((one) => segmentsOn[axis](one) === key),
            );
          }
        }
      }),
      { numRuns: 35 },
    );
  });

  test('gains, flows, income and fees of a partition add up to those of the whole, on every day and in total', () => {
    fc.assert(
      fc.property(caseArbitrary(greatArbitrary), ({ dayCount, held }) => {
        const { whole, axes } = returnsOf(method, dayCount, held);
        for (const key of ['values', 'flows', 'gains', 'income', 'fees'] as const) {
          const sum = new AmountColumn(dayCount + 1);
          for (const segment of axes.banks.values()) sum.addColumn(segment[key]);
          expect(amountsOf(sum)).toEqual(amountsOf(whole[key]));
        }
        for (const key of ['begin', 'end', 'flow', 'gain', 'income', 'fees'] as const) {
          const parts = [...axes.banks.values()].map((segment) => segment.totals()[key]);
          expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(whole.totals()[key]);
        }
      }),
    );
  });

  test('the money-weighted return follows from the flows that explain it, to the last bit', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          growingArbitrary,
          caseArbitrary(greatArbitrary).map(({ held }) => held),
        ),
        (held) => {
          const { whole, axes } = returnsOf(method, held[0] ? held[0].values.length - 1 : 1, held);
          for (const segment of [whole, ...axes.banks.values()]) {
            const rate = segment.moneyWeightedReturn();
            expect(rate).toEqual(segment.explainMoneyWeightedReturn().result);
          }
        },
      ),
    );
  });

  test('contributions of a partition add up to the return of the whole', () => {
    fc.assert(
      fc.property(fc.oneof(growingArbitrary, depletableArbitrary), (held) => {
        const { whole, axes } = returnsOf(method, growingDays, held);
        const terms = [...axes.banks.values()].flatMap((segment) => [...segment.contributionTerms()]);
        const scale = terms.reduce((sum, term) => sum + Math.abs(term), 1);
        const sum = [...axes.banks.values()].reduce((sum, segment) => sum + segment.contribution!, 0);
        expect(Math.abs(sum - whole.path.cumulativeReturn!)).toBeLessThan(1e-12 * scale);
        expect(Math.abs(whole.contribution! - whole.path.cumulativeReturn!)).toBeLessThan(1e-12 * scale);
      }),
    );
  });

  test('in another unit of money gains scale with the unit, and ratios stay the same', () => {
    fc.assert(
      fc.property(growingArbitrary, fc.bigInt({ min: 2n, max: 10n ** 15n }), (held, factor) => {
        const scaled = held.map((one) => ({
          ...one,
          values: one.values.map((value) => value * factor),
          flows: one.flows.map((flow) => flow * factor),
        }));
        const before = returnsOf(method, growingDays, held).whole;
        const after = returnsOf(method, growingDays, scaled).whole;
        expect(amountsOf(after.gains)).toEqual(amountsOf(before.gains).map((gain) => gain * factor));
        for (const [index, ratio] of after.path.ratios.entries()) {
          expect(Math.abs(ratio - before.path.ratios[index]!)).toBeLessThanOrEqual(
            1e-13 * Math.max(1, Math.abs(ratio)),
          );
        }
      }),
    );
  });

  test('an empty position has no return and is not flagged', () => {
    const zeros = [0n, 0n, 0n, 0n];
    for (const held of [[], [heldAt('north', zeros, zeros)]]) {
      const { whole, axes } = returnsOf(method, 3, held);
      for (const segment of [whole, ...axes.banks.values()]) {
        expect([...segment.path.ratios]).toEqual([0, 0, 0]);
        expect(segment.flaggedDays()).toEqual([]);
        expect(segment.isCovered).toBe(false);
        expect(segment.path).toMatchObject({ cumulativeReturn: null, noReturn: 'nothing-covered' });
        expect(segment.contribution).toBeNull();
        expect(segment.path.annualised()).toMatchObject({ ratio: null, days: 0, reason: 'nothing-covered' });
        expect(segment.path.volatility()).toMatchObject({ ratio: null, reason: 'nothing-covered' });
        expect(segment.path.maximumDrawdown().ratio).toBeNull();
        expect(segment.moneyWeightedReturn()).toMatchObject({ windowRate: null, reason: 'nothing-covered' });
        expect(segment.totals()).toEqual({ begin: 0n, end: 0n, flow: 0n, gain: 0n, income: 0n, fees: 0n });
      }
    }
  });
});

const growingDays = 20;

function positionsWith(flow: fc.Arbitrary<Fixed>): fc.Arbitrary<Held[]> {
  const gain = fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n });
  const position = fc
    .record({
      begin: fc.bigInt({ min: 10n ** 21n, max: 10n ** 24n }),
      steps: fc.array(fc.tuple(flow, gain), { minLength: growingDays, maxLength: growingDays }),
      bank: fc.constantFrom('north', 'south', 'rest'),
    })
    .map(({ begin, steps, bank }) => {
      const values = [begin];
      for (const [moved, gained] of steps) values.push(values.at(-1)! + moved + gained);
      return heldAt(bank, values, [0n, ...steps.map(([moved]) => moved)]);
    });
  return fc.array(position, { minLength: 1, maxLength: 4 });
}

/** Positions of at least 1,000 with small flows and gains, so that the whole always has a base. */
const growingArbitrary = positionsWith(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 19n }));

/** Flows that can multiply the whole or leave it without a base. */
const depletableArbitrary = positionsWith(fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n }));

test('inflows at the start and outflows at the end of a day do not change the return of values that grow in proportion', () => {
  const growth = fc.array(fc.integer({ min: 900, max: 1_100 }), { minLength: 5, maxLength: 5 });
  const flows = fc.array(fc.bigInt({ min: -(10n ** 19n), max: 10n ** 21n }), { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(growth, flows, (permilles, moved) => {
      const values = [10n ** 21n];
      for (const [index, permille] of permilles.entries()) {
        const flow = moved[index]!;
        const working = values.at(-1)! + (flow > 0n ? flow : 0n);
        values.push((working * BigInt(permille)) / 1_000n + (flow < 0n ? flow : 0n));
      }
      const { whole } = returnsOf('start-end-of-day', 5, [heldAt('north', values, [0n, ...moved])]);
      const expected = cumulativeReturn(permilles.map((permille) => permille / 1_000 - 1));
      expect(Math.abs(whole.path.cumulativeReturn! - expected)).toBeLessThan(1e-13);
    }),
  );
});
