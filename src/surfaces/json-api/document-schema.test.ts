// The JSON Schemas and examples of JSON:API documents, as the reference shows them.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { calendarDate, instant, text } from '../../kit/field.ts';
import { declareResource, exampleIdOfType } from '../../kit/resource.ts';
import { documentExample, documentSchema, resourceSchema } from './document-schema.ts';
import { jsonApiFields } from './shown-fields.ts';

const below = (table: string) => ({ table, column: 'parcel_id', otherColumn: 'id' });
const settable = { description: '', writable: 'always' } as const;
const parcel = declareResource({
  type: 'parcel',
  plural: 'parcels',
  description: 'Something with a relation of every kind.',
  table: 'parcel',
  owner: { relation: 'sender' },
  attributes: {
    label: { ...settable, kind: text({ lengthMax: 10 }), required: true, example: 'Box' },
    sentOn: { kind: calendarDate, description: '', writable: 'at-creation', example: '2026-11-15' },
    seenAt: { kind: instant, description: '', writable: 'never' },
  },
  relations: {
    sender: { to: 'person', description: '', writable: 'at-creation', required: true },
    carrier: { ...settable, to: 'person', example: 'd'.repeat(24) },
    inspector: { to: 'person', description: '', writable: 'never', required: true },
    seals: { ...settable, to: 'wax-seal', many: below('seal'), example: ['e'.repeat(24)] },
    parts: { to: 'part', many: below('part'), description: '', writable: 'at-creation', example: [] },
    stops: { to: 'stop', many: below('stop'), description: '', writable: 'never' },
    hidden: { to: 'person', description: '', writable: 'always' },
  },
});

beforeEach(() => {
  vi.spyOn(jsonApiFields, 'includes').mockImplementation((_, field) => !['hidden'].includes(field));
});

describe('schemas and examples', () => {
  const relationshipsIn = (schema: any): any => schema.properties.relationships.properties;
  const one = (type: string): object => ({ properties: { type: { const: type }, id: { type: 'string' } } });

  test('an answer has every field; a relation is to one, to one or none, or to many', () => {
    const schema: any = resourceSchema(parcel);
    expect(schema.properties.relationships.required.join(' ')).toBe('sender carrier inspector seals parts stops');
    expect(relationshipsIn(schema)).toMatchObject({
      sender: { properties: { data: one('person') } },
      carrier: { properties: { data: { anyOf: [one('person'), { type: 'null' }] } } },
      stops: { properties: { data: { type: 'array', items: one('stop'), uniqueItems: true } } },
    });
  });

  const attributes = { label: 'Box', sentOn: '2026-11-15' };
  const carrier = { data: { type: 'person', id: 'd'.repeat(24) } };
  const seals = { data: [{ type: 'wax-seal', id: 'e'.repeat(24) }] };
  const relationships = { carrier, seals, parts: { data: [] } };
  const change = {
    type: 'parcel',
    id: exampleIdOfType('parcel'),
    attributes: { label: 'Box' },
    relationships: { carrier, seals },
  };

  test.each([
    ['a creation', 'create', undefined, 'sender carrier seals parts', { type: 'parcel', attributes, relationships }],
    [
      'a creation below a sender',
      'create',
      'sender',
      'carrier seals parts',
      { type: 'parcel', attributes, relationships },
    ],
    ['a change', 'change', undefined, 'carrier seals', change],
  ] as const)('%s contains the fields that can be set', (_what, purpose, parent, names, data) => {
    const { properties }: any = documentSchema(parcel, { purpose, parent });
    expect(Object.keys(relationshipsIn(properties.data)).join(' ')).toBe(names);
    expect(properties.data.properties.attributes.required).toEqual(purpose === 'create' ? ['label'] : []);
    expect(documentExample(parcel, { purpose, parent })).toEqual({ data });
  });
});
