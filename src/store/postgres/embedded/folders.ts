// Where the embedded database keeps its files and its socket, and who may enter these folders.

import { createHash } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { putFolder } from '../../../kit/files/folders.ts';
import { DataDirFault } from './data-dir-fault.ts';
import type { OsAccount, FileOwner } from './os-account.ts';
import { isRoot, nobodyId } from './os-account.ts';

export const port = 5432;
const socketPathBytesMax = process.platform === 'darwin' ? 103 : 107;

export function socketFile(socketDir: string): string {
  return join(socketDir, `.s.PGSQL.${port}`);
}

/** The socket has a separate folder, which can be private where the data folder is not. */
export function socketDirFor(dataDir: string): string {
  const beside = join(dataDir, 'socket');
  if (Buffer.byteLength(socketFile(beside)) <= socketPathBytesMax) return beside;
  const name = `holdfast-${createHash('sha256').update(dataDir).digest('hex').slice(0, 16)}`;
  const elsewhere = join(tmpdir(), name);
  if (Buffer.byteLength(socketFile(elsewhere)) <= socketPathBytesMax) return elsewhere;
  throw new DataDirFault(
    `Both ${dataDir} and the folder for temporary files are too long for a socket; choose a shorter DATA_DIR.`,
  );
}

/** Creates the data folder; an existing one keeps its mode. */
export async function putDataDir(dataDir: string): Promise<void> {
  const first = await putFolder(dataDir);
  if (first === undefined) return;
  if (isRoot()) {
    await chown(dataDir, 0, nobodyId).catch(() => undefined);
    await chmod(dataDir, 0o710);
  } else {
    await chmod(dataDir, 0o700);
  }
  await syncFolder(dirname(first));
}

/** The socket needs no password, so nobody else may enter this folder, and nobody else may have created it. */
export async function putSocketDir(folders: { socketDir: string; dataDir: string }, account: OsAccount): Promise<void> {
  const { socketDir, dataDir } = folders;
  await mkdir(socketDir, { mode: 0o700 }).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EEXIST') throw cause;
  });
  const found = await lstat(socketDir);
  if (!found.isDirectory() || !mayUse(found.uid, dirname(socketDir) === dataDir ? 'ours' : 'shared')) {
    throw new DataDirFault(`${socketDir} belongs to someone else; remove it or choose another DATA_DIR.`);
  }
  if (found.uid !== account.owner.uid) await chown(socketDir, account.owner.uid, account.owner.gid);
  await chmod(socketDir, 0o700);
}

function mayUse(uid: number, parent: 'ours' | 'shared'): boolean {
  if (!isRoot()) return uid === process.getuid?.();
  return parent === 'ours' || uid === 0 || uid === nobodyId;
}

export async function findOwner(path: string): Promise<FileOwner | undefined> {
  return stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return undefined;
    throw error;
  });
}

/** Makes sure that files created or renamed in a folder survive a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
