// Turns a bearer token into a caller. A token is verified once and cached until it expires; every unit of work checks in the database
// that its application or key still exists.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { hourMs, secondMs } from '../../kit/clock.ts';
import type { Caller } from '../../model/access/caller.ts';
import { visibleClientsOf, type Right } from '../../model/access/scope.ts';
import { importSigningKey, peekAccessToken, TokenFault, verifyAccessToken } from '../../signing/access-token.ts';
import { VerifiedTokenCache } from '../../signing/verified-token-cache.ts';
import type { AppContext } from '../core/context.ts';
import { resolvePersonCaller } from './person-caller.ts';
import type { Work } from '../core/work.ts';

export const accessTokenLifetimeSeconds = hourMs / secondMs;

/** A verified token holds the ids that were put into it when it was issued. */
function idFromClaim(claim: string): Id {
  return claim as Id;
}

/** How many tokens a node remembers to have verified. */
const verifiedTokensMax = 10_000;

export class Authentication {
  readonly #context: AppContext;
  readonly #verifiedTokens = new VerifiedTokenCache<Caller>({ sizeMax: verifiedTokensMax });

  constructor(context: AppContext) {
    this.#context = context;
  }

  /** Looks up a token that was verified before, synchronously and without the database. */
  findCached(token: string): Caller | undefined {
    return this.#verifiedTokens.find(token, this.#context.clock.now());
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

  /** Looks up the present access of the person that a token was issued for. */
  resolvePerson(token: Caller): Promise<Caller> {
    return resolvePersonCaller(this.#context, token);
  }

  async #verify(token: string): Promise<Caller> {
    const { kid, workspaceId, environment } = peekAccessToken(token);
    const key = await this.#context.stores.preAuth.findSigningKey({ workspaceId, environment, id: kid });
    if (key === undefined) throw new TokenFault('signature', 'The signature of the access token is not valid.');
    const { baseUrl } = this.#context.addresses;
    const claims = await verifyAccessToken(token, await importSigningKey(key.publicJwk), {
      issuer: baseUrl,
      audience: baseUrl,
      now: this.#context.clock.now(),
    });
    const caller: Caller = {
      subject: claims.subject,
      rights: new Set<Right>(claims.rights),
      scope: {
        workspaceId: idFromClaim(claims.workspaceId),
        environment: claims.environment,
        visibleClients: visibleClientsOf(claims.scopedTo === undefined ? null : idFromClaim(claims.scopedTo)),
        credentialId: idFromClaim(claims.clientId),
      },
    };
    this.#verifiedTokens.put(token, caller, claims.expiresAt);
    return caller;
  }
}

export function requireRight(caller: Caller, right: Right): void {
  if (caller.rights.has(right)) return;
  throw new Refusal(
    'right-missing',
    `This requires the right \`${right}\`, which the application or key does not have.`,
  );
}

/** Checks that the caller's application or key still exists, for answers that need nothing else from the database. */
export async function confirmCaller({ context, store }: Work): Promise<void> {
  await context.stores.checkCredential(store.scope);
}
