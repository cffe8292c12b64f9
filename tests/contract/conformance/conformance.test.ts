// The public checks of the contract, run against this service, and against ones that do something wrong.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Receiver } from '../../../packages/conformance/src/receiver.ts';
import { runChecks } from '../../../packages/conformance/src/run-checks.ts';
import { listSigningKeys } from '../../../src/actions/events/webhook-key.ts';
import { WebhookSender } from '../../../src/gateways/webhook-sender.ts';
import { systemClock } from '../../../src/kit/clock.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { eventRenderers } from '../../../src/surfaces/v1/events/event.ts';
import { createDeliveries, deliverAllDue } from '../../setup/events/deliveries.ts';
import { startAlteringProxy, type Alterations, type Passing } from '../../setup/http/altering-proxy.ts';
import { RunningClock } from '../../setup/kit/manual-clock.ts';
import { serviceForThisFile, serviceForThisTest } from '../../setup/node/test-service.ts';

/** With the limits that a deployment has unless it sets others. */
const settings = { MAIL_PER_ADDRESS_HOUR: '5', MAIL_PER_ADDRESS_DAY: '20', MAIL_PER_HOUR: '200', MAIL_PER_DAY: '1000' };
const service = serviceForThisFile({ clock: new RunningClock(Date.now()), settings });

function target() {
  const { clientId, clientSecret } = service.first;
  return { url: service.admin.address, clientId, clientSecret: clientSecret! };
}

/** Sends what is due over the network, signed with the keys that the service publishes. */
async function deliver(): Promise<void> {
  const { context } = service;
  const sender = new WebhookSender({ allowPrivate: true, clock: systemClock });
  const send = sender.send.bind(sender);
  const signingKeys = async (tenant: Tenant) => (await listSigningKeys(context, tenant)).map(({ key }) => key);
  const deliveries = createDeliveries(context, send, { ports: { send, renderer: eventRenderers, signingKeys } });
  await deliverAllDue(context, deliveries);
  await sender.close();
}

/** A receiver on a free port, to which the service delivers when something is waited for. */
async function startReceiver() {
  const receiver = await Receiver.listen('', 0);
  onTestFinished(() => receiver.close());
  const url = `http://127.0.0.1:${receiver.port}/`;
  const find: Receiver['find'] = async (accepts) => {
    await deliver();
    return receiver.find(accepts);
  };
  return { url, find };
}

/** What cannot be tried here: no round, feed or statement has run, and nothing was delivered. */
const leftOut = [
  'GET /v1/limit-breaches/{id} answers as documented',
  'GET /v1/calculation-rounds/{id} answers as documented',
  'GET /v1/feeds/{id} answers as documented',
  'POST /v1/feeds/{id}/run answers as documented',
  'GET /v1/reconciliation-breaks/{id} answers as documented',
  'PATCH /v1/reconciliation-breaks/{id} answers as documented',
  'POST /v1/deliveries/{id}/replay answers as documented',
];

test('every operation and every published figure passes on this service', async () => {
  const { results, requests } = await runChecks({ ...target(), receiver: await startReceiver() });
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(results.filter(({ outcome }) => outcome === 'skipped').map(({ title }) => title)).toEqual(leftOut);
  const { paths } = (await service.admin.get('/openapi.json')).body;
  for (const [path, item] of Object.entries<object>(paths))
    for (const method of Object.keys(item).filter((one) => !path.includes('token') || one === 'get'))
      expect(results.map(({ title }) => title)).toContainEqual(
        expect.stringContaining(`${method.toUpperCase()} ${path} `),
      );
  expect(results.filter(({ area }) => area === 'figures').length).toBeGreaterThan(70);
  expect(requests).toBeLessThan(3_200);
  // What the whole workspace would see is gone.
  const left = async (plural: string): Promise<number> => (await service.admin.get(`/v1/${plural}`)).body.data.length;
  expect(await left('applications')).toBe(1);
  for (const plural of ['webhooks', 'users', 'administrators', 'keys', 'fx-rates'])
    expect([plural, await left(plural)]).toEqual([plural, 0]);
  // What stays is not taken for somebody's own.
  expect((await namesOf('clients')).filter((name) => !name.startsWith('Conformance'))).toEqual([]);
  for (const plural of ['legal-entities', 'reporting-entities', 'portfolios'])
    expect((await namesOf(plural)).filter((name) => /^(Lindqvist|Astrid|Erik)/.test(name))).toEqual([]);
});

async function namesOf(plural: string): Promise<readonly string[]> {
  const { body } = await service.admin.get(`/v1/${plural}?limit=100`);
  return body.data.map(({ name }: { name: string }) => name);
}

/** Alters a member of a JSON answer to a path. */
function alter(path: RegExp, change: (body: any, passing: Passing) => void): Alterations {
  return {
    response(passing) {
      if (!path.test(passing.path) || !passing.text.startsWith('{')) return;
      const body = JSON.parse(passing.text);
      change(body, passing);
      passing.text = JSON.stringify(body);
    },
  };
}

