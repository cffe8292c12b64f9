// Invites on the three wires: create, list and cancel them, and let them expire.

import { beforeAll, describe, expect, test } from 'vitest';
import { dayMs, minuteMs } from '../../../src/kit/clock.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  acceptInviteAs,
  verifiedIdentity,
  makeInvite,
  makeMember,
  makeUser,
  newEmail,
  unknownUuid,
  inviteSecretOf,
} from '../../setup/people/members.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { newDocument, unknownId } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let admin: Caller;
let baseUrl: string;
let [firstClient, secondClient] = ['', ''];

beforeAll(async () => {
  ({ admin } = service);
  baseUrl = service.addresses.baseUrl;
  firstClient = await admin.makeClient('Here');
  secondClient = await admin.makeClient('There');
});

const timeAfter = (ms: number): string => new Date(service.clock.now() + ms).toISOString();
const cancelOn = (path: string): Promise<any> => admin.send(path, { method: 'POST' });

async function makeUserInBoth(): Promise<string> {
  const email = newEmail();
  const id = await makeUser(admin, firstClient, { email });
  service.clock.advance(1);
  await makeUser(admin, secondClient, { email, role: 'advisor' });
  return id;
}

describe('on v1', () => {
  test('it is for the requested client, is valid for seven days, and shows the status of its mail', async () => {
    const user = await makeUserInBoth();
    const email = newEmail();
    const body = { user_id: user, client_id: secondClient, identity_provider: 'provider_b', email };
    const made = await admin.post('/v1/invites', body);
    const { id } = made.body;
    expect([made.status, made.headers.get('location')]).toEqual([201, `${baseUrl}/v1/invites/${id}`]);
    expect(made.body).toEqual({
      id,
      user_id: user,
      role: 'advisor',
      identity_provider: 'provider_b',
      email,
      state: 'pending',
      mail: { status: 'queued', at: timeAfter(0), failure: null },
      created_at: timeAfter(0),
      expires_at: timeAfter(7 * dayMs),
      accepted_at: null,
      cancelled_at: null,
      client_id: secondClient,
    });
    expect((await admin.get(`/v1/invites/${id}`)).text).toBe(made.text);
  });

  test('without a client it is for the first client that was not joined yet, or else for the first one', async () => {
    const email = newEmail();
    const user = await makeMember(service, firstClient, { email });
    service.clock.advance(1);
    await makeUser(admin, secondClient, { email });
    const { client_id: first } = (await admin.post('/v1/invites', { user_id: user })).body;
    expect(first).toBe(secondClient);
    const member = await makeMember(service, firstClient);
    expect((await admin.post('/v1/invites', { user_id: member })).body.client_id).toBe(firstClient);
  });

  test('the role of the invite becomes the role of the member with its acceptance, not before', async () => {
    const email = newEmail();
    const user = await makeUser(admin, firstClient, { email });
    const invite = await makeInvite(admin, user, { role: 'admin' });
    expect((await admin.get(`/v1/users/${user}`)).body.role).toBe('viewer');
    await acceptInviteAs(service, invite, verifiedIdentity(email));
    expect((await admin.get(`/v1/users/${user}`)).body.role).toBe('admin');
  });

  test.each([
    { role: 'admin', later: 'viewer' },
    { role: 'viewer', later: 'advisor' },
  ])(
    'the role $later, given to somebody who was invited as $role, is the one that the invite gives',
    async ({ role, later }) => {
      const email = newEmail();
      const user = await makeUser(admin, firstClient, { email, role });
      await makeUser(admin, secondClient, { email, role });
      const [here, there] = [
        await makeInvite(admin, user, { client_id: firstClient }),
        await makeInvite(admin, user, { client_id: secondClient }),
      ];
      const scoped = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: firstClient });
      await scoped.patch(`/v1/users/${user}`, { role: later });
      const [changed, other] = [await admin.get(`/v1/invites/${here}`), await admin.get(`/v1/invites/${there}`)];
      expect([changed.body.role, other.body.role]).toEqual([later, role]);
      const { data: lines } = (await scoped.get(`/v1/audit-log?subject_id=${here}&act=change`)).body;
      expect(lines).toMatchObject([{ before: { role }, after: { role: later }, client_id: firstClient }]);
      await acceptInviteAs(service, here, verifiedIdentity(email));
      expect((await scoped.get(`/v1/users/${user}`)).body.role).toBe(later);
    },
  );

  test('invites that are not pending keep their role', async () => {
    const email = newEmail();
    const user = await makeUser(admin, firstClient, { email, role: 'advisor' });
    const cancelled = await makeInvite(admin, user);
    const accepted = await makeInvite(admin, user);
    await acceptInviteAs(service, accepted, verifiedIdentity(email));
    await admin.patch(`/v1/users/${user}`, { role: 'viewer' });
    for (const id of [cancelled, accepted]) expect((await admin.get(`/v1/invites/${id}`)).body.role).toBe('advisor');
  });

  test('only a member of a client who is not disabled there can be invited to it', async () => {
    const user = await makeUser(admin, firstClient);
    expect(reportedRefusal(await admin.post('/v1/invites', { user_id: user, client_id: secondClient }))).toEqual({
      status: 422,
      code: 'not-a-member',
      detail: 'The user is not a member of this client. Add them to it first.',
      pointer: '/client_id',
    });
    await admin.send(`/v1/users/${user}/disable`, { method: 'POST' });
    expect(reportedRefusal(await admin.post('/v1/invites', { user_id: user }))).toMatchObject({
      status: 409,
      code: 'user-disabled',
    });
  });

  test.each([
    [{ user_id: unknownUuid }, 404, '/user_id'],
    [{ user_id: 'x' }, 422, '/user_id'],
    [{}, 422, '/user_id'],
    [{ user_id: unknownUuid, identity_provider: 'provider_d' }, 422, '/identity_provider'],
    [{ user_id: unknownUuid, role: 'owner' }, 422, '/role'],
    [{ user_id: unknownUuid, state: 'accepted' }, 422, '/state'],
  ])('%j is refused with %i at %s', async (body, status, pointer) => {
    expect(reportedRefusal(await admin.post('/v1/invites', body))).toMatchObject({ status, pointer });
  });

  test('a client that does not exist is reported at its field', async () => {
    const user = await makeUser(admin, firstClient);
    const reply = await admin.post('/v1/invites', { user_id: user, client_id: unknownId });
    expect(reportedRefusal(reply)).toMatchObject({ status: 404, code: 'client-not-found', pointer: '/client_id' });
  });

  test('lists can be filtered by user, client, state and address', async () => {
    const user = await makeUserInBoth();
    const email = newEmail();
    const cancelled = await makeInvite(admin, user, { client_id: firstClient });
    await cancelOn(`/v1/invites/${cancelled}/cancellation`);
    const pending = await makeInvite(admin, user, { client_id: secondClient, email });
    const found = async (query: string): Promise<string[]> =>
      (await admin.get(`/v1/invites?${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect(await found(`user_id=${user}`)).toEqual([cancelled, pending]);
    expect(await found(`user_id=${user}&client_id=${secondClient}`)).toEqual([pending]);
    expect(await found(`user_id=${user}&state=pending`)).toEqual([pending]);
    expect(await found(`user_id=${user}&state=cancelled`)).toEqual([cancelled]);
    expect(await found(`user_id=${user}&state=accepted`)).toEqual([]);
    expect(await found(`user_id=${user}&state=expired`)).toEqual([]);
    expect(await found(`email=${encodeURIComponent(email.toUpperCase())}`)).toEqual([pending]);
  });

  test('lists that are filtered have pages, which contain everything once', async () => {
    const own = await service.openWorkspace();
    const user = await makeUser(own, await own.makeClient('Here'));
    const made: string[] = [];
    for (const _number of [1, 2, 3]) made.push(await makeInvite(own, user));
    const walk = async (query: string): Promise<string[]> => {
      const found: string[] = [];
      for (let cursor = ''; ;) {
        const { body } = await own.get(`/v1/invites?limit=1&user_id=${user}${query}${cursor}`);
        found.push(...body.data.map(({ id }: any) => id));
        if (!body.has_more) return found;
        cursor = `&cursor=${body.next_cursor}`;
      }
    };
    expect(await walk('')).toEqual(made);
    expect(await walk('&state=cancelled')).toEqual(made.slice(0, 2));
    expect(await walk('&state=pending')).toEqual(made.slice(2));
  });

  test('answers 404 for a list of the invites of a user who does not exist', async () => {
    const { status, body } = await admin.get('/v1/invites?user_id=01a1dfac-6b33-7c4e-8d2f-000000000000');
    const { code, parameter } = body.errors[0];
    expect([status, body.code, code, parameter]).toEqual([404, 'user-not-found', 'user-not-found', 'user_id']);
  });
});

describe('on JSON:API', () => {
  test('a user is invited, listed with all invites ever sent, and an invite is cancelled', async () => {
    const user = await makeUser(admin, firstClient);
    const path = `/api/v2/users/${user}/invites`;
    const first = await admin.post(path, newDocument('invite', {}));
    const { id } = first.body.data;
    expect(first.status).toBe(201);
    const object = (one: string, cancelledAt: string | null, more: object = {}) => ({
      type: 'invite',
      id: one,
      attributes: { identityProvider: null, email: null, cancelledAt, ...more },
      relationships: { client: { data: { type: 'client', id: firstClient } } },
    });
    expect(first.body).toEqual({ data: object(id, null) });
    const cancelled = await cancelOn(`${path}/${id}/cancellation`);
    expect([cancelled.status, cancelled.body]).toEqual([200, { data: object(id, timeAfter(0)) }]);
    const restricted = { identityProvider: 'provider_a', email: newEmail() };
    const second = await admin.post(path, newDocument('invite', restricted));
    expect((await admin.get(path)).body).toEqual({
      data: [object(id, timeAfter(0)), object(second.body.data.id, null, restricted)],
    });
  });

  test('it is for the first visible client that the user has not joined yet', async () => {
    const user = await makeUserInBoth();
    const bound = await admin.becomeApplication({ scoped_to: secondClient });
    const { id } = (await bound.post(`/api/v2/users/${user}/invites`, newDocument('invite', {}))).body.data;
    expect((await admin.get(`/v1/invites/${id}`)).body.client_id).toBe(secondClient);
    const other = (await admin.post(`/api/v2/users/${user}/invites`, newDocument('invite', {}))).body.data;
    expect((await admin.get(`/v1/invites/${other.id}`)).body.client_id).toBe(firstClient);
  });

  test('a user of several clients is invited to the client that the document names, and the invite says which', async () => {
    const user = await makeUserInBoth();
    const path = `/api/v2/users/${user}/invites`;
    const relationships = { client: { data: { type: 'client', id: secondClient } } };
    const made = await admin.post(path, { data: { type: 'invite', attributes: {}, relationships } });
    expect([made.status, made.body.data.relationships]).toEqual([201, relationships]);
    expect((await admin.get(path)).body.data[0].relationships).toEqual(relationships);
    const third = await admin.makeClient('Third');
    const stranger = { client: { data: { type: 'client', id: third } } };
    const refused = await admin.post(path, { data: { type: 'invite', attributes: {}, relationships: stranger } });
    expect(refused.body.errors[0]).toMatchObject({
      code: 'not-a-member',
      source: { pointer: '/data/relationships/client' },
    });
  });

  test('the answer has no Location, since no single invite can be read here', async () => {
    const user = await makeUser(admin, firstClient);
    const made = await admin.post(`/api/v2/users/${user}/invites`, newDocument('invite', {}));
    expect([made.status, made.headers.get('location')]).toEqual([201, null]);
  });
});

describe('cancelling an invite', () => {
  const paths = (user: string, invite: string): [string, string][] => [
    ['v1', `/v1/invites/${invite}/cancellation`],
    ['Plain', `/v2/users/${user}/invites/${invite}/cancellation`],
    ['JSON:API', `/api/v2/users/${user}/invites/${invite}/cancellation`],
  ];

  test('twice has the same result as once, on every wire, and the first time is kept', async () => {
    const user = await makeUser(admin, firstClient);
    const invite = await makeInvite(admin, user);
    const at = timeAfter(0);
    const lines: number[] = [];
    for (const [wire, path] of [...paths(user, invite), ...paths(user, invite)]) {
      const reply = await cancelOn(path);
      const shown = reply.body.data?.attributes.cancelledAt ?? reply.body.cancelled_at;
      expect([wire, reply.status, shown]).toEqual([wire, 200, at]);
      service.clock.advance(1_000);
      lines.push((await admin.get(`/v1/audit-log?subject_id=${invite}`)).body.data.length);
    }
    expect(new Set(lines)).toEqual(new Set([2]));
  });

  test('accepted and expired invites are refused on every wire', async () => {
    const email = newEmail();
    const user = await makeUser(admin, firstClient, { email });
    const accepted = await makeInvite(admin, user);
    await acceptInviteAs(service, accepted, verifiedIdentity(email));
    for (const [wire, path] of paths(user, accepted)) {
      const refused = reportedRefusal(await cancelOn(path));
      expect([wire, refused]).toMatchObject([wire, { status: 409, code: 'invite-accepted' }]);
    }
  });

  test('an invite of another user is not found, and neither is one of a missing user', async () => {
    const [user, other] = [await makeUser(admin, firstClient), await makeUser(admin, firstClient)];
    const invite = await makeInvite(admin, user);
    const cancellationCode = async (path: string) => reportedRefusal(await cancelOn(path)).code;
    expect(await cancellationCode(`/v2/users/${other}/invites/${invite}/cancellation`)).toBe('invite-not-found');
    expect(await cancellationCode(`/v2/users/${user}/invites/${unknownId}/cancellation`)).toBe('invite-not-found');
    expect(await cancellationCode(`/v2/users/${unknownUuid}/invites/${invite}/cancellation`)).toBe('user-not-found');
    expect((await admin.get(`/v1/invites/${invite}`)).body.state).toBe('pending');
  });

  test('by a newer one is in the audit log, with the address, like its creation', async () => {
    const email = newEmail();
    const user = await makeUser(admin, firstClient);
    const invite = await makeInvite(admin, user, { email });
    await makeInvite(admin, user);
    const { data } = (await admin.get(`/v1/audit-log?subject_id=${invite}`)).body;
    expect(data).toMatchObject([
      {
        act: 'change',
        before: { email, cancelled_at: null },
        after: { email, cancelled_at: timeAfter(0) },
      },
      { act: 'create', before: null, after: { email, cancelled_at: null } },
    ]);
  });

  test('a newer invite cancels only a pending one for the same client', async () => {
    const user = await makeUserInBoth();
    const [inviteToFirst, inviteToSecond] = [
      await makeInvite(admin, user, { client_id: firstClient }),
      await makeInvite(admin, user, { client_id: secondClient }),
    ];
    const next = await makeInvite(admin, user, { client_id: firstClient });
    const states = await Promise.all(
      [inviteToFirst, inviteToSecond, next].map(async (one) => (await admin.get(`/v1/invites/${one}`)).body.state),
    );
    expect(states).toEqual(['cancelled', 'pending', 'pending']);
  });
});

describe('stored data', () => {
  test('the secret of the link is stored as a hash, and is not in any answer or log line', async () => {
    const user = await makeUser(admin, firstClient);
    const made = await admin.post('/v1/invites', { user_id: user });
    const secret = await inviteSecretOf(service, made.body.id);
    // It begins with the workspace, so that servers which spread workspaces ask one of them only.
    const [, drawn = ''] = /^[0-9a-f]{24}(.+)$/.exec(secret) ?? [];
    expect(Buffer.from(drawn, 'base64url')).toHaveLength(32);
    const rows = await runSql<{ text: string }>(
      service.database,
      'SELECT i::text AS text FROM invite i UNION ALL SELECT a::text FROM audit_entry a UNION ALL SELECT m::text FROM mail m',
    );
    expect(rows.filter(({ text }) => text.includes(secret))).toEqual([]);
    expect(made.text).not.toContain(secret);
  });

  test('if the mail exceeds a limit, nothing else is written either', async () => {
    const limited = await serviceForThisTest({ settings: { MAIL_PER_HOUR: '1' } });
    const client = await limited.admin.makeClient('Limited');
    const add = (name: string) =>
      limited.admin.post(`/v2/clients/${client}/users`, { email: newEmail(), name, role: 'viewer' });
    expect((await add('First')).status).toBe(201);
    const refused = await add('Second');
    expect(reportedRefusal(refused)).toMatchObject({ status: 429, code: 'mail-limit' });
    expect((await limited.admin.get(`/v2/clients/${client}/users`)).body.data).toHaveLength(1);
  });

  test('a refusal for a limit says when to try again, and leaves the key free', async () => {
    const limited = await serviceForThisTest({ settings: { MAIL_PER_HOUR: '1' } });
    const client = await limited.admin.makeClient('Limited');
    const user = await makeUser(limited.admin, client);
    const first = await makeInvite(limited.admin, user);
    limited.clock.advance(10 * minuteMs);
    const invite = (headers = {}) => limited.admin.post('/v1/invites', { user_id: user }, headers);
    const sent = [
      await invite({ 'idempotency-key': 'twice' }),
      await invite(),
      await invite({ 'idempotency-key': 'twice' }),
    ];
    for (const reply of sent) {
      expect(reportedRefusal(reply)).toMatchObject({ status: 429, code: 'mail-limit' });
      expect(reply.headers.get('retry-after')).toBe(String(50 * 60));
    }
    expect(sent.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, null, null]);
    expect((await limited.admin.get(`/v1/invites?user_id=${user}`)).body.data).toMatchObject([
      { id: first, state: 'pending' },
    ]);
  });
});

test('after seven days it has expired: found by its state without a write, and neither accepted nor cancelled', async () => {
  const email = newEmail();
  const user = await makeUser(admin, firstClient, { email });
  const invite = await makeInvite(admin, user);
  service.clock.advance(7 * dayMs);
  const fresh = await service.enter(service.first as any);
  const read = await fresh.get(`/v1/invites/${invite}`);
  expect(read.body).toMatchObject({ state: 'expired', accepted_at: null, cancelled_at: null });
  expect((await fresh.get(`/v1/invites?user_id=${user}&state=expired`)).body.data).toEqual([read.body]);
  expect((await fresh.get(`/v1/invites?user_id=${user}&state=pending`)).body.data).toEqual([]);
  const cancelled = await fresh.send(`/v1/invites/${invite}/cancellation`, { method: 'POST' });
  expect(reportedRefusal(cancelled)).toMatchObject({ status: 409, code: 'invite-expired' });
  expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toEqual({
    outcome: 'wrong',
    reason: 'expired',
  });
});

test('an invite is found by its state alone, also once its seven days are over', async () => {
  const own = { ...service, admin: await service.enter(service.first as any) };
  const user = await makeUser(own.admin, firstClient);
  const [cancelled, expired] = [await makeInvite(own.admin, user), await makeInvite(own.admin, user)];
  const member = await makeMember(own, firstClient);
  service.clock.advance(7 * dayMs);
  const fresh = await service.enter(service.first as any);
  const byState = async (id: string): Promise<string[][]> => {
    const states = ['pending', 'accepted', 'cancelled', 'expired'];
    const lists = await Promise.all(states.map((state) => fresh.get(`/v1/invites?user_id=${id}&state=${state}`)));
    return lists.map(({ body }) => body.data.map((invite: any) => invite.id));
  };
  expect(await byState(user)).toEqual([[], [], [cancelled], [expired]]);
  expect(await byState(member)).toEqual([[], [expect.any(String)], [], []]);
});
