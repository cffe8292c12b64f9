// The request budget over HTTP: one bucket shared by all wires, applications and nodes of a workspace, and by nobody else.

import { beforeEach, describe, expect, test } from 'vitest';
import { registerEc, requestToken, signAssertion } from '../../setup/access/assertion.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import {
  serviceForThisFile,
  serviceForThisTest,
  startTestService,
  type TestService,
} from '../../setup/node/test-service.ts';
import { awaitLockWaits, countLockWaits } from '../../setup/database/lock-waits.ts';
import { LockHolder } from '../../setup/database/database-parts.ts';

const baseUrl = 'https://api.holdfast.example';
const burst = 50;
const settings = {
  BUDGET_PER_MINUTE: '1000',
  BUDGET_BURST: String(burst),
  BUDGET_IN_FLIGHT: '2',
  BASE_URL: baseUrl,
};
const reads = ['/v1/me', '/v1/clients', '/v2/clients', '/api/v2/clients'];

const service = serviceForThisFile({ settings });
/** A caller of a workspace whose bucket is full. */
let admin: Caller;

beforeEach(async () => {
  admin = await service.openWorkspace();
  // The request for the token was taken from the bucket.
  service.clock.advance(60_000);
});

/** Sends requests one after the other, rotating callers and wires, and returns how many were admitted. */
async function countAdmitted(callers: readonly Caller[], requests: number): Promise<number> {
  const statuses: number[] = [];
  for (let request = 0; request < requests; request++) {
    const path = reads[request % reads.length]!;
    statuses.push((await callers[request % callers.length]!.get(path)).status);
  }
  expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
  return statuses.filter((status) => status === 200).length;
}

function secondNode(): Promise<TestService> {
  return serviceForThisTest({ settings, database: service.database, clock: service.clock });
}

const detail = `The budget of 1000 requests a minute, with bursts of ${burst}, is used up. Wait for Retry-After seconds.`;
const problemUrl = `${baseUrl}/docs/errors#budget-exceeded`;

function errorsBody(id: string): object {
  const error = { id, status: '429', code: 'budget-exceeded', title: 'Too many requests', detail };
  return { errors: [{ ...error, links: { about: problemUrl } }] };
}

describe('while the clock is stopped', () => {
  test('exactly a burst of requests is admitted, on all wires together', async () => {
    expect(await countAdmitted([admin], burst)).toBe(burst);
    expect(await countAdmitted([admin], 8)).toBe(0);
  });

  test.each([
    { path: '/v1/clients', type: 'application/problem+json' },
    { path: '/v2/clients', type: 'application/json' },
    { path: '/api/v2/clients', type: 'application/vnd.api+json' },
  ])('the request after the burst is refused on $path in the format of its wire', async ({ path, type }) => {
    await countAdmitted([admin], burst);
    const { status, headers, body } = await admin.get(path, { 'x-request-id': 'one-too-many' });
    const problem = { type: problemUrl, title: 'Too many requests', status: 429, detail, code: 'budget-exceeded' };
    expect(status).toBe(429);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('retry-after')).toBe('1');
    expect(headers.get('ratelimit')).toBe('"burst";r=0;t=1');
    expect(body).toEqual(
      path.startsWith('/v1/') ? { ...problem, request_id: 'one-too-many' } : errorsBody('one-too-many'),
    );
  });

  test('a refused write has no effect', async () => {
    await countAdmitted([admin], burst);
    expect((await admin.post('/v1/clients', { name: 'Too late' })).status).toBe(429);
    service.clock.advance(1_000);
    expect((await admin.get('/v1/clients')).body.data).toEqual([]);
  });

  test('a request refused for another reason still uses the budget', async () => {
    expect((await admin.get('/v1/clients/0123456789abcdef01234567')).status).toBe(404);
    expect((await admin.get('/v1/clients?nonsense=1')).status).toBe(400);
    expect((await admin.post('/v1/clients', {})).status).toBe(422);
    expect(await countAdmitted([admin], burst + 1)).toBe(burst - 3);
  });

  test('a request without a valid token uses no budget', async () => {
    for (const token of [null, 'nonsense']) expect((await admin.withToken(token).get('/v1/me')).status).toBe(401);
    expect(await countAdmitted([admin], burst + 1)).toBe(burst);
  });
});

