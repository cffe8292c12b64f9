// An id that a parameter names and nobody has: where a refusal names a place, it is this parameter, and never one in a body.

import { beforeAll, expect, test } from 'vitest';
import { id } from '../../../src/kit/field.ts';
import type { Operation } from '../../../src/surfaces/http/operation/operation.ts';
import { operations } from '../../../src/surfaces/operations.ts';
import { ExampleWorld, pathToRecord, recordTypeInPath } from '../../setup/http/example-world.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { isSandboxOnly } from '../../setup/sandbox/sandbox-clients.ts';
import { unknownId } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let world: ExampleWorld;

beforeAll(async () => {
  world = await ExampleWorld.create(service.admin);
});

/** Each parameter of an operation that is an id of 24 digits. */
const parameters = operations
  .filter((operation) => !isSandboxOnly(operation) && operation.method !== 'DELETE')
  .flatMap((operation) =>
    Object.entries(operation.query)
      .filter(([, { kind }]) => kind === id)
      .map(([name]): [string, string, Operation] => [operation.id, name, operation]),
  );

test.each(parameters)('%s: %s', async (_id, name, operation) => {
  const type = recordTypeInPath(operation.path);
  const recordId = type === undefined || type === 'audit-entry' ? '' : world.idOf(type);
  const path = pathToRecord(operation.path, recordId, (one) => world.idOf(one));
  const query = new URLSearchParams(world.queryFor(operation));
  query.set(name, unknownId);
  const body = world.bodyFor(operation, recordId);
  const reply = await service.admin.send(`${path}?${query}`, { method: operation.method, body });
  expect(reply.status).toBeLessThan(500);
  const places = (reply.body?.errors ?? []).map((fault: any) => fault.source ?? fault);
  for (const { pointer, parameter = name } of places) expect([pointer, parameter]).toEqual([undefined, name]);
});
