// The portfolio on both wires: a name, an immutable reporting entity, and its members. links.test.ts covers the links.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  changeDocument,
  faultsOf,
  missingFaults,
  makeRecord,
  makeHousehold,
  makeRecords,
  newDocument,
  testNow,
  portfolioObject,
  toMany,
  toOne,
  unknownField,
  unknownId,
} from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let baseUrl: string;
let client: string;
let reportingEntity: string;
let otherEntity: string;
let account: string;
let depository: string;

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
  const household = await makeHousehold(admin);
  ({ client, reportingEntity } = household);
  otherEntity = await makeRecord(admin, 'reporting-entities', { name: 'Another view', client_id: client });
  account = await makeRecord(admin, 'accounts', { entity_id: household.legalEntity, currency: 'CHF' });
  depository = await makeRecord(admin, 'depositories', { legal_entity_id: household.legalEntity });
});

const pathBelow = (id: string): string => `/api/v2/reporting-entities/${id}/portfolios`;

/** A whole v1 portfolio that was created without optional fields. */
function v1Portfolio(id: string): object {
  return {
    id,
    name: 'Portfolio',
    created_at: testNow,
    reporting_entity_id: reportingEntity,
    client_id: client,
    account_ids: [],
    depository_ids: [],
  };
}

describe('creating', () => {
  test('on JSON:API it is created below its reporting entity, with its members', async () => {
    const relationships = { accounts: toMany('account', [account]), depositories: toMany('depository', [depository]) };
    const document = newDocument('portfolio', { name: 'Liquid assets' }, relationships);
    const reply = await admin.post(pathBelow(reportingEntity), document);
    const { id } = reply.body.data;
    const linked = { reportingEntity, accounts: [account], depositories: [depository] };
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/api/v2/portfolios/${id}`);
    expect(reply.body).toEqual({ data: portfolioObject(id, 'Liquid assets', linked) });
    expect((await admin.get(`/api/v2/portfolios/${id}`)).text).toBe(reply.text);
    const grouped = { account_ids: [account], depository_ids: [depository] };
    const onV1 = { ...v1Portfolio(id), name: 'Liquid assets', ...grouped };
    expect((await admin.get(`/v1/portfolios/${id}`)).body).toEqual(onV1);
  });

  test('on v1 it is created with the id of its reporting entity, and shown with its client', async () => {
    const sent = {
      name: 'Bonds',
      reporting_entity_id: reportingEntity,
      account_ids: [account],
      depository_ids: [depository],
    };
    const reply = await admin.post('/v1/portfolios', sent);
    const { id } = reply.body;
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/portfolios/${id}`);
    expect(reply.body).toEqual({ ...v1Portfolio(id), ...sent });
    const read = await admin.get(`/v1/portfolios/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
    const linked = { reportingEntity, accounts: [account], depositories: [depository] };
    expect((await admin.get(`/api/v2/portfolios/${id}`)).body).toEqual({ data: portfolioObject(id, 'Bonds', linked) });
  });

  test('by default it is called Portfolio and is empty', async () => {
    const { status, body } = await admin.post(pathBelow(reportingEntity), { data: { type: 'portfolio' } });
    expect([status, body]).toEqual([201, { data: portfolioObject(body.data.id, 'Portfolio', { reportingEntity }) }]);
    const onV1 = await admin.post('/v1/portfolios', { reporting_entity_id: reportingEntity });
    expect([onV1.status, onV1.body]).toEqual([201, v1Portfolio(onV1.body.id)]);
  });

  test('the document may repeat the reporting entity of the path, but not name another', async () => {
    const send = (id: string) =>
      admin.post(
        pathBelow(reportingEntity),
        newDocument('portfolio', {}, { reportingEntity: toOne('reporting-entity', id) }),
      );
    const same = await send(reportingEntity);
    expect([same.status, same.body]).toEqual([
      201,
      { data: portfolioObject(same.body.data.id, 'Portfolio', { reportingEntity }) },
    ]);
    expect(faultsOf(await send(otherEntity))).toEqual([
      {
        status: 422,
        code: 'invalid-attribute',
        detail: 'reportingEntity must be the one in the path.',
        pointer: '/data/relationships/reportingEntity',
      },
    ]);
  });

  test('nothing is created below a missing reporting entity', async () => {
    const stranger = await makeHousehold(await service.openWorkspace());
    const missing = { status: 404, code: 'reporting-entity-not-found', detail: 'There is no such reporting entity.' };
    for (const id of [unknownId, stranger.reportingEntity]) {
      const onJsonApi = await admin.post(pathBelow(id), newDocument('portfolio', {}));
      expect(reportedRefusal(onJsonApi)).toEqual({ ...missing, pointer: undefined });
      const onV1 = await admin.post('/v1/portfolios', { reporting_entity_id: id });
      expect(reportedRefusal(onV1)).toEqual({ ...missing, pointer: '/reporting_entity_id' });
    }
    expect(faultsOf(await admin.post('/v1/portfolios', {}))).toEqual(missingFaults('/reporting_entity_id'));
  });

  test.each([
    ['attribute', 'attributes', 'externalIdentifier', 'P-1'],
    ['attribute', 'attributes', 'createdAt', testNow],
    ['relationship', 'relationships', 'client', { data: null }],
    ['relationship', 'relationships', 'instruments', { data: [] }],
  ] as const)('JSON:API has no such %s in %s: %s', async (word, member, name, value) => {
    const data = { type: 'portfolio', [member]: { [name]: value } };
    const fault = unknownField(word, name, `/data/${member}/${name}`);
    expect(faultsOf(await admin.post(pathBelow(reportingEntity), { data }))).toEqual([fault]);
  });

  test.each(['client_id', 'created_at', 'accounts', 'external_identifier'])('v1 does not accept %s', async (name) => {
    const reply = await admin.post('/v1/portfolios', { reporting_entity_id: reportingEntity, [name]: client });
    expect(faultsOf(reply)).toEqual([unknownField('field', name, `/${name}`)]);
  });
});

describe('changing', () => {
  test.each(['JSON:API', 'v1'])('on %s renaming it keeps its members', async (wire) => {
    const grouped = { account_ids: [account], depository_ids: [depository] };
    const id = await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, ...grouped });
    const linked = { reportingEntity, accounts: [account], depositories: [depository] };
    const onJsonApi = { data: portfolioObject(id, 'Renamed', linked) };
    const onV1 = { ...v1Portfolio(id), name: 'Renamed', ...grouped };
    const attributes = { name: 'Renamed' };
    const reply =
      wire === 'v1'
        ? await admin.patch(`/v1/portfolios/${id}`, attributes)
        : await admin.patch(`/api/v2/portfolios/${id}`, changeDocument('portfolio', id, { attributes }));
    expect([reply.status, reply.body]).toEqual([200, wire === 'v1' ? onV1 : onJsonApi]);
    expect((await admin.get(`/api/v2/portfolios/${id}`)).body).toEqual(onJsonApi);
    expect((await admin.get(`/v1/portfolios/${id}`)).body).toEqual(onV1);
  });

  test('its reporting entity is immutable; it may be sent with its current value', async () => {
    const id = await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, account_ids: [account] });
    const { body: onJsonApi } = await admin.get(`/api/v2/portfolios/${id}`);
    const { body: onV1 } = await admin.get(`/v1/portfolios/${id}`);
    const relationships = { reportingEntity: toOne('reporting-entity', otherEntity) };
    const moved = await admin.patch(`/api/v2/portfolios/${id}`, changeDocument('portfolio', id, { relationships }));
    expect(faultsOf(moved)).toEqual(immutableFaults('/data/relationships/reportingEntity'));
    const fixed = { reporting_entity_id: otherEntity, client_id: unknownId, created_at: '2020-01-01T00:00:00Z' };
    const places = ['/reporting_entity_id', '/client_id', '/created_at'];
    expect(faultsOf(await admin.patch(`/v1/portfolios/${id}`, fixed))).toEqual(immutableFaults(...places));
    const lines = await countAuditEntries(service.database);
    expect((await admin.patch(`/api/v2/portfolios/${id}`, onJsonApi)).body).toEqual(onJsonApi);
    expect((await admin.patch(`/v1/portfolios/${id}`, onV1)).body).toEqual(onV1);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test.each([
    ['no name', null, 'name must not be null.'],
    ['an empty name', '', 'name must not be empty.'],
    ['white space around its name', ' Bonds', 'name must not begin or end with white space.'],
  ])('it cannot have %s', async (_what, name, detail) => {
    const id = await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity });
    const fault = { status: 422, code: 'invalid-attribute', detail };
    expect(faultsOf(await admin.patch(`/v1/portfolios/${id}`, { name }))).toEqual([{ ...fault, pointer: '/name' }]);
    const created = await admin.post(pathBelow(reportingEntity), newDocument('portfolio', { name }));
    expect(faultsOf(created)).toEqual([{ ...fault, pointer: '/data/attributes/name' }]);
  });
});

describe('lists and deletion', () => {
  test('the list of a reporting entity is flat, oldest first', async () => {
    const bare = await makeRecord(admin, 'reporting-entities', { name: 'Bare', client_id: client });
    expect((await admin.get(pathBelow(bare))).body).toEqual({ data: [] });
    const [second, first] = await makeRecords(admin, 'portfolios', [
      { reporting_entity_id: bare, name: 'Z', account_ids: [account] },
      { reporting_entity_id: bare, name: 'A', depository_ids: [depository] },
      { reporting_entity_id: otherEntity },
    ]);
    expect((await admin.get(pathBelow(bare))).body).toEqual({
      data: [
        portfolioObject(second!, 'Z', { reportingEntity: bare, accounts: [account] }),
        portfolioObject(first!, 'A', { reportingEntity: bare, depositories: [depository] }),
      ],
    });
    expect(reportedRefusal(await admin.get(pathBelow(unknownId)))).toEqual({
      status: 404,
      code: 'reporting-entity-not-found',
      detail: 'There is no such reporting entity.',
      pointer: undefined,
    });
  });

  test.each(['/api/v2/portfolios', '/v1/portfolios'])('deleting it on %s keeps its members', async (path) => {
    const grouped = { account_ids: [account], depository_ids: [depository] };
    const id = await makeRecord(admin, 'portfolios', { reporting_entity_id: reportingEntity, ...grouped });
    const paths = [`/v1/accounts/${account}`, `/v1/depositories/${depository}`];
    const before = await Promise.all(paths.map((each) => admin.get(each)));
    const reply = await admin.delete(`${path}/${id}`);
    expect([reply.status, reply.text]).toEqual([204, '']);
    const after = await Promise.all(paths.map((each) => admin.get(each)));
    expect(after.map(({ text }) => text)).toEqual(before.map(({ text }) => text));
    for (const where of ['/api/v2/portfolios', '/v1/portfolios']) {
      expect(reportedRefusal(await admin.get(`${where}/${id}`))).toEqual({
        status: 404,
        code: 'portfolio-not-found',
        detail: 'There is no such portfolio.',
        pointer: undefined,
      });
    }
    expect((await admin.delete(`${path}/${id}`)).status).toBe(404);
  });
});
