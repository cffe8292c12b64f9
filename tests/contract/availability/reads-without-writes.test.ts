// What is answered while nothing can be written: the database is read-only or full, or the operator has set the mode read-only. Reads, tokens and
// budgets go on, every change is refused as a whole, and everything works again by itself afterwards.

import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../../../src/app/admin/run-command.ts';
import { minuteMs, secondMs } from '../../../src/kit/clock.ts';
import { registerEc, requestToken, signAssertion } from '../../setup/access/assertion.ts';
import { fillDisk, freeDisk, makeReadOnly, makeWritable, reconnectNodes } from '../../setup/database/full-disk.ts';
import { runSql } from '../../setup/database/sql.ts';
import { Caller } from '../../setup/http/caller.ts';
import { insertPerson, signIn } from '../../setup/people/person-caller.ts';
import {
  makeDatabase,
  serviceForThisFile,
  serviceForThisTest,
  startTestService,
} from '../../setup/node/test-service.ts';

const encryptionKey = randomBytes(32).toString('hex');
const service = serviceForThisFile({ watchMs: 100, settings: { ENCRYPTION_KEY: encryptionKey, REQUEST_LOG: 'on' } });

interface Outage {
  readonly name: string;
  /** What a change is refused with. */
  readonly code: string;
  /** What `/readyz/write` says. */
  readonly state: string;
  begin(): Promise<unknown>;
  end(): Promise<unknown>;
}

async function setMode(...words: readonly string[]): Promise<void> {
  const printed: string[] = [];
  const write = (text: string): unknown => printed.push(text);
  const environment = { DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey };
  const code = await runCommand(['mode', ...words], environment, { stdout: { write }, stderr: { write } });
  if (code !== 0) throw new Error(printed.join(''));
}

const outages: readonly Outage[] = [
  {
    name: 'a read-only database',
    code: 'database-read-only',
    state: 'database-read-only',
    async begin() {
      await runSql(service.database, makeReadOnly(service.database.name));
      await runSql(service.database, reconnectNodes);
    },
    async end() {
      await runSql(service.database, makeWritable(service.database.name));
      await runSql(service.database, reconnectNodes);
    },
  },
  {
    name: 'a full disk',
    code: 'database-full',
    state: 'database-full',
    begin: () => runSql(service.database, fillDisk),
    end: () => runSql(service.database, freeDisk),
  },
  {
    name: 'the mode read-only',
    code: 'read-only-mode',
    state: 'read-only',
    begin: () => setMode('read-only', '--message', 'We move to another data centre'),
    end: () => setMode('normal'),
  },
];

async function writeState(): Promise<string> {
  service.clock.advance(5 * secondMs);
  return (await admin.get('/readyz/write')).body.status;
}

/** With a token of its own for each test, since tests move the clock. */
let admin: Caller;

beforeEach(async () => {
  admin = await Caller.withCredentials(service.admin.address, service.first);
});

async function untilWritable(): Promise<void> {
  await expect.poll(() => writeState()).toBe('ready');
}

let ended: (() => Promise<unknown>) | undefined;

async function begin({ begin: start, end, state }: Outage): Promise<() => Promise<void>> {
  await start();
  ended = end;
  await expect.poll(() => writeState()).toBe(state);
  return async () => {
    ended = undefined;
    await end();
    await untilWritable();
  };
}

afterEach(async () => {
  await ended?.();
  ended = undefined;
  await untilWritable();
});

