// Starts the real server on real folders, as the user who runs the tests, even if that is root.

import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import { DataDirInUse, startEmbeddedPostgres } from './embedded-postgres.ts';

let base = '';
let dataDir = '';
const started: EmbeddedPostgres[] = [];
const lines: string[] = [];

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'holdfast test '));
  await chmod(base, 0o755);
  dataDir = join(base, 'some', 'data folder');
});

afterAll(async () => {
  await Promise.all(started.map((postgres) => postgres.stop()));
  // The asynchronous version takes seconds for a few thousand files.
  rmSync(base, { recursive: true, force: true });
});

async function start(folder = dataDir): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir: folder, log: (line) => lines.push(line) });
  started.push(postgres);
  return postgres;
}

/** Retries, since on a busy machine a server may take a while to notice that its owner was killed. */
async function startOnceFree(): Promise<EmbeddedPostgres> {
  for (;;) {
    try {
      return await start();
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error;
    }
  }
}

async function query(postgres: Pick<EmbeddedPostgres, 'connection'>, sql: string): Promise<unknown[]> {
  const client = new Client(postgres.connection);
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<unknown[]>({ text: sql, rowMode: 'array' })).rows.flat();
  } finally {
    await client.end();
  }
}

async function databasePid(folder = dataDir): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Starts a separate process, in a separate process group, that starts the database, commits a row and then waits. */
async function startOwner(): Promise<ChildProcess> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(new URL('embedded-postgres.ts', import.meta.url))};
    import { Client } from ${JSON.stringify(import.meta.resolve('pg'))};
    const postgres = await startEmbeddedPostgres({ dataDir: process.argv[1], log: () => {} });
    const client = new Client(postgres.connection);
    await client.connect();
    await client.query("INSERT INTO note VALUES ('committed')");
    await client.query('BEGIN');
    await client.query("INSERT INTO note VALUES ('not committed')");
    console.log('ready');
    setInterval(() => {}, 1000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', program, dataDir], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (owner.stdout) await once(createInterface({ input: owner.stdout }), 'line');
  return owner;
}

describe('an embedded database', () => {
  test('starts on a missing folder, with checksums, fsync and the same collation on every machine', async () => {
    const postgres = await start();
    expect(
      await query(
        postgres,
        `SELECT current_user, current_database(), current_setting('fsync'), current_setting('data_checksums'),
           current_setting('listen_addresses'), pg_encoding_to_char(encoding), datlocprovider, datlocale
         FROM pg_database WHERE datname = current_database()`,
      ),
    ).toEqual(['holdfast', 'holdfast', 'on', 'on', '', 'UTF8', 'b', 'C.UTF-8']);
    await query(postgres, "CREATE TABLE note AS SELECT 'first' AS text");
  });

  test('cannot be accessed by other users: its files and its socket are in private folders', async () => {
    const modes = ['postgres', 'socket'].map(async (name) => (await stat(join(dataDir, name))).mode & 0o777);
    expect(await Promise.all(modes)).toEqual([0o700, 0o700]);
    expect((await stat(dataDir)).mode & 0o007).toBe(0);
  });

  test('refuses a second owner, names the first one, and leaves the first one alone', async () => {
    const refusal = await start().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(DataDirInUse);
    expect(refusal).toMatchObject({ dataDir, databasePid: await databasePid(), ownerPid: process.pid });
    expect(await query(started[0]!, 'SELECT text FROM note')).toEqual(['first']);
  });

  test('restarts automatically when the server is killed', async () => {
    const killed = await databasePid();
    process.kill(killed, 'SIGKILL');
    await expect.poll(() => query(started[0]!, 'SELECT text FROM note').catch(String)).toEqual(['first']);
    expect(await databasePid()).not.toBe(killed);
    expect(lines).toContain('PostgreSQL ended by itself (signal SIGKILL); starting it again.');
  });

  test('can be stopped several times, and leaves no pid file', async () => {
    await Promise.all([started[0]!.stop(), started[0]!.stop()]);
    await started[0]!.stop();
    expect(await readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
    await expect(query(started[0]!, 'SELECT 1')).rejects.toThrow('ENOENT');
  });

  test('ends soon after its owner, and the next owner finds the committed data', async () => {
    const owner = await startOwner();
    process.kill(-owner.pid!, 'SIGKILL');
    const postgres = await startOnceFree();
    expect(await query(postgres, 'SELECT text FROM note ORDER BY text')).toEqual(['committed', 'first']);
    await postgres.stop();
  });

  test('ends when its owner is killed, even without a next owner', async () => {
    const owner = await startOwner();
    process.kill(owner.pid!, 'SIGKILL');
    await expect.poll(() => readdir(join(dataDir, 'postgres'))).not.toContain('postmaster.pid');
  });
});

test('a folder whose preparation was interrupted is prepared again', async () => {
  const folder = join(base, 'cut-short');
  const gone = spawnSync('true').pid;
  await mkdir(join(folder, `postgres.new-${gone}-1`, 'base'), { recursive: true });
  await writeFile(join(folder, `postgres.new-${gone}-1`, 'PG_VERSION'), '18\n');
  const postgres = await start(folder);
  expect(await query(postgres, 'SELECT 1')).toEqual([1]);
  expect((await readdir(folder)).toSorted()).toEqual(['postgres', 'socket']);
});

test('if the name of the folder is too long for a socket, the socket is in another private folder', async () => {
  const folder = join(base, ...Array.from({ length: 5 }, () => 'a-folder-with-a-long-name'));
  const postgres = await start(folder);
  expect(await query(postgres, 'SELECT 1')).toEqual([1]);
  expect(postgres.connection.host.startsWith(folder)).toBe(false);
  expect((await stat(postgres.connection.host)).mode & 0o777).toBe(0o700);
  await postgres.stop();
  await rm(postgres.connection.host, { recursive: true });
});

async function serveThenOpen(paths: { parent: string; folder: string }): Promise<string> {
  const postgres = await start(paths.folder);
  await query(postgres, "CREATE TABLE note AS SELECT 'kept' AS text");
  const { uid } = await stat(join(paths.folder, 'postgres'));
  await postgres.stop();
  await chmod(paths.parent, 0o755);
  const notes = await query(await start(paths.folder), 'SELECT text FROM note');
  return `${notes.join()}, first as uid ${uid}`;
}

test('a folder that only its owner can enter is served as its owner, and keeps its data when its mode changes', async () => {
  const parent = join(base, 'private');
  await mkdir(parent, { mode: 0o700 });
  const outcome = await serveThenOpen({ parent, folder: join(parent, 'data') }).catch(String);
  // PostgreSQL refuses to run as root, so root needs a user namespace, which not every container allows.
  const possible = process.getuid?.() !== 0 || spawnSync('unshare', ['--user', 'true']).status === 0;
  expect(outcome).toContain(possible ? `kept, first as uid ${process.getuid?.()}` : 'set DATABASE_URL');
});

test('a folder of another PostgreSQL version is refused and not touched', async () => {
  const folder = join(base, 'old');
  await mkdir(join(folder, 'postgres'), { recursive: true });
  await writeFile(join(folder, 'postgres', 'PG_VERSION'), '15\n');
  await expect(start(folder)).rejects.toThrow('was written by PostgreSQL 15, and this is 18');
  expect(await readdir(join(folder, 'postgres'))).toEqual(['PG_VERSION']);
});
