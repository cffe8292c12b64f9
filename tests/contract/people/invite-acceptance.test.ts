// Who may accept an invite, that it is accepted once, and what comes of two who touch it at the same time.

import { beforeAll, describe, expect, test } from 'vitest';
import { acceptInvite, findInviteBySecret } from '../../../src/actions/people/invite.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  accept,
  identityOf,
  makeInvite,
  makeMember,
  makeUser,
  newAddress,
  secretOf,
} from '../../setup/people/members.ts';
import { oneAfterTheOther } from '../../setup/database/race.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const service = serviceForThisFile();
let admin: Caller;
let [here, there] = ['', ''];

beforeAll(async () => {
  ({ admin } = service);
  here = await admin.makeClient('Here');
  there = await admin.makeClient('There');
});

interface Invited {
  readonly email: string;
  readonly user: string;
  readonly invite: string;
}

async function invited(fields: object = {}): Promise<Invited> {
  const email = newAddress();
  const user = await makeUser(admin, here, { email });
  return { email, user, invite: await makeInvite(admin, user, fields) };
}

const wrong = (reason: string): object => ({ outcome: 'wrong', reason });
const stateOf = async (invite: string): Promise<string> => (await admin.get(`/v1/invites/${invite}`)).body.state;
const identitiesOf = (user: string): Promise<any[]> =>
  runSql(service.database, 'SELECT issuer, subject, email FROM person_identity WHERE person_id = $1', [user]);
const cancel = (invite: string) => admin.send(`/v1/invites/${invite}/cancellation`, { method: 'POST' });

describe('an acceptance', () => {
  test('makes the user active, links the identity, and is in the log as what the person did', async () => {
    const { email, user, invite } = await invited();
    const identity = identityOf(email.toUpperCase());
    const outcome = await accept(service, invite, identity);
    const { workspaceId } = service.first;
    expect(outcome).toEqual({ outcome: 'accepted', workspaceId, environment: 'production', personId: user });
    const { body } = await admin.get(`/v1/users/${user}`);
    const at = new Date(service.clock.now()).toISOString();
    expect(body).toMatchObject({ status: 'active', memberships: [{ status: 'active', joined_at: at }] });
    expect((await admin.get(`/v1/invites/${invite}`)).body).toMatchObject({ state: 'accepted', accepted_at: at });
    expect(await identitiesOf(user)).toMatchObject([{ issuer: identity.issuer, subject: identity.subject }]);
    const { data } = (await admin.get('/v1/audit-log?limit=2')).body;
    expect(data.map((line: any) => [line.subject_type, line.act, line.subject, line.client_id])).toEqual([
      ['user', 'change', user, here],
      ['invite', 'change', user, here],
    ]);
    expect(data[1].before.accepted_at).toBeNull();
    expect(data[1].after.accepted_at).toBe(at);
  });

  test('looking at the link changes nothing and tells who invites, to what', async () => {
    const { user, invite } = await invited();
    const secret = await secretOf(service, invite);
    for (let look = 0; look < 3; look++) {
      expect(await findInviteBySecret(service.house, secret)).toMatchObject({
        state: 'pending',
        invite: { id: invite, client: here },
        person: { id: user },
        clientName: 'Here',
        workspaceName: expect.any(String),
      });
    }
    expect(await stateOf(invite)).toBe('pending');
    expect(await findInviteBySecret(service.house, `${secret}x`)).toBeUndefined();
  });

  test('joins one client, not the others that have added the user', async () => {
    const { email, user, invite } = await invited();
    await makeUser(admin, there, { email });
    await accept(service, invite, identityOf(email));
    const { memberships } = (await admin.get(`/v1/users/${user}`)).body;
    expect(memberships.map((one: any) => [one.client_id, one.status])).toEqual([
      [here, 'active'],
      [there, 'invited'],
    ]);
  });
});

