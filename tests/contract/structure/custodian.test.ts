// The custodian, only on v1: shared by all clients of a workspace, with a unique name.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  faultsOf,
  missingFaults,
  makeRecord,
  makeHousehold,
  makeRecords,
  testNow,
  sendBehindLock,
  unknownField,
  unknownId,
} from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let baseUrl: string;

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
});

/** Settings of a custodian that nobody has set. */
const unset = { accounting_method: null, supported_consent_types: ['signed-document', 'operator'], expected_files: [] };

const taken = {
  status: 409,
  code: 'custodian-exists',
  detail: 'Another custodian already has this name.',
  pointer: '/name',
};

describe('its life cycle', () => {
  test('it is created with a name', async () => {
    const reply = await admin.post('/v1/custodians', { name: 'Privatbank Seefeld' });
    const { id } = reply.body;
    expect(id).toMatch(/^[0-9a-f]{24}$/);
    expect(reply.status).toBe(201);
    expect(reply.headers.get('location')).toBe(`${baseUrl}/v1/custodians/${id}`);
    expect(reply.body).toEqual({ id, name: 'Privatbank Seefeld', ...unset, created_at: testNow });
    const read = await admin.get(`/v1/custodians/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([reply.text, reply.headers.get('etag')]);
  });

  test('it can be renamed, and immutable fields may be sent with their current value', async () => {
    const id = await makeRecord(admin, 'custodians', { name: 'Bank Before' });
    const expected = { id, name: 'Bank After', ...unset, created_at: testNow };
    const renamed = await admin.patch(`/v1/custodians/${id}`, expected);
    expect([renamed.status, renamed.body]).toEqual([200, expected]);
    const lines = await countAuditEntries(service.database);
    expect((await admin.patch(`/v1/custodians/${id}`, expected)).body).toEqual(expected);
    const moved = await admin.patch(`/v1/custodians/${id}`, { name: 'X', created_at: '2020-01-01T00:00:00Z' });
    expect(faultsOf(moved)).toEqual(immutableFaults('/created_at'));
    expect((await admin.get(`/v1/custodians/${id}`)).body).toEqual(expected);
    expect(await countAuditEntries(service.database)).toBe(lines);
  });

  test('the list contains all of the workspace and none of another, oldest first', async () => {
    const caller = await service.openWorkspace();
    expect((await caller.get('/v1/custodians')).body).toEqual({ data: [], has_more: false });
    const names = ['Bank Z', 'Bank A', 'Bank M'];
    const ids = await makeRecords(
      caller,
      'custodians',
      names.map((name) => ({ name })),
    );
    const data = names.map((name, index) => ({ id: ids[index], name, ...unset, created_at: testNow }));
    expect((await caller.get('/v1/custodians')).body).toEqual({ data, has_more: false });
  });

  test('a second deletion gets 404', async () => {
    const path = `/v1/custodians/${await makeRecord(admin, 'custodians', { name: 'Bank Gone' })}`;
    const reply = await admin.delete(path);
    expect([reply.status, reply.text]).toEqual([204, '']);
    const missing = {
      status: 404,
      code: 'custodian-not-found',
      detail: 'There is no such custodian.',
      pointer: undefined,
    };
    expect(reportedRefusal(await admin.delete(path))).toEqual(missing);
    expect(reportedRefusal(await admin.get(path))).toEqual(missing);
    expect(reportedRefusal(await admin.patch(path, { name: 'X' }))).toEqual(missing);
    expect((await admin.post('/v1/custodians', { name: 'Bank Gone' })).status).toBe(201);
  });

  test('a custodian with accounts cannot be deleted', async () => {
    const { legalEntity } = await makeHousehold(admin);
    const id = await makeRecord(admin, 'custodians', { name: 'Bank Busy' });
    const account = await makeRecord(admin, 'accounts', { entity_id: legalEntity, currency: 'CHF', custodian_id: id });
    expect(reportedRefusal(await admin.delete(`/v1/custodians/${id}`))).toEqual({
      status: 409,
      code: 'custodian-in-use',
      detail: 'The custodian cannot be deleted while these remain: 1 account.',
      pointer: undefined,
    });
    await admin.patch(`/v1/accounts/${account}`, { custodian_id: null });
    expect((await admin.delete(`/v1/custodians/${id}`)).status).toBe(204);
  });

  test.each(['/api/v2/custodians', '/v2/custodians'])('%s is not served', async (path) => {
    expect(reportedRefusal(await admin.get(path))).toMatchObject({ status: 404, code: 'path-not-found' });
  });
});

describe('its name', () => {
  test('is required, and unknown fields are refused', async () => {
    expect(faultsOf(await admin.post('/v1/custodians', {}))).toEqual(missingFaults('/name'));
    const reply = await admin.post('/v1/custodians', { name: 'X', client_id: unknownId, folded_name: 'x' });
    expect(faultsOf(reply)).toEqual(
      ['client_id', 'folded_name'].map((name) => unknownField('field', name, `/${name}`)),
    );
  });

  test.each([
    ['the same letters', 'Crédit Vaudois', 'Crédit Vaudois'],
    ['letters of another case', 'Bank Möwe', 'BANK MÖWE'],
    ['letters composed another way', 'Banque Gen\u00e8ve', 'Banque Gene\u0300ve'],
    ['letters of another width', 'Bank 7', '\uff22\uff21\uff2e\uff2b \uff17'],
  ])('is taken by %s', async (_what, name, same) => {
    const id = await makeRecord(admin, 'custodians', { name });
    const other = await makeRecord(admin, 'custodians', { name: `${name} (other)` });
    expect(reportedRefusal(await admin.post('/v1/custodians', { name: same }))).toEqual(taken);
    expect(reportedRefusal(await admin.patch(`/v1/custodians/${other}`, { name: same }))).toEqual(taken);
    expect((await admin.get(`/v1/custodians/${id}`)).body.name).toBe(name);
    expect((await admin.get(`/v1/custodians/${other}`)).body.name).toBe(`${name} (other)`);
  });

  test('may change the case of its own letters', async () => {
    const id = await makeRecord(admin, 'custodians', { name: 'bank klein' });
    const reply = await admin.patch(`/v1/custodians/${id}`, { name: 'Bank KLEIN' });
    expect([reply.status, reply.body]).toEqual([200, { id, name: 'Bank KLEIN', ...unset, created_at: testNow }]);
  });

  test('given up is free for another', async () => {
    const id = await makeRecord(admin, 'custodians', { name: 'Bank First' });
    await admin.patch(`/v1/custodians/${id}`, { name: 'Bank Second' });
    expect((await admin.post('/v1/custodians', { name: 'bank first' })).status).toBe(201);
  });

  test('is free in every workspace', async () => {
    await makeRecord(admin, 'custodians', { name: 'Bank Everywhere' });
    const stranger = await service.openWorkspace();
    expect((await stranger.post('/v1/custodians', { name: 'Bank Everywhere' })).status).toBe(201);
  });

  test('of ten that take it at the same time one has it', async () => {
    const cases = ['Bank Race', 'bank race', 'BANK RACE'];
    const taking = Array.from(
      { length: 10 },
      (_, index) => () => admin.post('/v1/custodians', { name: cases[index % cases.length] }),
    );
    const lockHold = { database: service.database, lock: 'LOCK TABLE audit_entry IN SHARE MODE', waiting: 8 };
    const replies = await sendBehindLock(lockHold, taking);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  });
});
