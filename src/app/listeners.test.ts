// Checks that the addresses are taken first, what they answer before the service is built, and which setting a failure names.

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from './config.ts';
import { bindListeners, describeBindFault } from './listeners.ts';
import { SettingFault } from './setting-reader.ts';
import { startService } from './start-service.ts';
import { emptyDatabaseForThisTest } from '../../tests/setup/database/empty-database.ts';
import { runSql } from '../../tests/setup/database/sql.ts';

async function takePort(): Promise<string> {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  return String((other.address() as AddressInfo).port);
}

test('until the service is built, the node is alive, is not ready, and refuses everything else with the usual headers', async () => {
  const listeners = await bindListeners(readConfig({ PORT: '0', BASE_URL: 'https://wealth.example' }));
  onTestFinished(() => listeners.close());
  const answer = async (path: string) => {
    const { status, headers, ...reply } = await fetch(`http://127.0.0.1:${listeners.service.port}${path}`).then(
      async (response) => ({ status: response.status, headers: response.headers, body: await response.json() }),
    );
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f]{24}$/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(headers.get('ratelimit')).toBe('"burst";r=300;t=0');
    return [status, headers.get('retry-after'), reply.body];
  };
  expect(await answer('/healthz')).toEqual([200, null, { status: 'alive' }]);
  expect(await answer('/readyz')).toEqual([503, '1', { status: 'starting' }]);
  expect(await answer('/v1/clients')).toEqual([503, '1', expect.objectContaining({ code: 'starting', status: 503 })]);
  const errors = [expect.objectContaining({ code: 'starting', status: '503' })];
  expect(await answer('/api/v2/clients')).toEqual([503, '1', { errors }]);
});

describe('until the service is built, somebody who looks at it with a browser', () => {
  async function open(path: string, init: RequestInit = {}): Promise<readonly unknown[]> {
    const listeners = await bindListeners(readConfig({ PORT: '0', BASE_URL: 'https://wealth.example' }));
    onTestFinished(() => listeners.close());
    const headers = { accept: 'text/html,*/*;q=0.8', 'accept-language': 'en-GB' };
    const reply = await fetch(`http://127.0.0.1:${listeners.service.port}${path}`, { headers, ...init });
    const text = await reply.text();
    const refresh = /http-equiv="refresh" content="([^"]*)"/.exec(text)?.[1];
    return [reply.status, reply.headers.get('content-type'), /<title>(.*?)<\/title>/.exec(text)?.[1], refresh];
  }

  const page = [503, 'text/html; charset=utf-8', 'Starting · Holdfast'];
  test.each(['/', '/entities/e/holdings?page=2', '/v1x', '/apis', '/oauths'])(
    'at %s sees that it starts, and looks again',
    async (path) => {
      expect(await open(path)).toEqual([...page, '5']);
    },
  );

  test('who sends a form sees it too, and does not send it again', async () => {
    expect(await open('/sign-out', { method: 'POST' })).toEqual([...page, undefined]);
  });

  test('has the style sheet of the page', async () => {
    expect(await open('/console.css?v=1')).toEqual([200, 'text/css; charset=utf-8', undefined, undefined]);
  });

  test.each([
    ['/v1/clients', 'application/problem+json'],
    ['/v2', 'application/json'],
    ['/api', 'application/vnd.api+json'],
    ['/api/v2/clients', 'application/vnd.api+json'],
    ['/oauth/token', 'application/problem+json'],
    ['/oauth?a=b', 'application/problem+json'],
  ])('gets the answer of the API at %s', async (path, type) => {
    expect((await open(path)).slice(0, 2)).toEqual([503, type]);
  });

  test('gets the answer of the API as a program', async () => {
    const headers = { accept: 'application/json' };
    expect((await open('/', { headers })).slice(0, 2)).toEqual([503, 'application/problem+json']);
  });
});

describe('a taken port', () => {
  test.each(['PORT', 'METRICS_PORT'])('%s ends a first start before it has changed the database', async (name) => {
    const database = await emptyDatabaseForThisTest();
    const port = await takePort();
    const settings = {
      PORT: '0',
      DATABASE_URL: database.url,
      ENCRYPTION_KEY: '0f1e2d3c4b5a6978'.repeat(4),
      [name]: port,
    };
    await expect(startService(readConfig(settings))).rejects.toThrow(
      new SettingFault(
        `${name} ${port} is in use by another process on 127.0.0.1. Stop that one, or set ${name} to another port.`,
      ),
    );
    expect(await runSql(database, `SELECT tablename FROM pg_tables WHERE schemaname = 'public'`)).toEqual([]);
  });
});

describe('an address that cannot be taken is named by its setting', () => {
  test.each([
    ['EACCES', /^PORT is 80, which this user may not listen on\. Set PORT to 1024 or higher, /],
    ['EADDRNOTAVAIL', /^HOST is 192\.0\.2\.1, which is not an address of this machine\. /],
  ])('%s', (code, message) => {
    const error = Object.assign(new Error('listen failed'), { code });
    const fault = describeBindFault(error, { host: '192.0.2.1', port: 80 }, '');
    expect(fault).toBeInstanceOf(SettingFault);
    expect(fault.message).toMatch(message);
  });

  test('HOST of another machine', async () => {
    await expect(bindListeners(readConfig({ PORT: '0', HOST: '192.0.2.1' }))).rejects.toThrow(
      'HOST is 192.0.2.1, which is not an address of this machine.',
    );
  });
});
