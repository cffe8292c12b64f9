// Key pairs whose private half is kept sealed: making one, and opening it where it was sealed. Does not know what they sign.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import { generateSigningKey } from '../../signing/access-token.ts';
import type { EcPublicJwk } from '../../signing/public-key.ts';
import type { AppContext } from '../core/context.ts';

/** What a key is for: one sealed for a purpose opens for no other. */
export type KeyPurpose = 'signing-key' | 'webhook-key';

type KeyTenant = Pick<Scope, 'workspaceId' | 'environment'>;

export interface SealedKey {
  readonly id: Id;
  readonly publicJwk: EcPublicJwk;
  readonly privateSealed: Buffer;
  readonly createdAt: number;
}

export async function makeSealedKey(context: AppContext, purpose: KeyPurpose, tenant: KeyTenant): Promise<SealedKey> {
  const { publicJwk, privateJwk } = await generateSigningKey();
  const id = context.ids.next();
  const privateSealed = context.keyring.seal(purpose, JSON.stringify(privateJwk), sealContext(tenant, id));
  return { id, publicJwk, privateSealed, createdAt: context.clock.now() };
}

/** The private JWK; throws `SealBroken` where it was sealed elsewhere. */
export function openSealedKey(
  { keyring }: Pick<AppContext, 'keyring'>,
  purpose: KeyPurpose,
  { tenant, id, privateSealed }: { tenant: KeyTenant; id: Id; privateSealed: Buffer },
): { readonly [member: string]: string } {
  return JSON.parse(keyring.open(purpose, privateSealed, sealContext(tenant, id)).toString('utf8'));
}

/** A sealed key opens only where it was sealed: moved to another workspace's row it is of no use. */
function sealContext({ workspaceId, environment }: KeyTenant, id: Id): string {
  return `${workspaceId}/${environment}/${id}`;
}
