// The legal entity on both wires: a name and an immutable client.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { clientObject, reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import {
  immutableFaults,
  changeDocument,
  faultsOf,
  missingFaults,
  legalEntityObject,
  makeRecord,
  makeRecords,
  newDocument,
  testNow,
  toOne,
  unknownField,
  unknownId,
} from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let baseUrl: string;
let client: string;
let other: string;

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
  client = await admin.makeClient('Amsel Family');
  other = await admin.makeClient('Another family');
});

const pathBelow = (id: string): string => `/api/v2/clients/${id}/legal-entities`;

describe('on JSON:API', () => {
  test('it is created below its client, with a name and no relationships', async () => {
    const reply = await admin.post(pathBelow(client), newDocument('legal-entity', { name: 'Amsel Holding AG' }));
    const { id } = reply.body.data;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/api/v2/legal-entities/${id}`);
    expect(reply.body).toEqual({ data: legalEntityObject(id, 'Amsel Holding AG') });
    expect((await admin.get(`/api/v2/legal-entities/${id}`)).text).toBe(reply.text);
    const onV1 = { id, name: 'Amsel Holding AG', created_at: testNow, client_id: client };
    expect((await admin.get(`/v1/legal-entities/${id}`)).body).toEqual(onV1);
  });

  test('the list of a client is flat, oldest first, without those of its children', async () => {
    const parent = await admin.makeClient('Parent');
    const child = await admin.makeClient('Child', parent);
    const [second, first, ofChild] = await makeRecords(admin, 'legal-entities', [
      { name: 'Zeisig Trust', client_id: parent },
      { name: 'Amsel Trust', client_id: parent },
      { name: 'Fink Trust', client_id: child },
    ]);
    expect((await admin.get(pathBelow(parent))).body).toEqual({
      data: [legalEntityObject(second!, 'Zeisig Trust'), legalEntityObject(first!, 'Amsel Trust')],
    });
    expect((await admin.get(pathBelow(child))).body).toEqual({ data: [legalEntityObject(ofChild!, 'Fink Trust')] });
    const shown = clientObject(parent, 'Parent', { children: [child], legalEntities: [second!, first!] });
    expect((await admin.get(`/api/v2/clients/${parent}`)).body).toEqual({ data: shown });
  });

  test('a client without any has an empty list, and an unknown client has none', async () => {
    const bare = await admin.makeClient('Bare');
    expect((await admin.get(pathBelow(bare))).body).toEqual({ data: [] });
    const missing = {
      status: 404,
      code: 'client-not-found',
      detail: 'There is no such client.',
      pointer: undefined,
    };
    const stranger = await (await service.openWorkspace()).makeClient('Stranger');
    for (const id of [unknownId, stranger, 'x']) {
      expect(reportedRefusal(await admin.get(pathBelow(id)))).toEqual(missing);
      const created = await admin.post(pathBelow(id), newDocument('legal-entity', { name: 'Nobody' }));
      expect(reportedRefusal(created)).toEqual(missing);
    }
  });

  test('renaming it changes nothing else', async () => {
    const id = await makeRecord(admin, 'legal-entities', { name: 'Before', client_id: client });
    const change = changeDocument('legal-entity', id, { attributes: { name: 'After' } });
    const reply = await admin.patch(`/api/v2/legal-entities/${id}`, change);
    expect([reply.status, reply.body]).toEqual([200, { data: legalEntityObject(id, 'After') }]);
    expect((await admin.get(`/v1/legal-entities/${id}`)).body).toEqual({
      id,
      name: 'After',
      created_at: testNow,
      client_id: client,
    });
  });

  test('a whole document that was read can be sent back', async () => {
    const id = await makeRecord(admin, 'legal-entities', { name: 'Whole', client_id: client });
    const { body } = await admin.get(`/api/v2/legal-entities/${id}`);
    const reply = await admin.patch(`/api/v2/legal-entities/${id}`, body);
    expect([reply.status, reply.body]).toEqual([200, body]);
  });

  test.each([
    ['no name', {}, 'missing-attribute', 'name is required.', '/data/attributes/name'],
    ['null', { name: null }, 'invalid-attribute', 'name must not be null.', '/data/attributes/name'],
    ['an empty name', { name: '' }, 'invalid-attribute', 'name must not be empty.', '/data/attributes/name'],
    [
      'another attribute',
      { name: 'X', externalIdentifier: 'CHE-123' },
      'unknown-attribute',
      'There is no attribute "externalIdentifier" that can be set here.',
      '/data/attributes/externalIdentifier',
    ],
    [
      'the moment of its creation',
      { name: 'X', createdAt: testNow },
      'unknown-attribute',
      'There is no attribute "createdAt" that can be set here.',
      '/data/attributes/createdAt',
    ],
  ])('a document with %s is refused', async (_what, attributes, code, detail, pointer) => {
    const reply = await admin.post(pathBelow(client), newDocument('legal-entity', attributes));
    expect(faultsOf(reply)).toEqual([{ status: 422, code, detail, pointer }]);
  });

  test('its client is only in the path: a document cannot contain one, not even the same', async () => {
    const id = await makeRecord(admin, 'legal-entities', { name: 'Owned', client_id: client });
    const relationships = { client: toOne('client', client) };
    const replies = [
      await admin.post(pathBelow(client), newDocument('legal-entity', { name: 'X' }, relationships)),
      await admin.patch(`/api/v2/legal-entities/${id}`, changeDocument('legal-entity', id, { relationships })),
    ];
    for (const reply of replies) {
      expect(faultsOf(reply)).toEqual([unknownField('relationship', 'client', '/data/relationships/client')]);
    }
  });

  test('a document of another type does not belong here', async () => {
    const reply = await admin.post(pathBelow(client), newDocument('reporting-entity', { name: 'X' }));
    expect(reportedRefusal(reply)).toMatchObject({ status: 409, code: 'type-mismatch', pointer: '/data/type' });
  });

  test('once deleted, it no longer appears anywhere', async () => {
    const owner = await admin.makeClient('Owner');
    const id = await makeRecord(admin, 'legal-entities', { name: 'Gone', client_id: owner });
    const reply = await admin.delete(`/api/v2/legal-entities/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const path of [`/api/v2/legal-entities/${id}`, `/v1/legal-entities/${id}`]) {
      expect(reportedRefusal(await admin.get(path))).toMatchObject({ status: 404, code: 'legal-entity-not-found' });
    }
    expect((await admin.get(pathBelow(owner))).body).toEqual({ data: [] });
    expect((await admin.delete(`/api/v2/legal-entities/${id}`)).status).toBe(404);
  });
});

