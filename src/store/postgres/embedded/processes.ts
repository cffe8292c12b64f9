// Looks up a process of this machine by its id: whether it is alive, whether it serves a cluster, and its parent.

import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether an error of the operating system has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** True also for a dead process that its parent has not collected yet. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}

/** Whether the process is a PostgreSQL server on this cluster: a server's working directory is its cluster. */
export async function isServing(pid: number, cluster: string): Promise<boolean> {
  if (process.platform !== 'linux') return (await readTable(pid, 'comm=')).includes('postgres');
  const stat = await readStat(pid);
  const [state] = fieldsOf(stat);
  if (stat === '' || state === 'Z') return false;
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(cluster));
  } catch {
    return stat.includes('(postgres)');
  }
}

export async function findParent(pid: number): Promise<number | undefined> {
  const text = process.platform === 'linux' ? fieldsOf(await readStat(pid))[1] : await readTable(pid, 'ppid=');
  const parent = Number.parseInt(text ?? '', 10);
  return parent > 1 ? parent : undefined;
}

function readStat(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
}

/** The fields after the program's name in parentheses: state, parent and more. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readTable(pid: number, column: string): Promise<string> {
  return run('ps', ['-o', column, '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
