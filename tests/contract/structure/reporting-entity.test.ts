// The reporting entity on both wires: a name, an immutable client, and its portfolios.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { clientObject, reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  changeDocument,
  faultsOf,
  missingFaults,
  makeRecord,
  makeRecords,
  newDocument,
  testNow,
  reportingEntityObject,
  toMany,
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

const pathBelow = (id: string): string => `/api/v2/clients/${id}/reporting-entities`;

describe('on JSON:API', () => {
  test('it is created below its client, and shows the client and no portfolios yet', async () => {
    const reply = await admin.post(pathBelow(client), newDocument('reporting-entity', { name: 'Consolidated' }));
    const { id } = reply.body.data;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/api/v2/reporting-entities/${id}`);
    expect(reply.body).toEqual({ data: reportingEntityObject(id, 'Consolidated', { client }) });
    expect((await admin.get(`/api/v2/reporting-entities/${id}`)).text).toBe(reply.text);
    const onV1 = { id, name: 'Consolidated', created_at: testNow, client_id: client };
    expect((await admin.get(`/v1/reporting-entities/${id}`)).body).toEqual(onV1);
  });

  test('it shows its portfolios, oldest first, without deleted ones', async () => {
    const id = await makeRecord(admin, 'reporting-entities', { name: 'Divided', client_id: client });
    const another = await makeRecord(admin, 'reporting-entities', { name: 'Other', client_id: client });
    const [first, gone, last] = await makeRecords(admin, 'portfolios', [
      { reporting_entity_id: id, name: 'Z' },
      { reporting_entity_id: id, name: 'Gone' },
      { reporting_entity_id: id, name: 'A' },
      { reporting_entity_id: another },
    ]);
    const shown = (portfolios: string[]): object => ({
      data: reportingEntityObject(id, 'Divided', { client, portfolios }),
    });
    expect((await admin.get(`/api/v2/reporting-entities/${id}`)).body).toEqual(shown([first!, gone!, last!]));
    await admin.delete(`/v1/portfolios/${gone}`);
    expect((await admin.get(`/api/v2/reporting-entities/${id}`)).body).toEqual(shown([first!, last!]));
  });

  test('the list of a client is flat, oldest first, each with its portfolios', async () => {
    const parent = await admin.makeClient('Parent');
    const child = await admin.makeClient('Child', parent);
    const [second, first] = await makeRecords(admin, 'reporting-entities', [
      { name: 'Z', client_id: parent },
      { name: 'A', client_id: parent },
      { name: 'Of the child', client_id: child },
    ]);
    const portfolios = await makeRecords(admin, 'portfolios', [
      { reporting_entity_id: first },
      { reporting_entity_id: first },
    ]);
    expect((await admin.get(pathBelow(parent))).body).toEqual({
      data: [
        reportingEntityObject(second!, 'Z', { client: parent }),
        reportingEntityObject(first!, 'A', { client: parent, portfolios }),
      ],
    });
    const shown = clientObject(parent, 'Parent', { children: [child], reportingEntities: [second!, first!] });
    expect((await admin.get(`/api/v2/clients/${parent}`)).body).toEqual({ data: shown });
  });

  test('a client without any has an empty list, and an unknown client has none', async () => {
    const bare = await admin.makeClient('Bare');
    expect((await admin.get(pathBelow(bare))).body).toEqual({ data: [] });
    const missing = { status: 404, code: 'client-not-found', detail: 'There is no such client.', pointer: undefined };
    expect(reportedRefusal(await admin.get(pathBelow(unknownId)))).toEqual(missing);
    const created = await admin.post(pathBelow(unknownId), newDocument('reporting-entity', { name: 'X' }));
    expect(reportedRefusal(created)).toEqual(missing);
  });

  test('the document may repeat the client of the path, but not name another', async () => {
    const send = (id: string) =>
      admin.post(pathBelow(client), newDocument('reporting-entity', { name: 'X' }, { client: toOne('client', id) }));
    const same = await send(client);
    expect([same.status, same.body]).toEqual([
      201,
      { data: reportingEntityObject(same.body.data.id, 'X', { client }) },
    ]);
    expect(faultsOf(await send(other))).toEqual([
      {
        status: 422,
        code: 'invalid-attribute',
        detail: 'client must be the one in the path.',
        pointer: '/data/relationships/client',
      },
    ]);
  });

  test('its name is required', async () => {
    const reply = await admin.post(pathBelow(client), { data: { type: 'reporting-entity' } });
    expect(faultsOf(reply)).toEqual(missingFaults('/data/attributes/name'));
  });

  test('it cannot be created with portfolios: they are created below it', async () => {
    const relationships = { portfolios: { data: [] } };
    const reply = await admin.post(pathBelow(client), newDocument('reporting-entity', { name: 'X' }, relationships));
    expect(faultsOf(reply)).toEqual([unknownField('relationship', 'portfolios', '/data/relationships/portfolios')]);
  });

  test('renaming it keeps its client and its portfolios', async () => {
    const id = await makeRecord(admin, 'reporting-entities', { name: 'Before', client_id: client });
    const [one, two] = await makeRecords(admin, 'portfolios', [
      { reporting_entity_id: id },
      { reporting_entity_id: id },
    ]);
    const path = `/api/v2/reporting-entities/${id}`;
    const after = { data: reportingEntityObject(id, 'After', { client, portfolios: [one!, two!] }) };
    const relationships = { client: toOne('client', client), portfolios: toMany('portfolio', [two!, one!]) };
    const renaming = changeDocument('reporting-entity', id, { attributes: { name: 'After' }, relationships });
    const renamed = await admin.patch(path, renaming);
    expect([renamed.status, renamed.body]).toEqual([200, after]);
    const moving = {
      client: toOne('client', other),
      portfolios: toMany('portfolio', [one!]),
    };
    const moved = await admin.patch(path, changeDocument('reporting-entity', id, { relationships: moving }));
    expect(faultsOf(moved)).toEqual(immutableFaults('/data/relationships/client', '/data/relationships/portfolios'));
    expect((await admin.get(path)).body).toEqual(after);
  });

  test.each(['externalIdentifier', 'createdAt', 'referenceCurrency'])('it has no attribute %s', async (name) => {
    const reply = await admin.post(pathBelow(client), newDocument('reporting-entity', { name: 'X', [name]: 'EUR' }));
    expect(faultsOf(reply)).toEqual([unknownField('attribute', name, `/data/attributes/${name}`)]);
  });

  test('once deleted, it no longer appears anywhere', async () => {
    const owner = await admin.makeClient('Owner');
    const id = await makeRecord(admin, 'reporting-entities', { name: 'Gone', client_id: owner });
    const reply = await admin.delete(`/api/v2/reporting-entities/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const path of [`/api/v2/reporting-entities/${id}`, `/v1/reporting-entities/${id}`]) {
      expect(reportedRefusal(await admin.get(path))).toMatchObject({ status: 404, code: 'reporting-entity-not-found' });
    }
    expect((await admin.get(pathBelow(owner))).body).toEqual({ data: [] });
    expect((await admin.delete(`/api/v2/reporting-entities/${id}`)).status).toBe(404);
  });
});

