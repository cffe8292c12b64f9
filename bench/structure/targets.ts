// Starts the measured processes, sends them work, and reads the processor time that they have used.

import { fork, type ChildProcess } from 'node:child_process';
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
