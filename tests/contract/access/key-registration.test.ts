// Keys that cannot be registered: weak keys, unsupported kinds, and private keys sent by mistake.

import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeEcPair, makeRsaPair, publicKeyPem, type KeyPair } from '../../setup/access/assertion.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { countAuditEntries, runSql } from '../../setup/database/sql.ts';
import { dumpDatabase, plainEncodings } from '../../setup/database/database-dump.ts';

const rsa = makeRsaPair();
const ec = makeEcPair();
const ecJwk = ec.publicKey.export({ format: 'jwk' });
const block = 'Send one PEM block, from -----BEGIN PUBLIC KEY----- to -----END PUBLIC KEY-----.';
const privateKeySent =
  'This is a private key. Consider it compromised, because it was sent: generate a new key pair and send only its public key.';

const service = serviceForThisFile();
let admin: Caller;

beforeAll(async () => {
  ({ admin } = service);
});

async function countKeys(): Promise<number> {
  return (await runSql(service.database, "SELECT FROM credential WHERE kind <> 'application'")).length;
}

const otherKinds = {
  pss: publicKeyPem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 })),
  ed25519: publicKeyPem(generateKeyPairSync('ed25519')),
};

describe('a PEM, on both wires,', () => {
  test.each([
    ['of 1024 bits', publicKeyPem(makeRsaPair(1024)), 'The key has 1024 bits; 2048 to 4096 are accepted.'],
    ['of a P-256 key', publicKeyPem(ec), 'This key has the type ec. Send an RSA key (rsaEncryption).'],
    ['of an RSA-PSS key', otherKinds.pss, 'This key has the type rsa-pss. Send an RSA key (rsaEncryption).'],
    ['of an Ed25519 key', otherKinds.ed25519, 'This key has the type ed25519. Send an RSA key (rsaEncryption).'],
    ['that is not a PEM', 'nonsense', block],
    ['with something before it', `Mine: ${publicKeyPem(rsa)}`, block],
    ['of two keys', publicKeyPem(rsa) + publicKeyPem(rsa), 'Several PEM blocks were sent. Send one public key only.'],
    [
      'of a broken key',
      '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
      'The PEM block does not contain a public key.',
    ],
    ['that is a JWK', JSON.stringify(ecJwk), block],
  ])('%s is refused', async (_, pem, detail) => {
    for (const path of ['/v2/auth/keys', '/v1/keys']) {
      const reply = await admin.post(path, { label: 'Nightly', public_key_pem: pem });
      expect(reportedRefusal(reply)).toEqual({
        status: 422,
        code: 'invalid-public-key',
        detail,
        pointer: '/public_key_pem',
      });
    }
    expect(await countKeys()).toBe(0);
  });

  test.each([
    ['that is empty', { public_key_pem: '' }, 'invalid-attribute', '/public_key_pem'],
    ['that is a number', { public_key_pem: 7 }, 'invalid-attribute', '/public_key_pem'],
    ['that is null', { public_key_pem: null }, 'invalid-attribute', '/public_key_pem'],
    ['of 17 KiB', { public_key_pem: 'A'.repeat(17 * 1024) }, 'invalid-attribute', '/public_key_pem'],
    ['without a label', { public_key_pem: publicKeyPem(rsa), label: undefined }, 'missing-attribute', '/label'],
    ['with an unknown field', { public_key_pem: publicKeyPem(rsa), kid: 'mine' }, 'unknown-attribute', '/kid'],
    ['with an unknown right', { public_key_pem: publicKeyPem(rsa), rights: ['own'] }, 'invalid-attribute', '/rights'],
  ])('%s is refused', async (_, body, code, pointer) => {
    for (const path of ['/v2/auth/keys', '/v1/keys']) {
      const { status, body: errorBody } = await admin.post(path, { label: 'Nightly', ...body });
      const [fault] = errorBody.errors;
      expect([status, fault.code, fault.pointer ?? fault.source.pointer]).toEqual([422, code, pointer]);
    }
    expect(await countKeys()).toBe(0);
  });

  test('is required on the Plain wire, which accepts no JWK', async () => {
    expect(reportedRefusal(await admin.post('/v2/auth/keys', { label: 'Nightly' }))).toMatchObject({
      status: 422,
      code: 'missing-attribute',
      pointer: '/public_key_pem',
    });
    const { status, body } = await admin.post('/v2/auth/keys', { label: 'Nightly', jwk: ecJwk });
    expect([status, body.errors[0].source.pointer]).toEqual([422, '/jwk']);
  });
});

