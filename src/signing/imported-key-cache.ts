// Remembers the imported form of public keys, so that importing is not paid at every check. Does not know whose they are.

import { importJWK, type CryptoKey } from 'jose';
import { thumbprint, type PublicJwk } from './public-key.ts';
import { LruMap } from '../kit/lru-map.ts';

export class ImportedKeyCache {
  readonly #keys: LruMap<CryptoKey>;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#keys = new LruMap({ sizeMax });
  }

  get size(): number {
    return this.#keys.size;
  }

  async get(jwk: PublicJwk): Promise<CryptoKey> {
    const id = thumbprint(jwk);
    const cached = this.#keys.find(id);
    if (cached) return cached;
    const key = await importJWK(jwk, jwk.kty === 'RSA' ? 'RS256' : 'ES256');
    this.#keys.put(id, key);
    return key;
  }
}