/** Answers a deletion as if it had happened. */
function deletesAnything(path: string): Alterations {
  return {
    response(passing) {
      if (passing.method !== 'DELETE' || !passing.path.startsWith(path)) return;
      Object.assign(passing, { status: 204, text: '' });
    },
  };
}

describe('a deployment fails', () => {
  test.each<[string, Alterations, string]>([
    [
      'if it leaves out a member of an answer',
      alter(/^\/v1\/accounts\/\w+$/, (body) => delete body.currency),
      'GET /v1/accounts/{id} answers as documented',
    ],
    [
      'if it answers with a number where the document has text',
      alter(/^\/v1\/transactions\/\w+$/, (body) => (body.amount = Number(body.amount))),
      'GET /v1/transactions/{id} answers as documented',
    ],
    [
      'if it has a code that the document does not have',
      alter(/^\/v1\/limits/, (body) => 'code' in body && (body.code = 'oops')),
      'GET /v1/limits/{id} refuses what is not documented',
    ],
    [
      'if a list forgets its cursor',
      alter(/^\/v1\/clients\?limit=1&cursor=/, (body) => (body.data = [])),
      'GET /v1/clients answers as documented',
    ],
    [
      'if it says nothing of the budget',
      { response: ({ headers }) => headers.delete('ratelimit') },
      'GET /v2/clients answers as documented',
    ],
    [
      'if it asks nobody for a token',
      {
        request: (headers) =>
          headers.has('authorization') || headers.set('authorization', `Bearer ${service.admin.token}`),
      },
      'GET /api/v2/clients is for callers with a token and its right',
    ],
    [
      'if it does not know entity tags',
      { request: (headers) => headers.delete('if-none-match') },
      'GET /v1/portfolios/{id} answers as documented',
    ],
    [
      'if it books twice what is sent twice',
      { request: (headers) => headers.delete('idempotency-key') },
      'POST /v1/transactions answers as documented',
    ],
    [
      'if a figure is off by one in the fifth place',
      alter(/private-markets/, ({ data }) => data.forEach((one: any) => (one.irr = String(Number(one.irr) + 0.00001)))),
      'xirr-excel, published in Microsoft',
    ],
    [
      'if a return is converted otherwise',
      alter(/^\/v1\/performance\?/, ({ data }) => (data[0].twr = String(Number(data[0].twr) + 0.0001))),
      'fx-hledger-then, published in',
    ],
    [
      'if administrators can be removed twice',
      deletesAnything('/v1/administrators/'),
      'DELETE /v1/administrators/{id} answers as documented',
    ],
    [
      'if it ends a session that nobody has',
      deletesAnything('/v1/me/sessions/'),
      'DELETE /v1/me/sessions/{id} answers as documented',
    ],
    [
      'if a new key ends the one before it at once',
      alter(/^\/v1\/webhook-keys$/, (body) => (body.data = body.data?.slice(0, 1))),
      'a new key is published first',
    ],
    [
      'if a rotation forgets its Idempotency-Key',
      { request: (headers) => headers.delete('idempotency-key') },
      'POST /v1/webhook-keys/rotate answers as documented',
    ],
    [
      'if amounts pass through doubles',
      { response: (one) => (one.text = one.text.replaceAll('1234567890.123456789012345678', '1234567890.1234567')) },
      'amounts keep every digit, sent as text or as a number',
    ],
    [
      'if Plain ends the window of performance with the latest data',
      alter(/^\/v2\/performance\//, (body) => (body.end = '2024-01-03')),
      'performance on Plain is from the start of the year until today',
    ],
    [
      'if Plain shows a day that was not asked for',
      alter(/^\/v2\/performance\/.*start=2023/, ({ series }) => series.push({ date: '2024-01-03' })),
      'performance on Plain is from the start of the year until today',
    ],
    [
      'if values of Sundays are left out of the volatility',
      alter(/^\/v1\/performance\?.*2024-02-02/, ({ data }) => (data[0].volatility = 0)),
      'a net asset value of a Sunday moves as much',
    ],
    [
      'if an early coupon counts beside what has accrued',
      alter(/^\/v1\/holdings\?.*2024-06-14/, ({ totals }) => (totals.market_value = '10730')),
      'a coupon that is paid before it is due counts once',
    ],
    [
      'if a surface refuses what is given back',
      { response: (one) => void (one.method === 'POST' && one.path.startsWith('/api/v2/tr') && (one.status = 422)) },
      'a fee is refunded on every surface',
    ],
    [
      'if a row forgets which transaction it reverses',
      alter(/^\/v1\/transactions\/\w+$/, (body) => (body.reverses_transaction_id = null)),
      'a row may name the transaction that it reverses',
    ],
    [
      'if it takes limits that name nothing',
      { response: (one) => void (one.method === 'POST' && one.path === '/v2/limits' && (one.status = 201)) },
      'a limit that names what does not exist is refused',
    ],
    [
      'if a list does not say whether more follows',
      alter(/^\/v1\/me\/sessions$/, (body) => delete body.has_more),
      'GET /v1/me/sessions answers as documented',
    ],
  ])('%s', async (_fault, alterations, title) => {
    const url = await startAlteringProxy(service.admin.address, alterations);
    const { results } = await runChecks({ ...target(), url }, { accepts: (check) => check.title.startsWith(title) });
    expect(results.map(({ outcome }) => outcome)).toEqual(['failed']);
  });

  test('if it answers everything with an empty object', async () => {
    const server = createServer((request, response) => {
      const isToken = request.url === '/oauth/token';
      response.writeHead(request.method === 'POST' && !isToken ? 201 : 200, { 'content-type': 'application/json' });
      response.end(isToken ? '{"access_token":"x"}' : '{"id":"1"}');
    }).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { results } = await runChecks({ url, clientId: 'a', clientSecret: 'b' });
    expect(results.filter(({ outcome }) => outcome === 'passed').map(({ title }) => title)).toEqual([
      'the same question gets the same bytes',
    ]);
  });
});

test('keys that others verify with are left as they are', async () => {
  const { body: webhook } = await service.admin.post('/v1/webhooks', {
    url: 'https://hooks.example.com/',
    events: ['transaction.created'],
    scheme: 'standard',
  });
  const keys = async (): Promise<unknown> => (await service.admin.get('/v1/webhook-keys')).body.data;
  const before = await keys();
  const { results } = await runChecks(target(), {
    accepts: ({ title }) => /rotate answers|a new key is published/.test(title),
  });
  expect(results.map(({ outcome }) => outcome)).toEqual(['skipped', 'skipped']);
  expect(await keys()).toEqual(before);
  await service.admin.send(`/v1/webhooks/${webhook.id}`, { method: 'DELETE' });
});

test('what must end in the future does so whenever the checks are run', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 5) });
  onTestFinished(() => void vi.useRealTimers());
  const later = await serviceForThisTest({ clock: new RunningClock(0), settings });
  const { clientId, clientSecret } = later.first;
  const { results } = await runChecks(
    { url: later.admin.address, clientId, clientSecret: clientSecret! },
    { accepts: ({ title }) => title === 'POST /v1/admin/auth-flows/{id}/grant answers as documented' },
  );
  expect(results.map(({ outcome }) => outcome)).toEqual(['passed']);
});

