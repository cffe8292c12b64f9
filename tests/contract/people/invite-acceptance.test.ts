// Who may accept an invite, that it can be accepted once only, and what happens when two requests use it at the same time.

import { dayMs } from '../../../src/kit/clock.ts';
import { beforeAll, describe, expect, test } from 'vitest';
import { acceptInvite, findInviteBySecret } from '../../../src/actions/people/invite-acceptance.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  acceptInviteAs,
  verifiedIdentity,
  makeInvite,
  makeMember,
  makeUser,
  newEmail,
  inviteSecretOf,
} from '../../setup/people/members.ts';
import { openSession } from '../../../src/actions/access/session.ts';
import { runInLockOrder } from '../../setup/database/race.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const service = serviceForThisFile();
let admin: Caller;
let [firstClient, secondClient] = ['', ''];

beforeAll(async () => {
  ({ admin } = service);
  firstClient = await admin.makeClient('Here');
  secondClient = await admin.makeClient('There');
});

interface InvitedUser {
  readonly email: string;
  readonly user: string;
  readonly invite: string;
}

async function inviteUser(fields: object = {}): Promise<InvitedUser> {
  const email = newEmail();
  const user = await makeUser(admin, firstClient, { email });
  return { email, user, invite: await makeInvite(admin, user, fields) };
}

const wrongOutcome = (reason: string): object => ({ outcome: 'wrong', reason });
const stateOf = async (invite: string): Promise<string> => (await admin.get(`/v1/invites/${invite}`)).body.state;
const identitiesOf = (user: string): Promise<any[]> =>
  runSql(service.database, 'SELECT issuer, subject, email FROM person_identity WHERE person_id = $1', [user]);
const cancel = (invite: string) => admin.send(`/v1/invites/${invite}/cancellation`, { method: 'POST' });

describe('two providers that use the same subject', () => {
  const [issuerA, issuerB] = ['https://provider-a.example', 'https://provider-b.example'];
  const [atA, atB] = [
    { provider: 'provider_a', issuer: issuerA },
    { provider: 'provider_b', issuer: issuerB },
  ] as const;

  test('mean two people: neither can accept for the other, nor is either signed in as the other', async () => {
    const subject = 'the same subject';
    const [one, other] = [await inviteUser(), await inviteUser()];
    const accepted = { outcome: 'accepted' };
    const ofOne = verifiedIdentity(one.email, { ...atA, subject });
    expect(await acceptInviteAs(service, one.invite, ofOne)).toMatchObject({ ...accepted, personId: one.user });
    // An identity that is already theirs would need no address.
    const again = await makeInvite(admin, one.user);
    const foreign = verifiedIdentity('foreign@people.example', { ...atB, subject });
    expect(await acceptInviteAs(service, again, foreign)).toEqual(wrongOutcome('address'));
    const ofOther = verifiedIdentity(other.email, { ...atB, subject });
    expect(await acceptInviteAs(service, other.invite, ofOther)).toMatchObject({ ...accepted, personId: other.user });
    const signedIn = async (issuer: string): Promise<string[]> => {
      const accesses = await service.context.stores.preAuth.listAccessByIdentity({ issuer, subject });
      return accesses.map(({ personId }) => personId);
    };
    expect([await signedIn(issuerA), await signedIn(issuerB)]).toEqual([[one.user], [other.user]]);
    expect(await signedIn('https://provider-c.example')).toEqual([]);
  });

  test('are used separately: signing in with one does not mark the other as used', async () => {
    const subject = 'another same subject';
    const { user, email, invite } = await inviteUser();
    await acceptInviteAs(service, invite, verifiedIdentity(email, { ...atA, subject }));
    await acceptInviteAs(service, await makeInvite(admin, user), verifiedIdentity(email, { ...atB, subject }));
    service.clock.advance(1_000);
    const { workspaceId } = service.first;
    const person = { workspaceId, environment: 'production', personId: user } as const;
    await openSession(service.context, person, { identity: { issuer: issuerB, subject } });
    const { identities } = (await (await service.enter(service.first)).get(`/v1/users/${user}/export`)).body;
    const used = identities.map((one: any) => [one.issuer, one.last_signed_in_at > one.created_at]);
    expect(used.toSorted()).toEqual([
      [issuerA, false],
      [issuerB, true],
    ]);
  });
});

