// Remembers the imported form of public keys, so that importing is not paid at every check. Does not know whose they are.

import { importJWK, type CryptoKey } from 'jose';
import { thumbprint, type PublicJwk } from './public-key.ts';
import { RecentMap } from '../kit/lru-map.ts';

export class ImportedKeys {
  readonly #keys: RecentMap<CryptoKey>;

  constructor({ sizeMax }: { readonly sizeMax: number }) {
    this.#keys = new RecentMap({ sizeMax });
  }

  get size(): number {
    return this.#keys.size;
  }

  async get(jwk: PublicJwk): Promise<CryptoKey> {
    const id = thumbprint(jwk);
    const known = this.#keys.find(id);
    if (known) return known;
    const key = await importJWK(jwk, jwk.kty === 'RSA' ? 'RS256' : 'ES256');
    this.#keys.put(id, key);
    return key;
  }
}
