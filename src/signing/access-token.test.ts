import { createHmac, createPrivateKey, sign } from 'node:crypto';
import * as fc from 'fast-check';
import { exportJWK, type JWK } from 'jose';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import {
  generateSigningKey,
  importSigningKey,
  issueAccessToken,
  peekAccessToken,
  TokenFault,
  verifyAccessToken,
  type AccessTokenClaims,
} from './access-token.ts';

const clock = new ManualClock('2026-03-01T12:00:00.700Z');
const iat = Math.floor(clock.now() / 1000);
const { publicJwk, privateJwk } = await generateSigningKey();
const privateKey = await importSigningKey(privateJwk);
const publicKey = await importSigningKey(publicJwk);

const claims: AccessTokenClaims = {
  issuer: 'https://auth.example',
  audience: 'https://api.example',
  subject: 'ws_1',
  workspaceId: 'ws_1',
  environment: 'sandbox',
  clientId: 'app_1',
  rights: ['read', 'write'],
  tokenId: 'tok_1',
};
const check = { issuer: claims.issuer, audience: claims.audience, now: clock.now() };

const issue = (changes: Partial<AccessTokenClaims> = {}) =>
  issueAccessToken(
    { ...claims, ...changes },
    { kid: 'key_1', privateKey },
    { now: clock.now(), lifetimeSeconds: 3600 },
  );

const wireClaims = {
  iss: claims.issuer,
  aud: claims.audience,
  sub: 'ws_1',
  workspace_id: 'ws_1',
  environment: 'sandbox',
  client_id: 'app_1',
  rights: ['read', 'write'],
  jti: 'tok_1',
  iat,
  exp: iat + 3600,
};