describe('an acceptance', () => {
  test('activates the user, links the identity, and is in the audit log as an action of the person', async () => {
    const { email, user, invite } = await inviteUser();
    const identity = verifiedIdentity(email.toUpperCase());
    const outcome = await acceptInviteAs(service, invite, identity);
    const { workspaceId } = service.first;
    expect(outcome).toEqual({ outcome: 'accepted', workspaceId, environment: 'production', personId: user });
    const { body } = await admin.get(`/v1/users/${user}`);
    const at = new Date(service.clock.now()).toISOString();
    expect(body).toMatchObject({ status: 'active', memberships: [{ status: 'active', joined_at: at }] });
    expect((await admin.get(`/v1/invites/${invite}`)).body).toMatchObject({ state: 'accepted', accepted_at: at });
    expect(await identitiesOf(user)).toMatchObject([{ issuer: identity.issuer, subject: identity.subject }]);
    const { data } = (await admin.get('/v1/audit-log?limit=2')).body;
    expect(data.map((line: any) => [line.subject_type, line.act, line.subject, line.client_id])).toEqual([
      ['user', 'change', user, firstClient],
      ['invite', 'change', user, firstClient],
    ]);
    expect(data[1].before.accepted_at).toBeNull();
    expect(data[1].after.accepted_at).toBe(at);
  });

  test('opening the link changes nothing and shows who invites, and to which client', async () => {
    const { user, invite } = await inviteUser();
    const secret = await inviteSecretOf(service, invite);
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(await findInviteBySecret(service.context, secret)).toMatchObject({
        state: 'pending',
        address: (await admin.get(`/v1/users/${user}`)).body.email,
        identityProvider: null,
        clientName: 'Here',
        workspaceName: expect.any(String),
      });
    }
    expect(await stateOf(invite)).toBe('pending');
    expect(await findInviteBySecret(service.context, `${secret}x`)).toBeUndefined();
  });

  test('joins one client, not the others that have added the user', async () => {
    const { email, user, invite } = await inviteUser();
    await makeUser(admin, secondClient, { email });
    await acceptInviteAs(service, invite, verifiedIdentity(email));
    const { memberships } = (await admin.get(`/v1/users/${user}`)).body;
    expect(memberships.map((one: any) => [one.client_id, one.status])).toEqual([
      [firstClient, 'active'],
      [secondClient, 'invited'],
    ]);
  });
});

