// Files that a custodian puts into the folder of an authority: taken, booked, and moved away, as the feed and the ledger show.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { serviceAuthor } from '../../../src/actions/core/work.ts';
import { changeSettings } from '../../../src/actions/access/workspace.ts';
import { takeFeedRun } from '../../../src/actions/feeds/feed-run.ts';
import { hourMs, minuteMs } from '../../../src/kit/clock.ts';
import { runSql } from '../../setup/database/sql.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { makeFeedWorker } from '../../setup/custody/connected-household.ts';
import { serviceForThisTest } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';

const camt = new CamtText({ version: 8 });
/** Larger files are not read. */
const fileBytesMax = 1024 ** 3;
const statement = camt.document([
  {
    entries: [
      camt.entry({ amount: '200.00', direction: 'CRDT', reference: 'A-1' }),
      camt.entry({ amount: '50.00', direction: 'DBIT', reference: 'A-2' }),
    ],
  },
]);

/** An authority whose files are taken from a folder, and an account that they are about. */
async function connectFolder(settings: Readonly<Record<string, string>> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-drop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const service = await serviceForThisTest({ settings: { IMPORT_DIR: folder, ...settings } });
  const { admin } = service;
  const { legalEntity } = await makeHousehold(admin, 'Amsel');
  const place = { entity_id: legalEntity, currency: 'CHF', institution: 'Bank Sonnenberg' };
  const account = await makeRecord(admin, 'accounts', { ...place, external_identifier: 'CH9300762011623852957' });
  const [custodian] = (await admin.get('/v1/custodians?name=Bank%20Sonnenberg')).body.data;
  const connector = { connector: 'file-drop', supported_consent_types: ['operator'], expected_files: [] };
  expect((await admin.patch(`/v1/admin/custodians/${custodian.id}`, connector)).status).toBe(200);
  const started = { custodian_id: custodian.id, legal_entity_id: legalEntity };
  const flow = (await admin.post('/v1/admin/auth-flows', started)).body;
  await admin.post(`/v1/admin/auth-flows/${flow.id}/consent`, { consent_type: 'operator' });
  const granted = await admin.post(`/v1/admin/auth-flows/${flow.id}/grant`, {});
  expect([granted.status, granted.body.state]).toEqual([200, 'active']);

  const inbox = join(folder, flow.authority_id);
  await mkdir(inbox, { recursive: true });
  const drop = async (name: string, text: string, size = text.length): Promise<void> => {
    await writeFile(join(inbox, name), text);
    await truncate(join(inbox, name), size);
    const written = new Date(service.clock.now() - 60_000);
    await utimes(join(inbox, name), written, written);
  };
  /** Takes what is in the folder, and returns what the feed and the ledger show. */
  const take = async (caller = admin) => {
    await makeFeedWorker(service).runAll();
    const [run] = (await caller.get(`/v1/feeds?authority_id=${flow.authority_id}&state=finished`)).body.data;
    const booked = (await caller.get(`/v1/transactions?account_id=${account}`)).body.data;
    return { run, booked };
  };
  /** The copies of files that were taken. */
  const taken = join(folder, '.taken', flow.authority_id);
  return { service, authority: flow.authority_id, admin, inbox, taken, drop, take };
}

test('a file in the folder of an authority becomes a run, an import and bookings', async () => {
  const { admin, inbox, taken, drop, take } = await connectFolder();
  await drop('march.xml', statement);
  const { run, booked } = await take();
  expect(run).toMatchObject({
    connector: 'file-drop',
    counts: { fetched: 2, rows: 2, booked: 2 },
    to_mark: 'march.xml',
    waits_for: null,
  });
  const { body } = await admin.get(`/v1/imports/${run.import_ids[0]}`);
  expect(body).toMatchObject({ state: 'booked', format: 'camt.053', file_name: 'march.xml' });
  expect(booked).toMatchObject([
    { amount: '200', external_reference: 'A-1', source: 'custodian' },
    { amount: '-50', external_reference: 'A-2', source: 'custodian' },
  ]);
  expect([await readdir(inbox), (await readdir(taken)).length]).toEqual([[], 1]);
});

