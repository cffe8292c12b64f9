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

/** Written out with integers, so that it cannot share a mistake. */
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

/** What a way puts, or undefined where it declines. */
function put(way: (parts: { high: Float64Array; low: Float64Array }) => boolean): bigint | undefined {
  const parts = { high: new Float64Array(1), low: new Float64Array(1) };
  if (!way(parts)) return undefined;
  expect(Math.abs(parts.low[0]!)).toBeLessThan(1e14);
  return amountFromParts(parts.high[0]!, parts.low[0]!);
}

function putByDivision(factors: Factors, places: number): bigint | undefined {
  const scale = scaleOf(places);
  return put((parts) => writeByDivision(parts, 0, { ...factors, units: factors.units * scale.highPerOne }, scale));
}

function oneDay({ units, price }: Factors, places: number) {
  const scale = scaleOf(places);
  const run = constantRun({ units: units * scale.highPerOne, scale }, { start: 0, end: 1 });
  return { run, prices: { values: Float64Array.of(price), maxAbs: Math.abs(price) } };
}

function writeByRate(factors: Factors, places: number): bigint | undefined {
  const { run, prices } = oneDay(factors, places);
  const fractions = { by: Float64Array.of(factors.by), per: Float64Array.of(factors.per) };
  const rates = splitRates(fractions, run.scale.finerPlaces);
  if (!isMediumProduct(run, prices, rates)) return undefined;
  return put((parts) => writeConvertedValues(parts, prices, rates, run).length === 0);
}

function writeAlone(factors: Factors, places: number): bigint | undefined {
  const { run, prices } = oneDay(factors, places);
  if (!isShortProduct(run, prices)) return undefined;
  return put((parts) => writeValues(parts, prices, run).length === 0);
}

/** Of every length, and those beside powers of two. */
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
  ['by division', putByDivision],
  ['by the rate', writeByRate],
])('units × price × rate %s', (_name, way) => {
  test('is the same to the last place as with integers of any length, or declined', () => {
    let answers = 0;
    fc.assert(
      fc.property(cases, ({ units, price, rate, places }) => {
        const factors = { units, price, ...rate };
        const value = way(factors, places);
        if (value !== undefined) answers++;
        expect(value ?? exactly(factors, places)).toBe(exactly(factors, places));
      }),
      { numRuns: 20_000 },
    );
    expect(answers).toBeGreaterThan(5_000);
  });

  test('is right on every day of a usual rate', () => {
    for (let step = 0; step < 20_000; step++) {
      const factors = {
        units: 123_456_789 + 7 * step,
        price: 1_234_567 - step,
        by: 10_000,
        per: 10_001 + (step % 900),
      };
      const value = way(factors, 10);
      expect(value ?? exactly(factors, 10)).toBe(exactly(factors, 10));
    }
  });
});

// 18 places in all: units are counted in the smallest part there is.
test.each([
  [1, 0n],
  [3, 2n],
  [5, 2n],
  [-1, 0n],
  [-3, -2n],
  [-5, -2n],
  [100_000_000_000_003, 50_000_000_000_002n],
])('half of %d smallest parts is %d: a tie goes to the even one', (units, expected) => {
  const factors = { units, price: 1, by: 1, per: 2 };
  expect(putByDivision(factors, 18)).toBe(expected);
  expect(writeByRate(factors, 18)).toBeUndefined();
});

test('what lies close to a tie is left to the division', () => {
  let close = 0;
  for (let units = 1; units <= 5_000; units++) {
    const factors = { units, price: 1, by: 1, per: 2 ** 51 };
    const hundredths = Number((BigInt(units) * 10n ** 16n) / 2n ** 51n) % 100;
    if (hundredths !== 49 && hundredths !== 50) continue;
    close++;
    expect(putByDivision(factors, 4)).toBe(exactly(factors, 4));
    expect(writeByRate(factors, 4)).toBeUndefined();
  }
  expect(close).toBeGreaterThan(50);
});

describe('the largest values', () => {
  const most = 2 ** 50;

  test('in one currency have 2^50 ten-thousandths, and 2^52 smallest parts of the product', () => {
    const factors = { price: 1, by: 1, per: 1 };
    expect(writeAlone({ ...factors, units: -most }, 4)).toBe(-BigInt(most) * 10n ** 14n);
    expect(writeAlone({ ...factors, units: most + 1 }, 4)).toBeUndefined();
    expect(writeAlone({ ...factors, units: 2 ** 52 - 1 }, 10)).toBe((2n ** 52n - 1n) * 10n ** 8n);
    expect(writeAlone({ ...factors, units: 2 ** 52 + 1 }, 10)).toBeUndefined();
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
    expect(putByDivision(factors, 4)).toBe(isAnswered ? exactly(factors, 4) : undefined);
  });

  test('at 2^48 ten-thousandths are right wherever it is sure', () => {
    let answers = 0;
    for (let step = 0; step < 5_000; step++) {
      const per = 1_000_003 + 2 * step;
      const factors = { units: 2 ** 30 - step, price: 2 ** 18 - 1, by: per - 1, per };
      const value = writeByRate(factors, 4);
      if (value !== undefined) answers++;
      expect(value ?? exactly(factors, 4)).toBe(exactly(factors, 4));
    }
    expect(5_000 - answers).toBeGreaterThan(150);
    expect(5_000 - answers).toBeLessThan(250);
  });

  test('a product longer than a double loses nothing', () => {
    for (let step = 0; step < 1_000; step++) {
      const factors = { units: 2 ** 47 - 111 - step, price: 2 ** 33 - 55, by: 10_000, per: 10_876 };
      expect(putByDivision(factors, 14)).toBe(exactly(factors, 14));
      const value = writeByRate(factors, 14);
      expect(value ?? exactly(factors, 14)).toBe(exactly(factors, 14));
    }
    expect(writeByRate({ units: 2 ** 47 - 111, price: 2 ** 33 - 55, by: 10_000, per: 10_876 }, 14)).toBeDefined();
  });
});

test('in one currency a value is units × price, whatever its places', () => {
  fc.assert(
    fc.property(cases, ({ units, price, places }) => {
      const factors = { units, price, by: 1, per: 1 };
      expect(writeAlone(factors, places) ?? exactly(factors, places)).toBe(exactly(factors, places));
    }),
    { numRuns: 5_000 },
  );
});

test('beyond 18 places there is no scale', () => {
  expect(findValueScale(19)).toBeUndefined();
});
