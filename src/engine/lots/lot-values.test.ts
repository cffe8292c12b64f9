import fc from 'fast-check';
import { expect, test } from 'vitest';
import { magnitude, oneFixed } from '../../kit/fixed.ts';
import { lotValues } from './lot-values.ts';

const amount = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const units = fc.array(fc.bigInt({ min: 1n, max: 10n ** 28n }), { minLength: 1, maxLength: 30 });

test.each([
  ['three equal lots share a value that does not divide evenly', 1n, [1n, 1n, 1n], [0n, 1n, 0n]],
  [
    'lots share a value by their units',
    12n * oneFixed,
    [oneFixed, 2n * oneFixed, 3n * oneFixed],
    [2n, 4n, 6n].map((one) => one * oneFixed),
  ],
  ['the lots of a short share a negative value', -10n, [-1n, -4n], [-2n, -8n]],
  ['without lots there are no values', 5n, [], []],
])('%s', (_what, value, quantities, parts) => {
  expect(
    lotValues(
      value,
      quantities.map((quantity) => ({ quantity })),
    ),
  ).toEqual(parts);
});

test('the values of the lots add up to that of the position, each within one unit in the last place of its share', () => {
  fc.assert(
    fc.property(amount, units, fc.constantFrom(1n, -1n), (value, quantities, sign) => {
      const lots = quantities.map((quantity) => ({ quantity: sign * quantity }));
      const parts = lotValues(value, lots);
      expect(parts.reduce((sum, part) => sum + part, 0n)).toBe(value);
      const all = quantities.reduce((sum, quantity) => sum + quantity, 0n);
      for (const [index, part] of parts.entries()) {
        expect(magnitude(part * all - value * quantities[index]!) <= all).toBe(true);
      }
    }),
  );
});
