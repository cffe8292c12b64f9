// The depository on both wires: its fields, its default name, and its immutable legal entity.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  changeDocument,
  depositoryObject,
  faultsOf,
  missingFaults,
  makeRecord,
  makeHousehold,
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
let legalEntity: string;
let otherEntity: string;

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
  ({ client, legalEntity } = await makeHousehold(admin));
  otherEntity = await makeRecord(admin, 'legal-entities', { name: 'Amsel Trust', client_id: client });
});

const pathBelow = (id: string): string => `/api/v2/legal-entities/${id}/depositories`;

/** A whole v1 depository that was created without optional fields. */
function v1Depository(id: string): object {
  return {
    id,
    name: 'Depository',
    external_identifier: null,
    created_at: testNow,
    legal_entity_id: legalEntity,
    client_id: client,
    account_ids: [],
  };
}

describe('creating', () => {
  test('on JSON:API it is created below its legal entity, which it does not show', async () => {
    const attributes = { name: 'Custody Zurich', externalIdentifier: 'D-204417' };
    const reply = await admin.post(pathBelow(legalEntity), newDocument('depository', attributes));
    const { id } = reply.body.data;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/api/v2/depositories/${id}`);
    expect(reply.body).toEqual({ data: depositoryObject(id, attributes) });
    expect((await admin.get(`/api/v2/depositories/${id}`)).text).toBe(reply.text);
    const onV1 = { ...v1Depository(id), name: 'Custody Zurich', external_identifier: 'D-204417' };
    expect((await admin.get(`/v1/depositories/${id}`)).body).toEqual(onV1);
  });

  test('on v1 it is created with the id of its legal entity, and shown with its client', async () => {
    const sent = {
      name: 'Custody Geneva',
      external_identifier: 'D-7',
      legal_entity_id: legalEntity,
      account_ids: [],
    };
    const reply = await admin.post('/v1/depositories', sent);
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/depositories/${id}`);
    expect(reply.body).toEqual({ ...v1Depository(id), ...sent });
    const read = await admin.get(`/v1/depositories/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
    const onJsonApi = depositoryObject(id, { name: 'Custody Geneva', externalIdentifier: 'D-7' });
    expect((await admin.get(`/api/v2/depositories/${id}`)).body).toEqual({ data: onJsonApi });
  });

  test.each([
    ['the sent one', { name: 'Mine', externalIdentifier: 'D-1' }, 'Mine'],
    ['its external identifier, if none was sent', { externalIdentifier: 'D-1' }, 'D-1'],
    ['Depository, if neither was sent', {}, 'Depository'],
    ['Depository, if the external identifier is null', { externalIdentifier: null }, 'Depository'],
  ])('its name is %s', async (_what, attributes, name) => {
    const { externalIdentifier = null } = attributes as { externalIdentifier?: string | null };
    const { body } = await admin.post(pathBelow(legalEntity), newDocument('depository', attributes));
    expect(body).toEqual({ data: depositoryObject(body.data.id, { name, externalIdentifier }) });
    const fields = JSON.parse(JSON.stringify(attributes).replace('externalIdentifier', 'external_identifier'));
    const { body: onV1 } = await admin.post('/v1/depositories', { legal_entity_id: legalEntity, ...fields });
    expect(onV1).toEqual({ ...v1Depository(onV1.id), name, external_identifier: externalIdentifier });
  });

  test('it can be created without attributes and relationships', async () => {
    const { status, body } = await admin.post(pathBelow(legalEntity), { data: { type: 'depository' } });
    const attributes = { name: 'Depository', externalIdentifier: null };
    expect([status, body]).toEqual([201, { data: depositoryObject(body.data.id, attributes) }]);
  });

  test('nothing is created below a missing legal entity', async () => {
    const stranger = await makeHousehold(await service.openWorkspace());
    const missing = { status: 404, code: 'legal-entity-not-found', detail: 'There is no such legal entity.' };
    for (const id of [unknownId, stranger.legalEntity]) {
      const onJsonApi = await admin.post(pathBelow(id), newDocument('depository', {}));
      expect(reportedRefusal(onJsonApi)).toEqual({ ...missing, pointer: undefined });
      const onV1 = await admin.post('/v1/depositories', { legal_entity_id: id });
      expect(reportedRefusal(onV1)).toEqual({ ...missing, pointer: '/legal_entity_id' });
    }
    expect(faultsOf(await admin.post('/v1/depositories', {}))).toEqual(missingFaults('/legal_entity_id'));
  });
});

describe('changing', () => {
  test('on JSON:API only name and external identifier can change', async () => {
    const id = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity });
    const attributes = { name: 'Renamed', externalIdentifier: 'D-2' };
    const reply = await admin.patch(`/api/v2/depositories/${id}`, changeDocument('depository', id, { attributes }));
    expect([reply.status, reply.body]).toEqual([200, { data: depositoryObject(id, attributes) }]);
    const onV1 = { ...v1Depository(id), name: 'Renamed', external_identifier: 'D-2' };
    expect((await admin.get(`/v1/depositories/${id}`)).body).toEqual(onV1);
  });

  test('on v1 sent fields change, and omitted fields stay', async () => {
    const id = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity, external_identifier: 'D-3' });
    const renamed = await admin.patch(`/v1/depositories/${id}`, { name: 'Renamed' });
    const expected = { ...v1Depository(id), name: 'Renamed', external_identifier: 'D-3' };
    expect([renamed.status, renamed.body]).toEqual([200, expected]);
    const unnumbered = await admin.patch(`/v1/depositories/${id}`, { external_identifier: null });
    expect(unnumbered.body).toEqual({ ...expected, external_identifier: null });
    expect((await admin.get(`/v1/depositories/${id}`)).body).toEqual(unnumbered.body);
  });

  test('its legal entity is immutable on v1; it may be sent with its current value', async () => {
    const id = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity });
    const path = `/v1/depositories/${id}`;
    const { body: before } = await admin.get(path);
    const fixed = { legal_entity_id: otherEntity, client_id: unknownId, created_at: '2020-01-01T00:00:00Z' };
    const places = ['/legal_entity_id', '/client_id', '/created_at'];
    expect(faultsOf(await admin.patch(path, { name: 'X', ...fixed }))).toEqual(immutableFaults(...places));
    const lines = await countAuditEntries(service.database);
    const reply = await admin.patch(path, before);
    expect([reply.status, reply.body]).toEqual([200, before]);
    expect((await admin.get(path)).body).toEqual(before);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test('on JSON:API a document cannot contain its legal entity, not even the same one', async () => {
    const id = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity });
    const fault = unknownField('relationship', 'legalEntity', '/data/relationships/legalEntity');
    for (const owner of [otherEntity, legalEntity]) {
      const relationships = { legalEntity: toOne('legal-entity', owner) };
      const created = await admin.post(pathBelow(legalEntity), newDocument('depository', {}, relationships));
      expect(faultsOf(created)).toEqual([fault]);
      const change = changeDocument('depository', id, { relationships });
      expect(faultsOf(await admin.patch(`/api/v2/depositories/${id}`, change))).toEqual([fault]);
    }
  });

  test.each([
    ['name', null, 'name must not be null.'],
    ['name', '', 'name must not be empty.'],
    ['externalIdentifier', '', 'externalIdentifier must not be empty.'],
    ['externalIdentifier', 7, 'externalIdentifier must be a string.'],
    ['externalIdentifier', 'D'.repeat(201), 'externalIdentifier must have at most 200 characters.'],
  ])('%s cannot be %o', async (name, value, detail) => {
    const id = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity });
    const change = changeDocument('depository', id, { attributes: { [name]: value } });
    const reply = await admin.patch(`/api/v2/depositories/${id}`, change);
    const pointer = `/data/attributes/${name}`;
    expect(faultsOf(reply)).toEqual([{ status: 422, code: 'invalid-attribute', detail, pointer }]);
  });

  test.each(['ccyCode', 'createdAt', 'external_identifier'])('JSON:API has no attribute %s', async (name) => {
    const reply = await admin.post(pathBelow(legalEntity), newDocument('depository', { [name]: 'EUR' }));
    expect(faultsOf(reply)).toEqual([unknownField('attribute', name, `/data/attributes/${name}`)]);
  });

  test.each(['entity_id', 'client_id', 'created_at', 'portfolio_ids', 'currency'])(
    'v1 does not accept %s at creation',
    async (name) => {
      const reply = await admin.post('/v1/depositories', { legal_entity_id: legalEntity, [name]: client });
      expect(faultsOf(reply)).toEqual([unknownField('field', name, `/${name}`)]);
    },
  );
});

describe('lists and deletion', () => {
  test('the list of a legal entity is flat, oldest first', async () => {
    const bare = await makeRecord(admin, 'legal-entities', { name: 'Bare', client_id: client });
    expect((await admin.get(pathBelow(bare))).body).toEqual({ data: [] });
    const [second, first] = await makeRecords(admin, 'depositories', [
      { legal_entity_id: bare, name: 'Z' },
      { legal_entity_id: bare, name: 'A' },
    ]);
    await makeRecord(admin, 'depositories', { legal_entity_id: otherEntity });
    expect((await admin.get(pathBelow(bare))).body).toEqual({
      data: [
        depositoryObject(second!, { name: 'Z', externalIdentifier: null }),
        depositoryObject(first!, { name: 'A', externalIdentifier: null }),
      ],
    });
    expect(reportedRefusal(await admin.get(pathBelow(unknownId)))).toEqual({
      status: 404,
      code: 'legal-entity-not-found',
      detail: 'There is no such legal entity.',
      pointer: undefined,
    });
  });

  test('on v1 the list contains those of every legal entity, oldest first', async () => {
    const caller = await service.openWorkspace();
    const { client: owner, legalEntity: entity } = await makeHousehold(caller);
    const second = await makeRecord(caller, 'legal-entities', { name: 'Second', client_id: owner });
    const [one, two] = await makeRecords(caller, 'depositories', [
      { legal_entity_id: second },
      { legal_entity_id: entity },
    ]);
    const frame = {
      name: 'Depository',
      external_identifier: null,
      created_at: testNow,
      client_id: owner,
      account_ids: [],
    };
    expect((await caller.get('/v1/depositories')).body).toEqual({
      data: [
        { id: one, ...frame, legal_entity_id: second },
        { id: two, ...frame, legal_entity_id: entity },
      ],
      has_more: false,
    });
  });

  test.each(['/api/v2/depositories', '/v1/depositories'])(
    'deleted on %s it no longer exists on either wire',
    async (path) => {
      const id = await makeRecord(admin, 'depositories', { legal_entity_id: legalEntity });
      const reply = await admin.delete(`${path}/${id}`);
      expect([reply.status, reply.text]).toEqual([204, '']);
      for (const where of ['/api/v2/depositories', '/v1/depositories']) {
        expect(reportedRefusal(await admin.get(`${where}/${id}`))).toEqual({
          status: 404,
          code: 'depository-not-found',
          detail: 'There is no such depository.',
          pointer: undefined,
        });
      }
      expect((await admin.delete(`${path}/${id}`)).status).toBe(404);
      expect((await admin.get(pathBelow(legalEntity))).text).not.toContain(id);
    },
  );
});
