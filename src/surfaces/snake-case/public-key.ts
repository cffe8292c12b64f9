// Reads the public key that the two snake_case wires accept beside the declared fields of a key.

import { defined } from '../../kit/assert.ts';
import { FieldFault, text, type JsonSchema } from '../../kit/field.ts';
import { isJsonObject, writeJson, type Json } from '../../kit/json.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { Key } from '../../model/access/credential.ts';
import { registerKey, type KeyInput } from '../../actions/access/credential.ts';
import type { Work } from '../../actions/core/work.ts';
import { pemSizeMax } from '../../signing/public-key.ts';
import { Faults } from '../http/operation/declared-fields.ts';

/**
 * A PEM ends with a line break, so the rules of other texts do not apply. A JWK in its place is passed on: it may be a private
 * key, and the caller must learn of it.
 */
export function readPem(value: Json | undefined): string {
  if (isJsonObject(value)) return writeJson(value);
  const faults = new Faults();
  const pem = faults.tryRead('/public_key_pem', 'public_key_pem', () => {
    if (typeof value !== 'string') throw new FieldFault('must be a PEM public key');
    return text({ lengthMax: pemSizeMax, lines: 'many' }).read(value.trim());
  });
  faults.throwIfAny();
  return defined(pem, 'a PEM without faults was read');
}

/** A text in place of the JWK is passed on: it may be a private key, and the caller must learn of it. */
export function readJwk(value: Json | undefined): unknown {
  if (typeof value === 'string') return value;
  const faults = new Faults();
  if (!isJsonObject(value)) faults.add('invalid-attribute', '/jwk', 'jwk must be an object.');
  faults.throwIfAny();
  return JSON.parse(writeJson(value));
}

/** Registers a key. A fault of its public key points to the member that it was sent in. */
export async function registerKeyAtMember(work: Work, input: KeyInput): Promise<Key> {
  try {
    return await registerKey(work, input);
  } catch (error) {
    if (!(error instanceof Refusal && ['invalid-public-key', 'private-key-sent'].includes(error.code))) throw error;
    const pointer = input.jwk === undefined ? '/public_key_pem' : '/jwk';
    throw new Refusal(error.code, error.message, { faults: [{ code: error.code, detail: error.message, pointer }] });
  }
}

export const publicKeyPemSchema: JsonSchema = {
  type: 'string',
  description: 'An RSA public key of 2048 to 4096 bits as PEM, for flow A.',
};

export const jwkSchema: JsonSchema = {
  type: 'object',
  required: ['kty', 'crv', 'x', 'y'],
  properties: { kty: { const: 'EC' }, crv: { const: 'P-256' }, x: { type: 'string' }, y: { type: 'string' } },
  description: 'An ECDSA P-256 public key as JWK, for flow B.',
};

/** Public keys for example requests; their private halves do not exist any more. */
export const examplePem = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA2+adm3nQoDiHD7l1tGw2
Cz9QYz9u+LvtoTMB0sZ692wvSgp1LXNSnf42VLb0pUsc8WQsQbcNEWmvsnPgsgHQ
HtHGaqteaVf8UhshTLCz1R/Jo1xwboi2+uYoPllDYW5rVAil71g7/mht4fyiMLfz
tQS2EgTSpXnIMMDKWonSbyLdbcyJFXiBkBg1tdGPgLnGrNkgalRDXHNcmiflbqLa
x3Hb+XaKRKwAlwGu8wvVQKIm22sVYQIfLMZd19nhP4p5SDfeiaCaSvIs2Dre9zIT
e9p92YRejdCskaoWSjJ/Xot3j1zLGaoRUV8a2gFFjcMUkqhuKTMqNH/csPNwxDhC
5QIDAQAB
-----END PUBLIC KEY-----
`;

export const exampleJwk = {
  kty: 'EC',
  x: 'O0Hf_KGEkxLuMUpZNnALj-oCLrLQBcCmqyBcqVDiBeI',
  y: '20LI_1_Vcc778D8YqC627yYbNUvK8gZQRmMK0mJbsvc',
  crv: 'P-256',
};