describe('a JWK', () => {
  const point = 'The point (x, y) is not on the curve P-256.';
  const coordinates = 'The members x and y must each be 32 bytes in base64url without padding.';

  test.each([
    ['of another curve', makeEcPair('P-384').publicKey.export({ format: 'jwk' }), 'The member crv must be "P-256".'],
    [
      'of the curve secp256k1',
      makeEcPair('secp256k1').publicKey.export({ format: 'jwk' }),
      'The member crv must be "P-256".',
    ],
    ['of an RSA key', rsa.publicKey.export({ format: 'jwk' }), 'The member kty must be "EC".'],
    [
      'of an Ed25519 key',
      generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }),
      'The member kty must be "EC".',
    ],
    ['that is not on the curve', { ...ecJwk, y: ecJwk.x }, point],
    ['with a short coordinate', { ...ecJwk, x: 'AA' }, coordinates],
    ['without a coordinate', { ...ecJwk, y: undefined }, coordinates],
    ['for another algorithm', { ...ecJwk, alg: 'ES512' }, 'The member alg, when present, must be "ES256".'],
    ['for encryption', { ...ecJwk, use: 'enc' }, 'The member use, when present, must be "sig".'],
    ['in a set', { keys: [ecJwk] }, 'This is a set of keys. Send one key only.'],
    ['as text', JSON.stringify(ecJwk), 'A JWK must be a JSON object.'],
    ['without members', {}, 'The member kty must be "EC".'],
  ])('%s is refused', async (_, jwk, detail) => {
    const reply = await admin.post('/v1/keys', { label: 'Ledger', jwk });
    expect(reportedRefusal(reply)).toEqual({ status: 422, code: 'invalid-public-key', detail, pointer: '/jwk' });
    expect(await countKeys()).toBe(0);
  });

  test.each([
    ['neither', {}],
    ['both', { jwk: ecJwk, public_key_pem: publicKeyPem(rsa) }],
  ])('and a PEM: exactly one of them must be sent, not %s', async (_, keys) => {
    expect(reportedRefusal(await admin.post('/v1/keys', { label: 'Ledger', ...keys }))).toMatchObject({
      status: 422,
      code: 'invalid-document',
      detail: 'Send either public_key_pem (flow A) or jwk (flow B).',
    });
  });
});

describe('a private key sent by mistake', () => {
  const pkcs8 = ({ privateKey }: KeyPair): string => String(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const pkcs1 = String(rsa.privateKey.export({ type: 'pkcs1', format: 'pem' }));
  const sec1 = String(ec.privateKey.export({ type: 'sec1', format: 'pem' }));
  const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
  const [rsaJwk, ecPrivate] = [rsa, ec].map(({ privateKey }) => privateKey.export({ format: 'jwk' }));

  test.each([
    ['/v2/auth/keys', 'public_key_pem', 'PKCS #8', pkcs8(rsa)],
    ['/v2/auth/keys', 'public_key_pem', 'PKCS #1', pkcs1],
    ['/v2/auth/keys', 'public_key_pem', 'an encrypted PKCS #8', rsa.privateKey.export(encrypted).toString()],
    ['/v2/auth/keys', 'public_key_pem', 'both halves', publicKeyPem(rsa) + pkcs8(rsa)],
    ['/v2/auth/keys', 'public_key_pem', 'a private JWK', JSON.stringify(rsaJwk)],
    ['/v2/auth/keys', 'public_key_pem', 'a private JWK as an object', rsaJwk],
    ['/v2/auth/keys', 'public_key_pem', 'PKCS #8 said to be public', pkcs8(rsa).replaceAll('PRIVATE', 'PUBLIC')],
    ['/v1/keys', 'public_key_pem', 'SEC 1', sec1],
    ['/v1/keys', 'jwk', 'a private JWK', ecPrivate],
    ['/v1/keys', 'jwk', 'a private RSA key', rsaJwk],
    ['/v1/keys', 'jwk', 'a set with a private key', { keys: [ecPrivate] }],
    ['/v1/keys', 'jwk', 'a shared secret', { kty: 'oct', k: 'c2VjcmV0' }],
    ['/v1/keys', 'jwk', 'a PEM', pkcs8(ec)],
  ])('to %s as %s (%s) is refused and not stored', async (path, member, _, key) => {
    const lines = await countAuditEntries(service.database);
    const idempotency = path === '/v1/keys' ? { 'idempotency-key': randomUUID() } : {};
    const reply = await admin.post(path, { label: 'Mistake', [member]: key }, idempotency);
    expect(reportedRefusal(reply)).toEqual({
      status: 422,
      code: 'private-key-sent',
      detail: privateKeySent,
      pointer: `/${member}`,
    });
    expect([await countKeys(), await countAuditEntries(service.database)]).toEqual([0, lines]);
  });

  test('is found nowhere in the database, in the log or in an answer', async () => {
    const stored = await dumpDatabase(service.database);
    const logged = service.log.join('\n');
    const derBase64 = rsa.privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64');
    const secrets = [rsaJwk!.d!, rsaJwk!.p!, ecPrivate!.d!, derBase64.slice(200, 240), derBase64.slice(-40)];
    const replies = await Promise.all([
      admin.post('/v1/keys', { label: 'Mistake', jwk: ecPrivate }),
      admin.post('/v2/auth/keys', { label: 'Mistake', public_key_pem: pkcs8(rsa) }),
    ]);
    const answered = replies.map(({ text }) => text).join('\n');
    expect(logged).toContain('/v1/keys');
    for (const form of secrets.flatMap(plainEncodings)) {
      for (const output of [stored, logged, answered]) expect(output.includes(form)).toBe(false);
    }
  });
});
