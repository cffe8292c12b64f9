// The administrators of a workspace over HTTP: added by a mailed link or a printed one, listed, removed, exported and erased.

import { describe, expect, test } from 'vitest';
import { makePrintedLink } from '../../../src/actions/people/administrator.ts';
import { acceptInvite } from '../../../src/actions/people/invite-acceptance.ts';
import { dayMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { callerForUser, insertPerson, signIn } from '../../setup/people/person-caller.ts';
import {
  acceptInviteAs,
  administratorSecretOf,
  makeInvite,
  makeMember,
  makeUser,
  newEmail,
  verifiedIdentity,
} from '../../setup/people/members.ts';
import { runSql } from '../../setup/database/sql.ts';
import { serviceForThisFile, serviceForThisTest, type TestService } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();

const names = { first_name: 'Nora', last_name: 'Lindqvist' };

async function add(caller: Caller, email = newEmail()): Promise<{ readonly id: string; readonly email: string }> {
  const reply = await caller.post('/v1/administrators', { email, ...names });
  if (reply.status !== 201) throw new Error(`No administrator: ${reply.status} ${reply.text}`);
  return { id: reply.body.id, email };
}

async function join(of: TestService, { id, email }: { id: string; email: string }): Promise<unknown> {
  const secret = await administratorSecretOf(of, id);
  return (await acceptInvite(of.context, secret, verifiedIdentity(email))).outcome;
}

async function printedSecret(of: TestService): Promise<string> {
  const { workspaceId, environment } = of.first;
  const { link } = await makePrintedLink(of.context, { workspaceId: workspaceId as Id, environment });
  return link.slice(link.lastIndexOf('/') + 1);
}

describe('a mailed link', () => {
  test('makes the invited person an administrator, once, and everything is in the audit log', async () => {
    const { admin } = service;
    const invited = await add(admin);
    const path = `/v1/administrators/${invited.id}`;
    expect((await admin.get(path)).body).toMatchObject({
      email: invited.email,
      ...names,
      status: 'invited',
      joined_at: null,
      mail: { status: 'queued' },
    });
    const secret = await administratorSecretOf(service, invited.id);
    const identity = verifiedIdentity(invited.email);
    const accepted = await acceptInvite(service.context, secret, identity);
    expect(accepted).toMatchObject({ outcome: 'accepted', personId: invited.id });
    expect(await acceptInvite(service.context, secret, identity)).toEqual({ outcome: 'wrong', reason: 'accepted' });
    expect((await admin.get(path)).body).toMatchObject({ status: 'active' });
    const signedIn = await signIn(service, invited.id);
    expect((await signedIn.get('/v1/me')).body.user.workspace_administrator).toBe(true);
    const { data } = (await admin.get(`/v1/audit-log?subject_type=administrator&subject_id=${invited.id}`)).body;
    expect(data.map((line: any) => [line.act, line.subject, line.after.joined_at === null])).toEqual([
      ['change', invited.id, false],
      ['create', service.first.workspaceId, true],
    ]);
    expect(data[1].after).toMatchObject({ email: invited.email, ...names });
  });

  test('is accepted with the identity that a person has already, whatever address that has now, and with nobody else’s', async () => {
    const email = newEmail();
    const client = await service.admin.makeClient('Lindqvist Family');
    const identity = verifiedIdentity(email);
    const user = await makeUser(service.admin, client, { email });
    const invite = await makeInvite(service.admin, user);
    expect(await acceptInviteAs(service, invite, identity)).toMatchObject({ outcome: 'accepted', personId: user });
    const stranger = await add(service.admin);
    const strangersLink = await administratorSecretOf(service, stranger.id);
    expect(await acceptInvite(service.context, strangersLink, { ...identity, email: stranger.email })).toEqual({
      outcome: 'wrong',
      reason: 'account',
    });
    const invited = await add(service.admin, email);
    expect(invited.id).toBe(user);
    const own = await administratorSecretOf(service, invited.id);
    const moved = { ...identity, email: newEmail(), emailVerified: false };
    expect(await acceptInvite(service.context, own, moved)).toMatchObject({ outcome: 'accepted', personId: user });
  });

  test('is for the invited address only, and a newer one replaces it', async () => {
    const invited = await add(service.admin);
    const earlier = await administratorSecretOf(service, invited.id);
    const stranger = verifiedIdentity(newEmail());
    expect(await acceptInvite(service.context, earlier, stranger)).toEqual({ outcome: 'wrong', reason: 'address' });
    const unverified = verifiedIdentity(invited.email, { emailVerified: false });
    expect(await acceptInvite(service.context, earlier, unverified)).toEqual({
      outcome: 'wrong',
      reason: 'unverified',
    });
    expect((await add(service.admin, invited.email)).id).toBe(invited.id);
    const outdated = await acceptInvite(service.context, earlier, verifiedIdentity(invited.email));
    expect(outdated).toEqual({ outcome: 'wrong', reason: 'cancelled' });
    expect(await join(service, invited)).toBe('accepted');
    const again = await service.admin.post('/v1/administrators', { email: invited.email, ...names });
    expect([again.status, errorCodeOf(again)]).toEqual([409, 'administrator-exists']);
  });
});

test('there are at most 100; of two at a time for the last place one is added, and who was invited gets a new link', async () => {
  const own = await serviceForThisTest();
  const invited = await add(own.admin);
  await runSql(
    own.database,
    `WITH people AS (INSERT INTO person SELECT $1, $2, 'person ' || n, n || '@people.test', n || '@people.test', now()
       FROM generate_series(1, 98) n RETURNING id)
     INSERT INTO workspace_administrator (workspace_id, environment, person_id, first_name, last_name, created_at)
     SELECT $1, $2, id, 'Ada', 'Ministrator', now() FROM people`,
    [own.first.workspaceId, own.first.environment],
  );
  const tryAdding = () => own.admin.post('/v1/administrators', { email: newEmail(), ...names });
  const last = await Promise.all([tryAdding(), tryAdding()]);
  expect(last.map(({ status }) => status).toSorted()).toEqual([201, 409]);
  const refused = await tryAdding();
  expect([refused.status, errorCodeOf(refused), refused.body.detail]).toEqual([
    409,
    'too-many-administrators',
    expect.stringContaining('at most 100 administrators'),
  ]);
  expect((await add(own.admin, invited.email)).id).toBe(invited.id);
  expect((await own.admin.delete(`/v1/administrators/${invited.id}`)).status).toBe(204);
  expect((await tryAdding()).status).toBe(201);
  const sandbox = await own.admin.becomeApplication({ rights: ['read', 'write', 'admin'], environment: 'sandbox' });
  expect((await sandbox.post('/v1/administrators', { email: newEmail(), ...names })).status).toBe(201);
});

describe('a printed link', () => {
  test('makes whoever signs in with it an administrator, once', async () => {
    const secret = await printedSecret(service);
    const identity = verifiedIdentity(newEmail(), { name: 'Ada Lindqvist' });
    const accepted = await acceptInvite(service.context, secret, identity);
    expect(accepted).toMatchObject({ outcome: 'accepted' });
    const id = accepted.outcome === 'accepted' ? accepted.personId : '';
    const { body } = await (await signIn(service, id)).get('/v1/me');
    expect(body.user).toMatchObject({ name: 'Ada Lindqvist', email: identity.email, workspace_administrator: true });
    const another = await acceptInvite(service.context, secret, verifiedIdentity(newEmail()));
    expect(another).toEqual({ outcome: 'wrong', reason: 'accepted' });
  });

  test('does nothing a day later, with another secret, or with an address that nobody verified', async () => {
    const own = await serviceForThisTest();
    const secret = await printedSecret(own);
    const accept = (text: string, fields = {}) => acceptInvite(own.context, text, verifiedIdentity(newEmail(), fields));
    expect(await accept(`${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`)).toMatchObject({
      reason: 'unknown',
    });
    expect(await accept(secret, { emailVerified: false })).toMatchObject({ reason: 'unverified' });
    own.clock.advance(dayMs);
    expect(await accept(secret)).toMatchObject({ reason: 'expired' });
    const later = await own.enter(own.first);
    expect((await later.get('/v1/administrators')).body.data).toEqual([]);
  });
});

describe('only who has it all hands it on', () => {
  test('callers of one client, callers without every right, and people of a client are refused', async () => {
    const { admin } = service;
    const client = await admin.makeClient('Client');
    const bound = await admin.becomeApplication({ rights: ['read', 'write', 'admin'], scoped_to: client });
    const partial = await admin.becomeApplication({ rights: ['admin'] });
    const reading = await admin.becomeApplication({ rights: ['read', 'write'] });
    const head = await signIn(service, await insertPerson(service, { memberships: [{ client, role: 'admin' }] }));
    const body = { email: newEmail(), ...names };
    const codes = [];
    for (const caller of [bound, partial, reading, head])
      codes.push(errorCodeOf(await caller.post('/v1/administrators', body)));
    expect(codes).toEqual(['outside-reach', 'right-missing', 'right-missing', 'right-missing']);
    expect(errorCodeOf(await bound.get('/v1/administrators'))).toBe('outside-reach');
    expect(errorCodeOf(await head.get('/v1/administrators'))).toBe('right-missing');
  });

  test('a member who is invited has not the role yet, and their address is changed only with all rights', async () => {
    const { admin } = service;
    const client = await admin.makeClient('Client');
    const email = newEmail();
    const user = await makeMember(service, client, { email });
    expect((await add(admin, email)).id).toBe(user);
    const { body: me } = await (await signIn(service, user)).get('/v1/me');
    expect(me.user.workspace_administrator).toBe(false);
    const writing = await admin.becomeApplication({ rights: ['read', 'write'] });
    const reply = await writing.patch(`/v1/users/${user}`, { email: newEmail() });
    expect([reply.status, errorCodeOf(reply)]).toEqual([403, 'right-missing']);
  });
});

describe('removing', () => {
  test('takes effect with the next request; people cannot remove the last, an application can', async () => {
    const own = await serviceForThisTest();
    const [one, other] = [await add(own.admin), await add(own.admin)];
    for (const invited of [one, other]) expect(await join(own, invited)).toBe('accepted');
    const [first, second] = [await signIn(own, one.id), await signIn(own, other.id)];
    expect((await first.delete(`/v1/administrators/${other.id}`)).status).toBe(204);
    expect((await second.get('/v1/me')).status).toBe(401);
    const last = await first.delete(`/v1/administrators/${one.id}`);
    expect([last.status, errorCodeOf(last)]).toEqual([409, 'last-administrator']);
    expect(errorCodeOf(await first.post(`/v1/users/${one.id}/erasure`, {}))).toBe('last-administrator');
    expect((await own.admin.delete(`/v1/administrators/${one.id}`)).status).toBe(204);
    expect((await first.get('/v1/me')).status).toBe(401);
    expect((await own.admin.get('/v1/administrators')).body.data).toEqual([]);
  });

  test('an unused link ends with the administrator', async () => {
    const invited = await add(service.admin);
    const secret = await administratorSecretOf(service, invited.id);
    expect((await service.admin.delete(`/v1/administrators/${invited.id}`)).status).toBe(204);
    const accepted = await acceptInvite(service.context, secret, verifiedIdentity(invited.email));
    expect(accepted).toEqual({ outcome: 'wrong', reason: 'unknown' });
  });

  test('another workspace and the sandbox neither see nor remove one', async () => {
    const invited = await add(service.admin);
    const others = [
      await service.openWorkspace(),
      await service.admin.becomeApplication({ rights: ['read', 'write', 'admin'], environment: 'sandbox' }),
    ];
    for (const caller of others) {
      expect((await caller.get('/v1/administrators')).body.data).toEqual([]);
      expect((await caller.get(`/v1/administrators/${invited.id}`)).status).toBe(404);
      expect((await caller.delete(`/v1/administrators/${invited.id}`)).status).toBe(404);
    }
    expect((await service.admin.get(`/v1/administrators/${invited.id}`)).status).toBe(200);
  });
});

test('the export of an administrator shows the role, and erasing forgets the name in every line', async () => {
  const invited = await add(service.admin);
  expect(await join(service, invited)).toBe('accepted');
  const { body } = await service.admin.get(`/v1/users/${invited.id}/export`);
  expect([body.user, body.administrator.email]).toEqual([null, invited.email]);
  expect(body.audit_log.map((line: any) => line.subject_type)).toContain('administrator');
  expect((await service.admin.post(`/v1/users/${invited.id}/erasure`, {})).status).toBe(204);
  expect((await service.admin.get(`/v1/administrators/${invited.id}`)).status).toBe(404);
  const lines = await service.admin.get(`/v1/audit-log?subject_type=administrator&subject_id=${invited.id}`);
  expect(lines.body.data).toHaveLength(4);
  expect(lines.text).not.toContain(invited.email);
});

test('people see where they are signed in and end a session there', async () => {
  const client = await service.admin.makeClient('Client');
  const id = await insertPerson(service, { memberships: [{ client, role: 'viewer' }] });
  const other = await insertPerson(service, { memberships: [{ client, role: 'viewer' }] });
  const [here, there, stranger] = [await signIn(service, id), await signIn(service, id), await signIn(service, other)];
  const { data } = (await here.get('/v1/me/sessions')).body;
  expect(data.map((one: any) => one.is_current)).toEqual([false, true]);
  const away = `/v1/me/sessions/${data[0].id}`;
  const delegated = await callerForUser(service, id);
  for (const caller of [stranger, delegated, service.admin]) {
    expect((await caller.get('/v1/me/sessions')).body.data.map((one: any) => one.id)).not.toContain(data[0].id);
    expect(errorCodeOf(await caller.delete(away))).toBe('session-not-found');
  }
  const key = { 'idempotency-key': 'end-it' };
  const ended = [await here.delete(away, key), await here.delete(away, key)];
  expect(ended.map(({ status, headers }) => [status, headers.get('idempotent-replayed')])).toEqual([
    [204, null],
    [204, 'true'],
  ]);
  expect([(await there.get('/v1/me')).status, (await here.delete(away)).status]).toEqual([401, 404]);
  expect((await here.get('/v1/me/sessions')).body.data).toHaveLength(1);
});