test('a file that is too large or cannot be read is a row that says why, and the files behind it are booked', async () => {
  const { inbox, taken, drop, take } = await connectFolder();
  await drop('a.xml', statement, fileBytesMax + 1);
  await drop('b.xml', statement.replace('</Stmt>', ''));
  await drop('c.xml', statement);
  const { run, booked } = await take();
  expect(run).toMatchObject({
    counts: { fetched: 4, rows: 4, booked: 2, refused: 2 },
    to_mark: 'c.xml',
    waits_for: 'correction',
  });
  expect(run.import_ids).toHaveLength(2);
  expect(run.problems.map(({ detail }: any) => detail)).toEqual([
    `a.xml has ${fileBytesMax + 1} bytes, and at most ${fileBytesMax} are read. It was not read, and is left under a name that begins with .refused.`,
    expect.stringMatching(/^b\.xml: /),
  ]);
  expect(booked.map(({ amount }: any) => amount)).toEqual(['200', '-50']);
  expect([(await readdir(inbox)).length, (await readdir(taken)).length]).toEqual([1, 2]);
});

test('links that a dropper makes in its folder lead to no file of the service, and the feed says that they were not read', async () => {
  const { inbox, drop, take } = await connectFolder();
  const own = await mkdtemp(join(tmpdir(), 'holdfast-own-'));
  onTestFinished(() => rm(own, { recursive: true, force: true }));
  await writeFile(join(own, 'encryption.key'), statement);
  for (const stage of ['claimed', 'done']) {
    await symlink(own, join(inbox, stage));
    execFileSync('touch', ['--no-dereference', '--date', '2026-11-15T11:00:00Z', join(inbox, stage)]);
  }
  await drop('march.xml', statement);
  const { run, booked } = await take();
  expect(run.counts).toMatchObject({ rows: 4, booked: 2, refused: 2 });
  expect(run.problems.map(({ detail }: any) => detail)).toEqual(
    ['claimed', 'done'].map((stage) => expect.stringContaining(`${stage} is a link, a pipe or a device, and no file.`)),
  );
  expect(booked).toHaveLength(2);
  expect(await readdir(own)).toEqual(['encryption.key']);
});

const parked = (name: string): string =>
  `${name}: reading this file ended in an internal error, or stopped the service, 2 times. It is not read again, and nothing of it was booked. To try it again, send it again.`;

test('a file whose import ends in an internal error twice is parked, and read again when it is dropped again', async () => {
  const { service, admin, authority, inbox, drop, take } = await connectFolder();
  const { database, clock } = service;
  const tenant = await tenantOf(admin);
  await runSql(database, `ALTER TABLE import ADD CONSTRAINT defect CHECK (file_name <> 'a.xml')`);
  await drop('a.xml', statement);
  await drop(
    'b.xml',
    camt.document([{ entries: [camt.entry({ amount: '7.00', direction: 'CRDT', reference: 'B-1' })] }]),
  );
  for (const attempts of [1, 2]) {
    await take();
    const [waiting] = (await admin.get(`/v1/feeds?authority_id=${authority}&state=waiting`)).body.data;
    expect(waiting).toMatchObject({ attempts, error: 'internal', waits_for: 'custodian' });
    clock.advance(10 * minuteMs);
  }
  const { run, booked } = await take();
  expect(run).toMatchObject({ counts: { refused: 1, booked: 1 }, waits_for: 'correction', error: null });
  expect(run.problems.map(({ detail }: any) => detail)).toEqual([parked('a.xml')]);
  expect(booked.map(({ amount }: any) => amount)).toEqual(['7']);
  expect(await readdir(inbox)).toEqual([]);

  await runSql(database, 'ALTER TABLE import DROP CONSTRAINT defect');
  await drop('a.xml', statement);
  clock.advance(2 * hourMs);
  expect((await take(await service.enter(tenant))).booked).toHaveLength(3);
});