function requestCredentialsToken(
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
  address = service.admin.address,
) {
  return new Caller(address, null).post('/oauth/token', {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
}

async function makeApplication(): Promise<{ id: string; clientId: string; clientSecret: string }> {
  const { body } = await admin.post('/v1/applications', { name: 'Nightly', rights: ['read', 'write'] });
  return { id: body.id, clientId: body.client_id, clientSecret: body.client_secret };
}

let client: string;
let entityId: string;

beforeAll(async () => {
  admin = await Caller.withCredentials(service.admin.address, service.first);
  client = await admin.makeClient('Lindqvist');
  entityId = (await admin.post('/v1/reporting-entities', { client_id: client, name: 'All' })).body.id;
});

describe.each(outages)('$name', (outage) => {
  test('lists, records, the audit log and reports are answered, with the token that a caller has', async () => {
    const paths = [
      '/v1/me',
      '/v1/clients',
      `/v1/clients/${client}`,
      '/v2/clients',
      '/api/v2/clients',
      '/v1/audit-log',
      '/v1/requests',
      '/v1/events',
      `/v1/holdings?reporting_entity_id=${entityId}`,
    ];
    const before = await Promise.all(paths.map((path) => admin.get(path)));
    expect(before.map(({ status }) => status)).toEqual(paths.map(() => 200));
    await begin(outage);
    const meanwhile = await Promise.all(paths.map((path) => admin.get(path)));
    expect(meanwhile.map(({ status }) => status)).toEqual(paths.map(() => 200));
    expect(meanwhile[1]?.body.data.map(({ id }: { id: string }) => id)).toContain(client);
    expect((await admin.get('/readyz')).body).toMatchObject({ status: 'ready', writes: outage.state });
  });

  test('a new token is issued for ten minutes, works on every node, and ends then', async () => {
    const application = await makeApplication();
    // Every environment has a signing key from its first token on.
    await requestCredentialsToken(application);
    const end = await begin(outage);
    const { status, body } = await requestCredentialsToken(application);
    expect([status, body.expires_in, body.scope]).toEqual([200, 600, 'read write']);
    const caller = new Caller(service.admin.address, body.access_token);
    expect((await caller.get('/v1/clients')).status).toBe(200);
    expect((await caller.get('/v1/applications')).body.code).toBe('right-missing');
    // Nodes form one service under one address.
    const settings = { ENCRYPTION_KEY: encryptionKey, BASE_URL: service.addresses.baseUrl };
    const other = await startTestService({ database: service.database, clock: service.clock, settings });
    expect((await caller.atAddress(other.admin.address).get('/v1/clients')).status).toBe(200);
    await other.stop();
    service.clock.advance(10 * minuteMs);
    expect((await caller.get('/v1/clients')).body.code).toBe('token-expired');
    await end();
    expect((await requestCredentialsToken(application)).body.expires_in).toBe(3600);
  });

  test('a wrong secret gets no token', async () => {
    const application = await makeApplication();
    await begin(outage);
    const { status, body } = await requestCredentialsToken({ ...application, clientSecret: 'a guess' });
    expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('an assertion gets one token, whether it was used before, meanwhile or is used afterwards', async () => {
    const signer = await registerEc(admin);
    const now = service.clock.now();
    const sign = (): string => signAssertion(signer, { now: service.clock.now(), audience: service.addresses.authUrl });
    const answerTo = async (assertion: string): Promise<unknown> => {
      const { status, body } = await requestToken(signer, admin, assertion);
      return status === 200 ? body.expires_in : body.error;
    };
    const [before, meanwhile] = [sign(), sign()];
    expect(await answerTo(before)).toBe(3600);
    const end = await begin(outage);
    service.clock.advance(now - service.clock.now());
    expect([await answerTo(before), await answerTo(meanwhile), await answerTo(meanwhile)]).toEqual([
      'invalid_grant',
      600,
      'invalid_grant',
    ]);
    await end();
    service.clock.advance(now - service.clock.now());
    expect(await answerTo(meanwhile)).toBe('invalid_grant');
  });

  test('every change is refused with the reason, on each wire, and nothing of it is stored', async () => {
    const state = async (): Promise<unknown> => [
      (await admin.get(`/v1/clients/${client}`)).body,
      (await admin.get('/v1/clients?limit=100')).body.data.length,
      await runSql(service.database, 'SELECT count(*) FROM audit_entry'),
      await runSql(service.database, 'SELECT count(*) FROM idempotent_answer'),
    ];
    const before = await state();
    await begin(outage);
    const key = { 'idempotency-key': `never-${outage.code}` };
    const document = { data: { type: 'client', attributes: { name: 'Never' } } };
    const replies = await Promise.all([
      admin.post('/v1/clients', { name: 'Never' }),
      admin.post('/v1/clients', { name: 'Never' }, key),
      admin.patch(`/v1/clients/${client}`, { name: 'Never' }),
      admin.delete(`/v1/clients/${client}`),
      admin.post('/api/v2/clients', document),
      admin.post('/v1/applications', { name: 'Never', rights: ['read'] }),
      admin.post('/v1/webhooks', { url: 'http://127.0.0.1:9/never', events: ['limit.breached'] }),
    ]);
    const seen = replies.map(({ status, headers, body }) => ({
      status,
      code: body.code ?? body.errors?.[0]?.code,
      waits: Number(headers.get('retry-after')) > 0,
    }));
    expect(seen).toEqual(replies.map(() => ({ status: 503, code: outage.code, waits: true })));
    expect(await state()).toEqual(before);
  });

  test('the answer to a request that was made before is repeated; a new one is made once afterwards', async () => {
    const send = (name: string) => admin.post('/v1/clients', { name }, { 'idempotency-key': `${outage.code}-${name}` });
    const made = await send('Before');
    const end = await begin(outage);
    const repeated = await send('Before');
    expect([repeated.status, repeated.body.id]).toEqual([201, made.body.id]);
    expect((await send('Meanwhile')).status).toBe(503);
    await end();
    const first = await send('Meanwhile');
    expect([first.status, (await send('Meanwhile')).body.id]).toEqual([201, first.body.id]);
  });

  test('who is signed in stays so while they use the pages, and a new sign-in lasts half an hour and is recorded afterwards', async () => {
    const person = await insertPerson(service, { memberships: [{ client, role: 'admin' }] });
    const early = await signIn(service, person);
    const end = await begin(outage);
    for (let step = 0; step < 4; step++) {
      expect((await early.get('/v1/me')).status).toBe(200);
      service.clock.advance(20 * minuteMs);
    }
    const late = await signIn(service, person);
    expect((await late.get('/v1/me')).status).toBe(200);
    expect((await late.get('/')).status).toBe(200);
    service.clock.advance(30 * minuteMs);
    expect((await late.get('/v1/me')).status).toBe(401);
    const signIns = (): Promise<unknown[]> =>
      runSql(service.database, `SELECT FROM audit_entry WHERE act = 'sign-in' AND subject = $1`, [person]);
    expect((await signIns()).length).toBe(1);
    await end();
    await expect.poll(async () => (await signIns()).length).toBe(2);
  });

  test('a person who signs out is signed out, and the session has ended afterwards', async () => {
    const person = await insertPerson(service, { memberships: [{ client, role: 'admin' }] });
    const session = await signIn(service, person);
    const end = await begin(outage);
    const signOut = await session.send('/sign-out', {
      method: 'POST',
      raw: new URLSearchParams({ form_token: session.csrf }).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    });
    expect([signOut.status, signOut.headers.get('location')]).toEqual([303, '/sign-in']);
    expect((await session.get('/v1/me')).status).toBe(401);
    await end();
    const openSessions = (): Promise<unknown[]> =>
      runSql(service.database, 'SELECT FROM session WHERE person_id = $1 AND ended_at IS NULL', [person]);
    await expect.poll(async () => (await openSessions()).length).toBe(0);
  });
});

test('an application that is deleted on another server of the same data gets no token, and its token works no more', async () => {
  const application = await makeApplication();
  await requestCredentialsToken(application);
  await begin(outages[0]!);
  const issued = await requestCredentialsToken(application);
  const caller = new Caller(service.admin.address, issued.body.access_token);
  expect((await caller.get('/v1/clients')).status).toBe(200);
  const text = `SET default_transaction_read_only = off; DELETE FROM credential WHERE id = '${application.id}'`;
  await runSql(service.database, text);
  expect((await caller.get('/v1/clients')).body.code).toBe('token-revoked');
  expect((await requestCredentialsToken(application)).body.error).toBe('invalid_client');
});

test('a node goes on by itself with connections that were opened while the database was read-only', async () => {
  const { database } = service;
  await begin(outages[0]!);
  const reads = Array.from({ length: 8 }, () => admin.get('/v1/clients'));
  expect(new Set((await Promise.all(reads)).map(({ status }) => status))).toEqual(new Set([200]));
  await runSql(database, makeWritable(database.name));
  await expect.poll(() => writeState(), { timeout: 30_000 }).toBe('ready');
  const made = Array.from({ length: 8 }, (_, index) => admin.post('/v1/clients', { name: `Again ${index}` }));
  expect(new Set((await Promise.all(made)).map(({ status }) => status))).toEqual(new Set([201]));
});

test('a budget that is used up is refused while nothing can be written, and refilled at its rate', async () => {
  const settings = { BUDGET_PER_MINUTE: '60', BUDGET_BURST: '12', ENCRYPTION_KEY: encryptionKey };
  const node = await serviceForThisTest({ settings });
  const { clock, database } = node;
  await runSql(database, fillDisk);
  const count = async (): Promise<number> => {
    const replies = [];
    for (let index = 0; index < 30; index++) replies.push(await node.admin.get('/v1/me'));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200, 429]));
    return replies.filter(({ status }) => status === 200).length;
  };
  clock.advance(minuteMs);
  expect(await count()).toBe(12);
  clock.advance(5 * secondMs);
  expect(await count()).toBe(5);
  await runSql(database, freeDisk);
  clock.advance(minuteMs);
  expect(await count()).toBe(12);
});

test('a node starts on a read-only database, answers reads there, and changes once it is writable', async () => {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  await (await startTestService({ database })).stop();
  await runSql(database, makeReadOnly(database.name));
  const node = await startTestService({ database });
  onTestFinished(() => node.stop());
  expect((await node.admin.get('/v1/clients')).status).toBe(200);
  expect((await node.admin.post('/v1/clients', { name: 'Never' })).body.code).toBe('database-read-only');
  await runSql(database, makeWritable(database.name));
  await runSql(database, reconnectNodes);
  await expect.poll(async () => (await node.admin.post('/v1/clients', { name: 'Now' })).status).toBe(201);
});

test('background work stands still, fills no log, and goes on by itself', async () => {
  const database = await makeDatabase();
  onTestFinished(() => database.drop());
  const worker = await startTestService({ database, settings: { ROLE: 'all' } });
  onTestFinished(() => worker.stop());
  const { clock, log } = worker;
  await runSql(database, fillDisk);
  const household = await worker.admin.post('/v1/clients', { name: 'Never' });
  expect(household.body.code).toBe('database-full');
  const failures = (): string[] => log.filter((line) => line.includes('a job failed'));
  const before = failures().length;
  // More turns of the jobs than a log would bear.
  const state = async (): Promise<string> => (await worker.admin.get('/readyz/write')).body.status;
  for (let turn = 0; turn < 20; turn++) expect(await state()).toBe('database-full');
  expect(failures().length - before).toBeLessThanOrEqual(worker.jobs.length);
  await runSql(database, freeDisk);
  await expect.poll(() => (clock.advance(5 * secondMs), state())).toBe('ready');
  const made = await worker.admin.post('/v1/clients', { name: 'Lindqvist' });
  const chained = (): Promise<unknown[]> =>
    runSql(
      database,
      'SELECT FROM audit_link JOIN audit_entry USING (workspace_id, environment) WHERE subject_id = $1',
      [made.body.id],
    );
  await expect.poll(async () => (await chained()).length, { timeout: 30_000 }).toBeGreaterThan(0);
});
