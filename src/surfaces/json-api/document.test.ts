// Tests JSON:API documents and resource objects: rendering, reading, and refusals with pointers.

import { beforeEach, describe, expect, test, vi } from 'vitest';
import { boolean, calendarDate, decimal, instant, integer, oneOf, text } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { parseJson, writeJson } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { declareResource, type AnyChange, type AnyRecord } from '../../kit/resource.ts';
import { readDocument, renderResource, type DocumentPurpose } from './document.ts';
import { jsonApiFields } from './shown-fields.ts';
import { jsonApi } from './wire.ts';

const below = (table: string) => ({ table, column: 'parcel_id', otherColumn: 'id' });
const settable = { description: '', writable: 'always' } as const;
const parcel = declareResource({
  type: 'parcel',
  plural: 'parcels',
  description: 'Something with a field of every kind.',
  table: 'parcel',
  owner: { relation: 'sender' },
  attributes: {
    label: { ...settable, kind: text({ lengthMax: 10 }), required: true },
    weight: { kind: decimal, description: '', writable: 'always', nullable: true },
    sentOn: { kind: calendarDate, description: '', writable: 'at-creation' },
    seenAt: { kind: instant, description: '', writable: 'always', nullable: true },
    size: { kind: oneOf(['S', 'L']), description: '', writable: 'always' },
    isFragile: { kind: boolean, description: '', writable: 'always' },
    floors: { kind: integer({ min: 0, max: 9 }), description: '', writable: 'always' },
    postage: { kind: decimal, description: '', writable: 'never' },
    secret: { kind: text({ lengthMax: 9 }), description: '', writable: 'always' },
  },
  relations: {
    sender: { to: 'person', description: '', writable: 'at-creation', required: true },
    carrier: { ...settable, to: 'person' },
    inspector: { to: 'person', description: '', writable: 'never', required: true },
    seals: { ...settable, to: 'wax-seal', many: below('seal') },
    parts: { to: 'part', many: below('part'), description: '', writable: 'at-creation' },
    stops: { to: 'stop', many: below('stop'), description: '', writable: 'never' },
    hidden: { to: 'person', description: '', writable: 'always' },
  },
});

beforeEach(() => {
  vi.spyOn(jsonApiFields, 'includes').mockImplementation((_, field) => !['secret', 'hidden'].includes(field));
});

const [own, someone, another] = ['a', 'b', 'c'].map((digit) => digit.repeat(24)) as [Id, Id, Id];
const linkTo = (id: string | null): string => `{"data":${id === null ? 'null' : `{"type":"person","id":"${id}"}`}}`;

function create(attributes: string, relationships = `"sender":${linkTo(someone)}`): AnyChange {
  return read(`{"data":{"type":"parcel","attributes":{${attributes}},"relationships":{${relationships}}}}`, 'create');
}

function read(json: string, purpose: 'create' | 'change', parent?: DocumentPurpose['parent']): AnyChange {
  const more = { ...(purpose === 'change' ? { id: own } : {}), ...(parent ? { parent } : {}) };
  return readDocument(parcel, parseJson(json), { purpose, ...more });
}

/** Returns the faults of the refusal, each as code and pointer. */
function faultsOf(task: () => unknown): [code: string, pointer: string | undefined][] {
  try {
    task();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.faults.map(({ code, pointer }) => [code, pointer]);
  }
  return [];
}

