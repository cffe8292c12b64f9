// Calls from pages of other origins: refused by browsers unless the operator has named the origin.

import { describe, expect, test } from 'vitest';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';

const origin = 'https://app.example';
const service = serviceForThisFile({ settings: { CORS_ORIGINS: `${origin}, http://localhost:5173` } });

const exposed =
  'X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ETag, Location, Idempotent-Replayed, WWW-Authenticate, Known-At, Rounding';
const names = ['access-control-allow-origin', 'access-control-expose-headers', 'vary'] as const;

function shown({ headers }: { readonly headers: Headers }): (string | null)[] {
  return names.map((name) => headers.get(name));
}

function preflight(path: string, headers: Record<string, string> = {}) {
  const preflightHeaders = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  };
  return service.admin.withToken(null).send(path, { method: 'OPTIONS', headers: { ...preflightHeaders, ...headers } });
}

describe('an origin that the operator has named', () => {
  test('may read answers, refusals included, and their headers', async () => {
    for (const reply of [
      await service.admin.get('/v1/me', { origin }),
      await service.admin.get('/v1/nothing', { origin }),
      await service.admin.withToken(null).get('/v1/me', { origin }),
      await service.admin.get('/api/v2/clients', { origin }),
    ]) {
      expect(shown(reply)).toEqual([origin, exposed, 'Origin']);
      expect(reply.headers.get('access-control-allow-credentials')).toBeNull();
    }
  });

  test('is answered before it has sent a token, with the methods of the path', async () => {
    const reply = await preflight('/v1/clients');
    expect([reply.status, reply.text]).toEqual([204, '']);
    expect(shown(reply)).toEqual([origin, exposed, 'Origin']);
    expect(reply.headers.get('access-control-allow-methods')).toBe('GET, HEAD, POST');
    expect(reply.headers.get('access-control-allow-headers')).toBe(
      'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, X-Request-Id',
    );
    expect(reply.headers.get('access-control-max-age')).toBe('7200');
    expect(reply.headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
  });

  test('each of several counts', async () => {
    const reply = await service.admin.get('/v1/me', { origin: 'http://localhost:5173' });
    expect(reply.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  });

  test('gets no permission for a path that does not exist', async () => {
    const reply = await preflight('/v1/nothing');
    expect([reply.status, reply.headers.get('access-control-allow-methods')]).toEqual([404, null]);
  });
});

describe('any other origin', () => {
  test.each(['https://app.example.evil.example', 'http://app.example', 'https://APP.example', 'null', '*'])(
    '%s gets no permission',
    async (other) => {
      expect(shown(await service.admin.get('/v1/me', { origin: other }))).toEqual([null, null, 'Origin']);
      const reply = await preflight('/v1/clients', { origin: other });
      expect([reply.status, ...shown(reply)]).toEqual([405, null, null, 'Origin']);
    },
  );

  test('a request without one varies with it all the same', async () => {
    expect(shown(await service.admin.get('/v1/me'))).toEqual([null, null, 'Origin']);
    expect((await service.admin.get('/openapi.json', { origin })).headers.get('vary')).toBe('Origin, Accept-Encoding');
  });
});

test('without the setting no origin has permission', async () => {
  const closed = await serviceForThisTest();
  expect(shown(await closed.admin.get('/v1/me', { origin }))).toEqual([null, null, null]);
  const headers = { origin, 'access-control-request-method': 'GET' };
  expect((await closed.admin.send('/v1/me', { method: 'OPTIONS', headers })).status).toBe(405);
});
