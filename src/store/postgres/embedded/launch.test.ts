// Tests a start of PostgreSQL that fails: when it is tried again, and that nothing waits for it otherwise.

import { mkdtemp, rm } from 'node:fs/promises';
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

test('a server that ends at once is reported, and looking for it ends with it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-launch-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const launched = launchServer(
    {
      postgres: '/bin/false',
      cluster: folder,
      socketDir: folder,
      account: { name: 'nobody', owner: { uid: 0, gid: 0 }, identity: {}, prefix: [] },
      settings: {},
      log: () => {},
      paths: { dataDir: folder, cluster: folder, socket: socketFile(folder) },
      connection: { host: folder, port: 5432, user: 'nobody', database: 'nothing' },
    },
    AbortSignal.timeout(60_000),
  );
  await expect(launched).rejects.toThrow('PostgreSQL did not start');
});
