// What work in the background leaves alone: rounds, deliveries, mail, feeds and all that is due run for a tenant that has twins with the
// same ids in the same state, without row-level security. They do exactly what they do without twins, and change no row of theirs.

import { beforeAll, expect, test } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { requestToken, registerRsa, signAssertion } from '../../setup/access/assertion.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { digestTenantRows, listTenantRows, makeTwin, twinMark } from '../../setup/database/twin-tenants.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { ExampleWorld } from '../../setup/http/example-world.ts';
import { BackgroundWork, type Luck } from '../../setup/node/background-work.ts';
import { copyDatabase, makeDatabase, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { makeMember } from '../../setup/people/members.ts';
import { signIn } from '../../setup/people/person-caller.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const options = { tenantFilters: 'store-only', settings: { BASE_URL: 'http://holdfast.test' } } as const;
const deadUrl = 'https://dead.example/hook';
const events = [
  'transaction.created',
  'account.connected',
  'account.disconnected',
  'authority.expiring',
  'limit.breached',
];
const camt = new CamtText({ version: 8 });

interface Site {
  readonly database: TestDatabase;
  readonly service: TestService;
  readonly work: BackgroundWork;
}

let tenant: Tenant;
let twins: readonly Tenant[];
let alone: Site;
let twinned: Site;

beforeAll(async () => {
  const database = await makeDatabase();
  const first = await startTestService({ ...options, database });
  const { clock } = first;
  tenant = { workspaceId: first.first.workspaceId as Id, environment: 'production' };
  twins = [
    { workspaceId: '0'.repeat(24) as Id, environment: 'production' },
    { ...tenant, environment: 'sandbox' },
  ];
  await makeDueWork(first);
  await first.stop();
  const copy = await copyDatabase(database);
  const site = async (of: TestDatabase): Promise<Site> => {
    const service = await startTestService({ ...options, database: of, clock });
    const work = new BackgroundWork(service.context, tenant);
    work.deadUrls.add(deadUrl);
    work.statement = (number) => camt.document([{ entries: [camt.entry({ reference: `F-${number}` })] }]);
    return { database: of, service, work };
  };
  [alone, twinned] = [await site(database), await site(copy)];
  twinned.work.onUnderWay = remakeTwins;
  await makeTwins();
  return async () => {
    for (const { service, database: used } of [alone, twinned]) {
      await service.stop();
      await used.drop();
    }
  };
});

/** Two of everything that work in the background is about: due, waiting, failed, left behind, expired. */
async function makeDueWork(service: TestService): Promise<void> {
  const { admin, database } = service;
  const world = await ExampleWorld.create(admin);
  await makeRecord(admin, 'webhooks', { url: deadUrl, events });
  await makeRecord(admin, 'webhooks', { url: 'https://other.example/hook', events, client_id: world.idOf('client') });
  for (const type of ['invite', 'administrator', 'authority', 'feed-run', 'limit', 'price', 'fx-rate', 'transaction'])
    await world.make(type);
  for (let count = 0; count < 2; count++) await admin.post('/v1/webhook-keys/rotate', undefined);
  for (let count = 0; count < 2; count++) await feedFor(admin, count);
  const member = await makeMember(service, world.idOf('client'), { role: 'admin' });
  for (let count = 0; count < 2; count++) await signIn(service, member);
  const revoked = await world.make('authority');
  await admin.post(`/v1/admin/authorities/${revoked}/revoke`, undefined);
  const signer = await registerRsa(admin, undefined, { rights: ['read'] });
  const assertionInput = { now: service.clock.now(), audience: service.addresses.baseUrl };
  await requestToken(signer, admin, signAssertion(signer, assertionInput));
  for (const key of ['one', 'two'])
    await admin.send('/v1/clients', {
      method: 'POST',
      body: { name: key },
      headers: { 'idempotency-key': key },
    });
  const line = `SELECT $1, $2, 'line ' || n, to_timestamp(0), 'GET', '/', '/', 200, 'answered', 1, 'request ' || n FROM generate_series(1, 2) n`;
  await runSql(
    database,
    `INSERT INTO request_log (workspace_id, environment, id, at, method, route, path, status, outcome, duration_ms, request_id) ${line}`,
    [tenant.workspaceId, tenant.environment],
  );
  // What a deleted webhook has left.
  await runSql(
    database,
    `INSERT INTO delivery (workspace_id, environment, id, webhook_id, event_id, order_key, number, state, created_at)
     SELECT $1, $2, 'left ' || n, 'deleted', 'event ' || n, '', n, 'pending', to_timestamp(0) FROM generate_series(1, 2) n`,
    [tenant.workspaceId, tenant.environment],
  );
  // A node that stopped between a warning and its mail.
  await runSql(
    database,
    `INSERT INTO authority_warning (workspace_id, environment, authority_id, expires_at, days, client_id, emitted_at)
     SELECT workspace_id, environment, id, expires_at, 90, client_id, to_timestamp(0) FROM authority WHERE state = 'active' AND expires_at IS NOT NULL`,
    [],
  );
}

/** A client with an account that statements of a custodian come in for. */
async function feedFor(admin: Caller, number: number): Promise<void> {
  const { legalEntity } = await makeHousehold(admin, `Family ${number}`);
  const custodian = await makeRecord(admin, 'custodians', { name: `Bank ${number}` });
  const identifier = number === 0 ? 'CH9300762011623852957' : 'another number';
  const place = { entity_id: legalEntity, currency: 'CHF', custodian_id: custodian, external_identifier: identifier };
  await makeRecord(admin, 'accounts', place);
  const settings = { connector: 'file-drop', supported_consent_types: ['operator'], expected_files: [] };
  await admin.patch(`/v1/admin/custodians/${custodian}`, settings);
  const begun = { custodian_id: custodian, legal_entity_id: legalEntity };
  const flow = (await admin.post('/v1/admin/auth-flows', begun)).body;
  await admin.post(`/v1/admin/auth-flows/${flow.id}/consent`, { consent_type: 'operator' });
  const granted = await admin.post(`/v1/admin/auth-flows/${flow.id}/grant`, { expires_at: '2026-12-20T12:00:00Z' });
  if (granted.status !== 200) throw new Error(`No feed: ${granted.text}`);
}

/** Sealed bytes and hashes are different at every site. */
function comparable(text: string): string {
  return text.replaceAll(/\\+x[0-9a-f]*/g, '(bytes)');
}

async function ownRows({ database }: Site): Promise<string[]> {
  return (await listTenantRows(database, tenant)).map(({ table, text }) => `${table} ${text}`);
}

/** The rows of the twins as they were made. */
let twinRows: unknown;

function rowsOfTwins(): Promise<unknown> {
  return Promise.all(twins.map((twin) => digestTenantRows(twinned.database, twin)));
}

/** Gives the twins what the tenant has at this moment: also work that is under way under the same number of the same attempt. */
async function makeTwins(): Promise<void> {
  for (const twin of twins) await makeTwin(twinned.database, tenant, twin);
  twinRows = await rowsOfTwins();
}

async function remakeTwins(): Promise<void> {
  expect(await rowsOfTwins()).toEqual(twinRows);
  await makeTwins();
}

async function stateOf(site: Site): Promise<unknown> {
  const rows = (await ownRows(site)).map(comparable).toSorted();
  return { rows, sent: site.work.sent.splice(0) };
}

const moments: readonly [when: string, advanceMs: number, luck: Luck][] = [
  ['at once', minuteMs, 'fails'],
  ['after the clock was set back', -hourMs, 'is stopped'],
  ['three hours later', 3 * hourMs, 'works'],
  ['again, for what that has led to', hourMs, 'is stopped'],
  ['the next day', dayMs + 2 * hourMs, 'works'],
  ['a month later', 30 * dayMs, 'works'],
  ['a year later', 365 * dayMs, 'works'],
  ['eleven years later', 4_015 * dayMs, 'works'],
];

test.each(moments)('%s', async (_when, advanceMs, luck) => {
  twinned.service.clock.advance(advanceMs);
  await remakeTwins();
  const own = await ownRows(twinned);
  await alone.work.run(luck);
  await twinned.work.run(luck);
  expect([...alone.work.failures, ...twinned.work.failures]).toEqual([]);
  expect(twinned.work.sent.join('\n')).not.toContain(twinMark);
  expect(await stateOf(twinned)).toEqual(await stateOf(alone));
  expect(await rowsOfTwins()).toEqual(twinRows);
  expect(await ownRows(twinned)).not.toEqual(own);
});
