// Users on the three wires: one login per address, a membership at each client, and each caller sees only its own clients.

import { beforeAll, describe, expect, test } from 'vitest';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { makeInvite, makeMember, makeUser, newEmail, unknownUuid, uuidPattern } from '../../setup/people/members.ts';
import { listOrphans, runInLockOrder } from '../../setup/database/race.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import {
  immutableFaults,
  changeDocument,
  faultsOf,
  makeRecord,
  newDocument,
  testNow,
  toMany,
} from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let baseUrl: string;
/** Two unrelated clients, each with a reporting entity and a token bound to it. */
let [firstClient, secondClient] = ['', ''];
let [firstEntity, secondEntity] = ['', ''];
let scopedToFirst: Caller;
let scopedToSecond: Caller;

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
  firstClient = await admin.makeClient('Here');
  secondClient = await admin.makeClient('There');
  firstEntity = await makeRecord(admin, 'reporting-entities', { name: 'Here', client_id: firstClient });
  secondEntity = await makeRecord(admin, 'reporting-entities', { name: 'There', client_id: secondClient });
  scopedToFirst = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: firstClient });
  scopedToSecond = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: secondClient });
});

const names = { first_name: 'Astrid', last_name: 'Lindqvist' };

function expectedUser(id: string, email: string, more: object = {}): object {
  return {
    id,
    email,
    ...names,
    name: 'Astrid Lindqvist',
    status: 'invited',
    role: 'viewer',
    memberships: [{ client_id: firstClient, role: 'viewer', status: 'invited', joined_at: null }],
    created_at: testNow,
    client_id: firstClient,
    reporting_entity_ids: [],
    ...more,
  };
}

describe('on v1', () => {
  test('a person is added to a client, as a viewer who may read nothing yet', async () => {
    const email = newEmail();
    const made = await admin.post('/v1/users', { client_id: firstClient, email, ...names });
    const { id } = made.body;
    expect(id).toMatch(uuidPattern);
    expect([made.status, made.headers.get('location')]).toEqual([201, `${baseUrl}/v1/users/${id}`]);
    expect(made.body).toEqual(expectedUser(id, email));
    const read = await admin.get(`/v1/users/${id}`);
    expect([read.text, read.headers.get('etag')]).toEqual([made.text, made.headers.get('etag')]);
    expect((await runSql(service.database, 'SELECT FROM invite WHERE person_id = $1', [id])).length).toBe(0);
  });

  test('names, role and readable entities can be changed; an unchanged value adds no audit log entry', async () => {
    const email = newEmail();
    const id = await makeUser(admin, firstClient, { email, ...names });
    const changed = { ...names, last_name: 'Berg', role: 'advisor', reporting_entity_ids: [firstEntity] };
    const reply = await admin.patch(`/v1/users/${id}`, changed);
    const memberships = [{ client_id: firstClient, role: 'advisor', status: 'invited', joined_at: null }];
    const expected = expectedUser(id, email, { ...changed, name: 'Astrid Berg', memberships });
    expect([reply.status, reply.body]).toEqual([200, expected]);
    const lines = await countAuditEntries(service.database);
    expect((await admin.patch(`/v1/users/${id}`, expected)).body).toEqual(expected);
    expect(await countAuditEntries(service.database)).toBe(lines);
    expect((await admin.patch(`/v1/users/${id}`, { reporting_entity_ids: [] })).body.reporting_entity_ids).toEqual([]);
  });

  test.each([
    ['name', 'Somebody Else'],
    ['status', 'disabled'],
    ['created_at', '2020-01-01T00:00:00Z'],
    ['memberships', []],
  ])('%s cannot be set', async (field, value) => {
    const id = await makeUser(admin, firstClient);
    expect(faultsOf(await admin.patch(`/v1/users/${id}`, { [field]: value }))).toEqual(immutableFaults(`/${field}`));
  });

  test('the first client of a user cannot be changed', async () => {
    const id = await makeUser(admin, firstClient);
    const reply = await admin.patch(`/v1/users/${id}`, { client_id: secondClient });
    expect(faultsOf(reply)).toEqual(immutableFaults('/client_id'));
  });

  test.each([
    'nobody',
    'a@b',
    'a b@example.com',
    'a@@example.com',
    '.a@example.com',
    'a@-x.example',
    'a@example.com\n',
  ])('%j is not an email address', async (email) => {
    const reply = await admin.post('/v1/users', { client_id: firstClient, email, ...names });
    expect(reportedRefusal(reply)).toMatchObject({ status: 422, pointer: '/email' });
  });

  test('a change with an outdated entity tag is refused', async () => {
    const id = await makeUser(admin, firstClient);
    const etag = (await admin.get(`/v1/users/${id}`)).headers.get('etag')!;
    expect((await admin.patch(`/v1/users/${id}`, { first_name: 'A' }, { 'if-match': etag })).status).toBe(200);
    expect((await admin.patch(`/v1/users/${id}`, { first_name: 'B' }, { 'if-match': etag })).status).toBe(412);
    expect((await admin.delete(`/v1/users/${id}`, { 'if-match': etag })).status).toBe(412);
  });

  test('a creation that is sent twice with one key happens once', async () => {
    const body = { client_id: firstClient, email: newEmail(), ...names };
    const first = await admin.post('/v1/users', body, { 'idempotency-key': 'add once' });
    const second = await admin.post('/v1/users', body, { 'idempotency-key': 'add once' });
    expect([second.status, second.text]).toEqual([201, first.text]);
  });
});

