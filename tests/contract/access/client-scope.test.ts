// The client scope of a token: all clients, one client with those below it, or, on Plain, that client only.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import {
  clientChangeDocument,
  clientObject,
  newClientDocument,
  reportedRefusal,
  parentRelationship,
} from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';

const service = workspaceForThisFile();
let admin: Caller;
/** A caller bound to `own`. */
let scoped: Caller & { id: string };
let tree: Record<'above' | 'own' | 'child' | 'grandchild' | 'sibling' | 'root' | 'stranger', string>;

beforeAll(async () => {
  ({ admin } = service);
  const above = await admin.makeClient('Above');
  const own = await admin.makeClient('Own', above);
  const child = await admin.makeClient('Child', own);
  const grandchild = await admin.makeClient('Grandchild', child);
  const sibling = await admin.makeClient('Sibling', above);
  const root = await admin.makeClient('Root');
  const stranger = await (await service.openWorkspace()).makeClient('Stranger');
  tree = { above, own, child, grandchild, sibling, root, stranger };
  scoped = await admin.becomeApplication({ scoped_to: own });
});

const visible = ['own', 'child', 'grandchild'] as const;
const invisible = ['above', 'sibling', 'root', 'stranger'] as const;
const idsOf = (list: { id: string }[]): string[] => list.map(({ id }) => id);

describe('the clients that a workspace token sees', () => {
  test.each(['/api/v2/clients', '/v2/clients', '/v1/clients'])('%s: all of them', async (path) => {
    const { above, own, child, grandchild, sibling, root } = tree;
    const { data } = (await admin.get(path)).body;
    expect(idsOf(data)).toEqual([above, own, child, grandchild, sibling, root]);
  });
});

describe('the clients that a token bound to a client sees', () => {
  test('on JSON:API its client as a root, with everything below it', async () => {
    const { own, child, grandchild } = tree;
    expect((await scoped.get('/api/v2/clients')).body).toEqual({
      data: [
        clientObject(own, 'Own', { children: [child] }),
        clientObject(child, 'Child', { parent: own, children: [grandchild] }),
        clientObject(grandchild, 'Grandchild', { parent: child }),
      ],
    });
    expect((await scoped.get(`/api/v2/clients/${own}`)).body).toEqual({
      data: clientObject(own, 'Own', { children: [child] }),
    });
  });

  test('on v1 the same', async () => {
    const { own, child, grandchild } = tree;
    const { data } = (await scoped.get('/v1/clients')).body;
    const parents = data.map(({ id, parent_id }: Record<string, string>) => [id, parent_id]);
    expect(parents).toEqual([
      [own, null],
      [child, own],
      [grandchild, child],
    ]);
    expect((await scoped.get(`/v1/clients/${own}`)).body.parent_id).toBeNull();
  });

  test('on Plain only its own client', async () => {
    const { data } = (await scoped.get('/v2/clients')).body;
    expect(idsOf(data)).toEqual([tree.own]);
    expect((await scoped.get(`/v2/clients/${tree.own}`)).body).toEqual(data[0]);
  });

  test.each(visible)('its %s can be read on JSON:API and v1', async (name) => {
    expect((await scoped.get(`/api/v2/clients/${tree[name]}`)).status).toBe(200);
    expect((await scoped.get(`/v1/clients/${tree[name]}`)).status).toBe(200);
  });

  test.each(['child', 'grandchild', ...invisible] as const)('%s does not exist on Plain', async (name) => {
    expect((await scoped.get(`/v2/clients/${tree[name]}`)).status).toBe(404);
  });

  test.each(invisible)('%s does not exist, to read, to change, to delete or as a parent', async (name) => {
    const id = tree[name];
    const requests = [
      scoped.get(`/api/v2/clients/${id}`),
      scoped.get(`/v1/clients/${id}`),
      scoped.patch(`/api/v2/clients/${id}`, clientChangeDocument(id, { attributes: { name: 'X' } })),
      scoped.patch(`/v1/clients/${id}`, { name: 'X' }),
      scoped.delete(`/api/v2/clients/${id}`),
      scoped.delete(`/v1/clients/${id}`),
      scoped.post('/api/v2/clients', newClientDocument('X', parentRelationship(id))),
      scoped.post('/v1/clients', { name: 'X', parent_id: id }),
      scoped.patch(`/v1/clients/${tree.child}`, { parent_id: id }),
    ];
    for (const reply of await Promise.all(requests)) {
      const { status, code, detail } = reportedRefusal(reply);
      expect([status, code, detail]).toEqual([404, 'client-not-found', 'There is no such client.']);
    }
  });

  test('a hidden parent does not exist for it', async () => {
    expect(reportedRefusal(await scoped.get(`/v1/clients?parent_id=${tree.above}`))).toMatchObject({
      status: 404,
      code: 'client-not-found',
    });
    expect(idsOf((await scoped.get(`/v1/clients?parent_id=${tree.own}`)).body.data)).toEqual([tree.child]);
  });

  test('a client that moves below its client becomes visible, and one that moves away becomes hidden', async () => {
    const id = await admin.makeClient('Wanderer');
    const below = await admin.makeClient('Follower', id);
    await admin.patch(`/v1/clients/${id}`, { parent_id: tree.grandchild });
    expect((await scoped.get(`/v1/clients/${below}`)).status).toBe(200);
    await admin.patch(`/v1/clients/${id}`, { parent_id: tree.sibling });
    expect((await scoped.get(`/v1/clients/${below}`)).status).toBe(404);
  });
});

