// Where tests keep the data of databases: in memory, if this machine has a memory disk with room. A disk takes ten times as long to copy
// the many small files of a database.

import { readdirSync, rmSync, statfsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryDisk = '/dev/shm';
/** What a whole run takes at most, with room to spare. */
const bytesNeeded = 4 * 2 ** 30;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryDisk);
    return bavail * bsize >= bytesNeeded && freemem() >= bytesNeeded;
  } catch {
    return false;
  }
}

/** Creates a folder for the data of a database. The caller removes it. */
export async function makeDataFolder(name: string): Promise<string> {
  if (!hasRoom()) return mkdtemp(join(tmpdir(), `${name}-`));
  removeAbandonedFolders();
  return mkdtemp(join(memoryDisk, `${name}-${process.pid}-`));
}

/** A run that was killed has left its folder behind, which takes memory until it is removed. */
function removeAbandonedFolders(): void {
  for (const entry of readdirSync(memoryDisk)) {
    const processId = /^holdfast-[a-z]+-(\d+)-/.exec(entry)?.[1];
    if (processId !== undefined && !isRunning(Number(processId))) {
      rmSync(join(memoryDisk, entry), { recursive: true, force: true });
    }
  }
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
