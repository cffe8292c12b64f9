// The three token flows: what is asked of a caller before it gets an access token. Knows no wire format but OAuth's words.

import { createHash } from 'node:crypto';
import { dayMs, hourMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import { standingBelow } from '../../model/access/person-access.ts';
import { everything, type Reach } from '../../model/access/scope.ts';
import { importSigningKey, issueAccessToken, type AccessTokenSigner } from '../../signing/access-token.ts';
import {
  AssertionFault,
  clockSkewSecondsMax,
  peekAssertion,
  unknownKid,
  verifyAssertion,
  type AssertionFlow,
} from '../../signing/assertion.ts';
import { SealBroken } from '../../signing/keyring.ts';
import { matchesClientSecret } from '../../signing/client-secret.ts';
import type { PublicJwk } from '../../signing/public-key.ts';
import { findApplication, findKey, markCredentialUsed, type StoredCredential } from '../../store/access/credentials.ts';
import type { Run } from '../../store/postgres/database.ts';
import {
  findAnySigningKey,
  findNewestSigningKey,
  insertSigningKey,
  type StoredSigningKey,
} from '../../store/access/signing-keys.ts';
import { claimAssertion } from '../../store/access/used-assertions.ts';
import { accessTokenLifetimeSeconds } from './authentication.ts';
import type { House } from '../core/context.ts';
import { findStanding } from './person-caller.ts';
import { makeSealedKey, openSealedKey } from './sealed-key.ts';

/** A new signing key is made when the newest has served this long. */
const signingKeyServiceMs = 30 * dayMs;
/** A key that has been followed by another is kept until the last token it signed is over. */
export const signingKeyKeptMs = signingKeyServiceMs + accessTokenLifetimeSeconds * secondMs + hourMs;

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
export async function exchangeAssertion(house: House, grant: AssertionGrant): Promise<IssuedToken> {
  try {
    return await exchangeVerified(house, grant);
  } catch (error) {
    if (error instanceof AssertionFault) throw new TokenRefusal('invalid_grant', error.message);
    throw error;
  }
}

async function exchangeVerified(house: House, { flow, assertion, environment }: AssertionGrant): Promise<IssuedToken> {
  const { kid, issuer } = peekAssertion(assertion, { flow });
  const kind = flow === 'rsa' ? 'rsa-key' : 'ec-key';
  const credential = await findKey(house.database, { workspaceId: issuer, keyId: kid, kind });
  if (credential === undefined) throw unknownKid();
  const audience = flow === 'rsa' ? house.addresses.baseUrl : house.addresses.authUrl;
  const key = credential.publicJwk as PublicJwk;
  const verified = await verifyAssertion(assertion, { flow, key, audience, now: house.clock.now() });
  refuseOtherEnvironment(credential, environment);
  const { subject } = verified;
  if (subject !== verified.issuer) await checkDelegation(house, { flow, credential, subject });
  return issueToken(house, { credential, subject }, async (run, reach) => {
    const tokenIdHash = createHash('sha256').update(verified.tokenId).digest();
    const expiresAt = verified.expiresAt + clockSkewSecondsMax * secondMs;
    if (await claimAssertion(run, reach, { tokenIdHash, expiresAt })) return;
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
async function checkDelegation(house: House, { flow, credential, subject }: Delegation): Promise<void> {
  if (flow !== 'rsa') {
    throw new TokenRefusal('invalid_grant', 'The `sub` of a server-to-server assertion is the same as its `iss`.');
  }
  const { workspaceId, environment, scopedTo } = credential;
  const standing = await findStanding(house, { workspaceId, environment, personId: subject });
  if (standing && standingBelow(standing, scopedTo).memberships.length > 0) return;
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
export async function exchangeCredentials(house: House, grant: CredentialsGrant): Promise<IssuedToken> {
  const credential = await findApplication(house.database, grant.clientId);
  const salt = credential?.secretSalt ?? Buffer.alloc(16);
  const hash = credential?.secretHash ?? Buffer.alloc(32);
  const matches = matchesClientSecret(house.keyring, { salt, secret: grant.clientSecret, hash });
  if (credential === undefined || !matches) {
    throw new TokenRefusal('invalid_client', 'There is no application with this client_id and client_secret.');
  }
  refuseOtherEnvironment(credential, grant.environment);
  return issueToken(house, { credential, subject: credential.workspaceId }, async () => {});
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
  house: House,
  { credential, subject }: Pick<Delegation, 'credential' | 'subject'>,
  claim: (run: Run, reach: Reach) => Promise<void>,
): Promise<IssuedToken> {
  const { workspaceId, environment, id, rights, scopedTo } = credential;
  const reach: Reach = { workspaceId, environment, sight: everything, credentialId: id };
  const now = house.clock.now();
  const issuing = house.database.write(reach, async (run) => {
    await claim(run, reach);
    await markCredentialUsed(run, reach, { id, at: now });
    return getSigner(house, run, reach);
  });
  const signer = await issuing.catch((error: unknown) => {
    // Deleted since it was looked up a moment ago.
    const isGone = error instanceof Refusal && error.code === 'token-revoked';
    throw isGone ? new TokenRefusal('invalid_grant', error.message) : error;
  });
  const { baseUrl } = house.addresses;
  const claims = {
    issuer: baseUrl,
    audience: baseUrl,
    subject,
    workspaceId,
    environment,
    clientId: id,
    ...(scopedTo === null ? {} : { scopedTo }),
    rights,
    tokenId: house.ids.next(),
  };
  const lifetimeSeconds = accessTokenLifetimeSeconds;
  return {
    accessToken: await issueAccessToken(claims, signer, { now, lifetimeSeconds }),
    expiresInSeconds: lifetimeSeconds,
  };
}

async function getSigner(house: House, run: Run, reach: Reach): Promise<AccessTokenSigner> {
  const newest = await findNewestSigningKey(run, reach);
  const isInService = newest !== undefined && house.clock.now() - newest.createdAt < signingKeyServiceMs;
  const key = isInService ? newest : await makeSigningKey(house, run, reach);
  const privateJwk = openSealedKey(house, 'signing-key', { place: reach, ...key });
  return { kid: key.id, privateKey: await importSigningKey(privateJwk) };
}

async function makeSigningKey(house: House, run: Run, reach: Reach): Promise<StoredSigningKey> {
  const key = await makeSealedKey(house, 'signing-key', reach);
  await insertSigningKey(run, reach, key);
  return key;
}

/** Whether the keyring is the one that signing keys were sealed under; true where there is none yet. */
export async function canOpenSigningKeys(house: House): Promise<boolean> {
  const key = await findAnySigningKey(house.database);
  try {
    if (key !== undefined) openSealedKey(house, 'signing-key', { place: key, ...key });
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