describe('who it is for', () => {
  test('another provider than the one it asks for is refused, and it stays pending', async () => {
    const { email, user, invite } = await invited({ identity_provider: 'provider_b' });
    expect(await accept(service, invite, identityOf(email))).toEqual(wrong('provider'));
    expect([await stateOf(invite), await identitiesOf(user)]).toEqual(['pending', []]);
    const right = await accept(service, invite, identityOf(email, { provider: 'provider_b' }));
    expect(right).toMatchObject({ outcome: 'accepted' });
  });

  test.each([
    ['another address', (email: string) => identityOf(`x${email}`), 'address'],
    ['the address with something after a plus', (email: string) => identityOf(email.replace('@', '+x@')), 'address'],
    [
      'an address that the provider does not vouch for',
      (email: string) => identityOf(email, { emailVerified: false }),
      'unverified',
    ],
  ])('%s is refused, and nothing is used up', async (_what, identity, reason) => {
    const { email, user, invite } = await invited();
    const before = await runSql(service.database, 'SELECT count(*) FROM audit_entry');
    expect(await accept(service, invite, identity(email))).toEqual(wrong(reason));
    expect([await stateOf(invite), await identitiesOf(user)]).toEqual(['pending', []]);
    expect(await runSql(service.database, 'SELECT count(*) FROM audit_entry')).toEqual(before);
    expect(await accept(service, invite, identityOf(email))).toMatchObject({ outcome: 'accepted' });
  });

  test('an address on the invite counts instead of that of the user', async () => {
    const other = newAddress();
    const { email, invite } = await invited({ email: other });
    expect(await accept(service, invite, identityOf(email))).toEqual(wrong('address'));
    expect(await accept(service, invite, identityOf(other))).toMatchObject({ outcome: 'accepted' });
  });

  test('who is known by an identity is let in with it, whatever its address is by now', async () => {
    const { email, user, invite } = await invited();
    const identity = identityOf(email);
    await accept(service, invite, identity);
    await makeUser(admin, there, { email });
    const next = await makeInvite(admin, user, { client_id: there });
    const outcome = await accept(service, next, {
      ...identity,
      email: 'moved@elsewhere.example',
      emailVerified: false,
    });
    expect(outcome).toMatchObject({ outcome: 'accepted' });
    expect(await identitiesOf(user)).toHaveLength(1);
  });

  test('but an address on the invite is asked of them as well', async () => {
    const { email, user, invite } = await invited();
    const identity = identityOf(email);
    await accept(service, invite, identity);
    const next = await makeInvite(admin, user, { email: newAddress() });
    expect(await accept(service, next, identity)).toEqual(wrong('address'));
  });

  test('an identity of somebody else is refused, though its address be the right one', async () => {
    const somebody = await invited();
    const identity = identityOf(somebody.email);
    await accept(service, somebody.invite, identity);
    const { email, user, invite } = await invited();
    expect(await accept(service, invite, { ...identity, email })).toEqual(wrong('account'));
    expect([await stateOf(invite), await identitiesOf(user)]).toEqual(['pending', []]);
  });

  test('in another environment the same identity may be another user', async () => {
    const sandbox = await admin.become({ rights: ['read', 'write', 'admin'], environment: 'sandbox' });
    const { email, invite } = await invited();
    const identity = identityOf(email);
    await accept(service, invite, identity);
    const client = await sandbox.makeClient('Sand');
    const user = await makeUser(sandbox, client, { email });
    const outcome = await accept(service, await makeInvite(sandbox, user), identity);
    expect(outcome).toMatchObject({ outcome: 'accepted', environment: 'sandbox', personId: user });
  });

  test('who is disabled at the client is not let in by an invite from before', async () => {
    const { email, user, invite } = await invited();
    await admin.send(`/v1/users/${user}/disable`, { method: 'POST' });
    expect(await accept(service, invite, identityOf(email))).toEqual(wrong('disabled'));
    await admin.send(`/v1/users/${user}/enable`, { method: 'POST' });
    expect(await accept(service, invite, identityOf(email))).toMatchObject({ outcome: 'accepted' });
  });

  test('a link that nobody was sent leads nowhere', async () => {
    const outcome = await acceptInvite(service.house, 'made-up', identityOf(newAddress()));
    expect(outcome).toEqual(wrong('unknown'));
  });
});

