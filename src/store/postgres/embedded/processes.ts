// What this machine tells of a process by its number. Knows nothing of pid files or of PostgreSQL's ways, save its name.

import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Also of a process that is dead but that its parent has not yet collected. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Whether it is a PostgreSQL server on this cluster: such a one makes the cluster its working directory. */
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

/** What follows the program's name in parentheses: the state, the parent, and more. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readTable(pid: number, column: string): Promise<string> {
  return run('ps', ['-o', column, '-p', String(pid)]).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
}
