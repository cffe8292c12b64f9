// Tests structured values: objects, lists, sets of texts and open objects are read strictly and written in order.

import { describe, expect, test } from 'vitest';
import { calendarDate, camelCaseNumbers, decimal, FieldFault, oneOf, snakeCaseStrings } from './field.ts';
import { parseJson, writeJson } from './json.ts';
import { InnerFaults, listOf, objectOf, openObject, textSet } from './structured-field.ts';

const leg = objectOf({
  ccyCode: { kind: oneOf(['EUR', 'USD']), description: 'Its currency.', snakeCaseName: 'currency' },
  paidOn: { kind: calendarDate, description: 'When.' },
  amount: { kind: decimal, description: 'How much.' },
});
const legs = listOf(leg, { itemsMax: 3 });

/** Formats each fault as one line. */
function faultsOf(read: () => unknown): string[] {
  try {
    return [`read ${writeJson(read())}`];
  } catch (error) {
    if (error instanceof InnerFaults)
      return error.inner.map((one) => `${one.code} ${one.path.join('/')} ${one.message}`);
    if (error instanceof FieldFault) return [error.message];
    throw error;
  }
}

describe('an object', () => {
  const exact = '99999999999999999999.999999999999999999';

  test('has its members in the order of their declaration, with every digit', () => {
    const read = leg.read(parseJson(`{"amount":${exact},"paidOn":"2027-01-01","ccyCode":"EUR"}`));
    expect(writeJson(leg.write(read, camelCaseNumbers))).toBe(
      `{"ccyCode":"EUR","paidOn":"2027-01-01","amount":${exact}}`,
    );
    expect(writeJson(leg.write(read, snakeCaseStrings))).toBe(
      `{"currency":"EUR","paid_on":"2027-01-01","amount":"${exact}"}`,
    );
    expect(leg.read(parseJson(`{"currency":"EUR","paid_on":"2027-01-01","amount":"${exact}"}`), 'snake')).toEqual(read);
  });

  test.each([
    ['"x"', ['must be an object']],
    ['7', ['must be an object']],
    ['[]', ['must be an object']],
    [
      '{}',
      [
        'missing-attribute ccyCode is required',
        'missing-attribute paidOn is required',
        'missing-attribute amount is required',
      ],
    ],
    [
      '{"ccyCode":"CHF","paidOn":"soon","amount":null,"currency":"EUR"}',
      [
        'unknown-attribute currency is not a known member',
        'invalid-attribute ccyCode must be one of EUR, USD',
        'invalid-attribute paidOn must be a date in the form YYYY-MM-DD',
        'invalid-attribute amount must be a decimal, as a number or a string',
      ],
    ],
    [
      '{"ccyCode":"EUR","paidOn":"2027-01-01","amount":1,"__proto__":1}',
      ['unknown-attribute __proto__ is not a known member'],
    ],
  ])('%s is refused with all its faults', (text, faults) => {
    expect(faultsOf(() => leg.read(parseJson(text)))).toEqual(faults);
  });

  test('may have optional members', () => {
    const span = objectOf({
      from: { kind: calendarDate, description: 'The first day.' },
      paidOn: { kind: calendarDate, description: 'The last day.', optional: true },
    });
    const read = (text: string): unknown => span.read(parseJson(text), 'snake');
    expect(read('{"from":"2027-01-01"}')).toEqual({ from: '2027-01-01' });
    expect(read('{"from":"2027-01-01","paid_on":null}')).toEqual({ from: '2027-01-01', paidOn: null });
    expect(faultsOf(() => read('{"from":null,"paid_on":"soon"}'))).toEqual([
      'invalid-attribute from must be a string',
      'invalid-attribute paid_on must be a date in the form YYYY-MM-DD',
    ]);
    expect(span.write({ from: '2027-01-01' as never }, snakeCaseStrings)).toEqual({
      from: '2027-01-01',
      paid_on: null,
    });
    expect(span.schema(snakeCaseStrings)).toMatchObject({
      required: ['from'],
      properties: { paid_on: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] } },
    });
  });

  test('has a schema for each member', () => {
    expect(leg.schema(snakeCaseStrings)).toEqual({
      type: 'object',
      required: ['currency', 'paid_on', 'amount'],
      properties: {
        currency: { type: 'string', enum: ['EUR', 'USD'], description: 'Its currency.' },
        paid_on: { type: 'string', format: 'date', description: 'When.' },
        amount: { type: 'string', format: 'decimal', description: 'How much.' },
      },
      additionalProperties: false,
    });
  });
});