describe('rendering', () => {
  const record: AnyRecord = {
    id: own,
    label: 'Box',
    weight: '12345678901234567890.000000000000000001',
    sentOn: '2026-11-15',
    seenAt: Date.UTC(2026, 10, 15, 14, 0, 0, 5),
    size: 'L',
    isFragile: false,
    floors: 0,
    postage: '0',
    secret: 'hush',
    sender: someone,
    carrier: null,
    inspector: another,
    seals: [],
    parts: [own],
    stops: [someone, another],
    hidden: another,
  };

  test('a record is a resource object with decimals as numbers with all digits', () => {
    expect(writeJson(renderResource(parcel, record))).toBe(
      `{"type":"parcel","id":"${own}","attributes":{"label":"Box","weight":12345678901234567890.000000000000000001,` +
        '"sentOn":"2026-11-15","seenAt":"2026-11-15T14:00:00.005Z","size":"L","isFragile":false,"floors":0,"postage":0},' +
        `"relationships":{"sender":${linkTo(someone)},"carrier":{"data":null},"inspector":${linkTo(another)},` +
        `"seals":{"data":[]},"parts":{"data":[{"type":"part","id":"${own}"}]},` +
        `"stops":{"data":[{"type":"stop","id":"${someone}"},{"type":"stop","id":"${another}"}]}}}`,
    );
  });

  test('unknown values are null', () => {
    const { attributes } = renderResource(parcel, { ...record, weight: null, seenAt: null }) as { attributes: object };
    expect(attributes).toMatchObject({ weight: null, seenAt: null });
  });
});

describe('reading a creation', () => {
  test('every kind of value is read without loss', () => {
    const attributes =
      '"label":"Box","weight":12345678901234567890.000000000000000001,"sentOn":"2026-11-15",' +
      '"seenAt":"2026-11-15T15:00:00.005+01:00","size":"L","isFragile":true,"floors":3';
    const seals = [another, someone].map((id) => `{"type":"wax-seal","id":"${id}"}`).join();
    const relationships = `"sender":${linkTo(someone)},"carrier":${linkTo(null)},"seals":{"data":[${seals}]},"parts":{"data":[]}`;
    expect(create(attributes, relationships)).toEqual({
      label: 'Box',
      weight: '12345678901234567890.000000000000000001',
      sentOn: '2026-11-15',
      seenAt: Date.UTC(2026, 10, 15, 14, 0, 0, 5),
      size: 'L',
      isFragile: true,
      floors: 3,
      sender: someone,
      carrier: null,
      seals: [another, someone],
      parts: [],
    });
  });

  test.each([
    ['1.10', '1.1'],
    ['"1.10"', '1.1'],
    ['-0.0', '0'],
    ['1E+2', '100'],
    ['99999999999999999999.999999999999999999', '99999999999999999999.999999999999999999'],
    ['null', null],
  ])('a weight of %s is read as %s', (sent, kept) => {
    expect(create(`"label":"Box","weight":${sent}`)['weight']).toBe(kept);
  });

  test.each([
    ['"label":7', 'invalid-attribute', 'label'],
    ['"label":null', 'invalid-attribute', 'label'],
    ['"label":"Box","weight":"heavy"', 'invalid-attribute', 'weight'],
    ['"label":"Box","weight":1e400', 'invalid-attribute', 'weight'],
    ['"label":"Box","weight":0.0000000000000000001', 'invalid-attribute', 'weight'],
    ['"label":"Box","weight":{}', 'invalid-attribute', 'weight'],
    ['"label":"Box","sentOn":"2026-02-30"', 'invalid-attribute', 'sentOn'],
    ['"label":"Box","sentOn":null', 'invalid-attribute', 'sentOn'],
    ['"label":"Box","seenAt":"2026-11-15"', 'invalid-attribute', 'seenAt'],
    ['"label":"Box","seenAt":"2026-11-15T24:00:00Z"', 'invalid-attribute', 'seenAt'],
    ['"label":"Box","size":"M"', 'invalid-attribute', 'size'],
    ['"label":"Box","isFragile":"yes"', 'invalid-attribute', 'isFragile'],
    ['"label":"Box","floors":10', 'invalid-attribute', 'floors'],
    ['"label":"Box","floors":1.5', 'invalid-attribute', 'floors'],
    ['"label":"Box","postage":1', 'unknown-attribute', 'postage'],
    ['"label":"Box","secret":"x"', 'unknown-attribute', 'secret'],
    ['"label":"Box","sender":"x"', 'unknown-attribute', 'sender'],
    ['"label":"Box","id":"x"', 'unknown-attribute', 'id'],
    ['"label":"Box","__proto__":{}', 'unknown-attribute', '__proto__'],
    ['"label":"Box","a/b~c":1', 'unknown-attribute', 'a~1b~0c'],
    ['', 'missing-attribute', 'label'],
  ])('{%s} is refused: %s at %s', (attributes, code, name) => {
    expect(faultsOf(() => create(attributes))).toEqual([[code, `/data/attributes/${name}`]]);
  });

  test.each([
    ['', 'missing-attribute', 'sender'],
    [`"sender":${linkTo(null)}`, 'invalid-attribute', 'sender'],
    ['"sender":{}', 'invalid-attribute', 'sender'],
    ['"sender":{"data":[]}', 'invalid-attribute', 'sender'],
    ['"sender":{"data":{"type":"person"}}', 'invalid-attribute', 'sender'],
    [`"sender":{"data":{"type":"stop","id":"${own}"}}`, 'invalid-attribute', 'sender'],
  ])('{%s} among the relationships is refused: %s', (relationships, code, name) => {
    expect(faultsOf(() => create('"label":"Box"', relationships))).toEqual([[code, `/data/relationships/${name}`]]);
  });

  test.each(['inspector', 'stops', 'hidden', 'unknown', 'label', 'toString'])(
    '%s is not a relationship that can be set',
    (name) => {
      const relationships = `"sender":${linkTo(someone)},"${name}":${name === 'stops' ? '{"data":[]}' : linkTo(someone)}`;
      expect(faultsOf(() => create('"label":"Box"', relationships))).toEqual([
        ['unknown-attribute', `/data/relationships/${name}`],
      ]);
    },
  );

  test('all faults are reported together, each once', () => {
    expect(faultsOf(() => create('"weight":true,"nonsense":1', '"sender":7,"carrier":{}'))).toEqual([
      ['invalid-attribute', '/data/attributes/weight'],
      ['unknown-attribute', '/data/attributes/nonsense'],
      ['invalid-attribute', '/data/relationships/sender'],
      ['invalid-attribute', '/data/relationships/carrier'],
      ['missing-attribute', '/data/attributes/label'],
    ]);
  });

  test('members that begin with @ and other members of JSON:API are accepted', () => {
    const data = `"type":"parcel","lid":"local","meta":{},"links":{},"@x":1,"attributes":{"label":"Box","@y":2},"relationships":{"sender":${linkTo(someone)},"@z":3}`;
    expect(read(`{"jsonapi":{"version":"1.1"},"meta":{},"@context":0,"data":{${data}}}`, 'create')).toEqual({
      label: 'Box',
      sender: someone,
    });
  });
});

