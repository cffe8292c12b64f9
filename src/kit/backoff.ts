// How long to wait before a failed attempt is repeated.

import { hash } from 'node:crypto';

interface Backoff {
  readonly first: number;
  readonly max: number;
}

/** Doubles with each attempt, up to the maximum. */
export function backoffMs({ first, max }: Backoff, attemptsBefore: number): number {
  return Math.min(max, first * 2 ** Math.min(attemptsBefore, 20));
}

/** Subtracts up to half of the delay, so that retries spread out. The key and the attempt decide how much, so every node computes the same. */
export function jitteredBackoffMs(backoff: Backoff, id: string, attemptsBefore: number): number {
  const jitter = Number.parseInt(hash('sha256', `${id} ${attemptsBefore}`).slice(0, 8), 16) / 2 ** 32;
  return Math.round(backoffMs(backoff, attemptsBefore) * (1 - jitter / 2));
}
