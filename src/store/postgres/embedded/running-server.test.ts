import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Place } from './running-server.ts';
import { awaitVacancy, DataDirInUse } from './running-server.ts';

let place: Place;

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-occupancy-'));
  place = { dataDir, cluster: join(dataDir, 'postgres'), socket: join(dataDir, 'socket') };
  await mkdir(place.cluster);
});

afterEach(() => rm(place.dataDir, { recursive: true, force: true }));

async function putPidFile(file: { pid: number; status: string }): Promise<void> {
  const lines = [file.pid, place.cluster, 0, 5432, place.dataDir, '', '', file.status, ''];
  await writeFile(join(place.cluster, 'postmaster.pid'), lines.join('\n'));
}

test('a folder without a pid file is vacant', async () => {
  await expect(awaitVacancy(place)).resolves.toBeUndefined();
});

test('what a killed server left is removed where another process has its number by now', async () => {
  await putPidFile({ pid: process.pid, status: 'ready' });
  await writeFile(`${place.socket}.lock`, `${process.pid}\n`);
  await awaitVacancy(place);
  expect(await readdir(place.dataDir, { recursive: true })).toEqual(['postgres']);
});

test('a server that is stopping is waited for longer than one that runs', async () => {
  const server = spawn('sleep', ['2'], { cwd: place.cluster });
  await putPidFile({ pid: server.pid ?? 0, status: 'stopping' });
  const exit = once(server, 'exit');
  await awaitVacancy(place);
  await expect(exit).resolves.toEqual([0, null]);
});

test('a socket that answers is a server, though its process is not to be seen from here', async () => {
  const server = createServer().listen(place.socket);
  await once(server, 'listening');
  await putPidFile({ pid: 2 ** 30, status: 'ready' });
  await expect(awaitVacancy(place)).rejects.toThrow(DataDirInUse);
  expect(await readdir(place.cluster)).toEqual(['postmaster.pid']);
  server.close();
});
