// Finds out whether a server is running on a cluster, from its pid file and its socket.

import { readFile, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DataDirFault } from './data-dir-fault.ts';
import { findParent, isAlive, isServing } from './processes.ts';

export interface ServerPaths {
  readonly dataDir: string;
  readonly cluster: string;
  readonly socket: string;
}

interface RunningServer extends Pick<PidFile, 'pid' | 'status'> {
  /** The process that started it, if it runs in this container and can be found out. */
  readonly ownerPid: number | undefined;
}

/** Another process is serving this data folder. */
export class DataDirInUse extends DataDirFault {
  override readonly name = 'DataDirInUse';
  readonly dataDir: string;
  readonly databasePid: number;
  /** The process that started the database, if it can be found out. */
  readonly ownerPid: number | undefined;

  constructor(found: { dataDir: string; databasePid: number; ownerPid: number | undefined }) {
    const owner = found.ownerPid === undefined ? '' : `process ${found.ownerPid}, `;
    super(
      `The data folder ${found.dataDir} is in use by ${owner}database process ${found.databasePid}. ` +
        'Stop that one first, or choose another DATA_DIR.',
    );
    this.dataDir = found.dataDir;
    this.databasePid = found.databasePid;
    this.ownerPid = found.ownerPid;
  }
}

const pollMs = 50;
export const pollsWhileRunning = 30;
const pollsWhileStopping = 600;

function pauseBetweenPolls(signal?: AbortSignal): Promise<void> {
  return delay(pollMs, undefined, { signal });
}

/** Waits for a server that is stopping: one whose owner was killed needs a moment to notice. */
export async function waitUntilFree(
  paths: ServerPaths,
  signal?: AbortSignal,
  pause: (signal?: AbortSignal) => Promise<void> = pauseBetweenPolls,
): Promise<void> {
  for (let polls = 0; ; polls += 1) {
    const running = await findRunningServer(paths);
    if (running === undefined) break;
    if (polls >= (running.status === 'stopping' ? pollsWhileStopping : pollsWhileRunning)) {
      throw new DataDirInUse({ ...paths, databasePid: running.pid, ownerPid: running.ownerPid });
    }
    await pause(signal);
  }
  await removeStaleLock(pidFileOf(paths.cluster), paths.cluster);
  await removeStaleLock(`${paths.socket}.lock`, paths.cluster);
}

async function findRunningServer(paths: ServerPaths): Promise<RunningServer | undefined> {
  const found = await findPidFile(paths.cluster);
  if (found === undefined) return undefined;
  const { pid, status } = found;
  if (await isServing(pid, paths.cluster)) return { pid, status, ownerPid: await findParent(pid) };
  if (await isAnswering(paths.socket)) return { pid, status, ownerPid: undefined };
  return undefined;
}

/**
 * A killed server leaves files that name its process. If that number now belongs to another process, as it often does in a container, or
 * to one that is dead but not yet collected, PostgreSQL would take it for a server and refuse to start.
 */
async function removeStaleLock(file: string, cluster: string): Promise<void> {
  const text = await readText(file);
  const pid = Number.parseInt(text, 10);
  if (!(pid > 0) || !isAlive(pid) || (await isServing(pid, cluster))) return;
  if ((await readText(file)) === text) await rm(file, { force: true });
}

interface PidFile {
  readonly pid: number;
  /** As PostgreSQL writes it: starting, ready, standby, stopping. */
  readonly status: string;
}

export async function findPidFile(cluster: string): Promise<PidFile | undefined> {
  const lines = (await readText(pidFileOf(cluster))).split('\n');
  const pid = Number.parseInt(lines[0] ?? '', 10);
  return pid > 0 ? { pid, status: lines[7]?.trim() ?? 'starting' } : undefined;
}

function pidFileOf(cluster: string): string {
  return join(cluster, 'postmaster.pid');
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'EACCES') return '';
    throw error;
  });
}

/** A server in another container has no process here, but its socket is in the same folder. */
function isAnswering(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(socket, () => finish(true));
    const finish = (answer: boolean): void => {
      connection.destroy();
      resolve(answer);
    };
    connection.on('error', () => finish(false));
  });
}
