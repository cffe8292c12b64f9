// Tests what is derived from a resource declaration: names, labels, and the client that owns a record.

import { describe, expect, test } from 'vitest';
import { text } from './field.ts';
import { isId, type Id } from './id.ts';
import {
  clientIdOf,
  exampleIdOfType,
  snakeCaseNameOf,
  isToMany,
  resourceLabelWithArticle,
  snakeCase,
  resourceLabel,
  type Attribute,
  type ResourceOwner,
  type Resource,
  type ToMany,
  type ToOne,
} from './resource.ts';

const attribute: Attribute<string> = { kind: text({ lengthMax: 9 }), description: '', writable: 'always' };
const toOne: ToOne = { to: 'client', description: '', writable: 'always' };
const toMany: ToMany = {
  to: 'legal-entity',
  description: '',
  writable: 'never',
  many: { table: 'legal_entity', column: 'client_id', otherColumn: 'id' },
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
    ['an attribute with a declared name', { ...attribute, snakeCaseName: 'label' }, 'label'],
    ['a relation with a declared name', { ...toOne, snakeCaseName: 'entity_id' }, 'entity_id'],
    ['a relation to many, named after its target', { ...toMany, to: 'depository' }, 'depository_ids'],
    [
      'a relation to many with a target of several words',
      { ...toMany, to: 'private-market-fund' },
      'private_market_fund_ids',
    ],
    ['a relation to many with a declared name', { ...toMany, snakeCaseName: 'reader_ids' }, 'reader_ids'],
  ])('%s', (_what, field, snakeCaseName) => {
    expect(snakeCaseNameOf('legalEntity', field)).toBe(snakeCaseName);
  });
});

test('relations to many are distinguished from relations to one', () => {
  expect([toOne, toMany].map(isToMany)).toEqual([false, true]);
});

test.each<[what: string, owner: ResourceOwner, client: string | null]>([
  ['is a client', 'self', 'itself'],
  ['is shared by all clients', 'workspace', null],
  ['names its client', { relation: 'client' }, 'named'],
  ['takes its client from its parent', { relation: 'client', from: 'legalEntity' }, 'named'],
  ['names no client', { relation: 'scopedTo' }, null],
])('the client of a record that %s', (_what, owner, client) => {
  const record = { id: 'itself' as Id, client: 'named', legalEntity: 'above', scopedTo: null };
  expect(clientIdOf({ owner } as Resource, record)).toBe(client);
});

test('all examples of a type use the same id, and different types have different ids', () => {
  const types = ['client', 'legal-entity', 'account', 'depository', 'reporting-entity', 'portfolio', 'custodian'];
  const ids = types.map(exampleIdOfType);
  expect(ids.filter(isId)).toEqual(types.map(exampleIdOfType));
  expect(new Set(ids).size).toBe(types.length);
});

test.each([
  ['historical-account-holding', 'historical account holding', 'a historical account holding'],
  ['account', 'account', 'an account'],
])('%s has a label in plain words', (type, words, one) => {
  expect(resourceLabel({ type } as Resource)).toBe(words);
  expect(resourceLabelWithArticle({ type } as Resource)).toBe(one);
});
