// Checks quick values against quotes and conversions with bigints: the same to the last place on every day.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
import { AmountColumn } from '../amounts/amount-column.ts';
import { DailyPrices } from './daily-prices.ts';
import { DailyRates } from './daily-rates.ts';
import { convertedAmount, ExchangeRates, MissingRateError } from '../currencies/exchange-rates.ts';
import { quickAmounts, quickCash, quickFlows, quickValues, type DatedColumn } from './quick-values.ts';
import { findQuote, quotedValue, type QuoteUnit, type QuotedSeries } from '../instruments/quote.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import { Series, type Point } from '../amounts/series.ts';

const window = { first: 100, last: 139 };
const dayCount = 40;
const days = Array.from({ length: dayCount }, (_, index) => window.first + index);

interface Step {
  readonly day: number;
  readonly value: number;
}

function column(steps: readonly Step[], scale: number): DatedColumn {
  const sorted = steps.toSorted((one, other) => one.day - other.day);
  return {
    days: Int32Array.from(sorted, ({ day }) => day),
    values: Float64Array.from(sorted, ({ value }) => value),
    scale,
  };
}

const fixedOf = (value: number, scale: number): Fixed => BigInt(value) * 10n ** BigInt(18 - scale);

function heldOn({ days, values, scale }: DatedColumn, day: number): Fixed {
  const at = days.findLastIndex((each) => each <= day);
  return at < 0 ? 0n : fixedOf(values[at]!, scale);
}

const amounts = (from: AmountColumn): Fixed[] => Array.from({ length: from.length }, (_, index) => from.at(index));

const anyPoint = (day: number, value: Fixed): Point => ({ day, value });
const rateSeries = fc.array(
  fc.record({
    day: fc.integer({ min: 60, max: 139 }),
    value: fc.oneof(
      fc.integer({ min: 5_000, max: 20_000 }).map((rate) => fixedOf(rate, 4)),
      fc.integer({ min: 1, max: 1_000_000 }).map((rate) => fixedOf(rate, 2)),
      fc.bigInt({ min: 1n, max: 10n ** 20n }),
    ),
  }),
  { maxLength: 12 },
);
const exchange = fc.tuple(rateSeries, rateSeries).map(
  ([dollars, yen]) =>
    new ExchangeRates([
      { base: 'EUR', quote: 'USD', points: [anyPoint(50, fixedOf(10_876, 4)), ...dollars] },
      { base: 'EUR', quote: 'JPY', points: [anyPoint(50, fixedOf(16_345, 2)), ...yen] },
    ]),
);
const ways = fc.constantFrom(['EUR', 'EUR'], ['USD', 'EUR'], ['EUR', 'USD'], ['JPY', 'USD'], ['USD', 'JPY']);

/** Zero, and positive and negative sizes with few or many digits. */
const size = fc.oneof(
  fc.constant(0),
  fc.integer({ min: -100_000, max: 100_000 }).map((value) => value * 100),
  fc.integer({ min: 0, max: 52 }).chain((bits) => fc.integer({ min: -(2 ** bits), max: 2 ** bits })),
);
const steps = fc.record({
  scale: fc.integer({ min: 0, max: 10 }),
  steps: fc.array(fc.record({ day: fc.integer({ min: 90, max: 145 }), value: size }), { maxLength: 6 }),
});
const prices = fc.array(
  fc.record({
    day: fc.integer({ min: 90, max: 145 }),
    value: fc.oneof(
      fc.integer({ min: 1, max: 10_000_000 }).map((price) => fixedOf(price, 4)),
      fc.integer({ min: -5, max: 1_000_000 }).map((price) => fixedOf(price, 2)),
      fc.bigInt({ min: 1n, max: 10n ** 24n }),
    ),
  }),
  { maxLength: 20 },
);
const splits = fc.array(
  fc.record({
    exDay: fc.integer({ min: 90, max: 145 }),
    ratio: fc.record({ numerator: fc.bigInt({ min: 1n, max: 20n }), denominator: fc.bigInt({ min: 1n, max: 3n }) }),
  }),
  { maxLength: 2 },
);
const priceUnits = fc.constantFrom<QuoteUnit>('1', 'per 100', 'hundredths');

function quotedOf(points: readonly Point[], changes: readonly UnitChange[]): QuotedSeries {
  const sorted = changes.toSorted((one, other) => one.exDay - other.exDay);
  return { series: new Series(points), changes: sorted, staleness: { daysMax: 10 } };
}

