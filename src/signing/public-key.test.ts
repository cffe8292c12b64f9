import { createPublicKey, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';
import * as fc from 'fast-check';
import { calculateJwkThumbprint } from 'jose';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../kit/refusal.ts';
import { readEcPublicKey, readRsaPublicKey, thumbprint } from './public-key.ts';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const ecJwk = ec.publicKey.export({ format: 'jwk' });
const pemOf = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }) as string;
const rsaPem = pemOf(rsa.publicKey);

/** Creates a public key of any size and exponent, without a private key. */
function rsaPemOf({ bits, exponent = '010001' }: { bits: number; exponent?: string }): string {
  const modulus = randomBytes(bits / 8);
  modulus[0] = 0x80 | (modulus[0] ?? 0);
  modulus[modulus.length - 1] = 1 | (modulus.at(-1) ?? 0);
  const e = Buffer.from(exponent, 'hex').toString('base64url');
  return pemOf(createPublicKey({ key: { kty: 'RSA', n: modulus.toString('base64url'), e }, format: 'jwk' }));
}

function armour(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replaceAll(/.{64}/g, '$&\n').trimEnd();
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`;
}

function der(pem: string): Buffer {
  return Buffer.from(pem.replaceAll(/-----.*-----|\s/g, ''), 'base64');
}

function refusalOf(read: () => unknown): { code: string; detail: string } {
  try {
    read();
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, detail: error.message };
    throw error;
  }
  throw new Error('It was accepted.');
}

describe('an RSA public key', () => {
  test('is read from SPKI and from PKCS#1 to the same JWK, with only kty, n and e', () => {
    const { n, e } = rsa.publicKey.export({ format: 'jwk' });
    const pkcs1 = rsa.publicKey.export({ type: 'pkcs1', format: 'pem' }) as string;
    expect(readRsaPublicKey(rsaPem)).toStrictEqual({ kty: 'RSA', n, e });
    expect(readRsaPublicKey(pkcs1)).toStrictEqual({ kty: 'RSA', n, e });
  });

  test('may have Windows line endings and surrounding white space', () => {
    expect(readRsaPublicKey(`\n  ${rsaPem.replaceAll('\n', '\r\n')}\n`)).toStrictEqual(readRsaPublicKey(rsaPem));
    expect(readRsaPublicKey(rsaPem.padEnd(16 * 1024))).toStrictEqual(readRsaPublicKey(rsaPem));
  });

  test.each(['010001', 'ffffffff'])('with the exponent %s is accepted', (exponent) => {
    expect(readRsaPublicKey(rsaPemOf({ bits: 2048, exponent })).kty).toBe('RSA');
  });

  test('with an exponent above 2^32 is refused', () => {
    const pem = rsaPemOf({ bits: 2048, exponent: '0100000001' });
    expect(refusalOf(() => readRsaPublicKey(pem)).detail).toContain('from 65537 (the usual one) to 2^32.');
  });

  test.each([2048, 3072, 4096])('of %i bits is accepted', (bits) => {
    expect(readRsaPublicKey(rsaPemOf({ bits })).kty).toBe('RSA');
  });

  test.each([
    ['1024 bits', rsaPemOf({ bits: 1024 }), /1024 bits; 2048 to 4096/],
    ['2040 bits', rsaPemOf({ bits: 2040 }), /2040 bits/],
    ['4104 bits', rsaPemOf({ bits: 4104 }), /4104 bits/],
    ['the exponent 3', rsaPemOf({ bits: 2048, exponent: '03' }), /exponent/],
    ['an even exponent', rsaPemOf({ bits: 2048, exponent: '010002' }), /exponent/],
    ['an exponent that is dear to compute', rsaPemOf({ bits: 2048, exponent: `${'ff'.repeat(64)}` }), /exponent/],
    ['another kind', pemOf(ec.publicKey), /type ec/],
    ['the PSS kind', pemOf(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey), /rsa-pss/],
    ['two blocks', rsaPem + rsaPem, /Several/],
    ['junk after it', `${rsaPem}junk`, /Send one PEM block/],
    ['junk before it', `junk\n${rsaPem}`, /Send one PEM block/],
    ['junk in the DER', armour('PUBLIC KEY', Buffer.concat([der(rsaPem), Buffer.from('junk')])), /something after it/],
    ['a certificate', armour('CERTIFICATE', der(rsaPem)), /certificate/],
    ['the wrong label', armour('RSA PUBLIC KEY', der(rsaPem)), /does not contain a public key/],
    ['unequal labels', rsaPem.replace('END PUBLIC', 'END RSA PUBLIC'), /Send one PEM block/],
    ['base64url in it', rsaPem.replace('\nMII', '\n_II'), /base64/],
    ['nothing', '', /Send one PEM block/],
    ['a JWK', JSON.stringify(rsa.publicKey.export({ format: 'jwk' })), /Send one PEM block/],
    ['over 16 KiB', rsaPem.padEnd(16 * 1024 + 1), /longer/],
  ])('with %s is refused', (_, pem, detail) => {
    const refusal = refusalOf(() => readRsaPublicKey(pem));
    expect(refusal.code).toBe('invalid-public-key');
    expect(refusal.detail).toMatch(detail);
  });

  const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
  test.each([
    ['PKCS#8', rsa.privateKey.export(pkcs8) as string],
    ['PKCS#1', rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }) as string],
    ['SEC1', ec.privateKey.export({ type: 'sec1', format: 'pem' }) as string],
    ['encrypted', rsa.privateKey.export({ ...pkcs8, cipher: 'aes-128-cbc', passphrase: 'x' }) as string],
    ['OpenSSH', '-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n-----END OPENSSH PRIVATE KEY-----'],
    ['PuTTY', 'PuTTY-User-Key-File-3: ssh-rsa\nPrivate-Lines: 14\nAAAA'],
    ['public and private', rsaPem + (rsa.privateKey.export(pkcs8) as string)],
    ['PKCS#8 mislabelled', armour('PUBLIC KEY', der(rsa.privateKey.export(pkcs8) as string))],
    ['JWK', JSON.stringify(rsa.privateKey.export({ format: 'jwk' }))],
    ['JWK set', JSON.stringify({ keys: [ec.privateKey.export({ format: 'jwk' })] })],
  ])('that is private (%s) is refused, with the advice to replace it', (_, text) => {
    const refusal = refusalOf(() => readRsaPublicKey(text));
    expect(refusal.code).toBe('private-key-sent');
    expect(refusal.detail).toMatch(/compromised/);
  });

  test('is never read from a random text, which is always refused properly', () => {
    const pieces = fc.constantFrom('-----BEGIN PUBLIC KEY-----', '-----END PUBLIC KEY-----', '\n', 'MIIB', '{', '=');
    const texts = fc.array(fc.oneof(fc.string(), pieces)).map((parts) => parts.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        expect(refusalOf(() => readRsaPublicKey(text)).code).toBe('invalid-public-key');
      }),
    );
  });
});

describe('an EC public key', () => {
  const { x, y } = ecJwk;

  test('is stored as kty, crv, x and y only', () => {
    const members = { ...ecJwk, kid: 'mine', alg: 'ES256', use: 'sig', key_ops: ['verify'], ext: true };
    expect(readEcPublicKey(members)).toStrictEqual({ kty: 'EC', crv: 'P-256', x, y });
  });

  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey.export({ format: 'jwk' });
  test.each([
    ['of another kind', rsa.publicKey.export({ format: 'jwk' }), /kty/],
    ['on another curve', p384, /crv/],
    ['on another curve that claims P-256', { ...p384, crv: 'P-256' }, /32 bytes/],
    ['off the curve', { ...ecJwk, y: x }, /not on the curve/],
    ['at infinity', { ...ecJwk, x: 'A'.repeat(43), y: 'A'.repeat(43) }, /not on the curve/],
    ['with a short coordinate', { ...ecJwk, x: x?.slice(0, 42) }, /32 bytes/],
    ['with padding', { ...ecJwk, x: `${x}=` }, /32 bytes/],
    ['with a coordinate in plain base64', { ...ecJwk, x: `+/${x?.slice(2)}` }, /32 bytes/],
    ['with stray last bits', { ...ecJwk, x: `${x?.slice(0, 42)}B` }, /32 bytes/],
    ['with a number for a coordinate', { ...ecJwk, x: 1 }, /32 bytes/],
    ['for another algorithm', { ...ecJwk, alg: 'ES384' }, /alg/],
    ['for encryption', { ...ecJwk, use: 'enc' }, /use/],
    ['for deriving', { ...ecJwk, key_ops: ['deriveBits'] }, /key_ops/],
    ['with key_ops that is no list', { ...ecJwk, key_ops: 'verify' }, /key_ops/],
    ['within a set', { keys: [ecJwk] }, /set of keys/],
    ['within a set of other things', { keys: [null, 'd', ecJwk] }, /set of keys/],
    ['in PEM', pemOf(ec.publicKey), /JSON object/],
    ['that is null', null, /JSON object/],
    ['that is a list', [ecJwk], /JSON object/],
  ])('%s is refused', (_, jwk, detail) => {
    const refusal = refusalOf(() => readEcPublicKey(jwk));
    expect(refusal.code).toBe('invalid-public-key');
    expect(refusal.detail).toMatch(detail);
  });

  test.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'])('with the private member %s is refused', (member) => {
    expect(refusalOf(() => readEcPublicKey({ ...ecJwk, [member]: 'AAAA' })).code).toBe('private-key-sent');
  });

  test('sent as a private PEM is refused as private', () => {
    const pem = ec.privateKey.export({ type: 'pkcs8', format: 'pem' });
    expect(refusalOf(() => readEcPublicKey(pem)).code).toBe('private-key-sent');
  });

  test('is never read from a random value, which is always refused properly', () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(refusalOf(() => readEcPublicKey(value)).code).toMatch(/^(invalid-public-key|private-key-sent)$/);
      }),
    );
  });
});

describe('a thumbprint', () => {
  test('is the one of RFC 7638, section 3.1', () => {
    const n =
      '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3okn' +
      'jhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQ' +
      'vRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKn' +
      'qDKgw';
    expect(thumbprint({ kty: 'RSA', n, e: 'AQAB' })).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs');
  });

  test('is the same as that of jose for an EC key', async () => {
    const key = readEcPublicKey(ecJwk);
    expect(thumbprint(key)).toBe(await calculateJwkThumbprint(key));
  });
});
