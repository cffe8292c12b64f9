// The three token flows when they succeed: registration, request, answer, and the access that the token gives.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  issuedToken,
  signAssertion,
  assertionClaims,
  requestToken,
  makeEcPair,
  makeRsaPair,
  publicKeyPem,
  registerEc,
  registerRsa,
  refusedTokenResponse,
  sendForm,
  tokenResponse,
  type AssertionInput,
  type Signer,
} from '../../setup/access/assertion.ts';
import { longRsaPair } from '../../setup/access/long-rsa-key.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { startTestService, type TestService } from '../../setup/node/test-service.ts';

const settings = { BASE_URL: 'https://api.holdfast.example' };
const id = expect.stringMatching(/^[0-9a-f]{24}$/);
const now = '2026-11-15T12:00:00.000Z';
const nowSeconds = Date.parse(now) / 1000;

let service: TestService;
let otherNode: TestService;
let admin: Caller;
let assertionInput: AssertionInput;
let rsa: Signer;
let ec: Signer;

beforeAll(async () => {
  service = await startTestService({ settings });
  otherNode = await startTestService({ settings, database: service.database, clock: service.clock });
  ({ admin } = service);
  assertionInput = { now: service.clock.now(), audience: settings.BASE_URL };
  rsa = await registerRsa(admin);
  ec = await registerEc(admin);
});
afterAll(async () => {
  await otherNode.stop();
  await service.stop();
});

function credentials(more: object = {}): object {
  const { clientId, clientSecret } = service.first;
  return { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret, ...more };
}

function claimsOf({ body }: Reply): unknown {
  return JSON.parse(Buffer.from(body.access_token.split('.')[1], 'base64url').toString());
}

describe('flow A', () => {
  test.each([2048, 4096])('an assertion signed by a registered RSA key of %i bits gets a token', async (bits) => {
    const pair = bits === 2048 ? makeRsaPair() : longRsaPair;
    const { status, headers, body } = await admin.post('/v2/auth/keys', {
      label: 'Nightly',
      public_key_pem: publicKeyPem(pair),
    });
    const shown = { label: 'Nightly', rights: ['read', 'write'], created_at: now, last_used_at: null, scoped_to: null };
    expect([status, body]).toEqual([201, { key_id: id, ...shown }]);
    expect(headers.get('location')).toBe(`${settings.BASE_URL}/v2/auth/keys/${body.key_id}`);
    const signer: Signer = { ...rsa, kid: body.key_id, ...pair };
    expect(tokenResponse(await requestToken(signer, admin, signAssertion(signer, assertionInput)))).toEqual(
      issuedToken,
    );
  });

  test('registering a PEM key on v1 returns the names to use in assertions', async () => {
    const pair = makeRsaPair();
    const { status, body } = await admin.post('/v1/keys', {
      label: 'Nightly',
      public_key_pem: publicKeyPem(pair),
      rights: ['read'],
    });
    const { n, e } = pair.publicKey.export({ format: 'jwk' });
    expect([status, body]).toEqual([
      201,
      {
        id,
        label: 'Nightly',
        kind: 'rsa-key',
        rights: ['read'],
        public_jwk: { kty: 'RSA', n, e },
        created_at: now,
        last_used_at: null,
        scoped_to: null,
        kid: body.id,
        iss: rsa.workspaceId,
        sub: rsa.workspaceId,
      },
    ]);
    const signer: Signer = { ...rsa, kid: body.kid, ...pair };
    expect(tokenResponse(await requestToken(signer, admin, signAssertion(signer, assertionInput)))).toEqual(
      issuedToken,
    );
  });

  test('several keys are valid at the same time', async () => {
    const second = await registerRsa(admin);
    for (const signer of [rsa, second, rsa])
      expect(tokenResponse(await requestToken(signer, admin, signAssertion(signer, assertionInput)))).toEqual(
        issuedToken,
      );
  });
});

