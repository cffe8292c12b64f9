// The request log: one line for each request, enough to find it again, without secrets and personal data.

import { beforeAll, describe, expect, test } from 'vitest';
import {
  signAssertion,
  requestToken,
  makeRsaPair,
  publicKeyPem,
  registerEc,
  registerRsa,
} from '../../setup/access/assertion.ts';
import { callerForUser, insertPerson, signIn } from '../../setup/people/person-caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { runSql } from '../../setup/database/sql.ts';

const service = serviceForThisFile();

beforeAll(async () => {});

function lines(): Record<string, any>[] {
  return service.log.map((line) => JSON.parse(line));
}

test('a request is one line with caller, operation, outcome and duration', async () => {
  await service.admin.get('/v1/clients?limit=3', { 'x-request-id': 'line-1' });
  const found = lines().filter(({ requestId }) => requestId === 'line-1');
  expect(found).toEqual([
    {
      level: 30,
      time: expect.any(Number),
      requestId: 'line-1',
      operationId: 'v1.client.list',
      method: 'GET',
      route: '/v1/clients',
      status: 200,
      durationMs: expect.any(Number),
      workspaceId: service.first.workspaceId,
      environment: 'production',
      credentialId: (await service.admin.get('/v1/me')).body.credential_id,
      msg: 'answered',
    },
  ]);
});

test('what a load balancer asks every few seconds is no line, as long as it is answered well', async () => {
  for (const path of ['/healthz', '/readyz', '/version'])
    await fetch(`${service.admin.address}${path}`, { headers: { 'x-request-id': `checked${path.replace('/', '-')}` } });
  const found = lines().filter(({ requestId }) => requestId?.startsWith('checked'));
  expect(found.map(({ route }) => route)).toEqual(['/version']);
});

test('a person is named by their id, in a session and through a token', async () => {
  const client = await service.admin.makeClient('Lindqvist');
  const person = await insertPerson(service, { memberships: [{ client, role: 'viewer' }] });
  await (await signIn(service, person)).get('/v1/me', { 'x-request-id': 'by-session' });
  const key = await registerRsa(service.admin);
  await (await callerForUser(service, person, key)).get('/v1/me', { 'x-request-id': 'by-token' });
  const named = (id: string) => {
    const found = lines().filter(({ requestId }) => requestId === id);
    return found.map(({ credentialId, personId }) => ({ credentialId, personId }));
  };
  const session = await signIn(service, person);
  await session.get('/', { 'x-request-id': 'by-page', host: new URL(service.addresses.baseUrl).host });
  expect(named('by-page')).toEqual([{ credentialId: undefined, personId: person }]);
  expect(named('by-session')).toEqual([{ credentialId: undefined, personId: person }]);
  expect(named('by-token')).toEqual([{ credentialId: key.kid, personId: person }]);
});

describe('secrets and persons', () => {
  const name = 'Zebulon Quackenbush';
  const hidden: Record<string, string> = { name, search: 'Quackenbush', key: 'idem-7f3a', wrongSecret: 'wr0ng-s3cret' };

  /** Sends every kind of secret and personal data in every possible place of a request. */
  async function sendEverything(): Promise<void> {
    const { admin, first } = service;
    Object.assign(hidden, {
      token: admin.token,
      tokenSignature: admin.token!.split('.')[2],
      secret: first.clientSecret,
    });
    const client = await admin.post('/v1/clients', { name }, { 'idempotency-key': hidden['key']! });
    await admin.post('/v1/clients', { name }, { 'idempotency-key': hidden['key']! });
    await admin.patch(`/v1/clients/${client.body.id}`, { name: `${name} II` });
    await admin.get(`/v1/clients?name=${name}`);
    await admin.get(`/v1/clients/${encodeURIComponent(name)}`);
    await admin.get(`/${encodeURIComponent(name)}`);
    await admin.send('/v1/clients', { method: 'POST', raw: `{"name": "${name}" "` });
    await admin.post('/v1/clients', { name, nickname: name });
    await admin.post('/api/v2/clients', { data: { type: 'client', attributes: { name, nickname: name } } });
    await admin.withToken(`${admin.token}x`).get('/v1/me');
    const token = { grant_type: 'client_credentials', client_id: first.clientId };
    await admin.post('/oauth/token', { ...token, client_secret: hidden['wrongSecret'] });
    const application = await admin.post('/v1/applications', { name });
    hidden['madeSecret'] = application.body.client_secret;
    await admin.post('/oauth/token', {
      ...token,
      client_id: application.body.client_id,
      client_secret: hidden['madeSecret'],
    });
  }

  async function sendKeys(): Promise<void> {
    const { admin, clock, addresses } = service;
    const pair = makeRsaPair();
    const pem = publicKeyPem(pair);
    const privatePem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    Object.assign(hidden, { pem: pem.split('\n')[2]!, privatePem: privatePem.split('\n')[2]! });
    for (const signer of [await registerRsa(admin, pair), await registerEc(admin)]) {
      const audience = signer.alg === 'RS256' ? addresses.baseUrl : addresses.authUrl;
      const assertion = signAssertion(signer, { now: clock.now(), audience });
      const issued = await requestToken(signer, admin, assertion);
      Object.assign(hidden, {
        [`${signer.alg} assertion`]: assertion,
        [`${signer.alg} token`]: issued.body.access_token,
      });
      await requestToken(signer, admin, assertion);
    }
    await admin.post('/v2/auth/keys', { label: name, public_key_pem: privatePem });
  }

  test('are in no line, whatever the outcome of the request', async () => {
    await sendEverything();
    await sendKeys();
    const text = service.log.join('\n');
    expect(lines().length).toBeGreaterThan(20);
    expect(Object.values(hidden).every((value) => typeof value === 'string' && value.length > 6)).toBe(true);
    expect(Object.entries(hidden).filter(([, value]) => text.includes(value))).toEqual([]);
  });

  test('are not in the line of a defect either, although the database error contains the row', async () => {
    await runSql(service.database, `ALTER TABLE client ADD CONSTRAINT unlucky CHECK (name <> '${name} III')`);
    const reply = await service.admin.post('/v1/clients', { name: `${name} III` }, { 'x-request-id': 'unlucky-1' });
    expect(reply.status).toBe(500);
    const [defect] = lines().filter(({ msg, requestId }) => msg === 'defect' && requestId === 'unlucky-1');
    expect(defect).toMatchObject({ level: 50, error: { code: '23514', table: 'client', constraint: 'unlucky' } });
    expect(service.log.join('\n')).not.toContain('Quackenbush');
  });
});
