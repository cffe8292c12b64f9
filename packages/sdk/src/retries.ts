// Decides whether a failed attempt is repeated, and when.

import { HoldfastError } from './errors.ts';

const firstDelayMs = 250;
const delayMsMax = 20_000;
/** A call does not wait longer than this because the service asks for it. */
const retryAfterMsMax = 60_000;

/** How long to wait before the next attempt, or undefined if there is none. `attempt` counts from 1 on. */
export function retryDelay(error: unknown, attempt: number, random = Math.random()): number | undefined {
  if (!(error instanceof HoldfastError)) return undefined;
  if (error.status !== 0 && error.status !== 429 && error.status < 500) return undefined;
  const backoff = Math.min(firstDelayMs * 2 ** (attempt - 1), delayMsMax);
  // Callers that failed together come back apart.
  const jittered = backoff / 2 + (backoff / 2) * random;
  if (error.retryAfterMs === undefined) return jittered;
  return error.retryAfterMs > retryAfterMsMax ? undefined : error.retryAfterMs + jittered;
}

/** Waits, or rejects when the signal aborts. */
export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delayMs);
    if (signal?.aborted) abort();
    else signal?.addEventListener('abort', abort, { once: true });
  });
}