test.each([
  ['{}', ['must be an array']],
  ['[1,2,3,4]', ['must have at most 3 items']],
  [
    '[{"ccyCode":"EUR","paidOn":"2027-01-01","amount":1},{"ccyCode":"EUR","paidOn":"2027-01-01"}]',
    ['missing-attribute 1/amount is required'],
  ],
  ['[null,"x"]', ['invalid-attribute 0 must be an object', 'invalid-attribute 1 must be an object']],
  ['[]', ['read []']],
])('a list %s: %j', (text, faults) => {
  expect(faultsOf(() => legs.read(parseJson(text)))).toEqual(faults);
});

test.each([
  ['["b","a","B"]', ['read ["B","a","b"]']],
  ['[]', ['read []']],
  ['["a","a"]', ['must not repeat a text']],
  ['["a",""]', ['invalid-attribute 1 must not be empty']],
  ['["abcd"]', ['invalid-attribute 0 must have at most 3 characters']],
  ['["a","b","c","d"]', ['must have at most 3 items']],
])('a set of texts %s: %j', (text, faults) => {
  expect(faultsOf(() => textSet({ lengthMax: 3, itemsMax: 3 }).read(parseJson(text)))).toEqual(faults);
});

test.each([
  [
    '{"a":[1.10,{"b":-0.0,"c":1e2}],"d":null,"__proto__":{"e":true}}',
    ['read {"a":[1.1,{"b":0,"c":100}],"d":null,"__proto__":{"e":true}}'],
  ],
  ['{"a":[1e99]}', ['invalid-attribute a/0 must have at most 20 digits before the point']],
  ['{"a":1e9999}', ['invalid-attribute a must have an exponent of at most 2 digits']],
  ['[]', ['must be an object']],
  [`{"a":"${'x'.repeat(100)}"}`, ['must have at most 100 characters']],
])('an open object %s: %j', (text, faults) => {
  expect(faultsOf(() => openObject({ charactersMax: 100 }).read(parseJson(text)))).toEqual(faults);
});

test('an open object may have as many characters as allowed', () => {
  const read = (count: number): string[] =>
    faultsOf(() => openObject({ charactersMax: 100 }).read(parseJson(`{"a":"${'x'.repeat(count)}"}`)));
  expect(read(92)).toEqual([`read {"a":"${'x'.repeat(92)}"}`]);
  expect(read(93)).toEqual(['must have at most 100 characters']);
});

test('an open object with more parts than it may have characters is refused before its parts are looked at', () => {
  const faultCount = (items: readonly string[]): number | string => {
    const faults = faultsOf(() => openObject({ charactersMax: 100 }).read(parseJson(`{"a":[${items.join()}]}`)));
    return faults.length === 1 ? faults[0]! : faults.length;
  };
  const items = Array.from({ length: 99 }, () => '1e99');
  expect(faultCount(items)).toBe(99);
  const tooLong = 'must have at most 100 characters';
  expect([faultCount([...items, '1e99']), faultCount([...items.slice(1), '[1e99]'])]).toEqual([tooLong, tooLong]);
  expect(faultCount([...items.slice(1), '{"b":1e99}'])).toBe(tooLong);
});

test('of more than a hundred faults, a hundred and one are looked for', () => {
  const list = listOf(decimal, { itemsMax: 1_000 });
  const count = (items: number): number => faultsOf(() => list.read(Array.from({ length: items }, () => true))).length;
  expect([count(99), count(100), count(101), count(150)]).toEqual([99, 100, 101, 101]);
});