describe('flow B', () => {
  test('a JWK is registered, its names are returned, and its assertion gets a token', async () => {
    const pair = makeEcPair();
    const jwk = pair.publicKey.export({ format: 'jwk' });
    const { status, headers, body } = await admin.post('/v1/keys', {
      label: 'Ledger',
      jwk: { ...jwk, use: 'sig', kid: 'mine' },
    });
    expect([status, body]).toEqual([
      201,
      {
        id,
        label: 'Ledger',
        kind: 'ec-key',
        rights: ['read', 'write'],
        public_jwk: jwk,
        created_at: now,
        last_used_at: null,
        scoped_to: null,
        kid: body.id,
        iss: ec.workspaceId,
        sub: ec.workspaceId,
      },
    ]);
    expect(headers.get('location')).toBe(`${settings.BASE_URL}/v1/keys/${body.id}`);
    const signer: Signer = { alg: 'ES256', kid: body.kid, workspaceId: body.iss, ...pair };
    expect(tokenResponse(await requestToken(signer, admin, signAssertion(signer, assertionInput)))).toEqual(
      issuedToken,
    );
  });
});

describe('flow C', () => {
  test('the credentials of an application get a token', async () => {
    expect(tokenResponse(await admin.withToken(null).post('/oauth/token', credentials()))).toEqual(issuedToken);
  });

  test('a charset on the media type and an unknown field are accepted', async () => {
    const body = JSON.stringify(credentials({ audience: 'https://elsewhere.example', version: 2 }));
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    expect(
      tokenResponse(await admin.withToken(null).send('/oauth/token', { method: 'POST', raw: body, headers })),
    ).toEqual(issuedToken);
  });

  test('the application’s own environment may be named', async () => {
    expect(
      tokenResponse(await admin.withToken(null).post('/oauth/token', credentials({ environment: 'production' }))),
    ).toEqual(issuedToken);
  });
});

describe('an assertion', () => {
  test.each([
    ['issued 30 seconds ago', { iat: nowSeconds - 30 }],
    ['issued 30 seconds ahead of our clock', { iat: nowSeconds + 30 }],
    ['that ends in one second', { exp: nowSeconds + 1 }],
    ['that ends in five minutes', { exp: nowSeconds + 300 }],
    ['that names its audience as a list of one', { aud: [settings.BASE_URL] }],
    ['with an unknown claim', { scope: 'everything' }],
    ['whose jti has 255 characters', { jti: 'its own' }],
  ])('%s is accepted in both flows', async (_, claims) => {
    for (const signer of [rsa, ec]) {
      const jti = 'jti' in claims ? randomUUID().padEnd(255, '.') : randomUUID();
      expect(
        tokenResponse(
          await requestToken(signer, admin, signAssertion(signer, assertionInput, { claims: { ...claims, jti } })),
        ),
      ).toEqual(issuedToken);
    }
  });

  test.each([{ typ: undefined }, { typ: 'jwt' }, { cty: 'JWT' }])('with the header %o is accepted', async (header) => {
    expect(tokenResponse(await requestToken(ec, admin, signAssertion(ec, assertionInput, { header })))).toEqual(
      issuedToken,
    );
  });

  test('may use the same jti as one of another workspace', async () => {
    const stranger = await registerEc(await service.openWorkspace());
    const claims = { jti: randomUUID() };
    expect(tokenResponse(await requestToken(ec, admin, signAssertion(ec, assertionInput, { claims })))).toEqual(
      issuedToken,
    );
    expect(
      tokenResponse(await requestToken(stranger, admin, signAssertion(stranger, assertionInput, { claims }))),
    ).toEqual(issuedToken);
  });

  test('is valid for one token, over all nodes', async () => {
    for (const signer of [rsa, ec]) {
      const assertion = signAssertion(signer, assertionInput);
      expect(tokenResponse(await requestToken(signer, admin, assertion))).toEqual(issuedToken);
      for (const node of [admin, otherNode.admin]) {
        const used =
          'This assertion was already used, and each is valid for one token only. Sign a new one with a new `jti`.';
        expect(tokenResponse(await requestToken(signer, node, assertion))).toEqual(
          refusedTokenResponse('invalid_grant', used),
        );
      }
    }
  });

  test('sent many times at once, to two nodes, gets exactly one token', async () => {
    const assertion = signAssertion(ec, assertionInput);
    const nodes = [admin, otherNode.admin];
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, index) => requestToken(ec, nodes[index % 2]!, assertion)),
    );
    const statuses = replies.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([200, ...Array(11).fill(400)]);
  });

  test('that failed has not used up its jti', async () => {
    const claims = { jti: randomUUID() };
    const stranger = { ...ec, ...makeEcPair() };
    expect((await requestToken(ec, admin, signAssertion(stranger, assertionInput, { claims }))).status).toBe(400);
    expect(
      (await requestToken(ec, admin, signAssertion(ec, assertionInput, { claims: { ...claims, aud: 'else' } }))).status,
    ).toBe(400);
    const good = signAssertion(ec, assertionInput, { claims });
    expect((await requestToken(ec, admin, good, { environment: 'sandbox' })).status).toBe(400);
    expect(tokenResponse(await requestToken(ec, admin, good))).toEqual(issuedToken);
  });
});

