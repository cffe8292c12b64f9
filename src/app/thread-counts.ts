// How many threads a node has, and for what. Rounds have threads of their own, so that no report waits for one.

import type { Config } from './config.ts';

export interface ThreadCounts {
  readonly reports: number;
  readonly rounds: number;
}

export function threadCounts({ role, workThreads }: Pick<Config, 'role' | 'workThreads'>): ThreadCounts {
  if (role === 'api') return { reports: workThreads, rounds: 0 };
  if (role === 'worker') return { reports: 0, rounds: workThreads };
  return { reports: workThreads, rounds: Math.ceil(workThreads / 2) };
}
