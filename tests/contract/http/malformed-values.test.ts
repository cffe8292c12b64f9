// Well-formed bodies with wrong values, to every operation that takes a body: each fault has its pointer, and nothing is written.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { BodySender, bodyOperations, faultsInWireFormat } from '../../setup/http/body-sender.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { snakeCaseStrings } from '../../../src/kit/field.ts';
import { exampleVariant, isToMany, type Attribute, type Relation } from '../../../src/kit/resource.ts';
import { isAccepted, isSettable, type WritePurpose } from '../../../src/surfaces/http/operation/declared-fields.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';

const service = workspaceForThisFile();
let sender: BodySender;

beforeAll(async () => {
  sender = await BodySender.create(service);
});

/** The pointer to the value of a declared field in a body. */
function pointerOf({ wire, resource }: Operation, name: string): string {
  const isLinkage = wire.name === 'json-api' && name in resource!.relations;
  return `${wire.pointer(resource, name)}${isLinkage ? '/data' : ''}`;
}

describe('every field with every wrong kind of value', () => {
  const wrong: Record<string, readonly unknown[]> = {
    string: [null, true, false, 0, -1, 1.5, [], {}, ['x'], { x: 1 }, '', '\u0001'.repeat(10_000), 'x'.repeat(20_000)],
    number: [null, true, '', 'x', [], {}, [1]],
    boolean: [null, 0, 1, '', 'true', 'false', [], {}, [true], { 0: true }],
    array: [null, true, 0, '', 'read', {}, [], [null], [[]], [{}], [0], ['nonsense'], ['read', 'read'], { 0: 'read' }],
    object: [null, true, 0, '', 'x', [], [{}], 1e300],
  };
  const numbers = ['1e400', '-1e-400', '9'.repeat(400), '0.1e2'];

  /** Every member and item within a value, with its pointer. */
  function* membersOf(value: unknown, pointer = ''): Generator<[pointer: string, value: unknown]> {
    if (typeof value !== 'object' || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      yield [`${pointer}/${name}`, member];
      yield* membersOf(member, `${pointer}/${name}`);
    }
  }

  function replaced(example: object, pointer: string, value: unknown): string {
    const changed = structuredClone(example) as any;
    const names = pointer.split('/').slice(1);
    const at = names.slice(0, -1).reduce((object, name) => object[name], changed);
    at[names.at(-1)!] = value;
    return JSON.stringify(changed);
  }

  /** If there are several types, the schema of the example's type. */
  function schemaOf({ body }: Operation): any {
    const { schema, example } = body as any;
    const { attributes, type: own } = example.data ?? {};
    const type = JSON.stringify(attributes?.type ?? own ?? example.type ?? example.kind);
    const ofType = (choices: readonly unknown[] | undefined): unknown =>
      choices?.find((one) => JSON.stringify(one).includes(type));
    const { data } = schema.properties ?? {};
    const resourceObject = ofType(data?.oneOf ?? data?.anyOf);
    return resourceObject === undefined
      ? (ofType(schema.oneOf) ?? schema)
      : { ...schema, properties: { data: resourceObject } };
  }

  /** The schemas that the reference gives for a pointer in a body: one or several. */
  function schemasAt(operation: Operation, pointer: string): any[] {
    const alternativesOf = (schema: any): any[] =>
      (schema?.anyOf ?? schema?.oneOf)?.flatMap(alternativesOf) ?? [schema];
    const step = (schemas: any[], name: string): any[] =>
      schemas.flatMap((one) =>
        alternativesOf(one?.properties?.[name] ?? (/^\d+$/.test(name) ? one?.items : undefined)),
      );
    return pointer
      .split('/')
      .slice(1)
      .reduce(step, alternativesOf(schemaOf(operation)));
  }

  /** Decimals may be sent as numbers: each field decides which numbers are wrong. */
  function takesNumbers(operation: Operation, pointer: string): boolean {
    return schemasAt(operation, pointer).some((one) => one?.type === 'number' || one?.format === 'decimal');
  }

  function takesNull(operation: Operation, pointer: string): boolean {
    return schemasAt(operation, pointer).some((one) => [one?.type].flat().includes('null'));
  }

  /** A list of free texts, unique if it is a set. */
  function isListOfTexts(operation: Operation, pointer: string, value: unknown): boolean {
    if (!Array.isArray(value) || value.length === 0 || !value.every((item) => typeof item === 'string')) return false;
    const isFit = ({ items, uniqueItems }: any): boolean =>
      items?.type === 'string' && !items.enum && (!uniqueItems || new Set(value).size === value.length);
    return schemasAt(operation, pointer).some((one) => one !== undefined && isFit(one));
  }

  /** A single free text where a list is also accepted. */
  function isTextForList(operation: Operation, pointer: string, value: unknown): boolean {
    const alternatives = schemasAt(operation, pointer).filter((one) => one !== undefined);
    const takesLists = alternatives.some(({ items }) => items !== undefined);
    return (
      takesLists && alternatives.some(({ type }) => type === 'string') && typeof value === 'string' && value !== ''
    );
  }

  function isEmptyList(operation: Operation, pointer: string, value: unknown): boolean {
    if (!Array.isArray(value) || value.length > 0) return false;
    return schemasAt(operation, pointer).some((one) => one?.type === 'array' && one.minItems === undefined);
  }

  function mayBeEmpty({ kind }: Attribute): boolean {
    return kind.schema(snakeCaseStrings)['minLength'] === 0;
  }

  /** Sets and some texts may be empty, and some fields may be null. */
  function isRight(operation: Operation, pointer: string, value: unknown): boolean {
    if (typeof value === 'number' && takesNumbers(operation, pointer)) return true;
    if (isListOfTexts(operation, pointer, value) || isEmptyList(operation, pointer, value)) return true;
    if (isTextForList(operation, pointer, value)) return true;
    // A consent file may be long.
    if (pointer === '/content' && typeof value === 'string' && /^(\w{4})+$/.test(value)) return true;
    const { attributes = {}, relations = {} } = operation.resource ?? {};
    const fields = Object.entries<Attribute | Relation>({ ...attributes, ...relations });
    const field = fields.find(([name]) => pointerOf(operation, name) === pointer)?.[1];
    if (field === undefined) return value === null && takesNull(operation, pointer);
    if ('kind' in field) return value === '' ? mayBeEmpty(field) : value === null && field.nullable === true;
    return isToMany(field) ? Array.isArray(value) && value.length === 0 : value === null && !field.required;
  }

  async function expectRefusal(operation: Operation, pointer: string, body: string): Promise<void> {
    const reply = await sender.send(operation, body);
    const [fault] = faultsInWireFormat(operation, reply);
    const at = fault?.pointer ?? '';
    const isThere = at !== '' && (at.startsWith(pointer) || pointer.startsWith(at));
    const isRefused = reply.status === 422 || reply.status === 409;
    expect({ pointer, body: body.slice(0, 200), at, isThere, isRefused }).toMatchObject({
      isThere: true,
      isRefused: true,
    });
  }

  test.each(bodyOperations)('%s refuses it with its pointer', async (_id, operation) => {
    const example = sender.exampleBodyFor(operation);
    const members = [...membersOf(example)].filter(([, present]) => present !== null);
    for (const [place, [pointer, present]] of members.entries()) {
      const kind = Array.isArray(present) ? 'array' : typeof present;
      const values = wrong[kind]!.filter((value) => !isRight(operation, pointer, value));
      const bodies = values.map((value) => replaced(example, pointer, value));
      const wrongNumbers = takesNumbers(operation, pointer) ? numbers.slice(0, 1) : numbers;
      bodies.push(...wrongNumbers.map((number) => replaced(example, pointer, 'NUMBER').replace('"NUMBER"', number)));
      // A quarter of them: the fields of a kind are read alike, and the next fields get the other quarters.
      const tried = bodies.filter((_, index) => (index + place) % 4 === 0);
      for (const body of tried) await expectRefusal(operation, pointer, body);
    }
    expect(await sender.countWritesOfRefused()).toBe(0);
  });

  test.each(bodyOperations)('%s refuses a text that is nearly as long as a body may be', async (_id, operation) => {
    const example = sender.exampleBodyFor(operation);
    const pointers = [...membersOf(example)]
      .filter(([, value]) => typeof value === 'string')
      .map(([pointer]) => pointer);
    for (const pointer of pointers.slice(-1)) {
      await expectRefusal(operation, pointer, replaced(example, pointer, 'x'.repeat(1_000_000)));
    }
    expect(await sender.countWritesOfRefused()).toBe(0);
  });

  /** The required members of a schema, from the top down. */
  function* requiredBy(schema: any, pointer = ''): Generator<string> {
    for (const name of schema.required ?? []) {
      yield `${pointer}/${name}`;
      yield* requiredBy(schema.properties[name], `${pointer}/${name}`);
    }
  }

  test.each(bodyOperations.filter(([id]) => id.endsWith('create')))(
    '%s reports every missing required member',
    async (_id, operation) => {
      const required = [...requiredBy(schemaOf(operation))];
      for (const pointer of required) {
        const reply = await sender.send(operation, replaced(sender.exampleBodyFor(operation), pointer, undefined));
        expect([pointer, reply.status]).toEqual([pointer, 422]);
        const at = faultsInWireFormat(operation, reply)[0]!.pointer!;
        expect([pointer, at, at.startsWith(pointer) || pointer.startsWith(`${at}/`)]).toEqual([pointer, at, true]);
      }
      expect(required).not.toEqual([]);
    },
  );
});

