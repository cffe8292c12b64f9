// The lifetime of an access token: it ends after an hour or with its application or key, on every node, and outlives the key that
// signed it. Two nodes on one database.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { signAssertion, requestToken, registerEc, registerRsa, type Signer } from '../../setup/access/assertion.ts';
import { Caller, type Reply } from '../../setup/http/caller.ts';
import { reportedRefusal } from '../../setup/structure/client-document.ts';
import {
  serviceForThisFile,
  serviceForThisTest,
  startTestService,
  type TestService,
} from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const settings = { BASE_URL: 'https://api.holdfast.example' };
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const reads = ['/v1/me', '/v1/clients', '/v2/clients', '/api/v2/clients'];

const service = serviceForThisFile({ settings });
let otherNode: TestService;
/** Of a workspace of its own for each test. */
let admin: Caller;
let credentials: { readonly clientId: string; readonly clientSecret: string };

function startNode(): Promise<TestService> {
  return serviceForThisTest({ settings, database: service.database, clock: service.clock });
}

beforeAll(async () => {
  otherNode = await startTestService({ settings, database: service.database, clock: service.clock });
});

afterAll(() => otherNode.stop());

beforeEach(async () => {
  const opener = await service.openWorkspace();
  const { body } = await opener.post('/v1/applications', { name: 'Test', rights: ['read', 'write', 'admin'] });
  credentials = { clientId: body.client_id, clientSecret: body.client_secret };
  admin = await newToken();
});

/** Sends every read on both nodes. */
async function readAll(caller: Caller): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const node of [service, otherNode]) {
    for (const path of reads) replies.push(await caller.atAddress(node.admin.address).get(path));
  }
  return replies;
}

async function statuses(caller: Caller): Promise<number[]> {
  return [...new Set((await readAll(caller)).map(({ status }) => status))];
}

async function callerWithKey(signer: Signer): Promise<Caller> {
  const assertionInput = { now: service.clock.now(), audience: settings.BASE_URL };
  return admin.withToken((await requestToken(signer, admin, signAssertion(signer, assertionInput))).body.access_token);
}

function kidOf({ token }: Caller): string {
  return JSON.parse(Buffer.from(token!.split('.')[0]!, 'base64url').toString()).kid;
}

function newToken(): Promise<Caller> {
  return Caller.withCredentials(service.admin.address, credentials);
}

describe('deleting its application or key', () => {
  test('revokes a token at once on every node, although both have cached it', async () => {
    const application = await admin.becomeApplication({ rights: ['read', 'write'] });
    const [rsa, ec] = [await registerRsa(admin), await registerEc(admin)];
    const holders = [
      { caller: application as Caller, item: `/v1/applications/${application.id}` },
      { caller: await callerWithKey(rsa), item: `/v2/auth/keys/${rsa.kid}` },
      { caller: await callerWithKey(ec), item: `/v1/keys/${ec.kid}` },
    ];
    for (const { caller } of holders) expect(await statuses(caller)).toEqual([200]);
    for (const { caller, item } of holders) {
      expect((await admin.delete(item)).status).toBe(204);
      for (const reply of await readAll(caller)) {
        expect(reportedRefusal(reply)).toMatchObject({ status: 401, code: 'token-revoked' });
        expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
      }
    }
    expect(await statuses(admin)).toEqual([200]);
  });

  test('revokes all its tokens, for reads and writes', async () => {
    const { body } = await admin.post('/v1/applications', { name: 'Nightly' });
    const { client_id: id, client_secret: secret } = body;
    const assertionInput = { grant_type: 'client_credentials', client_id: id, client_secret: secret };
    const tokens = [];
    for (let count = 0; count < 3; count++) {
      tokens.push((await admin.withToken(null).post('/oauth/token', assertionInput)).body.access_token);
    }
    await admin.atAddress(otherNode.admin.address).delete(`/v1/applications/${body.id}`);
    for (const token of tokens) {
      const reply = await admin.withToken(token).post('/v1/clients', { name: 'Too late' });
      expect(reportedRefusal(reply)).toMatchObject({ status: 401, code: 'token-revoked' });
    }
    expect((await admin.get('/v1/clients')).body.data).toEqual([]);
    expect((await admin.withToken(null).post('/oauth/token', assertionInput)).body.error).toBe('invalid_client');
  });

  test('is possible with its own token: an application can delete itself', async () => {
    const caller = await admin.becomeApplication({ rights: ['admin'] });
    expect((await caller.delete(`/v1/applications/${caller.id}`)).status).toBe(204);
    expect(reportedRefusal(await caller.get('/v1/me'))).toMatchObject({ status: 401, code: 'token-revoked' });
  });

  test('is different from renaming, which revokes nothing', async () => {
    const caller = await admin.becomeApplication({ rights: ['read'] });
    await admin.patch(`/v1/applications/${caller.id}`, { name: 'Renamed' });
    expect(await statuses(caller)).toEqual([200]);
  });
});

