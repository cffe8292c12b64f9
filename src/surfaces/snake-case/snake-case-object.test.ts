// Tests records as flat objects on the two snake_case wires: rendering, reading, refusals with pointers, and schemas.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boolean, calendarDate, decimal, instant, oneOf, text, type JsonSchema } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { parseJson, writeJson } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import { declareResource, type AnyChange, type AnyRecord } from '../../kit/resource.ts';
import { show, ShownFields } from '../http/operation/shown-fields.ts';
import {
  snakeCaseBodySchema,
  snakeCaseExample,
  snakeCasePointer,
  snakeCaseSchema,
  readSnakeCase,
  renderSnakeCase,
  type SnakeCaseWire,
} from './snake-case-object.ts';

const settable = { writable: 'always' } as const;
const below = (table: string) => ({ table, column: 'parcel_id', otherColumn: 'id' });
const parcel = declareResource({
  type: 'flat-parcel',
  plural: 'flat-parcels',
  description: 'Something with a field of every kind.',
  table: 'parcel',
  owner: { relation: 'sender' },
  attributes: {
    label: {
      kind: text({ lengthMax: 10 }),
      description: 'Its label.',
      writable: 'always',
      required: true,
      example: 'Box',
    },
    netWeight: { kind: decimal, description: 'Its weight.', writable: 'always', nullable: true },
    sentOn: { kind: calendarDate, description: 'Its day.', writable: 'at-creation', example: '2026-11-15' },
    seenAt: { kind: instant, description: 'Its moment.', writable: 'never', nullable: true },
    size: {
      kind: oneOf(['S', 'L']),
      description: 'Its size.',
      writable: 'always',
      snakeCaseName: 'format',
    },
    isFragile: { kind: boolean, description: 'Its nature.', writable: 'always' },
    secret: { kind: text({ lengthMax: 9 }), description: 'Its secret.', writable: 'always' },
  },
  relations: {
    sender: { to: 'person', description: 'Who sent it.', writable: 'at-creation', required: true },
    legalCarrier: { to: 'person', description: 'Who carries it.', writable: 'always' },
    owner: {
      ...settable,
      to: 'person',
      description: 'Whose it is.',
      snakeCaseName: 'entity_id',
      example: 'd'.repeat(24),
    },
    office: { to: 'office', description: 'Who took it.', writable: 'never', required: true },
    seals: { ...settable, to: 'wax-seal', many: below('seal'), description: 'Its seals.', example: ['e'.repeat(24)] },
    parts: { to: 'part', many: below('part'), description: 'Its parts.', writable: 'at-creation' },
    scans: { to: 'scan', many: below('scan'), description: 'Its scans.', writable: 'never' },
    stops: { to: 'stop', many: below('stop'), description: 'Where it was.', writable: 'always' },
  },
});

const plain: SnakeCaseWire = {
  style: { decimals: 'number', names: 'snake' },
  shownFields: new ShownFields([show(parcel, 'label', 'netWeight', 'sentOn', 'seenAt', 'isFragile', 'sender')]),
};
const v1: SnakeCaseWire = {
  style: { decimals: 'string', names: 'snake' },
  shownFields: new ShownFields([
    show(parcel, 'label', 'netWeight', 'sentOn', 'seenAt', 'size'),
    show(parcel, 'sender', 'legalCarrier', 'owner', 'office', 'seals', 'parts', 'scans'),
  ]),
};
const [own, someone, another] = ['a', 'b', 'c'].map((digit) => digit.repeat(24)) as [Id, Id, Id];
const record: AnyRecord = {
  id: own,
  label: 'Box',
  netWeight: '12345678901234567890.000000000000000001',
  sentOn: '2026-11-15',
  seenAt: Date.UTC(2026, 10, 15, 14, 0, 0, 5),
  size: 'L',
  isFragile: false,
  secret: 'hush',
  sender: someone,
  legalCarrier: null,
  owner: another,
  office: someone,
  seals: [someone, another],
  parts: [],
  scans: [own],
  stops: [own],
};