/** Signs invalid claims with the issuer's own key. */
function forge({ header = {}, changes = {} }: { header?: object; changes?: object } = {}): string {
  const input = [
    { alg: 'ES256', typ: 'at+jwt', kid: 'key_1', ...header },
    { ...wireClaims, ...changes },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const key = createPrivateKey({ key: privateJwk as Record<string, string>, format: 'jwk' });
  return `${input}.${sign('sha256', Buffer.from(input), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

async function reasonOf(outcome: () => unknown): Promise<string> {
  try {
    await outcome();
  } catch (error) {
    if (error instanceof TokenFault) return error.reason;
    throw error;
  }
  return 'accepted';
}

const verdict = (text: string, changes: Partial<typeof check> = {}) =>
  reasonOf(() => verifyAccessToken(text, publicKey, { ...check, ...changes }));

describe('an access token', () => {
  test('has the claims it was issued with', async () => {
    const token = await issue({ scopedTo: 'client_1' });
    expect(await verifyAccessToken(token, publicKey, check)).toStrictEqual({
      ...claims,
      scopedTo: 'client_1',
      issuedAt: iat * 1000,
      expiresAt: (iat + 3600) * 1000,
    });
    expect(await verifyAccessToken(await issue(), publicKey, check)).not.toHaveProperty('scopedTo');
  });

  test('contains the claims of RFC 9068 and ours, and no others', async () => {
    const [header, payload] = (await issue()).split('.').map((part) => Buffer.from(part, 'base64url').toString());
    expect(JSON.parse(header ?? '')).toStrictEqual({ alg: 'ES256', typ: 'at+jwt', kid: 'key_1' });
    expect(JSON.parse(payload ?? '')).toStrictEqual(wireClaims);
  });

  test('names its key', async () => {
    expect(peekAccessToken(await issue())).toStrictEqual({ kid: 'key_1', workspaceId: 'ws_1', environment: 'sandbox' });
  });

  test('expires to the millisecond', async () => {
    const token = await issue();
    expect(await verdict(token, { now: (iat + 3600) * 1000 - 1 })).toBe('accepted');
    expect(await verdict(token, { now: (iat + 3600) * 1000 })).toBe('expired');
  });

  test('may come from a node whose clock is up to 30 seconds ahead', async () => {
    const ahead = forge({ changes: { iat: iat + 30 } });
    expect(await verdict(ahead, { now: iat * 1000 })).toBe('accepted');
    expect(await verdict(ahead, { now: iat * 1000 - 1 })).toBe('not-yet');
  });

  test('is valid for one issuer, one audience and one key only', async () => {
    const token = await issue();
    const other = await importSigningKey((await generateSigningKey()).publicJwk);
    expect(await verdict(token, { issuer: 'https://other.example' })).toBe('issuer');
    expect(await verdict(token, { audience: 'https://other.example' })).toBe('audience');
    expect(await reasonOf(() => verifyAccessToken(token, other, check))).toBe('signature');
  });

  test('is not issued with claims that would be refused', async () => {
    await expect(issue({ rights: [] })).rejects.toThrow(/claims of an access token/);
    await expect(issue({ subject: '' })).rejects.toThrow(/claims of an access token/);
    await expect(issue({ environment: 'test' as 'sandbox' })).rejects.toThrow(/claims of an access token/);
    const signer = { kid: 'key_1', privateKey };
    await expect(issueAccessToken(claims, signer, { now: clock.now(), lifetimeSeconds: 0 })).rejects.toThrow(
      /claims of an access token/,
    );
    const long = { subject: 'é'.repeat(255), workspaceId: 'é'.repeat(255), clientId: 'é'.repeat(255) };
    const longer = { ...long, issuer: 'é'.repeat(255), tokenId: 'é'.repeat(255) };
    const options = { now: clock.now(), lifetimeSeconds: 3600 };
    const larger = (length: number) =>
      issueAccessToken({ ...claims, ...longer, scopedTo: 'x'.repeat(length) }, { ...signer, kid: 'key_10' }, options);
    const room = Math.floor((4_096 - (await larger(1)).length) * 0.75) + 1;
    expect((await larger(room)).length).toBe(4_096);
    await expect(larger(room + 1)).rejects.toThrow(/larger than the service accepts/);
  });
});

describe('a forged or foreign token', () => {
  test.each([
    [{ alg: 'none' }, 'alg'],
    [{ alg: 'HS256' }, 'alg'],
    [{ alg: 'ES384' }, 'alg'],
    [{ typ: 'JWT' }, 'malformed'],
    [{ typ: undefined }, 'malformed'],
    [{ typ: 'AT+JWT' }, 'malformed'],
    [{ kid: undefined }, 'malformed'],
    [{ kid: 7 }, 'malformed'],
    [{ jwk: publicJwk }, 'malformed'],
    [{ jku: 'https://evil.example' }, 'malformed'],
    [{ crit: ['x'] }, 'malformed'],
  ])('with the header %j is refused as %s, even before it is verified', async (header, reason) => {
    expect(await reasonOf(() => peekAccessToken(forge({ header })))).toBe(reason);
    expect(await verdict(forge({ header }))).toBe(reason);
  });

  test.each([
    { workspace_id: undefined },
    { workspace_id: '' },
    { workspace_id: {} },
    { environment: undefined },
    { environment: 'Production' },
    { environment: ['production'] },
  ])('with the claims %j is refused before a key is looked for', async (changes) => {
    expect(await reasonOf(() => peekAccessToken(forge({ changes })))).toBe('malformed');
  });

  test.each([
    ...Object.keys(wireClaims).map((name) => ({ [name]: undefined })),
    ...Object.keys(wireClaims).map((name) => ({ [name]: {} })),
    { aud: [claims.audience] },
    { environment: 'Production' },
    { rights: [] },
    { rights: 'read' },
    { rights: ['read', 'root'] },
    { rights: ['read', 'read'] },
    { rights: [['read']] },
    { scoped_to: null },
    { scoped_to: '' },
    { scoped_to: ['client_1'] },
    { exp: iat },
    { exp: String(iat + 60) },
    { exp: 1e300 },
    { iat: -1 },
    { iat: iat + 0.5 },
    { only_on_weekdays: true },
    { nbf: iat },
  ])('with the claims %j is refused although its signature is valid', async (changes) => {
    expect(await verdict(forge({ changes }))).toBe('malformed');
  });

  test('is refused if it is an assertion, even if signed with our own key', async () => {
    const assertion = forge({ header: { typ: 'JWT' }, changes: { sub: 'ws_1' } });
    expect(await verdict(assertion)).toBe('malformed');
    expect(await verdict(forge({ header: { alg: 'RS256' } }))).toBe('alg');
  });

  test('signed with the public key as a shared secret is refused', async () => {
    const input = forge({ header: { alg: 'HS256' } })
      .split('.')
      .slice(0, 2)
      .join('.');
    const mac = createHmac('sha256', JSON.stringify(publicJwk)).update(input).digest('base64url');
    expect(await verdict(`${input}.${mac}`)).toBe('alg');
  });

  test('with a changed, truncated, extended, empty or DER signature is refused', async () => {
    const token = await issue();
    const at = token.lastIndexOf('.') + 1;
    const input = token.slice(0, at - 1);
    const key = createPrivateKey({ key: privateJwk as Record<string, string>, format: 'jwk' });
    const der = sign('sha256', Buffer.from(input), key).toString('base64url');
    const bytes = Buffer.from(token.slice(at), 'base64url');
    for (const other of [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)])]) {
      expect(await verdict(`${input}.${other.toString('base64url')}`)).toBe('signature');
    }
    expect(await verdict(`${input}.${der}`)).toBe('signature');
    expect(await verdict(`${input}.${Buffer.alloc(64).toString('base64url')}`)).toBe('signature');
    expect(await verdict(`${input}.`)).toBe('malformed');
  });

  test('has only one valid encoding: unused bits that are not zero are refused', async () => {
    const token = await issue();
    const last = token.at(-1) ?? '';
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const twin = alphabet[alphabet.indexOf(last) + 1];
    expect(Buffer.from(`${token.slice(0, -1)}${twin}`.split('.')[2] ?? '', 'base64url')).toStrictEqual(
      Buffer.from(token.split('.')[2] ?? '', 'base64url'),
    );
    expect(await verdict(`${token.slice(0, -1)}${twin}`)).toBe('malformed');
  });

  test('over 4 KiB is refused for its size', async () => {
    expect(await verdict('.'.repeat(10_000_000))).toBe('too-large');
    expect(await reasonOf(() => peekAccessToken('a'.repeat(4097)))).toBe('too-large');
    expect(await reasonOf(() => peekAccessToken('a'.repeat(4096)))).toBe('malformed');
  });

  test('of any form causes only declared faults', async () => {
    const token = await issue();
    const encoded = fc.json().map((json) => Buffer.from(json).toString('base64url'));
    const part = fc.oneof(fc.string(), fc.base64String(), encoded, fc.constantFrom(...token.split('.')));
    const texts = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join('.')),
    );
    const law = async (text: string) => {
      fc.pre(text !== token);
      await reasonOf(() => peekAccessToken(text));
      expect(await verdict(text)).not.toBe('accepted');
    };
    await fc.assert(fc.asyncProperty(texts, law));
  });
});

describe('a signing key', () => {
  test('has a public half without private members, and cannot be exported once imported', async () => {
    expect(Object.keys(publicJwk).toSorted()).toStrictEqual(['crv', 'kty', 'x', 'y']);
    expect(Object.keys(privateJwk)).toContain('d');
    await expect(exportJWK(privateKey)).rejects.toThrow(/extractable/);
  });

  test('is not a shared secret', async () => {
    const secret: JWK = { kty: 'oct', k: 'AAAA' };
    await expect(importSigningKey(secret)).rejects.toThrow(/signing key|Unsupported|unsupported/);
  });
});