test('a position is worth units × price × rate on every day, rounded like bigints', () => {
  fc.assert(
    fc.property(steps, prices, splits, priceUnits, exchange, ways, (held, points, changes, unit, rates, way) => {
      const [from, to] = way as [string, string];
      const quoted = quotedOf(points, changes);
      const units = column(held.steps, held.scale);
      const values = new AmountColumn(dayCount);
      const daily = new DailyRates(rates, { from, to }, window);
      const result = quickValues({ units, prices: new DailyPrices(quoted, unit, window), rates: daily }, values);
      const unpriced = days.filter((day) => heldOn(units, day) !== 0n && !findQuote(quoted, day));
      const lastUnpriced = days.findLast((day) => !findQuote(quoted, day));
      expect(result).toEqual({
        unpricedDays: unpriced.length > 0 ? { first: unpriced[0], last: lastUnpriced } : undefined,
      });
      const expected = days.map((day) => {
        const quote = findQuote(quoted, day);
        return quote ? convertedAmount(quotedValue(heldOn(units, day), quote, unit), rates.get({ from, to, day })) : 0n;
      });
      expect(amounts(values)).toEqual(expected);
      const twice = new AmountColumn(dayCount);
      twice.addColumn(values);
      twice.addColumn(values);
      expect(amounts(twice)).toEqual(expected.map((value) => 2n * value));
    }),
    { numRuns: 1_500 },
  );
});

/** Of sizes that portfolios mostly have, with a price from before the window on. */
const commonSteps = fc.record({
  scale: fc.integer({ min: 0, max: 4 }),
  steps: fc.array(
    fc.record({ day: fc.integer({ min: 90, max: 145 }), value: fc.integer({ min: -10_000, max: 1_000_000 }) }),
    { maxLength: 6 },
  ),
});
const commonPrices = fc
  .array(
    fc.record({
      day: fc.integer({ min: 90, max: 145 }),
      value: fc.integer({ min: 1, max: 10_000_000 }).map((price) => fixedOf(price, 4)),
    }),
    { maxLength: 20 },
  )
  .map((points) => [anyPoint(80, fixedOf(1_234_567, 4)), ...points]);
const commonExchange = fc
  .array(
    fc.record({
      day: fc.integer({ min: 60, max: 139 }),
      value: fc.integer({ min: 5_000, max: 20_000 }).map((rate) => fixedOf(rate, 4)),
    }),
    { maxLength: 30 },
  )
  .map(
    (dollars) =>
      new ExchangeRates([
        { base: 'EUR', quote: 'USD', points: [anyPoint(50, fixedOf(10_876, 4)), ...dollars] },
        { base: 'EUR', quote: 'JPY', points: [anyPoint(50, fixedOf(16_345, 2))] },
      ]),
  );

test('what the rates bring is each value at the next rate less that value, to the last place', () => {
  let sums = 0;
  fc.assert(
    fc.property(
      fc.oneof(steps, { arbitrary: commonSteps, weight: 4 }),
      fc.oneof(prices, { arbitrary: commonPrices, weight: 4 }),
      splits,
      priceUnits,
      fc.oneof(exchange, { arbitrary: commonExchange, weight: 2 }),
      ways,
      (held, points, changes, unit, rates, way) => {
        const [from, to] = way as [string, string];
        const quoted = quotedOf(points, changes);
        const units = column(held.steps, held.scale);
        const request = {
          units,
          prices: new DailyPrices(quoted, unit, window),
          rates: new DailyRates(rates, { from, to }, window),
        };
        const [values, plain] = [new AmountColumn(dayCount), new AmountColumn(dayCount)];
        const rateGain = quickValues({ ...request, sumsRateGain: true }, values)?.rateGain;
        expect(quickValues(request, plain)).not.toHaveProperty('rateGain');
        expect(amounts(values)).toEqual(amounts(plain));
        if (rateGain === undefined) return;
        sums++;
        const gains = days.slice(0, -1).map((day) => {
          const quote = findQuote(quoted, day);
          const value = quote ? quotedValue(heldOn(units, day), quote, unit) : 0n;
          const [today, tomorrow] = [day, day + 1].map((on) =>
            convertedAmount(value, rates.get({ from, to, day: on })),
          );
          return tomorrow! - today!;
        });
        expect(rateGain).toBe(gains.reduce((sum, gain) => sum + gain, 0n));
      },
    ),
    { numRuns: 1_500 },
  );
  expect(sums).toBeGreaterThan(300);
});

