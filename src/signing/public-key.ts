// Reads the public keys that integrators register, and refuses anything else, private keys above all.

import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { defined } from '../kit/assert.ts';
import { Refusal } from '../kit/refusal.ts';
import { isBase64url } from './compact-jws.ts';

/** Type aliases, because an interface is not assignable to a record type. */
type RsaPublicJwk = { readonly kty: 'RSA'; readonly n: string; readonly e: string };
export type EcPublicJwk = { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
export type PublicJwk = RsaPublicJwk | EcPublicJwk;

/** In characters. */
export const pemSizeMax = 16 * 1024;
const modulusBitsMin = 2048;
const modulusBitsMax = 4096;
// FIPS 186-5 requires more than 2^16, because small exponents have led to forged signatures. The upper bound is ours: the cost of a
// verification grows with the exponent, and the server bears it.
const exponentMin = 65_537n;
const exponentMax = 2n ** 32n;

export function readRsaPublicKey(pem: string): RsaPublicJwk {
  refusePrivateText(pem);
  const { label, der } = readPem(pem);
  const type = label === 'PUBLIC KEY' ? 'spki' : 'pkcs1';
  const key = readDer(der, type);
  if (key.asymmetricKeyType !== 'rsa') {
    throw invalidKey(`This key has the type ${key.asymmetricKeyType}. Send an RSA key (rsaEncryption).`);
  }
  if (!key.export({ type, format: 'der' }).equals(der)) {
    throw invalidKey('The key is not valid DER, or the PEM block contains something after it.');
  }
  refuseWeakRsa(key);
  const { n, e } = key.export({ format: 'jwk' });
  return { kty: 'RSA', n: defined(n, 'an RSA key has a modulus'), e: defined(e, 'an RSA key has an exponent') };
}

function readPem(pem: string): { label: string; der: Buffer } {
  if (pem.length > pemSizeMax) throw invalidKey(`The key is longer than ${pemSizeMax} characters.`);
  const begins = pem.match(/-----BEGIN/g)?.length ?? 0;
  if (begins > 1) throw invalidKey('Several PEM blocks were sent. Send one public key only.');
  if (/-----BEGIN (X509 |TRUSTED )?CERTIFICATE/.test(pem)) {
    throw invalidKey('This is a certificate. Send its public key (openssl x509 -pubkey -noout).');
  }
  const block = /^\s*-----BEGIN ((?:RSA )?PUBLIC KEY)-----\s([\w+/=\s]+)-----END \1-----\s*$/.exec(pem);
  if (!block) throw invalidKey('Send one PEM block, from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----.');
  const [, label = '', body = ''] = block;
  const base64 = body.replaceAll(/\s/g, '');
  const der = Buffer.from(base64, 'base64');
  if (der.toString('base64') !== base64) throw invalidKey('The PEM block does not contain base64.');
  return { label, der };
}

function readDer(der: Buffer, type: 'spki' | 'pkcs1'): KeyObject {
  try {
    return createPublicKey({ key: der, format: 'der', type });
  } catch {
    if (isPrivateDer(der)) throw privateKeySent();
    throw invalidKey('The PEM block does not contain a public key.');
  }
}

function isPrivateDer(der: Buffer): boolean {
  return (['pkcs8', 'pkcs1', 'sec1'] as const).some((type) => {
    try {
      return createPrivateKey({ key: der, format: 'der', type }).type === 'private';
    } catch {
      return false;
    }
  });
}

function refuseWeakRsa(key: KeyObject): void {
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < modulusBitsMin || modulusLength > modulusBitsMax) {
    throw invalidKey(`The key has ${modulusLength} bits; ${modulusBitsMin} to ${modulusBitsMax} are accepted.`);
  }
  if (publicExponent % 2n === 0n || publicExponent < exponentMin || publicExponent > exponentMax) {
    throw invalidKey(`The public exponent must be an odd number from ${exponentMin} (the usual one) to 2^32.`);
  }
}

export function readEcPublicKey(jwk: unknown): EcPublicJwk {
  if (typeof jwk === 'string') refusePrivateText(jwk);
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) throw invalidKey('A JWK must be a JSON object.');
  const members = jwk as Record<string, unknown>;
  refusePrivateMembers(members);
  if (Object.hasOwn(members, 'keys')) throw invalidKey('This is a set of keys. Send one key only.');
  const { kty, crv, x, y } = members;
  if (kty !== 'EC') throw invalidKey('The member kty must be "EC".');
  if (crv !== 'P-256') throw invalidKey('The member crv must be "P-256".');
  if (!isCoordinate(x) || !isCoordinate(y)) {
    throw invalidKey('The members x and y must each be 32 bytes in base64url without padding.');
  }
  refuseContradiction(members);
  const key: EcPublicJwk = { kty, crv, x, y };
  try {
    createPublicKey({ key, format: 'jwk' });
  } catch {
    throw invalidKey('The point (x, y) is not on the curve P-256.');
  }
  return key;
}

function isCoordinate(value: unknown): value is string {
  return typeof value === 'string' && value.length === 43 && isBase64url(value);
}

function refuseContradiction({ alg, use, key_ops: operations }: Record<string, unknown>): void {
  if (alg !== undefined && alg !== 'ES256') throw invalidKey('The member alg, when present, must be "ES256".');
  if (use !== undefined && use !== 'sig') throw invalidKey('The member use, when present, must be "sig".');
  if (operations !== undefined && !(Array.isArray(operations) && operations.includes('verify'))) {
    throw invalidKey('The member key_ops, when present, must contain "verify".');
  }
}

// PuTTY's private keys contain Private-Lines. No accepted public key contains any of these words.
function refusePrivateText(text: string): void {
  if (/PRIVATE KEY|Private-(Lines|MAC)/i.test(text)) throw privateKeySent();
  if (!text.trimStart().startsWith('{')) return;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  refusePrivateMembers(value as Record<string, unknown>);
}

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];

function refusePrivateMembers(jwk: Record<string, unknown>): void {
  const keys = Array.isArray(jwk['keys']) ? [jwk, ...jwk['keys']] : [jwk];
  for (const key of keys) {
    if (typeof key !== 'object' || key === null) continue;
    if (privateMembers.some((name) => Object.hasOwn(key, name))) throw privateKeySent();
  }
}

/** RFC 7638: a key has the same thumbprint in every form. */
export function thumbprint(jwk: PublicJwk): string {
  const members = jwk.kty === 'RSA' ? { e: jwk.e, kty: jwk.kty, n: jwk.n } : canonicalEcJwk(jwk);
  return hash('sha256', JSON.stringify(members), 'base64url');
}

function canonicalEcJwk({ crv, kty, x, y }: EcPublicJwk): EcPublicJwk {
  return { crv, kty, x, y };
}

function invalidKey(detail: string): Refusal {
  return new Refusal('invalid-public-key', detail);
}

function privateKeySent(): Refusal {
  return new Refusal(
    'private-key-sent',
    'This is a private key. Consider it compromised, because it was sent: ' +
      'generate a new key pair and send only its public key.',
  );
}