describe('writes of a token bound to a client', () => {
  test.each(['own', 'child'] as const)('it creates, renames, moves and deletes clients below %s', async (name) => {
    const made = await scoped.post('/api/v2/clients', newClientDocument('Made', parentRelationship(tree[name])));
    const { id } = made.body.data;
    expect(made.status).toBe(201);
    expect(made.body).toEqual({ data: clientObject(id, 'Made', { parent: tree[name] }) });
    expect((await scoped.patch(`/v1/clients/${id}`, { name: 'Renamed' })).body.name).toBe('Renamed');
    expect((await scoped.patch(`/v1/clients/${id}`, { parent_id: tree.grandchild })).status).toBe(200);
    expect((await scoped.delete(`/v1/clients/${id}`)).status).toBe(204);
  });

  test('it renames its own client', async () => {
    const reply = await scoped.patch(`/v1/clients/${tree.own}`, {
      name: 'Own',
      parent_id: null,
      accounting_method: 'AVERAGE',
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ accounting_method: 'AVERAGE', parent_id: null });
    expect((await admin.get(`/v1/clients/${tree.own}`)).body.parent_id).toBe(tree.above);
  });

  test.each([
    ['create a root on JSON:API', () => scoped.post('/api/v2/clients', newClientDocument('X'))],
    ['create a root on v1', () => scoped.post('/v1/clients', { name: 'X' })],
    ['turn a client below it into a root', () => scoped.patch(`/v1/clients/${tree.child}`, { parent_id: null })],
    ['move its own client below a child', () => scoped.patch(`/v1/clients/${tree.own}`, { parent_id: tree.child })],
    [
      'move its own client below its sibling',
      () => scoped.patch(`/v1/clients/${tree.own}`, { parent_id: tree.sibling }),
    ],
    [
      'move its own client to its current place',
      () => scoped.patch(`/v1/clients/${tree.own}`, { parent_id: tree.above }),
    ],
    [
      'move its own client on JSON:API',
      () =>
        scoped.patch(
          `/api/v2/clients/${tree.own}`,
          clientChangeDocument(tree.own, parentRelationship(tree.grandchild)),
        ),
    ],
  ])('it may not %s', async (_what, send) => {
    const lines = await countAuditEntries(service.database);
    expect(reportedRefusal(await send())).toMatchObject({ status: 403, code: 'outside-reach' });
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test('its own client cannot be deleted while its own application exists', async () => {
    const leaf = await admin.makeClient('Leaf');
    const bound = await admin.becomeApplication({ scoped_to: leaf });
    const { status, detail } = reportedRefusal(await bound.delete(`/v1/clients/${leaf}`));
    expect(status).toBe(409);
    expect(detail).toBe('The client cannot be deleted while these remain: 1 application or key.');
  });
});

test('a token that sees very many clients sees and changes the same as one that sees few', async () => {
  const [top, beside] = [await admin.makeClient('Top'), await admin.makeClient('Beside')];
  const middle = await admin.makeClient('Middle', top);
  const many: string[] = [];
  for (let number = 0; number < 70; number++) many.push(await admin.makeClient(`Below ${number}`, middle));
  const bound = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: top });
  const listed = async (): Promise<string[]> => idsOf((await bound.get('/v1/clients?limit=100')).body.data);
  expect(await listed()).toEqual([top, middle, ...many]);
  expect((await bound.get(`/v1/clients/${beside}`)).status).toBe(404);
  const made = await bound.post('/v1/clients', { name: 'Made', parent_id: many[0] });
  expect(made.status).toBe(201);
  expect((await bound.post('/v1/legal-entities', { name: 'X', client_id: made.body.id })).status).toBe(201);
  expect((await bound.post('/v1/legal-entities', { name: 'X', client_id: beside })).status).toBe(404);
  expect((await bound.patch(`/v1/clients/${made.body.id}`, { parent_id: top })).status).toBe(200);
  expect((await bound.get('/v1/legal-entities')).body.data).toHaveLength(1);
  expect((await bound.get(`/v1/audit-log?subject_id=${made.body.id}`)).body.data).toHaveLength(2);
  await admin.patch(`/v1/clients/${made.body.id}`, { parent_id: beside });
  expect(await listed()).toEqual([top, middle, ...many]);
  expect((await bound.get('/v1/legal-entities')).body.data).toEqual([]);
  expect((await bound.delete(`/v1/clients/${many[1]}`)).status).toBe(204);
  expect(await listed()).toEqual([top, middle, many[0], ...many.slice(2)]);
});

