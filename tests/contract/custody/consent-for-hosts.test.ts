// Consent is given for the hosts that a custodian has at that time. An administrator may name another host later: it gets no token, no
// refresh token and no code, and the owner of the accounts is asked again.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sealContext } from '../../../src/actions/core/seal-context.ts';
import { consentTo } from '../../../src/app/development/sandbox/connect-bank.ts';
import { sandboxClient } from '../../../src/app/development/sandbox/sandbox-consent.ts';
import { revokeAtCustodians } from '../../../src/jobs/revocations.ts';
import { dayMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import { connectHousehold, makeFeedWorker } from '../../setup/custody/connected-household.ts';
import { decideAsCustomer, startTestSandbox, type RunningSandbox } from '../../setup/custody/sandbox.ts';
import { runSql } from '../../setup/database/sql.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
let sandbox: RunningSandbox;
/** What reached a host that no consent was given for. */
const received: string[] = [];
const elsewhere = createServer((request, response) => {
  received.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
  response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
});
let elsewhereUrl: string;

beforeAll(async () => {
  sandbox = await startTestSandbox(service.clock);
  await once(elsewhere.listen(0, '127.0.0.1'), 'listening');
  elsewhereUrl = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await sandbox.stop();
  elsewhere.close();
});

async function connect() {
  const tenant = await tenantOf(await service.openWorkspace());
  const household = await connectHousehold(service, { caller: await service.enter(tenant), origin: sandbox.origin });
  /** A token ends within an hour of the clock. */
  const enter = (): Promise<Caller> => service.enter(tenant);
  const settingsPath = `/v1/admin/custodians/${household.custodian}`;
  const authorityPath = `/v1/authorities/${household.authority}`;
  return {
    household,
    tenant,
    enter,
    runFeed: async () => {
      const worker = makeFeedWorker(service);
      await worker.runAll();
      expect(worker.failures).toEqual([]);
      return (await (await enter()).get('/v1/feeds')).body.data.filter((run: any) => run.finished_at !== null)[0];
    },
    change: async (settings: object): Promise<void> => {
      const reply = await (await enter()).patch(settingsPath, settings);
      expect(reply.status).toBe(200);
    },
    authority: async () => (await (await enter()).get(authorityPath)).body,
    credentials: async (): Promise<any> => JSON.parse(open(tenant, household.authority, await sealedOf(household))),
  };
}

const purpose = 'authority-credentials';

function open(tenant: Parameters<typeof sealContext>[0], id: string, sealed: Buffer): string {
  return service.context.keyring.open(purpose, sealed, sealContext(tenant, id)).toString();
}

async function sealedOf({ authority }: { authority: string }): Promise<Buffer> {
  const text = 'SELECT credentials_sealed AS sealed FROM authority WHERE id = $1';
  return (await runSql<{ sealed: Buffer }>(service.database, text, [authority]))[0]!.sealed;
}

/** Stores the credentials as earlier releases did, without the hosts. */
async function makeOlder({ tenant, household, credentials }: Awaited<ReturnType<typeof connect>>): Promise<void> {
  const { origins: _origins, ...older } = await credentials();
  const context = sealContext(tenant, household.authority);
  const sealed = service.context.keyring.seal(purpose, JSON.stringify(older), context);
  const text = 'UPDATE authority SET credentials_sealed = $2 WHERE id = $1';
  await runSql(service.database, text, [household.authority, sealed]);
}

/** How a run ends whose custodian has moved to a host that consent was not given for. */
function stoppedAt(host: string): object {
  const detail = `Consent was not given for ${host}, which the settings of the custodian name now. Nothing was sent there. Give consent once more.`;
  return { state: 'failed', error: 'credentials-broken', error_detail: detail, waits_for: 'consent' };
}

describe('a host that an administrator names later', () => {
  test.each([
    ['with a secret', { oauth_client_secret: 'a new one' }],
    ['without a secret', { oauth_client_secret: null }],
  ])('for data gets no token, %s: the feed stops and the authority says why', async (_how, secret) => {
    const { change, runFeed, authority } = await connect();
    await change({ api_url: elsewhereUrl, ...secret });
    expect(await runFeed()).toMatchObject(stoppedAt(elsewhereUrl));
    expect(await authority()).toMatchObject({
      state: 'active',
      connection: 'broken',
      broken_reason: expect.stringContaining(`Consent was not given for ${elsewhereUrl}`),
    });
    expect(received).toEqual([]);
  });

  test('for tokens gets no refresh token', async () => {
    const { change, runFeed, authority } = await connect();
    expect(await runFeed()).toMatchObject({ state: 'finished' });
    await change({ token_url: `${elsewhereUrl}/token`, oauth_client_secret: 'a new one' });
    service.clock.advance(dayMs);
    expect(await runFeed()).toMatchObject(stoppedAt(elsewhereUrl));
    expect(await authority()).toMatchObject({ connection: 'broken' });
    expect(received).toEqual([]);
  });

  test('for revocations gets no token, and the revocation is not confirmed', async () => {
    const { change, household, enter, authority } = await connect();
    await change({ revocation_url: `${elsewhereUrl}/revoke`, oauth_client_secret: 'a new one' });
    await (await enter()).post(`/v1/admin/authorities/${household.authority}/revoke`, undefined);
    await revokeAtCustodians(service.context, new AbortController().signal);
    expect((await authority()).state).toBe('revoke-in-progress');
    expect(received).toEqual([]);
  });

  test('while consent is given gets no code, and consent can be given again', async () => {
    const { change, household, enter } = await connect();
    const admin = await enter();
    const reconnect = await admin.post(`/v1/admin/authorities/${household.authority}/reconnect`, undefined);
    const path = `/v1/admin/auth-flows/${reconnect.body.id}`;
    const { body: begun } = await admin.post(`${path}/consent`, { consent_type: 'redirect' });
    const back = await decideAsCustomer(begun.redirect_url, { customer: 'erik' });
    await change({ token_url: `${elsewhereUrl}/token`, oauth_client_secret: 'a new one' });
    const page = await new Caller(admin.address, null).get(`${back.pathname}${back.search}`);
    expect([page.status, page.text.includes('Nothing was sent there.')]).toEqual([400, true]);
    expect((await admin.get(path.replace('/admin', ''))).body.state).toBe('waiting-for-consent');
    expect(received).toEqual([]);
  });
});

test('consent that is given once more counts for the new hosts', async () => {
  const { change, household, tenant, enter, runFeed, credentials } = await connect();
  await change({ api_url: elsewhereUrl, oauth_client_secret: 'a new one' });
  await runFeed();
  const moved = sandbox.origin.replace('127.0.0.1', 'localhost');
  const bank = `${moved}/sonnenberg`;
  const { status } = await (
    await enter()
  ).patch(`/v1/admin/custodians/${household.custodian}`, {
    api_url: bank,
    token_url: `${bank}/token`,
    revocation_url: `${bank}/revoke`,
    oauth_client_secret: sandboxClient.secret,
  });
  expect(status).toBe(200);
  const reconnect = await (await enter()).post(`/v1/admin/authorities/${household.authority}/reconnect`, undefined);
  const customer = { origin: moved, bank: 'sonnenberg', customer: 'erik', custodian: household.custodian as Id };
  const outcome = await consentTo(service.context, { tenant, ...customer, consentDays: 90 }, reconnect.body.id);
  expect(outcome).toEqual({ kind: 'granted' });
  expect(await runFeed()).toMatchObject({ state: 'finished' });
  expect((await credentials()).origins).toEqual([moved]);
  expect(received).toEqual([]);
});

describe('consent that was given under an earlier release', () => {
  test('counts for the hosts of its day, and says so from its first run on', async () => {
    const connected = await connect();
    await makeOlder(connected);
    await connected.change({ oauth_scope: 'accounts' });
    expect(await connected.runFeed()).toMatchObject({ state: 'finished' });
    expect((await connected.credentials()).origins).toEqual([sandbox.origin]);
  });

  test('gives nothing to a host that was named since, also where a later change named it again', async () => {
    const connected = await connect();
    await makeOlder(connected);
    service.clock.advance(1);
    for (const path of ['', '/other']) {
      await connected.change({ api_url: `${elsewhereUrl}${path}`, oauth_client_secret: 'a new one' });
    }
    expect(await connected.runFeed()).toMatchObject(stoppedAt(elsewhereUrl));
    expect(received).toEqual([]);
  });
});