describe('its lifetime of an hour', () => {
  test('lasts to the last millisecond, and then the token is expired on every node', async () => {
    expect(await statuses(admin)).toEqual([200]);
    service.clock.advance(hourMs - 1);
    expect(await statuses(admin)).toEqual([200]);
    service.clock.advance(1);
    for (const reply of await readAll(admin)) {
      const expected = { status: 401, code: 'token-expired', detail: 'The access token has expired.' };
      expect(reportedRefusal(reply)).toMatchObject(expected);
      expect(reply.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"');
    }
    expect(await statuses(await newToken())).toEqual([200]);
  });

  test('also ends on a node that has never seen the token', async () => {
    service.clock.advance(hourMs);
    const fresh = await startNode();
    expect(reportedRefusal(await admin.atAddress(fresh.admin.address).get('/v1/me'))).toMatchObject({
      code: 'token-expired',
    });
  });
});

describe('the key it was signed with', () => {
  test('is used for thirty days; then a new one signs, and tokens of the old one are valid until they expire', async () => {
    const first = kidOf(admin);
    service.clock.advance(30 * dayMs - 1);
    const old = await newToken();
    expect(kidOf(old)).toBe(first);
    service.clock.advance(1);
    const fresh = await newToken();
    expect(kidOf(fresh)).not.toBe(first);
    expect(kidOf(await newToken())).toBe(kidOf(fresh));
    for (const caller of [old, fresh]) expect(await statuses(caller)).toEqual([200]);
    service.clock.advance(hourMs - 1);
    expect(reportedRefusal(await old.get('/v1/me'))).toMatchObject({ status: 401, code: 'token-expired' });
    expect(await statuses(fresh)).toEqual([200]);
  });

  test('belongs to the environment', async () => {
    const sandbox = await admin.becomeApplication({ environment: 'sandbox' });
    const stranger = await service.openWorkspace();
    expect(new Set([kidOf(admin), kidOf(sandbox), kidOf(stranger)]).size).toBe(3);
  });

  test('is read once on each node: verified tokens are cached there', async () => {
    expect(await statuses(admin)).toEqual([200]);
    await runSql(service.database, 'DELETE FROM signing_key WHERE id = $1', [kidOf(admin)]);
    expect(await statuses(admin)).toEqual([200]);
    const fresh = await startNode();
    const { status, body } = await admin.atAddress(fresh.admin.address).get('/v1/me');
    const detail = 'The signature of the access token is not valid.';
    expect([status, body.code, body.detail]).toEqual([401, 'token-invalid', detail]);
  });

  test('is stored encrypted, and its private part is shown nowhere', async () => {
    const [row] = await runSql<{ public_jwk: object; sealed: string }>(
      service.database,
      `SELECT public_jwk, encode(private_sealed, 'escape') AS sealed FROM signing_key WHERE id = $1`,
      [kidOf(admin)],
    );
    expect(Object.keys(row!.public_jwk).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
    expect(row!.sealed).not.toContain('"kty":');
  });
});

describe('invalid tokens', () => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = (token: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString());

  test.each([
    ['a random text', () => 'nonsense'],
    [
      'an unsigned one',
      (token: string) => `${part({ alg: 'none', typ: 'at+jwt', kid: 'x' })}.${token.split('.')[1]}.AA`,
    ],
    [
      'one with other rights',
      (token: string) => {
        const [header, , signature] = token.split('.');
        return `${header}.${part({ ...claims(token), rights: ['read', 'write', 'admin'] })}.${signature}`;
      },
    ],
    [
      'one of another environment',
      (token: string) => {
        const [header, , signature] = token.split('.');
        return `${header}.${part({ ...claims(token), environment: 'sandbox' })}.${signature}`;
      },
    ],
    ['one with a changed signature', (token: string) => `${token.slice(0, -8)}AAAAAAAA`],
    ['one with an appended text', (token: string) => `${token}.AA`],
    ['one of 5 KiB', (token: string) => token + 'A'.repeat(5 * 1024)],
  ])('%s gives no access', async (_, forge) => {
    const reader = await admin.becomeApplication({ rights: ['read'] });
    expect((await reader.get('/v1/me')).status).toBe(200);
    for (const reply of await readAll(admin.withToken(forge(reader.token!)))) {
      expect(reportedRefusal(reply)).toMatchObject({ status: 401, code: 'token-invalid' });
    }
  });

  test.each([
    ['', 'token-missing'],
    ['Basic dGVzdDp0ZXN0', 'token-invalid'],
    ['Bearer', 'token-invalid'],
  ])('an Authorization header of "%s" is refused with the reason', async (authorization, code) => {
    const headers = authorization === '' ? {} : { authorization };
    for (const path of reads) {
      const reply = await admin.withToken(null).get(path, headers as Record<string, string>);
      expect([reply.status, reportedRefusal(reply).code]).toEqual([401, code]);
      expect(reply.headers.get('www-authenticate')).toMatch(/^Bearer/);
    }
  });

  test('the word Bearer may be in any letter case', async () => {
    const { status } = await admin.withToken(null).get('/v1/me', { authorization: `bEARER ${admin.token}` });
    expect(status).toBe(200);
  });
});