test('a file that stops two nodes is parked by the third', async () => {
  const { service, admin, authority, drop, take } = await connectFolder();
  const { context, clock } = service;
  const tenant = await tenantOf(admin);
  await drop('a.xml', statement);
  const digest = createHash('sha256').update(statement).digest('hex');
  for (const trials of [1, 2]) {
    const lease = await takeFeedRun(context, { tenant, authority });
    const begun = context.stores.forWriting(serviceAuthor(tenant), ({ custody }) =>
      custody.feeds.beginFile(lease!.run, digest),
    );
    expect(await begun).toBe(trials);
    // The node is gone, and its lease ends.
    clock.advance(10 * minuteMs);
  }
  const { run, booked } = await take();
  expect(run.problems.map(({ detail }: any) => detail)).toEqual([parked('a.xml')]);
  expect(booked).toEqual([]);
});

test('attempts that end for another reason than the file are not counted', async () => {
  const { service, admin, authority, drop, take } = await connectFolder();
  const { database, clock } = service;
  await drop('a.xml', statement);
  await runSql(
    database,
    `CREATE FUNCTION away() RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN RAISE 'away' USING ERRCODE = '57014'; END $$;
     ALTER TABLE import ADD CONSTRAINT away CHECK (file_name IS NULL OR away())`,
  );
  for (let attempt = 1; attempt <= 4; attempt++) {
    await take();
    clock.advance(10 * minuteMs);
  }
  const [waiting] = (await admin.get(`/v1/feeds?authority_id=${authority}&state=waiting`)).body.data;
  expect(waiting).toMatchObject({ attempts: 4, error: 'internal' });
  await runSql(database, 'ALTER TABLE import DROP CONSTRAINT away');
  expect((await take()).booked).toHaveLength(2);
});

test('a file whose import fails is parked although another file arrives in front of it with every attempt', async () => {
  const { service, admin, authority, inbox, drop, take } = await connectFolder();
  const { database, clock } = service;
  await runSql(database, `ALTER TABLE import ADD CONSTRAINT defect CHECK (file_name <> 'z.xml')`);
  await drop('z.xml', statement);
  const dropInFront = (number: number): Promise<void> => {
    const entry = camt.entry({ amount: `${number}.00`, direction: 'CRDT', reference: `N-${number}` });
    return drop(`a${number}.xml`, camt.document([{ entries: [entry] }]));
  };
  for (const number of [1, 2]) {
    await dropInFront(number);
    await take();
    const [waiting] = (await admin.get(`/v1/feeds?authority_id=${authority}&state=waiting`)).body.data;
    expect(waiting).toMatchObject({ error: 'internal', to_mark: `a${number}.xml` });
    clock.advance(10 * minuteMs);
  }
  await dropInFront(3);
  const { run, booked } = await take();
  expect(run.problems.map(({ detail }: any) => detail)).toEqual([parked('z.xml')]);
  expect(booked.map(({ amount }: any) => amount).toSorted()).toEqual(['1', '2', '3']);
  expect(await readdir(inbox)).toEqual([]);
});