describe('reading a change', () => {
  const change = (rest: string): AnyChange => read(`{"data":{"type":"parcel","id":"${own}"${rest}}}`, 'change');

  test('only the sent fields are in the change', () => {
    expect(change('')).toEqual({});
    expect(change(',"attributes":{}')).toEqual({});
    expect(change(',"attributes":{"weight":"2.50"}')).toEqual({ weight: '2.5' });
    expect(change(`,"relationships":{"carrier":${linkTo(null)}}`)).toEqual({ carrier: null });
  });

  test('immutable fields may be sent, to be compared with the current values', () => {
    const stops = `{"data":[{"type":"stop","id":"${own}"}]}`;
    const rest = `,"attributes":{"postage":1,"sentOn":"2026-11-15"},"relationships":{"inspector":${linkTo(own)},"parts":{"data":[]},"stops":${stops}}`;
    expect(change(rest)).toEqual({ postage: '1', sentOn: '2026-11-15', inspector: own, parts: [], stops: [own] });
  });

  test.each(['sender', 'inspector'])('%s, a required relation, cannot be removed', (name) => {
    expect(faultsOf(() => change(`,"relationships":{"${name}":${linkTo(null)}}`))).toEqual([
      ['invalid-attribute', `/data/relationships/${name}`],
    ]);
  });
});

