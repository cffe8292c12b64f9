// What is worked out from any declaration: names, words, whose a thing is.

import { describe, expect, test } from 'vitest';
import { text } from './field.ts';
import { isId, type Id } from './id.ts';
import {
  clientOf,
  exampleIdOf,
  flatNameOf,
  isToMany,
  oneOfItsKind,
  snakeCase,
  wordsOf,
  type Attribute,
  type Owner,
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
    ['a relation to many, after what it leads to', { ...toMany, to: 'depository' }, 'depository_ids'],
    ['a relation to many of more than one word', { ...toMany, to: 'private-market-fund' }, 'private_market_fund_ids'],
    ['a relation to many with a name of its own', { ...toMany, flatName: 'reader_ids' }, 'reader_ids'],
  ])('%s', (_what, field, flat) => {
    expect(flatNameOf('legalEntity', field)).toBe(flat);
  });
});

test('relations to many are told from those to one', () => {
  expect([toOne, toMany].map(isToMany)).toEqual([false, true]);
});

test.each<[what: string, owner: Owner, client: string | null]>([
  ['is one', 'self', 'itself'],
  ['all clients share', 'workspace', null],
  ['names its client', { relation: 'client' }, 'named'],
  ['takes its client from what it hangs below', { relation: 'client', from: 'legalEntity' }, 'named'],
  ['names none', { relation: 'scopedTo' }, null],
])('the client of a thing that %s', (_what, owner, client) => {
  const record = { id: 'itself' as Id, client: 'named', legalEntity: 'above', scopedTo: null };
  expect(clientOf({ owner } as Resource, record)).toBe(client);
});

test('all examples speak of the same thing of a type, and of no other of another type', () => {
  const types = ['client', 'legal-entity', 'account', 'depository', 'reporting-entity', 'portfolio', 'custodian'];
  const ids = types.map(exampleIdOf);
  expect(ids.filter(isId)).toEqual(types.map(exampleIdOf));
  expect(new Set(ids).size).toBe(types.length);
});

test.each([
  ['historical-account-holding', 'historical account holding', 'a historical account holding'],
  ['account', 'account', 'an account'],
])('%s is said in words', (type, words, one) => {
  expect(wordsOf({ type } as Resource)).toBe(words);
  expect(oneOfItsKind({ type } as Resource)).toBe(one);
});