describe('on JSON:API', () => {
  const attributes = (contactEmail: string) => ({ contactEmail, firstName: 'Astrid', lastName: 'Lindqvist' });

  function resourceObject(id: string, contactEmail: string, entities: readonly string[] = []): object {
    const relationships = { readAccessToReportingEntities: toMany('reporting-entity', entities) };
    return { type: 'user', id, attributes: attributes(contactEmail), relationships };
  }

  test('a user is created below a client, read, changed and deleted; grants are replaced as a whole', async () => {
    const email = newEmail();
    const other = await makeRecord(admin, 'reporting-entities', { name: 'Another', client_id: firstClient });
    const granted = { readAccessToReportingEntities: toMany('reporting-entity', [firstEntity]) };
    const made = await admin.post(
      `/api/v2/clients/${firstClient}/users`,
      newDocument('user', attributes(email), granted),
    );
    const { id } = made.body.data;
    expect([made.status, made.headers.get('location')]).toEqual([
      201,
      `${service.addresses.legacyUrl}/api/v2/users/${id}`,
    ]);
    expect(made.body).toEqual({ data: resourceObject(id, email, [firstEntity]) });
    expect((await admin.get(`/api/v2/users/${id}`)).body).toEqual(made.body);
    const { data } = (await admin.get(`/api/v2/clients/${firstClient}/users`)).body;
    expect(data).toContainEqual(resourceObject(id, email, [firstEntity]));
    const replaced = { readAccessToReportingEntities: toMany('reporting-entity', [other]) };
    const changed = await admin.patch(`/api/v2/users/${id}`, changeDocument('user', id, { relationships: replaced }));
    expect(changed.body).toEqual({ data: resourceObject(id, email, [other]) });
    expect((await admin.delete(`/api/v2/users/${id}`)).status).toBe(204);
    expect((await admin.get(`/api/v2/users/${id}`)).status).toBe(404);
    expect((await admin.delete(`/api/v2/users/${id}`)).status).toBe(404);
  });

  test('it creates viewers, and sends no invite', async () => {
    const document = newDocument('user', attributes(newEmail()));
    const { id } = (await admin.post(`/api/v2/clients/${firstClient}/users`, document)).body.data;
    expect((await admin.get(`/v1/users/${id}`)).body.role).toBe('viewer');
    expect((await admin.get(`/api/v2/users/${id}/invites`)).body).toEqual({ data: [] });
  });

  test('the users of a client are listed before they have signed in, in the order in which they were added', async () => {
    const client = await admin.makeClient('With three');
    const ids: string[] = [];
    for (let index = 0; index < 3; index++) {
      service.clock.advance(1);
      ids.push(await makeUser(admin, client));
    }
    const { data } = (await admin.get(`/api/v2/clients/${client}/users`)).body;
    expect(data.map(({ id }: { id: string }) => id)).toEqual(ids);
  });
});

