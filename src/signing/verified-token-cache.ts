// Caches tokens whose signature was checked, up to a number of them. Stores digests, so that no token stays in memory.

import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

export class VerifiedTokenCache<T> {
  readonly #entries: LRUCache<string, { readonly value: T; readonly expiresAt: number }>;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#entries = new LRUCache({ max: sizeMax });
  }

  get size(): number {
    return this.#entries.size;
  }

  find(token: string, now: number): T | undefined {
    const digest = tokenDigest(token);
    const entry = this.#entries.get(digest);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > now) return entry.value;
    this.#entries.delete(digest);
    return undefined;
  }

  put(token: string, value: T, expiresAt: number): void {
    this.#entries.set(tokenDigest(token), { value, expiresAt });
  }
}

function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64');
}
