// What the validator of the checks accepts and refuses, keyword by keyword.

import { describe, expect, test } from 'vitest';
import { SchemaValidator } from './json-schema.ts';

const document = { components: { schemas: { Name: { type: 'string', minLength: 2 } } } };
const validator = new SchemaValidator(document);

describe('a value', () => {
  test.each<[string, unknown, unknown, unknown]>([
    ['type', { type: 'string' }, 'a', 1],
    ['several types', { type: ['string', 'null'] }, null, 1],
    ['integer', { type: 'integer' }, 1, 1.5],
    ['number', { type: 'number' }, 1.5, '1.5'],
    ['enum', { enum: ['a', 'b'] }, 'b', 'c'],
    ['const', { const: 'a' }, 'a', 'b'],
    ['reference', { $ref: '#/components/schemas/Name' }, 'ab', 'a'],
    ['length', { maxLength: 2 }, '👍👍', '👍👍👍'],
    ['pattern', { pattern: '^a+$' }, 'aa', 'ab'],
    ['decimal', { format: 'decimal' }, '-1.50', '1e3'],
    ['date', { format: 'date' }, '2024-02-29', '2024-02-30x'],
    ['moment', { format: 'date-time' }, '2024-02-29T10:00:00.000Z', '2024-02-29 10:00'],
    ['uuid', { format: 'uuid' }, '01a1dfac-6b33-7c4e-8d2f-5a7b9c1e3f60', '01a1dfac'],
    ['minimum', { minimum: 1 }, 1, 0],
    ['exclusive minimum', { exclusiveMinimum: 0 }, 0.1, 0],
    ['items', { items: { type: 'integer' } }, [1, 2], [1, 'a']],
    ['number of items', { minItems: 1 }, [1], []],
    ['unique items', { uniqueItems: true }, [1, 2], [1, 1]],
    ['members', { properties: { a: { type: 'integer' } } }, { a: 1, b: 2 }, { a: 'x' }],
    ['required members', { required: ['a'] }, { a: null }, {}],
    ['other members', { properties: { a: {} }, additionalProperties: false }, { a: 1 }, { b: 1 }],
    ['any of', { anyOf: [{ type: 'string' }, { type: 'null' }] }, null, 1],
    ['one of', { oneOf: [{ minimum: 1 }, { maximum: 5 }] }, 9, 3],
    ['all of', { allOf: [{ minimum: 1 }, { maximum: 5 }] }, 3, 9],
    ['not', { not: { const: 1 } }, 2, 1],
  ])('is held against %s', (_keyword, schema, good, bad) => {
    expect(validator.faults(schema, good)).toEqual([]);
    expect(validator.faults(schema, bad)).not.toEqual([]);
  });

  test('that is wrong is shown with its place', () => {
    const schema = { properties: { rows: { items: { properties: { amount: { type: 'string' } } } } } };
    expect(validator.faults(schema, { rows: [{ amount: '1' }, { amount: 2 }] })).toEqual([
      '/rows/1/amount must be string, not 2',
    ]);
  });
});
