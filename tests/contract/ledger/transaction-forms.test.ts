// The fields of every transaction type on each wire: derived from the declarations that read them, and compared with the served
// JSON Schemas.

import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, writeJson, type Json } from '../../../src/kit/json.ts';
import { Refusal } from '../../../src/kit/refusal.ts';
import { snakeCaseNameOf, type Attribute, type Relation, type Resource } from '../../../src/kit/resource.ts';
import { nonZeroDecimal } from '../../../src/model/ledger/transaction-value.ts';
import type { TransactionVariantSet } from '../../../src/model/ledger/transaction-variant.ts';
import { listTransactionTypes } from '../../../src/surfaces/snake-case/transaction-types.ts';
import { fromJsonApiTransaction } from '../../../src/surfaces/json-api/transaction.ts';
import { jsonApiTransactionVariants } from '../../../src/surfaces/json-api/transaction-variants.ts';
import { fromPlainTransaction } from '../../../src/surfaces/plain/transaction.ts';
import { plainTransactionVariants } from '../../../src/surfaces/plain/transaction-variants.ts';
import { plain } from '../../../src/surfaces/plain/wire.ts';
import { fromV1Transaction } from '../../../src/surfaces/v1/ledger/transaction.ts';
import { v1TransactionVariants } from '../../../src/surfaces/v1/ledger/transaction-variants.ts';
import { v1 } from '../../../src/surfaces/v1/wire.ts';

type Field = Attribute<any> | Relation;
type Body = Record<string, unknown>;

interface FormFault {
  readonly code: string;
  readonly pointer: string | undefined;
  readonly detail: string;
}

const id = '0123456789abcdef01234567';

/** A valid value for each field; figures are positive unless the type requires a negative one. */
const goodValues: Readonly<Record<string, unknown>> = {
  date: '2026-03-12',
  settlementDate: '2026-03-16',
  executedAt: '2026-03-12T09:30:00Z',
  periodStart: '2026-01-01',
  periodEnd: '2026-03-31',
  currency: 'CHF',
  counterCcyCode: 'EUR',
  side: 'buy',
  action: 'split',
  ratio: '2:1',
  costShare: '0.2',
  lots: [{ id, quantity: '1' }],
  acquired: [{ date: '2020-01-05', quantity: '1', cost: '80' }],
  category: 'custody',
  comment: 'Fine.',
  source: 'custodian',
  externalReference: 'R-1',
};

function isRelation(field: Field): field is Relation {
  return !('kind' in field);
}

function goodValueOf(name: string, field: Field): unknown {
  if (isRelation(field)) return id;
  if (name === 'type') return field.example;
  if (name in goodValues) return goodValues[name];
  return accepts(field, '1') ? '1' : '-1';
}

function accepts({ kind }: Attribute<any>, value: Json): boolean {
  try {
    kind.read(value);
    return true;
  } catch {
    return false;
  }
}

interface WireSide {
  readonly name: string;
  readonly vocabulary: TransactionVariantSet;
  read(body: Json): unknown;
  /** Builds a body from fields under their declared names. */
  write(resource: Resource, fields: Body): unknown;
  pointer(resource: Resource, name: string): string;
  /** The name of a field in messages. */
  called(resource: Resource, name: string): string;
  unknown(resource: Resource, name: string): string;
}

function fieldsOf({ attributes, relations }: Resource): Readonly<Record<string, Field>> {
  return { ...attributes, ...relations };
}

function snakeCaseSide(name: string, vocabulary: TransactionVariantSet, read: (body: Json) => unknown): WireSide {
  const any = fieldsOf(vocabulary.resource);
  const flat = (resource: Resource, field: string): string =>
    snakeCaseNameOf(field, fieldsOf(resource)[field] ?? any[field]!);
  return {
    name,
    vocabulary,
    read,
    write: (resource, fields) =>
      Object.fromEntries(Object.entries(fields).map(([field, value]) => [flat(resource, field), value])),
    pointer: (resource, field) => `/${flat(resource, field)}`,
    called: flat,
    unknown: (resource, field) => `There is no field "${flat(resource, field)}" that can be set here.`,
  };
}

