// A person as a caller of the interface: with the cookie of a session, or through a token that a key was given for them.

import { beforeAll, describe, expect, test } from 'vitest';
import { randomUUID } from 'node:crypto';
import { hourMs, minuteMs } from '../../../src/kit/clock.ts';
import { assertionOf, exchange, refusedToken, registerEc, registerRsa, told } from '../../setup/access/assertion.ts';
import { codeOf } from '../../setup/http/answer.ts';
import type { Caller } from '../../setup/http/caller.ts';
import {
  askToStandIn,
  layOutPerson,
  signIn,
  SignedIn,
  standInFor,
  type LaidOutMembership,
} from '../../setup/people/person-caller.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';
import { make } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
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
  entity = await make(admin, 'reporting-entities', { client_id: client, name: 'Entity' });
  siblingEntity = await make(admin, 'reporting-entities', { client_id: sibling, name: 'Of the sibling' });
});

function person(memberships: readonly LaidOutMembership[]): Promise<string> {
  return layOutPerson(service, { memberships });
}

const reader = (): Promise<string> => person([{ client, role: 'viewer', grants: [entity] }]);
const entityIds = async (caller: Caller): Promise<string[]> =>
  (await caller.get('/v1/reporting-entities')).body.data.map(({ id }: { id: string }) => id);

describe('a token for a user', () => {
  test('is given to a key of flow A, and carries them', async () => {
    const id = await reader();
    const caller = await standInFor(service, id);
    const { body } = await caller.get('/v1/me');
    expect([body.sub, body.user.id, body.rights, body.scoped_to]).toEqual([id, id, ['read'], null]);
    expect(await entityIds(caller)).toEqual([entity]);
  });

  test('is refused for whom no client has let in, in the same words for all of them', async () => {
    const key = await registerRsa(service.admin);
    const refused = refusedToken(
      'invalid_grant',
      'The `sub` is the same as the `iss`, or the id of a user whom a client has let in: there is no such user within the reach of this key.',
    );
    const invited = await person([{ client, role: 'admin', grants: [entity], status: 'invited' }]);
    const disabled = await person([{ client, role: 'admin', grants: [entity], status: 'disabled' }]);
    for (const id of [invited, disabled, await person([]), randomUUID(), 'nobody']) {
      expect([id, told(await askToStandIn(service, key, id))]).toEqual([id, refused]);
    }
  });

  test('is not given in flow B', async () => {
    const key = await registerEc(service.admin);
    const asked = { now: service.clock.now(), audience: service.addresses.authUrl };
    const reply = await exchange(key, service.admin, assertionOf(key, asked, { claims: { sub: await reader() } }));
    expect(told(reply)).toEqual(
      refusedToken('invalid_grant', 'The `sub` of a server-to-server assertion is the same as its `iss`.'),
    );
  });

  test('is not given to a key of another workspace or environment', async () => {
    const id = await reader();
    const keys = [
      await registerRsa(await service.openWorkspace()),
      await registerRsa(await service.admin.become({ rights: ['admin'], environment: 'sandbox' })),
    ];
    for (const key of keys) expect((await askToStandIn(service, key, id)).status).toBe(400);
  });

  test('reaches no further than its key', async () => {
    const id = await person([
      { client, role: 'viewer', grants: [entity] },
      { client: sibling, role: 'viewer', grants: [siblingEntity] },
    ]);
    const scoped = (scoped_to: string) => registerRsa(service.admin, undefined, { rights: ['read'], scoped_to });
    expect((await entityIds(await standInFor(service, id))).toSorted()).toEqual([entity, siblingEntity].toSorted());
    expect(await entityIds(await standInFor(service, id, await scoped(above)))).toEqual([entity]);
    const ofSibling = await standInFor(service, id, await scoped(sibling));
    expect(await entityIds(ofSibling)).toEqual([siblingEntity]);
    expect((await ofSibling.get(`/v1/reporting-entities/${entity}`)).status).toBe(404);
    expect((await ofSibling.get('/v1/me')).body.user.memberships).toEqual([{ client_id: sibling, role: 'viewer' }]);
    const elsewhere = await scoped(await service.admin.makeClient('Elsewhere'));
    expect((await askToStandIn(service, elsewhere, id)).body.error).toBe('invalid_grant');
  });

  test('may no more than its key may', async () => {
    const id = await person([{ client, role: 'admin', grants: [entity] }]);
    const writing = await registerRsa(service.admin, undefined, { rights: ['write'] });
    const caller = await standInFor(service, id, writing);
    expect((await caller.get('/v1/me')).body.rights).toEqual(['write']);
    expect(codeOf(await caller.get('/v1/reporting-entities'))).toBe('right-missing');
  });

  test('is over once no client lets them in, and when the key is gone', async () => {
    const [one, other] = [await reader(), await reader()];
    const key = await registerRsa(service.admin, undefined, { rights: ['read'] });
    const [first, second] = [await standInFor(service, one, key), await standInFor(service, other, key)];
    await runSql(service.database, 'UPDATE membership SET disabled_at = now() WHERE person_id = $1', [one]);
    expect(codeOf(await first.get('/v1/me'))).toBe('token-revoked');
    expect((await second.get('/v1/me')).status).toBe(200);
    await service.admin.delete(`/v1/keys/${key.kid}`);
    expect(codeOf(await second.get('/v1/me'))).toBe('token-revoked');
  });
});

