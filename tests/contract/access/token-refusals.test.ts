// Assertions of flows A and B that get no token: forged, expired, or issued for another audience.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  signAssertion,
  assertionClaims,
  encodeBase64Url,
  requestToken,
  makeEcPair,
  makeRsaPair,
  publicKeyPem,
  refusedTokenResponse,
  registerEc,
  registerRsa,
  signSymmetrically,
  signEncodedParts,
  tokenResponse,
  type AssertionInput,
  type Signer,
} from '../../setup/access/assertion.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { startTestService, type TestService } from '../../setup/node/test-service.ts';

const settings = { BASE_URL: 'https://api.holdfast.example' };
const now = Date.parse('2026-11-15T12:00:00.000Z') / 1000;
const clock = `the server's clock shows ${now}`;
const notSigned = 'The assertion is not signed by the key registered under its kid.';
const flows = [{ flow: 'A' }, { flow: 'B' }] as const;

let service: TestService;
let otherNode: TestService;
let admin: Caller;
let open: Caller;
let assertionInput: AssertionInput;
let signers: Record<'A' | 'B', Signer>;

beforeAll(async () => {
  service = await startTestService({ settings });
  otherNode = await startTestService({ settings, database: service.database, clock: service.clock });
  ({ admin } = service);
  open = admin.withToken(null);
  assertionInput = { now: service.clock.now(), audience: settings.BASE_URL };
  signers = { A: await registerRsa(admin), B: await registerEc(admin) };
});
afterAll(async () => {
  await otherNode.stop();
  await service.stop();
});