const jsonApiSide: WireSide = {
  name: 'JSON:API',
  vocabulary: jsonApiTransactionVariants,
  read: fromJsonApiTransaction,
  write(_resource, fields) {
    const { relations } = jsonApiTransactionVariants.resource;
    const entries = Object.entries(fields);
    const linked = entries.filter(([name]) => name in relations);
    const identifier = (name: string, value: unknown): unknown =>
      typeof value === 'string' ? { type: relations[name]!.to, id: value } : value;
    return {
      data: {
        type: 'transaction',
        attributes: Object.fromEntries(entries.filter(([name]) => !(name in relations))),
        relationships: Object.fromEntries(linked.map(([name, value]) => [name, { data: identifier(name, value) }])),
      },
    };
  },
  pointer: (_resource, field) =>
    `/data/${field in jsonApiTransactionVariants.resource.relations ? 'relationships' : 'attributes'}/${field}`,
  called: (_resource, field) => field,
  unknown(_resource, field) {
    const word = field in jsonApiTransactionVariants.resource.relations ? 'relationship' : 'attribute';
    return `There is no ${word} "${field}" that can be set here.`;
  },
};

const sides: readonly WireSide[] = [
  jsonApiSide,
  snakeCaseSide('Plain', plainTransactionVariants, fromPlainTransaction),
  snakeCaseSide('v1', v1TransactionVariants, fromV1Transaction),
];

/** A body with every accepted field and valid values. */
function completeBody(resource: Resource): Body {
  const sendable = Object.entries(fieldsOf(resource)).filter(([, { writable }]) => writable !== 'never');
  return Object.fromEntries(sendable.map(([name, field]) => [name, goodValueOf(name, field)]));
}

function readFaults(side: WireSide, resource: Resource, fields: Body): FormFault[] {
  return reportedFaults(side, side.write(resource, fields));
}

/** Merges two bodies, including their common members. */
function merged(one: Body, other: Body): Body {
  const both = Object.entries(other).map(([name, value]) => {
    const isObject = typeof value === 'object' && value !== null && typeof one[name] === 'object';
    return [name, isObject ? merged(one[name] as Body, value as Body) : value];
  });
  return { ...one, ...Object.fromEntries(both) };
}

function reportedFaults(side: WireSide, body: unknown): FormFault[] {
  try {
    side.read(parseJson(writeJson(body)));
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return error.faults.map(({ code, pointer, detail }) => ({ code, pointer, detail }));
  }
}

const cases = sides.flatMap((side) =>
  [...side.vocabulary.variants.values()].map(
    ({ typeName: word, resource }) => [`${word} on ${side.name}`, side, resource] as const,
  ),
);

/** A wrong value for each kind of field, and the expected message. */
const wrongValues: readonly (readonly [names: readonly string[], value: unknown, sentence: string])[] = [
  [['date', 'settlementDate', 'periodStart', 'periodEnd'], 5, 'must be a string'],
  [['executedAt'], '2026-03-12T09:30:00', 'must be a timestamp with an offset, such as 2026-11-15T14:00:00Z'],
  [['currency', 'counterCcyCode'], 'XXX1', 'must be an ISO 4217 currency code, such as EUR'],
  [['side'], 'BUY', 'must be one of buy, sell'],
  [
    ['action'],
    'splitting',
    'must be one of split, reverse-split, stock-dividend, spin-off, merger, return-of-capital, symbol-change',
  ],
  [['ratio'], '2', 'must be two numbers greater than 0 with a colon between them, such as 2:1'],
  [['costShare'], '1.01', 'must be a fraction from 0 to 1'],
  [['quantity', 'exchangeRate', 'cashInLieuQuantity'], '0', 'must be greater than 0'],
  [['price', 'fees', 'taxes', 'effectOnUnfunded', 'recallableAmount', 'dirtyPrice'], '-1', 'must not be negative'],
  [['amount', 'accruedInterest', 'counterAmount', 'rate', 'gross'], 'many', 'must be a decimal such as -1234.5'],
  [['category', 'comment', 'externalReference'], '', 'must not be empty'],
  [['source'], 'calculated', 'must be one of manual, custodian'],
  [['lots', 'acquired'], {}, 'must be an array'],
];