describe('the person it is for', () => {
  test('a provider other than the required one is refused, and the invite stays pending', async () => {
    const { email, user, invite } = await inviteUser({ identity_provider: 'provider_b' });
    expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toEqual(wrongOutcome('provider'));
    expect([await stateOf(invite), await identitiesOf(user)]).toEqual(['pending', []]);
    const right = await acceptInviteAs(service, invite, verifiedIdentity(email, { provider: 'provider_b' }));
    expect(right).toMatchObject({ outcome: 'accepted' });
  });

  test.each([
    ['another address', (email: string) => verifiedIdentity(`x${email}`), 'address'],
    ['the address with a plus tag', (email: string) => verifiedIdentity(email.replace('@', '+x@')), 'address'],
    [
      'an address that the provider has not verified',
      (email: string) => verifiedIdentity(email, { emailVerified: false }),
      'unverified',
    ],
  ])('%s is refused, and the invite stays valid', async (_what, identity, reason) => {
    const { email, user, invite } = await inviteUser();
    const before = await runSql(service.database, 'SELECT count(*) FROM audit_entry');
    expect(await acceptInviteAs(service, invite, identity(email))).toEqual(wrongOutcome(reason));
    expect([await stateOf(invite), await identitiesOf(user)]).toEqual(['pending', []]);
    expect(await runSql(service.database, 'SELECT count(*) FROM audit_entry')).toEqual(before);
    expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toMatchObject({ outcome: 'accepted' });
  });

  test('an address on the invite is used instead of that of the user', async () => {
    const other = newEmail();
    const { email, invite } = await inviteUser({ email: other });
    expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toEqual(wrongOutcome('address'));
    expect(await acceptInviteAs(service, invite, verifiedIdentity(other))).toMatchObject({ outcome: 'accepted' });
  });

  test('a linked identity is accepted, even if its address has changed since', async () => {
    const { email, user, invite } = await inviteUser();
    const identity = verifiedIdentity(email);
    await acceptInviteAs(service, invite, identity);
    await makeUser(admin, secondClient, { email });
    const next = await makeInvite(admin, user, { client_id: secondClient });
    const outcome = await acceptInviteAs(service, next, {
      ...identity,
      email: 'moved@elsewhere.example',
      emailVerified: false,
    });
    expect(outcome).toMatchObject({ outcome: 'accepted' });
    expect(await identitiesOf(user)).toHaveLength(1);
  });

  test('without an address on the invite, any verified address is accepted, once', async () => {
    const { user, invite } = await inviteUser({ email: null });
    const secret = await inviteSecretOf(service, invite);
    expect(await findInviteBySecret(service.context, secret)).toMatchObject({ address: null });
    const [identity, other] = [verifiedIdentity(newEmail()), verifiedIdentity(newEmail())];
    const unverified = { ...identity, emailVerified: false };
    expect(await acceptInviteAs(service, invite, unverified)).toEqual(wrongOutcome('unverified'));
    expect(await acceptInviteAs(service, invite, identity)).toMatchObject({ outcome: 'accepted', personId: user });
    expect(await acceptInviteAs(service, invite, other)).toEqual(wrongOutcome('accepted'));
    expect(await identitiesOf(user)).toMatchObject([{ subject: identity.subject, email: identity.email }]);
  });

  test('without an address on the invite, a required provider still decides', async () => {
    const { invite } = await inviteUser({ email: null, identity_provider: 'provider_b' });
    const identity = verifiedIdentity(newEmail(), { provider: 'provider_a' });
    expect(await acceptInviteAs(service, invite, identity)).toEqual(wrongOutcome('provider'));
  });

  test('without an address on the invite, the account of another user is refused: linked, or by its address', async () => {
    const somebody = await inviteUser();
    const linked = verifiedIdentity(somebody.email);
    await acceptInviteAs(service, somebody.invite, linked);
    const notYetJoined = await inviteUser();
    const { user, invite } = await inviteUser({ email: null });
    for (const identity of [linked, verifiedIdentity(notYetJoined.email.toUpperCase())])
      expect(await acceptInviteAs(service, invite, identity)).toEqual(wrongOutcome('account'));
    expect([await stateOf(invite), await identitiesOf(user)]).toEqual(['pending', []]);
  });

  test('without an address on the invite, it is not accepted once it is cancelled or seven days old', async () => {
    const [cancelled, expired] = [await inviteUser({ email: null }), await inviteUser({ email: null })];
    await cancel(cancelled.invite);
    expect(await acceptInviteAs(service, cancelled.invite, verifiedIdentity(newEmail()))).toEqual(
      wrongOutcome('cancelled'),
    );
    const after = {
      ...service,
      context: { ...service.context, clock: { now: () => service.clock.now() + 7 * dayMs } },
    };
    expect(await acceptInviteAs(after, expired.invite, verifiedIdentity(newEmail()))).toEqual(wrongOutcome('expired'));
  });

  test('v1 and Plain restrict an invite to the address of the user, JSON:API only to the one that is sent', async () => {
    const [onV1, onJsonApi] = [await inviteUser(), await inviteUser()];
    expect((await admin.get(`/v1/invites/${onV1.invite}`)).body.email).toBe(onV1.email);
    const path = `/api/v2/users/${onJsonApi.user}/invites`;
    const made = await admin.post(path, { data: { type: 'invite', attributes: {} } });
    expect(made.body.data.attributes.email).toBeNull();
    const email = newEmail();
    const onPlain = await admin.post(`/v2/clients/${firstClient}/users`, {
      email,
      name: 'Plain Person',
      role: 'viewer',
    });
    const anybody = (): ReturnType<typeof verifiedIdentity> => verifiedIdentity(newEmail());
    expect(await acceptInviteAs(service, onV1.invite, anybody())).toEqual(wrongOutcome('address'));
    expect(await acceptInviteAs(service, onPlain.body.id, anybody())).toEqual(wrongOutcome('address'));
    expect(await acceptInviteAs(service, made.body.data.id, anybody())).toMatchObject({ outcome: 'accepted' });
  });

  test('a pending invite follows the address of its user, unless it was given one of its own', async () => {
    const [own, given] = [await inviteUser(), newEmail()];
    const restricted = await inviteUser({ email: given });
    const [moved, alsoMoved] = [newEmail(), newEmail()];
    await admin.patch(`/v1/users/${own.user}`, { email: moved });
    await admin.patch(`/v1/users/${restricted.user}`, { email: alsoMoved });
    expect(await acceptInviteAs(service, own.invite, verifiedIdentity(own.email))).toEqual(wrongOutcome('address'));
    expect(await acceptInviteAs(service, own.invite, verifiedIdentity(moved))).toMatchObject({ outcome: 'accepted' });
    const wrong = verifiedIdentity(alsoMoved);
    expect(await acceptInviteAs(service, restricted.invite, wrong)).toEqual(wrongOutcome('address'));
    expect(await acceptInviteAs(service, restricted.invite, verifiedIdentity(given))).toMatchObject({
      outcome: 'accepted',
    });
  });

  test('an address on the invite must match even for a linked identity', async () => {
    const { email, user, invite } = await inviteUser();
    const identity = verifiedIdentity(email);
    await acceptInviteAs(service, invite, identity);
    const next = await makeInvite(admin, user, { email: newEmail() });
    expect(await acceptInviteAs(service, next, identity)).toEqual(wrongOutcome('address'));
  });

  test('an identity of another user is refused, even with the invited address', async () => {
    const somebody = await inviteUser();
    const identity = verifiedIdentity(somebody.email);
    await acceptInviteAs(service, somebody.invite, identity);
    const { email, user, invite } = await inviteUser();
    expect(await acceptInviteAs(service, invite, { ...identity, email })).toEqual(wrongOutcome('account'));
    expect([await stateOf(invite), await identitiesOf(user)]).toEqual(['pending', []]);
  });

  test('in another environment the same identity may be another user', async () => {
    const sandbox = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], environment: 'sandbox' });
    const { email, invite } = await inviteUser();
    const identity = verifiedIdentity(email);
    await acceptInviteAs(service, invite, identity);
    const client = await sandbox.makeClient('Sand');
    const user = await makeUser(sandbox, client, { email });
    const outcome = await acceptInviteAs(service, await makeInvite(sandbox, user), identity);
    expect(outcome).toMatchObject({ outcome: 'accepted', environment: 'sandbox', personId: user });
  });

  test('a user who is disabled at the client cannot accept an earlier invite', async () => {
    const { email, user, invite } = await inviteUser();
    await admin.send(`/v1/users/${user}/disable`, { method: 'POST' });
    expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toEqual(wrongOutcome('disabled'));
    await admin.send(`/v1/users/${user}/enable`, { method: 'POST' });
    expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toMatchObject({ outcome: 'accepted' });
  });

  test('an unknown link is rejected', async () => {
    const outcome = await acceptInvite(service.context, 'made-up', verifiedIdentity(newEmail()));
    expect(outcome).toEqual(wrongOutcome('unknown'));
  });
});

