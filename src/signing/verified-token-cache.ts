// A bounded memory of tokens whose signature was checked. Keeps digests, not tokens; does not know what they say.

import { hash } from 'node:crypto';
import { LruMap } from '../kit/lru-map.ts';

export class VerifiedTokenCache<T> {
  readonly #entries: LruMap<{ readonly value: T; readonly expiresAt: number }>;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#entries = new LruMap({ sizeMax });
  }

  get size(): number {
    return this.#entries.size;
  }

  find(token: string, now: number): T | undefined {
    const digest = tokenDigest(token);
    const entry = this.#entries.find(digest);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > now) return entry.value;
    this.#entries.delete(digest);
    return undefined;
  }

  put(token: string, value: T, expiresAt: number): void {
    this.#entries.put(tokenDigest(token), { value, expiresAt });
  }
}

function tokenDigest(token: string): string {
  return hash('sha256', token, 'base64');
}
