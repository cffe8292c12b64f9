// Tests every kind of field value: what it accepts, refuses and writes, and its schema.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Decimal } from './decimal.ts';
import {
  anyObject,
  boolean,
  calendarDate,
  camelCaseNumbers,
  decimal,
  decimalWithin,
  FieldFault,
  id,
  instant,
  integer,
  oneOf,
  oneOfNumbers,
  snakeCaseStrings,
  someOf,
  text,
} from './field.ts';
import { parseJson, writeJson } from './json.ts';

const kinds = {
  text: text({ lengthMax: 5 }),
  'text that may be empty': text({ lengthMin: 0, lengthMax: 5 }),
  'one of': oneOf(['buy', 'sell']),
  'one of some numbers': oneOfNumbers([1, 4, 12]),
  'some of': someOf(['read', 'write', 'admin']),
  boolean,
  integer: integer({ min: -1, max: 100 }),
  decimal,
  'a share': decimalWithin({ min: '0', max: '1' }, 'must be from 0 to 1'),
  'an amount': decimalWithin({ above: '0' }, 'must be greater than 0'),
  date: calendarDate,
  instant,
  id,
  object: anyObject,
} as const;
type KindName = keyof typeof kinds;

/** Reads the value of a JSON text. */
function read(kind: KindName, json: string): unknown {
  return kinds[kind].read(parseJson(json));
}

describe('accepted values', () => {
  test.each<[kind: KindName, json: string, value: unknown]>([
    ['text', '"a"', 'a'],
    ['text', '"a b c"', 'a b c'],
    ['text', '"👪👪👪👪👪"', '👪👪👪👪👪'],
    ['text that may be empty', '""', ''],
    ['one of', '"sell"', 'sell'],
    ['some of', '["write"]', ['write']],
    ['some of', '["admin","read"]', ['read', 'admin']],
    ['boolean', 'false', false],
    ['integer', '100', 100],
    ['integer', '"42"', 42],
    ['integer', '-1', -1],
    ['decimal', '1.50', '1.5'],
    ['decimal', '"-0.000000000000000001"', '-0.000000000000000001'],
    ['decimal', '12345678901234567890.123456789012345678', '12345678901234567890.123456789012345678'],
    ['decimal', '1e2', '100'],
    ['decimal', '-0', '0'],
    ['decimal', '1e19', '10000000000000000000'],
    ['one of some numbers', '4', 4],
    ['one of some numbers', '"12"', 12],
    ['a share', '0', '0'],
    ['a share', '"1"', '1'],
    ['an amount', '0.000000000000000001', '0.000000000000000001'],
    ['an amount', '99999999999999999999', '99999999999999999999'],
    ['date', '"2024-02-29"', '2024-02-29'],
    ['instant', '"2026-11-15T13:00:00+01:00"', Date.UTC(2026, 10, 15, 12)],
    ['id', '"0123456789abcdef01234567"', '0123456789abcdef01234567'],
    ['object', '{"b":[1,{"c":null}],"a":"x"}', { a: 'x', b: [1, { c: null }] }],
  ])('%s: %s', (kind, json, value) => {
    expect(read(kind, json)).toEqual(value);
  });
});

describe('refused values', () => {
  const notDecimal = 'must be a decimal, as a number or a string';

  test.each<[kind: KindName, json: string, fault: string]>([
    ['text', '1', 'must be a string'],
    ['text', 'null', 'must be a string'],
    ['text', '""', 'must not be empty'],
    ['text', '" \\t "', 'must not be empty'],
    ['text', '"abcdef"', 'must have at most 5 characters'],
    ['text', '"👪👪👪👪👪👪"', 'must have at most 5 characters'],
    ['text', '" a"', 'must not begin or end with white space'],
    ['text', '"a\\n"', 'must not begin or end with white space'],
    ['text', '"a\\u00a0"', 'must not begin or end with white space'],
    ['one of', '"BUY"', 'must be one of buy, sell'],
    ['one of', '""', 'must be one of buy, sell'],
    ['one of', '"toString"', 'must be one of buy, sell'],
    ['one of', '["buy"]', 'must be a string'],
    ['some of', '[]', 'must be a non-empty array'],
    ['some of', '"read"', 'must be a non-empty array'],
    ['some of', '["read","read"]', 'must not repeat a value'],
    ['some of', '["own"]', 'must be one of read, write, admin'],
    ['some of', '[null]', 'must be a string'],
    ['boolean', '"true"', 'must be true or false'],
    ['boolean', '1', 'must be true or false'],
    ['integer', '101', 'must be a whole number from -1 to 100'],
    ['integer', '-2', 'must be a whole number from -1 to 100'],
    ['integer', '1.0', 'must be a whole number from -1 to 100'],
    ['integer', '1e1', 'must be a whole number from -1 to 100'],
    ['integer', '""', 'must be a whole number from -1 to 100'],
    ['integer', 'true', 'must be a whole number from -1 to 100'],
    ['integer', '9'.repeat(400), 'must be a whole number from -1 to 100'],
    ['decimal', 'true', notDecimal],
    ['decimal', '[1]', notDecimal],
    ['decimal', '{}', notDecimal],
    ['decimal', '"1,5"', 'must be a decimal such as -1234.5'],
    ['decimal', '"NaN"', 'must be a decimal such as -1234.5'],
    ['decimal', '1e400', 'must have an exponent of at most 2 digits'],
    ['decimal', '123456789012345678901', 'must have at most 20 digits before the point'],
    ['decimal', '0.1234567890123456789', 'must have at most 18 digits after the point'],
    ['one of some numbers', '2', 'must be one of 1, 4, 12'],
    ['one of some numbers', 'true', 'must be one of 1, 4, 12'],
    ['a share', '-0.000000000000000001', 'must be from 0 to 1'],
    ['a share', '1.000000000000000001', 'must be from 0 to 1'],
    ['an amount', '0', 'must be greater than 0'],
    ['an amount', '-1', 'must be greater than 0'],
    ['date', '20240229', 'must be a string'],
    ['instant', '"2026-11-15T13:00:00"', 'must be a timestamp with an offset, such as 2026-11-15T14:00:00Z'],
    ['instant', '1763200000', 'must be a string'],
    ['id', '"0123456789ABCDEF01234567"', 'must be an id of 24 hexadecimal characters'],
    ['id', '"0123456789abcdef0123456"', 'must be an id of 24 hexadecimal characters'],
    ['object', '[]', 'must be an object'],
    ['object', 'null', 'must be an object'],
    ['object', '1', 'must be an object'],
    ['object', '"{}"', 'must be an object'],
  ])('%s: %s', (kind, json, fault) => {
    expect(() => read(kind, json)).toThrow(new FieldFault(fault));
    expect(() => read(kind, json)).toThrow(FieldFault);
  });

  test.each(['2025-02-29', '2024-13-01', '24-02-29', '2024-2-9', '1899-12-31', ''])('date: %s', (date) => {
    expect(() => read('date', JSON.stringify(date))).toThrow(FieldFault);
  });

  test.each([
    ['a\0b', 'control characters or line breaks, such as U+0000'],
    ['a\u001fb', 'control characters or line breaks, such as U+001F'],
    ['a\u202eb', 'characters that change the direction of text, such as U+202E'],
  ])('text from a query cannot contain %j either', (value, what) => {
    expect(() => kinds.text.read(value)).toThrow(new FieldFault(`must not contain ${what}`));
  });
});

