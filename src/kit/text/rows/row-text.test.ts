// Checks rows that are written from columns against the texts that the language and `fixed.ts` give for the same values.

import { expect, test } from 'vitest';
import { doubleText } from '../../decimal.ts';
import { fixedText } from '../../fixed.ts';
import { encodeTexts, rowTexts, sliceTexts, type RowField, type RowValue } from './row-text.ts';

const nothing = { kind: 'nothing' } as const;

/** Taken one by one, since bytes may change when the next piece is taken. */
function* linesOf(count: number, fields: readonly RowField[]): Generator<string> {
  for (const piece of rowTexts(count, [...fields, { before: '\n', value: nothing }]))
    yield* Buffer.from(piece).toString().slice(0, -1).split('\n');
}

/** The first values that differ from what they should be. */
function differences(count: number, value: RowValue, expected: (index: number) => string): string[] {
  const found: string[] = [];
  let index = 0;
  for (const line of linesOf(count, [{ before: '', value }])) {
    const text = expected(index++);
    if (line !== text && found.length < 10) found.push(`${line} instead of ${text}`);
  }
  expect(index).toBe(count);
  return found;
}

function wrongDoubles(doubles: Float64Array): string[] {
  const { length } = doubles;
  const number = (index: number): string => JSON.stringify(doubles[index]);
  const plain = (index: number): string => doubleText(doubles[index]!);
  return [
    ...differences(length, { kind: 'number', doubles }, number),
    ...differences(length, { kind: 'plainNumber', doubles }, plain),
  ];
}

/** The same numbers in every run: xorshift by George Marsaglia. */
function randomIntegers(seed: number): () => number {
  let state = seed;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
}

/** With the doubles next to each. */
function withNeighbours(values: readonly number[]): Float64Array {
  const bits = new BigInt64Array(Float64Array.from(values).buffer);
  const all = [...bits].flatMap((one) => [-2n, -1n, 0n, 1n, 2n].map((step) => one + step));
  return new Float64Array(BigInt64Array.from(all).buffer);
}

test('doubles of all sizes are written as the language writes them', () => {
  const next = randomIntegers(2_463_534_242);
  expect(wrongDoubles(new Float64Array(Uint32Array.from({ length: 600_000 }, next).buffer))).toEqual([]);
});

test('ratios, short decimals and integers are written as the language writes them', () => {
  const next = randomIntegers(88_675_123);
  const ratios = Float64Array.from({ length: 200_000 }, () => (next() / 2 ** 32 - 0.5) / 50);
  const decimals = Float64Array.from({ length: 100_000 }, () => (next() % 1_000_000) / 10 ** (next() % 9));
  const integers = Float64Array.from({ length: 100_000 }, () => next() * 2 ** (next() % 22));
  for (const doubles of [ratios, decimals, integers]) expect(wrongDoubles(doubles)).toEqual([]);
});

test('powers of two and ten, and the doubles beside them, are written as the language writes them', () => {
  const exponents = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  expect(wrongDoubles(withNeighbours(exponents(-1_074, 1_023).map((exponent) => 2 ** exponent)))).toEqual([]);
  expect(wrongDoubles(withNeighbours(exponents(-323, 308).map((exponent) => Number(`1e${exponent}`))))).toEqual([]);
  expect(wrongDoubles(withNeighbours(exponents(-323, 308).map((exponent) => -Number(`5e${exponent}`))))).toEqual([]);
});

test('zeros, the smallest, the largest, and what is not finite', () => {
  const smallest = Float64Array.from({ length: 3_000 }, (_, index) => index * Number.MIN_VALUE);
  expect(wrongDoubles(smallest)).toEqual([]);
  expect(
    wrongDoubles(Float64Array.of(0, -0, Number.MAX_VALUE, -Number.MAX_VALUE, Number.NaN, Infinity, -Infinity, 0, 0)),
  ).toEqual([]);
});

function wrongDecimals(high: Float64Array, low: Float64Array): string[] {
  const text = (index: number): string => fixedText(BigInt(high[index]!) * 10n ** 14n + BigInt(low[index]!));
  return differences(high.length, { kind: 'decimal', high, low }, text);
}

test('decimals of all sizes, whose parts may have opposite signs, are those of their sums', () => {
  const next = randomIntegers(521_288_629);
  const part = (digits: number): number => Math.trunc((next() / 2 ** 31 - 1) * 10 ** digits);
  const count = 200_000;
  const high = Float64Array.from({ length: count }, () => part(next() % 16));
  const low = Float64Array.from({ length: count }, () => part(next() % 15) * (next() % 3));
  expect(
    wrongDecimals(
      high,
      low.map((one) => one % 1e14),
    ),
  ).toEqual([]);
});

test('every digit of a decimal, and the zeros at its end', () => {
  const powers = Array.from({ length: 14 }, (_, exponent) => 10 ** exponent);
  const lows = [0, -0, ...powers.flatMap((power) => [power, -power, 9 * power, 1e14 - power]), 99_999_999_999_999];
  const highs = [0, -0, 1, -1, 9_999, 10_000, -10_001, 99_999_999, 10 ** 12, 2 ** 51];
  const pairs = highs.flatMap((high) => lows.map((low) => [high, low] as const));
  expect(
    wrongDecimals(
      Float64Array.from(pairs, ([high]) => high),
      Float64Array.from(pairs, ([, low]) => low),
    ),
  ).toEqual([]);
  // All groups of four digits, at each place of a word.
  const groups = Float64Array.from({ length: 10_000 }, (_, index) => index * 10_000 + (9_999 - index));
  expect(
    wrongDecimals(
      groups.map((one) => one * 10_000),
      groups,
    ),
  ).toEqual([]);
});

test('rows have all their fields, and nothing after the last of them where something is between', () => {
  const texts = encodeTexts(Array.from({ length: 1_203 }, (_, index) => 'größer '.repeat(index % 5)));
  const doubles = Float64Array.from({ length: 1_203 }, (_, index) => (index >> 2) / 8);
  const long = '…'.repeat(2_000);
  for (const before of ['', '"', long]) {
    const fields: RowField[] = [
      { before: '{', value: { kind: 'text', textsOf: (start, end) => sliceTexts(texts, start, end) } },
      { before, value: { kind: 'number', doubles } },
      { before: '}', value: nothing },
    ];
    let index = 0;
    let last = 0;
    for (const piece of rowTexts(1_203, fields, ', ')) {
      const rows = Buffer.from(piece).toString();
      const end = Math.min(index + 500, 1_203);
      const expected = Array.from({ length: end - index }, (_, at) => {
        return `{${'größer '.repeat((index + at) % 5)}${before}${((index + at) >> 2) / 8}}`;
      });
      expect(rows === expected.join(', ') + (end < 1_203 ? ', ' : '')).toBe(true);
      [index, last] = [end, rows.length];
    }
    expect([index, last > 0]).toEqual([1_203, true]);
  }
});