test('a file beyond the quota of imports is booked as a whole once there is room, and the run says what it waits for', async () => {
  const { service, admin, authority, inbox, drop, take } = await connectFolder({ IMPORT_ROWS_MAX: '3' });
  await drop('a.xml', statement);
  await drop('b.xml', statement.replaceAll('A-', 'B-'));
  for (const attempts of [1, 2, 3]) {
    expect((await take()).booked).toHaveLength(2);
    const [waiting] = (await admin.get(`/v1/feeds?authority_id=${authority}&state=waiting`)).body.data;
    expect(waiting).toMatchObject({
      attempts,
      error: 'quota-reached',
      waits_for: 'quota',
      to_mark: 'a.xml',
      counts: { rows: 2, booked: 2 },
    });
    expect(waiting.error_detail).toContain('imports would take 4 rows. The quota of the workspace is 3.');
    service.clock.advance(10 * minuteMs);
  }
  expect(await readdir(inbox)).toEqual(['b.xml']);
  const { workspaceId } = await tenantOf(admin);
  await changeSettings(service.context, workspaceId, { changes: { importRows: 4 }, command: 'test' });
  const { run, booked } = await take();
  expect(run).toMatchObject({ error: null, waits_for: null, to_mark: 'b.xml', counts: { rows: 4, booked: 4 } });
  expect(booked).toHaveLength(4);
  expect(await readdir(inbox)).toEqual([]);
});

test('files of an account that is not here yet say so; creating it from them books the rows, and says where the ledger begins', async () => {
  const { admin, authority, drop, take } = await connectFolder();
  const unknown = camt.document([
    {
      account: '<Acct><Id><IBAN>CH5604835012345678009</IBAN></Id><Ccy>CHF</Ccy></Acct>',
      balances: [camt.balance('OPBD', '1000.00', '2024-03-01'), camt.balance('CLBD', '1150.00', '2024-03-01')],
      entries: [
        camt.entry({ amount: '200.00', direction: 'CRDT', reference: 'N-1' }),
        camt.entry({ amount: '50.00', direction: 'DBIT', reference: 'N-2' }),
      ],
    },
  ]);
  await drop('new.xml', unknown);
  const { run } = await take();
  expect(run.counts).toMatchObject({ booked: 0, needs: 2 });
  const path = `/v1/authorities/${authority}/accounts`;
  const number = 'CH5604835012345678009';
  expect((await admin.get(path)).body).toMatchObject({
    listed_at: null,
    data: [{ number, currency: 'CHF', kind: 'cash', is_listed: false, state: 'new', waiting_rows: 2 }],
  });
  const { body } = await admin.post(path, { data: [{ number, create: { name: 'Savings' } }] });
  expect(body).toMatchObject({
    data: [{ outcome: 'created' }],
    rows: { state: 'done', imports: 1, booked: 2, waiting: 0 },
  });
  const created = body.data[0].account_id;
  expect((await admin.get(`/v1/transactions?account_id=${created}`)).body.data).toHaveLength(2);
  const imported = async (): Promise<any[]> => (await admin.get(`/v1/imports/${run.import_ids[0]}`)).body.warnings;
  const opening = { code: 'opening-missing', account: number, stated: '1000' };
  expect(await imported()).toMatchObject([opening]);
  await admin.post(`/v1/imports/${run.import_ids[0]}/book`, undefined);
  expect(await imported()).toMatchObject([opening]);
});

test('positions of a depository that the authority does not reach wait, and are compared with nothing', async () => {
  const { admin, drop, take } = await connectFolder();
  const [entity] = (await admin.get('/v1/legal-entities')).body.data;
  const other = await makeRecord(admin, 'legal-entities', { name: 'Amsel Zwei AG', client_id: entity.client_id });
  const place = { legal_entity_id: other, external_identifier: 'D-9' };
  await makeRecord(admin, 'depositories', place);
  await drop(
    'holdings.fin',
    `:16R:GENL
:28E:1/ONLY
:20C::SEME//HOLDINGS1
:23G:NEWM
:98A::STAT//20240131
:97A::SAFE//D-9
:16S:GENL
:16R:SUBSAFE
:16R:FIN
:35B:ISIN CH0038863350
SEEFELD
:93B::AGGR//UNIT/100,
:16S:FIN
:16S:SUBSAFE
-
`,
  );
  const { run } = await take();
  expect(run).toMatchObject({ counts: { rows: 1, booked: 0, unchanged: 0, needs: 1 } });
  expect(run.problems.map(({ code }: any) => code)).toEqual(['depository-not-linked']);
});
