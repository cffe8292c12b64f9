// Exchanges assertions (flows A and B) and client credentials (flow C) for access tokens.

import { createHash } from 'node:crypto';
import { dayMs, hourMs, secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import { rightsOfPerson, type Caller } from '../../model/access/caller.ts';
import { accessWithinClient, hasAccess, type PersonAccess } from '../../model/access/person-access.ts';
import { allClients, visibleClientsOf, type Right, type Scope } from '../../model/access/scope.ts';
import { importSigningKey, issueAccessToken, type AccessTokenSigner } from '../../signing/access-token.ts';
import {
  AssertionFault,
  clockSkewSecondsMax,
  peekAssertion,
  unknownKidFault,
  verifyAssertion,
  type AssertionFlow,
} from '../../signing/assertion.ts';
import { SealBroken, sealedBy } from '../../signing/keyring.ts';
import { matchesClientSecret } from '../../signing/client-secret.ts';
import type { PublicJwk } from '../../signing/public-key.ts';
import type { StoredCredential } from '../../store/access/credentials.ts';
import type { StoredSigningKey, TenantSigningKey } from '../../store/access/signing-keys.ts';
import type { Store } from '../../store/store.ts';
import { isUnwritable } from '../../model/refusals/unwritable.ts';
import { accessTokenLifetimeSeconds } from './authentication.ts';
import type { AppContext } from '../core/context.ts';
import { findAccessOfPerson } from './person-caller.ts';
import { makeSealedKey, openSealedKey, signingKeyPurpose } from './sealed-key.ts';

/** A new signing key is created when the newest is this old. */
const signingKeyServiceMs = 30 * dayMs;
/** A replaced key is kept until the last token that it signed has expired. */
export const signingKeyRetentionMs = signingKeyServiceMs + accessTokenLifetimeSeconds * secondMs + hourMs;

/**
 * The lifetime of a token that was issued while nothing could be written: nobody can delete its application or key meanwhile, and what was not
 * recorded of it is soon over.
 */
export const unrecordedTokenLifetimeSeconds = 600;

/** The errors of RFC 6749, section 5.2, that these flows use. */
type TokenRefusalCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
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
  /** What the token may do at present. */
  readonly rights: readonly Right[];
}

/** What every token request may ask for. */
interface TokenGrant {
  readonly environment: string | undefined;
  /** The rights that the token shall have, separated by spaces; undefined: all that are available. */
  readonly scope: string | undefined;
  /** Is asked once it is proved who requests the token, before anything is written. Refuses by throwing. */
  admit(caller: Caller): Promise<void>;
}

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

interface AssertionGrant extends TokenGrant {
  readonly flow: AssertionFlow;
  readonly assertion: string;
  /** The application that sends the assertion. It need not say so, but what it says must be true (RFC 7523, section 3.1). */
  readonly client?: ClientCredentials | undefined;
}

