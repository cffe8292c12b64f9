// People as callers of the API: with the cookie of a session, or through a token that a key obtained for them.

import { beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { hourMs, minuteMs } from '../../../src/kit/clock.ts';
import {
  signAssertion,
  requestToken,
  refusedTokenResponse,
  registerEc,
  registerRsa,
  tokenResponse,
} from '../../setup/access/assertion.ts';
import { errorCodeOf } from '../../setup/http/answer.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  requestUserToken,
  insertPerson,
  signIn,
  SignedInCaller,
  callerForUser,
  type MembershipFixture,
} from '../../setup/people/person-caller.ts';
import { workspaceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = workspaceForThisFile();
let above: string;
let client: string;
let sibling: string;
let entity: string;
let siblingEntity: string;

beforeAll(async () => {
  const { admin } = service;
  above = await admin.makeClient('Above');
  client = await admin.makeClient('Client', above);
  sibling = await admin.makeClient('Sibling');
  entity = await makeRecord(admin, 'reporting-entities', { client_id: client, name: 'Entity' });
  siblingEntity = await makeRecord(admin, 'reporting-entities', { client_id: sibling, name: 'Of the sibling' });
});

function makePerson(memberships: readonly MembershipFixture[]): Promise<string> {
  return insertPerson(service, { memberships });
}

const makeReader = (): Promise<string> => makePerson([{ client, role: 'viewer', grants: [entity] }]);
const entityIds = async (caller: Caller): Promise<string[]> =>
  (await caller.get('/v1/reporting-entities')).body.data.map(({ id }: { id: string }) => id);

describe('a token for a user', () => {
  test('is issued to a key of flow A, and names the user', async () => {
    const id = await makeReader();
    const caller = await callerForUser(service, id);
    const { body } = await caller.get('/v1/me');
    expect([body.sub, body.user.id, body.rights, body.scoped_to]).toEqual([id, id, ['read'], null]);
    expect(await entityIds(caller)).toEqual([entity]);
  });

  test('has a scope of what both the user and the key may do at the moment', async () => {
    const key = await registerRsa(service.admin, undefined, { rights: ['read', 'write'] });
    const [viewer, admin] = [await makeReader(), await makePerson([{ client, role: 'admin', grants: [entity] }])];
    expect((await requestUserToken(service, key, viewer)).body.scope).toBe('read');
    expect((await requestUserToken(service, key, admin)).body.scope).toBe('read write');
    const input = { now: service.clock.now(), audience: service.addresses.baseUrl };
    const assertion = signAssertion(key, input, { claims: { sub: viewer } });
    const beyond = await requestToken(key, service.admin, assertion, { scope: 'write' });
    expect([beyond.status, beyond.body.error]).toEqual([400, 'invalid_scope']);
  });

  test('is refused for a user without access to any client, with the same text in every case', async () => {
    const key = await registerRsa(service.admin);
    const refused = refusedTokenResponse(
      'invalid_grant',
      'The `sub` must equal the `iss`, or be the id of a user with access to a client that this key can see. There is no such user.',
    );
    const invited = await makePerson([{ client, role: 'admin', grants: [entity], status: 'invited' }]);
    const disabled = await makePerson([{ client, role: 'admin', grants: [entity], status: 'disabled' }]);
    for (const id of [invited, disabled, await makePerson([]), randomUUID(), 'nobody']) {
      expect([id, tokenResponse(await requestUserToken(service, key, id))]).toEqual([id, refused]);
    }
  });

  test('is not issued in flow B', async () => {
    const key = await registerEc(service.admin);
    const assertionInput = { now: service.clock.now(), audience: service.addresses.authUrl };
    const reply = await requestToken(
      key,
      service.admin,
      signAssertion(key, assertionInput, { claims: { sub: await makeReader() } }),
    );
    expect(tokenResponse(reply)).toEqual(
      refusedTokenResponse('invalid_grant', 'The `sub` of a server-to-server assertion must equal its `iss`.'),
    );
  });

  test('is not issued to a key of another workspace or environment', async () => {
    const id = await makeReader();
    const keys = [
      await registerRsa(await service.openWorkspace()),
      await registerRsa(
        await service.admin.becomeApplication({ rights: ['read', 'write', 'admin'], environment: 'sandbox' }),
      ),
    ];
    for (const key of keys) expect((await requestUserToken(service, key, id)).status).toBe(400);
  });

  test('has no more access than its key', async () => {
    const id = await makePerson([
      { client, role: 'viewer', grants: [entity] },
      { client: sibling, role: 'viewer', grants: [siblingEntity] },
    ]);
    const scoped = (scoped_to: string) => registerRsa(service.admin, undefined, { rights: ['read'], scoped_to });
    expect((await entityIds(await callerForUser(service, id))).toSorted()).toEqual([entity, siblingEntity].toSorted());
    expect(await entityIds(await callerForUser(service, id, await scoped(above)))).toEqual([entity]);
    const ofSibling = await callerForUser(service, id, await scoped(sibling));
    expect(await entityIds(ofSibling)).toEqual([siblingEntity]);
    expect((await ofSibling.get(`/v1/reporting-entities/${entity}`)).status).toBe(404);
    expect((await ofSibling.get('/v1/me')).body.user.memberships).toEqual([{ client_id: sibling, role: 'viewer' }]);
    const foreignKey = await scoped(await service.admin.makeClient('Elsewhere'));
    expect((await requestUserToken(service, foreignKey, id)).body.error).toBe('invalid_grant');
  });

  test('has no right that its key lacks', async () => {
    const id = await makePerson([{ client, role: 'admin', grants: [entity] }]);
    const writing = await registerRsa(service.admin, undefined, { rights: ['write'] });
    const caller = await callerForUser(service, id, writing);
    expect((await caller.get('/v1/me')).body.rights).toEqual(['write']);
    expect(errorCodeOf(await caller.get('/v1/reporting-entities'))).toBe('right-missing');
  });

  test('is no longer valid once the user has no client or the key is deleted', async () => {
    const [one, other] = [await makeReader(), await makeReader()];
    const key = await registerRsa(service.admin, undefined, { rights: ['read'] });
    const [first, second] = [await callerForUser(service, one, key), await callerForUser(service, other, key)];
    await runSql(service.database, 'UPDATE membership SET disabled_at = now() WHERE person_id = $1', [one]);
    expect(errorCodeOf(await first.get('/v1/me'))).toBe('token-revoked');
    expect((await second.get('/v1/me')).status).toBe(200);
    await service.admin.delete(`/v1/keys/${key.kid}`);
    expect(errorCodeOf(await second.get('/v1/me'))).toBe('token-revoked');
  });
});

describe('in a session', () => {
  test('the cookie is enough to read, and a token takes precedence over it', async () => {
    const signedIn = await signIn(service, await makeReader());
    expect((await signedIn.get('/v1/me')).body.user.reporting_entity_ids).toEqual([entity]);
    const authorization = `Bearer ${service.admin.token}`;
    expect((await signedIn.get('/v1/me', { authorization })).body.user).toBeNull();
    expect(errorCodeOf(await signedIn.get('/v1/me', { authorization: 'Bearer no' }))).toBe('token-invalid');
  });

  test('a cookie without a session is not accepted', async () => {
    for (const cookie of ['holdfast_session=made-up', 'holdfast_session=', 'other=1', 'holdfast_session']) {
      const reply = await service.admin.withToken(null).get('/v1/me', { cookie });
      expect([reply.status, errorCodeOf(reply)]).toEqual([401, 'token-missing']);
    }
  });

  test('it ends after half an hour without a request, and at the latest after twelve hours', async () => {
    const own = await serviceForThisTest();
    const homeClient = await own.admin.makeClient('Home');
    const signedIn = await signIn(
      own,
      await insertPerson(own, { memberships: [{ client: homeClient, role: 'viewer' }] }),
    );
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      expect((await signedIn.get('/v1/me')).status).toBe(200);
      own.clock.advance(20 * minuteMs);
    }
    expect((await signedIn.get('/v1/me')).status).toBe(200);
    own.clock.advance(20 * minuteMs);
    expect((await signedIn.get('/v1/me')).status).toBe(401);
    const again = await signIn(own, await insertPerson(own, { memberships: [{ client: homeClient, role: 'viewer' }] }));
    own.clock.advance(hourMs / 2);
    expect((await again.get('/v1/me')).status).toBe(401);
  });

  test('writes are accepted only from our own pages', async () => {
    const id = await makePerson([{ client, role: 'advisor', grants: [entity] }]);
    const signedIn = await signIn(service, id);
    const check = (caller: Caller, headers = {}) =>
      caller.post('/v1/limits/check', { reporting_entity_id: entity }, headers);
    expect((await check(signedIn)).status).toBe(200);
    const { cookie, csrf, origin } = signedIn;
    const other = await signIn(service, id);
    const forged: [string, Record<string, string>][] = [
      ['Origin', { 'x-csrf-token': csrf }],
      ['Origin', { 'x-csrf-token': csrf, origin: 'https://elsewhere.test' }],
      ['Origin', { 'x-csrf-token': csrf, origin: 'null' }],
      ['X-CSRF-Token', { origin }],
      ['X-CSRF-Token', { origin, 'x-csrf-token': `${csrf}A` }],
      ['X-CSRF-Token', { origin, 'x-csrf-token': other.csrf }],
    ];
    for (const [header, headers] of forged) {
      const reply = await check(service.admin.withToken(null), { cookie, ...headers });
      expect([reply.status, reply.body.code, reply.body.errors[0].header]).toEqual([403, 'request-forged', header]);
    }
  });
});

