// Routing of requests: methods, paths, hosts, and request ids.

import { FailureThrottle } from '../../../src/surfaces/token/failure-throttle.ts';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AppContext } from '../../../src/actions/core/context.ts';
import { openOperations, operations } from '../../../src/surfaces/operations.ts';
import {
  errorCodeOf,
  jsonMediaType,
  jsonApiMediaType,
  problemMediaType,
  contentTypeOf,
} from '../../setup/http/answer.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { rawHead, sendRaw } from '../../setup/http/raw-request.ts';
import { workspaceForThisFile, startTestService, type TestService } from '../../setup/node/test-service.ts';
import { noBudget } from '../../../src/surfaces/http/pipeline/budget.ts';

const service = workspaceForThisFile();
let admin: Caller;
let id: string;

beforeAll(async () => {
  ({ admin } = service);
  id = await admin.makeClient('Addressed');
});

describe('methods', () => {
  const addresses = { baseUrl: 'http://base.test', legacyUrl: 'http://base.test', authUrl: 'http://base.test' };
  const open = openOperations({ addresses } as AppContext, {
    metrics: { contentType: 'text/plain', read: async () => ({ text: '' }) },
    version: '1.2.3',
    budget: noBudget,
    failures: new FailureThrottle(1),
  });
  const served = Map.groupBy([...operations, ...open], ({ path }) => path);
  const paths = [...served].map(([path, list]) => {
    const methods = list.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    return [path, methods] as const;
  });

  test.each(paths)('%s accepts %s and answers every other method with 405 and Allow', async (path, methods) => {
    const others = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
    for (const method of others.filter((other) => !methods.includes(other))) {
      const head = rawHead(method, path.replaceAll(/\{\w+\}/g, id), { authorization: `Bearer ${admin.token}` });
      const reply = await sendRaw(admin.address, head);
      expect([method, reply.status, reply.headers.get('allow')]).toEqual([method, 405, methods.join(', ')]);
      expect(reply.body.includes('"method-not-allowed"')).toBe(method !== 'HEAD');
    }
  });

  test.each(operations.filter(({ method }) => method === 'GET').map(({ path }) => path))(
    'HEAD %s is GET without the body',
    async (template) => {
      const path = template.replace('{id}', id);
      const [get, head] = [await admin.get(path), await admin.send(path, { method: 'HEAD' })];
      expect([head.status, head.text]).toEqual([get.status, '']);
      for (const name of ['content-type', 'etag']) expect(head.headers.get(name)).toBe(get.headers.get(name));
      expect(head.headers.get('content-length')).toBe(String(Buffer.byteLength(get.text)));
    },
  );
});

describe('paths', () => {
  const unknown = [
    ['/api/v2/unknown', jsonApiMediaType],
    ['/api/v3/unknown', jsonApiMediaType],
    ['/api/v9/clients', jsonApiMediaType],
    ['/api/', jsonApiMediaType],
    ['/api/v2/clients/', jsonApiMediaType],
    ['/api/v2/clients/{id}/', jsonApiMediaType],
    ['/api/v2/clients/{id}/unknown', jsonApiMediaType],
    ['/api/v2/Clients', jsonApiMediaType],
    ['/v2/unknown', jsonMediaType],
    ['/v3/unknown', jsonMediaType],
    ['/v2/clients/', jsonMediaType],
    ['/v2//clients', jsonMediaType],
    ['/v1/unknown', problemMediaType],
    ['/v1/clients/', problemMediaType],
    ['/v1/clients/{id}/', problemMediaType],
    ['/V1/clients', problemMediaType],
    ['//v1/clients', problemMediaType],
    ['/unknown', problemMediaType],
    ['/unknown/', problemMediaType],
  ] as const;

  test.each(unknown)('%s is not found, reported as %s', async (template, type) => {
    const reply = await admin.get(template.replace('{id}', id));
    expect([reply.status, contentTypeOf(reply), errorCodeOf(reply)]).toEqual([404, type, 'path-not-found']);
    expect((await admin.withToken(null).get(template)).status).toBe(404);
  });

  test.each([
    ['/api/v2/clients/%zz', jsonApiMediaType],
    ['/api/v2/clients/%', jsonApiMediaType],
    ['/v2/clients/%c3%28', jsonMediaType],
    ['/v1/clients/%ff', problemMediaType],
    ['/v1/%zz', problemMediaType],
  ])('%s cannot be decoded, and the refusal has the type %s', async (path, type) => {
    const reply = await admin.get(path);
    expect([reply.status, contentTypeOf(reply), errorCodeOf(reply)]).toEqual([400, type, 'malformed-request']);
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
  });

  test('a path with unnecessary encoding is the same path', async () => {
    const encoded = [...id].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    expect((await admin.get(`/v1/clients/${encoded}`)).body.id).toBe(id);
  });
});

