// The client hierarchy: a client moves with everything below it, never below itself, and is deleted only when it is empty.

import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { clientChangeDocument, reportedRefusal, parentRelationship } from '../../setup/structure/client-document.ts';
import { makeDatabase, serviceForThisFile, startTestService } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';

const unknownId = '0123456789abcdef01234567';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
});

type Wire = 'JSON:API' | 'v1';
const wires: readonly Wire[] = ['JSON:API', 'v1'];

const pathOf = (wire: Wire, id: string): string => (wire === 'v1' ? `/v1/clients/${id}` : `/api/v2/clients/${id}`);
const pointerOf = (wire: Wire): string => (wire === 'v1' ? '/parent_id' : '/data/relationships/parent');

function moveClient(caller: Caller, wire: Wire, id: string, parent: string | null): Promise<Reply> {
  return caller.patch(
    pathOf(wire, id),
    wire === 'v1' ? { parent_id: parent } : clientChangeDocument(id, parentRelationship(parent)),
  );
}

async function makeChain(...names: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await admin.makeClient(name, ids.at(-1)));
  return ids;
}

/** Clients whose stored path is not their parent's followed by themselves. */
function listMisplaced(): Promise<object[]> {
  return runSql(
    service.database,
    `SELECT c.id, c.path FROM client c LEFT JOIN client p ON p.id = c.parent_id
     WHERE c.path <> coalesce(p.path, '{}') || c.id`,
  );
}

async function readClientPath(id: string): Promise<string[]> {
  const [row] = await runSql<{ path: string[] }>(service.database, 'SELECT path FROM client WHERE id = $1', [id]);
  return row!.path;
}

describe.each(wires)('moving on %s', (wire) => {
  test('a client moves below another with everything below it', async () => {
    const [from, moved, child, grandchild] = await makeChain('From', 'Moved', 'Child', 'Grandchild');
    const [top, to] = await makeChain('Top', 'To');
    const reply = await moveClient(admin, wire, moved!, to!);
    expect(reply.status).toBe(200);
    expect((await admin.get(`/v1/clients/${moved}`)).body).toMatchObject({ name: 'Moved', parent_id: to });
    expect((await admin.get(`/v1/clients?parent_id=${from}`)).body.data).toEqual([]);
    expect(await readClientPath(grandchild!)).toEqual([top, to, moved, child, grandchild]);
    expect(await listMisplaced()).toEqual([]);
  });

  test('without a parent it becomes a root with everything below it', async () => {
    const [, moved, child] = await makeChain('From', 'Moved', 'Child');
    const reply = await moveClient(admin, wire, moved!, null);
    expect(reply.status).toBe(200);
    expect((await admin.get(`/v1/clients/${moved}`)).body.parent_id).toBeNull();
    expect(await readClientPath(child!)).toEqual([moved, child]);
  });

  test('it may move up to its grandparent', async () => {
    const [top, , moved, child] = await makeChain('Top', 'Middle', 'Moved', 'Child');
    expect((await moveClient(admin, wire, moved!, top!)).status).toBe(200);
    expect(await readClientPath(child!)).toEqual([top, moved, child]);
  });

  test('moving it below its current parent writes nothing', async () => {
    const [parent, child] = await makeChain('Parent', 'Child');
    const lines = await countAuditEntries(service.database);
    expect((await moveClient(admin, wire, child!, parent!)).status).toBe(200);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each([
    ['itself', 0],
    ['its child', 1],
    ['its grandchild', 2],
  ])('it cannot be placed below %s', async (_whom, depth) => {
    const chain = await makeChain('Above', 'Below', 'Further below');
    const lines = await countAuditEntries(service.database);
    expect(reportedRefusal(await moveClient(admin, wire, chain[0]!, chain[depth]!))).toEqual({
      status: 409,
      code: 'parent-cycle',
      detail: 'A client cannot be placed below itself or below one of its descendants.',
      pointer: pointerOf(wire),
    });
    expect(await readClientPath(chain[2]!)).toEqual(chain);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test('a missing parent gets 404 with a pointer, and the rest of the change is not made', async () => {
    const id = await admin.makeClient('Stays');
    const { relationships } = parentRelationship(unknownId) as { relationships: object };
    const body =
      wire === 'v1'
        ? { name: 'Renamed', parent_id: unknownId }
        : clientChangeDocument(id, { attributes: { name: 'Renamed' }, relationships });
    const reply = await admin.patch(pathOf(wire, id), body);
    expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: 'client-not-found', pointer: pointerOf(wire) });
    expect((await admin.get(`/v1/clients/${id}`)).body).toMatchObject({ name: 'Stays', parent_id: null });
  });
});

describe('moving at the same time', () => {
  test('two concurrent moves never form a cycle and never deadlock', async () => {
    const database = await makeDatabase();
    onTestFinished(() => database.drop());
    const node = await startTestService({ database });
    for (let round = 0; round < 10; round++) {
      const pair = [await node.admin.makeClient('One'), await node.admin.makeClient('Other')] as const;
      const replies = await Promise.all([
        moveClient(node.admin, 'v1', pair[0], pair[1]),
        moveClient(node.admin, 'JSON:API', pair[1], pair[0]),
        node.admin.post('/v1/clients', { name: 'Child', parent_id: pair[0] }),
      ]);
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 201, 409]);
    }
    await node.stop();
    const text = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()';
    expect(await runSql(database, text)).toEqual([{ deadlocks: '0' }]);
  });
});