describe('a body of type', () => {
  test.each(cases)('%s may contain every field of its type', (_what, side, resource) => {
    expect(readFaults(side, resource, completeBody(resource))).toEqual([]);
  });

  test.each(cases)(
    '%s must contain the required fields, and the refusal names missing ones',
    (_what, side, resource) => {
      const whole = completeBody(resource);
      const required = Object.entries(fieldsOf(resource)).filter(([name, field]) => field.required && name !== 'type');
      expect(required.map(([name]) => name)).toContain('date');
      for (const [name] of required) {
        const { [name]: _left, ...rest } = whole;
        const expected = {
          code: 'missing-attribute',
          pointer: side.pointer(resource, name),
          detail: `${side.called(resource, name)} is required.`,
        };
        expect([name, readFaults(side, resource, rest)]).toEqual([name, [expected]]);
      }
    },
  );

  test.each(cases)('%s refuses every field of another type', (_what, side, resource) => {
    const any = fieldsOf(side.vocabulary.resource);
    const own = fieldsOf(resource);
    // Under any name that its types use for it.
    const taken = Object.keys(own).filter((name) => own[name]!.writable !== 'never');
    const pointers = new Set(taken.map((name) => side.pointer(resource, name)));
    const foreign = Object.keys(any).filter((name) => !pointers.has(side.pointer(side.vocabulary.resource, name)));
    for (const name of foreign) {
      const whole = side.write(resource, completeBody(resource)) as Body;
      const foreignBody = side.write(side.vocabulary.resource, { [name]: goodValueOf(name, any[name]!) }) as Body;
      const pointer = side.pointer(side.vocabulary.resource, name);
      const expected = { code: 'unknown-attribute', pointer, detail: side.unknown(side.vocabulary.resource, name) };
      expect([name, reportedFaults(side, merged(whole, foreignBody))]).toEqual([name, [expected]]);
    }
  });

  test.each(cases)('%s refuses invalid values, each with its pointer', (_what, side, resource) => {
    for (const [names, value, sentence] of wrongValues) {
      for (const name of names.filter((one) => one in resource.attributes)) {
        const attribute = resource.attributes[name]!;
        const { writable } = attribute;
        if (writable === 'never' || accepts(attribute, parseJson(writeJson(value)))) continue;
        // The units of a transfer may have either sign, but not be zero.
        const expected = attribute.kind === nonZeroDecimal && value === '0' ? 'must not be 0' : sentence;
        const detail = `${side.called(resource, name)} ${expected}.`;
        const fault = { code: 'invalid-attribute', pointer: side.pointer(resource, name), detail };
        expect([name, readFaults(side, resource, { ...completeBody(resource), [name]: value })]).toEqual([
          name,
          [fault],
        ]);
      }
    }
    for (const name of Object.keys(resource.relations).filter((one) => resource.relations[one]!.writable !== 'never')) {
      const faults = readFaults(side, resource, { ...completeBody(resource), [name]: 'nobody' });
      const detail = `${side.called(resource, name)} must be an id of 24 hexadecimal characters.`;
      expect(faults).toEqual([{ code: 'invalid-attribute', pointer: side.pointer(resource, name), detail }]);
    }
  });
});

describe('the direction of cash', () => {
  const directions: [word: string, wrong: string, right: string, way: string][] = [
    ['deposit', '-5', '5', 'must be positive, since cash comes in'],
    ['withdrawal', '5', '-5', 'must be negative, since cash goes out'],
    ['corporate-action', '-12', '12', 'must be positive, since cash comes in'],
  ];

  test.each(directions)('of a %s: %s is refused, and %s was expected', (word, wrong, right, rule) => {
    for (const side of [sides[0]!, sides[2]!]) {
      const { resource } = side.vocabulary.variants.get(word)!;
      const { quantity: _quantity, ...whole } = completeBody(resource);
      expect(readFaults(side, resource, { ...whole, amount: right })).toEqual([]);
      expect(readFaults(side, resource, { ...whole, amount: wrong })).toEqual([
        {
          code: 'invalid-attribute',
          pointer: side.pointer(resource, 'amount'),
          detail: `amount ${rule}: expected ${right}, got ${wrong}.`,
        },
      ]);
      expect(readFaults(side, resource, { ...whole, amount: 0 })[0]!.detail).toBe('amount must not be 0.');
    }
  });
});

