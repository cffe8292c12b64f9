// The identity of a person as an identity provider confirms it.

import { isOneOf } from '../../kit/keys.ts';

/** Up to three providers may be configured; an invite may require one of them. */
export const providerKeys = ['provider_a', 'provider_b', 'provider_c'] as const;
export type ProviderKey = (typeof providerKeys)[number];

/** A freshly verified identity. Issuer and subject identify the person; the address may change. */
export interface VerifiedIdentity {
  readonly provider: ProviderKey;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name?: string;
}

export function isProviderKey(text: string): text is ProviderKey {
  return isOneOf(providerKeys, text);
}
