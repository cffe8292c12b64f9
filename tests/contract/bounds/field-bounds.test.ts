// The bounds of every field, exactly: the longest text, the largest number and the fullest list that the reference allows are accepted, and
// one more is refused. Generated from the served operations.

import { beforeAll, expect, test } from 'vitest';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { ExampleWorld, pathToRecord, recordTypeInPath } from '../../setup/http/example-world.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const service = workspaceForThisFile();
let admin: Caller;
let sandboxAdmin: Caller;
let world: ExampleWorld;

beforeAll(async () => {
  ({ admin } = service);
  sandboxAdmin = await service.openWorkspace('sandbox');
  world = await ExampleWorld.create(admin);
});

type Schema = any;

/** One bound of a field: the last value within it, and the first beyond. */
interface Bound {
  readonly operation: Operation;
  readonly field: string;
  readonly rule: string;
  readonly within: unknown;
  readonly beyond: unknown;
}

/** The schema of the example: bodies may be of several types. */
function schemaOf({ body }: Operation): Schema {
  const { schema, example } = body as { schema: Schema; example: Schema };
  const type = JSON.stringify(example.type ?? example.kind);
  return schema.oneOf?.find((one: Schema) => JSON.stringify(one).includes(type)) ?? schema;
}

/** A field that may be null says so as an alternative, or as a second type. */
function plainSchema(schema: Schema): Schema {
  return schema.anyOf?.find(({ type }: Schema) => type !== 'null') ?? schema;
}

/** A text of this length; an address, media type or base64 where the example is one. */
function textLike(example: unknown, length: number): string {
  const isFormed = /^(?:https:|application\/|JVBERi0)/.test(String(example));
  return isFormed ? String(example).padEnd(length, 'e') : 'é'.repeat(length);
}

function boundsOf(schema: Schema, example: unknown): Pick<Bound, 'rule' | 'within' | 'beyond'>[] {
  const { maxLength, minimum, maximum, maxItems, items } = schema;
  const isFreeText = schema.pattern === undefined && schema.format === undefined && schema.enum === undefined;
  const texts = (count: number): string[] => Array.from({ length: count }, (_none, index) => `item ${index}`);
  const isListOfTexts = items?.type === 'string' && items.pattern === undefined && items.enum === undefined;
  return [
    ...(maxLength !== undefined && isFreeText
      ? [
          {
            rule: `at most ${maxLength} characters`,
            within: textLike(example, maxLength),
            beyond: textLike(example, maxLength + 1),
          },
        ]
      : []),
    ...(schema.type === 'integer' && maximum !== undefined
      ? [{ rule: `at most ${maximum}`, within: maximum, beyond: maximum + 1 }]
      : []),
    ...(schema.type === 'integer' && minimum !== undefined
      ? [{ rule: `at least ${minimum}`, within: minimum, beyond: minimum - 1 }]
      : []),
    ...(maxItems !== undefined && isListOfTexts
      ? [{ rule: `at most ${maxItems} items`, within: texts(maxItems), beyond: texts(maxItems + 1) }]
      : []),
  ];
}

/** Must be one of the flow's expected files, so that the longest text is refused too. The tests of auth flows send another. */
const isOneOfSeveral = ({ operation, field }: Bound): boolean =>
  operation.id === 'v1.auth-flow-file.create' && field === 'expected_file';

const bounds: Bound[] = operations
  .filter(({ wire, method, body }) => wire.name === 'v1' && method !== 'GET' && body !== undefined)
  .flatMap((operation) =>
    Object.entries<Schema>(schemaOf(operation).properties ?? {}).flatMap(([field, schema]) =>
      boundsOf(plainSchema(schema), (operation.body?.example as Schema)?.[field]).map((bound) => ({
        operation,
        field,
        ...bound,
      })),
    ),
  )
  .filter((bound) => !isOneOfSeveral(bound));

/** Whether a body with this value has a fault at the field. */
async function isRefused({ operation, field }: Bound, value: unknown): Promise<boolean> {
  const type = recordTypeInPath(operation.path);
  const recordId = type === undefined ? '' : world.idOf(type);
  const path = pathToRecord(operation.path, recordId, (above) => world.idOf(above));
  const body = { ...world.bodyFor(operation, recordId), [field]: value };
  const isSandbox = isSandboxOnly(operation);
  // Years of data take long to make: for a persona that nobody knows there are none.
  if (isSandbox && 'persona' in body) body.persona = 'nobody';
  const reply = await (isSandbox ? sandboxAdmin : admin).send(path, { method: operation.method, body });
  expect(reply.status).toBeLessThan(500);
  const errors: { pointer?: string; code: string }[] = reply.body?.errors ?? [];
  return errors.some(({ pointer, code }) => code === 'invalid-attribute' && pointer?.startsWith(`/${field}`));
}

test.each(bounds.map((bound) => [bound.operation.id, bound.field, bound.rule, bound] as const))(
  '%s: %s has %s',
  async (_id, _field, _rule, bound) => {
    expect([await isRefused(bound, bound.within), await isRefused(bound, bound.beyond)]).toEqual([false, true]);
  },
);

test('every kind of bound is among them', () => {
  expect(bounds.length).toBeGreaterThan(40);
});
