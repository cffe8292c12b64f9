// What is sent of a form: a new record without what was left empty, a change with what differs, and no text that is not JSON where JSON is wanted.

import { describe, expect, test } from 'vitest';
import { changeBody, creationBody, recordValues, sentValues } from './form-body.ts';
import type { FieldShape, SchemaField } from './schema-fields.ts';

function field(name: string, shape: FieldShape, more: Partial<SchemaField> = {}): SchemaField {
  return { name, title: name, hint: undefined, isRequired: false, isNullable: true, shape, ...more };
}

const fields: readonly SchemaField[] = [
  field('name', { kind: 'text' }, { isRequired: true, isNullable: false }),
  field('comment', { kind: 'long-text' }),
  field('amount', { kind: 'decimal' }),
  field('months', { kind: 'integer' }),
  field('fiscal_month', { kind: 'choice', values: [1, 2, 3] }),
  field('is_left_out', { kind: 'boolean' }, { isNullable: false }),
  field('account_ids', { kind: 'references', to: 'account' }, { isNullable: false }),
  field('types', { kind: 'choices', values: ['buy', 'sell'] }, { isNullable: false }),
  field('tags', { kind: 'texts' }, { isNullable: false }),
  field('schedule', { kind: 'json' }),
  field('settings.days', { kind: 'integer' }, { isNullable: false }),
  field('settings.bound', { kind: 'decimal' }, { isNullable: false }),
];

const record = {
  name: 'Alpine IV',
  comment: null,
  amount: '10.50',
  months: 12,
  fiscal_month: 2,
  is_left_out: true,
  account_ids: ['b', 'a'],
  types: ['sell'],
  tags: ['one', 'two'],
  schedule: [{ year: 2027, amount: '-5' }],
  settings: { days: 5, bound: '0.1' },
};

/** As a form that nobody has changed sends the record. */
const shown: Readonly<Record<string, readonly string[]>> = {
  name: ['Alpine IV'],
  comment: [],
  amount: ['10.50'],
  months: ['12'],
  fiscal_month: ['2'],
  is_left_out: ['true'],
  account_ids: ['b', 'a'],
  types: ['sell'],
  tags: ['one\ntwo'],
  schedule: ['[\n  {\n    "year": 2027,\n    "amount": "-5"\n  }\n]'],
  'settings.days': ['5'],
  'settings.bound': ['0.1'],
};

/** The values of a form as it was sent. */
function typed(texts: Readonly<Record<string, string | readonly string[]>>): ReturnType<typeof sentValues> {
  const pairs = Object.entries(texts).flatMap(([name, value]) => [value].flat().map((one) => [name, one]));
  return sentValues(fields, new URLSearchParams(pairs));
}

test('a record stands in the form as it can be typed again', () => {
  expect(Object.fromEntries(recordValues(fields, record))).toEqual(shown);
  const nothing = recordValues(fields, { account_ids: null, schedule: null });
  expect([...nothing.values()].flat()).toEqual([]);
});

describe('a new record', () => {
  test('has what was filled in, each value as its field says', () => {
    const { body, errors } = creationBody(
      fields,
      typed({ ...shown, comment: ' One\r\ntwo ', account_ids: ['a b', ' c\nd '], tags: 'one\r\n\r\n two ' }),
    );
    expect([body, errors.size]).toEqual([
      { ...record, comment: 'One\ntwo', account_ids: ['a', 'b', 'c', 'd'], schedule: expect.any(Array) },
      0,
    ]);
    expect(JSON.stringify(body['schedule'])).toBe('[{"year":2027,"amount":"-5"}]');
  });

  test('has nothing of what was left empty, except what it needs', () => {
    expect(creationBody(fields, typed({ tags: '\n', schedule: ' ' }))).toEqual({
      body: { name: '' },
      errors: new Map(),
    });
  });

  test('has what is no whole number as it was typed, so that the API can say what is wrong with it', () => {
    const { body } = creationBody(fields, typed({ months: '1.5', fiscal_month: 'x', 'settings.days': '-3' }));
    expect(body).toEqual({ name: '', months: '1.5', fiscal_month: 'x', settings: { days: -3 } });
    const digits = creationBody(fields, typed({ months: '123456789012345', 'settings.days': '1234567890123456' }));
    expect(digits.body).toEqual({ name: '', months: 123_456_789_012_345, settings: { days: '1234567890123456' } });
  });

  test('is not sent where something is not JSON, and its field says what', () => {
    const { body, errors } = creationBody(fields, typed({ name: 'A', schedule: '[{"year": 2027,}]' }));
    expect([body, Object.fromEntries(errors)]).toEqual([
      { name: 'A' },
      { schedule: 'This is not JSON: Unexpected "}" at offset 15.' },
    ]);
  });
});

describe('a change', () => {
  const change = (texts: typeof shown): ReturnType<typeof changeBody> =>
    changeBody(fields, typed(texts), recordValues(fields, record));

  test('of nothing sends nothing: another order, another line ending or spaces around are no change', () => {
    const same = { ...shown, account_ids: ['a', 'b'], tags: ['one\r\ntwo'], name: [' Alpine IV '], comment: [' '] };
    expect(change(same)).toEqual({ body: {}, errors: new Map() });
  });

  test.each<[string, typeof shown, object]>([
    ['a text', { name: ['Alpine V'] }, { name: 'Alpine V' }],
    ['a text that cannot be empty', { name: [''] }, { name: '' }],
    ['an amount that is removed', { amount: [''] }, { amount: null }],
    ['a box that is no longer checked', { is_left_out: [] }, { is_left_out: false }],
    ['a set', { account_ids: ['b'] }, { account_ids: ['b'] }],
    ['a set that is emptied', { types: [] }, { types: [] }],
    ['a list', { tags: ['two\none'] }, { tags: ['two', 'one'] }],
    ['JSON that is removed', { schedule: [''] }, { schedule: null }],
    ['one of the settings', { 'settings.days': ['7'] }, { settings: { days: 7 } }],
    [
      'two of the settings',
      { 'settings.days': ['7'], 'settings.bound': ['0.2'] },
      { settings: { days: 7, bound: '0.2' } },
    ],
  ])('of %s sends just that', (_what, texts, body) => {
    expect(change({ ...shown, ...texts })).toEqual({ body, errors: new Map() });
  });

  test('says which field is not JSON', () => {
    const { body, errors } = change({ ...shown, name: ['B'], schedule: ['soon'] });
    expect([body, Object.fromEntries(errors)]).toEqual([
      { name: 'B' },
      { schedule: 'This is not JSON: Unexpected "s" at offset 0.' },
    ]);
  });
});
