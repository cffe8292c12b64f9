// Issues and verifies the service's own access tokens. Revoked tokens and key rotation are handled by the callers.

import { exportJWK, generateKeyPair, importJWK, SignJWT, type CryptoKey, type JWK } from 'jose';
import { environments, rights, type Environment, type Right } from '../model/access/scope.ts';
import { isShortText, isNumericDate, isSignedBy, readCompactJws, type JwsObject } from './compact-jws.ts';
import { readEcPublicKey, type EcPublicJwk } from './public-key.ts';

export interface AccessTokenClaims {
  readonly issuer: string;
  readonly audience: string;
  readonly subject: string;
  readonly workspaceId: string;
  readonly environment: Environment;
  /** The application or key that requested the token. */
  readonly clientId: string;
  /** Restricts the token to one client; without it, the token covers the whole workspace. */
  readonly scopedTo?: string;
  readonly rights: readonly Right[];
  readonly tokenId: string;
}

interface VerifiedAccessToken extends AccessTokenClaims {
  /** Epoch milliseconds. */
  readonly issuedAt: number;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

type TokenFaultReason = 'malformed' | 'too-large' | 'alg' | 'signature' | 'expired' | 'issuer' | 'audience' | 'not-yet';

export class TokenFault extends Error {
  readonly reason: TokenFaultReason;

  constructor(reason: TokenFaultReason, message: string) {
    super(message);
    this.name = 'TokenFault';
    this.reason = reason;
  }
}

/** In characters. */
const accessTokenSizeMax = 4 * 1024;
/** How far the clocks of two nodes may differ. */
const clockSkewSecondsMax = 30;
const alg = 'ES256';
const typ = 'at+jwt';

export async function generateSigningKey(): Promise<{ publicJwk: EcPublicJwk; privateJwk: JWK }> {
  const pair = await generateKeyPair(alg, { extractable: true });
  return {
    publicJwk: readEcPublicKey(await exportJWK(pair.publicKey)),
    privateJwk: await exportJWK(pair.privateKey),
  };
}

/** Imports the private or the public half of a signing key. */
export async function importSigningKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, alg, { extractable: false });
  if (key instanceof Uint8Array) throw new Error('A signing key is a key pair, never a shared secret.');
  return key;
}

export interface AccessTokenSigner {
  readonly kid: string;
  readonly privateKey: CryptoKey;
}

export async function issueAccessToken(
  claims: AccessTokenClaims,
  { kid, privateKey }: AccessTokenSigner,
  { now, lifetimeSeconds }: { readonly now: number; readonly lifetimeSeconds: number },
): Promise<string> {
  const iat = Math.floor(now / 1000);
  const payload = { ...writeClaims(claims), iat, exp: iat + lifetimeSeconds };
  if (!isShortText(kid) || !findClaims(payload))
    throw new Error('The claims of an access token are incomplete or invalid.');
  const token = await new SignJWT(payload).setProtectedHeader({ alg, typ, kid }).sign(privateKey);
  if (token.length > accessTokenSizeMax) throw new Error('The access token would be larger than the service accepts.');
  return token;
}

/** Reads which key to verify a token with. Nothing in it is trusted before the signature is checked. */
export function peekAccessToken(text: string): { kid: string; workspaceId: string; environment: Environment } {
  const { kid, claims } = readAccessToken(text);
  const { workspace_id: workspaceId, environment } = claims;
  if (!isShortText(workspaceId) || !isEnvironment(environment)) throw malformed();
  return { kid, workspaceId, environment };
}

interface AccessTokenCheck {
  readonly issuer: string;
  readonly audience: string;
  /** Epoch milliseconds. */
  readonly now: number;
}

export async function verifyAccessToken(
  text: string,
  publicKey: CryptoKey,
  { issuer, audience, now }: AccessTokenCheck,
): Promise<VerifiedAccessToken> {
  const token = readAccessToken(text);
  if (!(await isSignedBy(text, { key: publicKey, alg }))) {
    throw new TokenFault('signature', 'The signature of the access token is not valid.');
  }
  const claims = findClaims(token.claims);
  if (!claims) throw malformed();
  if (claims.issuer !== issuer) throw new TokenFault('issuer', 'The access token was issued by another service.');
  if (claims.audience !== audience) throw new TokenFault('audience', 'The access token is for another service.');
  if (claims.expiresAt <= now) throw new TokenFault('expired', 'The access token has expired.');
  if (claims.issuedAt > now + clockSkewSecondsMax * 1000) {
    throw new TokenFault('not-yet', 'The access token was issued in the future.');
  }
  return claims;
}

function readAccessToken(text: string): { readonly kid: string; readonly claims: JwsObject } {
  const { header, claims } = readCompactJws(text, {
    sizeMax: accessTokenSizeMax,
    fault: (reason, message) => new TokenFault(reason, message),
  });
  if (header['alg'] !== alg) throw new TokenFault('alg', `The alg of an access token is ${alg}.`);
  // Only this service writes these tokens, so a header with any other member (jwk, jku, crit) is not ours.
  const { kid } = header;
  if (header['typ'] !== typ || !isShortText(kid) || Object.keys(header).length !== 3) throw malformed();
  return { kid, claims };
}

function malformed(): TokenFault {
  return new TokenFault('malformed', 'This is not an access token of this service.');
}

function writeClaims(claims: AccessTokenClaims): JwsObject {
  return {
    iss: claims.issuer,
    aud: claims.audience,
    sub: claims.subject,
    workspace_id: claims.workspaceId,
    environment: claims.environment,
    client_id: claims.clientId,
    ...(claims.scopedTo === undefined ? {} : { scoped_to: claims.scopedTo }),
    rights: claims.rights,
    jti: claims.tokenId,
  };
}

const claimNames = new Set('iss aud sub workspace_id environment client_id scoped_to rights jti iat exp'.split(' '));

/** Returns the claims if they are complete. Rejects unknown claims, because one might restrict the token. */
function findClaims(claims: JwsObject): VerifiedAccessToken | undefined {
  const { iss, aud, sub, workspace_id: workspaceId, environment, client_id: clientId, jti, iat, exp } = claims;
  if (!Object.keys(claims).every((name) => claimNames.has(name))) return undefined;
  if (
    !isShortText(iss) ||
    !isShortText(aud) ||
    !isShortText(sub) ||
    !isShortText(workspaceId) ||
    !isShortText(clientId)
  )
    return undefined;
  if (!isShortText(jti) || !isEnvironment(environment) || !isRightList(claims['rights'])) return undefined;
  if (!isNumericDate(iat) || !isNumericDate(exp) || exp <= iat) return undefined;
  const clientBinding = findClientBinding(claims);
  if (!clientBinding) return undefined;
  return {
    issuer: iss,
    audience: aud,
    subject: sub,
    workspaceId,
    environment,
    clientId,
    ...clientBinding,
    rights: claims['rights'],
    tokenId: jti,
    issuedAt: iat * 1000,
    expiresAt: exp * 1000,
  };
}

function findClientBinding(claims: JwsObject): { scopedTo?: string } | undefined {
  if (!Object.hasOwn(claims, 'scoped_to')) return {};
  const scopedTo = claims['scoped_to'];
  return isShortText(scopedTo) ? { scopedTo } : undefined;
}

function isEnvironment(value: unknown): value is Environment {
  return environments.some((environment) => environment === value);
}

function isRightList(value: unknown): value is Right[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    new Set(value).size === value.length &&
    value.every((right) => rights.some((one) => one === right))
  );
}
