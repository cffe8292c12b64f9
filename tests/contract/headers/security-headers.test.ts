// The headers that protect callers and the people behind them, on every answer, and the requests that name two hosts.

import { beforeAll, describe, expect, test } from 'vitest';
import { rawHead, sendRaw } from '../../setup/http/raw-request.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';

const service = serviceForThisFile({ settings: { BASE_URL: 'https://wealth.example' } });
let address: string;
let bearer: Record<string, string>;

beforeAll(() => {
  ({ address } = service.admin);
  bearer = { authorization: `Bearer ${service.admin.token}` };
});

const host = 'wealth.example';

describe('every answer carries nosniff, Cache-Control, HSTS under https, and a request id', () => {
  const noStore = 'no-store';
  const requests: [what: string, status: number, cacheControl: string, head: () => string][] = [
    ['a read', 200, 'private, no-cache', () => rawHead('GET', '/v1/me', { ...bearer, host })],
    ['a list of JSON:API', 200, noStore, () => rawHead('GET', '/api/v2/clients', { ...bearer, host })],
    ['no token', 401, noStore, () => rawHead('GET', '/v1/me', { host })],
    ['no such path', 404, noStore, () => rawHead('GET', '/nowhere', { host })],
    ['no such method', 405, noStore, () => rawHead('PUT', '/v1/me', { host })],
    ['a moved path', 308, noStore, () => rawHead('GET', '/api/v2/assets', { host })],
    ['an address that cannot be decoded', 400, noStore, () => rawHead('GET', '/v1/%zz', { host })],
    ['a page', 200, noStore, () => rawHead('GET', '/sign-in', { host })],
    ['a page elsewhere', 303, noStore, () => rawHead('GET', '/', { host })],
    ['the style sheet', 200, 'public, max-age=31536000, immutable', () => rawHead('GET', '/console.css', { host })],
    ['the reference', 200, 'public, no-cache', () => rawHead('GET', '/docs/errors', { host })],
    ['health', 200, noStore, () => rawHead('GET', '/healthz', { host })],
    ['metrics, which are for this machine only', 404, noStore, () => rawHead('HEAD', '/metrics', { host })],
    ['an expectation', 417, noStore, () => rawHead('GET', '/v1/me', { ...bearer, host, expect: 'the-impossible' })],
    ['no host', 400, noStore, () => 'GET /v1/me HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['what is not HTTP', 400, noStore, () => 'GET\r\n\r\n'],
    ['headers that are too long', 431, noStore, () => rawHead('GET', '/v1/me', { host, 'x-long': 'x'.repeat(20_000) })],
  ];

  test.each(requests)('%s', async (_what, status, cacheControl, head) => {
    const reply = await sendRaw(address, head());
    const { headers } = reply;
    expect([reply.status, headers.get('cache-control')]).toEqual([status, cacheControl]);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
  });

  test('a token is not stored', async () => {
    const body = JSON.stringify({ grant_type: 'client_credentials', ...wrongCredentials });
    const headers = { host, 'content-type': 'application/json', 'content-length': String(body.length) };
    const reply = await sendRaw(address, rawHead('POST', '/oauth/token', headers), body);
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([401, 'no-store']);
  });

  test('without TLS there is no HSTS, which browsers would hold against it', async () => {
    const plain = await serviceForThisTest();
    expect((await plain.admin.get('/v1/me')).headers.get('strict-transport-security')).toBeNull();
  });
});

const wrongCredentials = { client_id: 'nobody', client_secret: 'wrong' };

describe('a request that names two hosts is a 400', () => {
  const twoHosts = (...hosts: readonly string[]): string =>
    `GET /v1/me HTTP/1.1\r\n${hosts.map((one) => `Host: ${one}\r\n`).join('')}Connection: close\r\n\r\n`;

  test.each([
    ['two Host headers', () => twoHosts(host, 'elsewhere.example')],
    ['the same Host twice', () => twoHosts(host, host)],
    ['an absolute target elsewhere', () => rawHead('GET', 'http://elsewhere.example/v1/me', { ...bearer, host })],
    ['another port', () => rawHead('GET', `http://${host}:8443/v1/me`, { ...bearer, host })],
    ['a user before the host', () => rawHead('GET', `http://user@${host}/v1/me`, { ...bearer, host })],
  ])('%s', async (_what, head) => {
    const reply = await sendRaw(address, head());
    expect([reply.status, JSON.parse(reply.body).code]).toEqual([400, 'malformed-request']);
    expect(JSON.parse(reply.body).errors).toMatchObject([{ header: 'Host' }]);
  });

  test.each(['http://wealth.example/v1/me', 'HTTP://Wealth.Example:80/v1/me', 'https://wealth.example:443/v1/me'])(
    'the absolute target %s of the same host is its path',
    async (target) => {
      expect((await sendRaw(address, rawHead('GET', target, { ...bearer, host }))).status).toBe(200);
      const missing = await sendRaw(address, rawHead('GET', `${target}/x`.replace('/v1/', '/api/'), { host }));
      expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'application/vnd.api+json']);
    },
  );
});

describe('metrics beside the API are for this machine only', () => {
  const metricsStatus = async (called: string, headers: Record<string, string>): Promise<number> =>
    (await sendRaw(called, rawHead('GET', '/metrics', headers))).status;

  test('a direct call gets them, a proxy and another name do not', async () => {
    const { admin } = await serviceForThisTest();
    const direct = { host: new URL(admin.address).host };
    expect(await metricsStatus(admin.address, direct)).toBe(200);
    expect(await metricsStatus(admin.address, { ...direct, 'x-forwarded-for': '203.0.113.5' })).toBe(404);
    expect(await metricsStatus(admin.address, { host: 'rebound.example' })).toBe(404);
  });

  test('nobody gets them where the service is called at another address: a proxy need not say that it is one', async () => {
    expect(await metricsStatus(address, { host: '127.0.0.1' })).toBe(404);
    expect((await service.admin.get('/openapi.json')).text).not.toContain('"/metrics"');
  });
});

test('metrics can have an address of their own, and are then nowhere else', async () => {
  const own = await serviceForThisTest({ settings: { METRICS_PORT: '0' } });
  expect((await own.admin.get('/metrics')).status).toBe(404);
  expect((await own.admin.get('/openapi.json')).text).not.toContain('"/metrics"');
  const { metricsUrl } = own;
  const reply = await fetch(`${metricsUrl}/metrics`);
  expect([reply.status, reply.headers.get('x-content-type-options')]).toEqual([200, 'nosniff']);
  expect(await reply.text()).toContain('holdfast_http_requests_total');
  for (const path of ['/v1/me', '/healthz', '/docs']) expect((await fetch(`${metricsUrl}${path}`)).status).toBe(404);
});