describe.each(flows)('an assertion of flow $flow', ({ flow }) => {
  const [own, others] = flow === 'A' ? (['RS256', 'ES256'] as const) : (['ES256', 'RS256'] as const);
  const audience = `The claim aud must be exactly '${settings.BASE_URL}'.`;
  const name = (member: string): string => `The member ${member} must be a text of 1 to 255 characters.`;
  const time = (claim: string): string => `The claim ${claim} must be a whole number of seconds since 1970.`;

  const nobody =
    flow === 'A'
      ? 'The `sub` must equal the `iss`, or be the id of a user with access to a client that this key can see. There is no such user.'
      : 'The `sub` of a server-to-server assertion must equal its `iss`.';

  test.each([
    ['for another service', { aud: 'https://elsewhere.example' }, audience],
    ['for an address that only begins the same', { aud: `${settings.BASE_URL}/` }, audience],
    ['for the token endpoint, not the service', { aud: `${settings.BASE_URL}/oauth/token` }, audience],
    ['for us and another service', { aud: [settings.BASE_URL, 'https://elsewhere.example'] }, audience],
    ['for nobody', { aud: undefined }, audience],
    ['issued 31 seconds ago', { iat: now - 31 }, `The claim iat must be within 30 seconds; ${clock}.`],
    ['issued 31 seconds ahead', { iat: now + 31 }, `The claim iat must be within 30 seconds; ${clock}.`],
    ['without an issue time', { iat: undefined }, time('iat')],
    ['with an issue time as text', { iat: '2026-11-15T12:00:00Z' }, time('iat')],
    ['that has just expired', { exp: now }, `The assertion expired at ${now}; ${clock}.`],
    ['that expires too late', { exp: now + 301 }, `The claim exp must be at most 300 seconds ahead; ${clock}.`],
    ['that never expires', { exp: undefined }, time('exp')],
    ['that expires at a fraction of a second', { exp: now + 1.5 }, time('exp')],
    ['that is not valid yet', { nbf: now + 31 }, `The claim nbf is in the future; ${clock}.`],
    ['without a jti', { jti: undefined }, name('jti')],
    ['with an empty jti', { jti: '' }, name('jti')],
    ['with a jti of 256 characters', { jti: 'j'.repeat(256) }, name('jti')],
    ['with a jti that cannot be stored', { jti: 'a\u0000b' }, name('jti')],
    ['with a number as jti', { jti: 7 }, name('jti')],
    ['without an issuer', { iss: undefined }, name('iss')],
    ['without a subject', { sub: undefined }, name('sub')],
    ['for a missing user', { sub: randomUUID() }, nobody],
    ['of an unknown workspace', { iss: '0123456789abcdef01234567', sub: '0123456789abcdef01234567' }, notSigned],
  ])('%s is refused', async (_, claims, description) => {
    const assertion = signAssertion(signers[flow], assertionInput, { claims });
    expect(tokenResponse(await requestToken(signers[flow], open, assertion))).toEqual(
      refusedTokenResponse('invalid_grant', description),
    );
  });

  const wrongAlg = `The header's alg must be ${own} here.`;
  const bringsKey = (member: string): string =>
    `The header must not contain a key (${member}). Name a registered key by kid.`;

  test.each([
    ['with the algorithm none', { alg: 'none' }, wrongAlg],
    ['with a symmetric algorithm', { alg: 'HS256' }, wrongAlg],
    ['with the algorithm of the other flow', { alg: others }, wrongAlg],
    ['with a related algorithm', { alg: `${own.slice(0, 2)}512` }, wrongAlg],
    ['with an algorithm in lower case', { alg: own.toLowerCase() }, wrongAlg],
    ['without an algorithm', { alg: undefined }, wrongAlg],
    ['that contains its key', { jwk: makeEcPair().publicKey.export({ format: 'jwk' }) }, bringsKey('jwk')],
    ['that links to its key', { jku: 'https://elsewhere.example/keys' }, bringsKey('jku')],
    ['that contains a certificate', { x5c: ['MIIB'] }, bringsKey('x5c')],
    ['that links to its certificate', { x5u: 'https://elsewhere.example/x' }, bringsKey('x5u')],
    ['that requires an extension', { crit: ['exp'] }, 'The header must not contain crit.'],
    ['of another kind of token', { typ: 'at+jwt' }, "The header's typ must be JWT or absent."],
    ['without a kid', { kid: undefined }, name('kid')],
    ['with an unknown kid', { kid: '0123456789abcdef01234567' }, notSigned],
    ['with SQL as its kid', { kid: `' OR true --` }, notSigned],
  ])('%s is refused', async (_, header, description) => {
    const assertion = signAssertion(signers[flow], assertionInput, { header });
    expect(tokenResponse(await requestToken(signers[flow], open, assertion))).toEqual(
      refusedTokenResponse('invalid_grant', description),
    );
  });

  test('signed by a key other than that of its kid is refused', async () => {
    const forger = { ...signers[flow], ...(flow === 'A' ? makeRsaPair() : makeEcPair()) };
    const reply = await requestToken(forger, open, signAssertion(forger, assertionInput));
    expect(tokenResponse(reply)).toEqual(refusedTokenResponse('invalid_grant', notSigned));
  });

  test('with the kid of the other flow’s key is refused', async () => {
    const { kid } = signers[flow === 'A' ? 'B' : 'A'];
    const reply = await requestToken(
      signers[flow],
      open,
      signAssertion(signers[flow], assertionInput, { header: { kid } }),
    );
    expect(tokenResponse(reply)).toEqual(refusedTokenResponse('invalid_grant', notSigned));
  });

  test('sent to the endpoint of the other flow is refused', async () => {
    const reply = await requestToken({ alg: others }, open, signAssertion(signers[flow], assertionInput));
    expect(tokenResponse(reply)).toEqual(
      refusedTokenResponse('invalid_grant', `The header's alg must be ${others} here.`),
    );
  });

  test('for another workspace is refused, although it is signed by its own key', async () => {
    const stranger = await service.openWorkspace();
    const victim = (await stranger.get('/v1/me')).body.workspace_id;
    const assertion = signAssertion(signers[flow], assertionInput, { claims: { iss: victim, sub: victim } });
    expect(tokenResponse(await requestToken(signers[flow], open, assertion))).toEqual(
      refusedTokenResponse('invalid_grant', notSigned),
    );
  });

  test('whose key is deleted is refused at once, on every node', async () => {
    const signer = await (flow === 'A' ? registerRsa(admin) : registerEc(admin));
    for (const node of [open, otherNode.admin]) {
      expect((await requestToken(signer, node, signAssertion(signer, assertionInput))).status).toBe(200);
    }
    expect((await admin.delete(`/v2/auth/keys/${signer.kid}`)).status).toBe(204);
    for (const node of [otherNode.admin, open]) {
      const reply = await requestToken(signer, node, signAssertion(signer, assertionInput));
      expect(tokenResponse(reply)).toEqual(refusedTokenResponse('invalid_grant', notSigned));
    }
  });

  test.each([
    [
      'the public key used as a shared secret',
      (text: string, signer: Signer) => signSymmetrically(publicKeyPem(signer), text),
    ],
    ['nothing', (text: string) => `${text}.AA`],
    [
      'the signature of other claims',
      (text: string, signer: Signer) =>
        `${text}.${signEncodedParts(signer, `${text.split('.')[0]}.${encodeBase64Url({})}`).split('.')[2]}`,
    ],
  ])('signed with %s is refused', async (_, signed) => {
    const signer = signers[flow];
    const text = `${encodeBase64Url({ alg: own, kid: signer.kid })}.${encodeBase64Url(assertionClaims(signer, assertionInput))}`;
    expect(tokenResponse(await requestToken(signer, open, signed(text, signer)))).toEqual(
      refusedTokenResponse('invalid_grant', notSigned),
    );
  });

  test.each([
    ['is not a token', () => 'nonsense', 'A token must have three parts, separated by dots.'],
    ['has two parts', () => 'e30.e30', 'A token must have three parts, separated by dots.'],
    ['has no signature', () => 'e30.e30.', 'Each part of a token must be base64url without padding.'],
    ['is padded', () => 'e30=.e30.AA', 'Each part of a token must be base64url without padding.'],
    ['is not JSON', () => `${encodeBase64Url('{')}.e30.AA`, 'The header and the claims of a token must be JSON.'],
    ['is a list', () => `${encodeBase64Url([])}.e30.AA`, 'The header and the claims of a token must be JSON objects.'],
    [
      'contains a claim twice',
      () => `e30.${encodeBase64Url('{"iss":"a","iss":"b"}')}.AA`,
      expect.stringContaining('appears twice'),
    ],
    ['is larger than 8 KiB', () => 'a'.repeat(8193), 'A token may have at most 8192 characters.'],
  ])('that %s is refused', async (_, make, description) => {
    const reply = await requestToken(signers[flow], open, make());
    expect(tokenResponse(reply)).toEqual(refusedTokenResponse('invalid_grant', description));
  });
});

test('an access token is not an assertion, and an assertion is not an access token', async () => {
  const asAssertion = await requestToken(signers.B, open, admin.token!);
  expect(tokenResponse(asAssertion)).toEqual(
    refusedTokenResponse('invalid_grant', "The header's typ must be JWT or absent."),
  );
  for (const signer of [signers.A, signers.B]) {
    const { status, headers, body } = await admin.withToken(signAssertion(signer, assertionInput)).get('/v1/me');
    expect([status, body.code]).toEqual([401, 'token-invalid']);
    expect(headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
  }
});
