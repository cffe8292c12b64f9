// The processor time that a process and the database have used so far, where the system reports it (Linux).

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The system counts processor time in ticks of this length. */
const tickMicroseconds = 10_000;

/** Fields of /proc/<pid>/stat after the name: 11 and 12 are the process's own time, 13 and 14 that of its finished children. */
async function ticksOf(pid: string, fields: readonly number[]): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0);
}

/** Of a process with all of its threads. */
export async function processMicroseconds(pid: number): Promise<number> {
  const ticks = await ticksOf(String(pid), [11, 12]);
  return ticks === 0 ? Number.NaN : ticks * tickMicroseconds;
}

/** Of the postmaster and all of its child processes. */
export async function databaseMicroseconds(dataDir: string): Promise<number> {
  const [postmaster = ''] = (await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8').catch(() => undefined);
  if (children === undefined) return Number.NaN;
  const own = await ticksOf(postmaster, [11, 12, 13, 14]);
  const living = await Promise.all(
    children
      .trim()
      .split(' ')
      .map((pid) => ticksOf(pid, [11, 12])),
  );
  return living.reduce((sum, ticks) => sum + ticks, own) * tickMicroseconds;
}
