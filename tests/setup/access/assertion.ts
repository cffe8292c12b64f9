// Signs assertions the way an integrator's program does, and in every wrong way. Independent of the service's code.

import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import type { Caller, Reply } from '../http/caller.ts';

export const jwtBearerGrantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A registered key with its private part. */
export interface Signer {
  readonly alg: 'RS256' | 'ES256';
  readonly kid: string;
  readonly workspaceId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function makeRsaPair(modulusLength = 2048): KeyPair {
  return generateKeyPairSync('rsa', { modulusLength });
}

export function makeEcPair(namedCurve = 'P-256'): KeyPair {
  return generateKeyPairSync('ec', { namedCurve });
}

export function publicKeyPem({ publicKey }: KeyPair): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

let sharedRsaPair: KeyPair | undefined;

/** Makes one pair for all tests: making one takes as long as many requests. */
function findRsaPair(): KeyPair {
  sharedRsaPair ??= makeRsaPair();
  return sharedRsaPair;
}

/** Flow A: registers an RSA key on the Plain wire. */
export async function registerRsa(admin: Caller, pair: KeyPair = findRsaPair(), more: object = {}): Promise<Signer> {
  const { body, text } = await admin.post('/v2/auth/keys', {
    label: 'RSA',
    public_key_pem: publicKeyPem(pair),
    ...more,
  });
  if (body?.key_id === undefined) throw new Error(`No key: ${text}`);
  const workspaceId = (await admin.get('/v1/me')).body.workspace_id;
  return { alg: 'RS256', kid: body.key_id, workspaceId, ...pair };
}

/** Flow B: registers a P-256 key on v1. */
export async function registerEc(admin: Caller, pair: KeyPair = makeEcPair(), more: object = {}): Promise<Signer> {
  const jwk = pair.publicKey.export({ format: 'jwk' });
  const { body, text } = await admin.post('/v1/keys', { label: 'EC', jwk, ...more });
  if (body?.kid === undefined) throw new Error(`No key: ${text}`);
  return { alg: 'ES256', kid: body.kid, workspaceId: body.iss, ...pair };
}

export function encodeBase64Url(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export interface AssertionInput {
  /** Unix time in milliseconds. */
  readonly now: number;
  readonly audience: string;
}

export function assertionClaims({ workspaceId }: Signer, { now, audience }: AssertionInput): Record<string, unknown> {
  const iat = Math.floor(now / 1000);
  return { iss: workspaceId, sub: workspaceId, aud: audience, iat, exp: iat + 60, jti: randomUUID() };
}

/** Signs a valid assertion, unless its header or claims are overridden. */
export function signAssertion(
  signer: Signer,
  input: AssertionInput,
  overrides: { header?: object; claims?: object } = {},
): string {
  const header = { alg: signer.alg, typ: 'JWT', kid: signer.kid, ...overrides.header };
  return signEncodedParts(
    signer,
    `${encodeBase64Url(header)}.${encodeBase64Url({ ...assertionClaims(signer, input), ...overrides.claims })}`,
  );
}

/** Signs two parts that are already encoded. */
export function signEncodedParts({ alg, privateKey }: Pick<Signer, 'alg' | 'privateKey'>, text: string): string {
  const key = alg === 'RS256' ? privateKey : ({ key: privateKey, dsaEncoding: 'ieee-p1363' } as const);
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** Signs with HMAC and the public key as the shared secret: the known algorithm-confusion attack. */
export function signSymmetrically(secret: string, text: string): string {
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export type FormFields = Readonly<Record<string, string>>;

export function sendForm(
  caller: Caller,
  path: string,
  fields: FormFields | readonly [string, string][],
): Promise<Reply> {
  const raw = new URLSearchParams(fields as Record<string, string>).toString();
  return caller.send(path, { method: 'POST', raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
}

const tokenPaths = { RS256: '/v2/auth/token', ES256: '/oauth/token' };

/** Requests a token with an assertion, at the endpoint of its flow. */
export function requestToken(
  { alg }: Pick<Signer, 'alg'>,
  caller: Caller,
  assertion: string,
  more: FormFields = {},
): Promise<Reply> {
  return sendForm(caller.withToken(null), tokenPaths[alg], { grant_type: jwtBearerGrantType, assertion, ...more });
}

/** The comparable parts of a token endpoint's answer. */
export function tokenResponse({ status, headers, body }: Reply): object {
  return { status, type: headers.get('content-type'), cache: headers.get('cache-control'), body };
}

const tokenResponseFrame = { type: 'application/json', cache: 'no-store' };

export const issuedToken = {
  ...tokenResponseFrame,
  status: 200,
  body: {
    access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
    token_type: 'Bearer',
    expires_in: 3600,
    scope: expect.stringMatching(/^read( write)?( admin)?$/),
  },
};

export function refusedTokenResponse(error: string, description: unknown): object {
  return {
    ...tokenResponseFrame,
    status: error === 'invalid_client' ? 401 : 400,
    body: { error, error_description: description },
  };
}
