import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeJson } from './json.ts';
import {
  amountShape,
  integerShape,
  dateShape,
  booleanShape,
  arrayShape,
  shapeMember,
  instantShape,
  nullableShape,
  objectShape,
  ratioShape,
  ratioText,
  shapeText,
  textShape,
  type WritingStyle,
} from './shape.ts';

const lot = objectShape({
  acquisitionDate: shapeMember(dateShape, 'When.'),
  unitCost: shapeMember(amountShape, 'What one cost.'),
  share: shapeMember(nullableShape(ratioShape), 'How much.'),
});
const holding = objectShape({ id: shapeMember(textShape, 'Which.'), lots: shapeMember(arrayShape(lot), 'Its lots.') });

const value = {
  id: 'a',
  lots: [{ acquisitionDate: 0, unitCost: 12_345_678_901_234_567_890_123_456_789n, share: null }],
};

describe('a shape is written in the style of its wire', () => {
  test('camelCase and JSON numbers that carry all digits', () => {
    expect(writeJson(holding.write(value, { decimals: 'number', names: 'camel' }))).toBe(
      '{"id":"a","lots":[{"acquisitionDate":"1970-01-01","unitCost":12345678901.234567890123456789,"share":null}]}',
    );
  });

  test('snake_case and texts', () => {
    expect(writeJson(holding.write(value, { decimals: 'string', names: 'snake' }))).toBe(
      '{"id":"a","lots":[{"acquisition_date":"1970-01-01","unit_cost":"12345678901.234567890123456789","share":null}]}',
    );
  });

  test('its schema says the same', () => {
    expect(
      objectShape({ rows: shapeMember(nullableShape(integerShape), 'How many.') }).schema({
        decimals: 'string',
        names: 'snake',
      }),
    ).toEqual({
      type: 'object',
      required: ['rows'],
      properties: { rows: { type: ['integer', 'null'], description: 'How many.' } },
      additionalProperties: false,
    });
  });
});

describe('the text of a shape', () => {
  const row = objectShape({
    segmentName: shapeMember(nullableShape(textShape), 'Its name.'),
    isStale: shapeMember(booleanShape, 'Whether.'),
    at: shapeMember(instantShape, 'When.'),
    figures: shapeMember(arrayShape(lot), 'Its figures.'),
    share: shapeMember(ratioShape, 'How much.'),
    nothing: shapeMember(objectShape({}), 'Without members.'),
  });
  const styles = ['number', 'string'].flatMap((decimals) => ['camel', 'snake'].map((names) => ({ decimals, names })));
  const anyLot = fc.record({
    acquisitionDate: fc.integer({ min: -10_000, max: 40_000 }),
    unitCost: fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }),
    share: fc.option(fc.double({ noNaN: true, noDefaultInfinity: true })),
  });
  const anyRow = fc.record({
    segmentName: fc.option(fc.string({ unit: 'binary' })),
    isStale: fc.boolean(),
    at: fc.integer({ min: 0, max: 4e12 }),
    figures: fc.array(anyLot, { maxLength: 3 }),
    share: fc.double({ noNaN: true, noDefaultInfinity: true }),
    nothing: fc.constant({}),
  });

  test.each(styles as WritingStyle[])(
    'is to the byte the JSON of what it writes, with $decimals and $names',
    (style) => {
      const rows = arrayShape(row);
      fc.assert(
        fc.property(fc.array(anyRow, { maxLength: 4 }), (some) => {
          expect(shapeText(rows, some, style)).toBe(writeJson(rows.write(some, style)));
        }),
      );
    },
  );
});

test.each([
  [0, '0'],
  [-0.25, '-0.25'],
  [1e-7, '0.0000001'],
  [-1.25e-9, '-0.00000000125'],
  [1e21, '1000000000000000000000'],
  [1.5e22, '15000000000000000000000'],
])('a ratio of %d is the text %s', (number, text) => {
  expect(ratioText(number)).toBe(text);
  expect(Number(text)).toBe(number);
});
