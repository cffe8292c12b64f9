// Tests how a limit is said in words: its bounds, and the holdings that it counts.

import { expect, test } from 'vitest';
import type { LimitFilter, LimitFilterField, LimitFilterOperator } from '../../../../model/limit/limit-filter.ts';
import { formatsOf } from '../../language/formats.ts';
import { boundsText, filterFields, filterText, limitValue } from './limit-words.ts';

const formats = formatsOf('en-GB');
const nameOf = (id: string): string => ({ c1: 'Equities', p1: 'Safe' })[id] ?? id;

function is(field: LimitFilterField, operator: LimitFilterOperator, ...value: string[]): LimitFilter {
  return { kind: 'condition', field, operator, value };
}

test.each([
  ['proportional', 'CHF', '0.125', '12.5%'],
  ['proportional', undefined, '0.125', '12.5%'],
  ['absolute', 'CHF', '1234.5', 'CHF 1,234.50'],
  ['absolute', 'JPY', '1234.5', 'JPY 1,234'],
  ['absolute', undefined, '1234.5', '1,234.50'],
] as const)('the value of a %s limit in %s: %s is %s', (kind, currency, value, text) => {
  expect(limitValue(formats, { kind, currency }, value).replaceAll('\u00A0', ' ')).toBe(text);
});

test.each([
  ['0.1', null, 'at least 10.0% of the whole value', 'mindestens 10.0% des ganzen Werts'],
  [null, '0.2', 'at most 20.0% of the whole value', 'höchstens 20.0% des ganzen Werts'],
  ['0.1', '0.2', 'between 10.0% and 20.0% of the whole value', 'zwischen 10.0% und 20.0% des ganzen Werts'],
])('bounds of %s and %s', (min, max, english, german) => {
  const unit = { kind: 'proportional', currency: 'CHF' } as const;
  const said = (language: 'en' | 'de'): string => boundsText({ min, max }, { unit, formats, language });
  expect([said('en'), said('de')]).toEqual([english, german]);
});

test('an amount is not of the whole', () => {
  const unit = { kind: 'absolute', currency: 'CHF' } as const;
  expect(boundsText({ min: '5', max: null }, { unit, formats, language: 'en' })).toBe('at least CHF\u00A05.00');
});

test.each<[LimitFilter, string]>([
  [is('currency', 'equals', 'CHF'), 'currency CHF'],
  [is('currency', 'in', 'CHF', 'EUR'), 'currency CHF or EUR'],
  [is('currency', 'not_in', 'CHF', 'EUR'), 'currency other than CHF or EUR'],
  [is('tags', 'contains', 'green', 'fund'), 'tag green and fund'],
  [is('tags', 'equals', 'green', 'fund'), 'tag green or fund'],
  [is('instrument_class.id', 'in', 'c1', 'c2'), 'class Equities or c2'],
  // A path is said from the top, wherever the whole or its beginning is meant; else it is a choice.
  [is('instrument_class.path', 'equals', 'c1', 'Swiss'), 'class Equities › Swiss'],
  [is('instrument_class.path', 'starts_with', 'c1', 'Swiss'), 'class Equities › Swiss'],
  [is('instrument_class.path', 'in', 'c1', 'Swiss'), 'class Equities or Swiss'],
  [is('instrument_class.path', 'contains', 'c1', 'Swiss'), 'class Equities and Swiss'],
  [is('instrument_class.path', 'not_in', 'c1', 'Swiss'), 'class other than Equities or Swiss'],
  [
    { kind: 'and', filters: [is('currency', 'equals', 'CHF'), is('portfolio.id', 'in', 'p1')] },
    'currency CHF and portfolio Safe',
  ],
  // Of several, what is itself composed stands in brackets.
  [
    {
      kind: 'or',
      filters: [
        is('currency', 'equals', 'CHF'),
        { kind: 'and', filters: [is('custodian', 'equals', 'UBS'), is('issuer_country', 'equals', 'CH')] },
      ],
    },
    'currency CHF or (bank UBS and country CH)',
  ],
  [
    { kind: 'and', filters: [{ kind: 'or', filters: [is('currency', 'in', 'CHF'), is('currency', 'in', 'EUR')] }] },
    'currency CHF or currency EUR',
  ],
])('a filter counts %j', (filter, text) => {
  expect(filterText(filter, 'en', nameOf)).toBe(text);
});

test('the fields of a filter are those of all its conditions', () => {
  const inner: LimitFilter = { kind: 'or', filters: [is('currency', 'in', 'CHF'), is('tags', 'contains', 'a')] };
  expect(filterFields({ kind: 'and', filters: [is('instrument.id', 'in', 'i'), inner] })).toEqual([
    'instrument.id',
    'currency',
    'tags',
  ]);
});
