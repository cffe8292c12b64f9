// Tests how values are written: as objects and as text, in every style.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { writeJson } from './json.ts';
import { doubleText } from './decimal.ts';
import {
  amount,
  amountsIn,
  anyInteger,
  anyText,
  boolean,
  camelCaseNumbers,
  date,
  instant,
  kindText,
  nullable,
  oneOf,
  ratio,
  snakeCaseStrings,
  type WritingStyle,
} from './field.ts';
import { listOf, member, objectOf, omissible } from './structured-field.ts';

const lot = objectOf({
  acquisitionDate: member(date, 'When.'),
  unitCost: member(amount, 'What one cost.'),
  share: member(nullable(ratio), 'How much.'),
});
const holding = objectOf({ id: member(anyText, 'Which.'), lots: member(listOf(lot), 'Its lots.') });

const value = {
  id: 'a',
  lots: [{ acquisitionDate: 0, unitCost: 12_345_678_901_234_567_890_123_456_789n, share: null }],
};

describe('a value is written in the style of its wire', () => {
  test('camelCase and JSON numbers with all digits', () => {
    expect(writeJson(holding.write(value, { decimals: 'number', names: 'camel' }))).toBe(
      '{"id":"a","lots":[{"acquisitionDate":"1970-01-01","unitCost":12345678901.234567890123456789,"share":null}]}',
    );
  });

  test('snake_case and strings', () => {
    expect(writeJson(holding.write(value, { decimals: 'string', names: 'snake' }))).toBe(
      '{"id":"a","lots":[{"acquisition_date":"1970-01-01","unit_cost":"12345678901.234567890123456789","share":null}]}',
    );
  });

  test('its schema matches', () => {
    expect(
      objectOf({ rows: member(nullable(anyInteger), 'How many.') }).schema({
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

describe('the text of a value', () => {
  const row = objectOf({
    segmentName: member(nullable(anyText), 'Its name.'),
    isStale: member(boolean, 'Whether.'),
    at: member(instant, 'When.'),
    figures: member(listOf(lot), 'Its figures.'),
    share: member(ratio, 'How much.'),
    nothing: member(objectOf({}), 'Without members.'),
    note: omissible(anyText, 'Left out where there is none.'),
    remark: { kind: anyText, description: 'Null where there is none.', optional: true },
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
    note: fc.option(fc.string(), { nil: undefined }),
    remark: fc.option(fc.string()),
  });

  test.each(styles as WritingStyle[])(
    'is byte for byte the JSON of the written object, with $decimals and $names',
    (style) => {
      const rows = listOf(row);
      fc.assert(
        fc.property(fc.array(anyRow, { maxLength: 4 }), (some) => {
          expect(kindText(rows, some, style)).toBe(writeJson(rows.write(some, style)));
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
  expect(doubleText(number)).toBe(text);
  expect(Number(text)).toBe(number);
});

describe('a kind without a reader', () => {
  test('makes every kind that contains it unreadable', () => {
    expect(amount.read).toBeUndefined();
    expect(lot.read).toBeUndefined();
    expect(listOf(lot).read).toBeUndefined();
    expect(nullable(amount).read).toBeUndefined();
  });

  test('is not accepted where a request needs a reader', () => {
    const readable = objectOf({ isStale: member(boolean, 'Whether.') });
    expect(listOf(readable, { itemsMax: 1 }).read([{ isStale: true }])).toEqual([{ isStale: true }]);
    // @ts-expect-error: a computed amount has no reader
    listOf(amount, { itemsMax: 1 });
    // @ts-expect-error: an object with such a member has no reader either
    listOf(lot, { itemsMax: 1 });
  });
});

test('a nullable value is read, written and described as nullable', () => {
  const color = nullable(oneOf(['red', 'blue']));
  expect(color.read(null)).toBeNull();
  expect(color.read('red')).toBe('red');
  expect(color.write(null, snakeCaseStrings)).toBeNull();
  expect(color.schema(snakeCaseStrings)).toEqual({ type: ['string', 'null'], enum: ['red', 'blue', null] });
  const schema = { anyOf: [{ type: 'number' }, { type: 'string' }] };
  expect(nullable({ ...anyText, schema: () => schema }).schema(snakeCaseStrings)).toEqual({
    anyOf: [{ type: 'number' }, { type: 'string' }, { type: 'null' }],
  });
});

test('an undefined member is omitted only if it is declared omissible', () => {
  const page = objectOf({ hasMore: member(boolean, 'Whether.'), nextCursor: omissible(anyText, 'Where.') });
  expect(kindText(page, { hasMore: false }, camelCaseNumbers)).toBe('{"hasMore":false}');
  expect(kindText(page, { hasMore: true, nextCursor: 'a' }, snakeCaseStrings)).toBe(
    '{"has_more":true,"next_cursor":"a"}',
  );
  expect(page.schema(snakeCaseStrings)['required']).toEqual(['has_more']);
});

test('amounts are rounded as their unit is, and by none where no rounding is asked for', () => {
  const digitsOf = new Map([['JPY', 0]]);
  const rounding = { digits: 2, in: (unit: string) => ({ ...rounding, digits: digitsOf.get(unit) ?? 2 }) };
  const style: WritingStyle = { ...camelCaseNumbers, rounding };
  const cost = 1_234_567_890_123_456_789_000n;
  const row = objectOf({
    currency: member(anyText, 'Of the cost.'),
    cost: { ...member(amount, 'What it cost.'), unit: 'currency' },
    value: member(amount, 'In the unit of the answer.'),
  });
  const textOf = (currency: string, wanted: WritingStyle): string[] => {
    const written = { currency, cost, value: -cost };
    expect(kindText(row, written, wanted)).toBe(writeJson(row.write(written, wanted)));
    const whole = amountsIn(amount, () => currency);
    expect(kindText(whole, cost, wanted)).toBe(writeJson(whole.write(cost, wanted)));
    return [kindText(row, written, wanted), kindText(whole, cost, wanted)];
  };
  const exact = '1234.567890123456789';
  expect(textOf('JPY', style)).toEqual(['{"currency":"JPY","cost":1235,"value":-1234.57}', '1235']);
  expect(textOf('CHF', style)).toEqual(['{"currency":"CHF","cost":1234.57,"value":-1234.57}', '1234.57']);
  expect(textOf('JPY', camelCaseNumbers)).toEqual([`{"currency":"JPY","cost":${exact},"value":-${exact}}`, exact]);
});

test('what has members or items is stored as JSON, also where it may be null, and what has none is not', () => {
  const structured = [lot, listOf(lot), nullable(lot), nullable(listOf(lot))];
  expect(structured.map(({ isStructured }) => isStructured)).toEqual([true, true, true, true]);
  const plain = [amount, nullable(amount), listOf(anyText), nullable(listOf(anyText))];
  expect(plain.map(({ isStructured }) => isStructured)).toEqual([undefined, undefined, undefined, undefined]);
});
