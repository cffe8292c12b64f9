// Three hosts with different names on one listener: each serves its own paths only, and each flow has its own audience.

import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import pino from 'pino';
import { readConfig } from '../../../src/app/config.ts';
import { ManualClock } from '../../setup/kit/manual-clock.ts';
import { startService, type Service } from '../../../src/app/start-service.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import {
  signAssertion,
  jwtBearerGrantType,
  makeEcPair,
  makeRsaPair,
  publicKeyPem,
  type KeyPair,
  type Signer,
} from '../../setup/access/assertion.ts';
import type { TestDatabase } from '../../setup/database/test-database.ts';
import { makeDatabase } from '../../setup/node/test-service.ts';

const hosts = { base: 'api.holdfast.example', legacy: 'legacy.holdfast.example:8443', auth: 'auth.holdfast.example' };
const clock = new ManualClock('2026-11-15T12:00:00Z');
const formType = 'application/x-www-form-urlencoded';
const credentials = JSON.stringify({ grant_type: 'client_credentials', client_id: 'admin', client_secret: 'secret' });

let database: TestDatabase;
let service: Service;
let token: string;

interface HostRequest {
  readonly host: string;
  readonly method?: string;
  readonly type?: string;
  readonly body?: string;
}

interface HostReply {
  readonly status: number;
  readonly body: any;
}

/** Uses node:http, since `fetch` does not allow setting the Host header. */
function send(path: string, { host, method = 'GET', type, body }: HostRequest): Promise<HostReply> {
  const { port } = service.server.app.server.address() as AddressInfo;
  const headers = {
    host,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined
      ? {}
      : { 'content-type': type ?? 'application/json', 'content-length': Buffer.byteLength(body) }),
  };
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({ status: response.statusCode!, body: text.startsWith('{') ? JSON.parse(text) : text });
    });
    sent.on('error', reject).end(body);
  });
}

beforeAll(async () => {
  database = await makeDatabase();
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: Keyring.generate(),
    BOOTSTRAP_CLIENT_ID: 'admin',
    BOOTSTRAP_CLIENT_SECRET: 'secret',
    BASE_URL: `https://${hosts.base}`,
    LEGACY_URL: `https://${hosts.legacy}`,
    AUTH_URL: `https://${hosts.auth}`,
  });
  service = await startService(config, { clock, log: pino({ level: 'silent' }) });
  const { body } = await send('/oauth/token', { host: hosts.base, method: 'POST', body: credentials });
  token = body.access_token;
});
afterAll(async () => {
  await service.stop();
  await database.drop();
});

const served = [
  { path: '/v1/me', method: 'GET', by: ['base'], status: 200 },
  { path: '/v1/clients', method: 'POST', by: ['base'], status: 400 },
  { path: '/v1/clients', method: 'PUT', by: ['base'], status: 405 },
  { path: '/v2/clients', method: 'GET', by: ['base'], status: 200 },
  { path: '/v2/auth/keys', method: 'GET', by: ['base'], status: 200 },
  { path: '/v2/auth/token', method: 'POST', by: ['base'], status: 415 },
  { path: '/v2/auth/token', method: 'GET', by: ['base'], status: 405 },
  { path: '/api/v2/clients', method: 'GET', by: ['legacy'], status: 200 },
  { path: '/oauth/token', method: 'POST', by: ['base', 'auth'], status: 415 },
  { path: '/sign-in', method: 'GET', by: ['base'], status: 200 },
  { path: '/invites/a-secret', method: 'GET', by: ['base'], status: 404 },
  { path: '/healthz', method: 'GET', by: ['base', 'legacy', 'auth'], status: 200 },
] as const;

describe.each(Object.entries(hosts))('the %s host', (name, host) => {
  test.each(served)('on $method $path serves its own operations, and answers 404 to others', async (one) => {
    const isServed = (one.by as readonly string[]).includes(name);
    const { status, body } = await send(one.path, { host, method: one.method });
    expect(status).toBe(isServed ? one.status : 404);
    expect(JSON.stringify(body).includes('path-not-found')).toBe(!isServed);
  });
});

test('host names are case-insensitive; an unknown host serves nothing', async () => {
  expect((await send('/v1/me', { host: 'API.Holdfast.Example' })).status).toBe(200);
  for (const host of ['elsewhere.example', 'api.holdfast.example.elsewhere.example', 'legacy.holdfast.example']) {
    for (const path of ['/v1/me', '/api/v2/clients']) expect((await send(path, { host })).status).toBe(404);
    expect((await send('/oauth/token', { host, method: 'POST', body: credentials })).status).toBe(404);
  }
});

test('a token of the v1 host is valid on the JSON:API host', async () => {
  expect((await send('/api/v2/clients', { host: hosts.legacy })).body).toEqual({ data: [] });
});

describe('flows', () => {
  const assertionForm = new URLSearchParams({ grant_type: jwtBearerGrantType, assertion: 'x' }).toString();

  test('C is served by the v1 host only', async () => {
    const { status, body } = await send('/oauth/token', { host: hosts.auth, method: 'POST', body: credentials });
    const description = `The grant_type must be ${jwtBearerGrantType}.`;
    expect([status, body]).toEqual([400, { error: 'unsupported_grant_type', error_description: description }]);
  });

  test('B is served by the token host only', async () => {
    const request = { host: hosts.base, method: 'POST', type: formType, body: assertionForm };
    const { status, body } = await send('/oauth/token', request);
    const description = 'The grant_type must be client_credentials.';
    expect([status, body]).toEqual([400, { error: 'unsupported_grant_type', error_description: description }]);
  });

  async function register(pair: KeyPair, alg: Signer['alg']): Promise<Signer> {
    const sent =
      alg === 'RS256' ? { public_key_pem: publicKeyPem(pair) } : { jwk: pair.publicKey.export({ format: 'jwk' }) };
    const body = JSON.stringify({ label: alg, ...sent });
    const { kid, iss: workspaceId } = (await send('/v1/keys', { host: hosts.base, method: 'POST', body })).body;
    return { alg, kid, workspaceId, ...pair };
  }

  async function statusesByAudience(signer: Signer, path: string, host: string): Promise<Record<string, number>> {
    const statuses: Record<string, number> = {};
    for (const [name, address] of Object.entries(hosts)) {
      const assertion = signAssertion(signer, { now: clock.now(), audience: `https://${address}` });
      const body = new URLSearchParams({ grant_type: jwtBearerGrantType, assertion }).toString();
      statuses[name] = (await send(path, { host, method: 'POST', type: formType, body })).status;
    }
    return statuses;
  }

  test('A accepts assertions for the v1 host only', async () => {
    const signer = await register(makeRsaPair(), 'RS256');
    const statuses = await statusesByAudience(signer, '/v2/auth/token', hosts.base);
    expect(statuses).toEqual({ base: 200, legacy: 400, auth: 400 });
  });

  test('B accepts assertions for the token host only', async () => {
    const signer = await register(makeEcPair(), 'ES256');
    const statuses = await statusesByAudience(signer, '/oauth/token', hosts.auth);
    expect(statuses).toEqual({ base: 400, legacy: 400, auth: 200 });
  });
});