/** The key that an assertion claims to be signed with, or the same text for every assertion that cannot be read. Nothing in it is proved. */
export function nameInAssertion(assertion: string, flow: AssertionFlow): string {
  try {
    const { kid, issuer } = peekAssertion(assertion, { flow });
    return `${issuer}/${kid}`;
  } catch (error) {
    if (error instanceof AssertionFault) return '';
    throw error;
  }
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

async function exchangeVerified(context: AppContext, grant: AssertionGrant): Promise<IssuedToken> {
  const { flow, assertion, client } = grant;
  const application = client && (await authenticateApplication(context, client));
  const { kid, issuer } = peekAssertion(assertion, { flow });
  const kind = flow === 'rsa' ? 'rsa-key' : 'ec-key';
  const credential = await context.stores.preAuth.findKey({ workspaceId: issuer, keyId: kid, kind });
  if (credential === undefined) throw unknownKidFault();
  const audience = flow === 'rsa' ? context.addresses.baseUrl : context.addresses.authUrl;
  const key = credential.publicJwk as PublicJwk;
  const verified = await verifyAssertion(assertion, { flow, key, audience, now: context.clock.now() });
  if (application !== undefined) refuseOtherTenant(credential, application);
  const { subject } = verified;
  const isDelegated = subject !== verified.issuer;
  const person = isDelegated ? await getDelegatedAccess(context, { flow, credential, subject }) : undefined;
  const tokenIdHash = createHash('sha256').update(verified.tokenId).digest();
  const used = { tokenIdHash, expiresAt: verified.expiresAt + clockSkewSecondsMax * secondMs };
  return issueToken(context, { credential, subject, person, grant }, used);
}

/** The claim of an assertion, which is valid for one token. */
interface UsedAssertion {
  readonly tokenIdHash: Buffer;
  readonly expiresAt: number;
}

function assertionReused(): TokenRefusal {
  return new TokenRefusal(
    'invalid_grant',
    'This assertion was already used, and each is valid for one token only. Sign a new one with a new `jti`.',
  );
}

function refuseOtherTenant(key: StoredCredential, application: StoredCredential): void {
  if (key.workspaceId === application.workspaceId && key.environment === application.environment) return;
  throw new TokenRefusal('invalid_grant', 'The assertion and the client credentials belong to different workspaces.');
}

interface Delegation {
  readonly flow: AssertionFlow;
  readonly credential: StoredCredential;
  readonly subject: string;
}

/** Flow A may act for a user with access to a client in the key's scope. All other subjects get the same answer. */
async function getDelegatedAccess(
  context: AppContext,
  { flow, credential, subject }: Delegation,
): Promise<PersonAccess> {
  if (flow !== 'rsa') {
    throw new TokenRefusal('invalid_grant', 'The `sub` of a server-to-server assertion must equal its `iss`.');
  }
  const { workspaceId, environment, scopedTo } = credential;
  const access = await findAccessOfPerson(context, { workspaceId, environment, personId: subject });
  const accessWithin = access && accessWithinClient(access, scopedTo);
  if (accessWithin !== undefined && hasAccess(accessWithin)) return accessWithin;
  throw new TokenRefusal(
    'invalid_grant',
    'The `sub` must equal the `iss`, or be the id of a user with access to a client that this key can see. There is no such user.',
  );
}

interface CredentialsGrant extends TokenGrant {
  readonly client: ClientCredentials;
}

/** Flow C: the credentials of an application. */
export async function exchangeCredentials(context: AppContext, grant: CredentialsGrant): Promise<IssuedToken> {
  const credential = await authenticateApplication(context, grant.client);
  return issueToken(context, { credential, subject: credential.workspaceId, grant });
}

/** Issues a token without credentials, to a caller who was identified in another way. */
export async function issueTokenFor(
  context: AppContext,
  credential: StoredCredential,
  admit: (caller: Caller) => Promise<void>,
): Promise<IssuedToken> {
  const grant = { environment: undefined, scope: undefined, admit };
  return issueToken(context, { credential, subject: credential.workspaceId, grant });
}

async function authenticateApplication(
  context: AppContext,
  { clientId, clientSecret }: ClientCredentials,
): Promise<StoredCredential> {
  const credential = await context.stores.preAuth.findApplication(clientId);
  const salt = credential?.secretSalt ?? Buffer.alloc(16);
  const hash = credential?.secretHash ?? Buffer.alloc(32);
  const matches = matchesClientSecret(context.keyring, { salt, secret: clientSecret, hash });
  if (credential !== undefined && matches) return credential;
  throw new TokenRefusal('invalid_client', 'There is no application with this client_id and client_secret.');
}

function refuseOtherEnvironment(credential: StoredCredential, environment: string | undefined): void {
  if (environment === undefined || environment === credential.environment) return;
  throw new TokenRefusal(
    'unauthorized_client',
    `This application or key belongs to the environment ${credential.environment} and cannot get tokens for another.`,
  );
}

interface TokenHolder {
  readonly credential: StoredCredential;
  readonly subject: string;
  /** Set where the token acts for a person. */
  readonly person?: PersonAccess | undefined;
  readonly grant: TokenGrant;
}

/** What a token is signed with, and for how long. */
interface Issuing {
  readonly signer: AccessTokenSigner;
  readonly lifetimeSeconds: number;
}

async function issueToken(
  context: AppContext,
  { credential, subject, person, grant }: TokenHolder,
  used?: UsedAssertion,
): Promise<IssuedToken> {
  const { workspaceId, environment, id, scopedTo } = credential;
  const caller = { workspaceId, environment, visibleClients: visibleClientsOf(scopedTo), credentialId: id };
  await grant.admit({ scope: caller, rights: new Set(credential.rights), subject }).catch(throwTokenRefusal);
  refuseOtherEnvironment(credential, grant.environment);
  const { rights, presentRights } = rightsOfToken(credential, { person, scope: grant.scope });
  const scope: Scope = { workspaceId, environment, visibleClients: allClients, credentialId: id };
  const now = context.clock.now();
  const { signer, lifetimeSeconds } = await recordIssue(context, { scope, credentialId: id, used, now })
    .catch((error: unknown) => {
      if (isUnwritable(error)) return prepareUnrecorded(context, { scope, used, refusal: error });
      throw error;
    })
    .catch(throwTokenRefusal);
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
  return {
    accessToken: await issueAccessToken(claims, signer, { now, lifetimeSeconds }),
    expiresInSeconds: lifetimeSeconds,
    rights: presentRights,
  };
}

interface RecordedIssue {
  readonly scope: Scope;
  readonly credentialId: StoredCredential['id'];
  readonly used: UsedAssertion | undefined;
  readonly now: number;
}

/** One transaction: the assertion counts as used only if a token can be issued for it. */
async function recordIssue(context: AppContext, { scope, credentialId, used, now }: RecordedIssue): Promise<Issuing> {
  if (used !== undefined && context.assertionsInMemory.has(used, now)) throw assertionReused();
  const signer = await context.stores.forWriting({ scope }, async (store) => {
    if (used !== undefined && !(await store.usedAssertions.claim(used))) throw assertionReused();
    await store.credentials.markUsed({ id: credentialId, at: now });
    return getSigner(context, store);
  });
  return { signer, lifetimeSeconds: accessTokenLifetimeSeconds };
}

/**
 * While nothing can be written, a token is signed with a key that is there, for a short time. Its assertion is remembered by this node. The
 * credential is checked as always, by the first statement of what is read.
 */
async function prepareUnrecorded(
  context: AppContext,
  {
    scope,
    used,
    refusal,
  }: { readonly scope: Scope; readonly used: UsedAssertion | undefined; readonly refusal: Refusal },
): Promise<Issuing> {
  const now = context.clock.now();
  const store = context.stores.forReading({ scope });
  const key = await store.signingKeys.findNewest();
  // An environment for which no token was ever issued has none.
  if (key === undefined) throw refusal;
  if (used !== undefined) {
    if (await store.usedAssertions.isClaimed(used.tokenIdHash)) throw assertionReused();
    if (!context.assertionsInMemory.claim(used, now, refusal)) throw assertionReused();
  }
  return { signer: await openSigner(context, store, key), lifetimeSeconds: unrecordedTokenLifetimeSeconds };
}

/** Throws what the database refuses in the words of RFC 6749. */
function throwTokenRefusal(error: unknown): never {
  const code = error instanceof Refusal ? error.code : '';
  const message = error instanceof Refusal ? error.message : '';
  // The credential was deleted after it was looked up.
  if (code === 'token-revoked') throw new TokenRefusal('invalid_grant', message);
  if (code === 'workspace-suspended') throw new TokenRefusal('unauthorized_client', message);
  throw error;
}

interface RequestedRights {
  readonly person: PersonAccess | undefined;
  readonly scope: string | undefined;
}

/** The rights that a token is issued with, and those of them that its person has at present; a person's are looked up with every request. */
function rightsOfToken(
  credential: StoredCredential,
  { person, scope }: RequestedRights,
): { readonly rights: readonly Right[]; readonly presentRights: readonly Right[] } {
  const isPersons = (right: Right): boolean => person === undefined || rightsOfPerson(person).has(right);
  const available = credential.rights.filter(isPersons);
  const words = new Set((scope ?? '').split(' ').filter((word) => word !== ''));
  const isRequested = (right: Right): boolean => words.size === 0 || words.has(right);
  if (available.length === 0 || ![...words].every((word) => available.some((right) => right === word))) {
    const limit = available.length === 0 ? 'nothing' : `no more than: ${available.join(' ')}`;
    throw new TokenRefusal('invalid_scope', `The scope of a token for this application, key or user can be ${limit}.`);
  }
  return { rights: credential.rights.filter(isRequested), presentRights: available.filter(isRequested) };
}

async function getSigner(context: AppContext, store: Store): Promise<AccessTokenSigner> {
  const newest = await store.signingKeys.findNewest();
  const isInService = newest !== undefined && context.clock.now() - newest.createdAt < signingKeyServiceMs;
  return openSigner(context, store, isInService ? newest : await makeSigningKey(context, store));
}

async function openSigner(
  context: AppContext,
  { scope }: Pick<Store, 'scope'>,
  key: StoredSigningKey,
): Promise<AccessTokenSigner> {
  const privateJwk = openSealedKey(context, signingKeyPurpose, { tenant: scope, ...key });
  return { kid: key.id, privateKey: await importSigningKey(privateJwk) };
}

async function makeSigningKey(context: AppContext, { scope, signingKeys }: Store): Promise<StoredSigningKey> {
  const key = await makeSealedKey(context, signingKeyPurpose, scope);
  await signingKeys.insert(key);
  return key;
}

/** Which encryption keys have sealed the stored signing keys, and whether the keyring opens what each of them has sealed. */
export async function listSealingKeys(
  context: AppContext,
): Promise<readonly { readonly fingerprint: string; readonly isOpen: boolean }[]> {
  const keys = await context.stores.preAuth.findSealedSigningKeys();
  return keys.map((key) => ({ fingerprint: sealedBy(key.privateSealed), isOpen: canOpen(context, key) }));
}

function canOpen(context: AppContext, key: TenantSigningKey): boolean {
  try {
    openSealedKey(context, signingKeyPurpose, { tenant: key, ...key });
    return true;
  } catch (error) {
    if (error instanceof SealBroken) return false;
    throw error;
  }
}