describe('an invalid set of resource identifiers', () => {
  const one = `{"type":"wax-seal","id":"${own}"}`;
  const wrong = ['null', '7', '[]', `"${own}"`, `[${one}]`, linkTo(own), `{"id":"${own}"}`, '{"type":"wax-seal"}'];
  const lists = [...wrong, one.replace('wax-', ''), one.replace(own, 'x'), `${one},${one}`, `${one},null`];
  const values = ['null', '[]', `[${one}]`, '{}', '{"data":null}', `{"data":${one}}`, `{"data":"${own}"}`];

  test.each([...values, ...lists.map((list) => `{"data":[${list}]}`)])('%s is refused with its pointer', (value) => {
    const faults = [['invalid-attribute', '/data/relationships/seals']];
    expect(faultsOf(() => create('"label":"Box"', `"sender":${linkTo(someone)},"seals":${value}`))).toEqual(faults);
    const change = `{"data":{"type":"parcel","id":"${own}","relationships":{"seals":${value}}}}`;
    expect(faultsOf(() => read(change, 'change'))).toEqual(faults);
  });
});

describe('a relation given by the path', () => {
  const sender = (id: string | null): string => `"sender":${linkTo(id)}`;
  const createBelow = (relation: string, relationships: string): AnyChange => {
    const document = `{"data":{"type":"parcel","attributes":{"label":"Box"},"relationships":{${relationships}}}}`;
    return read(document, 'create', { relation, id: someone });
  };

  test('may be omitted or repeated in the document', () => {
    expect(createBelow('sender', '')).toEqual({ label: 'Box', sender: someone });
    expect(createBelow('sender', sender(someone))).toEqual({ label: 'Box', sender: someone });
  });

  test.each([sender(another), sender(null), '"sender":{}'])('cannot have another value: %s', (relationships) => {
    const faults = [['invalid-attribute', '/data/relationships/sender']];
    expect(faultsOf(() => createBelow('sender', relationships))).toEqual(faults);
  });

  test('is set even if the document cannot contain it', () => {
    expect(createBelow('hidden', sender(another))).toEqual({ label: 'Box', sender: another, hidden: someone });
  });
});

test('a field has a pointer, and so has each item of a set', () => {
  expect(['label', 'sender', 'seals', 'unknown'].map((field) => jsonApi.pointer(parcel, field))).toEqual([
    '/data/attributes/label',
    '/data/relationships/sender',
    '/data/relationships/seals',
    '/data/attributes/unknown',
  ]);
  expect(jsonApi.pointer(parcel, 'seals', 2)).toBe('/data/relationships/seals/data/2');
});

describe('the document itself', () => {
  test.each([
    ['null', '/data'],
    ['[]', '/data'],
    ['{}', '/data'],
    ['{"data":null}', '/data'],
    ['{"data":[{"type":"parcel"}]}', '/data'],
    ['{"data":{}}', '/data/type'],
    ['{"data":{"type":7}}', '/data/type'],
    ['{"data":{"type":"parcel","attributes":[]}}', '/data/attributes'],
    ['{"data":{"type":"parcel","attributes":null}}', '/data/attributes'],
    ['{"data":{"type":"parcel","relationships":"x"}}', '/data/relationships'],
    ['{"data":{"type":"parcel","label":"Box"}}', '/data/label'],
    ['{"data":{"type":"parcel"},"included":[]}', '/included'],
  ])('%s is refused at %s', (json, pointer) => {
    expect(faultsOf(() => read(json, 'create')).map(([, at]) => at)).toEqual([pointer]);
  });

  test.each([
    ['create', '{"data":{"type":"letter"}}', 'type-mismatch', '/data/type'],
    ['create', `{"data":{"type":"parcel","id":"${own}"}}`, 'client-generated-id', '/data/id'],
    ['change', `{"data":{"type":"parcel","id":"${another}"}}`, 'id-mismatch', '/data/id'],
    ['change', '{"data":{"type":"parcel"}}', 'missing-attribute', '/data/id'],
    ['change', '{"data":{"type":"parcel","id":7}}', 'missing-attribute', '/data/id'],
  ] as const)('to %s with %s: %s', (purpose, json, code, pointer) => {
    expect(faultsOf(() => read(json, purpose))).toEqual([[code, pointer]]);
  });
});
