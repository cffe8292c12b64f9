import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import * as fc from 'fast-check';
import { SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { generateSigningKey, importSigningKey, issueAccessToken } from './access-token.ts';
import { AssertionFault, peekAssertion, unknownKidFault, verifyAssertion, type AssertionFlow } from './assertion.ts';
import { readEcPublicKey, readRsaPublicKey } from './public-key.ts';

const clock = new ManualClock('2026-03-01T12:00:00.700Z');
const nowSeconds = Math.floor(clock.now() / 1000);
const audience = 'https://api.example';

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsaPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const keys = { rsa: readRsaPublicKey(rsaPem), ec: readEcPublicKey(ec.publicKey.export({ format: 'jwk' })) };
const privateKeys: Record<AssertionFlow, KeyObject> = { rsa: rsa.privateKey, ec: ec.privateKey };
const algs = { rsa: 'RS256', ec: 'ES256' };

const claims = { iss: 'ws_1', sub: 'user_1', aud: audience, iat: nowSeconds, exp: nowSeconds + 60, jti: 'one' };

interface Making {
  flow?: AssertionFlow;
  header?: Record<string, unknown>;
  claims?: Record<string, unknown>;
}

/** Signs by hand, to produce tokens that no library would. */
function make({ flow = 'rsa', header = {}, claims: changes = {} }: Making = {}): string {
  const input = [
    { alg: algs[flow], kid: 'key_1', ...header },
    { ...claims, ...changes },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  const key = { key: privateKeys[flow], dsaEncoding: 'ieee-p1363' } as const;
  return `${input}.${sign('sha256', Buffer.from(input), key).toString('base64url')}`;
}

function verify(text: string, flow: AssertionFlow = 'rsa', key: (typeof keys)[AssertionFlow] = keys[flow]) {
  return verifyAssertion(text, { flow, key, audience, now: clock.now() });
}

async function faultOf(outcome: () => unknown): Promise<AssertionFault> {
  try {
    await outcome();
  } catch (error) {
    if (error instanceof AssertionFault) return error;
    throw error;
  }
  throw new Error('It was accepted.');
}

const reasonOf = async (text: string, flow: AssertionFlow = 'rsa') => (await faultOf(() => verify(text, flow))).reason;

describe.each(['rsa', 'ec'] as const)('an assertion of the flow %s', (flow) => {
  test('shows its key and issuer before it is verified, and its claims afterwards', async () => {
    const text = make({ flow });
    expect(peekAssertion(text, { flow })).toStrictEqual({ kid: 'key_1', issuer: 'ws_1' });
    expect(await verify(text, flow)).toStrictEqual({
      issuer: 'ws_1',
      subject: 'user_1',
      tokenId: 'one',
      expiresAt: (nowSeconds + 60) * 1000,
    });
  });

  test('signed by jose is accepted', async () => {
    const text = await new SignJWT({ ...claims })
      .setProtectedHeader({ alg: algs[flow], kid: 'key_1', typ: 'JWT' })
      .sign(privateKeys[flow]);
    expect((await verify(text, flow)).tokenId).toBe('one');
  });

  test('is refused when any character of its signature is changed, dropped or added', async () => {
    const text = make({ flow });
    const at = text.lastIndexOf('.') + 1;
    for (const index of [at, at + 10, at + 40, text.length - 3]) {
      const other = text[index] === 'A' ? 'B' : 'A';
      expect(await reasonOf(text.slice(0, index) + other + text.slice(index + 1), flow)).toBe('signature');
    }
    const bytes = Buffer.from(text.slice(at), 'base64url');
    for (const other of [bytes.subarray(1), bytes.subarray(0, -1), Buffer.concat([bytes, Buffer.of(0)])]) {
      expect(await reasonOf(text.slice(0, at) + other.toString('base64url'), flow)).toBe('signature');
    }
    expect(await reasonOf(`${text.slice(0, at)}${'A'.repeat(86)}`, flow)).toBe('signature');
  });

  test('is refused with the claims of another assertion', async () => {
    const [header, , signature] = make({ flow }).split('.');
    const [, other] = make({ flow, claims: { sub: 'admin' } }).split('.');
    expect(await reasonOf(`${header}.${other}.${signature}`, flow)).toBe('signature');
  });

  test('is refused in the other flow', async () => {
    const other = flow === 'rsa' ? 'ec' : 'rsa';
    expect(await reasonOf(make({ flow }), other)).toBe('alg');
    expect((await faultOf(() => verify(make({ flow }), flow, keys[other]))).reason).toBe('unknown-kid');
  });
});

describe('the header of an assertion', () => {
  const { n, e } = keys.rsa;
  test.each([
    [{ alg: 'none' }, 'alg'],
    [{ alg: 'None' }, 'alg'],
    [{ alg: 'HS256' }, 'alg'],
    [{ alg: 'RS512' }, 'alg'],
    [{ alg: 'PS256' }, 'alg'],
    [{ alg: ['RS256'] }, 'alg'],
    [{ alg: undefined }, 'alg'],
    [{ jwk: { kty: 'RSA', n, e } }, 'key-in-header'],
    [{ jku: 'https://evil.example/keys' }, 'key-in-header'],
    [{ x5u: 'https://evil.example/cert' }, 'key-in-header'],
    [{ x5c: ['AAAA'] }, 'key-in-header'],
    [{ crit: ['exp'] }, 'extension'],
    [{ crit: ['b64'], b64: false }, 'extension'],
    [{ b64: true }, 'extension'],
    [{ typ: 'at+jwt' }, 'typ'],
    [{ typ: 7 }, 'typ'],
    [{ kid: undefined }, 'malformed'],
    [{ kid: '' }, 'malformed'],
    [{ kid: 7 }, 'malformed'],
    [{ kid: ['key_1'] }, 'malformed'],
    [{ kid: { toString: 'key_1' } }, 'malformed'],
    [{ kid: 'k'.repeat(256) }, 'malformed'],
    [{ kid: 'key_1\u0000' }, 'malformed'],
  ] as const)('%j is refused as %s, before a key is looked up', async (header, reason) => {
    const text = make({ header });
    expect((await faultOf(() => peekAssertion(text, { flow: 'rsa' }))).reason).toBe(reason);
    expect(await reasonOf(text)).toBe(reason);
  });

  test('may have the typ JWT in any letter case', async () => {
    expect((await verify(make({ header: { typ: 'jwt' } }))).issuer).toBe('ws_1');
  });
});

describe('the claims of an assertion', () => {
  test.each([
    [{ iss: undefined }, 'issuer'],
    [{ iss: 7 }, 'issuer'],
    [{ sub: undefined }, 'subject'],
    [{ sub: ['user_1'] }, 'subject'],
    [{ jti: undefined }, 'jti'],
    [{ jti: '' }, 'jti'],
    [{ jti: 'j'.repeat(256) }, 'jti'],
    [{ jti: 'a\u0000b' }, 'jti'],
    [{ aud: undefined }, 'audience'],
    [{ aud: [] }, 'audience'],
    [{ aud: `${audience}/` }, 'audience'],
    [{ aud: 'https://auth.example' }, 'audience'],
    [{ aud: [audience, 'https://auth.example'] }, 'audience'],
    [{ aud: [[audience]] }, 'audience'],
    [{ exp: undefined }, 'malformed'],
    [{ exp: String(nowSeconds + 60) }, 'malformed'],
    [{ exp: nowSeconds + 60.5 }, 'malformed'],
    [{ exp: 1e300 }, 'malformed'],
    [{ exp: -1 }, 'malformed'],
    [{ exp: null }, 'malformed'],
    [{ exp: nowSeconds }, 'expired'],
    [{ exp: nowSeconds + 301 }, 'expiry-too-far'],
    [{ exp: (nowSeconds + 60) * 1000 }, 'malformed'],
    [{ iat: undefined }, 'malformed'],
    [{ iat: true }, 'malformed'],
    [{ iat: nowSeconds - 31 }, 'issued-at'],
    [{ iat: nowSeconds + 31 }, 'issued-at'],
    [{ nbf: 'now' }, 'malformed'],
    [{ nbf: null }, 'malformed'],
    [{ nbf: nowSeconds + 31 }, 'not-yet'],
  ])('%j are refused as %s', async (changes, reason) => {
    expect(await reasonOf(make({ claims: changes }))).toBe(reason);
  });

  test.each([
    { aud: [audience] },
    { exp: nowSeconds + 1 },
    { exp: nowSeconds + 300 },
    { iat: nowSeconds - 30 },
    { iat: nowSeconds + 30 },
    { nbf: nowSeconds + 30 },
    { jti: 'j'.repeat(255) },
    { anything: { else: 1 } },
  ])('%j are accepted', async (changes) => {
    expect((await verify(make({ claims: changes }))).subject).toBe('user_1');
  });

  test('that are wrong are reported with the expected value, and only after the signature was verified', async () => {
    const wrong = make({ claims: { aud: 'elsewhere' } });
    expect((await faultOf(() => verify(wrong))).message).toContain('"https://api.example"');
    const late = make({ claims: { iat: nowSeconds - 40 } });
    expect((await faultOf(() => verify(late))).message).toBe(
      `The claim iat must be within 30 seconds; the server's clock shows ${nowSeconds}.`,
    );
    expect(await reasonOf(`${wrong.slice(0, -8)}AAAAAAAA`)).toBe('signature');
  });
});

describe('an attacker', () => {
  test('cannot use the public key as a shared secret', async () => {
    const input = make({ header: { alg: 'HS256' } })
      .split('.')
      .slice(0, 2)
      .join('.');
    const text = `${input}.${createHmac('sha256', rsaPem).update(input).digest('base64url')}`;
    expect(await reasonOf(text)).toBe('alg');
  });

  test('cannot omit the signature', async () => {
    const input = make({ header: { alg: 'none' } })
      .split('.')
      .slice(0, 2)
      .join('.');
    expect(await reasonOf(`${input}.`)).toBe('malformed');
  });

  test('cannot send alg twice', async () => {
    const [, payload, signature] = make().split('.');
    const header = Buffer.from('{"alg":"none","kid":"key_1","alg":"RS256"}').toString('base64url');
    expect(await reasonOf(`${header}.${payload}.${signature}`)).toBe('malformed');
  });

  test('cannot pass an ECDSA signature in DER', async () => {
    const input = make({ flow: 'ec' }).split('.').slice(0, 2).join('.');
    const der = sign('sha256', Buffer.from(input), ec.privateKey).toString('base64url');
    expect(await reasonOf(`${input}.${der}`, 'ec')).toBe('signature');
  });

  test('cannot pass the ECDSA signature of zeros', async () => {
    const input = make({ flow: 'ec' }).split('.').slice(0, 2).join('.');
    expect(await reasonOf(`${input}.${Buffer.alloc(64).toString('base64url')}`, 'ec')).toBe('signature');
  });

  test('cannot exchange an access token as an assertion', async () => {
    const { publicJwk, privateJwk } = await generateSigningKey();
    const token = await issueAccessToken(
      {
        issuer: 'ws_1',
        audience,
        subject: 'ws_1',
        workspaceId: 'ws_1',
        environment: 'production',
        clientId: 'app_1',
        rights: ['read'],
        tokenId: 'one',
      },
      { kid: 'key_1', privateKey: await importSigningKey(privateJwk) },
      { now: clock.now(), lifetimeSeconds: 60 },
    );
    expect((await faultOf(() => verify(token, 'ec', publicJwk))).reason).toBe('typ');
  });

  test('cannot make the server read 10 MB of dots or deeply nested JSON', async () => {
    expect(await reasonOf('.'.repeat(10_000_000))).toBe('too-large');
    expect(await reasonOf('a'.repeat(8_193))).toBe('too-large');
    expect(await reasonOf('a'.repeat(8_192))).toBe('malformed');
    const deep = Buffer.from('['.repeat(3000)).toString('base64url');
    expect(await reasonOf(`${deep}.${deep}.AAAA`)).toBe('malformed');
  });

  test('cannot tell a kid that is not registered from one that is', async () => {
    const wrong = await faultOf(() => verify(`${make().slice(0, -8)}AAAAAAAA`));
    expect(wrong.message).toBe(unknownKidFault().message);
    expect(wrong.message).not.toContain('key_1');
  });

  test('causes only declared faults, whatever is sent', async () => {
    const encoded = fc.json().map((json) => Buffer.from(json).toString('base64url'));
    const part = fc.oneof(fc.string(), fc.base64String(), encoded, fc.constantFrom(...make().split('.')));
    const texts = fc.oneof(
      fc.string(),
      fc.array(part, { maxLength: 4 }).map((parts) => parts.join('.')),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        fc.pre(text !== make());
        expect(await faultOf(() => verify(text))).toBeInstanceOf(AssertionFault);
        expect(await faultOf(() => verify(text, 'ec'))).toBeInstanceOf(AssertionFault);
      }),
    );
  });

  test('causes only declared faults, whatever header and claims are signed with a valid key', async () => {
    const names = ['iss', 'sub', 'aud', 'exp', 'iat', 'nbf', 'jti'];
    const anyClaims = fc.dictionary(fc.constantFrom(...names), fc.jsonValue(), { minKeys: 1 });
    const wellFormed = { iss: 'ws_1', sub: 'user_1', jti: 'one' };
    await fc.assert(
      fc.asyncProperty(anyClaims, async (changes) => {
        const outcome = await verify(make({ flow: 'ec', claims: changes }), 'ec').catch((error: unknown) => error);
        const { iss, sub, jti } = { ...wellFormed, ...changes };
        const said = { issuer: iss, subject: sub, tokenId: jti };
        expect(outcome instanceof AssertionFault ? said : outcome).toMatchObject(said);
      }),
    );
  });
});