describe('who shares a bucket', () => {
  test('all applications of a workspace do', async () => {
    const reader = await admin.becomeApplication({ rights: ['read'] });
    const baseUrl = await admin.makeClient('Rivera Family');
    const scoped = await admin.becomeApplication({ scoped_to: baseUrl });
    expect(await countAdmitted([admin, reader, scoped], burst + 1)).toBe(burst - 5);
    expect(await countAdmitted([reader], 1)).toBe(0);
    expect(await countAdmitted([scoped], 1)).toBe(0);
  });

  test('another workspace does not, and neither does the sandbox of the same one', async () => {
    const stranger = await service.openWorkspace();
    const sandbox = await admin.becomeApplication({ environment: 'sandbox' });
    expect(await countAdmitted([admin], burst + 1)).toBe(burst - 1);
    expect(await countAdmitted([stranger], burst)).toBe(burst - 1);
    expect(await countAdmitted([sandbox], burst + 1)).toBe(burst - 1);
    expect(await countAdmitted([stranger], 1)).toBe(0);
  });

  test('all nodes do: used in turn they admit exactly the burst', async () => {
    const other = await secondNode();
    expect(await countAdmitted([admin, admin.atAddress(other.admin.address)], burst + 20)).toBe(burst);
  });

  test('concurrent requests to two nodes are admitted up to the burst', async () => {
    const other = await secondNode();
    const nodes = [admin, admin.atAddress(other.admin.address)];
    const replies = await Promise.all(
      Array.from({ length: burst + 100 }, (_, index) => nodes[index % 2]!.get('/v1/me')),
    );
    const admitted = replies.filter(({ status }) => status === 200).length;
    expect(admitted + (await countAdmitted([nodes[0]!], 60)) + (await countAdmitted([nodes[1]!], 60))).toBe(burst);
  });
});

describe('a token request', () => {
  const unavailable = { error: 'temporarily_unavailable', error_description: detail };

  async function makeApplication(): Promise<object> {
    const { body } = await admin.post('/v1/applications', { name: 'Nightly' });
    return { grant_type: 'client_credentials', client_id: body.client_id, client_secret: body.client_secret };
  }

  test('counts against the budget of its workspace once the secret is right, and not before', async () => {
    const credentials = await makeApplication();
    service.clock.advance(60_000);
    const open = admin.withToken(null);
    for (let count = 0; count < 5; count++) {
      expect((await open.post('/oauth/token', credentials)).status).toBe(200);
      expect((await open.post('/oauth/token', { ...credentials, client_secret: 'wrong' })).status).toBe(401);
    }
    expect((await open.post('/oauth/token', { ...credentials, scope: 'admin' })).status).toBe(400);
    expect(await countAdmitted([admin], burst)).toBe(burst - 6);
    const { status, headers, body } = await open.post('/oauth/token', credentials);
    expect([status, body]).toEqual([429, unavailable]);
    expect([headers.get('retry-after'), headers.get('ratelimit')]).toEqual(['1', '"burst";r=0;t=1']);
  });

  test('with an assertion counts as well, and a refused one can be sent again', async () => {
    const signer = await registerEc(admin);
    service.clock.advance(60_000);
    const assertion = signAssertion(signer, { now: service.clock.now(), audience: service.addresses.authUrl });
    expect(await countAdmitted([admin], burst + 1)).toBe(burst);
    expect((await requestToken(signer, admin, assertion)).status).toBe(429);
    service.clock.advance(1_000);
    expect((await requestToken(signer, admin, assertion)).status).toBe(200);
  });
});

describe('as the clock moves', () => {
  test.each([
    { afterMs: 59, more: 0 },
    { afterMs: 60, more: 1 },
    { afterMs: 1_200, more: 20 },
    { afterMs: 60_000, more: burst },
  ])('$afterMs ms after a burst, $more more are admitted', async ({ afterMs, more }) => {
    await countAdmitted([admin], burst);
    service.clock.advance(afterMs);
    expect(await countAdmitted([admin], more + 3)).toBe(more);
  });

  test('a caller that waits for Retry-After is admitted', async () => {
    await countAdmitted([admin], burst);
    const { headers } = await admin.get('/v1/me');
    service.clock.advance(Number(headers.get('retry-after')) * 1_000);
    expect(await countAdmitted([admin], 1)).toBe(1);
  });
});

test('while the bucket is empty, refusals need no database', async () => {
  const node = await startTestService({ settings, database: service.database, clock: service.clock });
  await countAdmitted([node.admin], burst + 1);
  await node.context.stores.close();
  expect(await countAdmitted([node.admin], 40)).toBe(0);
  service.clock.advance(1_000);
  expect((await node.admin.get('/v1/me')).status).toBe(503);
  await node.server.stop();
});

