// Tests the filters of v1 lists that declarations define: their names, their values, and the resulting query.

import { describe, expect, test } from 'vitest';
import { boolean, id as idKind, instant, oneOf, text } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { declareResource, type Resource } from '../../kit/resource.ts';
import { account } from '../../model/structure/account.ts';
import { client } from '../../model/structure/client.ts';
import { custodian } from '../../model/structure/custodian.ts';
import { depository } from '../../model/structure/depository.ts';
import { legalEntity } from '../../model/structure/legal-entity.ts';
import { portfolio } from '../../model/structure/portfolio.ts';
import { reportingEntity } from '../../model/structure/reporting-entity.ts';
import { readQuery } from '../http/operation/query-parameters.ts';
import { filterParameters, resourceFilters, readFilters } from './filters.ts';

const size = oneOf(['S', 'L']);
const settable = { description: '', writable: 'always' } as const;
const parcel = declareResource({
  type: 'parcel',
  plural: 'parcels',
  description: 'Something with every kind of filter.',
  table: 'parcel',
  owner: { relation: 'legalSender' },
  attributes: {
    label: { ...settable, kind: text({ lengthMax: 9 }) },
    boxSize: { ...settable, kind: size, filter: true },
    isFragile: { ...settable, kind: boolean, filter: true, snakeCaseName: 'fragile' },
    seenAt: { ...settable, kind: instant, filter: true },
  },
  relations: {
    legalSender: { ...settable, to: 'person', filter: true },
    owner: { ...settable, to: 'person', filter: true, snakeCaseName: 'entity_id' },
    carrier: { ...settable, to: 'person' },
    seals: {
      ...settable,
      to: 'wax-seal',
      many: { table: 'seal', column: 'parcel_id', otherColumn: 'seal_id' },
      filter: true,
    },
    stops: { ...settable, to: 'stop', many: { table: 'stop', column: 'parcel_id', otherColumn: 'id' } },
    rounds: {
      ...settable,
      to: 'round',
      many: { table: 'round_parcel', column: 'parcel_id', otherColumn: 'round_id' },
      on: [],
      filter: true,
    },
  },
});

const filters = resourceFilters(parcel);
const parameters = filterParameters(filters);
const someone = 'b'.repeat(24) as Id;

/** Reads the filters of a query string. */
function readQueryFilters(query: string): unknown {
  return readFilters(filters, readQuery(query, parameters));
}

describe('the filters of a declaration', () => {
  test('are its filterable fields; a set has the name of a single member', () => {
    expect(Object.keys(parameters)).toEqual([
      'box_size',
      'fragile',
      'seen_at',
      'legal_sender_id',
      'entity_id',
      'wax_seal_id',
      'round_id',
    ]);
  });

  test('accept the values of their field, and for relations one id', () => {
    expect(Object.values(parameters).map(({ kind }) => kind)).toEqual([
      size,
      boolean,
      instant,
      idKind,
      idKind,
      idKind,
      idKind,
    ]);
    expect(Object.values(parameters).filter(({ required }) => required)).toEqual([]);
  });

  test('have a description in the reference', () => {
    expect(parameters['fragile']!.description).toBe('Only those with this `fragile`.');
    expect(parameters['entity_id']!.description).toBe('Only those with this `entity_id`.');
    expect(parameters['wax_seal_id']!.description).toBe('Only those related to this wax seal.');
  });
});

describe('a query', () => {
  test.each<[query: string, where: object]>([
    ['', {}],
    ['fragile=false', { isFragile: false }],
    ['fragile=true&box_size=L', { isFragile: true, boxSize: 'L' }],
    ['seen_at=2026-11-15T13:00:00%2B01:00', { seenAt: Date.UTC(2026, 10, 15, 12) }],
    [`legal_sender_id=${someone}&entity_id=${someone}`, { legalSender: someone, owner: someone }],
    [`wax_seal_id=${someone}&round_id=${someone}`, { seals: someone, rounds: someone }],
  ])('%s is read under the declared names', (query, where) => {
    expect(readQueryFilters(query)).toEqual(where);
  });

  test.each([
    ['fragile=1', 'invalid-parameter', 'fragile'],
    ['fragile=', 'invalid-parameter', 'fragile'],
    ['box_size=M', 'invalid-parameter', 'box_size'],
    ['entity_id=nobody', 'invalid-parameter', 'entity_id'],
    [`wax_seal_id=${someone},${someone}`, 'invalid-parameter', 'wax_seal_id'],
    [`round_id=${someone}&round_id=${someone}`, 'invalid-parameter', 'round_id'],
    [`wax_seal_ids=${someone}`, 'unknown-parameter', 'wax_seal_ids'],
    [`stop_id=${someone}`, 'unknown-parameter', 'stop_id'],
    [`carrier_id=${someone}`, 'unknown-parameter', 'carrier_id'],
    ['label=Box', 'unknown-parameter', 'label'],
    ['boxSize=L', 'unknown-parameter', 'boxSize'],
  ])('%s is refused', (query, code, parameter) => {
    expect(() => readQueryFilters(query)).toThrow(
      expect.objectContaining({ code, faults: [expect.objectContaining({ code, parameter })] }),
    );
    expect(() => readQueryFilters(query)).toThrow(Refusal);
  });

  test('ignores parameters that are not filters', () => {
    expect(readFilters(filters, { limit: 5, cursor: 'x', fragile: false })).toEqual({ isFragile: false });
  });
});

describe('the filters of structure lists', () => {
  const owned = ['external_identifier', 'legal_entity_id', 'client_id'];

  test.each<[type: string, resource: Resource, names: string[]]>([
    ['clients', client, ['parent_id']],
    ['legal entities', legalEntity, ['client_id']],
    [
      'accounts',
      account,
      [
        'external_identifier',
        'currency',
        'exclude_from_reporting',
        'entity_id',
        'client_id',
        'custodian_id',
        'depository_id',
        'portfolio_id',
      ],
    ],
    ['depositories', depository, [...owned, 'account_id', 'portfolio_id']],
    ['reporting entities', reportingEntity, ['client_id']],
    ['portfolios', portfolio, ['reporting_entity_id', 'client_id', 'account_id', 'depository_id']],
    ['custodians', custodian, ['name']],
  ])('%s', (_type, resource, names) => {
    expect(resourceFilters(resource).map(({ name }) => name)).toEqual(names);
  });
});
