// A process that is asked over HTTP, and goes when it is told to.

import type { ChildProcess } from 'node:child_process';

export interface Target {
  readonly address: string;
  stop(): void;
}

export function startedAt(child: ChildProcess, [{ address }]: { address: string }[] | any[]): Target {
  return { address, stop: () => void child.kill('SIGKILL') };
}
