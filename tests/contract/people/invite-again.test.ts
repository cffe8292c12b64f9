// Plain invites a user again by adding them again: when that sends a new invite, and when it is refused.

import { beforeAll, describe, expect, test } from 'vitest';
import { dayMs } from '../../../src/kit/clock.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { acceptInviteAs, verifiedIdentity, makeMember, makeUser, newEmail } from '../../setup/people/members.ts';
import { awaitLockWaits, holdLock } from '../../setup/database/lock-waits.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runOnServers } from '../../setup/database/database-parts.ts';

const service = serviceForThisFile();
let admin: Caller;
let [firstClient, secondClient] = ['', ''];

beforeAll(async () => {
  ({ admin } = service);
  firstClient = await admin.makeClient('Here');
  secondClient = await admin.makeClient('There');
});

interface AddedUser {
  readonly email: string;
  readonly user: string;
  readonly invite: string;
}

const cancelInvite = (id: string): Promise<any> => admin.send(`/v1/invites/${id}/cancellation`, { method: 'POST' });

describe('on Plain, adding a user again', () => {
  const add = (client: string, email: string, fields: object = {}): Promise<any> =>
    admin.post(`/v2/clients/${client}/users`, { email, name: 'Second Name', ...fields });
  const invitesOf = async (user: string): Promise<any[]> =>
    (await admin.get(`/v1/invites?user_id=${user}&client_id=${firstClient}`)).body.data;

  async function addNewUser(): Promise<AddedUser> {
    const email = newEmail();
    const { user_id: user, id: invite } = (await add(firstClient, email, { name: 'First Name', role: 'viewer' })).body;
    return { email, user, invite };
  }

  async function expectNewInvite({ email, user, invite }: AddedUser): Promise<void> {
    const reply = await add(firstClient, email.toUpperCase(), { role: 'advisor' });
    expect([reply.status, reply.body.user_id, reply.body.role]).toEqual([201, user, 'advisor']);
    expect(reply.headers.get('location')).toBeNull();
    const listed = await invitesOf(user);
    expect(listed.map(({ id }) => id)).toEqual([invite, reply.body.id]);
    expect(listed[1]).toMatchObject({ state: 'pending', mail: { status: 'queued' } });
    expect((await admin.get(`/v1/users/${user}`)).body.name).toBe('First Name');
    expect(await acceptInviteAs(service, reply.body.id, verifiedIdentity(email))).toMatchObject({
      outcome: 'accepted',
    });
  }

  test('sends a new invite once the last one was cancelled, and leaves that one cancelled', async () => {
    const added = await addNewUser();
    const { cancelled_at: at } = (await cancelInvite(added.invite)).body;
    service.clock.advance(1_000);
    await expectNewInvite(added);
    expect((await invitesOf(added.user))[0]).toMatchObject({ state: 'cancelled', cancelled_at: at });
  });

  test('sends an invite to a member who was added without one', async () => {
    const email = newEmail();
    const user = await makeUser(admin, firstClient, { email, role: 'advisor' });
    const { status, body } = await add(firstClient, email);
    expect([status, body.user_id, body.role]).toEqual([201, user, 'advisor']);
  });

  test('sends an invite to somebody who had joined and was removed', async () => {
    const email = newEmail();
    const user = await makeMember(service, firstClient, { email });
    await admin.send(`/v1/users/${user}`, { method: 'DELETE' });
    const { status, body } = await add(firstClient, email);
    expect([status, (await admin.get(`/v1/invites/${body.id}`)).body.state]).toEqual([201, 'pending']);
  });

  test('is refused while an invite is pending, also by two requests at once, and after the user has joined', async () => {
    const { email, user, invite } = await addNewUser();
    const exists = { status: 409, code: 'user-exists' };
    expect(reportedRefusal(await add(firstClient, email))).toMatchObject(exists);
    await cancelInvite(invite);
    const both = await Promise.all([add(firstClient, email), add(firstClient, email)]);
    expect(both.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
    const [, pending] = await invitesOf(user);
    expect(pending.state).toBe('pending');
    await acceptInviteAs(service, pending.id, verifiedIdentity(email));
    expect(reportedRefusal(await add(firstClient, email))).toMatchObject(exists);
    expect(await invitesOf(user)).toHaveLength(2);
  });

  test('is refused while the user is disabled, and a pending invite to another client changes nothing', async () => {
    const { email, user, invite } = await addNewUser();
    await cancelInvite(invite);
    await admin.send(`/v1/users/${user}/disable`, { method: 'POST' });
    expect(reportedRefusal(await add(firstClient, email))).toMatchObject({ status: 409, code: 'user-disabled' });
    await admin.send(`/v1/users/${user}/enable`, { method: 'POST' });
    expect((await add(secondClient, email)).status).toBe(201);
    await expectNewInvite({ email, user, invite });
  });

  // Last: the clock moves by more than tokens live.
  test('sends a new invite once the last one has expired', async () => {
    const added = await addNewUser();
    service.clock.advance(7 * dayMs);
    admin = await service.enter(service.first as any);
    await expectNewInvite(added);
    expect((await invitesOf(added.user))[0]).toMatchObject({ state: 'expired', cancelled_at: null });
  });
});

test('an invite whose connection is lost while it waits for others is refused once, and nothing of it stays', async () => {
  const { database, first } = service;
  const user = await makeUser(admin, firstClient);
  const lock = `hashtextextended('mail of ${first.workspaceId} ${first.environment}', 0)`;
  const release = await holdLock(database, `SELECT pg_advisory_xact_lock(${lock})`);
  const answer = admin.post('/v1/invites', { user_id: user });
  await awaitLockWaits(database, 1);
  await runOnServers(
    database,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  expect((await answer).status).toBe(503);
  await release();
  expect((await admin.get(`/v1/invites?user_id=${user}`)).body.data).toEqual([]);
});