describe('on v1', () => {
  test('it is created with the id of its client, and shown with it', async () => {
    const sent = { name: 'Amsel Stiftung', client_id: client };
    const reply = await admin.post('/v1/legal-entities', sent);
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/legal-entities/${id}`);
    expect(reply.body).toEqual({ id, created_at: testNow, ...sent });
    const read = await admin.get(`/v1/legal-entities/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
    const onJsonApi = { data: legalEntityObject(id, 'Amsel Stiftung') };
    expect((await admin.get(`/api/v2/legal-entities/${id}`)).body).toEqual(onJsonApi);
  });

  test('its name and its client are required, and both faults are reported together', async () => {
    expect(faultsOf(await admin.post('/v1/legal-entities', {}))).toEqual(missingFaults('/name', '/client_id'));
  });

  test('a missing client gets 404 with a pointer', async () => {
    const stranger = await (await service.openWorkspace()).makeClient('Stranger');
    for (const id of [unknownId, stranger]) {
      const reply = await admin.post('/v1/legal-entities', { name: 'X', client_id: id });
      expect(reportedRefusal(reply)).toEqual({
        status: 404,
        code: 'client-not-found',
        detail: 'There is no such client.',
        pointer: '/client_id',
      });
    }
  });

  test('it can be renamed, and its client is immutable', async () => {
    const id = await makeRecord(admin, 'legal-entities', { name: 'Before', client_id: client });
    const path = `/v1/legal-entities/${id}`;
    const renamed = await admin.patch(path, { name: 'After', client_id: client, created_at: testNow });
    const expected = { id, name: 'After', created_at: testNow, client_id: client };
    expect([renamed.status, renamed.body]).toEqual([200, expected]);
    const moved = await admin.patch(path, { name: 'Moved', client_id: other, created_at: '2020-01-01T00:00:00Z' });
    expect(faultsOf(moved)).toEqual(immutableFaults('/client_id', '/created_at'));
    expect((await admin.get(path)).body).toEqual(expected);
  });

  test('the list contains those of every client, oldest first', async () => {
    const caller = await service.openWorkspace();
    const clients = [await caller.makeClient('One'), await caller.makeClient('Two')] as const;
    const sent = [
      { name: 'B', client_id: clients[1] },
      { name: 'A', client_id: clients[0] },
    ];
    const ids = await makeRecords(caller, 'legal-entities', sent);
    const data = sent.map((each, index) => ({ id: ids[index], created_at: testNow, ...each }));
    expect((await caller.get('/v1/legal-entities')).body).toEqual({ data, has_more: false });
  });

  test('a second deletion gets 404', async () => {
    const id = await makeRecord(admin, 'legal-entities', { name: 'Gone', client_id: client });
    const reply = await admin.delete(`/v1/legal-entities/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const again of [await admin.delete(`/v1/legal-entities/${id}`), await admin.get(`/v1/legal-entities/${id}`)]) {
      expect(reportedRefusal(again)).toEqual({
        status: 404,
        code: 'legal-entity-not-found',
        detail: 'There is no such legal entity.',
        pointer: undefined,
      });
    }
  });
});
