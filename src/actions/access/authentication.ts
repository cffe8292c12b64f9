// From a bearer token to a caller. A token is verified once and then remembered until it expires; whether its application
// or key still stands is asked of the database with every piece of work.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { hourMs, secondMs } from '../../kit/clock.ts';
import { sightOf, type Caller, type Right } from '../../model/access/scope.ts';
import { importSigningKey, peekAccessToken, TokenFault, verifyAccessToken } from '../../signing/access-token.ts';
import { VerifiedTokens } from '../../signing/verified-token-cache.ts';
import { findSigningKey } from '../../store/access/signing-keys.ts';
import type { House } from '../core/context.ts';
import { standInFor } from './person-caller.ts';
import type { Work } from '../core/work.ts';

export const accessTokenLifetimeSeconds = hourMs / secondMs;

export class Authentication {
  readonly #house: House;
  readonly #verified = new VerifiedTokens<Caller>({ sizeMax: 10_000 });

  constructor(house: House) {
    this.#house = house;
  }

  /** The caller behind a token that was verified before; no promise, no signature, no database. */
  findRemembered(token: string): Caller | undefined {
    return this.#verified.find(token, this.#house.clock.now());
  }

  async authenticate(token: string): Promise<Caller> {
    try {
      return await this.#verify(token);
    } catch (error) {
      if (!(error instanceof TokenFault)) throw error;
      const code = error.reason === 'expired' ? 'token-expired' : 'token-invalid';
      throw new Refusal(code, error.message, { cause: error });
    }
  }

  /** The person that a token was issued for, as they stand now. */
  standIn(token: Caller): Promise<Caller> {
    return standInFor(this.#house, token);
  }

  async #verify(token: string): Promise<Caller> {
    const { kid, workspaceId, environment } = peekAccessToken(token);
    const key = await findSigningKey(this.#house.database, { workspaceId, environment, id: kid });
    if (key === undefined) throw new TokenFault('signature', 'The signature of the access token is not valid.');
    const { baseUrl } = this.#house.addresses;
    const claims = await verifyAccessToken(token, await importSigningKey(key.publicJwk), {
      issuer: baseUrl,
      audience: baseUrl,
      now: this.#house.clock.now(),
    });
    const caller: Caller = {
      subject: claims.subject,
      rights: new Set<Right>(claims.rights),
      reach: {
        workspaceId: claims.workspaceId as Id,
        environment: claims.environment,
        sight: sightOf((claims.scopedTo ?? null) as Id | null),
        credentialId: claims.clientId as Id,
      },
    };
    this.#verified.remember(token, caller, claims.expiresAt);
    return caller;
  }
}

export function requireRight(caller: Caller, right: Right): void {
  if (caller.rights.has(right)) return;
  throw new Refusal('right-missing', `This takes the right \`${right}\`, which the application or key does not have.`);
}

/** Makes sure that the caller's application or key still stands, for answers that take nothing else from the database. */
export async function confirmCaller({ house, store }: Work): Promise<void> {
  await house.database.confirm(store.reach);
}
