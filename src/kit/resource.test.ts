import { describe, expect, test } from 'vitest';
import { text } from './field.ts';
import {
  flatNameOf,
  isToMany,
  snakeCase,
  wordsOf,
  type Attribute,
  type Resource,
  type ToMany,
  type ToOne,
} from './resource.ts';

const attribute: Attribute<string> = { kind: text({ lengthMax: 9 }), description: '', on: ['v1'], writable: 'always' };
const toOne: ToOne = { to: 'client', description: '', on: ['v1'], writable: 'always' };
const toMany: ToMany = {
  to: 'legal-entity',
  description: '',
  on: ['v1'],
  writable: 'never',
  many: { table: 'legal_entity', column: 'client_id', gives: 'id' },
};

describe('names on the snake_case wires', () => {
  test.each([
    ['name', 'name'],
    ['referenceCurrency', 'reference_currency'],
    ['unrealisedPnl', 'unrealised_pnl'],
    ['aB', 'a_b'],
  ])('%s is %s', (name, snake) => {
    expect(snakeCase(name)).toBe(snake);
    expect(snakeCase(name)).toBe(snake);
  });

  test.each([
    ['an attribute', attribute, 'legal_entity'],
    ['a relation to one', toOne, 'legal_entity_id'],
    ['an attribute with a name of its own', { ...attribute, flatName: 'label' }, 'label'],
    ['a relation with a name of its own', { ...toOne, flatName: 'entity_id' }, 'entity_id'],
  ])('%s', (_what, field, flat) => {
    expect(flatNameOf('legalEntity', field)).toBe(flat);
  });
});

test('relations to many are told from those to one', () => {
  expect([toOne, toMany].map(isToMany)).toEqual([false, true]);
});

test('a type is said in words', () => {
  expect(wordsOf({ type: 'historical-account-holding' } as Resource)).toBe('historical account holding');
});
