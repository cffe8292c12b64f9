// How many threads a node has, for what, and how much memory each has for ledgers. Rounds have threads of their own, so that no report waits for one.

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

/** Of the memory for ledgers, what the main thread has where reports are computed in others: it reads a ledger only to check a booking. */
const mainShare = 1 / 8;

/** Divides what the main thread leaves evenly among the others. */
export function ledgerBytesMax(
  config: Pick<Config, 'role' | 'workThreads' | 'ledgerMemoryMb'>,
  thread: 'main' | 'work',
): number {
  const bytesMax = config.ledgerMemoryMb * 1024 * 1024;
  const { reports, rounds } = threadCounts(config);
  if (reports + rounds === 0) return bytesMax;
  return thread === 'main' ? bytesMax * mainShare : (bytesMax * (1 - mainShare)) / (reports + rounds);
}
