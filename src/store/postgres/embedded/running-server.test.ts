import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ServerPaths } from './running-server.ts';
import { waitUntilFree, DataDirInUse } from './running-server.ts';

let paths: ServerPaths;

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-occupancy-'));
  paths = { dataDir, cluster: join(dataDir, 'postgres'), socket: join(dataDir, 'socket') };
  await mkdir(paths.cluster);
});

afterEach(() => rm(paths.dataDir, { recursive: true, force: true }));

async function putPidFile(file: { pid: number; status: string }): Promise<void> {
  const lines = [file.pid, paths.cluster, 0, 5432, paths.dataDir, '', '', file.status, ''];
  await writeFile(join(paths.cluster, 'postmaster.pid'), lines.join('\n'));
}

test('a folder without a pid file is vacant', async () => {
  await expect(waitUntilFree(paths)).resolves.toBeUndefined();
});

test('what a killed server left is removed where another process has its number by now', async () => {
  await putPidFile({ pid: process.pid, status: 'ready' });
  await writeFile(`${paths.socket}.lock`, `${process.pid}\n`);
  await waitUntilFree(paths);
  expect(await readdir(paths.dataDir, { recursive: true })).toEqual(['postgres']);
});

test('a server that is stopping is waited for longer than one that runs', async () => {
  const server = spawn('sleep', ['2'], { cwd: paths.cluster });
  await putPidFile({ pid: server.pid ?? 0, status: 'stopping' });
  const exit = once(server, 'exit');
  await waitUntilFree(paths);
  await expect(exit).resolves.toEqual([0, null]);
});

test('a socket that answers is a server, though its process is not to be seen from here', async () => {
  const server = createServer().listen(paths.socket);
  await once(server, 'listening');
  await putPidFile({ pid: 2 ** 30, status: 'ready' });
  await expect(waitUntilFree(paths)).rejects.toThrow(DataDirInUse);
  expect(await readdir(paths.cluster)).toEqual(['postmaster.pid']);
  server.close();
});
