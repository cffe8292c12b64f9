import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { amountFromParts } from '../amounts/amount-parts.ts';
import {
  isMediumProduct,
  isShortProduct,
  findValueScale,
  writeConvertedValues,
  writeByDivision,
  writeValues,
  type Factors,
  type ValueScale,
} from './converted-value.ts';
import { constantRun } from './scaled-units.ts';
import { splitRates } from './split-rates.ts';

/** Written independently of the engine with bigints, so that both cannot have the same mistake. */
function halfEven(dividend: bigint, divisor: bigint): bigint {
  if (dividend < 0n) return -halfEven(-dividend, divisor);
  const [floor, rest] = [dividend / divisor, dividend % divisor];
  if (rest * 2n === divisor) return floor + (floor % 2n);
  return rest * 2n > divisor ? floor + 1n : floor;
}

function exactly({ units, price, by, per }: Factors, places: number): bigint {
  return halfEven(BigInt(units) * BigInt(price) * BigInt(by) * 10n ** BigInt(18 - places), BigInt(per));
}

const scaleOf = (places: number): ValueScale => findValueScale(places)!;

/** The value that a method writes, or undefined if it declines. */
function writtenValue(write: (parts: { high: Float64Array; low: Float64Array }) => boolean): bigint | undefined {
  const parts = { high: new Float64Array(1), low: new Float64Array(1) };
  if (!write(parts)) return undefined;
  expect(Math.abs(parts.low[0]!)).toBeLessThan(1e14);
  return amountFromParts(parts.high[0]!, parts.low[0]!);
}

function valueByDivision(factors: Factors, places: number): bigint | undefined {
  const scale = scaleOf(places);
  return writtenValue((parts) =>
    writeByDivision(parts, 0, { ...factors, units: factors.units * scale.highPerOne }, scale),
  );
}

function oneDay({ units, price }: Factors, places: number) {
  const scale = scaleOf(places);
  const run = constantRun({ units: units * scale.highPerOne, scale }, { start: 0, end: 1 });
  return { run, prices: { values: Float64Array.of(price), maxAbs: Math.abs(price) } };
}

function valueByRate(factors: Factors, places: number): bigint | undefined {
  const { run, prices } = oneDay(factors, places);
  const fractions = { by: Float64Array.of(factors.by), per: Float64Array.of(factors.per) };
  const rates = splitRates(fractions, run.scale.finerPlaces);
  if (!isMediumProduct(run, prices, rates)) return undefined;
  return writtenValue((parts) => writeConvertedValues(parts, prices, rates, run).length === 0);
}

function valueInOneCurrency(factors: Factors, places: number): bigint | undefined {
  const { run, prices } = oneDay(factors, places);
  if (!isShortProduct(run, prices)) return undefined;
  return writtenValue((parts) => writeValues(parts, prices, run).length === 0);
}

/** Integers of every length, including those close to the maximum. */
function integers(max: number): fc.Arbitrary<number> {
  return fc.oneof(
    fc.integer({ min: 0, max: Math.floor(Math.log2(max)) }).chain((bits) => fc.integer({ min: 1, max: 2 ** bits })),
    fc.integer({ min: max - 1_000, max }),
    fc.integer({ min: 1, max: 20 }),
  );
}

const rates = fc.oneof(
  fc.record({ by: integers(2 ** 20), per: fc.constantFrom(1, 100, 10_000, 1_000_000) }),
  fc.record({ by: fc.constantFrom(1, 100, 10_000, 1_000_000), per: integers(2 ** 20) }),
  fc.record({ by: integers(2 ** 40), per: integers(2 ** 40) }),
  fc.record({ by: integers(2 ** 53 - 1), per: integers(2 ** 53 - 1) }),
);

const cases = fc.record({
  units: fc.tuple(integers(2 ** 40), fc.boolean()).map(([size, isShort]) => (isShort ? -size : size)),
  price: integers(2 ** 40),
  rate: rates,
  places: fc.integer({ min: 0, max: 18 }),
});

describe.each([
  ['by division', valueByDivision],
  ['by the rate', valueByRate],
])('units × price × rate %s', (_name, convert) => {
  test('equals the bigint result to the last place, or is declined', () => {
    let answers = 0;
    fc.assert(
      fc.property(cases, ({ units, price, rate, places }) => {
        const factors = { units, price, ...rate };
        const value = convert(factors, places);
        if (value !== undefined) answers++;
        expect(value ?? exactly(factors, places)).toBe(exactly(factors, places));
      }),
      { numRuns: 12_000 },
    );
    expect(answers).toBeGreaterThan(5_000);
  });

  test('is exact for common rates', () => {
    for (let step = 0; step < 20_000; step++) {
      const factors = {
        units: 123_456_789 + 7 * step,
        price: 1_234_567 - step,
        by: 10_000,
        per: 10_001 + (step % 900),
      };
      const value = convert(factors, 10);
      expect(value ?? exactly(factors, 10)).toBe(exactly(factors, 10));
    }
  });
});

