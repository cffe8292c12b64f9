// Tests which of several mappings of one word applies: that of the client before one of all, then that of the custodian, then that of the part.

import { expect, test } from 'vitest';
import type { Id } from '../../../kit/id.ts';
import type { FoundMapping } from '../../../store/names/identifier-mappings.ts';
import { MappingLookup } from './mapping-lookup.ts';

const anyone: FoundMapping = {
  client: null,
  custodian: null,
  scheme: 'number',
  foldedValue: 'A1',
  currency: null,
  mic: null,
  source: 'manual',
  target: 'none' as Id,
};

/** Named by what they are for: client, custodian and currency, or - for any. */
function mapping(name: string): FoundMapping {
  const [client, custodian, currency] = name.split(' ').map((part) => (part === '-' ? null : part));
  return {
    ...anyone,
    client: client as Id,
    custodian: custodian as Id,
    currency: currency ?? null,
    target: name as Id,
  };
}

const fromOwn = { client: 'amsel' as Id, custodian: 'own' as Id };
const fromNobody = { client: 'amsel' as Id, custodian: null };
const ofAll = { client: null, custodian: 'own' as Id };
const word = { scheme: 'number', foldedValue: 'A1', currency: 'CHF' } as const;

test.each([
  ['the client before all', fromOwn, ['- own CHF', 'amsel - -'], ['amsel - -']],
  ['all before a client, for the workspace', ofAll, ['amsel own CHF', '- - -'], ['- - -']],
  ['its custodian before any', fromOwn, ['amsel - CHF', 'amsel own -'], ['amsel own -']],
  ['its currency before any', fromOwn, ['amsel own -', 'amsel own CHF'], ['amsel own CHF']],
  ['no other custodian', fromOwn, ['amsel other CHF', '- - -'], ['- - -']],
  ['no other currency', fromOwn, ['amsel own USD', '- - -'], ['- - -']],
  ['any custodian before one, where none is known', fromNobody, ['amsel other CHF', 'amsel - -'], ['amsel - -']],
  ['that of one, where none is known', fromNobody, ['- - CHF', 'amsel other -'], ['amsel other -']],
  ['two that are as good', fromNobody, ['amsel one CHF', 'amsel other CHF'], ['amsel one CHF', 'amsel other CHF']],
  ['none', fromOwn, ['amsel other -'], []],
])('what applies: %s', (_what, scope, names, expected) => {
  expect(new MappingLookup(scope, names.map(mapping)).targets(word, 'manual')).toEqual(expected);
});

test('what a person has said and what was learned are asked for apart, and by scheme, word and market', () => {
  const learned = {
    ...anyone,
    scheme: 'ticker',
    foldedValue: 'NOVN',
    source: 'learned',
    target: 'learned' as Id,
  } as const;
  const manual = { ...learned, source: 'manual', mic: 'XSWX', target: 'manual' as Id } as const;
  const lookup = new MappingLookup(fromOwn, [learned, manual, { ...manual, target: 'manual' as Id }]);
  const ticker = { scheme: 'ticker', foldedValue: 'NOVN' } as const;
  expect(lookup.targets({ ...ticker, mic: 'XSWX' }, 'manual')).toEqual(['manual']);
  expect(lookup.targets({ ...ticker, mic: 'XNAS' }, 'manual')).toEqual([]);
  expect(lookup.targets(ticker, 'manual')).toEqual([]);
  expect(lookup.targets(ticker, 'learned')).toEqual(['learned']);
  expect(lookup.targets({ ...ticker, foldedValue: 'NOV' }, 'learned')).toEqual([]);
  expect(lookup.targets({ ...ticker, scheme: 'name' }, 'learned')).toEqual([]);
});
