// A started process that serves HTTP and exits on command.

import type { ChildProcess } from 'node:child_process';

export interface StartedTarget {
  readonly address: string;
  stop(): void;
}

export function toTarget(child: ChildProcess, [{ address }]: { address: string }[] | any[]): StartedTarget {
  return { address, stop: () => void child.kill('SIGKILL') };
}