function read(json: string, purpose: 'create' | 'change', wire = v1): AnyChange {
  return readSnakeCase(parcel, parseJson(json), {
    wire,
    purpose,
    otherMembers: ['key'],
    ...(purpose === 'change' ? { id: own } : {}),
  });
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
  test('each wire shows its own fields, under its own names, with decimals in its own style', () => {
    expect(writeJson(renderSnakeCase(parcel, record, plain))).toBe(
      `{"id":"${own}","label":"Box","net_weight":12345678901234567890.000000000000000001,"sent_on":"2026-11-15",` +
        `"seen_at":"2026-11-15T14:00:00.005Z","is_fragile":false,"sender_id":"${someone}"}`,
    );
    expect(writeJson(renderSnakeCase(parcel, record, v1))).toBe(
      `{"id":"${own}","label":"Box","net_weight":"12345678901234567890.000000000000000001","sent_on":"2026-11-15",` +
        `"seen_at":"2026-11-15T14:00:00.005Z","format":"L","sender_id":"${someone}","legal_carrier_id":null,"entity_id":"${another}",` +
        `"office_id":"${someone}","wax_seal_ids":["${someone}","${another}"],"part_ids":[],"scan_ids":["${own}"]}`,
    );
  });

  test('unknown values are null', () => {
    expect(renderSnakeCase(parcel, { ...record, netWeight: null, seenAt: null }, v1)).toMatchObject({
      net_weight: null,
      seen_at: null,
    });
  });
});

