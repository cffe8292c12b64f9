// Administrators of a workspace as callers: all clients and all rights of one workspace in one environment, for as long as they have the role.

import { beforeAll, describe, expect, test } from 'vitest';
import { registerRsa } from '../../setup/access/assertion.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import {
  callerForUser,
  insertAdministrator,
  insertMembership,
  insertPerson,
  requestUserToken,
  signIn,
} from '../../setup/people/person-caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let client: string;
let entity: string;

beforeAll(async () => {
  client = await service.admin.makeClient('Client');
  entity = await makeRecord(service.admin, 'reporting-entities', { client_id: client, name: 'Entity' });
});

const removeRole = (id: string) =>
  runSql(service.database, 'DELETE FROM workspace_administrator WHERE person_id = $1', [id]);

describe('an administrator without a membership', () => {
  test('is signed in with all rights, and GET /v1/me says so', async () => {
    const signedIn = await signIn(service, await insertAdministrator(service));
    const { body } = await signedIn.get('/v1/me');
    expect(body).toMatchObject({ rights: ['read', 'write', 'admin'], scoped_to: null });
    expect(body.user).toMatchObject({ name: 'Ada Ministrator', workspace_administrator: true, memberships: [] });
  });

  test('reads and writes every client, also where no role of a client is enough', async () => {
    const signedIn = await signIn(service, await insertAdministrator(service));
    expect((await signedIn.get(`/v1/reporting-entities/${entity}`)).status).toBe(200);
    for (const path of ['/v1/applications', '/v1/webhooks', '/v1/audit-log', '/v1/diagnostics', '/v1/imports'])
      expect([path, (await signedIn.get(path)).status]).toEqual([path, 200]);
    const made = await signedIn.post('/v1/clients', { name: 'Made by a person' });
    expect(made.status).toBe(201);
    expect((await service.admin.get(`/v1/clients/${made.body.id}`)).status).toBe(200);
    const { body } = await service.admin.get(`/v1/audit-log?subject_id=${made.body.id}`);
    expect(body.data[0]).toMatchObject({ act: 'create', credential_id: null });
  });

  test('loses everything with the next request once the role is taken away', async () => {
    const id = await insertAdministrator(service);
    const [signedIn, delegated] = [await signIn(service, id), await callerForUser(service, id)];
    expect((await delegated.get('/v1/clients')).status).toBe(200);
    await removeRole(id);
    expect((await signedIn.get('/v1/clients')).status).toBe(401);
    expect(errorCodeOf(await delegated.get('/v1/clients'))).toBe('token-revoked');
  });

  test('has no access before the link was used', async () => {
    const id = await insertAdministrator(service);
    const signedIn = await signIn(service, id);
    await runSql(service.database, 'UPDATE workspace_administrator SET joined_at = NULL WHERE person_id = $1', [id]);
    expect((await signedIn.get('/v1/me')).status).toBe(401);
  });
});

describe('an administrator who is also a viewer of a client', () => {
  test('is not held to that role, and keeps it when the other is taken away', async () => {
    const id = await insertAdministrator(service);
    await insertMembership(service, id, { client, role: 'viewer', grants: [entity] });
    const signedIn = await signIn(service, id);
    expect((await signedIn.get(`/v1/lots?reporting_entity_id=${entity}`)).status).toBe(200);
    expect((await signedIn.get('/v1/me')).body.user.memberships).toEqual([{ client_id: client, role: 'viewer' }]);
    await removeRole(id);
    expect((await signedIn.get('/v1/me')).body.user.workspace_administrator).toBe(false);
    expect(errorCodeOf(await signedIn.get(`/v1/lots?reporting_entity_id=${entity}`))).toBe('right-missing');
    expect(errorCodeOf(await signedIn.get('/v1/applications'))).toBe('right-missing');
  });

  test('stays an administrator when the last client removes them', async () => {
    const id = await insertAdministrator(service);
    await insertMembership(service, id, { client, role: 'viewer' });
    const signedIn = await signIn(service, id);
    expect((await service.admin.delete(`/v1/users/${id}`)).status).toBe(204);
    expect((await signedIn.get('/v1/me')).body.user).toMatchObject({ workspace_administrator: true, memberships: [] });
  });
});

describe('the walls', () => {
  test('another workspace and the sandbox show nothing', async () => {
    const signedIn = await signIn(service, await insertAdministrator(service));
    const others = [
      await service.openWorkspace(),
      await service.admin.becomeApplication({ rights: ['read', 'write', 'admin'], environment: 'sandbox' }),
    ];
    for (const other of others) {
      const foreign = await other.makeClient('Elsewhere');
      expect((await signedIn.get(`/v1/clients/${foreign}`)).status).toBe(404);
      expect((await signedIn.patch(`/v1/clients/${foreign}`, { name: 'Taken' })).status).toBe(404);
      const { body } = await signedIn.get('/v1/clients?limit=100');
      expect(body.data.map(({ id }: { id: string }) => id)).not.toContain(foreign);
    }
  });

  test('a key that acts for an administrator gives no more than its own rights and clients', async () => {
    const id = await insertAdministrator(service);
    const reading = await registerRsa(service.admin, undefined, { rights: ['read'] });
    const reader = await callerForUser(service, id, reading);
    expect((await reader.get('/v1/clients')).status).toBe(200);
    expect(errorCodeOf(await reader.post('/v1/clients', { name: 'Not allowed' }))).toBe('right-missing');
    const bound = await registerRsa(service.admin, undefined, { rights: ['read', 'admin'], scoped_to: client });
    expect((await requestUserToken(service, bound, id)).body.error).toBe('invalid_grant');
    await insertMembership(service, id, { client, role: 'viewer' });
    const within = await callerForUser(service, id, bound);
    expect((await within.get('/v1/me')).body.user.workspace_administrator).toBe(false);
    expect(errorCodeOf(await within.get('/v1/applications'))).toBe('right-missing');
  });

  test('the administrator of a client is none of the workspace', async () => {
    const id = await insertPerson(service, { memberships: [{ client, role: 'admin', grants: [entity] }] });
    const signedIn = await signIn(service, id);
    expect((await signedIn.get('/v1/me')).body.user.workspace_administrator).toBe(false);
    expect(errorCodeOf(await signedIn.get('/v1/applications'))).toBe('right-missing');
  });
});