describe('on v1', () => {
  test('it is created with the id of its client, and shown with it', async () => {
    const sent = { name: 'Liquid wealth', client_id: client };
    const reply = await admin.post('/v1/reporting-entities', sent);
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/reporting-entities/${id}`);
    expect(reply.body).toEqual({ id, created_at: testNow, ...sent });
    const read = await admin.get(`/v1/reporting-entities/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
    const onJsonApi = { data: reportingEntityObject(id, 'Liquid wealth', { client }) };
    expect((await admin.get(`/api/v2/reporting-entities/${id}`)).body).toEqual(onJsonApi);
  });

  test('its name and an existing client are required', async () => {
    expect(faultsOf(await admin.post('/v1/reporting-entities', {}))).toEqual(missingFaults('/name', '/client_id'));
    const reply = await admin.post('/v1/reporting-entities', { name: 'X', client_id: unknownId });
    expect(reportedRefusal(reply)).toEqual({
      status: 404,
      code: 'client-not-found',
      detail: 'There is no such client.',
      pointer: '/client_id',
    });
  });

  test('it can be renamed, and its client is immutable', async () => {
    const id = await makeRecord(admin, 'reporting-entities', { name: 'Before', client_id: client });
    const path = `/v1/reporting-entities/${id}`;
    const expected = { id, name: 'After', created_at: testNow, client_id: client };
    const renamed = await admin.patch(path, { ...expected });
    expect([renamed.status, renamed.body]).toEqual([200, expected]);
    const lines = await countAuditEntries(service.database);
    const moved = await admin.patch(path, { name: 'Moved', client_id: other, created_at: '2020-01-01T00:00:00Z' });
    expect(faultsOf(moved)).toEqual(immutableFaults('/client_id', '/created_at'));
    expect((await admin.patch(path, expected)).body).toEqual(expected);
    expect((await admin.get(path)).body).toEqual(expected);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each(['portfolio_ids', 'created_at', 'legal_entity_id'])('it does not accept %s', async (name) => {
    const reply = await admin.post('/v1/reporting-entities', { name: 'X', client_id: client, [name]: [] });
    expect(faultsOf(reply)).toEqual([unknownField('field', name, `/${name}`)]);
  });

  test('the list contains those of every client, oldest first', async () => {
    const caller = await service.openWorkspace();
    const clients = [await caller.makeClient('One'), await caller.makeClient('Two')] as const;
    const sent = [
      { name: 'B', client_id: clients[1] },
      { name: 'A', client_id: clients[0] },
    ];
    const ids = await makeRecords(caller, 'reporting-entities', sent);
    const data = sent.map((each, index) => ({ id: ids[index], created_at: testNow, ...each }));
    expect((await caller.get('/v1/reporting-entities')).body).toEqual({ data, has_more: false });
  });

  test('a second deletion gets 404', async () => {
    const path = `/v1/reporting-entities/${await makeRecord(admin, 'reporting-entities', { name: 'Gone', client_id: client })}`;
    expect((await admin.delete(path)).status).toBe(204);
    expect(reportedRefusal(await admin.delete(path))).toEqual({
      status: 404,
      code: 'reporting-entity-not-found',
      detail: 'There is no such reporting entity.',
      pointer: undefined,
    });
  });
});
