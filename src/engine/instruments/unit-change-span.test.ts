// Compares the splits between two days with their definition, and counts how often ratios are multiplied.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changesBetween, type UnitChange } from './unit-change-span.ts';

const changesArbitrary = fc
  .array(
    fc.record({
      exDay: fc.integer({ min: 1, max: 30 }),
      ratio: fc.record({
        numerator: fc.bigInt({ min: 1n, max: 50n }),
        denominator: fc.bigInt({ min: 1n, max: 50n }),
      }),
    }),
    { maxLength: 12 },
  )
  .map((changes) => changes.toSorted((one, other) => one.exDay - other.exDay));

const spanArbitrary = fc.record({ after: fc.nat(31), until: fc.oneof(fc.nat(31), fc.constant(Infinity)) });

test('a span has the splits after one day and up to another, with the product of their ratios, whatever was asked for before', () => {
  const check = (changes: readonly UnitChange[], spans: readonly { after: number; until: number }[]): void => {
    for (const { after, until } of spans) {
      const within = changes.filter(({ exDay }) => after < exDay && exDay <= until);
      expect(changesBetween(changes, { after, until })).toMatchObject({
        changes: within,
        unitsBefore: within.reduce((product, { ratio }) => product * ratio.denominator, 1n),
        unitsAfter: within.reduce((product, { ratio }) => product * ratio.numerator, 1n),
      });
    }
  };
  fc.assert(fc.property(changesArbitrary, fc.array(spanArbitrary, { minLength: 1, maxLength: 20 }), check));
});

test.each([
  ['later days are asked for', (day: number) => ({ after: 0, until: day })],
  ['earlier points are adjusted', (day: number) => ({ after: 2_000 - day, until: Infinity })],
])('each ratio is multiplied once while %s', (_, spanOf) => {
  const count = 2_000;
  let readCount = 0;
  const changes = Array.from({ length: count }, (__, index): UnitChange => ({
    exDay: index + 1,
    get ratio() {
      readCount++;
      return { numerator: 2n, denominator: 1n };
    },
  }));
  for (let day = 0; day <= count; day++) changesBetween(changes, spanOf(day));
  expect(changesBetween(changes, spanOf(count)).unitsAfter).toBe(2n ** BigInt(count));
  expect(readCount).toBe(2 * count);
});
