// The life of a workspace over HTTP and in the background: created, suspended on every node, resumed without loss, closed.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { makePrintedLink } from '../../../src/actions/people/administrator.ts';
import { acceptInvite } from '../../../src/actions/people/invite-acceptance.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { hourMs } from '../../../src/kit/clock.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { createDeliveries, deliverAllDue, webhookAnswer } from '../../setup/events/deliveries.ts';
import { emitEvents, EventInbox, tenantOf } from '../../setup/events/event-source.ts';
import { registerRsa, requestToken as requestAssertionToken, signAssertion } from '../../setup/access/assertion.ts';
import { dumpDatabase, plainEncodings } from '../../setup/database/database-dump.ts';
import { createRounds } from '../../setup/limits/rounds.ts';
import { createMails, recordingMailServer, sendDue } from '../../setup/mail/mails.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { operatorOf } from '../../setup/node/operator.ts';
import { serviceForThisFile, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { inviteSecretOf, makeInvite, makeUser, newEmail, verifiedIdentity } from '../../setup/people/members.ts';
import { insertAdministrator, signIn } from '../../setup/people/person-caller.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';

const encryptionKey = Keyring.generate();
const settings = { BASE_URL: 'http://holdfast.test', ENCRYPTION_KEY: encryptionKey };
const service = serviceForThisFile({ settings });
const operator = operatorOf(() => ({ DATABASE_URL: service.database.url, ENCRYPTION_KEY: encryptionKey }));
/** A second node, which learns of everything from the database. */
let other: TestService;

beforeAll(async () => {
  other = await startTestService({ database: service.database, clock: service.clock, settings });
});
afterAll(() => other.stop());

interface Made {
  readonly id: string;
  readonly credentials: { readonly clientId: string; readonly clientSecret: string };
  readonly stdout: string;
}

async function createWorkspace(name: string, ...more: readonly string[]): Promise<Made> {
  const { code, stdout, stderr } = await operator('workspace', 'create', name, ...more);
  expect([code, stderr]).toEqual([0, '']);
  const [, clientId = '', clientSecret = ''] = /client_id {6}(\S+)\n {2}client_secret {2}(\S+)/.exec(stdout) ?? [];
  return { id: /^Workspace (\S+)/.exec(stdout)?.[1] ?? '', credentials: { clientId, clientSecret }, stdout };
}

function requestToken({ clientId, clientSecret }: Made['credentials']): Promise<Reply> {
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  return new Caller(service.admin.address, null).post('/oauth/token', body);
}

let made: Made;
let admin: Caller;
let tenant: Tenant;

beforeEach(async () => {
  made = await createWorkspace('Ålesund Holdings');
  admin = await Caller.withCredentials(service.admin.address, made.credentials);
  tenant = await tenantOf(admin);
});

describe('workspace create', () => {
  test('makes both environments, each with an application of all rights and a link to become an administrator', async () => {
    const found = [...made.stdout.matchAll(/client_id {6}(\S+)\n {2}client_secret {2}(\S+)[^]*?invites\/(\S+)/g)];
    expect(found).toHaveLength(2);
    expect(
      made.stdout.replaceAll(/(client_id {6}|client_secret {2}|until |invites\/)[^\s:]\S*/g, '$1…').split('\n'),
    ).toEqual([
      `Workspace ${made.id} "Ålesund Holdings" was created. Save what follows, it is shown only once.`,
      ...['production', 'sandbox'].flatMap((environment) => [
        `${environment}:`,
        '  client_id      …',
        '  client_secret  …',
        '  Whoever opens this link first and signs in becomes an administrator, until …',
        expect.stringMatching(/^ {2}http\S+\/invites\/…$/),
      ]),
      '',
    ]);
    for (const [index, [, clientId = '', clientSecret = '', secret = '']] of found.entries()) {
      const environment = ['production', 'sandbox'][index];
      const caller = await Caller.withCredentials(admin.address, { clientId, clientSecret });
      expect((await caller.get('/v1/me')).body).toMatchObject({
        workspace_id: made.id,
        environment,
        rights: ['read', 'write', 'admin'],
      });
      expect((await caller.get('/v1/instrument-classes?limit=1')).body.data).toHaveLength(1);
      const accepted = await acceptInvite(service.context, secret, verifiedIdentity(newEmail()));
      expect(accepted).toMatchObject({ outcome: 'accepted', environment });
    }
  });

  test('gives the application a chosen client_id that no other has', async () => {
    const { credentials } = await createWorkspace('Chosen', '--client-id', 'chosen-id');
    expect(credentials.clientId).toBe('chosen-id');
    const again = await operator('workspace', 'create', 'Again', '--client-id', 'chosen-id');
    expect(again).toMatchObject({ code: 1, stderr: 'Another application already has the client_id chosen-id.\n' });
  });

  test('keeps a name of up to 200 characters, without spaces around it', async () => {
    const name = 'n'.repeat(198);
    const { id, stdout } = await createWorkspace(` ${name} `);
    expect(stdout).toContain(`Workspace ${id} "${name}" was created.`);
    expect((await operator('workspace', 'list')).stdout).toContain(`  ${name}\n`);
  });

  test.each<[what: string, args: string[], message: string]>([
    ['no name', [], 'Give the workspace a name of at most 200 characters.'],
    ['an option in its place', ['--client-id'], 'Give the workspace a name of at most 200 characters.'],
    ['a blank one', [' '], 'Give the workspace a name of at most 200 characters.'],
    ['a longer one', ['n'.repeat(201)], 'Give the workspace a name of at most 200 characters.'],
    [
      'a client_id with a space',
      ['Spaced', '--client-id', 'a b'],
      '--client-id must have 1 to 255 printable characters without spaces.',
    ],
  ])('refuses %s', async (_what, args, message) => {
    const { code, stdout, stderr } = await operator('workspace', 'create', ...args);
    expect([code, stdout, stderr.split('\n')[0]]).toEqual([2, '', message]);
  });
});

test('workspace list says what is in each, as a table and as JSON', async () => {
  await admin.makeClient('Only client');
  const { stdout } = await operator('workspace', 'list', '--json');
  expect(stdout).toMatch(/^\[\n {2}\{\n {4}"id": "/);
  expect(JSON.parse(stdout).find((one: { id: string }) => one.id === made.id)).toEqual({
    id: made.id,
    name: 'Ålesund Holdings',
    state: 'active',
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    environments: ['production', 'sandbox'],
    clients: 1,
    transactions: 0,
  });
  const table = (await operator('workspace', 'list')).stdout.split('\n');
  expect(table[0]).toMatch(/^id +state +created +clients +transactions +name$/);
  expect(table.find((line) => line.startsWith(made.id))).toMatch(/ active +\d{4}-\d\d-\d\d +1 +0 +Ålesund Holdings$/);
});

test.each(['suspend', 'close'])('workspace %s takes one workspace', async (command) => {
  const { code, stderr } = await operator('workspace', command, made.id, made.id);
  expect([code, stderr.split('\n')[0]]).toEqual([2, 'Name one workspace.']);
  expect((await admin.get('/v1/me')).status).toBe(200);
});

const suspended = {
  status: 403,
  body: expect.objectContaining({ code: 'workspace-suspended', status: 403 }),
};

describe('a suspended workspace', () => {
  test('answers 403 to every valid credential on every node, and works again when it is resumed', async () => {
    const client = await admin.makeClient('Kept');
    const neighbour = await service.openWorkspace();
    expect((await operator('workspace', 'suspend', made.id)).stdout).toBe(
      `The workspace ${made.id} is suspended: nothing of it can be read, changed, sent or fetched. \`holdfast workspace resume\` ends this.\n`,
    );
    for (const caller of [admin, admin.atAddress(other.admin.address)]) {
      expect(await caller.get(`/v1/clients/${client}`)).toMatchObject(suspended);
      expect(await caller.get('/v1/me')).toMatchObject(suspended);
      expect(await caller.get('/v1/transaction-types')).toMatchObject(suspended);
      expect(await caller.post('/v1/clients', { name: 'New' })).toMatchObject(suspended);
      const { status, body } = await caller.get(`/api/v2/clients/${client}`);
      expect([status, body.errors[0].code]).toEqual([403, 'workspace-suspended']);
    }
    expect((await neighbour.get('/v1/clients')).status).toBe(200);
    expect((await operator('workspace', 'suspend', made.id)).stdout).toMatch(/was already suspended/);
    expect((await operator('workspace', 'resume', made.id)).stdout).toBe(`The workspace ${made.id} works again.\n`);
    expect((await operator('workspace', 'resume', made.id)).stdout).toMatch(/was not suspended/);
    expect((await admin.get(`/v1/clients/${client}`)).body.name).toBe('Kept');
    const { data } = (await admin.get('/v1/audit-log?subject_type=workspace')).body;
    expect(data.map((line: any) => [line.credential_id, line.after.state]).toSorted()).toEqual([
      [null, 'active'],
      [null, 'suspended'],
    ]);
  });

  test('gives no token, as RFC 6749 says it, and tells nobody else', async () => {
    await operator('workspace', 'suspend', made.id);
    const refused = await requestToken(made.credentials);
    expect([refused.status, refused.body]).toEqual([
      400,
      { error: 'unauthorized_client', error_description: expect.stringMatching(/suspended this workspace/) },
    ]);
    const wrong = await requestToken({ ...made.credentials, clientSecret: 'guessed' });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    expect((await admin.withToken(`${admin.token}x`).get('/v1/me')).status).toBe(401);
  });

  test('shows its people no page, and lets nobody accept an invite', async () => {
    const first = service.first.workspaceId;
    const person = await signIn(service, await insertAdministrator(service));
    const client = await service.admin.makeClient('People');
    const email = newEmail();
    const invite = await makeInvite(service.admin, await makeUser(service.admin, client, { email }));
    expect((await person.get('/v1/me')).status).toBe(200);
    await operator('workspace', 'suspend', first);
    expect(await person.get('/v1/me')).toMatchObject(suspended);
    const page = await person.send('/console', { headers: { accept: 'text/html', host: 'holdfast.test' } });
    expect([page.status, page.headers.get('location'), page.text]).toEqual([
      403,
      null,
      expect.stringContaining('suspended'),
    ]);
    const [secret, identity] = [await inviteSecretOf(service, invite), verifiedIdentity(email)];
    const accept = (): Promise<object> => acceptInvite(service.context, secret, identity);
    await expect(accept()).rejects.toMatchObject({ code: 'workspace-suspended' });
    await operator('workspace', 'resume', first);
    expect((await person.get('/v1/me')).status).toBe(200);
    expect(await accept()).toMatchObject({ outcome: 'accepted' });
  });

  test('delivers, evaluates and mails nothing, and all of it once it is resumed, with a new day for each delivery', async () => {
    const webhook = { url: 'https://hooks.example.com/one', events: ['limit.breached'] };
    await admin.post('/v1/webhooks', webhook);
    const client = await admin.makeClient('Due');
    await makeInvite(admin, await makeUser(admin, client));
    await emitEvents(service.context, tenant, { clients: 1, perClient: 3 });
    const inbox = new EventInbox();
    let isAnswering = false;
    const deliveries = createDeliveries(service.context, async (post) => {
      if (isAnswering) inbox.receive(String(post.body));
      return webhookAnswer(isAnswering ? 204 : 503);
    });
    await deliverAllDue(service.context, deliveries);
    await emitEvents(service.context, tenant, { clients: 1, perClient: 1 });
    const [rounds, server] = [createRounds(service.context), recordingMailServer()];
    const mails = createMails(service.context, server.send);
    const work = async (): Promise<void> => {
      await deliverAllDue(service.context, deliveries);
      await rounds.sweep();
      await rounds.drain();
      await sendDue(mails);
      await deleteExpired(service.context);
    };
    const marked = [tenant.workspaceId, tenant.environment, client, new Date(service.clock.now())];
    await runSql(
      service.database,
      "INSERT INTO round_mark VALUES ($1, $2, $3, $4, '{rate}') ON CONFLICT DO NOTHING",
      marked,
    );
    await operator('workspace', 'suspend', made.id);
    const rowsOf = (): Promise<object[]> =>
      runSql<object>(
        service.database,
        `SELECT (SELECT count(*)::int FROM outbox WHERE workspace_id = $1) AS outbox,
          (SELECT array_agg(attempt_count || state ORDER BY id) FROM delivery WHERE workspace_id = $1) AS deliveries,
          (SELECT count(*)::int FROM round_mark WHERE workspace_id = $1) AS marks,
          (SELECT count(*)::int FROM calculation_round WHERE workspace_id = $1) AS rounds,
          (SELECT count(*)::int FROM mail WHERE workspace_id = $1 AND next_attempt_at IS NOT NULL) AS mails`,
        [made.id],
      );
    const waiting = {
      outbox: 1,
      deliveries: ['1pending', '0pending', '0pending'],
      marks: 1,
      rounds: 0,
      mails: 1,
    };
    expect(await rowsOf()).toEqual([waiting]);
    service.clock.advance(30 * hourMs);
    await work();
    expect(await rowsOf()).toEqual([waiting]);
    expect([deliveries.failures, rounds.failures, server.attempted]).toEqual([[], [], []]);
    await operator('workspace', 'resume', made.id);
    await work();
    // More than a day after it was ready, the first is tried and not given up.
    expect((await rowsOf())[0]).toMatchObject({
      deliveries: ['2pending', '0pending', '0pending', '0pending'],
      rounds: 1,
      mails: 0,
    });
    isAnswering = true;
    service.clock.advance(hourMs);
    await work();
    expect([inbox.ids.length, server.messages.length]).toEqual([4, 1]);
  });
});

describe('a closed workspace', () => {
  test('has no credential and no session any more, keeps the rest, and is opened again only by a flag', async () => {
    const client = await admin.makeClient('Kept');
    const key = await registerRsa(admin);
    expect(await operator('workspace', 'close', made.id)).toMatchObject({
      code: 0,
      stdout: `The workspace ${made.id} is closed: its applications and keys are deleted, its sessions have ended.\nEverything else is kept until \`holdfast workspace erase\`.\n`,
    });
    expect(await admin.get('/v1/me')).toMatchObject({ status: 401, body: { code: 'token-revoked' } });
    expect((await requestToken(made.credentials)).body.error).toBe('invalid_client');
    const assertion = signAssertion(key, { now: service.clock.now(), audience: service.addresses.baseUrl });
    expect((await requestAssertionToken(key, admin, assertion)).status).toBe(400);
    expect((await operator('workspace', 'resume', made.id)).stderr).toMatch(/is closed. Resume it with --reopen/);
    expect((await operator('workspace', 'suspend', made.id)).code).toBe(1);
    expect(await operator('workspace', 'resume', made.id, '--reopen')).toMatchObject({
      code: 0,
      stdout: `The workspace ${made.id} works again.\nIt has no applications and keys any more. \`holdfast administrator-link\` makes a link to become an administrator.\n`,
    });
    const again = await service.enter(tenant);
    expect((await again.get(`/v1/clients/${client}`)).body.name).toBe('Kept');
    expect(await admin.get('/v1/me')).toMatchObject({ status: 401, body: { code: 'token-revoked' } });
    const { data } = (await again.get('/v1/audit-log?subject_type=application&act=delete')).body;
    expect(data.map((line: any) => line.before.client_id)).toEqual([made.credentials.clientId]);
  });

  test('ends the sessions of its people, and the links to become an administrator that nobody has used', async () => {
    const person = await signIn(service, await insertAdministrator(service));
    const { first } = service;
    const { link } = await makePrintedLink(service.context, first);
    await operator('workspace', 'close', first.workspaceId);
    await operator('workspace', 'resume', first.workspaceId, '--reopen');
    expect((await person.get('/v1/me')).status).toBe(401);
    const secret = link.slice(link.lastIndexOf('/') + 1);
    expect(await acceptInvite(service.context, secret, verifiedIdentity(newEmail()))).toEqual({
      outcome: 'wrong',
      reason: 'cancelled',
    });
  });
});

describe('workspace erase', () => {
  test('erases only a closed workspace, only by its name, and leaves neither its ids nor its names nor its secrets', async () => {
    made = await createWorkspace('Erased Holdings');
    admin = await Caller.withCredentials(service.admin.address, made.credentials);
    const names = ['Nordfjord family', 'Harbour account', 'harbour@nordfjord.example'];
    const client = await admin.makeClient(names[0]!);
    const entity = (await admin.post('/v1/legal-entities', { client_id: client, name: names[0] })).body.id;
    const account = { entity_id: entity, name: names[1], institution: 'Erased bank', currency: 'EUR' };
    const { id: accountId } = (await admin.post('/v1/accounts', account)).body;
    await makeInvite(admin, await makeUser(admin, client, { email: names[2]! }));
    const url = 'https://erased.example.com/hook';
    const { secret } = (await admin.post('/v1/webhooks', { url, events: ['transaction.created'] })).body;
    const neighbour = await service.openWorkspace();
    await neighbour.makeClient('Neighbour');
    const { workspaceId } = await tenantOf(neighbour);
    const rowsOf = async (id: string): Promise<readonly string[]> =>
      (await dumpDatabase(service.database)).split('\n').filter((row) => row.includes(id));
    const before = await rowsOf(workspaceId);

    expect((await operator('workspace', 'erase', made.id, '--confirm', 'Erased Holdings')).stderr).toMatch(/is active/);
    await operator('workspace', 'close', made.id);
    expect((await operator('workspace', 'erase', made.id)).stderr).toMatch(/--confirm "Erased Holdings"/);
    expect((await operator('workspace', 'erase', made.id, '--confirm', 'Other')).code).toBe(1);
    expect((await rowsOf(made.id)).length).toBeGreaterThan(50);
    const { code, stdout } = await operator('workspace', 'erase', made.id, '--confirm', 'Erased Holdings');
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(
        / is erased: \d{2,} rows were deleted, and none is left\.\nBackups that were made before still hold it until you delete them\.\n$/,
      ),
    ]);

    const dump = await dumpDatabase(service.database);
    const words = [made.id, client, accountId, ...names, 'Erased Holdings', 'Erased bank', 'erased.example.com'];
    const secrets = [secret, made.credentials.clientSecret, made.credentials.clientId].flatMap(plainEncodings);
    expect([...words, ...secrets].filter((word) => dump.includes(word))).toEqual([]);
    expect(await rowsOf(workspaceId)).toEqual(before);
    expect((await operator('workspace', 'erase', made.id, '--confirm', 'Erased Holdings')).stderr).toMatch(
      /no workspace/,
    );
  });
});

describe('usage', () => {
  const logged = serviceForThisFile({ settings: { ...settings, REQUEST_LOG: 'on' } });
  const ofLogged = operatorOf(() => ({ DATABASE_URL: logged.database.url, ENCRYPTION_KEY: encryptionKey }));

  test('counts what each environment holds and was asked in a month, as JSON and as CSV', async () => {
    const { workspaceId } = logged.first;
    await logged.admin.makeClient('Counted');
    // A deleted webhook has left it, so it does not count.
    await runSql(
      logged.database,
      `INSERT INTO delivery (workspace_id, environment, id, webhook_id, event_id, order_key, number, state, created_at, ended_at)
       VALUES ($1, 'production', 'left', 'deleted', 'event', '', 1, 'dead', '2026-11-15Z', '2026-11-15Z')`,
      [workspaceId],
    );
    expect((await logged.admin.get('/v1/clients/000000000000000000000000')).status).toBe(404);
    const read = async (month: string): Promise<Record<string, unknown>> =>
      JSON.parse((await ofLogged('usage', '--month', month, '--json')).stdout).find(
        (row: Record<string, unknown>) => row['workspace_id'] === workspaceId,
      );
    await expect.poll(async () => (await read('2026-11'))['requests']).toBe(2);
    const usage = {
      workspace_id: workspaceId,
      environment: 'production',
      month: '2026-11',
      clients: 1,
      transactions: 0,
      booked_in_month: 0,
      requests: 2,
      refused_requests: 1,
      failed_requests: 0,
      storage_bytes: expect.any(Number),
      deliveries: 0,
      dead_letters: 0,
      import_rows: 0,
      import_rows_max: 20_000_000,
      import_bytes: 0,
      import_bytes_max: 20_000_000_000,
      import_rows_today: 0,
      import_rows_per_day: null,
      storage_bytes_max: null,
      requests_per_minute: expect.any(Number),
      burst: expect.any(Number),
      own_settings: null,
    };
    const november = await read('2026-11');
    expect(november).toEqual(usage);
    expect(november['storage_bytes']).toBeGreaterThan(1_000);
    for (const month of ['2026-10', '2026-12'])
      expect(await read(month)).toMatchObject({ clients: 1, requests: 0, refused_requests: 0 });
    expect((await ofLogged('usage', '--json')).stdout).toMatch(/^\[\n {2}\{\n {4}"workspace_id": "/);
    const csv = (await ofLogged('usage', '--month', '2026-11', '--csv')).stdout.split('\n');
    expect(csv[0]).toBe(Object.keys(usage).join(','));
    expect(csv[1]?.split(',').slice(0, 9)).toEqual(Object.values(november).slice(0, 9).map(String));
  });

  test('is of this month where none is named, as a table', async () => {
    const monthOf = () => new Date().toISOString().slice(0, 7);
    const before = monthOf();
    const { code, stdout } = await ofLogged('usage');
    expect(code).toBe(0);
    const [titles, ...rows] = stdout.split('\n').map((line) => line.split(/ {2,}/));
    expect(titles?.slice(0, 5)).toEqual(['workspace_id', 'environment', 'month', 'clients', 'transactions']);
    const own = rows.find(([id, environment]) => id === logged.first.workspaceId && environment === 'production');
    expect(own).toHaveLength(22);
    expect([before, monthOf()]).toContain(own?.[2]);
  });

  test('refuses a month that is none', async () => {
    expect(await ofLogged('usage', '--month', '2026-13')).toMatchObject({ code: 2, stdout: '' });
  });
});