describe('in a session', () => {
  test('the cookie is enough to read, and a token goes before it', async () => {
    const signedIn = await signIn(service, await reader());
    expect((await signedIn.get('/v1/me')).body.user.reporting_entity_ids).toEqual([entity]);
    const authorization = `Bearer ${service.admin.token}`;
    expect((await signedIn.get('/v1/me', { authorization })).body.user).toBeNull();
    expect(codeOf(await signedIn.get('/v1/me', { authorization: 'Bearer no' }))).toBe('token-invalid');
  });

  test('a cookie without a session is no caller', async () => {
    for (const cookie of ['holdfast_session=made-up', 'holdfast_session=', 'other=1', 'holdfast_session']) {
      const reply = await service.admin.with(null).get('/v1/me', { cookie });
      expect([reply.status, codeOf(reply)]).toEqual([401, 'token-missing']);
    }
  });

  test('it is over when nobody has been there for half an hour, and after twelve in any case', async () => {
    const own = await serviceForThisTest();
    const home = await own.admin.makeClient('Home');
    const signedIn = await signIn(own, await layOutPerson(own, { memberships: [{ client: home, role: 'viewer' }] }));
    for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
      expect((await signedIn.get('/v1/me')).status).toBe(200);
      own.clock.advance(20 * minuteMs);
    }
    expect((await signedIn.get('/v1/me')).status).toBe(200);
    own.clock.advance(20 * minuteMs);
    expect((await signedIn.get('/v1/me')).status).toBe(401);
    const again = await signIn(own, await layOutPerson(own, { memberships: [{ client: home, role: 'viewer' }] }));
    own.clock.advance(hourMs / 2);
    expect((await again.get('/v1/me')).status).toBe(401);
  });

  test('what changes something is taken from a page of ours alone', async () => {
    const id = await person([{ client, role: 'advisor', grants: [entity] }]);
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
      const reply = await check(service.admin.with(null), { cookie, ...headers });
      expect([reply.status, reply.body.code, reply.body.errors[0].header]).toEqual([403, 'request-forged', header]);
    }
  });
});

test('a repeated request is answered again to the person who made it, and to nobody else', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(async () => signIn(service, await person([{ client, role: 'admin' }]))),
  );
  const asked = { client_id: client, email: 'new@people.test', first_name: 'New', last_name: 'Comer' };
  const headers = { 'idempotency-key': 'once' };
  const made = await one!.post('/v1/users', asked, headers);
  expect(made.status).toBe(201);
  expect((await one!.post('/v1/users', asked, headers)).text).toBe(made.text);
  expect(codeOf(await other!.post('/v1/users', asked, headers))).toBe('idempotency-key-reused');
});

test('each person has a budget of their own, whichever way they come', async () => {
  const own = await serviceForThisTest({ settings: { BUDGET_PER_MINUTE: '60', BUDGET_BURST: '20' } });
  const home = await own.admin.makeClient('Home');
  const ids = [1, 2].map(() => layOutPerson(own, { memberships: [{ client: home, role: 'viewer' }] }));
  const [one, other] = await Promise.all(ids);
  const key = await registerRsa(own.admin, undefined, { rights: ['read'] });
  const ways: Caller[] = [await signIn(own, one!), await standInFor(own, one!, key)];
  for (let asked = 0; asked < 20; asked++) expect((await ways[asked % 2]!.get('/v1/me')).status).toBe(200);
  for (const way of ways) expect(codeOf(await way.get('/v1/me'))).toBe('budget-exceeded');
  expect((await (await signIn(own, other!)).get('/v1/me')).status).toBe(200);
  expect((await own.admin.get('/v1/me')).status).toBe(200);
});

test('a person’s report is worked out in a thread as well', async () => {
  const own = await serviceForThisTest({ settings: { WORK_THREADS: '1' } });
  const home = await own.admin.makeClient('Home');
  const [granted, hidden] = [
    await make(own.admin, 'reporting-entities', { client_id: home, name: 'Granted' }),
    await make(own.admin, 'reporting-entities', { client_id: home, name: 'Hidden' }),
  ];
  const memberships = [{ client: home, role: 'viewer', grants: [granted] }] as const;
  const signedIn: SignedIn = await signIn(own, await layOutPerson(own, { memberships }));
  expect((await signedIn.get(`/v1/holdings?reporting_entity_id=${granted}`)).status).toBe(200);
  expect((await signedIn.get(`/v1/holdings?reporting_entity_id=${hidden}`)).status).toBe(404);
});
