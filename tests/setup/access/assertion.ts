// Assertions as an integrator's program signs them, and in every way it should not. Knows nothing of the service's own code.

import { createHmac, generateKeyPairSync, randomUUID, sign, type KeyObject } from 'node:crypto';
import { expect } from 'vitest';
import type { Caller, Reply } from '../http/caller.ts';

export const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A registered key in the hands of whoever registered it. */
export interface Signer {
  readonly alg: 'RS256' | 'ES256';
  readonly kid: string;
  readonly workspaceId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface Pair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function makeRsaPair(modulusLength = 2048): Pair {
  return generateKeyPairSync('rsa', { modulusLength });
}

export function makeEcPair(namedCurve = 'P-256'): Pair {
  return generateKeyPairSync('ec', { namedCurve });
}

export function pemOf({ publicKey }: Pair): string {
  return publicKey.export({ type: 'spki', format: 'pem' }).toString();
}

/** Flow A: registers an RSA key on the Plain wire. */
export async function registerRsa(admin: Caller, pair: Pair = makeRsaPair(), more: object = {}): Promise<Signer> {
  const { body, text } = await admin.post('/v2/auth/keys', { label: 'RSA', public_key_pem: pemOf(pair), ...more });
  if (body?.key_id === undefined) throw new Error(`No key: ${text}`);
  const workspaceId = (await admin.get('/v1/me')).body.workspace_id;
  return { alg: 'RS256', kid: body.key_id, workspaceId, ...pair };
}

/** Flow B: registers a P-256 key on v1. */
export async function registerEc(admin: Caller, pair: Pair = makeEcPair(), more: object = {}): Promise<Signer> {
  const jwk = pair.publicKey.export({ format: 'jwk' });
  const { body, text } = await admin.post('/v1/keys', { label: 'EC', jwk, ...more });
  if (body?.kid === undefined) throw new Error(`No key: ${text}`);
  return { alg: 'ES256', kid: body.kid, workspaceId: body.iss, ...pair };
}

export function encode(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

export interface Asked {
  /** Epoch milliseconds. */
  readonly now: number;
  readonly audience: string;
}

export function claimsFor({ workspaceId }: Signer, { now, audience }: Asked): Record<string, unknown> {
  const iat = Math.floor(now / 1000);
  return { iss: workspaceId, sub: workspaceId, aud: audience, iat, exp: iat + 60, jti: randomUUID() };
}

/** An assertion as it should be, unless something else is said of its header or claims. */
export function assertionOf(signer: Signer, asked: Asked, other: { header?: object; claims?: object } = {}): string {
  const header = { alg: signer.alg, typ: 'JWT', kid: signer.kid, ...other.header };
  return signText(signer, `${encode(header)}.${encode({ ...claimsFor(signer, asked), ...other.claims })}`);
}

/** Signs two parts that are already encoded. */
export function signText({ alg, privateKey }: Pick<Signer, 'alg' | 'privateKey'>, text: string): string {
  const key = alg === 'RS256' ? privateKey : ({ key: privateKey, dsaEncoding: 'ieee-p1363' } as const);
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
}

/** What a signer of symmetric tokens makes of a key: the public one taken for a shared secret. */
export function signSymmetrically(secret: string, text: string): string {
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

export type Fields = Readonly<Record<string, string>>;

export function sendForm(caller: Caller, path: string, fields: Fields | readonly [string, string][]): Promise<Reply> {
  const raw = new URLSearchParams(fields as Record<string, string>).toString();
  return caller.send(path, { method: 'POST', raw, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
}

const paths = { RS256: '/v2/auth/token', ES256: '/oauth/token' };

/** Asks for a token with an assertion, where its flow is served. */
export function exchange(
  { alg }: Pick<Signer, 'alg'>,
  caller: Caller,
  assertion: string,
  more: Fields = {},
): Promise<Reply> {
  return sendForm(caller.with(null), paths[alg], { grant_type: jwtBearer, assertion, ...more });
}

/** What an answer of a token endpoint says, to be held against one of the two below. */
export function told({ status, headers, body }: Reply): object {
  return { status, type: headers.get('content-type'), cache: headers.get('cache-control'), body };
}

const frame = { type: 'application/json', cache: 'no-store' };

export const aToken = {
  ...frame,
  status: 200,
  body: { access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/), token_type: 'Bearer', expires_in: 3600 },
};

export function refusedToken(error: string, description: unknown): object {
  return { ...frame, status: error === 'invalid_client' ? 401 : 400, body: { error, error_description: description } };
}