// With 18 decimal places, units are counted in the smallest unit.
test.each([
  [1, 0n],
  [3, 2n],
  [5, 2n],
  [-1, 0n],
  [-3, -2n],
  [-5, -2n],
  [100_000_000_000_003, 50_000_000_000_002n],
])('half of %d smallest units is %d: a tie is rounded to even', (units, expected) => {
  const factors = { units, price: 1, by: 1, per: 2 };
  expect(valueByDivision(factors, 18)).toBe(expected);
  expect(valueByRate(factors, 18)).toBeUndefined();
});

test('a value close to a tie is left to the division', () => {
  let close = 0;
  for (let units = 1; units <= 5_000; units++) {
    const factors = { units, price: 1, by: 1, per: 2 ** 51 };
    const hundredths = Number((BigInt(units) * 10n ** 16n) / 2n ** 51n) % 100;
    if (hundredths !== 49 && hundredths !== 50) continue;
    close++;
    expect(valueByDivision(factors, 4)).toBe(exactly(factors, 4));
    expect(valueByRate(factors, 4)).toBeUndefined();
  }
  expect(close).toBeGreaterThan(50);
});

describe('the largest values', () => {
  const most = 2 ** 50;

  test('in one currency are 2^50 ten-thousandths, and 2^52 smallest units of the product', () => {
    const factors = { price: 1, by: 1, per: 1 };
    expect(valueInOneCurrency({ ...factors, units: -most }, 4)).toBe(-BigInt(most) * 10n ** 14n);
    expect(valueInOneCurrency({ ...factors, units: most + 1 }, 4)).toBeUndefined();
    expect(valueInOneCurrency({ ...factors, units: 2 ** 52 - 1 }, 10)).toBe((2n ** 52n - 1n) * 10n ** 8n);
    expect(valueInOneCurrency({ ...factors, units: 2 ** 52 + 1 }, 10)).toBeUndefined();
  });

  test.each([
    [2 ** 50, 1, 1, true],
    [2 ** 50 + 4, 1, 1, false],
    [2 ** 49, 2 ** 51, 2 ** 50, true],
    [2 ** 49 + 4, 2 ** 51, 2 ** 50, false],
    [7, 2 ** 53 - 1, 2 ** 51, true],
    [7, 2 ** 53 - 1, 2 ** 51 + 1, false],
  ])('by division: %d × %d / %d is answered: %s', (units, by, per, isAnswered) => {
    const factors = { units, price: 1, by, per };
    expect(valueByDivision(factors, 4)).toBe(isAnswered ? exactly(factors, 4) : undefined);
  });

  test('at 2^48 ten-thousandths are exact wherever there is an answer', () => {
    let answers = 0;
    for (let step = 0; step < 5_000; step++) {
      const per = 1_000_003 + 2 * step;
      const factors = { units: 2 ** 30 - step, price: 2 ** 18 - 1, by: per - 1, per };
      const value = valueByRate(factors, 4);
      if (value !== undefined) answers++;
      expect(value ?? exactly(factors, 4)).toBe(exactly(factors, 4));
    }
    expect(5_000 - answers).toBeGreaterThan(150);
    expect(5_000 - answers).toBeLessThan(250);
  });

  test('a product with more digits than a double loses none', () => {
    for (let step = 0; step < 1_000; step++) {
      const factors = { units: 2 ** 47 - 111 - step, price: 2 ** 33 - 55, by: 10_000, per: 10_876 };
      expect(valueByDivision(factors, 14)).toBe(exactly(factors, 14));
      const value = valueByRate(factors, 14);
      expect(value ?? exactly(factors, 14)).toBe(exactly(factors, 14));
    }
    expect(valueByRate({ units: 2 ** 47 - 111, price: 2 ** 33 - 55, by: 10_000, per: 10_876 }, 14)).toBeDefined();
  });
});

test('in one currency a value is units × price, whatever its decimal places', () => {
  fc.assert(
    fc.property(cases, ({ units, price, places }) => {
      const factors = { units, price, by: 1, per: 1 };
      expect(valueInOneCurrency(factors, places) ?? exactly(factors, places)).toBe(exactly(factors, places));
    }),
    { numRuns: 5_000 },
  );
});

test('there is no scale beyond 18 decimal places', () => {
  expect(findValueScale(19)).toBeUndefined();
});