test.each(['dividend', 'coupon', 'fee', 'drawing', 'private-equity-cashflow'])(
  'a %s can be reversed: its amount has either sign, and is not 0',
  (word) => {
    for (const side of [sides[0]!, sides[2]!]) {
      const { resource } = side.vocabulary.variants.get(word)!;
      const { quantity: _quantity, ...whole } = completeBody(resource);
      const faults = ['12', '-12', '0'].map((amount) => readFaults(side, resource, { ...whole, amount }));
      expect(faults.map((found) => found.map(({ detail }) => detail))).toEqual([[], [], ['amount must not be 0.']]);
    }
  },
);

describe('the JSON Schema that is served', () => {
  const ajv = addFormats.default(new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true }));
  const served = [
    ...listTransactionTypes(plainTransactionVariants, plain).map((one) => ['Plain', one, sides[1]!] as const),
    ...listTransactionTypes(v1TransactionVariants, v1).map((one) => ['v1', one, sides[2]!] as const),
  ].map(([wire, listed, side]) => [`${listed.type} on ${wire}`, listed, side] as const);

  /** Values of all kinds, most of them valid for some field. */
  const someValue = fc.oneof(
    fc.constantFrom<unknown>(
      1,
      -1,
      0,
      0.5,
      '1',
      '-1',
      '0',
      '0.25',
      '12.50',
      '-0.5',
      '1.5',
      'x',
      '',
      null,
      true,
      [],
      {},
    ),
    fc.constantFrom<unknown>(id, `${id}.1`, '2:1', '2', '0:1', 'buy', 'sell', 'split', 'CHF', 'manual', 'calculated'),
    fc.constantFrom<unknown>('2026-03-12', '2026-02-30', '2026-03-12T09:30:00Z', [{ id, quantity: 1 }], [{ id }], [{}]),
    fc.constantFrom<unknown>([{ date: '2020-01-05', quantity: '1', cost: 0 }], [{ id, quantity: '-1' }]),
  );

  test.each(served)('of %s agrees with the reader', (_what, { type, schema }, side) => {
    const { resource } = side.vocabulary.variants.get(type)!;
    const matches = ajv.compile(schema);
    const whole = completeBody(resource);
    const names = Object.keys(fieldsOf(side.vocabulary.resource)).filter((name) => name !== 'type');
    const changes = fc.array(fc.tuple(fc.constantFrom(...names), fc.option(someValue, { nil: undefined })), {
      maxLength: 3,
    });
    fc.assert(
      fc.property(changes, (changed) => {
        const fields: Body = { ...whole };
        for (const [name, value] of changed) {
          if (value === undefined) delete fields[name];
          else fields[name] = value;
        }
        // No schema compares two fields, and the clean price of a bond may be sent under two names.
        delete fields[changed.some(([name]) => name === 'quotedPrice') ? 'price' : 'quotedPrice'];
        const faults = readFaults(side, resource, fields);
        const isTaken = matches(side.write(resource, fields));
        expect({ fields, isTaken, faults }).toEqual({ fields, isTaken: faults.length === 0, faults });
      }),
      { numRuns: 60 },
    );
  });

  test('lists all types: nine of the specification and four more on Plain, thirteen on v1', () => {
    expect([...plainTransactionVariants.variants.keys()]).toEqual(
      'AccountInterest BondTrade BondCoupon BondRedemption EquityTrade Dividend FxTrade Transfer Fee CorporateAction CapitalCall Distribution ForwardSettlement'.split(
        ' ',
      ),
    );
    expect([...v1TransactionVariants.variants.keys()]).toEqual(
      'buy sell deposit withdrawal dividend coupon interest fee fx-trade corporate-action drawing maturity private-equity-cashflow'.split(
        ' ',
      ),
    );
  });
});
