// How many threads a node has, for what, and how much memory each has for ledgers. Rounds have threads of their own, so that no report waits for one.

import { totalmem } from 'node:os';

interface ThreadSettings {
  readonly role: 'all' | 'api' | 'worker';
  readonly workThreads: number;
  readonly ledgerMemoryMb: number;
}

export interface ThreadCounts {
  readonly reports: number;
  readonly rounds: number;
}

export function threadCounts({ role, workThreads }: Pick<ThreadSettings, 'role' | 'workThreads'>): ThreadCounts {
  if (role === 'api') return { reports: workThreads, rounds: 0 };
  if (role === 'worker') return { reports: 0, rounds: workThreads };
  return { reports: workThreads, rounds: Math.ceil(workThreads / 2) };
}

/** Of the memory for ledgers, what the main thread has where reports are computed in others: it reads a ledger only to check a booking. */
const mainShare = 1 / 8;

/** Divides what the main thread leaves evenly among the others. */
export function ledgerBytesMax(settings: ThreadSettings, thread: 'main' | 'work'): number {
  const bytesMax = settings.ledgerMemoryMb * 1024 * 1024;
  const { reports, rounds } = threadCounts(settings);
  if (reports + rounds === 0) return bytesMax;
  return thread === 'main' ? bytesMax * mainShare : (bytesMax * (1 - mainShare)) / (reports + rounds);
}

/** One thread for each processor, except one processor for the listener. */
export function usualWorkThreads(processors: number): number {
  return Math.max(1, Math.min(8, processors - 1));
}

/** In bytes. A container may have less than its machine. */
export function availableMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Infinity);
}

/** An eighth of the memory available to the process, in megabytes. */
export function usualLedgerMemoryMb(bytes: number): number {
  return Math.min(Math.max(Math.floor(bytes / 2 ** 23), 64), 4_096);
}
