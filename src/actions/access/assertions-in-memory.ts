// The assertions that were exchanged on this node while the database could not record it. Each is remembered until it has expired, which takes
// minutes, also after the database has recovered.

import type { Refusal } from '../../kit/refusal.ts';

interface ClaimedAssertion {
  readonly tokenIdHash: Buffer;
  readonly expiresAt: number;
}

/** Callers need a key that is registered, and have a budget: more than that is an attack, or an outage that nobody's tokens survive. */
const assertionsMax = 100_000;

export class AssertionsInMemory {
  readonly #expiryByHash = new Map<string, number>();

  has({ tokenIdHash }: ClaimedAssertion, now: number): boolean {
    const expiresAt = this.#expiryByHash.get(tokenIdHash.toString('base64'));
    return expiresAt !== undefined && expiresAt > now;
  }

  /** Returns whether this is the first use. Throws `refusal` if there is no room to remember it: an assertion that is forgotten could be used again. */
  claim(assertion: ClaimedAssertion, now: number, refusal: Refusal): boolean {
    if (this.has(assertion, now)) return false;
    if (this.#expiryByHash.size >= assertionsMax) this.#dropExpired(now);
    if (this.#expiryByHash.size >= assertionsMax) throw refusal;
    this.#expiryByHash.set(assertion.tokenIdHash.toString('base64'), assertion.expiresAt);
    return true;
  }

  #dropExpired(now: number): void {
    for (const [hash, expiresAt] of this.#expiryByHash) if (expiresAt <= now) this.#expiryByHash.delete(hash);
  }
}
