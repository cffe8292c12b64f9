// Exchanges assertions (flows A and B) and client credentials (flow C) for access tokens.

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

/** A new signing key is created when the newest is this old. */
const signingKeyServiceMs = 30 * dayMs;
/** A replaced key is kept until the last token that it signed has expired. */
export const signingKeyRetentionMs = signingKeyServiceMs + accessTokenLifetimeSeconds * secondMs + hourMs;

/** The errors of RFC 6749, section 5.2, that these flows use. */
type TokenRefusalCode =
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

interface AssertionGrant {
  readonly flow: AssertionFlow;
  readonly assertion: string;
  readonly environment: string | undefined;
}

/** Flows A and B: a signed assertion, which is exchanged for one token only. */
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
      'This assertion was already used, and each is valid for one token only. Sign a new one with a new `jti`.',
    );
  });
}

interface Delegation {
  readonly flow: AssertionFlow;
  readonly credential: StoredCredential;
  readonly subject: string;
}

/** Flow A may act for a user with access to a client in the key's scope. All other subjects get the same answer. */
async function checkDelegation(context: AppContext, { flow, credential, subject }: Delegation): Promise<void> {
  if (flow !== 'rsa') {
    throw new TokenRefusal('invalid_grant', 'The `sub` of a server-to-server assertion must equal its `iss`.');
  }
  const { workspaceId, environment, scopedTo } = credential;
  const access = await findAccessOfPerson(context, { workspaceId, environment, personId: subject });
  if (access && accessWithinClient(access, scopedTo).memberships.length > 0) return;
  throw new TokenRefusal(
    'invalid_grant',
    'The `sub` must equal the `iss`, or be the id of a user with access to a client that this key can see. There is no such user.',
  );
}

interface CredentialsGrant {
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
    `This application or key belongs to the environment ${credential.environment} and cannot get tokens for another.`,
  );
}

/** Issues a token. `claim` runs in the same transaction and rolls it back by throwing. */
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
    // The credential was deleted after it was looked up.
    const isDeleted = error instanceof Refusal && error.code === 'token-revoked';
    throw isDeleted ? new TokenRefusal('invalid_grant', error.message) : error;
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

/** Whether the keyring can open the stored signing keys; true if there are none yet. */
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