test('in the sandbox its own operations are checked too', async () => {
  const rights = ['read', 'write', 'admin'];
  const { body } = await service.admin.post('/v1/applications', { name: 'Sandbox', rights, environment: 'sandbox' });
  const { results } = await runChecks(
    { ...target(), clientId: body.client_id, clientSecret: body.client_secret },
    { accepts: ({ title }) => title.includes(' /v1/sandbox/') },
  );
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([]);
  expect(results.length).toBeGreaterThan(15);
});

test('with the right to read nothing is made, and what takes more is skipped', async () => {
  const { body } = await service.admin.post('/v1/applications', { name: 'Reader', rights: ['read'] });
  const count = async (): Promise<unknown> => (await service.admin.get('/v1/clients?limit=100')).body.data;
  const before = await count();
  const { results } = await runChecks(
    { ...target(), clientId: body.client_id, clientSecret: body.client_secret },
    { accepts: ({ title }) => /^(GET|POST) \/v1\/(clients|applications)(\/\{id\})? /.test(title) },
  );
  expect(await count()).toEqual(before);
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  const passed = results.filter(({ outcome }) => outcome === 'passed').map(({ title }) => title);
  expect(passed).toContain('GET /v1/clients/{id} answers as documented');
  expect(passed).toContain('POST /v1/clients is for callers with a token and its right');
  expect(results.find(({ title }) => title.startsWith('GET /v1/applications answers'))?.reason).toBe(
    'The token does not have the right admin.',
  );
});

test('the program writes its report in three forms and ends with 0, and with 2 if it is called wrongly', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-conformance-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const { url, clientId, clientSecret } = target();
  const run = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['packages/conformance/src/main.ts', ...args], {
      env: { HOLDFAST_CLIENT_ID: clientId, HOLDFAST_CLIENT_SECRET: clientSecret },
    });
  const files = ['json', 'junit', 'html'].flatMap((form) => [`--${form}`, join(folder, form)]);
  const { stdout } = await run('--url', url, '--area', 'tokens', ...files);
  expect(stdout).toContain('4 passed, 0 failed, 0 skipped');
  expect(JSON.parse(await readFile(join(folder, 'json'), 'utf8'))).toMatchObject({ passed: 4, failed: 0 });
  expect(await readFile(join(folder, 'junit'), 'utf8')).toContain('<testsuite name="holdfast-conformance" tests="4"');
  expect(await readFile(join(folder, 'html'), 'utf8')).toContain('4 passed, 0 failed');
  await expect(run('--area', 'tokens')).rejects.toMatchObject({ code: 2 });
  await expect(run('--url', url, '--area', 'nothing')).rejects.toMatchObject({ code: 2 });
});
