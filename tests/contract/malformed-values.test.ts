// Well-formed bodies with wrong values, to every operation that takes one: each fault at its place, and nothing is written.

import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { BodySender, byId, faultsOf } from '../setup/body-sender.ts';
import { serviceForThisFile } from '../setup/service.ts';

const service = serviceForThisFile();
let sender: BodySender;

beforeAll(async () => {
  sender = await BodySender.of(service);
});

describe('every field with every wrong kind of value', () => {
  const wrong: Record<string, readonly unknown[]> = {
    string: [null, true, false, 0, -1, 1.5, [], {}, ['x'], { x: 1 }, '', '\u0001'.repeat(20_000), 'x'.repeat(900_000)],
    array: [null, true, 0, '', 'read', {}, [], [null], [[]], [{}], [0], ['nonsense'], ['read', 'read'], { 0: 'read' }],
    object: [null, true, 0, '', 'x', [], [{}], 1e300],
  };
  const numbers = ['1e400', '-1e-400', '9'.repeat(400), '0.1e2'];

  /** Every member within a value, with its pointer. */
  function* membersOf(value: unknown, pointer = ''): Generator<[pointer: string, value: unknown]> {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
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

  test.each(byId)('%s refuses it at its place', async (_id, operation) => {
    const example = sender.exampleFor(operation);
    for (const [pointer, present] of membersOf(example)) {
      const kind = Array.isArray(present) ? 'array' : typeof present;
      const bodies = wrong[kind]!.map((value) => replaced(example, pointer, value));
      bodies.push(...numbers.map((number) => replaced(example, pointer, 'NUMBER').replace('"NUMBER"', number)));
      for (const body of bodies) {
        const reply = await sender.send(operation, body);
        const [fault] = faultsOf(operation, reply);
        const at = fault?.pointer ?? '';
        const isThere = at !== '' && (at.startsWith(pointer) || pointer.startsWith(at));
        const isRefused = reply.status === 422 || reply.status === 409;
        expect({ pointer, body: body.slice(0, 200), at, isThere, isRefused }).toMatchObject({
          isThere: true,
          isRefused: true,
        });
      }
    }
    expect(await sender.countWrittenByRefused()).toBe(0);
  });

  test.each(byId.filter(([id]) => id.endsWith('create')))('%s misses every required member', async (_id, operation) => {
    const required =
      operation.wire.name === 'json-api'
        ? ['/data', '/data/type', '/data/attributes', '/data/attributes/name']
        : (operation.body!.schema['required'] as string[]).map((name) => `/${name}`);
    for (const pointer of required) {
      const reply = await sender.send(operation, replaced(sender.exampleFor(operation), pointer, undefined));
      expect([pointer, reply.status]).toEqual([pointer, 422]);
      expect(faultsOf(operation, reply)[0]!.pointer!.startsWith(pointer)).toBe(true);
    }
  });
});

describe('relationships on JSON:API', () => {
  const create = byId.find(([id]) => id === 'json-api.client.create')![1];
  let linkage = '"@":1';
  for (let depth = 0; depth < 25; depth++) linkage = `"data":{${linkage}}`;

  test.each([
    ['null', 'null'],
    ['a string', '"client"'],
    ['an array', '[]'],
    ['an object without data', '{}'],
    ['an array of identifiers', '{"data":[{"type":"client","id":"0123456789abcdef01234567"}]}'],
    ['an identifier without an id', '{"data":{"type":"client"}}'],
    ['an identifier without a type', '{"data":{"id":"0123456789abcdef01234567"}}'],
    ['an identifier of another type', '{"data":{"type":"user","id":"0123456789abcdef01234567"}}'],
    ['an identifier with a number for an id', '{"data":{"type":"client","id":1}}'],
    ['an identifier with null for an id', '{"data":{"type":"client","id":null}}'],
    ['an id that is none', '{"data":{"type":"client","id":"../../etc/passwd"}}'],
    ['an id with capitals', '{"data":{"type":"client","id":"0123456789ABCDEF01234567"}}'],
    ['25 levels of data', `{${linkage}}`],
  ])('%s for a parent is refused at its place', async (_what, parent) => {
    const body = `{"data":{"type":"client","attributes":{"name":"X"},"relationships":{"parent":${parent}}}}`;
    const reply = await sender.send(create, body);
    expect(reply.status).toBe(422);
    expect(faultsOf(create, reply)).toEqual([{ code: 'invalid-attribute', pointer: '/data/relationships/parent' }]);
  });
});

describe('generated bodies', () => {
  test.each(byId)('%s: any JSON is refused or taken, never more', async (_id, operation) => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        const reply = await sender.send(operation, JSON.stringify(value));
        if (reply.status >= 300) faultsOf(operation, reply);
      }),
      { numRuns: 60 },
    );
    expect(await sender.countWrittenByRefused()).toBe(0);
  });

  test.each(byId)(
    '%s: a body with some of its bytes changed is refused or taken, never more',
    async (_id, operation) => {
      const example = Buffer.from(JSON.stringify(sender.exampleFor(operation)));
      const change = fc.tuple(fc.nat({ max: example.length - 1 }), fc.nat({ max: 255 }));
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), fc.nat({ max: 3 }), async (changes, cut) => {
          const changed = Buffer.from(example.subarray(0, example.length - cut));
          for (const [at, byte] of changes) if (at < changed.length) changed[at] = byte;
          const reply = await sender.send(operation, changed);
          if (reply.status >= 300) faultsOf(operation, reply);
        }),
        { numRuns: 60 },
      );
      expect(await sender.countWrittenByRefused()).toBe(0);
    },
  );
});