describe('on Plain', () => {
  test('a person is added with one name and a role, and is invited', async () => {
    const email = newEmail();
    const reply = await admin.post(`/v2/clients/${firstClient}/users`, {
      email,
      name: 'Ludwig van Beethoven',
      role: 'advisor',
    });
    const { user_id: user } = reply.body;
    expect([reply.status, reply.headers.get('location')]).toEqual([201, null]);
    const createdAt = service.clock.now();
    expect(reply.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      user_id: expect.stringMatching(uuidPattern),
      role: 'advisor',
      expires_at: new Date(createdAt + 7 * 24 * 3_600_000).toISOString(),
      cancelled_at: null,
      client_id: firstClient,
    });
    const { data } = (await admin.get(`/v2/clients/${firstClient}/users`)).body;
    expect(data.at(-1)).toEqual({
      id: user,
      email,
      name: 'Ludwig van Beethoven',
      status: 'invited',
      created_at: new Date(createdAt).toISOString(),
    });
    const shown = (await admin.get(`/v1/users/${user}`)).body;
    expect([shown.first_name, shown.last_name, shown.role]).toEqual(['Ludwig van', 'Beethoven', 'advisor']);
  });

  test('the same address at two clients is one user with two invites', async () => {
    const email = newEmail();
    const one = await admin.post(`/v2/clients/${firstClient}/users`, { email, name: 'Plato', role: 'viewer' });
    const other = await admin.post(`/v2/clients/${secondClient}/users`, { email: email.toUpperCase(), name: 'Plato' });
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(other.body.user_id).toBe(one.body.user_id);
    const { data } = (await admin.get(`/v1/invites?user_id=${one.body.user_id}`)).body;
    expect(data.map(({ client_id: client, state }: any) => [client, state])).toEqual([
      [firstClient, 'pending'],
      [secondClient, 'pending'],
    ]);
  });
});

describe('a known address', () => {
  test('at the same client it is refused, naming the user, in any letter case', async () => {
    const email = newEmail();
    const id = await makeUser(admin, firstClient, { email });
    const body = { client_id: firstClient, email: email.toUpperCase(), ...names };
    expect(reportedRefusal(await admin.post('/v1/users', body))).toEqual({
      status: 409,
      code: 'user-exists',
      detail: `The user ${id} is already a member of this client.`,
      pointer: undefined,
    });
  });

  test('addresses that differ in dots or after a plus are different', async () => {
    const ids = await Promise.all(
      ['dot.ted@a.example', 'dotted@a.example', 'dotted+x@a.example'].map((email) =>
        makeUser(admin, firstClient, { email }),
      ),
    );
    expect(new Set(ids).size).toBe(3);
  });

  test('at another client it is the same user, and neither client learns of the other', async () => {
    const email = newEmail();
    const fresh = newEmail();
    const first = await scopedToFirst.post('/v1/users', { client_id: firstClient, email, ...names, role: 'advisor' });
    const second = await scopedToSecond.post('/v1/users', {
      client_id: secondClient,
      email,
      first_name: 'A.',
      last_name: 'L.',
    });
    const unknown = await scopedToSecond.post('/v1/users', { client_id: secondClient, email: fresh, ...names });
    expect(second.body.id).toBe(first.body.id);
    expect([second.status, Object.keys(second.body)]).toEqual([201, Object.keys(unknown.body)]);
    expect(second.body).toMatchObject({ first_name: 'A.', role: 'viewer', client_id: secondClient });
    expect(second.body.memberships).toEqual([
      { client_id: secondClient, role: 'viewer', status: 'invited', joined_at: null },
    ]);
    expect((await scopedToFirst.get(`/v1/users/${first.body.id}`)).text).toBe(first.text);
    const whole = (await admin.get(`/v1/users/${first.body.id}`)).body;
    expect(whole.memberships.map((one: any) => one.client_id)).toEqual([firstClient, secondClient]);
    expect(whole).toMatchObject({ first_name: 'Astrid', role: 'advisor', client_id: firstClient });
  });

  test('an id reveals when the environment was created, not when the address became known', async () => {
    const text = 'SELECT created_at FROM environment WHERE workspace_id = $1';
    const [environment] = await runSql<{ created_at: Date }>(service.database, text, [service.first.workspaceId]);
    service.clock.advance(1_000);
    const id = await makeUser(scopedToFirst, firstClient);
    expect(parseInt(id.replace('-', '').slice(0, 12), 16)).toBe(environment!.created_at.getTime());
  });

  test('ten concurrent requests with the same new address create one user', async () => {
    const clients = await Promise.all(Array.from({ length: 10 }, (_, index) => admin.makeClient(`At once ${index}`)));
    const email = newEmail();
    const ids = await Promise.all(clients.map((client) => makeUser(admin, client, { email })));
    expect(new Set(ids).size).toBe(1);
    expect((await admin.get(`/v1/users/${ids[0]}`)).body.memberships).toHaveLength(10);
    expect((await runSql(service.database, 'SELECT FROM person WHERE contact_email = $1', [email])).length).toBe(1);
    // All lines can be opened with the one key that is stored.
    const { data } = (await admin.get(`/v1/audit-log?limit=100&subject_id=${ids[0]}`)).body;
    expect(data.map(({ after }: any) => after.email)).toEqual(Array(10).fill(email));
  });

  test('of ten concurrent requests to add it to the same client one succeeds', async () => {
    const body = { client_id: firstClient, email: newEmail(), ...names };
    const replies = await Promise.all(Array.from({ length: 10 }, () => admin.post('/v1/users', body)));
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, ...Array(9).fill(409)]);
  });
});

