// Nobody hands on more than they have: roles, grants and addresses of users, rights of applications and keys, and what a deleted
// credential leaves behind.

import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { makeInvite, makeMember, makeUser, newEmail } from '../../setup/people/members.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';
import { changeDocument, makeRecord, newDocument, toMany } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let admin: Caller;
let client = '';
let entity = '';
let writer: Caller & { id: string };
let readerAndWriter: Caller & { id: string };
let workspaceWriter: Caller & { id: string };

beforeAll(async () => {
  ({ admin } = service);
  client = await admin.makeClient('Lindqvist');
  entity = await makeRecord(admin, 'reporting-entities', { name: 'Household', client_id: client });
});

beforeEach(async () => {
  writer = await admin.becomeApplication({ rights: ['write'], scoped_to: client });
  readerAndWriter = await admin.becomeApplication({ rights: ['read', 'write'], scoped_to: client });
  workspaceWriter = await admin.becomeApplication({ rights: ['read', 'write'] });
});

const names = { first_name: 'Astrid', last_name: 'Lindqvist' };
const newUser = (fields: object = {}): object => ({ client_id: client, email: newEmail(), ...names, ...fields });

function missing(right: string): object {
  return { status: 403, body: { code: 'right-missing', detail: expect.stringContaining(`\`${right}\``) } };
}

describe('a role above viewer takes the right admin', () => {
  test.each(['advisor', 'admin'])('to add somebody as %s, on v1 and on Plain', async (role) => {
    for (const caller of [writer, readerAndWriter, workspaceWriter]) {
      expect(await caller.post('/v1/users', newUser({ role }))).toMatchObject(missing('admin'));
      const plain = { email: newEmail(), name: 'Astrid Lindqvist', role };
      expect((await caller.post(`/v2/clients/${client}/users`, plain)).status).toBe(403);
    }
    expect((await admin.post('/v1/users', newUser({ role }))).status).toBe(201);
  });

  test('and a viewer is added without it', async () => {
    expect((await writer.post('/v1/users', newUser())).body.role).toBe('viewer');
    expect((await writer.post('/v1/users', newUser({ role: 'viewer' }))).body.role).toBe('viewer');
    const plain = { email: newEmail(), name: 'Astrid Lindqvist', role: 'viewer' };
    expect((await writer.post(`/v2/clients/${client}/users`, plain)).status).toBe(201);
  });

  test('to give it, and to take it away', async () => {
    const viewer = await makeUser(admin, client);
    const advisor = await makeUser(admin, client, { role: 'advisor' });
    expect(await writer.patch(`/v1/users/${viewer}`, { role: 'admin' })).toMatchObject(missing('admin'));
    expect(await writer.patch(`/v1/users/${advisor}`, { role: 'viewer' })).toMatchObject(missing('admin'));
    expect((await writer.patch(`/v1/users/${advisor}`, { role: 'advisor', first_name: 'A.' })).status).toBe(200);
    expect((await admin.patch(`/v1/users/${advisor}`, { role: 'viewer' })).body.role).toBe('viewer');
  });

  test('to delete somebody who has it', async () => {
    const viewer = await makeUser(admin, client);
    const other = await makeUser(admin, client, { role: 'admin' });
    expect(await writer.delete(`/v1/users/${other}`)).toMatchObject(missing('admin'));
    expect((await writer.delete(`/api/v2/users/${other}`)).status).toBe(403);
    expect((await admin.get(`/v1/users/${other}`)).status).toBe(200);
    expect((await writer.delete(`/v1/users/${viewer}`)).status).toBe(204);
  });

  test('to invite somebody with another role than they have', async () => {
    const viewer = await makeUser(admin, client);
    const advisor = await makeUser(admin, client, { role: 'advisor' });
    const raising = { user_id: viewer, role: 'advisor' };
    expect(await writer.post('/v1/invites', raising)).toMatchObject(missing('admin'));
    expect((await writer.post('/v1/invites', { user_id: viewer })).body.role).toBe('viewer');
    expect((await writer.post('/v1/invites', { user_id: advisor })).body.role).toBe('advisor');
    expect((await writer.post('/v1/invites', { user_id: advisor, role: 'viewer' })).body.role).toBe('viewer');
  });
});