describe('a token of any flow', () => {
  async function tokens(): Promise<{ issuerId: string; reply: Reply }[]> {
    const application = (await admin.get('/v1/me')).body.credential_id;
    return [
      { issuerId: rsa.kid, reply: await requestToken(rsa, admin, signAssertion(rsa, assertionInput)) },
      { issuerId: ec.kid, reply: await requestToken(ec, admin, signAssertion(ec, assertionInput)) },
      { issuerId: application, reply: await admin.withToken(null).post('/oauth/token', credentials()) },
    ];
  }

  test('is valid for v1, v2 and v3, in both of their formats, on every node', async () => {
    for (const { reply } of await tokens()) {
      for (const node of [admin, otherNode.admin]) {
        const caller = node.withToken(reply.body.access_token);
        const replies = await Promise.all(['/v1/me', '/v2/clients', '/api/v2/clients'].map((path) => caller.get(path)));
        expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
      }
    }
  });

  test('belongs to the workspace, and names the application or key it was issued for', async () => {
    for (const { issuerId, reply } of await tokens()) {
      const rights = issuerId === rsa.kid || issuerId === ec.kid ? ['read', 'write'] : ['read', 'write', 'admin'];
      const names = {
        workspace_id: rsa.workspaceId,
        environment: 'production',
        sub: rsa.workspaceId,
        rights,
      };
      const life = { iss: settings.BASE_URL, aud: settings.BASE_URL, iat: nowSeconds, exp: nowSeconds + 3600, jti: id };
      expect(claimsOf(reply)).toEqual({ ...names, ...life, client_id: issuerId });
      const me = await admin.withToken(reply.body.access_token).get('/v1/me');
      expect(me.body).toEqual({ ...names, credential_id: issuerId, scoped_to: null, user: null });
    }
  });

  test('is different each time', async () => {
    const [first, second] = [await tokens(), await tokens()];
    expect(new Set([...first, ...second].map(({ reply }) => reply.body.access_token)).size).toBe(6);
  });
});

test('claims are read from an assertion, never from other fields', async () => {
  const { jti, ...claims } = assertionClaims(ec, assertionInput);
  const beside = {
    ...Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, String(value)])),
    jti: 'x',
  };
  const fields = {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: signAssertion(ec, assertionInput),
  };
  expect(jti).not.toBe('x');
  expect(
    tokenResponse(
      await sendForm(admin.withToken(null), '/oauth/token', { ...fields, ...beside, iss: 'somebody else' }),
    ),
  ).toEqual(issuedToken);
});