describe('scope of changes', () => {
  async function inBoth(): Promise<string> {
    const email = newEmail();
    const id = await makeUser(admin, firstClient, { email, role: 'viewer', reporting_entity_ids: [firstEntity] });
    await makeUser(admin, secondClient, { email, role: 'admin', reporting_entity_ids: [secondEntity] });
    return id;
  }

  test('a token bound to a client changes only the membership of that client', async () => {
    const id = await inBoth();
    const reply = await scopedToFirst.patch(`/v1/users/${id}`, {
      first_name: 'Changed',
      role: 'advisor',
      reporting_entity_ids: [],
    });
    expect(reply.body).toMatchObject({ first_name: 'Changed', role: 'advisor', reporting_entity_ids: [] });
    expect((await scopedToSecond.get(`/v1/users/${id}`)).body).toMatchObject({
      first_name: 'Some',
      role: 'admin',
      reporting_entity_ids: [secondEntity],
    });
  });

  test('a token of the workspace changes all memberships, also those that differ from what is shown', async () => {
    const id = await inBoth();
    const reply = await admin.patch(`/v1/users/${id}`, { role: 'viewer' });
    expect(reply.body.memberships.map((one: any) => one.role)).toEqual(['viewer', 'viewer']);
    expect(reply.body.reporting_entity_ids.toSorted()).toEqual([firstEntity, secondEntity].toSorted());
  });

  test('readable entities must belong to visible clients of which the user is a member', async () => {
    const id = await makeUser(admin, firstClient);
    const asAdmin = await admin.patch(`/v1/users/${id}`, { reporting_entity_ids: [firstEntity, secondEntity] });
    expect(reportedRefusal(asAdmin)).toEqual({
      status: 422,
      code: 'different-client',
      detail: 'The reporting entity belongs to another client than the user.',
      pointer: '/reporting_entity_ids/1',
    });
    const asBound = await scopedToFirst.patch(`/v1/users/${id}`, { reporting_entity_ids: [secondEntity] });
    expect(reportedRefusal(asBound)).toMatchObject({ status: 404, pointer: '/reporting_entity_ids/0' });
  });

  test('only tokens of the workspace can change the address: all others get the same refusal, wherever the user is known', async () => {
    const ids = [await makeUser(admin, firstClient), await inBoth()];
    const refused = await Promise.all(ids.map((id) => scopedToFirst.patch(`/v1/users/${id}`, { email: newEmail() })));
    for (const reply of refused) {
      expect(reportedRefusal(reply)).toMatchObject({ status: 403, code: 'outside-reach' });
      expect(reply.body.detail).toBe(refused[0]!.body.detail);
    }
    const email = newEmail();
    expect((await admin.patch(`/v1/users/${ids[0]}`, { email })).body.email).toBe(email);
    const taken = await admin.patch(`/v1/users/${ids[1]}`, { email: email.toUpperCase() });
    expect(reportedRefusal(taken)).toEqual({
      status: 409,
      code: 'address-taken',
      detail: `The address belongs to the user ${ids[0]}.`,
      pointer: '/email',
    });
  });

  test('a new address is that of this user alone, at every client', async () => {
    const ids = [await inBoth(), await makeUser(admin, firstClient), await makeUser(admin, secondClient)];
    const addressesFor = (caller: Caller): Promise<string[]> =>
      Promise.all(ids.map(async (id) => (await caller.get(`/v1/users/${id}`)).body.email));
    const callers = [admin, scopedToFirst, scopedToSecond];
    const before = await Promise.all(callers.map(addressesFor));
    const email = newEmail();
    await admin.patch(`/v1/users/${ids[0]}`, { email });
    const expected = before.map(([, ...others]) => [email, ...others]);
    expect(await Promise.all(callers.map(addressesFor))).toEqual(expected);
  });

  test('deleting removes the visible memberships, and with the last one the user', async () => {
    const id = await inBoth();
    const invites = [
      await makeInvite(admin, id, { client_id: firstClient }),
      await makeInvite(admin, id, { client_id: secondClient }),
    ];
    expect((await scopedToFirst.delete(`/v1/users/${id}`)).status).toBe(204);
    expect((await scopedToFirst.get(`/v1/users/${id}`)).status).toBe(404);
    const states = await Promise.all(invites.map(async (one) => (await admin.get(`/v1/invites/${one}`)).body.state));
    expect(states).toEqual(['cancelled', 'pending']);
    expect((await scopedToSecond.get(`/v1/users/${id}`)).status).toBe(200);
    expect((await scopedToSecond.delete(`/v1/users/${id}`)).status).toBe(204);
    const after = await Promise.all(invites.map(async (one) => (await admin.get(`/v1/invites/${one}`)).body.state));
    expect(after).toEqual(['cancelled', 'cancelled']);
    for (const table of ['person', 'membership', 'read_grant']) {
      const column = table === 'person' ? 'id' : 'person_id';
      const rows = await runSql(service.database, `SELECT FROM ${table} WHERE ${column} = $1`, [id]);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });

  test('two clients that delete the same user at once leave no user behind', async () => {
    const ids = await Promise.all(Array.from({ length: 5 }, inBoth));
    const replies = await Promise.all(
      ids.flatMap((id) => [scopedToFirst.delete(`/v1/users/${id}`), scopedToSecond.delete(`/v1/users/${id}`)]),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([204]));
    expect((await runSql(service.database, 'SELECT FROM person WHERE id = ANY ($1)', [ids])).length).toBe(0);
  });
});

describe('disabled and enabled', () => {
  test('an admin disables a user and enables them again; twice has the same result as once', async () => {
    const client = await admin.makeClient('Of a member');
    const id = await makeMember(service, client);
    const { body: before } = await admin.get(`/v1/users/${id}`);
    expect(before.status).toBe('active');
    for (let round = 0; round < 2; round++) {
      const disabled = await admin.send(`/v1/users/${id}/disable`, { method: 'POST' });
      expect([disabled.status, disabled.body.status, disabled.body.memberships[0].status]).toEqual([
        200,
        'disabled',
        'disabled',
      ]);
    }
    const enabled = await admin.send(`/v1/users/${id}/enable`, { method: 'POST' });
    expect(enabled.body).toEqual(before);
  });

  test('one who was removed is added again as disabled, and the answer, the record and the audit log say so', async () => {
    const email = newEmail();
    const client = await admin.makeClient('Of a former member');
    const id = await makeUser(admin, client, { email });
    await admin.send(`/v1/users/${id}/disable`, { method: 'POST' });
    await admin.delete(`/v1/users/${id}`);
    const { body: again } = await admin.post('/v1/users', { client_id: client, email, ...names });
    expect(again).toMatchObject({ id, status: 'disabled', memberships: [{ client_id: client, status: 'disabled' }] });
    expect((await admin.get(`/v1/users/${id}`)).body).toEqual(again);
    const [line] = (await admin.get(`/v1/audit-log?subject_id=${id}`)).body.data;
    expect(line).toMatchObject({ act: 'create', after: { email, status: 'disabled' } });
    const elsewhere = await admin.post('/v1/users', { client_id: secondClient, email, ...names });
    expect(elsewhere.body.memberships.map((one: any) => one.status).toSorted()).toEqual(['disabled', 'invited']);
    expect((await admin.get(`/v1/users/${id}`)).body).toEqual(elsewhere.body);
  });

  test('it requires the right admin', async () => {
    const id = await makeUser(admin, firstClient);
    const writer = await admin.becomeApplication({ rights: ['read', 'write'] });
    const reply = await writer.send(`/v1/users/${id}/disable`, { method: 'POST' });
    expect(reportedRefusal(reply)).toMatchObject({ status: 403, code: 'right-missing' });
  });

  test('at one of two clients it does not affect the other', async () => {
    const email = newEmail();
    const id = await makeUser(admin, firstClient, { email });
    await makeUser(admin, secondClient, { email });
    expect((await scopedToFirst.send(`/v1/users/${id}/disable`, { method: 'POST' })).body.status).toBe('disabled');
    expect((await scopedToSecond.get(`/v1/users/${id}`)).body.status).toBe('invited');
    const { body } = await admin.get(`/v1/users/${id}`);
    expect([body.status, body.memberships.map((one: any) => one.status)]).toEqual(['invited', ['disabled', 'invited']]);
  });
});

describe('lists of v1', () => {
  test('can be filtered by client, address, status and readable reporting entity', async () => {
    const client = await admin.makeClient('Of filters');
    const entity = await makeRecord(admin, 'reporting-entities', { name: 'X', client_id: client });
    const email = newEmail();
    const active = await makeMember(service, client, { email });
    const invited = await makeUser(admin, client, { reporting_entity_ids: [entity] });
    const disabled = await makeUser(admin, client);
    await admin.send(`/v1/users/${disabled}/disable`, { method: 'POST' });
    const found = async (query: string): Promise<string[]> =>
      (await admin.get(`/v1/users?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect((await found(`client_id=${client}`)).toSorted()).toEqual([active, invited, disabled].toSorted());
    expect(await found(`email=${encodeURIComponent(email.toUpperCase())}`)).toEqual([active]);
    expect(await found(`client_id=${client}&status=active`)).toEqual([active]);
    expect(await found(`client_id=${client}&status=invited`)).toEqual([invited]);
    expect(await found(`client_id=${client}&status=disabled`)).toEqual([disabled]);
    expect(await found(`reporting_entity_id=${entity}`)).toEqual([invited]);
  });

  test('have pages that contain each user once, in the order in which they were added', async () => {
    const client = await admin.makeClient('Of a walk');
    const ids: string[] = [];
    for (let index = 0; index < 7; index++) {
      if (index % 2 === 0) service.clock.advance(1);
      ids.push(await makeUser(admin, client));
    }
    const seen: string[] = [];
    for (let cursor = ''; ;) {
      const { body } = await admin.get(`/v1/users?client_id=${client}&limit=2${cursor}`);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      if (!body.has_more) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const moments = await Promise.all(seen.map(async (id) => (await admin.get(`/v1/users/${id}`)).body.created_at));
    expect(moments).toEqual(moments.toSorted());
  });
});

describe('deletions', () => {
  test('a reporting entity that somebody may read cannot be deleted', async () => {
    const entity = await makeRecord(admin, 'reporting-entities', { name: 'Read', client_id: firstClient });
    const id = await makeUser(admin, firstClient, { reporting_entity_ids: [entity] });
    expect(reportedRefusal(await admin.delete(`/v1/reporting-entities/${entity}`))).toMatchObject({
      status: 409,
      code: 'reporting-entity-in-use',
      detail: 'The reporting entity cannot be deleted while these remain: 1 user who may read it.',
    });
    await admin.patch(`/v1/users/${id}`, { reporting_entity_ids: [] });
    expect((await admin.delete(`/v1/reporting-entities/${entity}`)).status).toBe(204);
  });

  test('members do not block the deletion of a client: memberships and invites are deleted with it, and users with their last membership', async () => {
    const client = await admin.makeClient('To go');
    const email = newEmail();
    const gone = await makeMember(service, client);
    const stays = await makeUser(admin, client, { email });
    await makeUser(admin, firstClient, { email });
    const invite = await makeInvite(admin, stays, { client_id: client });
    expect((await admin.delete(`/v1/clients/${client}`)).status).toBe(204);
    expect((await admin.get(`/v1/users/${gone}`)).status).toBe(404);
    expect((await admin.get(`/v1/users/${stays}`)).body.memberships).toMatchObject([{ client_id: firstClient }]);
    expect((await admin.get(`/v1/invites/${invite}`)).status).toBe(404);
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${gone}&act=delete`)).body;
    expect(data).toHaveLength(1);
  });
});

describe('concurrent requests', () => {
  test('a reporting entity that is being deleted cannot be granted, and one that was just granted is not deleted', async () => {
    const [going, staying] = [
      await makeRecord(admin, 'reporting-entities', { name: 'Going', client_id: firstClient }),
      await makeRecord(admin, 'reporting-entities', { name: 'Staying', client_id: firstClient }),
    ];
    const id = await makeUser(admin, firstClient);
    const grant = (entity: string) => admin.patch(`/v1/users/${id}`, { reporting_entity_ids: [entity] });
    const remove = (entity: string) => admin.delete(`/v1/reporting-entities/${entity}`);
    const [gone, late] = await runInLockOrder(
      service.database,
      () => remove(going),
      () => grant(going),
    );
    expect([gone.status, late.status, late.body.code]).toEqual([204, 404, 'reporting-entity-not-found']);
    const [granted, deletion] = await runInLockOrder(
      service.database,
      () => grant(staying),
      () => remove(staying),
    );
    expect([granted.status, deletion.status, deletion.body.code]).toEqual([200, 409, 'reporting-entity-in-use']);
    expect(await listOrphans(service.database)).toEqual([]);
  });

  test('no user is added to a client that is being deleted, and a user who was just added is removed with it', async () => {
    const [first, second] = [await admin.makeClient('First'), await admin.makeClient('Second')];
    const add = (client: string) => admin.post('/v1/users', { client_id: client, email: newEmail(), ...names });
    const remove = (client: string) => admin.delete(`/v1/clients/${client}`);
    const [gone, late] = await runInLockOrder(
      service.database,
      () => remove(first),
      () => add(first),
    );
    expect([gone.status, late.status, late.body.code]).toEqual([204, 404, 'client-not-found']);
    const [added, removed] = await runInLockOrder(
      service.database,
      () => add(second),
      () => remove(second),
    );
    expect([added.status, removed.status]).toEqual([201, 204]);
    expect((await admin.get(`/v1/users/${added.body.id}`)).status).toBe(404);
    expect(await listOrphans(service.database)).toEqual([]);
  });

  test('an address that is added elsewhere while its last membership is deleted exists afterwards, as the same user', async () => {
    const email = newEmail();
    const id = await makeUser(admin, firstClient, { email });
    const [gone, added] = await runInLockOrder(
      service.database,
      () => admin.delete(`/v1/users/${id}`),
      () => admin.post('/v1/users', { client_id: secondClient, email, ...names }),
    );
    expect([gone.status, added.status, added.body.id]).toEqual([204, 201, id]);
    const { memberships } = (await admin.get(`/v1/users/${added.body.id}`)).body;
    expect(memberships.map((one: any) => one.client_id)).toEqual([secondClient]);
    expect(await listOrphans(service.database)).toEqual([]);
  });
});

describe('the audit log', () => {
  async function listEntries(caller: Caller, id: string): Promise<any[]> {
    return (await caller.get(`/v1/audit-log?limit=100&subject_id=${id}`)).body.data;
  }

  test('has an entry for each membership, visible to callers who see its client', async () => {
    const email = newEmail();
    const id = await makeUser(admin, firstClient, { email, ...names });
    await makeUser(admin, secondClient, { email, first_name: 'A.', last_name: 'L.' });
    await admin.patch(`/v1/users/${id}`, { role: 'advisor' });
    const lines = await listEntries(scopedToFirst, id);
    const after = {
      id,
      email,
      ...names,
      role: 'viewer',
      status: 'invited',
      joined_at: null,
      created_at: expect.any(String),
      client_id: firstClient,
      reporting_entity_ids: [],
    };
    expect(lines.map(({ act, client_id: client, before, after: is }) => ({ act, client, before, is }))).toEqual([
      { act: 'change', client: firstClient, before: after, is: { ...after, role: 'advisor' } },
      { act: 'create', client: firstClient, before: null, is: after },
    ]);
    expect((await listEntries(admin, id)).map((line) => line.client_id).toSorted()).toEqual(
      [firstClient, firstClient, secondClient, secondClient].toSorted(),
    );
  });

  test('contains names and addresses encrypted with the key of the person, and shows none once that key is deleted', async () => {
    const email = newEmail();
    const id = await makeUser(admin, firstClient, { email, first_name: 'Unmistakable', last_name: 'Person' });
    await makeInvite(admin, id, { email });
    await admin.delete(`/v1/users/${id}`);
    const stored = await runSql<{ text: string }>(service.database, 'SELECT a::text AS text FROM audit_entry a');
    for (const word of [email, 'Unmistakable']) expect(stored.filter(({ text }) => text.includes(word))).toEqual([]);
    expect((await listEntries(admin, id)).map((line) => (line.after ?? line.before).email)).toEqual([email, email]);
    await runSql(service.database, 'UPDATE mail SET person_id = NULL WHERE person_id = $1', [id]);
    await runSql(service.database, 'DELETE FROM person_key WHERE person_id = $1', [id]);
    const loggedStates = (await listEntries(admin, id)).map(({ before, after }) => after ?? before);
    expect(loggedStates.map((one) => [one.email, one.first_name, one.role])).toEqual([
      [null, null, 'viewer'],
      [null, null, 'viewer'],
    ]);
  });
});

test('a missing user or a user of another client gets 404 on every path', async () => {
  const foreignUser = await makeUser(admin, secondClient);
  for (const id of [unknownUuid, foreignUser, 'x']) {
    for (const [method, path] of [
      ['GET', `/v1/users/${id}`],
      ['DELETE', `/v1/users/${id}`],
      ['POST', `/v1/users/${id}/disable`],
      ['GET', `/api/v2/users/${id}`],
      ['GET', `/api/v2/users/${id}/invites`],
      ['DELETE', `/api/v2/users/${id}`],
    ] as const) {
      const reply = await scopedToFirst.send(path, { method });
      expect([path, reportedRefusal(reply)]).toMatchObject([path, { status: 404, code: 'user-not-found' }]);
    }
  }
});

describe('names', () => {
  test.each([
    ['O’Brien-Łukasiewicz', 'O’Brien-Łukasiewicz'],
    ["D'Arcy Jr.", "D'Arcy Jr."],
    ['  Müller ', 'Müller'],
    ['Nguye\u0302\u0303n', 'Nguye\u0302\u0303n'],
    ['محمدی\u200cنژاد', 'محمدی\u200cنژاد'],
    ['山田', '山田'],
  ])('%j is kept as %j on every wire', async (sent, kept) => {
    const made = await admin.post('/v1/users', {
      client_id: firstClient,
      email: newEmail(),
      first_name: 'A',
      last_name: sent,
    });
    expect([made.status, made.body.last_name]).toEqual([201, kept]);
    const changed = await admin.patch(`/api/v2/users/${made.body.id}`, {
      data: { type: 'user', id: made.body.id, attributes: { firstName: sent } },
    });
    expect([changed.status, changed.body.data.attributes.firstName]).toEqual([200, kept]);
    const invited = await admin.post(`/v2/clients/${firstClient}/users`, {
      email: newEmail(),
      name: sent,
      role: 'viewer',
    });
    expect(invited.status).toBe(201);
  });

  test.each(['A\u202eB', 'A\u0007B', 'A\nB', '   '])('%j is refused', async (last) => {
    const person = { client_id: firstClient, email: newEmail(), first_name: last, last_name: 'B' };
    expect((await admin.post('/v1/users', person)).status).toBe(422);
  });
});