describe('a grant takes the right to read', () => {
  test('with the addition of a user', async () => {
    const body = newUser({ reporting_entity_ids: [entity] });
    expect(await writer.post('/v1/users', body)).toMatchObject(missing('read'));
    const document = newDocument(
      'user',
      { contactEmail: newEmail(), firstName: 'Astrid', lastName: 'Lindqvist' },
      { readAccessToReportingEntities: toMany('reporting-entity', [entity]) },
    );
    expect((await writer.post(`/api/v2/clients/${client}/users`, document)).status).toBe(403);
    expect((await readerAndWriter.post('/v1/users', body)).body.reporting_entity_ids).toEqual([entity]);
  });

  test('with a change; to take one away does not', async () => {
    const user = await makeUser(admin, client);
    const path = `/v1/users/${user}`;
    expect(await writer.patch(path, { reporting_entity_ids: [entity] })).toMatchObject(missing('read'));
    const relationships = { readAccessToReportingEntities: toMany('reporting-entity', [entity]) };
    const document = changeDocument('user', user, { relationships });
    expect((await writer.patch(`/api/v2/users/${user}`, document)).status).toBe(403);
    expect((await readerAndWriter.patch(path, { reporting_entity_ids: [entity] })).status).toBe(200);
    expect((await writer.patch(path, { reporting_entity_ids: [entity], first_name: 'A.' })).status).toBe(200);
    expect((await writer.patch(path, { reporting_entity_ids: [] })).status).toBe(200);
  });
});

describe('whoever changes an address can become the user', () => {
  test('so it takes what the user has', async () => {
    const blind = await admin.becomeApplication({ rights: ['write'] });
    const advisor = await makeUser(admin, client, { role: 'advisor' });
    const reader = await makeUser(admin, client, { reporting_entity_ids: [entity] });
    const disabled = await makeUser(admin, client);
    await admin.send(`/v1/users/${disabled}/disable`, { method: 'POST' });
    const change = (caller: Caller, user: string) => caller.patch(`/v1/users/${user}`, { email: newEmail() });
    expect(await change(workspaceWriter, advisor)).toMatchObject(missing('admin'));
    expect(await change(workspaceWriter, disabled)).toMatchObject(missing('admin'));
    expect(await change(blind, reader)).toMatchObject(missing('read'));
    expect((await change(workspaceWriter, reader)).status).toBe(200);
    expect((await change(blind, await makeUser(admin, client))).status).toBe(200);
    expect((await change(admin, advisor)).status).toBe(200);
  });
});

describe('an application or key', () => {
  test.each([
    ['/v1/applications', { name: 'Made' }],
    ['/v1/applications', { name: 'Made', rights: ['read'] }],
    ['/v1/applications', { name: 'Made', rights: ['admin', 'write'] }],
  ])('gets no right that its creator lacks: %s %j', async (path, body) => {
    const manager = await admin.becomeApplication({ rights: ['admin'] });
    expect(await manager.post(path, body)).toMatchObject({ status: 403, body: { code: 'right-missing' } });
    expect((await admin.post(path, body)).status).toBe(201);
    expect((await manager.post(path, { name: 'Made', rights: ['admin'] })).status).toBe(201);
  });
});