describe('in a query', () => {
  test.each([
    ['true', true],
    ['false', false],
  ])('a boolean can be %s', (sent, value) => {
    expect(boolean.readText!(sent)).toBe(value);
  });

  test.each(['', 'TRUE', ' true', '1', '0', 'yes', 'null'])('%j is not a boolean', (sent) => {
    expect(() => boolean.readText!(sent)).toThrow(new FieldFault('must be true or false'));
  });

  test.each([
    ['read', ['read']],
    ['admin,read', ['read', 'admin']],
  ])('a set of words can be %s, separated by commas', (sent, value) => {
    expect(kinds['some of'].readText!(sent)).toEqual(value);
  });

  test.each([
    ['', 'must be one of read, write, admin'],
    ['read,', 'must be one of read, write, admin'],
    ['read, write', 'must be one of read, write, admin'],
    ['read,read', 'must not repeat a value'],
  ])('a set of words cannot be %j', (sent, sentence) => {
    expect(() => kinds['some of'].readText!(sent)).toThrow(new FieldFault(sentence));
  });
});

describe('written values', () => {
  test('decimals are numbers with all their digits, or strings', () => {
    const value = '12345678901234567890.123456789012345678' as Decimal;
    expect(writeJson([decimal.write(value, camelCaseNumbers)])).toBe('[12345678901234567890.123456789012345678]');
    expect(writeJson([decimal.write(value, snakeCaseStrings)])).toBe('["12345678901234567890.123456789012345678"]');
  });

  test('instants are in UTC', () => {
    expect(instant.write(Date.UTC(2026, 10, 15, 12), snakeCaseStrings)).toBe('2026-11-15T12:00:00.000Z');
  });

  test('a decimal that was read is written back unchanged, in both styles', () => {
    const digits = fc.tuple(fc.bigInt({ min: -(10n ** 20n) + 1n, max: 10n ** 20n - 1n }), fc.nat({ max: 10 ** 9 }));
    fc.assert(
      fc.property(digits, fc.constantFrom(camelCaseNumbers, snakeCaseStrings), ([whole, fraction], style) => {
        const sent = `${whole}.${fraction}1`;
        const kept = decimal.read(parseJson(sent));
        expect(decimal.read(parseJson(writeJson(decimal.write(kept, style))))).toBe(kept);
        expect(kept).toBe(sent);
      }),
    );
  });
});

describe('schemas', () => {
  test.each<[kind: KindName, number: object, string: object]>([
    ['text', { type: 'string', minLength: 1, maxLength: 5 }, { type: 'string', minLength: 1, maxLength: 5 }],
    ['one of', { type: 'string', enum: ['buy', 'sell'] }, { type: 'string', enum: ['buy', 'sell'] }],
    ['integer', { type: 'integer', minimum: -1, maximum: 100 }, { type: 'integer', minimum: -1, maximum: 100 }],
    ['decimal', { type: 'number' }, { type: 'string', format: 'decimal' }],
    ['a share', { type: 'number', minimum: 0, maximum: 1 }, { type: 'string', format: 'decimal' }],
    ['an amount', { type: 'number', exclusiveMinimum: 0 }, { type: 'string', format: 'decimal' }],
    ['date', { type: 'string', format: 'date' }, { type: 'string', format: 'date' }],
    ['instant', { type: 'string', format: 'date-time' }, { type: 'string', format: 'date-time' }],
  ])('%s', (kind, asNumber, asString) => {
    expect(kinds[kind].schema(camelCaseNumbers)).toEqual(asNumber);
    expect(kinds[kind].schema(snakeCaseStrings)).toEqual(asString);
  });
});
