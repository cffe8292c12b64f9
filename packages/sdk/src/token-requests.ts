// Gets access tokens: for an application's secret, for assertions signed with a registered key, or as the program does itself.

import { openSigner, type Signer, type SigningKey } from './assertion.ts';
import type { FetchedToken, TokenSource } from './tokens.ts';
import type { Transport } from './transport.ts';

interface WantedScope {
  /** The rights that tokens shall have, such as `read`; all of the credential unless told otherwise. */
  readonly scope?: string;
}

export interface ClientCredentials extends WantedScope {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A key that was registered at `/v1/keys`; its private part never leaves the program. */
export interface RegisteredKey extends WantedScope {
  readonly signingKey: SigningKey;
}

export interface OwnToken {
  /** An access token, or a function that gets one. */
  readonly token: string | TokenSource;
}

export type Credentials = ClientCredentials | RegisteredKey | OwnToken;

export interface TokenHosts {
  /** The address of the service. */
  readonly url: string;
  /** Where P-256 keys get their tokens. */
  readonly authUrl: string;
  /** To an address of the service. */
  transportTo(url: string): Transport;
  now(): number;
}

export function tokenSource(credentials: Credentials, hosts: TokenHosts): TokenSource {
  if ('token' in credentials) {
    const { token } = credentials;
    return typeof token === 'function' ? token : () => token;
  }
  const scope = credentials.scope === undefined ? {} : { scope: credentials.scope };
  if ('signingKey' in credentials) return assertionSource(credentials.signingKey, scope, hosts);
  const { clientId, clientSecret } = credentials;
  const fields = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...scope };
  return () => requestToken(hosts.transportTo(hosts.url), '/oauth/token', async () => fields);
}

function assertionSource(key: SigningKey, scope: { readonly scope?: string }, hosts: TokenHosts): TokenSource {
  let signer: Promise<Signer> | undefined;
  return async () => {
    signer ??= openSigner(key);
    const { alg, sign } = await signer;
    const [url, path] = alg === 'ES256' ? [hosts.authUrl, '/oauth/token'] : [hosts.url, '/v2/auth/token'];
    return requestToken(hosts.transportTo(url), path, async () => ({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await sign(url, hosts.now()),
      ...scope,
    }));
  };
}

interface TokenAnswer {
  readonly access_token: string;
  readonly expires_in: number;
}

/** @param fields are made anew for each attempt. */
async function requestToken(
  transport: Transport,
  path: string,
  fields: () => Promise<Record<string, string>>,
): Promise<FetchedToken> {
  const { data } = await transport.send<TokenAnswer>({
    operation: 'token',
    method: 'POST',
    path,
    accept: 'application/json',
    isIdempotent: false,
    timeoutMs: 30_000,
    body: {
      mediaType: 'application/x-www-form-urlencoded',
      isRepeatable: true,
      open: async () => new URLSearchParams(await fields()).toString(),
    },
  });
  return { accessToken: data.access_token, expiresInSeconds: data.expires_in };
}