describe('reading a creation', () => {
  const needed = `"label":"Box","sender_id":"${someone}"`;

  test('every kind of value is read without loss, under its declared name', () => {
    const sets = `"wax_seal_ids":["${another}","${someone}"],"part_ids":[]`;
    const json = `{${needed},"net_weight":12345678901234567890.000000000000000001,"sent_on":"2026-11-15","format":"S","legal_carrier_id":null,"entity_id":"${another}",${sets},"key":{"read":"elsewhere"}}`;
    expect(read(json, 'create')).toEqual({
      label: 'Box',
      sender: someone,
      netWeight: '12345678901234567890.000000000000000001',
      sentOn: '2026-11-15',
      size: 'S',
      legalCarrier: null,
      owner: another,
      seals: [another, someone],
      parts: [],
    });
  });

  test('a decimal is rendered as it was read, on both wires, as a number or as a string', () => {
    const digits = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 20n - 1n }), fc.bigInt({ min: 0n, max: 10n ** 17n - 1n }));
    fc.assert(
      fc.property(digits, fc.constantFrom('', '-'), fc.constantFrom('', '"'), ([whole, fraction], sign, quote) => {
        const sent = `${sign}${whole}.${String(fraction).padStart(17, '0')}1`;
        const { netWeight } = read(`{${needed},"net_weight":${quote}${sent}${quote}}`, 'create');
        const shown = { ...record, netWeight };
        expect(writeJson(renderSnakeCase(parcel, shown, plain)['net_weight'])).toBe(sent);
        expect(writeJson(renderSnakeCase(parcel, shown, v1)['net_weight'])).toBe(`"${sent}"`);
      }),
    );
  });

  test.each([
    [`"label":7,"sender_id":"${someone}"`, 'invalid-attribute', '/label'],
    [`"sender_id":"${someone}"`, 'missing-attribute', '/label'],
    ['"label":"Box"', 'missing-attribute', '/sender_id'],
    ['"label":"Box","sender_id":null', 'invalid-attribute', '/sender_id'],
    ['"label":"Box","sender_id":"x"', 'invalid-attribute', '/sender_id'],
    [`"label":"Box","sender_id":["${someone}"]`, 'invalid-attribute', '/sender_id'],
    [`${needed},"net_weight":"heavy"`, 'invalid-attribute', '/net_weight'],
    [`${needed},"net_weight":1e400`, 'invalid-attribute', '/net_weight'],
    [`${needed},"net_weight":123456789012345678901`, 'invalid-attribute', '/net_weight'],
    [`${needed},"net_weight":0.0000000000000000001`, 'invalid-attribute', '/net_weight'],
    [`${needed},"net_weight":false`, 'invalid-attribute', '/net_weight'],
    [`${needed},"sent_on":"2026-02-30"`, 'invalid-attribute', '/sent_on'],
    [`${needed},"sent_on":"2026-11-15T00:00:00Z"`, 'invalid-attribute', '/sent_on'],
    [`${needed},"sent_on":null`, 'invalid-attribute', '/sent_on'],
    [`${needed},"format":"M"`, 'invalid-attribute', '/format'],
    [`${needed},"legal_carrier_id":7`, 'invalid-attribute', '/legal_carrier_id'],
    [`${needed},"seen_at":"2026-11-15T14:00:00Z"`, 'unknown-attribute', '/seen_at'],
    [`${needed},"id":"${own}"`, 'unknown-attribute', '/id'],
    [`${needed},"netWeight":1`, 'unknown-attribute', '/netWeight'],
    [`${needed},"size":"S"`, 'unknown-attribute', '/size'],
    [`${needed},"is_fragile":true`, 'unknown-attribute', '/is_fragile'],
    [`${needed},"secret":"x"`, 'unknown-attribute', '/secret'],
    [`${needed},"part_ids":null`, 'invalid-attribute', '/part_ids'],
    [`${needed},"scan_ids":[]`, 'unknown-attribute', '/scan_ids'],
    [`${needed},"stop_ids":[]`, 'unknown-attribute', '/stop_ids'],
    [`${needed},"seals":[]`, 'unknown-attribute', '/seals'],
    [`${needed},"wax_seal_id":"${own}"`, 'unknown-attribute', '/wax_seal_id'],
    [`${needed},"office_id":"${own}"`, 'unknown-attribute', '/office_id'],
    [`${needed},"sender":"x"`, 'unknown-attribute', '/sender'],
    [`${needed},"__proto__":{}`, 'unknown-attribute', '/__proto__'],
    [`${needed},"a/b~c":1`, 'unknown-attribute', '/a~1b~0c'],
  ])('{%s} is refused: %s at %s', (members, code, pointer) => {
    expect(faultsOf(() => read(`{${members}}`, 'create'))).toEqual([[code, pointer]]);
  });

  test('all faults are reported together, in the order of the body, missing fields last', () => {
    expect(faultsOf(() => read('{"nonsense":1,"net_weight":true}', 'create'))).toEqual([
      ['unknown-attribute', '/nonsense'],
      ['invalid-attribute', '/net_weight'],
      ['missing-attribute', '/label'],
      ['missing-attribute', '/sender_id'],
    ]);
  });

  test.each(['null', '[]', '"x"', '1', 'true'])('%s is not an object', (json) => {
    expect(faultsOf(() => read(json, 'create'))).toEqual([['invalid-attribute', '']]);
  });

  test('each wire has its own fields', () => {
    expect(read(`{${needed},"is_fragile":true}`, 'create', plain)).toMatchObject({ isFragile: true });
    expect(faultsOf(() => read(`{${needed},"format":"S"}`, 'create', plain))).toEqual([
      ['unknown-attribute', '/format'],
    ]);
  });
});

describe('reading a change', () => {
  test('only the sent fields are in the change; immutable fields may be sent, to be compared', () => {
    expect(read('{}', 'change')).toEqual({});
    expect(read(`{"id":"${own}","net_weight":null}`, 'change')).toEqual({ netWeight: null });
    expect(read('{"seen_at":"2026-11-15T15:00:00.005+01:00","sent_on":"2026-11-15"}', 'change')).toEqual({
      seenAt: record['seenAt'],
      sentOn: '2026-11-15',
    });
  });

  test('a rendered record can be read back', () => {
    const { id: _id, isFragile: _onPlain, secret: _onNone, stops: _onJsonApi, ...input } = record;
    expect(read(writeJson(renderSnakeCase(parcel, record, v1)), 'change')).toEqual(input);
  });

  test.each([`"${another}"`, 'null', '7', '{}'])('an id of %s is not the one in the path', (id) => {
    expect(faultsOf(() => read(`{"id":${id}}`, 'change'))).toEqual([['id-mismatch', '/id']]);
  });

  test.each(['sender_id', 'office_id'])('%s, a required relation, cannot be removed', (name) => {
    expect(faultsOf(() => read(`{"${name}":null}`, 'change'))).toEqual([['invalid-attribute', `/${name}`]]);
  });
});

