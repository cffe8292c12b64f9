// A server that archives its write-ahead log says so; when it cannot, it says which segment failed, until it can again.

import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withClient } from '../with-client.ts';
import { archivingText, type Archiving } from './archiving.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded/embedded-postgres.ts';

let folder: string;
let archive: string;
let server: EmbeddedPostgres;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-archiving-'));
  await chmod(folder, 0o711);
  archive = join(folder, 'archive');
  await mkdir(archive);
  await chmod(archive, 0o777);
  server = await startEmbeddedPostgres({
    dataDir: join(folder, 'data'),
    log: () => {},
    settings: {
      archive_mode: 'on',
      archive_command: `cp %p ${archive}/%f`,
      archive_timeout: '60s',
      wal_level: 'replica',
    },
  });
});

afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

function run<T>(task: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient(server.connection, task);
}

const read = (): Promise<Archiving> => run(async (client) => (await client.query<Archiving>(archivingText)).rows[0]!);

/** Ends the current segment, which is archived then. */
const endSegment = (): Promise<unknown> =>
  run(async (client) => {
    await client.query(`SELECT pg_logical_emit_message(true, 'test', 'something is written')`);
    await client.query('SELECT pg_switch_wal()');
  });

test('archiving, its failure and its end are told, and what a slot holds back', async () => {
  await endSegment();
  await expect.poll(async () => (await read()).lastArchived).not.toBeNull();
  const working = await read();
  expect(working).toMatchObject({ mode: 'on', isFailing: false, failureCount: 0, timeoutSeconds: 60, heldBytes: 0 });
  expect(working.slot).toBeNull();
  expect(working.ageSeconds).toBeGreaterThanOrEqual(0);
  expect(await readdir(archive)).toContain(working.lastArchived);

  await run((client) => client.query(`SELECT pg_create_physical_replication_slot('gone', true)`));
  await rename(archive, `${archive}-away`);
  await endSegment();
  await expect.poll(async () => (await read()).isFailing).toBe(true);
  const failing = await read();
  expect(failing).toMatchObject({
    slot: 'gone',
    slotIsUsed: false,
    lastFailed: expect.stringMatching(/^[0-9A-F]{24}$/),
  });
  expect(failing.failureCount).toBeGreaterThan(0);
  expect(failing.heldBytes).toBeGreaterThan(0);

  await rename(`${archive}-away`, archive);
  // Wakes the archiver, which else tries again after a minute.
  await endSegment();
  await expect.poll(async () => (await read()).isFailing).toBe(false);
  expect(await readdir(archive)).toContain(failing.lastFailed);
});
