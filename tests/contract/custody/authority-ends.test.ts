// The end of consent: who is warned and when, once each, and what no longer happens afterwards.

import { expect, test } from 'vitest';
import { dayMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { openAccess, reportBroken, reportWorking } from '../../../src/actions/custody/connector-access.ts';
import { openMessage } from '../../../src/actions/people/mail.ts';
import { openReadWork, runInTransaction, serviceAuthor } from '../../../src/actions/core/work.ts';
import { reportEnds } from '../../../src/jobs/authority-ends.ts';
import type { Connector } from '../../../src/model/custody/connector.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { makeCustodyHousehold, startFlow, step } from '../../setup/custody/custody-household.ts';
import { runInLockOrder } from '../../setup/database/race.ts';
import { runSql } from '../../setup/database/sql.ts';
import { makeMember } from '../../setup/people/members.ts';
import { serviceForThisTest, type TestService } from '../../setup/node/test-service.ts';

let service: TestService;
let admin: Caller;

const read = async (path: string): Promise<any> => (await admin.get(path)).body;
const eventsOf = async (type: string): Promise<any[]> => (await read(`/v1/events?type=${type}&limit=100`)).data;

async function mails(): Promise<any[]> {
  const rows = await runSql<any>(
    service.database,
    'SELECT * FROM mail WHERE invite_id IS NULL AND message_sealed IS NOT NULL ORDER BY id',
  );
  return rows.map((row) =>
    openMessage(
      service.context,
      { workspaceId: row.workspace_id, environment: row.environment },
      { id: row.id, messageSealed: row.message_sealed },
    ),
  );
}

/** Runs the job twice, as two nodes would. */
async function passDays(days: number): Promise<void> {
  service.clock.advance(days * dayMs);
  admin = await service.enter(service.first);
  await Promise.all([reportEnds(service.context), reportEnds(service.context)]);
}

test('administrators are warned 30, 7 and 1 days before consent ends, once each; afterwards nothing comes in', async () => {
  service = await serviceForThisTest();
  ({ admin } = service);
  const home = await makeCustodyHousehold(admin);
  await makeMember(service, home.client, { role: 'admin', email: 'admin@family.example' });
  await makeMember(service, home.client, { role: 'viewer' });
  const { authority_id: id } = await startFlow(admin, home, 'active', { expires_at: '2026-12-25T12:00:00Z' });
  await passDays(9);
  expect(await eventsOf('authority.expiring')).toEqual([]);
  await passDays(1);
  const object = {
    authority_id: id,
    client_id: home.client,
    custodian_id: home.custodian,
    expires_at: '2026-12-25T12:00:00.000Z',
  };
  const [event, ...others] = await eventsOf('authority.expiring');
  expect([event.client_id, event.data, others]).toEqual([home.client, { object, previous: {} }, []]);
  await passDays(1);
  expect(await eventsOf('authority.expiring')).toHaveLength(1);
  await passDays(22);
  expect(await eventsOf('authority.expiring')).toHaveLength(2);
  await passDays(6);
  expect(await eventsOf('authority.expiring')).toHaveLength(3);
  expect((await mails()).map(({ to, subject }) => [to, subject])).toEqual(
    [1, 2, 3].map(() => ['admin@family.example', expect.stringMatching(/^Consent for Custody bank \d+ ends soon$/)]),
  );
  expect((await mails())[0].text).toContain('Friday, 25 December 2026');
  expect(await eventsOf('account.disconnected')).toEqual([]);
  await passDays(1);
  expect(await read(`/v1/authorities/${id}`)).toMatchObject({
    state: 'active',
    connection: 'expired',
    broken_reason: 'The consent ended on 2026-12-25T12:00:00.000Z.',
  });
  expect((await eventsOf('account.disconnected')).map(({ data }) => data.object.id)).toEqual([home.account]);
  const renewal = (await admin.post(`/v1/admin/authorities/${id}/reconnect`, undefined)).body;
  await step(admin, renewal.id, 'consent', { consent_type: 'operator' });
  await step(admin, renewal.id, 'grant', { expires_at: '2027-01-01T12:00:00Z' });
  expect((await read(`/v1/authorities/${id}`)).connection).toBe('connected');
  expect(await eventsOf('account.connected')).toHaveLength(3);
  await passDays(1);
  expect(await eventsOf('authority.expiring')).toHaveLength(4);
});

test("the custodian's settings say when to warn; of two that are due at once, the last one counts", async () => {
  service = await serviceForThisTest();
  ({ admin } = service);
  const home = await makeCustodyHousehold(admin);
  const settings = { expiry_warning_days: [60, 5], consent_days: 4 };
  expect((await admin.patch(`/v1/admin/custodians/${home.custodian}`, settings)).body).toMatchObject(settings);
  const { authority_id: id } = await startFlow(admin, home, 'active');
  expect((await read(`/v1/authorities/${id}`)).expires_at).toBe('2026-11-19T12:00:00.000Z');
  await passDays(0);
  await passDays(1);
  expect(await eventsOf('authority.expiring')).toHaveLength(1);
});

const connector: Connector = {
  kind: 'oauth-pull',
  listAccounts: async () => [],
  async *fetchSince() {},
};

test('broken credentials disconnect the accounts once, until they work again; feeds have access only while consent lasts', async () => {
  service = await serviceForThisTest();
  ({ admin } = service);
  (service.context.connectors as Map<string, Connector>).set('oauth-pull', connector);
  const home = await makeCustodyHousehold(admin);
  const secret = 'the secret of a bank';
  const settings = { connector: 'oauth-pull', oauth_client_secret: secret };
  const changed = await admin.patch(`/v1/admin/custodians/${home.custodian}`, settings);
  expect([changed.body.has_oauth_client_secret, changed.text.includes(secret)]).toEqual([true, false]);
  const { authority_id } = await startFlow(admin, home, 'active', { expires_at: '2026-11-16T12:00:00Z' });
  const of = { tenant: service.first, authority: authority_id as Id };
  const query = { ...of, purpose: 'feed', signal: AbortSignal.timeout(60_000) } as const;
  const opened = await openAccess(service.context, query);
  expect(opened?.access).toMatchObject({
    authority: authority_id,
    credentials: '',
    settings: { oauthClientSecret: secret },
  });
  await opened!.access.saveCredentials('renewed');
  expect((await openAccess(service.context, query))?.access.credentials).toBe('renewed');
  const stored = await runSql<any>(
    service.database,
    'SELECT to_jsonb(c)::text || to_jsonb(a)::text AS text FROM custodian c, authority a WHERE a.workspace_id = c.workspace_id AND a.custodian_id = c.id',
  );
  expect(stored[0].text).not.toContain(Buffer.from('renewed').toString('hex'));
  expect(stored[0].text).not.toContain(Buffer.from(secret).toString('hex'));
  await reportBroken(service.context, of, 'The bank has withdrawn the consent.');
  await reportBroken(service.context, of, 'Again.');
  expect(await read(`/v1/authorities/${authority_id}`)).toMatchObject({
    connection: 'broken',
    broken_reason: 'The bank has withdrawn the consent.',
  });
  expect(await eventsOf('account.disconnected')).toHaveLength(1);
  await reportWorking(service.context, of);
  await reportWorking(service.context, of);
  expect(await eventsOf('account.connected')).toHaveLength(3);
  const log = (await admin.get('/v1/audit-log?limit=100')).text;
  expect([log.includes('secret_replaced'), log.includes(secret)]).toEqual([true, false]);
  service.clock.advance(dayMs);
  expect(await openAccess(service.context, query)).toBeUndefined();
});

test('an authority that is renewed while its end is reported stays connected', async () => {
  service = await serviceForThisTest();
  ({ admin } = service);
  const home = await makeCustodyHousehold(admin);
  const { authority_id: id } = await startFlow(admin, home, 'active', { expires_at: '2026-11-16T12:00:00Z' });
  service.clock.advance(2 * dayMs);
  admin = await service.enter(service.first);
  const renewal = (await admin.post(`/v1/admin/authorities/${id}/reconnect`, undefined)).body;
  await step(admin, renewal.id, 'consent', { consent_type: 'operator' });
  const [granted] = await runInLockOrder(
    service.database,
    () => step(admin, renewal.id, 'grant', { expires_at: '2027-01-01T12:00:00Z' }),
    () => reportEnds(service.context),
  );
  expect(granted.status).toBe(200);
  expect(await read(`/v1/authorities/${id}`)).toMatchObject({ connection: 'connected', broken_reason: null });
  expect(await eventsOf('account.disconnected')).toEqual([]);
});

test('an authority that is renewed after its warning was found due is warned of before its new end', async () => {
  service = await serviceForThisTest();
  ({ admin } = service);
  const home = await makeCustodyHousehold(admin);
  const { authority_id: id } = await startFlow(admin, home, 'active', { expires_at: '2026-11-30T12:00:00Z' });
  const [due] = await openReadWork(service.context, serviceAuthor(service.first)).store.custody.ends.listDueWarnings(
    service.clock.now(),
    10,
  );
  const renewal = (await admin.post(`/v1/admin/authorities/${id}/reconnect`, undefined)).body;
  await step(admin, renewal.id, 'consent', { consent_type: 'operator' });
  await step(admin, renewal.id, 'grant', { expires_at: '2027-06-01T12:00:00Z' });
  const isWarned = await runInTransaction(service.context, serviceAuthor(service.first), (work) =>
    work.store.custody.ends.addWarning(due!, work.now),
  );
  expect([due, isWarned]).toEqual([{ authority: id, days: 30 }, false]);
});
