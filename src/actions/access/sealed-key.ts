// Generates key pairs whose private key is stored sealed, and opens them again.

import type { Id } from '../../kit/id.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { generateSigningKey } from '../../signing/access-token.ts';
import type { EcPublicJwk } from '../../signing/public-key.ts';
import type { AppContext } from '../core/context.ts';
import { sealContext } from '../core/seal-context.ts';

/** A key that was sealed for one purpose cannot be opened for another. */
export const signingKeyPurpose = 'signing-key';
export const webhookKeyPurpose = 'webhook-key';
type KeyPurpose = typeof signingKeyPurpose | typeof webhookKeyPurpose;

interface SealedKey {
  readonly id: Id;
  readonly publicJwk: EcPublicJwk;
  readonly privateSealed: Buffer;
  readonly createdAt: number;
}

export async function makeSealedKey(context: AppContext, purpose: KeyPurpose, tenant: Tenant): Promise<SealedKey> {
  const { publicJwk, privateJwk } = await generateSigningKey();
  const id = context.ids.next();
  const privateSealed = context.keyring.seal(purpose, JSON.stringify(privateJwk), sealContext(tenant, id));
  return { id, publicJwk, privateSealed, createdAt: context.clock.now() };
}

/** Returns the private JWK. Throws `SealBroken` if it was sealed for another tenant or purpose. */
export function openSealedKey(
  { keyring }: Pick<AppContext, 'keyring'>,
  purpose: KeyPurpose,
  { tenant, id, privateSealed }: { tenant: Tenant; id: Id; privateSealed: Buffer },
): { readonly [member: string]: string } {
  return JSON.parse(keyring.open(purpose, privateSealed, sealContext(tenant, id)).toString('utf8'));
}
