import { describe, expect, test } from 'vitest';
import type { OpenOperation } from '../operation/open-operation.ts';
import type { Operation } from '../operation/operation.ts';
import { ServedPaths } from './served-paths.ts';
import type { HostName } from './hosts.ts';

const at = (host: HostName, method: string, path: string): Operation => ({ method, path, wire: { host } }) as Operation;
const open = (host: HostName | 'any', method: string, path: string): OpenOperation =>
  ({ method, path, host }) as OpenOperation;

const served = new ServedPaths([
  at('base', 'GET', '/v1/clients'),
  at('base', 'POST', '/v1/clients'),
  at('base', 'GET', '/v1/clients/{id}'),
  at('base', 'DELETE', '/v1/clients/{id}'),
  at('base', 'POST', '/v1/clients/bulk'),
  at('legacy', 'PATCH', '/api/v2/clients/{id}'),
  open('auth', 'POST', '/oauth/token'),
  open('any', 'GET', '/healthz'),
]);
const all = new Set<HostName>(['base', 'legacy', 'auth']);

describe('the methods of a path', () => {
  test.each([
    ['/v1/clients', ['GET', 'HEAD', 'POST']],
    ['/v1/clients?limit=1', ['GET', 'HEAD', 'POST']],
    ['/v1/clients/abc', ['GET', 'HEAD', 'DELETE']],
    ['/v1/clients/abc?a\n=/b', ['GET', 'HEAD', 'DELETE']],
    ['/v1/clients/bulk', ['POST']],
    ['/api/v2/clients/abc', ['PATCH']],
    ['/healthz', ['GET', 'HEAD']],
    ['/v1/clients/', []],
    ['/v1/clients/abc/', []],
    ['/v1/clients/{id}/x', []],
    ['/v1', []],
    ['/', []],
    ['', []],
    ['*', []],
  ])('%s: %j', (url, methods) => {
    expect(served.allowedMethods(url, all)).toEqual(methods);
  });

  test('a path has no methods on a host that does not serve it', () => {
    expect(served.allowedMethods('/v1/clients', new Set<HostName>(['legacy']))).toEqual([]);
    expect(served.allowedMethods('/oauth/token', new Set<HostName>(['base']))).toEqual([]);
    expect(served.allowedMethods('/oauth/token', new Set<HostName>(['auth']))).toEqual(['POST']);
    expect(served.allowedMethods('/healthz', new Set<HostName>())).toEqual(['GET', 'HEAD']);
  });

  test('a literal path segment is not taken for an id, whatever the method', () => {
    expect(served.unsupportedMethods()).toEqual([
      { path: '/v1/clients/bulk', method: 'GET' },
      { path: '/v1/clients/bulk', method: 'DELETE' },
    ]);
  });
});
