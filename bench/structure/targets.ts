// Starts the measured processes, sends them work, and reads the processor time that they and the database have used.

import { fork, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TargetCommand, TargetSettings } from './target-messages.ts';

export interface MeasuredTargets {
  readonly sql: MeasuredTarget;
  readonly fastify: MeasuredTarget;
  readonly holdfast: MeasuredTarget;
}

export async function startTargets(settings: TargetSettings): Promise<MeasuredTargets> {
  const [sql, fastify, holdfast] = await Promise.all([
    MeasuredTarget.start('sql', settings),
    MeasuredTarget.start('fastify', settings),
    MeasuredTarget.start('holdfast', settings),
  ]);
  return { sql, fastify, holdfast };
}

export class MeasuredTarget {
  readonly address: string;
  readonly processId: number;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, address: string) {
    this.#child = child;
    this.processId = child.pid!;
    this.address = address;
  }

  /** `flags` are those of Node.js, beside the ones of this process. */
  static async start(
    kind: keyof MeasuredTargets,
    settings: TargetSettings,
    flags: readonly string[] = [],
  ): Promise<MeasuredTarget> {
    const execArgv = [...process.execArgv, ...flags];
    const child = fork(new URL('target.ts', import.meta.url), [kind, JSON.stringify(settings)], { execArgv });
    const { address } = await nextMessage<{ address: string }>(child);
    return new MeasuredTarget(child, address);
  }

  /** The processor time used so far. */
  async cpuMicroseconds(): Promise<number> {
    return this.#send({});
  }

  /** Runs its work without HTTP, this many times. */
  async perform(work: string, count = 1): Promise<[]> {
    await this.#send({ work, count });
    return [];
  }

  stop(): void {
    this.#child.kill('SIGKILL');
  }

  async #send(command: TargetCommand): Promise<number> {
    const message = nextMessage<{ cpuMicroseconds: number }>(this.#child);
    this.#child.send(command);
    return (await message).cpuMicroseconds;
  }
}

function nextMessage<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = (): void => reject(new Error('A target has ended.'));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as T);
    });
  });
}

/** The system counts processor time in ticks of this length. */
const tickMicroseconds = 10_000;

/** Fields of /proc/<pid>/stat after the name: 11 and 12 are the process's own time, 13 and 14 that of its finished children. */
async function ticksOf(pid: string, fields: readonly number[]): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  const values = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields.reduce((sum, field) => sum + Number(values[field] ?? 0), 0);
}

/** The processor time of the postmaster and all of its child processes so far, where the system reports it (Linux). */
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