describe('RateLimit and RateLimit-Policy', () => {
  const policy = '"burst";q=50;w=3';

  function budgetAnswer({ status, headers }: Reply): unknown[] {
    return [status, headers.get('ratelimit'), headers.get('ratelimit-policy')];
  }

  function limits(status: number, remaining: number): unknown[] {
    return [status, `"burst";r=${remaining};t=${Math.ceil(((burst - remaining) * 60) / 1000)}`, policy];
  }

  test('count down over all wires and statuses', async () => {
    const made = await admin.post('/v1/clients', { name: 'Rivera Family' });
    const item = `/v1/clients/${made.body.id}`;
    const etag = made.headers.get('etag')!;
    expect(budgetAnswer(made)).toEqual(limits(201, burst - 1));
    expect(budgetAnswer(await admin.get(item))).toEqual(limits(200, burst - 2));
    expect(budgetAnswer(await admin.get(item, { 'if-none-match': etag }))).toEqual(limits(304, burst - 3));
    expect(budgetAnswer(await admin.get('/api/v2/clients'))).toEqual(limits(200, burst - 4));
    expect(budgetAnswer(await admin.get('/v2/clients', { accept: 'text/html' }))).toEqual(limits(406, burst - 5));
    expect(budgetAnswer(await admin.post('/v1/clients', { name: '' }))).toEqual(limits(422, burst - 6));
    expect(budgetAnswer(await admin.patch(item, { name: 'Rivera' }, { 'if-match': '"another"' }))).toEqual(
      limits(412, burst - 7),
    );
    expect(budgetAnswer(await admin.delete(item))).toEqual(limits(204, burst - 8));
    expect(budgetAnswer(await admin.delete(item))).toEqual(limits(404, burst - 9));
    service.clock.advance(60_000);
    expect(budgetAnswer(await admin.get('/v1/me'))).toEqual(limits(200, burst - 1));
  });

  test.each([
    { path: '/v1/me', method: 'GET', status: 401 },
    { path: '/api/v2/clients', method: 'GET', status: 401 },
    { path: '/v1/nothing', method: 'GET', status: 404 },
    { path: '/api/v9/nothing', method: 'GET', status: 404 },
    { path: '/v1/clients', method: 'DELETE', status: 405 },
    { path: '/oauth/token', method: 'POST', status: 415 },
    { path: '/v2/auth/token', method: 'POST', status: 415 },
    { path: '/healthz', method: 'GET', status: 200 },
    { path: '/openapi.json', method: 'GET', status: 200 },
  ])('are on $method $path, a request without a caller, with a full bucket', async ({ path, method, status }) => {
    const body = method === 'POST' ? { raw: 'x', headers: { 'content-type': 'text/plain' } } : {};
    expect(budgetAnswer(await admin.withToken(null).send(path, { method, ...body }))).toEqual(limits(status, burst));
  });

  test('are on a token answer and on its refusal', async () => {
    const tokenRequest = { grant_type: 'client_credentials', client_id: service.first.clientId };
    const { clientSecret } = service.first;
    const open = admin.withToken(null);
    expect(budgetAnswer(await open.post('/oauth/token', { ...tokenRequest, client_secret: clientSecret }))).toEqual(
      limits(200, burst - 1),
    );
    expect(budgetAnswer(await open.post('/oauth/token', { ...tokenRequest, client_secret: 'wrong' }))).toEqual(
      limits(401, burst),
    );
    expect(budgetAnswer(await open.post('/oauth/token', tokenRequest))).toEqual(limits(400, burst));
  });
});

describe('work in flight', () => {
  test('a workspace whose requests wait for each other delays only its own next request', async () => {
    const stranger = await service.openWorkspace();
    const id = await admin.makeClient('Rivera Family');
    const holder = await LockHolder.open(service.database);
    await holder.query('SELECT FROM client WHERE id = $1 FOR UPDATE', [id]);
    const held = Array.from({ length: 6 }, (_, index) => admin.patch(`/v1/clients/${id}`, { name: `Rivera ${index}` }));
    await awaitLockWaits(service.database, 2);
    let isAnswered = false;
    const next = admin.get('/v1/me').finally(() => {
      isAnswered = true;
    });
    expect(await countAdmitted([stranger], 20)).toBe(20);
    expect([isAnswered, await countLockWaits(service.database)]).toEqual([false, 2]);
    await holder.release();
    expect((await Promise.all([...held, next])).map(({ status }) => status)).toEqual(Array(7).fill(200));
  });
});
