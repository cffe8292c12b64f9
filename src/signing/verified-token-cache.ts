// A bounded memory of tokens whose signature was checked. Keeps digests, not tokens; does not know what they say.

import { hash } from 'node:crypto';
import { RecentMap } from '../kit/lru-map.ts';

export class VerifiedTokens<T> {
  readonly #entries: RecentMap<{ readonly value: T; readonly expiresAt: number }>;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#entries = new RecentMap({ sizeMax });
  }

  get size(): number {
    return this.#entries.size;
  }

  find(token: string, now: number): T | undefined {
    const digest = digestOf(token);
    const entry = this.#entries.find(digest);
    if (entry === undefined) return undefined;
    if (entry.expiresAt > now) return entry.value;
    this.#entries.delete(digest);
    return undefined;
  }

  remember(token: string, value: T, expiresAt: number): void {
    this.#entries.put(digestOf(token), { value, expiresAt });
  }
}

function digestOf(token: string): string {
  return hash('sha256', token, 'base64');
}
