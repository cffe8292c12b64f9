// Who somebody is, as an identity provider tells it. Knows no protocol and no page.

/** Up to three may be configured; an invite may ask for one of them. */
export const providerKeys = ['provider_a', 'provider_b', 'provider_c'] as const;
export type ProviderKey = (typeof providerKeys)[number];

/** What a provider has vouched for just now. The issuer and its own name for the person make the identity; the address may change. */
export interface VerifiedIdentity {
  readonly provider: ProviderKey;
  readonly issuer: string;
  readonly subject: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly name?: string;
}

export function isProviderKey(text: string): text is ProviderKey {
  return (providerKeys as readonly string[]).includes(text);
}
