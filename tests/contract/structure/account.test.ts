// The account on both wires: its fields, its default name, and its immutable currency and owner.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  accountObject,
  immutableFaults,
  changeDocument,
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

const pathBelow = (id: string): string => `/api/v2/legal-entities/${id}/accounts`;
const iban = 'CH9300762011623852957';

/** A whole v1 account that was created with nothing but its currency. */
function v1Account(id: string, currency: string): object {
  return {
    id,
    name: currency,
    external_identifier: null,
    currency,
    exclude_from_reporting: false,
    institution: null,
    created_at: testNow,
    entity_id: legalEntity,
    client_id: client,
    custodian_id: null,
    depository_ids: [],
  };
}

function createOnJsonApi(attributes: object, relationships?: object) {
  return admin.post(pathBelow(legalEntity), newDocument('account', attributes, relationships));
}

function createOnV1(fields: object) {
  return admin.post('/v1/accounts', { entity_id: legalEntity, ...fields });
}

describe('creating', () => {
  test('on JSON:API it is created below its legal entity, with all its attributes', async () => {
    const attributes = { name: 'Salary', externalIdentifier: iban, ccyCode: 'CHF', excludeFromReporting: true };
    const reply = await createOnJsonApi(attributes);
    const { id } = reply.body.data;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/api/v2/accounts/${id}`);
    expect(reply.body).toEqual({ data: accountObject(id, attributes, { legalEntity }) });
    expect((await admin.get(`/api/v2/accounts/${id}`)).text).toBe(reply.text);
    const onV1 = { name: 'Salary', external_identifier: iban, exclude_from_reporting: true };
    expect((await admin.get(`/v1/accounts/${id}`)).body).toEqual({ ...v1Account(id, 'CHF'), ...onV1 });
  });

  test('on v1 it is created with the id of its legal entity, and shown with its client', async () => {
    const sent = {
      name: 'Reserve',
      external_identifier: iban,
      currency: 'EUR',
      exclude_from_reporting: true,
      institution: 'Bank Sonnenberg',
      entity_id: legalEntity,
      depository_ids: [],
    };
    const reply = await admin.post('/v1/accounts', sent);
    const { id, custodian_id: custodian } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/accounts/${id}`);
    expect(custodian).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.body).toEqual({ id, ...sent, created_at: testNow, client_id: client, custodian_id: custodian });
    const read = await admin.get(`/v1/accounts/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
    const attributes = { name: 'Reserve', externalIdentifier: iban, ccyCode: 'EUR', excludeFromReporting: true };
    const onJsonApi = { data: accountObject(id, attributes, { legalEntity }) };
    expect((await admin.get(`/api/v2/accounts/${id}`)).body).toEqual(onJsonApi);
  });

  test.each([
    ['the sent one', { name: 'Mine', externalIdentifier: iban }, 'Mine'],
    ['its external identifier, if none was sent', { externalIdentifier: iban }, iban],
    ['its currency, if neither was sent', {}, 'JPY'],
    ['its currency, if the external identifier is null', { externalIdentifier: null }, 'JPY'],
  ])('its name is %s', async (_what, attributes, name) => {
    const { externalIdentifier = null } = attributes as { externalIdentifier?: string | null };
    const { body } = await createOnJsonApi({ ...attributes, ccyCode: 'JPY' });
    const expected = { name, externalIdentifier, ccyCode: 'JPY', excludeFromReporting: false };
    expect(body).toEqual({ data: accountObject(body.data.id, expected, { legalEntity }) });
    const fields = JSON.parse(JSON.stringify(attributes).replace('externalIdentifier', 'external_identifier'));
    const { body: onV1 } = await createOnV1({ ...fields, currency: 'JPY' });
    expect(onV1).toEqual({ ...v1Account(onV1.id, 'JPY'), name, external_identifier: externalIdentifier });
  });

  test('two accounts may have the same number: it is not unique across custodians', async () => {
    const replies = [1, 2].map(() => createOnV1({ currency: 'CHF', external_identifier: 'CH-0815' }));
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([201, 201]);
  });

  test('the document may repeat the legal entity of the path, but not name another', async () => {
    const same = await createOnJsonApi({ ccyCode: 'EUR' }, { legalEntity: toOne('legal-entity', legalEntity) });
    expect([same.status, same.body.data.relationships.legalEntity]).toEqual([
      201,
      { data: { type: 'legal-entity', id: legalEntity } },
    ]);
    for (const id of [otherEntity, unknownId]) {
      const other = await createOnJsonApi({ ccyCode: 'EUR' }, { legalEntity: toOne('legal-entity', id) });
      expect(reportedRefusal(other)).toEqual({
        status: 422,
        code: 'invalid-attribute',
        detail: 'legalEntity must be the one in the path.',
        pointer: '/data/relationships/legalEntity',
      });
    }
  });

  test('nothing is created below a missing legal entity', async () => {
    const stranger = await makeHousehold(await service.openWorkspace());
    const missing = { status: 404, code: 'legal-entity-not-found', detail: 'There is no such legal entity.' };
    for (const id of [unknownId, stranger.legalEntity]) {
      const onJsonApi = await admin.post(pathBelow(id), newDocument('account', { ccyCode: 'EUR' }));
      expect(reportedRefusal(onJsonApi)).toEqual({ ...missing, pointer: undefined });
      const onV1 = await admin.post('/v1/accounts', { entity_id: id, currency: 'EUR' });
      expect(reportedRefusal(onV1)).toEqual({ ...missing, pointer: '/entity_id' });
    }
  });
});

describe('the currency', () => {
  test.each(['chf', 'ABC', 'XXX', 'XTS', 'EURO', ' EUR', ''])('%o is not an ISO 4217 currency', async (code) => {
    const fault = (name: string, pointer: string): object => ({
      status: 422,
      code: 'invalid-attribute',
      detail: `${name} must be an ISO 4217 currency code, such as EUR.`,
      pointer,
    });
    const onJsonApi = await createOnJsonApi({ ccyCode: code });
    expect(faultsOf(onJsonApi)).toEqual([fault('ccyCode', '/data/attributes/ccyCode')]);
    expect(faultsOf(await createOnV1({ currency: code }))).toEqual([fault('currency', '/currency')]);
  });

  test.each(['DEM', 'ITL', 'CNH'])('%s is that of an account', async (code) => {
    expect((await createOnV1({ currency: code })).status).toBe(201);
  });

  test('is required when an account is created', async () => {
    expect(faultsOf(await createOnJsonApi({ name: 'X' }))).toEqual(missingFaults('/data/attributes/ccyCode'));
    const onV1 = await admin.post('/v1/accounts', { name: 'X' });
    expect(faultsOf(onV1)).toEqual(missingFaults('/currency', '/entity_id'));
  });
});

describe('changing', () => {
  test.each(['JSON:API', 'v1'])('on %s everything but currency and owner can change', async (wire) => {
    const id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'USD' });
    const attributes = { name: 'Renamed', externalIdentifier: 'US-1', excludeFromReporting: true };
    const fields = { name: 'Renamed', external_identifier: 'US-1', exclude_from_reporting: true };
    const reply =
      wire === 'v1'
        ? await admin.patch(`/v1/accounts/${id}`, fields)
        : await admin.patch(`/api/v2/accounts/${id}`, changeDocument('account', id, { attributes }));
    expect(reply.status).toBe(200);
    const onJsonApi = { data: accountObject(id, { ...attributes, ccyCode: 'USD' }, { legalEntity }) };
    expect((await admin.get(`/api/v2/accounts/${id}`)).body).toEqual(onJsonApi);
    const onV1 = { ...v1Account(id, 'USD'), ...fields };
    expect((await admin.get(`/v1/accounts/${id}`)).body).toEqual(onV1);
    expect(reply.body).toEqual(wire === 'v1' ? onV1 : onJsonApi);
  });

  test('the number can be removed, and the default name made from it stays', async () => {
    const id = await makeRecord(admin, 'accounts', {
      entity_id: legalEntity,
      currency: 'USD',
      external_identifier: 'US-2',
    });
    const change = changeDocument('account', id, { attributes: { externalIdentifier: null } });
    const expected = { name: 'US-2', externalIdentifier: null, ccyCode: 'USD', excludeFromReporting: false };
    const reply = await admin.patch(`/api/v2/accounts/${id}`, change);
    expect(reply.body).toEqual({ data: accountObject(id, expected, { legalEntity }) });
  });

  test('currency and legal entity are immutable: another value is refused with its pointer, and nothing changes', async () => {
    const id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'USD' });
    const { body: before } = await admin.get(`/v1/accounts/${id}`);
    const onJsonApi = await admin.patch(
      `/api/v2/accounts/${id}`,
      changeDocument('account', id, {
        attributes: { name: 'X', ccyCode: 'EUR' },
        relationships: { legalEntity: toOne('legal-entity', otherEntity) },
      }),
    );
    const places = ['/data/attributes/ccyCode', '/data/relationships/legalEntity'];
    expect(faultsOf(onJsonApi)).toEqual(immutableFaults(...places));
    const fixed = { currency: 'EUR', entity_id: otherEntity, client_id: unknownId, created_at: '2020-01-01T00:00:00Z' };
    const onV1 = await admin.patch(`/v1/accounts/${id}`, { name: 'X', ...fixed });
    expect(faultsOf(onV1)).toEqual(immutableFaults('/currency', '/entity_id', '/client_id', '/created_at'));
    expect((await admin.get(`/v1/accounts/${id}`)).body).toEqual(before);
  });

  test('their current values may be sent; on JSON:API a whole document that was read can be sent back', async () => {
    const id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'USD' });
    const { body: onJsonApi } = await admin.get(`/api/v2/accounts/${id}`);
    const { body: onV1 } = await admin.get(`/v1/accounts/${id}`);
    const same = { currency: 'USD', entity_id: legalEntity, client_id: client, created_at: testNow };
    const lines = await countAuditEntries(service.database);
    expect((await admin.patch(`/api/v2/accounts/${id}`, onJsonApi)).body).toEqual(onJsonApi);
    expect((await admin.patch(`/v1/accounts/${id}`, same)).body).toEqual(onV1);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each([
    ['attributes', 'currency', { currency: 'EUR' }],
    ['attributes', 'institution', { institution: 'Bank Sonnenberg' }],
    ['attributes', 'createdAt', { createdAt: testNow }],
    ['relationships', 'client', { client: toOne('client', unknownId) }],
    ['relationships', 'custodian', { custodian: toOne('custodian', unknownId) }],
    ['relationships', 'portfolios', { portfolios: { data: [] } }],
  ])('on JSON:API %s cannot contain %s', async (member, name, fields) => {
    const id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
    const fault = unknownField(member === 'attributes' ? 'attribute' : 'relationship', name, `/data/${member}/${name}`);
    const changed = await admin.patch(`/api/v2/accounts/${id}`, changeDocument('account', id, { [member]: fields }));
    expect(faultsOf(changed)).toEqual([fault]);
    const data = { type: 'account', attributes: { ccyCode: 'EUR' } };
    const created = await admin.post(pathBelow(legalEntity), {
      data: { ...data, [member]: member === 'attributes' ? { ccyCode: 'EUR', ...fields } : fields },
    });
    expect(faultsOf(created)).toEqual([fault]);
  });

  test.each(['ccyCode', 'legal_entity_id', 'portfolio_ids', 'client_id', 'created_at', 'id'])(
    'v1 does not accept %s at creation',
    async (name) => {
      const reply = await createOnV1({ currency: 'EUR', [name]: client });
      expect(faultsOf(reply)).toEqual([unknownField('field', name, `/${name}`)]);
    },
  );
});

describe('lists and deletion', () => {
  test('the list of a legal entity is flat, oldest first', async () => {
    const bare = await makeRecord(admin, 'legal-entities', { name: 'Bare', client_id: client });
    expect((await admin.get(pathBelow(bare))).body).toEqual({ data: [] });
    const [second, first] = await makeRecords(admin, 'accounts', [
      { entity_id: bare, currency: 'USD' },
      { entity_id: bare, currency: 'CHF' },
    ]);
    await makeRecord(admin, 'accounts', { entity_id: otherEntity, currency: 'SEK' });
    const attributes = { externalIdentifier: null, excludeFromReporting: false };
    expect((await admin.get(pathBelow(bare))).body).toEqual({
      data: [
        accountObject(second!, { ...attributes, name: 'USD', ccyCode: 'USD' }, { legalEntity: bare }),
        accountObject(first!, { ...attributes, name: 'CHF', ccyCode: 'CHF' }, { legalEntity: bare }),
      ],
    });
    expect(reportedRefusal(await admin.get(pathBelow(unknownId)))).toMatchObject({
      status: 404,
      code: 'legal-entity-not-found',
    });
  });

  test.each(['/api/v2/accounts', '/v1/accounts'])('deleted on %s it no longer exists on either wire', async (path) => {
    const id = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'EUR' });
    const reply = await admin.delete(`${path}/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    for (const where of ['/api/v2/accounts', '/v1/accounts']) {
      expect(reportedRefusal(await admin.get(`${where}/${id}`))).toEqual({
        status: 404,
        code: 'account-not-found',
        detail: 'There is no such account.',
        pointer: undefined,
      });
    }
    expect((await admin.delete(`${path}/${id}`)).status).toBe(404);
    expect((await admin.get(pathBelow(legalEntity))).text).not.toContain(id);
  });
});
