// Production and sandbox are separate environments of one workspace: which credential opens which, and that nothing crosses over.

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  signAssertion,
  requestToken,
  refusedTokenResponse,
  registerEc,
  registerRsa,
  tokenResponse,
  type AssertionInput,
} from '../../setup/access/assertion.ts';
import { Caller } from '../../setup/http/caller.ts';
import { workspaceForThisFile } from '../../setup/node/test-service.ts';

const everyRight = ['read', 'write', 'admin'];

const service = workspaceForThisFile();
let production: Caller;
let sandbox: Caller & { id: string };
let productionClient: string;
let sandboxClient: string;
let assertionInput: AssertionInput;

beforeAll(async () => {
  production = service.admin;
  sandbox = await production.becomeApplication({ environment: 'sandbox', rights: everyRight });
  productionClient = await production.makeClient('Rivera Family');
  sandboxClient = await sandbox.makeClient('Trial Family');
  assertionInput = { now: service.clock.now(), audience: service.addresses.baseUrl };
});

const crossing = (environment: string): string =>
  `This application or key belongs to the environment ${environment} and cannot get tokens for another.`;

describe('an application for the sandbox', () => {
  test('is created by a production admin, and shows its environment', async () => {
    const { status, body } = await production.post('/v1/applications', { name: 'Trial', environment: 'sandbox' });
    expect([status, body.environment]).toEqual([201, 'sandbox']);
    const caller = await Caller.withCredentials(production.address, {
      clientId: body.client_id,
      clientSecret: body.client_secret,
    });
    const { workspace_id: workspaceId } = (await production.get('/v1/me')).body;
    const me = { workspace_id: workspaceId, environment: 'sandbox', sub: workspaceId, credential_id: body.id };
    expect((await caller.get('/v1/me')).body).toEqual({
      ...me,
      rights: ['read', 'write'],
      scoped_to: null,
      user: null,
    });
  });

  test('then belongs to the sandbox: production does not see it', async () => {
    const ids = async (caller: Caller): Promise<string[]> =>
      (await caller.get('/v1/applications')).body.data.map(({ id }: { id: string }) => id);
    expect(await ids(production)).not.toContain(sandbox.id);
    expect(await ids(sandbox)).toContain(sandbox.id);
    expect((await production.get(`/v1/applications/${sandbox.id}`)).status).toBe(404);
    expect((await production.delete(`/v1/applications/${sandbox.id}`)).status).toBe(404);
  });

  test('is created once when its request is sent twice, and shows the same secret again', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const assertionInput = { name: 'Trial', environment: 'sandbox' };
    const first = await production.post('/v1/applications', assertionInput, key);
    const second = await production.post('/v1/applications', assertionInput, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  test('cannot be created by a production admin that is bound to one client', async () => {
    const scoped = await production.becomeApplication({ rights: everyRight, scoped_to: productionClient });
    const { status, body } = await scoped.post('/v1/applications', { name: 'Trial', environment: 'sandbox' });
    const detail = 'A token bound to one client cannot create an application in sandbox.';
    expect([status, body.code, body.detail]).toEqual([403, 'outside-reach', detail]);
  });

  test('cannot be bound to a client of production', async () => {
    const assertionInput = { name: 'Trial', environment: 'sandbox', scoped_to: productionClient };
    const key = { 'idempotency-key': randomUUID() };
    for (const replayed of [null, 'true']) {
      const { status, headers, body } = await production.post('/v1/applications', assertionInput, key);
      expect([status, body.code, headers.get('idempotent-replayed')]).toEqual([404, 'client-not-found', replayed]);
    }
  });
});

describe('a sandbox admin', () => {
  test('creates applications of the sandbox, with or without naming it', async () => {
    for (const environment of [{}, { environment: 'sandbox' }]) {
      const { status, body } = await sandbox.post('/v1/applications', { name: 'Trial', ...environment });
      expect([status, body.environment]).toEqual([201, 'sandbox']);
    }
  });

  test('creates none of production', async () => {
    const { status, body } = await sandbox.post('/v1/applications', { name: 'Escape', environment: 'production' });
    const detail = 'A token of sandbox cannot create an application in production.';
    expect([status, body.code, body.detail]).toEqual([403, 'outside-reach', detail]);
  });

  test('cannot move one there', async () => {
    const { status, body } = await sandbox.patch(`/v1/applications/${sandbox.id}`, { environment: 'production' });
    expect([status, body.errors[0].code, body.errors[0].pointer]).toEqual([422, 'immutable-attribute', '/environment']);
  });
});

describe('data', () => {
  const lists = ['/v1/clients', '/v2/clients', '/api/v2/clients'];
  const ids = ({ body }: { body: any }): string[] => body.data.map(({ id }: { id: string }) => id);

  test.each(lists)('%s contains only the clients of the token’s environment', async (path) => {
    expect(ids(await production.get(path))).toEqual([productionClient]);
    expect(ids(await sandbox.get(path))).toEqual([sandboxClient]);
  });

  test.each(lists)('%s/{id} of the other environment is not found, to read or to change', async (path) => {
    for (const [caller, id] of [
      [production, sandboxClient],
      [sandbox, productionClient],
    ] as const) {
      expect((await caller.get(`${path}/${id}`)).body).toMatchObject(
        path === '/v1/clients' ? { code: 'client-not-found' } : { errors: [{ code: 'client-not-found' }] },
      );
      expect((await caller.get(`${path}/${id}`)).status).toBe(404);
    }
    expect((await sandbox.patch(`/v1/clients/${productionClient}`, { name: 'Mine' })).status).toBe(404);
    expect((await sandbox.delete(`/v1/clients/${productionClient}`)).status).toBe(404);
  });

  test('a production client cannot be the parent of a sandbox client, or the reverse', async () => {
    for (const [caller, parent] of [
      [production, sandboxClient],
      [sandbox, productionClient],
    ] as const) {
      expect((await caller.post('/v1/clients', { name: 'Child', parent_id: parent })).status).toBe(404);
    }
  });

  test('changes in the sandbox are in the sandbox’s audit log', async () => {
    const subjects = async (caller: Caller): Promise<string[]> =>
      (await caller.get('/v1/audit-log')).body.data.map((line: { subject_id: string }) => line.subject_id);
    expect(await subjects(sandbox)).toContain(sandboxClient);
    expect(await subjects(production)).not.toContain(sandboxClient);
    expect(await subjects(sandbox)).not.toContain(productionClient);
  });
});

describe('a token request that names another environment', () => {
  test('is refused to an application', async () => {
    const { clientId, clientSecret } = service.first;
    const credentials = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    for (const environment of ['sandbox', 'Production', 'staging']) {
      const reply = await production.withToken(null).post('/oauth/token', { ...credentials, environment });
      expect(tokenResponse(reply)).toEqual(refusedTokenResponse('unauthorized_client', crossing('production')));
    }
  });

  test('is refused to a key, in flow A and in flow B', async () => {
    for (const register of [registerRsa, registerEc]) {
      const live = await register(production);
      const trial = await register(sandbox);
      const toSandbox = await requestToken(live, production, signAssertion(live, assertionInput), {
        environment: 'sandbox',
      });
      const toProduction = await requestToken(trial, production, signAssertion(trial, assertionInput), {
        environment: 'production',
      });
      expect(tokenResponse(toSandbox)).toEqual(refusedTokenResponse('unauthorized_client', crossing('production')));
      expect(tokenResponse(toProduction)).toEqual(refusedTokenResponse('unauthorized_client', crossing('sandbox')));
    }
  });
});

describe('a key', () => {
  test('gives access to the environment of the caller that registered it', async () => {
    for (const register of [registerRsa, registerEc]) {
      const key = await register(sandbox);
      const { body } = await requestToken(key, production, signAssertion(key, assertionInput), {
        environment: 'sandbox',
      });
      const caller = production.withToken(body.access_token);
      expect((await caller.get('/v1/me')).body.environment).toBe('sandbox');
      expect((await caller.get(`/v1/clients/${productionClient}`)).status).toBe(404);
    }
  });

  test('of the sandbox is not visible in production', async () => {
    const { kid } = await registerEc(sandbox);
    expect((await production.get(`/v1/keys/${kid}`)).status).toBe(404);
    expect((await production.delete(`/v2/auth/keys/${kid}`)).status).toBe(404);
    expect((await sandbox.get(`/v1/keys/${kid}`)).status).toBe(200);
  });

  test('cannot be registered for another environment', async () => {
    const jwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
    const { status, body } = await production.post('/v1/keys', { label: 'Trial', jwk, environment: 'sandbox' });
    expect([status, body.errors[0].code, body.errors[0].pointer]).toEqual([422, 'unknown-attribute', '/environment']);
  });
});
