// How long to wait before trying again what has failed. Knows not what.

import { hash } from 'node:crypto';

export interface Backoff {
  readonly first: number;
  readonly max: number;
}

/** Twice as long after each attempt but the first, up to the most. */
export function backoffMs({ first, max }: Backoff, attemptsBefore: number): number {
  return Math.min(max, first * 2 ** Math.min(attemptsBefore, 20));
}

/** The same less up to half of it: by a chance that what is tried and the attempt decide, and so the same for whoever looks. */
export function jitteredBackoffMs(backoff: Backoff, id: string, attemptsBefore: number): number {
  const jitter = Number.parseInt(hash('sha256', `${id} ${attemptsBefore}`).slice(0, 8), 16) / 2 ** 32;
  return Math.round(backoffMs(backoff, attemptsBefore) * (1 - jitter / 2));
}
