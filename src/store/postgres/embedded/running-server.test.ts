// Tests whether a folder is free, and how long a start waits for a running server.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ServerPaths } from './running-server.ts';
import { DataDirInUse, pollsWhileRunning, waitUntilFree } from './running-server.ts';

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

test('a folder without a pid file is free', async () => {
  await expect(waitUntilFree(paths)).resolves.toBeUndefined();
});

test('files of a killed server are removed even if another process has its pid now', async () => {
  await putPidFile({ pid: process.pid, status: 'ready' });
  await writeFile(`${paths.socket}.lock`, `${process.pid}\n`);
  await waitUntilFree(paths);
  expect(await readdir(paths.dataDir, { recursive: true })).toEqual(['postgres']);
});

test('files that name a process that is gone are left to PostgreSQL, which removes them itself', async () => {
  await putPidFile({ pid: 2 ** 30, status: 'ready' });
  await waitUntilFree(paths);
  expect(await readdir(paths.cluster)).toEqual(['postmaster.pid']);
});

describe('a server in the folder', () => {
  let server: ChildProcess;

  beforeEach(() => {
    server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 60_000)'], { cwd: paths.cluster });
    onTestFinished(() => void server.kill('SIGKILL'));
  });

  test('that keeps running is checked a few times, and then the folder is reported as in use', async () => {
    await putPidFile({ pid: server.pid!, status: 'ready' });
    let pauses = 0;
    const refused = waitUntilFree(paths, undefined, async () => void pauses++);
    await expect(refused).rejects.toThrow(DataDirInUse);
    expect(pauses).toBe(pollsWhileRunning);
  });

  test('keeps the lock of its socket, also before it has written its pid file', async () => {
    await writeFile(`${paths.socket}.lock`, `${server.pid}\n`);
    await waitUntilFree(paths);
    expect(await readdir(paths.dataDir)).toContain('socket.lock');
  });

  test('that is stopping gets more time', async () => {
    await putPidFile({ pid: server.pid!, status: 'stopping' });
    let pauses = 0;
    await waitUntilFree(paths, undefined, async () => {
      if (++pauses <= 2 * pollsWhileRunning) return;
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    });
    expect(pauses).toBe(2 * pollsWhileRunning + 1);
  });
});

test('a socket that answers means a server, even if its process is not visible here', async () => {
  const server = createServer().listen(paths.socket);
  await once(server, 'listening');
  await putPidFile({ pid: 2 ** 30, status: 'ready' });
  await expect(waitUntilFree(paths, undefined, async () => {})).rejects.toThrow(DataDirInUse);
  expect(await readdir(paths.cluster)).toEqual(['postmaster.pid']);
  server.close();
});
