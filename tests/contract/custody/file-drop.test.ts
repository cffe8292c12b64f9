// Files that a custodian puts into the folder of an authority: taken, booked, and moved away, as the feed and the ledger show.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
async function connectFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-drop-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const service = await serviceForThisTest({ settings: { IMPORT_DIR: folder } });
  const { admin } = service;
  const { legalEntity } = await makeHousehold(admin, 'Amsel');
  const place = { entity_id: legalEntity, currency: 'CHF', institution: 'Bank Sonnenberg' };
  const account = await makeRecord(admin, 'accounts', { ...place, external_identifier: 'CH9300762011623852957' });
  const [custodian] = (await admin.get('/v1/custodians?name=Bank%20Sonnenberg')).body.data;
  const settings = { connector: 'file-drop', supported_consent_types: ['operator'], expected_files: [] };
  expect((await admin.patch(`/v1/admin/custodians/${custodian.id}`, settings)).status).toBe(200);
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
  const take = async () => {
    await makeFeedWorker(service).runAll();
    const [run] = (await admin.get(`/v1/feeds?authority_id=${flow.authority_id}&state=finished`)).body.data;
    const booked = (await admin.get(`/v1/transactions?account_id=${account}`)).body.data;
    return { run, booked };
  };
  /** The copies of files that were taken. */
  const taken = join(folder, '.taken', flow.authority_id);
  return { admin, inbox, taken, drop, take };
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
