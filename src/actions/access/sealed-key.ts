// Key pairs whose private half is kept sealed: making one, and opening it where it was sealed. Does not know what they sign.

import type { Id } from '../../kit/id.ts';
import type { Reach } from '../../model/access/scope.ts';
import { generateSigningKey } from '../../signing/access-token.ts';
import type { EcPublicJwk } from '../../signing/public-key.ts';
import type { House } from '../core/context.ts';

/** What a key is for: one sealed for a purpose opens for no other. */
export type KeyPurpose = 'signing-key' | 'webhook-key';

type Place = Pick<Reach, 'workspaceId' | 'environment'>;

export interface SealedKey {
  readonly id: Id;
  readonly publicJwk: EcPublicJwk;
  readonly privateSealed: Buffer;
  readonly createdAt: number;
}

export async function makeSealedKey(house: House, purpose: KeyPurpose, place: Place): Promise<SealedKey> {
  const { publicJwk, privateJwk } = await generateSigningKey();
  const id = house.ids.next();
  const privateSealed = house.keyring.seal(purpose, JSON.stringify(privateJwk), sealContext(place, id));
  return { id, publicJwk, privateSealed, createdAt: house.clock.now() };
}

/** The private JWK; throws `SealBroken` where it was sealed elsewhere. */
export function openSealedKey(
  { keyring }: Pick<House, 'keyring'>,
  purpose: KeyPurpose,
  { place, id, privateSealed }: { place: Place; id: Id; privateSealed: Buffer },
): { readonly [member: string]: string } {
  return JSON.parse(keyring.open(purpose, privateSealed, sealContext(place, id)).toString('utf8'));
}

/** A sealed key opens only where it was sealed: moved to another workspace's row it is of no use. */
function sealContext({ workspaceId, environment }: Place, id: Id): string {
  return `${workspaceId}/${environment}/${id}`;
}