describe('once', () => {
  test('accepted, it is over, for the same identity as for another', async () => {
    const { email, invite } = await invited();
    const identity = identityOf(email);
    await accept(service, invite, identity);
    expect(await accept(service, invite, identity)).toEqual(wrong('accepted'));
    expect(await accept(service, invite, identityOf(email))).toEqual(wrong('accepted'));
  });

  test('cancelled, it is over', async () => {
    const { email, invite } = await invited();
    const secret = await secretOf(service, invite);
    await cancel(invite);
    expect(await acceptInvite(service.house, secret, identityOf(email))).toEqual(wrong('cancelled'));
  });

  test('with the user it goes, and with the membership', async () => {
    const alone = await invited();
    const secret = await secretOf(service, alone.invite);
    await admin.delete(`/v1/users/${alone.user}`);
    expect(await acceptInvite(service.house, secret, identityOf(alone.email))).toEqual(wrong('unknown'));
    const both = await invited();
    await makeUser(admin, there, { email: both.email });
    const bound = await admin.become({ scoped_to: here });
    await bound.delete(`/v1/users/${both.user}`);
    expect(await accept(service, both.invite, identityOf(both.email))).toEqual(wrong('cancelled'));
  });
});

describe('two at the same time', () => {
  test('ten who accept one invite with ten identities: one does, and one identity is linked', async () => {
    const { email, user, invite } = await invited();
    const secret = await secretOf(service, invite);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => acceptInvite(service.house, secret, identityOf(email))),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'wrong')).toEqual(Array(9).fill(wrong('accepted')));
    expect(await identitiesOf(user)).toHaveLength(1);
  });

  test('two invites of two users and one identity: it becomes that of one of them', async () => {
    const shared = newAddress();
    const [one, other] = [await invited({ email: shared }), await invited({ email: shared })];
    const identity = identityOf(shared);
    const [first, second] = await oneAfterTheOther(
      service.database,
      () => accept(service, one.invite, identity),
      () => accept(service, other.invite, identity),
    );
    expect([first.outcome, second]).toEqual(['accepted', wrong('account')]);
    expect([await stateOf(other.invite), await identitiesOf(other.user)]).toEqual(['pending', []]);
  });

  test('a cancellation behind an acceptance is refused; an acceptance behind a cancellation lets nobody in', async () => {
    const first = await invited();
    const [accepted, refused] = await oneAfterTheOther(
      service.database,
      () => accept(service, first.invite, identityOf(first.email)),
      () => cancel(first.invite),
    );
    expect([accepted.outcome, refused.status, refused.body.code]).toEqual(['accepted', 409, 'invite-accepted']);
    const second = await invited();
    const secret = await secretOf(service, second.invite);
    const [cancelled, late] = await oneAfterTheOther(
      service.database,
      () => cancel(second.invite),
      () => acceptInvite(service.house, secret, identityOf(second.email)),
    );
    expect([cancelled.status, late]).toEqual([200, wrong('cancelled')]);
    expect(await identitiesOf(second.user)).toEqual([]);
  });

  test('an acceptance behind the deletion of the user lets nobody in; a deletion behind it takes all with it', async () => {
    const first = await invited();
    const secret = await secretOf(service, first.invite);
    const [gone, late] = await oneAfterTheOther(
      service.database,
      () => admin.delete(`/v1/users/${first.user}`),
      () => acceptInvite(service.house, secret, identityOf(first.email)),
    );
    expect([gone.status, late]).toEqual([204, wrong('unknown')]);
    const second = await invited();
    const [accepted, deleted] = await oneAfterTheOther(
      service.database,
      () => accept(service, second.invite, identityOf(second.email)),
      () => admin.delete(`/v1/users/${second.user}`),
    );
    expect([accepted.outcome, deleted.status]).toEqual(['accepted', 204]);
    expect(await identitiesOf(second.user)).toEqual([]);
    expect((await admin.get(`/v1/users/${second.user}`)).status).toBe(404);
  });

  test('a newer invite behind an acceptance leaves what was accepted', async () => {
    const { email, user, invite } = await invited();
    const [accepted, newer] = await oneAfterTheOther(
      service.database,
      () => accept(service, invite, identityOf(email)),
      () => makeInvite(admin, user),
    );
    expect([accepted.outcome, await stateOf(invite), await stateOf(newer)]).toEqual([
      'accepted',
      'accepted',
      'pending',
    ]);
  });

  test('an invite behind the deletion of its user is refused', async () => {
    const user = await makeMember(service, here);
    const [gone, invite] = await oneAfterTheOther(
      service.database,
      () => admin.delete(`/v1/users/${user}`),
      () => admin.post('/v1/invites', { user_id: user }),
    );
    expect([gone.status, invite.status, invite.body.code]).toEqual([204, 404, 'user-not-found']);
  });
});