describe('once', () => {
  test('once accepted, it cannot be accepted again by any identity', async () => {
    const { email, invite } = await inviteUser();
    const identity = verifiedIdentity(email);
    await acceptInviteAs(service, invite, identity);
    expect(await acceptInviteAs(service, invite, identity)).toEqual(wrongOutcome('accepted'));
    expect(await acceptInviteAs(service, invite, verifiedIdentity(email))).toEqual(wrongOutcome('accepted'));
  });

  test('once cancelled, it cannot be accepted', async () => {
    const { email, invite } = await inviteUser();
    const secret = await inviteSecretOf(service, invite);
    await cancel(invite);
    expect(await acceptInvite(service.context, secret, verifiedIdentity(email))).toEqual(wrongOutcome('cancelled'));
  });

  test('it is deleted with the user and with the membership', async () => {
    const alone = await inviteUser();
    const secret = await inviteSecretOf(service, alone.invite);
    await admin.delete(`/v1/users/${alone.user}`);
    expect(await acceptInvite(service.context, secret, verifiedIdentity(alone.email))).toEqual(wrongOutcome('unknown'));
    const both = await inviteUser();
    await makeUser(admin, secondClient, { email: both.email });
    const bound = await admin.becomeApplication({ scoped_to: firstClient });
    await bound.delete(`/v1/users/${both.user}`);
    expect(await acceptInviteAs(service, both.invite, verifiedIdentity(both.email))).toEqual(wrongOutcome('cancelled'));
  });
});

