// Tests that the client hierarchy stays consistent while two nodes change it at the same time.

import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../../tests/setup/http/caller.ts';
import { startTestService, type TestService } from '../../../tests/setup/node/test-service.ts';
import { runSql } from '../../../tests/setup/database/sql.ts';

let service: TestService;
let second: TestService;
let callers: readonly [Caller, Caller];

beforeAll(async () => {
  service = await startTestService();
  second = await startTestService({ database: service.database, clock: service.clock });
  callers = [service.admin, second.admin];
});

afterAll(async () => {
  await second.stop();
  await service.stop();
});

/** Finds clients whose stored path is wrong, and clients that are not below any root. */
const misplaced = `
  WITH RECURSIVE walked AS (
    SELECT id, ARRAY[id] AS path FROM client WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, w.path || c.id FROM client c JOIN walked w ON c.parent_id = w.id
  )
  SELECT c.name, c.path, w.path AS expected FROM client c LEFT JOIN walked w USING (id) WHERE w.path IS DISTINCT FROM c.path`;

async function makeClients(count: number, parent?: string): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, (_, index) => callers[index % 2]!.makeClient(`Client ${index}`, parent)),
  );
}

function move(caller: Caller, id: string, parent: string | null): Promise<number> {
  return caller.patch(`/v1/clients/${id}`, { parent_id: parent }).then(({ status }) => status);
}

test('concurrent moves never form a cycle, and every path stays correct', async () => {
  const ids = await makeClients(6);
  const step = fc.record({
    node: fc.constantFrom(0, 1),
    client: fc.nat({ max: 5 }),
    parent: fc.option(fc.nat({ max: 5 }), { freq: 6 }),
  });
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 24 }), async (steps) => {
      const moved = steps.map(({ node, client, parent }) =>
        move(callers[node]!, ids[client]!, parent === null ? null : ids[parent]!),
      );
      for (const status of await Promise.all(moved)) statuses.add(status);
      expect(await runSql(service.database, misplaced)).toEqual([]);
    }),
    { numRuns: 12 },
  );
  expect([...statuses].toSorted()).toEqual([200, 409]);
});

test('two clients moved below each other at once are not both moved', async () => {
  for (let round = 0; round < 10; round++) {
    const [one, other] = (await makeClients(2)) as [string, string];
    const statuses = await Promise.all([move(callers[0], one, other), move(callers[1], other, one)]);
    expect(statuses.toSorted()).toEqual([200, 409]);
  }
  expect(await runSql(service.database, misplaced)).toEqual([]);
});

test('a child created while its parent is deleted is refused, or keeps the parent', async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const [parent] = (await makeClients(1)) as [string];
    const create = () => callers[0].post('/v1/clients', { name: 'Child', parent_id: parent });
    const remove = () => callers[1].delete(`/v1/clients/${parent}`);
    const [created, removed] =
      round % 2 === 0
        ? await Promise.all([create(), remove()])
        : (await Promise.all([remove(), create()])).toReversed();
    seen.add(`${created!.status} and ${removed!.status}`);
  }
  expect(['201 and 409', '404 and 204']).toEqual(expect.arrayContaining([...seen]));
  expect(await runSql(service.database, misplaced)).toEqual([]);
});

test('a child created while its parent is moved ends up below the new place of the parent', async () => {
  const [from, to] = (await makeClients(2)) as [string, string];
  const parents = await makeClients(12, from);
  const done = parents.flatMap((parent, index) => [
    move(callers[index % 2]!, parent, to),
    callers[(index + 1) % 2]!.makeClient('Child', parent),
  ]);
  await Promise.all(done);
  expect(await runSql(service.database, misplaced)).toEqual([]);
  const below = await runSql<{ count: string }>(service.database, 'SELECT count(*) FROM client WHERE path @> $1', [
    [to],
  ]);
  expect(below).toEqual([{ count: '25' }]);
});

test('no defect was logged during these tests', () => {
  expect([...service.log, ...second.log].filter((line) => line.includes('defect'))).toEqual([]);
});
