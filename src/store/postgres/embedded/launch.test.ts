// Tests a start of PostgreSQL that fails: when it is tried again, and that nothing waits for it otherwise.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { socketFile } from './folders.ts';
import { isBlocked, launchServer } from './launch.ts';

test.each([
  ['FATAL:  pre-existing shared memory block (key 17, ID 2) is still in use', true],
  ['FATAL:  lock file "postmaster.pid" already exists', true],
  ['FATAL:  lock file "postmaster.pid" is empty', true],
  ['FATAL:  could not create lock file "postmaster.pid": No space left on device', false],
  ['FATAL:  data directory has wrong ownership', false],
])('%s: %s', (line, expected) => {
  expect(isBlocked({ lines: ['LOG:  starting PostgreSQL', line, 'LOG:  database system is shut down'] })).toBe(
    expected,
  );
});

/** Starts a program in place of PostgreSQL, in a folder of its own. */
async function launch(postgres: string, signal: AbortSignal): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-launch-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return launchServer(
    {
      postgres,
      cluster: folder,
      socketDir: folder,
      account: { name: 'nobody', owner: { uid: 0, gid: 0 }, identity: {}, prefix: [] },
      settings: {},
      log: () => {},
      paths: { dataDir: folder, cluster: folder, socket: socketFile(folder) },
      connection: { host: folder, port: 5432, user: 'nobody', database: 'nothing' },
      relaunchMs: 0,
    },
    signal,
  );
}

test('a server that ends at once is reported, and looking for it ends with it', async () => {
  await expect(launch('/bin/false', AbortSignal.timeout(60_000))).rejects.toThrow('PostgreSQL did not start');
});

test('a start that another server blocks is tried forty times, and not once more when the service stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-blocked-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [program, starts] = [join(folder, 'postgres'), join(folder, 'starts')];
  const message = 'FATAL:  lock file "postmaster.pid" already exists';
  await writeFile(program, `#!/bin/sh\necho started >>'${starts}'\necho '${message}' >&2\nexit 1\n`, { mode: 0o755 });
  const countStarts = async (): Promise<number> => (await readFile(starts, 'utf8')).split('\n').length - 1;
  await expect(launch(program, AbortSignal.timeout(60_000))).rejects.toThrow(message);
  expect(await countStarts()).toBe(40);
  await expect(launch(program, AbortSignal.abort())).rejects.toThrow(/aborted|already exists/);
  expect(await countStarts()).toBeLessThanOrEqual(41);
});