describe('concurrent requests', () => {
  test('ten people accept one invite with ten identities: one succeeds, and one identity is linked', async () => {
    const { email, user, invite } = await inviteUser();
    const secret = await inviteSecretOf(service, invite);
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => acceptInvite(service.context, secret, verifiedIdentity(email))),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'accepted')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'wrong')).toEqual(Array(9).fill(wrongOutcome('accepted')));
    expect(await identitiesOf(user)).toHaveLength(1);
  });

  test('two invites of two users are accepted with one identity: it is linked to one of them', async () => {
    const shared = newEmail();
    const [one, other] = [await inviteUser({ email: shared }), await inviteUser({ email: shared })];
    const identity = verifiedIdentity(shared);
    const [first, second] = await runInLockOrder(
      service.database,
      () => acceptInviteAs(service, one.invite, identity),
      () => acceptInviteAs(service, other.invite, identity),
    );
    expect([first.outcome, second]).toEqual(['accepted', wrongOutcome('account')]);
    expect([await stateOf(other.invite), await identitiesOf(other.user)]).toEqual(['pending', []]);
  });

  test('a cancellation after an acceptance is refused; an acceptance after a cancellation is rejected', async () => {
    const first = await inviteUser();
    const [accepted, refused] = await runInLockOrder(
      service.database,
      () => acceptInviteAs(service, first.invite, verifiedIdentity(first.email)),
      () => cancel(first.invite),
    );
    expect([accepted.outcome, refused.status, refused.body.code]).toEqual(['accepted', 409, 'invite-accepted']);
    const second = await inviteUser();
    const secret = await inviteSecretOf(service, second.invite);
    const [cancelled, late] = await runInLockOrder(
      service.database,
      () => cancel(second.invite),
      () => acceptInvite(service.context, secret, verifiedIdentity(second.email)),
    );
    expect([cancelled.status, late]).toEqual([200, wrongOutcome('cancelled')]);
    expect(await identitiesOf(second.user)).toEqual([]);
  });

  test('an acceptance after the deletion of the user is rejected; a deletion after an acceptance removes everything', async () => {
    const first = await inviteUser();
    const secret = await inviteSecretOf(service, first.invite);
    const [gone, late] = await runInLockOrder(
      service.database,
      () => admin.delete(`/v1/users/${first.user}`),
      () => acceptInvite(service.context, secret, verifiedIdentity(first.email)),
    );
    expect([gone.status, late]).toEqual([204, wrongOutcome('unknown')]);
    const second = await inviteUser();
    const [accepted, deleted] = await runInLockOrder(
      service.database,
      () => acceptInviteAs(service, second.invite, verifiedIdentity(second.email)),
      () => admin.delete(`/v1/users/${second.user}`),
    );
    expect([accepted.outcome, deleted.status]).toEqual(['accepted', 204]);
    expect(await identitiesOf(second.user)).toEqual([]);
    expect((await admin.get(`/v1/users/${second.user}`)).status).toBe(404);
  });

  test('a newer invite after an acceptance does not change the accepted one', async () => {
    const { email, user, invite } = await inviteUser();
    const [accepted, newer] = await runInLockOrder(
      service.database,
      () => acceptInviteAs(service, invite, verifiedIdentity(email)),
      () => makeInvite(admin, user),
    );
    expect([accepted.outcome, await stateOf(invite), await stateOf(newer)]).toEqual([
      'accepted',
      'accepted',
      'pending',
    ]);
  });

  test('an invite after the deletion of its user is refused', async () => {
    const user = await makeMember(service, firstClient);
    const [gone, invite] = await runInLockOrder(
      service.database,
      () => admin.delete(`/v1/users/${user}`),
      () => admin.post('/v1/invites', { user_id: user }),
    );
    expect([gone.status, invite.status, invite.body.code]).toEqual([204, 404, 'user-not-found']);
  });
});