describe('request ids', () => {
  test.each(['abc', 'A.b:c-d_9', 'x'.repeat(128)])('%s is accepted and returned', async (requestId) => {
    const reply = await admin.get('/v1/clients/unknown', { 'x-request-id': requestId });
    expect([reply.headers.get('x-request-id'), reply.body.request_id]).toEqual([requestId, requestId]);
  });

  test.each(['', 'x'.repeat(129), 'a b', 'a"b', 'é', '<b>'])(
    '%s is not accepted: the request gets a generated id',
    async (requestId) => {
      const reply = await admin.get('/v1/clients/unknown', { 'x-request-id': requestId });
      expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
      expect(reply.body.request_id).toBe(reply.headers.get('x-request-id'));
    },
  );

  test('every answer has its own request id, and the state of the budget', async () => {
    const replies = await Promise.all([
      admin.get('/v1/clients'),
      admin.get('/v1/unknown'),
      admin.get('/healthz'),
      admin.withToken(null).get('/api/v2/clients'),
      admin.withToken(null).post('/oauth/token', {}),
      admin.send('/v2/clients', { method: 'PUT' }),
      admin.get('/v1/clients/%zz'),
    ]);
    expect(new Set(replies.map(({ headers }) => headers.get('x-request-id'))).size).toBe(replies.length);
    for (const { headers } of replies) {
      expect(headers.get('ratelimit')).toMatch(/^"burst";r=\d+;t=\d+$/);
      expect(headers.get('ratelimit-policy')).toBe('"burst";q=1000000;w=10');
    }
  });

  test('on JSON:API it is the id of each error', async () => {
    const reply = await admin.get('/api/v2/clients/unknown', { 'x-request-id': 'mine' });
    expect(reply.body.errors[0].id).toBe('mine');
  });
});

describe('hosts', () => {
  async function freePort(): Promise<number> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return port;
  }

  let node: TestService;
  let base: string;

  beforeAll(async () => {
    base = `127.0.0.1:${await freePort()}`;
    const addresses = { LEGACY_URL: 'https://legacy.test', AUTH_URL: 'https://auth.test:8443' };
    node = await startTestService({
      settings: { PORT: base.split(':')[1]!, BASE_URL: `http://${base}`, ...addresses },
    });
  });
  afterAll(() => node.stop());

  async function statusAt(host: string, path: string, method: string): Promise<number> {
    const headers = { host, authorization: `Bearer ${node.admin.token}` };
    return (await sendRaw(node.admin.address, rawHead(method, path, headers))).status;
  }

  test.each([
    ['GET', '/v1/clients', [200, 404, 404, 404]],
    ['GET', '/v2/clients', [200, 404, 404, 404]],
    ['GET', '/api/v2/clients', [404, 200, 404, 404]],
    ['PUT', '/v1/clients', [405, 404, 404, 404]],
    ['PUT', '/api/v2/clients', [404, 405, 404, 404]],
    ['POST', '/v2/auth/token', [415, 404, 404, 404]],
    ['POST', '/oauth/token', [415, 404, 415, 404]],
    ['GET', '/healthz', [200, 200, 200, 200]],
  ])('%s %s is served by its own host only', async (method, path, statuses) => {
    const hosts = [base, 'legacy.test', 'auth.test:8443', 'unknown.test'];
    expect(await Promise.all(hosts.map((host) => statusAt(host, path, method)))).toEqual(statuses);
  });

  test.each([
    ['LEGACY.test', 200],
    ['legacy.test:443', 200],
    ['legacy.test:8443', 404],
    ['legacy.test.', 404],
  ])('a host called %s: %i', async (host, status) => {
    expect(await statusAt(host, '/api/v2/clients', 'GET')).toBe(status);
  });
});