describe('an invalid set of ids', () => {
  const lists = ['null', '7', '"x"', '[]', `["${own}"]`, `{"id":"${own}"}`, `"${own}","${own}"`, `"${own}",null`];
  const values = ['null', `"${own}"`, '7', '{}', `{"0":"${own}"}`, ...lists.map((items) => `[${items}]`)];

  test.each(values)('%s is refused with its pointer', (value) => {
    const creation = `{"label":"Box","sender_id":"${someone}","wax_seal_ids":${value}}`;
    expect(faultsOf(() => read(creation, 'create'))).toEqual([['invalid-attribute', '/wax_seal_ids']]);
    for (const name of ['wax_seal_ids', 'part_ids', 'scan_ids']) {
      expect(faultsOf(() => read(`{"${name}":${value}}`, 'change'))).toEqual([['invalid-attribute', `/${name}`]]);
    }
  });
});

describe('pointers of declared fields', () => {
  test.each([
    ['netWeight', '/net_weight'],
    ['size', '/format'],
    ['sender', '/sender_id'],
    ['owner', '/entity_id'],
    ['stops', '/stop_ids'],
    ['seals', '/wax_seal_ids'],
    ['unknown', '/unknown'],
  ])('%s is at %s', (field, pointer) => {
    expect(snakeCasePointer(parcel, field)).toBe(pointer);
    expect(snakeCasePointer(parcel, field, 2)).toBe(`${pointer}/2`);
  });
});

describe('schemas and examples', () => {
  test('an answer has every field, with decimals in the style of the wire', () => {
    const { required, properties } = snakeCaseSchema(parcel, v1) as {
      required: string[];
      properties: Record<string, object>;
    };
    expect(required).toEqual(Object.keys(renderSnakeCase(parcel, record, v1)));
    expect(properties['net_weight']).toEqual({
      anyOf: [{ type: 'string', format: 'decimal' }, { type: 'null' }],
      description: 'Its weight.',
    });
    expect((snakeCaseSchema(parcel, plain)['properties'] as typeof properties)['net_weight']).toMatchObject({
      anyOf: [{ type: 'number' }, { type: 'null' }],
    });
  });

  test('a body has the writable fields, and requires the required ones', () => {
    const settableIn = ({ properties }: JsonSchema): string => Object.keys(properties as object).join(' ');
    const creation = snakeCaseBodySchema(parcel, v1, 'create');
    expect(creation['required']).toEqual(['label', 'sender_id']);
    expect(settableIn(creation)).toBe(
      'label net_weight sent_on format sender_id legal_carrier_id entity_id wax_seal_ids part_ids',
    );
    const change = snakeCaseBodySchema(parcel, v1, 'change');
    expect(change['required']).toEqual([]);
    expect(settableIn(change)).toBe('label net_weight format legal_carrier_id entity_id wax_seal_ids');
  });

  test('a relation is an id, an id or null, or a set of ids', () => {
    const one = { type: 'string', pattern: '^[0-9a-f]{24}$' };
    for (const schema of [snakeCaseSchema(parcel, v1), snakeCaseBodySchema(parcel, v1, 'create')]) {
      expect(schema['properties']).toMatchObject({
        sender_id: { ...one, description: 'Who sent it.' },
        legal_carrier_id: { anyOf: [one, { type: 'null' }], description: 'Who carries it.' },
        wax_seal_ids: { type: 'array', items: one, uniqueItems: true, description: 'Its seals.' },
      });
    }
  });

  test('an example contains the fields that can be set', () => {
    const linked = { entity_id: 'd'.repeat(24), wax_seal_ids: ['e'.repeat(24)] };
    expect(snakeCaseExample(parcel, v1, 'create')).toEqual({ label: 'Box', sent_on: '2026-11-15', ...linked });
    expect(snakeCaseExample(parcel, v1, 'change')).toEqual({ label: 'Box', ...linked });
    expect(snakeCaseExample(parcel, plain, 'change')).toEqual({ label: 'Box' });
  });
});
