// The three token flows: what is asked of a caller before it gets an access token. Knows no wire format but OAuth's words.

import { createHash } from 'node:crypto';
import { dayMs, hourMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import { accessWithinClient } from '../../model/access/person-access.ts';
import { allClients, type Scope } from '../../model/access/scope.ts';
import { importSigningKey, issueAccessToken, type AccessTokenSigner } from '../../signing/access-token.ts';
import {
  AssertionFault,
  clockSkewSecondsMax,
  peekAssertion,
  unknownKidFault,
  verifyAssertion,
  type AssertionFlow,
} from '../../signing/assertion.ts';
import { SealBroken } from '../../signing/keyring.ts';
import { matchesClientSecret } from '../../signing/client-secret.ts';
import type { PublicJwk } from '../../signing/public-key.ts';
import type { StoredCredential } from '../../store/access/credentials.ts';
import type { StoredSigningKey } from '../../store/access/signing-keys.ts';
import type { Store } from '../../store/store.ts';
import { accessTokenLifetimeSeconds } from './authentication.ts';
import type { AppContext } from '../core/context.ts';
import { findAccessOfPerson } from './person-caller.ts';
import { makeSealedKey, openSealedKey } from './sealed-key.ts';

/** A new signing key is made when the newest has served this long. */
const signingKeyServiceMs = 30 * dayMs;
/** A key that has been followed by another is kept until the last token it signed is over. */
export const signingKeyRetentionMs = signingKeyServiceMs + accessTokenLifetimeSeconds * secondMs + hourMs;

/** The errors of RFC 6749, section 5.2, that these flows answer with. */
export type TokenRefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type';

export class TokenRefusal extends Error {
  readonly code: TokenRefusalCode;

  constructor(code: TokenRefusalCode, description: string) {
    super(description);
    this.code = code;
  }
}

export interface IssuedToken {
  readonly accessToken: string;
  readonly expiresInSeconds: number;
}

export interface AssertionGrant {
  readonly flow: AssertionFlow;
  readonly assertion: string;
  readonly environment: string | undefined;
}

/** Flows A and B: a signed assertion, good for one token. */
export async function exchangeAssertion(context: AppContext, grant: AssertionGrant): Promise<IssuedToken> {
  try {
    return await exchangeVerified(context, grant);
  } catch (error) {
    if (error instanceof AssertionFault) throw new TokenRefusal('invalid_grant', error.message);
    throw error;
  }
}

async function exchangeVerified(
  context: AppContext,
  { flow, assertion, environment }: AssertionGrant,
): Promise<IssuedToken> {
  const { kid, issuer } = peekAssertion(assertion, { flow });
  const kind = flow === 'rsa' ? 'rsa-key' : 'ec-key';
  const credential = await context.stores.preAuth.findKey({ workspaceId: issuer, keyId: kid, kind });
  if (credential === undefined) throw unknownKidFault();
  const audience = flow === 'rsa' ? context.addresses.baseUrl : context.addresses.authUrl;
  const key = credential.publicJwk as PublicJwk;
  const verified = await verifyAssertion(assertion, { flow, key, audience, now: context.clock.now() });
  refuseOtherEnvironment(credential, environment);
  const { subject } = verified;
  if (subject !== verified.issuer) await checkDelegation(context, { flow, credential, subject });
  return issueToken(context, { credential, subject }, async ({ usedAssertions }) => {
    const tokenIdHash = createHash('sha256').update(verified.tokenId).digest();
    const expiresAt = verified.expiresAt + clockSkewSecondsMax * secondMs;
    if (await usedAssertions.claim({ tokenIdHash, expiresAt })) return;
    throw new TokenRefusal(
      'invalid_grant',
      'This assertion has been used: each is good for one token. Sign a new one with a new `jti`.',
    );
  });
}

interface Delegation {
  readonly flow: AssertionFlow;
  readonly credential: StoredCredential;
  readonly subject: string;
}

/** Flow A may speak for a user whom a client within the key's reach has let in. One answer for all who are not. */
async function checkDelegation(context: AppContext, { flow, credential, subject }: Delegation): Promise<void> {
  if (flow !== 'rsa') {
    throw new TokenRefusal('invalid_grant', 'The `sub` of a server-to-server assertion is the same as its `iss`.');
  }
  const { workspaceId, environment, scopedTo } = credential;
  const access = await findAccessOfPerson(context, { workspaceId, environment, personId: subject });
  if (access && accessWithinClient(access, scopedTo).memberships.length > 0) return;
  throw new TokenRefusal(
    'invalid_grant',
    'The `sub` is the same as the `iss`, or the id of a user whom a client has let in: there is no such user within the reach of this key.',
  );
}

export interface CredentialsGrant {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly environment: string | undefined;
}

/** Flow C: the credentials of an application. */
export async function exchangeCredentials(context: AppContext, grant: CredentialsGrant): Promise<IssuedToken> {
  const credential = await context.stores.preAuth.findApplication(grant.clientId);
  const salt = credential?.secretSalt ?? Buffer.alloc(16);
  const hash = credential?.secretHash ?? Buffer.alloc(32);
  const matches = matchesClientSecret(context.keyring, { salt, secret: grant.clientSecret, hash });
  if (credential === undefined || !matches) {
    throw new TokenRefusal('invalid_client', 'There is no application with this client_id and client_secret.');
  }
  refuseOtherEnvironment(credential, grant.environment);
  return issueToken(context, { credential, subject: credential.workspaceId }, async () => {});
}

function refuseOtherEnvironment(credential: StoredCredential, environment: string | undefined): void {
  if (environment === undefined || environment === credential.environment) return;
  throw new TokenRefusal(
    'unauthorized_client',
    `This application or key is of the environment ${credential.environment}; its tokens cannot cross into another.`,
  );
}

/** Signs a token in one transaction with what makes it the only one: `claim` rolls everything back by throwing. */
async function issueToken(
  context: AppContext,
  { credential, subject }: Pick<Delegation, 'credential' | 'subject'>,
  claim: (store: Store) => Promise<void>,
): Promise<IssuedToken> {
  const { workspaceId, environment, id, rights, scopedTo } = credential;
  const scope: Scope = { workspaceId, environment, visibleClients: allClients, credentialId: id };
  const now = context.clock.now();
  const issuing = context.stores.forWriting({ scope }, async (store) => {
    await claim(store);
    await store.credentials.markUsed({ id, at: now });
    return getSigner(context, store);
  });
  const signer = await issuing.catch((error: unknown) => {
    // Deleted since it was looked up a moment ago.
    const isGone = error instanceof Refusal && error.code === 'token-revoked';
    throw isGone ? new TokenRefusal('invalid_grant', error.message) : error;
  });
  const { baseUrl } = context.addresses;
  const claims = {
    issuer: baseUrl,
    audience: baseUrl,
    subject,
    workspaceId,
    environment,
    clientId: id,
    ...(scopedTo === null ? {} : { scopedTo }),
    rights,
    tokenId: context.ids.next(),
  };
  const lifetimeSeconds = accessTokenLifetimeSeconds;
  return {
    accessToken: await issueAccessToken(claims, signer, { now, lifetimeSeconds }),
    expiresInSeconds: lifetimeSeconds,
  };
}

async function getSigner(context: AppContext, store: Store): Promise<AccessTokenSigner> {
  const newest = await store.signingKeys.findNewest();
  const isInService = newest !== undefined && context.clock.now() - newest.createdAt < signingKeyServiceMs;
  const key = isInService ? newest : await makeSigningKey(context, store);
  const privateJwk = openSealedKey(context, 'signing-key', { tenant: store.scope, ...key });
  return { kid: key.id, privateKey: await importSigningKey(privateJwk) };
}

async function makeSigningKey(context: AppContext, { scope, signingKeys }: Store): Promise<StoredSigningKey> {
  const key = await makeSealedKey(context, 'signing-key', scope);
  await signingKeys.insert(key);
  return key;
}

/** Whether the keyring is the one that signing keys were sealed under; true where there is none yet. */
export async function canOpenSigningKeys(context: AppContext): Promise<boolean> {
  const key = await context.stores.preAuth.findAnySigningKey();
  try {
    if (key !== undefined) openSealedKey(context, 'signing-key', { tenant: key, ...key });
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