test.each([1, -1])(
  'what the rates bring to %i unit is exact also where small parts add up over a long window',
  (held) => {
    const long = { first: 100, last: 699 };
    const each = Array.from({ length: 600 }, (_, index) => long.first + index);
    // Every product is just below or just above a multiple of a ten-thousandth, so that each day's gain has a rest of the same sign.
    const isEven = (day: number): boolean => day % 2 === 0;
    const rateOn = (day: number): Fixed => fixedOf(isEven(day) ? 899_951 : 800_049, 6);
    const priceOn = (day: number): Fixed => fixedOf(isEven(day) ? 1 : 2, 0);
    const rates = new ExchangeRates([
      { base: 'USD', quote: 'EUR', points: each.map((day) => anyPoint(day, rateOn(day))) },
    ]);
    const request = {
      units: column([{ day: long.first, value: held }], 0),
      prices: new DailyPrices(
        quotedOf(
          each.map((day) => anyPoint(day, priceOn(day))),
          [],
        ),
        '1',
        long,
      ),
      rates: new DailyRates(rates, { from: 'USD', to: 'EUR' }, long),
    };
    const gains = each.slice(0, -1).map((day) => (priceOn(day) * (rateOn(day + 1) - rateOn(day))) / 10n ** 18n);
    expect(quickValues({ ...request, sumsRateGain: true }, new AmountColumn(600))?.rateGain).toBe(
      BigInt(held) * gains.reduce((sum, gain) => sum + gain, 0n),
    );
  },
);

test('cash is worth its balance at the rate of every day', () => {
  fc.assert(
    fc.property(steps, exchange, ways, (held, rates, way) => {
      const [from, to] = way as [string, string];
      const balances = column(held.steps, held.scale);
      const values = new AmountColumn(dayCount);
      expect(quickCash({ balances, rates: new DailyRates(rates, { from, to }, window) }, values)).toBe(true);
      expect(amounts(values)).toEqual(
        days.map((day) => convertedAmount(heldOn(balances, day), rates.get({ from, to, day }))),
      );
    }),
    { numRuns: 500 },
  );
});

/** The largest amount that two doubles hold. */
const fitMax = 2n ** 51n * 10n ** 14n;

test('flows are converted one by one and added up by day', () => {
  let results = 0;
  fc.assert(
    fc.property(steps, exchange, ways, (paid, rates, way) => {
      const [from, to] = way as [string, string];
      const flows = column(paid.steps, paid.scale);
      const entries = quickFlows({ flows, rates: new DailyRates(rates, { from, to }, window) });
      const convertedOn = (day: number) =>
        paid.steps
          .filter((step) => step.day === day)
          .map(({ value }) => convertedAmount(fixedOf(value, paid.scale), rates.get({ from, to, day })));
      const isLong = (day: number) => convertedOn(day).reduce((sum, amount) => sum + magnitude(amount), 0n) > fitMax;
      const expected = days.map((day) => convertedOn(day).reduce((sum, amount) => sum + amount, 0n));
      const found = entries && days.map((_, index) => entries.at(index));
      if (found !== undefined) results++;
      expect(found !== undefined || days.some(isLong)).toBe(true);
      expect(found ?? expected).toEqual(expected);
    }),
    { numRuns: 500 },
  );
  expect(results).toBeGreaterThan(250);
});

test('amounts of rows are converted one by one, each to its own place, however large they are', () => {
  let oversized = 0;
  fc.assert(
    fc.property(steps, exchange, ways, (paid, rates, way) => {
      const [from, to] = way as [string, string];
      const flows = column(paid.steps, paid.scale);
      const indexes = Uint32Array.from(paid.steps, (_, index) => 2 * index + 1);
      const converted = new AmountColumn(2 * indexes.length + 1);
      expect(quickAmounts({ flows, rates: new DailyRates(rates, { from, to }, window), indexes }, converted)).toBe(
        true,
      );
      const expected = Array.from(flows.days, (day, index) =>
        day < window.first || day > window.last
          ? 0n
          : convertedAmount(fixedOf(flows.values[index]!, flows.scale), rates.get({ from, to, day })),
      );
      if (expected.some((amount) => magnitude(amount) > fitMax)) oversized++;
      expect(amounts(converted)).toEqual([0n, ...expected.flatMap((amount) => [amount, 0n])]);
    }),
    { numRuns: 500 },
  );
  expect(oversized).toBeGreaterThan(20);
});

const euroDollar = new ExchangeRates([{ base: 'EUR', quote: 'USD', points: [anyPoint(110, fixedOf(10_876, 4))] }]);
const intoEuro = new DailyRates(euroDollar, { from: 'USD', to: 'EUR' }, window);
const priced = new DailyPrices(quotedOf([anyPoint(100, fixedOf(12_345, 2))], []), '1', window);

test('the largest values still add up', () => {
  const size = 2 ** 49 + 1;
  const values = new AmountColumn(dayCount);
  const sum = new AmountColumn(dayCount);
  const rates = new DailyRates(euroDollar, { from: 'EUR', to: 'EUR' }, window);
  quickCash({ balances: column([{ day: 100, value: size }], 4), rates }, values);
  for (let count = 0; count < 31; count++) sum.addColumn(values);
  expect(sum.at(5)).toBe(31n * fixedOf(size, 4));
});