describe('rights', () => {
  const writes = [
    ['POST', '/api/v2/clients', newClientDocument('X')],
    ['PATCH', '/api/v2/clients/{own}', { data: { type: 'client', id: '{own}', attributes: { name: 'X' } } }],
    ['DELETE', '/api/v2/clients/{own}', undefined],
    ['POST', '/v1/clients', { name: 'X' }],
    ['PATCH', '/v1/clients/{own}', { name: 'X' }],
    ['DELETE', '/v1/clients/{own}', undefined],
  ] as const;

  test.each(writes)('%s %s requires the right to write', async (method, path, body) => {
    const reader = await admin.becomeApplication({ rights: ['read'] });
    const lines = await countAuditEntries(service.database);
    const text = body === undefined ? undefined : JSON.stringify(body).replace('{own}', tree.own);
    const reply = await reader.send(path.replace('{own}', tree.own), {
      method,
      ...(text === undefined ? {} : { raw: text }),
    });
    expect(reportedRefusal(reply)).toMatchObject({
      status: 403,
      code: 'right-missing',
      detail: 'This requires the right `write`, which the application or key does not have.',
    });
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each(['/api/v2/clients', '/v2/clients', '/v1/clients'])('GET %s requires the right to read', async (path) => {
    const writer = await admin.becomeApplication({ rights: ['write', 'admin'] });
    for (const at of [path, `${path}/${tree.own}`]) {
      expect(reportedRefusal(await writer.get(at))).toMatchObject({ status: 403, code: 'right-missing' });
    }
  });
});
