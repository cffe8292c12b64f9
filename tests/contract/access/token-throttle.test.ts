// Token requests that fail: throttled by client id and address, without locking out whoever has the right secret elsewhere.

import { request } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { FailureThrottle } from '../../../src/surfaces/token/failure-throttle.ts';
import {
  issuedToken,
  makeEcPair,
  registerEc,
  requestToken,
  signAssertion,
  tokenResponse,
} from '../../setup/access/assertion.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';

const service = serviceForThisFile({ settings: { TOKEN_FAILURES_PER_MINUTE: '5' } });
const throttled = {
  status: 429,
  type: 'application/json',
  cache: 'no-store',
  body: {
    error: 'temporarily_unavailable',
    error_description: 'Too many token requests from here have failed. Wait for Retry-After seconds.',
  },
};
let open: Caller;
let known: { grant_type: string; client_id: string; client_secret: string };

beforeEach(async () => {
  service.clock.advance(60_000);
  const admin = await service.enter(service.first);
  open = admin.withToken(null);
  const { body } = await admin.post('/v1/applications', { name: 'Nightly' });
  known = { grant_type: 'client_credentials', client_id: body.client_id, client_secret: body.client_secret };
});

async function fail(count: number, clientId = known.client_id): Promise<number[]> {
  const statuses = [];
  for (let sent = 0; sent < count; sent++) {
    const wrong = { ...known, client_id: clientId, client_secret: 'wrong' };
    statuses.push((await open.post('/oauth/token', wrong)).status);
  }
  return statuses;
}

/** Sends from another address of this machine. */
function sendFrom(localAddress: string, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', localAddress, headers: { 'content-type': 'application/json' } };
    const outgoing = request(`${open.address}/oauth/token`, options, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    outgoing.on('error', reject);
    outgoing.end(JSON.stringify(body));
  });
}

test('one client id may fail five times a minute from one address; then even the right secret has to wait', async () => {
  expect(await fail(6)).toEqual([401, 401, 401, 401, 401, 429]);
  const refused: Reply = await open.post('/oauth/token', known);
  expect([tokenResponse(refused), refused.headers.get('retry-after')]).toEqual([throttled, '12']);
  service.clock.advance(12_000);
  expect(tokenResponse(await open.post('/oauth/token', known))).toEqual(issuedToken);
});

test('the right secret from another address is not locked out', async () => {
  await fail(6);
  expect((await open.post('/oauth/token', known)).status).toBe(429);
  expect(await sendFrom('127.0.0.2', known)).toBe(200);
});

test('other client ids at the same address are not concerned', async () => {
  await fail(6, 'somebody else');
  expect((await open.post('/oauth/token', known)).status).toBe(200);
});

test('an address that tries many client ids is throttled, except for those that it had tokens for', async () => {
  expect((await open.post('/oauth/token', known)).status).toBe(200);
  const statuses = [];
  for (let number = 0; number < 51; number++) statuses.push(...(await fail(1, `guess ${number}`)));
  expect(statuses.slice(0, 50)).toEqual(Array(50).fill(401));
  expect(statuses[50]).toBe(429);
  expect((await open.post('/oauth/token', known)).status).toBe(200);
  expect(await sendFrom('127.0.0.3', { ...known, client_id: 'guess', client_secret: 'x' })).toBe(401);
});

test('requests with the right secret are never counted as failures', async () => {
  for (let count = 0; count < 20; count++) expect((await open.post('/oauth/token', known)).status).toBe(200);
  for (let count = 0; count < 20; count++) {
    expect((await open.post('/oauth/token', { ...known, scope: 'admin' })).status).toBe(400);
  }
  expect((await open.post('/oauth/token', known)).status).toBe(200);
});

test('assertions are throttled by the key that they name', async () => {
  const admin = await service.enter(service.first);
  const key = await registerEc(admin);
  const input = { now: service.clock.now(), audience: service.addresses.authUrl };
  const forged = { ...key, ...makeEcPair() };
  const statuses = [];
  for (let sent = 0; sent < 6; sent++) {
    statuses.push((await requestToken(forged, open, signAssertion(forged, input))).status);
  }
  expect(statuses).toEqual([400, 400, 400, 400, 400, 429]);
  const other = await registerEc(admin);
  expect((await requestToken(other, open, signAssertion(other, input))).status).toBe(200);
});

describe('the throttle', () => {
  function isRefused(throttle: FailureThrottle, address: string, clientId = 'one'): boolean {
    try {
      throttle.check({ clientId, address }, 0);
      return false;
    } catch {
      return true;
    }
  }

  test('counts an IPv6 network as one address, and a mapped IPv4 address as itself', () => {
    const throttle = new FailureThrottle(1);
    throttle.noteFailure({ clientId: 'one', address: '2001:db8:0:1::1' }, 0);
    throttle.noteFailure({ clientId: 'one', address: '::ffff:192.0.2.1' }, 0);
    const addresses = ['2001:db8::1:ffff:0:0:2', '2001:db8:0:2::1', '192.0.2.1', '192.0.2.2', '::1'];
    expect(addresses.map((address) => isRefused(throttle, address))).toEqual([true, false, true, false, false]);
  });

  test('forgets at a steady rate, and goes on after the clock was set back', () => {
    const throttle = new FailureThrottle(2);
    const attempt = { clientId: 'one', address: '192.0.2.1' };
    for (const at of [7_200_000, 7_200_000]) throttle.noteFailure(attempt, at);
    expect(() => throttle.check(attempt, 7_200_000 + 29_000)).toThrow(/Too many/);
    expect(() => throttle.check(attempt, 7_200_000 + 30_000)).not.toThrow();
    throttle.noteFailure(attempt, 3_600_000);
    expect(() => throttle.check(attempt, 3_600_000 + 60_000)).not.toThrow();
  });
});

describe('behind a proxy', () => {
  const failFor = async (caller: Caller, forwarded: string): Promise<number[]> => {
    const statuses = [];
    for (let sent = 0; sent < 3; sent++) {
      const wrong = { grant_type: 'client_credentials', client_id: 'nobody', client_secret: 'wrong' };
      statuses.push((await caller.post('/oauth/token', wrong, { 'x-forwarded-for': forwarded })).status);
    }
    return statuses;
  };
  const settings = { TOKEN_FAILURES_PER_MINUTE: '2' };

  test('that is trusted, callers are told apart by the address that it adds, whatever they claim before it', async () => {
    const { admin } = await serviceForThisTest({ settings: { ...settings, TRUSTED_PROXIES: '127.0.0.0/8' } });
    const caller = admin.withToken(null);
    expect(await failFor(caller, '203.0.113.7')).toEqual([401, 401, 429]);
    expect(await failFor(caller, '198.51.100.1, 203.0.113.7')).toEqual([429, 429, 429]);
    expect(await failFor(caller, '203.0.113.8')).toEqual([401, 401, 429]);
  });

  test('that is not trusted, nothing that a caller claims is believed', async () => {
    const { admin } = await serviceForThisTest({ settings: { ...settings, TRUSTED_PROXIES: '10.0.0.1' } });
    const caller = admin.withToken(null);
    expect(await failFor(caller, '203.0.113.7')).toEqual([401, 401, 429]);
    expect(await failFor(caller, '203.0.113.8')).toEqual([429, 429, 429]);
  });
});
