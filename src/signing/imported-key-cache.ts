// Caches imported public keys, because importing a key costs more than checking a signature with it.

import { importJWK, type CryptoKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { thumbprint, type PublicJwk } from './public-key.ts';

export class ImportedKeyCache {
  readonly #keys: LRUCache<string, CryptoKey>;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#keys = new LRUCache({ max: sizeMax });
  }

  get size(): number {
    return this.#keys.size;
  }

  async get(jwk: PublicJwk): Promise<CryptoKey> {
    const id = thumbprint(jwk);
    const cached = this.#keys.get(id);
    if (cached) return cached;
    const key = await importJWK(jwk, jwk.kty === 'RSA' ? 'RS256' : 'ES256');
    this.#keys.set(id, key);
    return key;
  }
}