describe('disabled', () => {
  const statusOf = async (id: string): Promise<string> => (await admin.get(`/v1/users/${id}`)).body.status;

  test('is not undone by deleting and adding again, with whatever capital letters', async () => {
    const email = newEmail();
    const id = await makeMember(service, client, { email });
    await admin.send(`/v1/users/${id}/disable`, { method: 'POST' });
    for (const written of [email, email.toUpperCase()]) {
      expect((await writer.delete(`/v1/users/${id}`)).status).toBe(204);
      const added = await writer.post('/v1/users', newUser({ email: written }));
      expect([added.status, added.body.status]).toEqual([201, 'disabled']);
      const invite = await writer.post('/v1/invites', { user_id: id });
      expect([invite.status, invite.body.code]).toEqual([409, 'user-disabled']);
    }
    expect((await admin.send(`/v1/users/${id}/enable`, { method: 'POST' })).body.status).toBe('invited');
    await admin.delete(`/v1/users/${id}`);
    expect((await admin.post('/v1/users', newUser({ email }))).body.status).toBe('invited');
  });

  test('holds at the client where it was said, and nowhere else', async () => {
    const email = newEmail();
    const other = await admin.makeClient('Elsewhere');
    const id = await makeUser(admin, client, { email });
    await admin.send(`/v1/users/${id}/disable`, { method: 'POST' });
    await admin.delete(`/v1/users/${id}`);
    expect((await admin.post('/v1/users', newUser({ email, client_id: other }))).body.status).toBe('invited');
    const { memberships } = (await admin.post('/v1/users', newUser({ email }))).body;
    expect(memberships.map((one: any) => [one.client_id, one.status])).toEqual([
      [client, 'disabled'],
      [other, 'invited'],
    ]);
  });

  test('is not undone by giving the address to somebody else', async () => {
    const email = newEmail();
    const id = await makeUser(admin, client, { email });
    await admin.send(`/v1/users/${id}/disable`, { method: 'POST' });
    await admin.delete(`/v1/users/${id}`);
    const [other, bystander, calm] = [
      await makeUser(admin, client),
      await makeUser(admin, client),
      await makeUser(admin, client),
    ];
    expect((await workspaceWriter.patch(`/v1/users/${other}`, { email })).body.status).toBe('disabled');
    expect([await statusOf(other), await statusOf(bystander)]).toEqual(['disabled', 'invited']);
    const free = newEmail();
    await admin.delete(`/v1/users/${await makeUser(admin, client, { email: free })}`);
    expect((await workspaceWriter.patch(`/v1/users/${calm}`, { email: free })).body.status).toBe('invited');
    await admin.delete(`/v1/users/${other}`);
    expect((await admin.post('/v1/users', newUser({ email }))).body.status).toBe('disabled');
  });
});

describe('what a credential made', () => {
  async function listInEffect(credential: string, query = ''): Promise<string[]> {
    const path = `/v1/audit-log?credential_id=${credential}&in_effect=true&limit=100${query}`;
    const { body } = await admin.get(path);
    return body.data.map((line: any) => `${line.act} ${line.subject_type} ${line.subject_id}`).toReversed();
  }

  test('is listed for review while it is in effect, also when the credential was deleted', async () => {
    const maker = await admin.becomeApplication({ rights: ['read', 'write', 'admin'] });
    const [stays, goes, changed] = [
      await makeUser(maker, client),
      await makeUser(maker, client),
      await makeUser(admin, client),
    ];
    const granted = await makeUser(admin, client);
    const [invite, cancelled] = [await makeInvite(maker, stays), await makeInvite(maker, changed)];
    await maker.patch(`/v1/users/${changed}`, { role: 'advisor' });
    await maker.patch(`/v1/users/${granted}`, { reporting_entity_ids: [entity] });
    await maker.patch(`/v1/users/${granted}`, { first_name: 'Renamed' });
    const application = (await maker.post('/v1/applications', { name: 'Made' })).body.id;
    const webhook = { url: 'https://x.example/hook', events: ['transaction.created'] };
    const hook = (await maker.post('/v1/webhooks', webhook)).body.id;
    await maker.post('/v1/clients', { name: 'No access' });
    await maker.delete(`/v1/users/${goes}`);
    await maker.send(`/v1/invites/${cancelled}/cancellation`, { method: 'POST' });
    const expected = [
      `create user ${stays}`,
      `create invite ${invite}`,
      `change user ${changed}`,
      `change user ${granted}`,
      `create application ${application}`,
      `create webhook ${hook}`,
    ];
    expect(await listInEffect(maker.id)).toEqual(expected);
    expect((await admin.delete(`/v1/applications/${maker.id}`)).status).toBe(204);
    expect(await listInEffect(maker.id)).toEqual(expected);
    expect(await listInEffect(maker.id, '&subject_type=webhook')).toEqual([`create webhook ${hook}`]);
    const [deletion] = (await admin.get(`/v1/audit-log?subject_id=${maker.id}&act=delete`)).body.data;
    expect(deletion.before.still_in_effect).toEqual({ user: 3, invite: 1, application: 1, webhook: 1 });
    await admin.patch(`/v1/users/${changed}`, { role: 'viewer' });
    await admin.patch(`/v1/users/${granted}`, { reporting_entity_ids: [] });
    await admin.delete(`/v1/users/${stays}`);
    await admin.delete(`/v1/applications/${application}`);
    await admin.delete(`/v1/webhooks/${hook}`);
    expect(await listInEffect(maker.id)).toEqual([]);
  });
});