test.each([
  [2 ** 28 + 1, 1_025],
  [2 ** 38 + 1, 1_025],
  [2 ** 39 - 1, 2 ** 13 - 1],
  [2 ** 52 + 1, 3],
])('%d whole units at a price of %d are worth the product', (held, price) => {
  const values = new AmountColumn(dayCount);
  const rates = new DailyRates(euroDollar, { from: 'EUR', to: 'EUR' }, window);
  const prices = new DailyPrices(quotedOf([anyPoint(100, fixedOf(price, 0))], []), '1', window);
  quickValues({ units: column([{ day: 100, value: held }], 0), prices, rates }, values);
  expect(values.at(5)).toBe(BigInt(held) * fixedOf(price, 0));
});

test('a position that was never held leaves the column empty', () => {
  const values = new AmountColumn(dayCount);
  quickValues({ units: column([{ day: 100, value: 0 }], 0), prices: priced, rates: intoEuro }, values);
  expect(values.isEmpty).toBe(true);
});

describe('a missing rate', () => {
  const missing = (day: number) => new MissingRateError({ from: 'USD', to: 'EUR', day });
  const bought = (day: number) => column([{ day, value: 3 }], 0);

  test('is an error on the first day that needs it', () => {
    const values = () => new AmountColumn(dayCount);
    expect(() => quickValues({ units: bought(50), prices: priced, rates: intoEuro }, values())).toThrow(missing(100));
    expect(() => quickValues({ units: bought(105), prices: priced, rates: intoEuro }, values())).toThrow(missing(105));
    expect(() => quickCash({ balances: bought(109), rates: intoEuro }, values())).toThrow(missing(109));
    expect(() => quickFlows({ flows: bought(107), rates: intoEuro })).toThrow(missing(107));
  });

  test('is no error while there is nothing to convert', () => {
    const [values, cash] = [new AmountColumn(dayCount), new AmountColumn(dayCount)];
    const late = column(
      [
        { day: 101, value: 0 },
        { day: 110, value: 3 },
      ],
      0,
    );
    quickValues({ units: late, prices: priced, rates: intoEuro }, values);
    quickCash({ balances: late, rates: intoEuro }, cash);
    const flows = quickFlows({ flows: late, rates: intoEuro })!;
    expect([values.at(9), values.at(10)]).toEqual([0n, 340_520_411_916_145_641_780n]);
    expect([cash.at(9), cash.at(10), flows.at(10)]).toEqual([
      0n,
      2_758_367_046_708_348_658n,
      2_758_367_046_708_348_658n,
    ]);
  });

  test('is no error if the price is zero', () => {
    const worthless = new DailyPrices(quotedOf([anyPoint(100, 0n)], []), '1', window);
    const values = new AmountColumn(dayCount);
    quickValues({ units: bought(100), prices: worthless, rates: intoEuro }, values);
    expect(values.sum()).toBe(0n);
  });
});

describe('no answer is given', () => {
  const unknown = column(
    [
      { day: 100, value: 1 },
      { day: 120, value: Number.NaN },
    ],
    0,
  );
  const tooLong = column([{ day: 100, value: 2 ** 53 }], 0);

  test.each([unknown, tooLong])('if units do not fit a double, and nothing is written', (units) => {
    const values = new AmountColumn(dayCount);
    expect(quickValues({ units, prices: priced, rates: intoEuro }, values)).toBeUndefined();
    expect(quickCash({ balances: units, rates: intoEuro }, values)).toBe(false);
    expect(quickFlows({ flows: units, rates: intoEuro })).toBeUndefined();
    expect(values.isEmpty).toBe(true);
  });

  test('if the days do not match or the column is in use', () => {
    const units = column([{ day: 120, value: 1 }], 0);
    const [earlier, shorter, shifted] = [
      { first: 99, last: 139 },
      { first: 100, last: 138 },
      { first: 101, last: 140 },
    ].map((span) => new DailyPrices(priced.quoted, '1', span));
    const used = new AmountColumn(dayCount);
    used.set(0, 1n);
    const refused = (prices: DailyPrices, into: AmountColumn) => () =>
      quickValues({ units, prices, rates: intoEuro }, into);
    for (const other of [earlier!, shorter!, shifted!])
      expect(refused(other, new AmountColumn(dayCount))).toThrow(RangeError);
    expect(refused(priced, new AmountColumn(dayCount - 1))).toThrow(RangeError);
    expect(refused(priced, used)).toThrow(RangeError);
    expect(() => quickCash({ balances: units, rates: intoEuro }, used)).toThrow(RangeError);
  });
});