describe('every relation with every wrong reference', () => {
  const unknownId = '0123456789abcdef01234567';
  const noIds = [
    true,
    0,
    '',
    'nobody',
    '../../etc/passwd',
    unknownId.toUpperCase(),
    [],
    {},
    [unknownId],
    { id: unknownId },
  ];
  const deep = Array.from({ length: 25 }).reduce((inner) => ({ data: inner }), { '@': 1 });

  /** Values that are not valid identifiers of a type. */
  function noIdentifiers(type: string): unknown[] {
    const wrongIds = noIds.map((id) => ({ type, id }));
    return [unknownId, ...noIds, { type }, { type: 'user', id: unknownId }, { id: unknownId }, deep, ...wrongIds];
  }

  function wrongValues(isLinkage: boolean, relation: Relation): unknown[] {
    const right = isLinkage ? { type: relation.to, id: unknownId } : unknownId;
    const wrongOnes = isLinkage ? noIdentifiers(relation.to) : noIds;
    const wrongData = isToMany(relation)
      ? [null, 'x', right, { 0: right }, ...[...wrongOnes, null].map((one) => [one]), [right, right], [right, null]]
      : [...wrongOnes, [right], ...(relation.required ? [null] : [])];
    return isLinkage ? [null, 'x', [], {}, right, ...wrongData.map((data) => ({ data }))] : wrongData;
  }

  const purposeOf = ({ id }: Operation): WritePurpose => (id.endsWith('create') ? 'create' : 'change');

  /** For records with several types, the relations of the example's type. */
  function relationsTried({ resource }: Operation): [string, Relation][] {
    if (resource === undefined) return [];
    const own = exampleVariant(resource).relations;
    return Object.entries(resource.relations).filter(([name]) => name in own);
  }

  const cases = bodyOperations.flatMap(([id, operation]) =>
    relationsTried(operation)
      .filter(([name]) => operation.wire.shownFields.includes(operation.resource!, name))
      .filter(([, relation]) => isAccepted(relation, purposeOf(operation)))
      .map(([name, relation]) => ({ id, name, operation, relation })),
  );

  /** The example with one relation, and otherwise only the required ones. */
  function bodyWith(operation: Operation, name: string, value: unknown): string {
    const example = sender.exampleBodyFor(operation);
    const isOfCreation = purposeOf(operation) === 'create';
    if (operation.wire.name === 'json-api') {
      const { relations } = exampleVariant(operation.resource!);
      const sent = Object.entries(example.data.relationships ?? {}).filter(([one]) => relations[one]?.required);
      const relationships = { ...(isOfCreation ? Object.fromEntries(sent) : {}), [name]: value };
      return JSON.stringify({ data: { ...example.data, relationships } });
    }
    // The institution is another way to name the custodian.
    const { institution: _institution, ...others } = example;
    return JSON.stringify({ ...others, [pointerOf(operation, name).slice(1)]: value });
  }

  test.each(cases)(
    '$id refuses an invalid reference for $name, with its pointer',
    async ({ operation, name, relation }) => {
      const fault = { code: 'invalid-attribute', pointer: operation.wire.pointer(operation.resource, name) };
      for (const value of wrongValues(operation.wire.name === 'json-api', relation)) {
        const body = bodyWith(operation, name, value);
        const reply = await sender.send(operation, body);
        expect({ body, status: reply.status }).toEqual({ body, status: 422 });
        expect({ body, faults: faultsInWireFormat(operation, reply) }).toEqual({ body, faults: [fault] });
      }
      expect(await sender.countWritesOfRefused()).toBe(0);
    },
  );

  test.each(cases)('$id refuses a missing record for $name', async ({ operation, name, relation }) => {
    const { wire, resource, fieldInPath } = operation;
    const one = wire.name === 'json-api' ? { type: relation.to, id: unknownId } : unknownId;
    const data = isToMany(relation) ? [one] : one;
    const reply = await sender.send(operation, bodyWith(operation, name, wire.name === 'json-api' ? { data } : data));
    const pointer = wire.pointer(resource, name);
    const place = isToMany(relation) ? wire.pointer(resource, name, 0) : pointer;
    const [status, fault] =
      name === fieldInPath
        ? [422, { code: 'invalid-attribute', pointer }]
        : isSettable(relation, purposeOf(operation))
          ? [404, { code: `${relation.to}-not-found`, pointer: place }]
          : [422, { code: 'immutable-attribute', pointer }];
    expect({ status: reply.status, faults: faultsInWireFormat(operation, reply) }).toEqual({ status, faults: [fault] });
    expect(await sender.countWritesOfRefused()).toBe(0);
  });
});

describe('generated bodies', () => {
  test.each(bodyOperations)(
    '%s: any JSON is refused or accepted, without an internal error',
    async (_id, operation) => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
          const reply = await sender.send(operation, JSON.stringify(value));
          if (reply.status >= 300) faultsInWireFormat(operation, reply);
        }),
        { numRuns: 12 },
      );
      expect(await sender.countWritesOfRefused()).toBe(0);
    },
  );

  test.each(bodyOperations)(
    '%s: a body with some changed bytes is refused or accepted, without an internal error',
    async (_id, operation) => {
      const example = Buffer.from(JSON.stringify(sender.exampleBodyFor(operation)));
      const change = fc.tuple(fc.nat({ max: example.length - 1 }), fc.nat({ max: 255 }));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat({ max: 3 }), async (changes, cut) => {
          const changed = Buffer.from(example.subarray(0, example.length - cut));
          for (const [at, byte] of changes) if (at < changed.length) changed[at] = byte;
          const reply = await sender.send(operation, changed);
          if (reply.status >= 300) faultsInWireFormat(operation, reply);
        }),
        { numRuns: 12 },
      );
      expect(await sender.countWritesOfRefused()).toBe(0);
    },
  );
});
