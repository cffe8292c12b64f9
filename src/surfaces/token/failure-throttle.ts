// Slows down callers that keep failing to get a token: one client id from one address, and one address with many client ids. Counts in the
// memory of the node, with a bounded number of entries.

import { createHash } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { LRUCache } from 'lru-cache';
import { minuteMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';

/** An address may fail this many times as often as one client id from it. */
const addressShare = 10;
/** Counted as size, since the room for a `max` of entries is taken at once, whether or not anybody ever fails. */
const bounded = { maxSize: 20_000, sizeCalculation: () => 1 };

export interface TokenAttempt {
  /** The application or key that the request names, known or not. */
  readonly clientId: string;
  readonly address: string;
}

/** Failures that have not been forgotten yet: each is, at a steady rate. */
interface Failures {
  readonly count: number;
  readonly asOf: number;
}

export class FailureThrottle {
  readonly #perMinute: number;
  readonly #failures = new LRUCache<string, Failures>(bounded);
  /** Clients that got a token from an address: the failures of others at that address do not concern them. */
  readonly #known = new LRUCache<string, true>(bounded);

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
  }

  /** Refuses an attempt that comes after too many failures. */
  check(attempt: TokenAttempt, now: number): void {
    const pair = pairKey(attempt);
    this.#checkKey(pair, this.#perMinute, now);
    if (!this.#known.has(pair)) this.#checkKey(networkOf(attempt.address), this.#perMinute * addressShare, now);
  }

  noteFailure(attempt: TokenAttempt, now: number): void {
    this.#count(pairKey(attempt), this.#perMinute, now);
    this.#count(networkOf(attempt.address), this.#perMinute * addressShare, now);
  }

  noteSuccess(attempt: TokenAttempt): void {
    this.#known.set(pairKey(attempt), true);
  }

  #checkKey(key: string, perMinute: number, now: number): void {
    const over = this.#presentCount(key, perMinute, now) + 1 - perMinute;
    if (over <= 0) return;
    const retryAfterSeconds = Math.max(1, Math.ceil((over * minuteMs) / perMinute / secondMs));
    throw new Refusal(
      'budget-exceeded',
      'Too many token requests from here have failed. Wait for Retry-After seconds.',
      {
        retryAfterSeconds,
      },
    );
  }

  #count(key: string, perMinute: number, now: number): void {
    this.#failures.set(key, { count: this.#presentCount(key, perMinute, now) + 1, asOf: now });
  }

  #presentCount(key: string, perMinute: number, now: number): number {
    const failures = this.#failures.get(key);
    if (failures === undefined) return 0;
    return Math.max(0, failures.count - (Math.max(0, now - failures.asOf) * perMinute) / minuteMs);
  }
}

/** Hashed, because a client id may be long. */
function pairKey({ clientId, address }: TokenAttempt): string {
  return createHash('sha256')
    .update(`${networkOf(address)} ${clientId}`)
    .digest('base64url');
}

/** Counts an IPv6 address by its /64, since a caller that has one address of it has them all. */
function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.split('::');
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter((group) => group !== ''));
  const missing = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0);
  return [...(before ?? []), ...Array<string>(missing).fill('0'), ...(after ?? [])].slice(0, 4).join(':');
}