test('a repeated request gets the stored answer for people with the same access, and for no others', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(async () => signIn(service, await makePerson([{ client, role: 'admin' }]))),
  );
  const assertionInput = { client_id: client, email: 'new@people.test', first_name: 'New', last_name: 'Comer' };
  const headers = { 'idempotency-key': 'once' };
  const made = await one!.post('/v1/users', assertionInput, headers);
  expect(made.status).toBe(201);
  expect((await one!.post('/v1/users', assertionInput, headers)).text).toBe(made.text);
  expect((await other!.post('/v1/users', assertionInput, headers)).text).toBe(made.text);
  const elsewhere = await service.admin.makeClient('Elsewhere');
  const stranger = await signIn(service, await makePerson([{ client: elsewhere, role: 'admin' }]));
  expect(errorCodeOf(await stranger.post('/v1/users', assertionInput, headers))).toBe('outside-reach');
});

test('each person has a separate budget, whether with a session or a token', async () => {
  const own = await serviceForThisTest({ settings: { BUDGET_PER_MINUTE: '60', BUDGET_BURST: '20' } });
  const homeClient = await own.admin.makeClient('Home');
  const ids = [1, 2].map(() => insertPerson(own, { memberships: [{ client: homeClient, role: 'viewer' }] }));
  const [one, other] = await Promise.all(ids);
  const key = await registerRsa(own.admin, undefined, { rights: ['read'] });
  const callers: Caller[] = [await signIn(own, one!), await callerForUser(own, one!, key)];
  // The request for the token was the first of the twenty.
  for (let assertionInput = 0; assertionInput < 19; assertionInput++)
    expect((await callers[assertionInput % 2]!.get('/v1/me')).status).toBe(200);
  for (const signedInCaller of callers) expect(errorCodeOf(await signedInCaller.get('/v1/me'))).toBe('budget-exceeded');
  expect((await (await signIn(own, other!)).get('/v1/me')).status).toBe(200);
  expect((await own.admin.get('/v1/me')).status).toBe(200);
});

test('a person’s report is also computed in a thread', async () => {
  const own = await serviceForThisTest({ settings: { WORK_THREADS: '1' } });
  const homeClient = await own.admin.makeClient('Home');
  const [granted, hidden] = [
    await makeRecord(own.admin, 'reporting-entities', { client_id: homeClient, name: 'Granted' }),
    await makeRecord(own.admin, 'reporting-entities', { client_id: homeClient, name: 'Hidden' }),
  ];
  const memberships = [{ client: homeClient, role: 'viewer', grants: [granted] }] as const;
  const signedIn: SignedInCaller = await signIn(own, await insertPerson(own, { memberships }));
  expect((await signedIn.get(`/v1/holdings?reporting_entity_id=${granted}`)).status).toBe(200);
  expect((await signedIn.get(`/v1/holdings?reporting_entity_id=${hidden}`)).status).toBe(404);
});