describe('deleting', () => {
  async function insertOwned(table: 'legal_entity' | 'reporting_entity', clientId: string): Promise<void> {
    await runSql(
      service.database,
      `INSERT INTO ${table} (workspace_id, environment, id, client_id, name, created_at)
       SELECT workspace_id, environment, $1, id, 'Rivera Holding', created_at FROM client WHERE id = $2`,
      [randomBytes(12).toString('hex'), clientId],
    );
  }

  const makeChild = (id: string): Promise<string> => admin.makeClient('Child', id);
  const makeLegalEntity = (id: string): Promise<void> => insertOwned('legal_entity', id);
  const makeReportingEntity = (id: string): Promise<void> => insertOwned('reporting_entity', id);
  const makeApplication = (id: string): Promise<unknown> =>
    admin.post('/v1/applications', { name: 'App', scoped_to: id });

  test.each([
    ['1 client', [makeChild]],
    ['2 clients', [makeChild, makeChild]],
    ['1 legal entity', [makeLegalEntity]],
    ['1 application or key', [makeApplication]],
    [
      '1 client, 2 legal entities, 1 application or key',
      [makeApplication, makeReportingEntity, makeLegalEntity, makeLegalEntity, makeChild],
    ],
  ])('a client with %s cannot be deleted, and the refusal says why', async (words, creators) => {
    const id = await admin.makeClient('Kept');
    for (const make of creators) await make(id);
    const expected = {
      status: 409,
      code: 'client-has-live-data',
      detail: `The client cannot be deleted while these remain: ${words}.`,
      pointer: undefined,
    };
    for (const wire of wires) expect(reportedRefusal(await admin.delete(pathOf(wire, id)))).toEqual(expected);
    expect((await admin.get(`/v1/clients/${id}`)).status).toBe(200);
  });

  test.each(wires)('on %s an empty client is deleted with 204, and then gets 404', async (wire) => {
    const id = await admin.makeClient('Gone');
    const reply = await admin.delete(pathOf(wire, id));
    expect([reply.status, reply.text, reply.headers.get('content-type')]).toEqual([204, '', null]);
    for (const path of [`/api/v2/clients/${id}`, `/v2/clients/${id}`, `/v1/clients/${id}`]) {
      expect((await admin.get(path)).status).toBe(404);
    }
    expect(reportedRefusal(await admin.delete(pathOf(wire, id)))).toMatchObject({
      status: 404,
      code: 'client-not-found',
    });
  });

  test('a client can be deleted once its blockers are gone', async () => {
    const [parent, child] = await makeChain('Parent', 'Child');
    expect((await admin.delete(`/v1/clients/${parent}`)).status).toBe(409);
    expect((await admin.delete(`/v1/clients/${child}`)).status).toBe(204);
    expect((await admin.delete(`/v1/clients/${parent}`)).status).toBe(204);
  });

  test('of a deletion and a child that is created at the same time, one wins', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await admin.makeClient('Contested');
      const [deletion, creation] = await Promise.all([
        admin.delete(`/v1/clients/${id}`),
        admin.post('/v1/clients', { name: 'Child', parent_id: id }),
      ]);
      expect([
        [204, 404],
        [409, 201],
      ]).toContainEqual([deletion.status, creation.status]);
    }
  });
});
