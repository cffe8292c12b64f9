// An authority that is reconnected, revoked or loses an account while its feed runs: the run neither undoes that nor books past it.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../src/kit/clock.ts';
import type { Id } from '../../../src/kit/id.ts';
import type { ConnectorAccess } from '../../../src/model/custody/connector.ts';
import { revokeAtCustodians } from '../../../src/jobs/revocations.ts';
import { consentTo } from '../../../src/app/development/sandbox/connect-bank.ts';
import { tenantOf } from '../../setup/events/event-source.ts';
import { awaitLockWaits, holdLock } from '../../setup/database/lock-waits.ts';
import { runSql } from '../../setup/database/sql.ts';
import { connectHousehold, makeFeedWorker, type TestFeedWorker } from '../../setup/custody/connected-household.ts';
import { startTestSandbox, type RunningSandbox } from '../../setup/custody/sandbox.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';

const service = serviceForThisFile();
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox(service.clock);
});
afterAll(() => sandbox.stop());

const connectorOf = () => service.context.connectors.get('oauth-pull')!;

/** A worker whose connector does something once, after it was given its credentials and before it uses them. */
function workerThat(meanwhile: (access: ConnectorAccess) => Promise<void>): TestFeedWorker {
  const connector = connectorOf();
  let isDone = false;
  const interrupted = Object.assign(Object.create(connector) as typeof connector, {
    async *fetchSince(...[access, since]: Parameters<typeof connector.fetchSince>) {
      if (!isDone) await meanwhile(access);
      isDone = true;
      yield* connector.fetchSince(access, since);
    },
  });
  return makeFeedWorker({ context: { ...service.context, connectors: new Map([['oauth-pull', interrupted]]) } });
}

async function connect() {
  const admin = await service.openWorkspace();
  const tenant = await tenantOf(admin);
  const household = await connectHousehold(service, { caller: admin, origin: sandbox.origin });
  const path = `/v1/admin/authorities/${household.authority}`;
  const enter = (): Promise<Caller> => service.enter(tenant);
  return {
    household,
    enter,
    /** A step of the authority. */
    step: async (verb: string, body?: object): Promise<void> => {
      expect((await admin.post(`${path}/${verb}`, body)).status).toBe(200);
    },
    /** Consents once more, as the owner of the accounts does. */
    reconnect: async (): Promise<void> => {
      const { body: flow } = await admin.post(`${path}/reconnect`, undefined);
      const bank = {
        origin: sandbox.origin,
        bank: 'sonnenberg',
        customer: 'erik',
        custodian: household.custodian as Id,
      };
      expect(await consentTo(service.context, { tenant, ...bank, consentDays: 90 }, flow.id)).toEqual({
        kind: 'granted',
      });
    },
    /** The connection of the authority, its finished and failed runs with the oldest first, and how many imports there are. */
    outcome: async (): Promise<object> => {
      const caller = await enter();
      const { connection } = (await caller.get(`/v1/authorities/${household.authority}`)).body;
      const runs = (await caller.get('/v1/feeds')).body.data.toReversed();
      const over = runs.filter((run: any) => run.finished_at !== null);
      const imports = (await caller.get('/v1/imports')).body.data.length;
      const disconnected = (await caller.get('/v1/events?type=account.disconnected')).body.data.length;
      return { connection, runs: over.map((run: any) => run.error ?? run.state), imports, disconnected };
    },
  };
}

describe('an authority that is reconnected while its feed runs', () => {
  test('stays connected when the custodian refuses the former consent, and the run goes on with the new one', async () => {
    const { reconnect, outcome } = await connect();
    const worker = workerThat(async (access) => {
      await reconnect();
      await connectorOf().revoke!(access);
    });
    await worker.runAll();
    await worker.runAll();
    expect(await outcome()).toEqual({ connection: 'connected', runs: ['finished'], imports: 1, disconnected: 0 });
  });

  test('keeps its new credentials when the run renews the former ones', async () => {
    const { reconnect, outcome } = await connect();
    let former: ConnectorAccess | undefined;
    const worker = workerThat(async (access) => {
      former = access;
      await reconnect();
      service.clock.advance(hourMs);
    });
    await worker.runAll();
    await connectorOf().revoke!(former!);
    service.clock.advance(dayMs);
    await worker.runAll();
    expect(await outcome()).toMatchObject({ connection: 'connected', runs: ['finished'], disconnected: 0 });
  });
});

describe('an authority that is revoked while its feed runs', () => {
  test('lets nothing in any more, and the run says that it has ended', async () => {
    const { step, outcome } = await connect();
    const worker = workerThat(() => step('revoke'));
    await worker.runAll();
    await worker.runAll();
    expect([worker.failures, await outcome()]).toEqual([
      [],
      { connection: 'none', runs: ['authority-ended'], imports: 0, disconnected: 1 },
    ]);
  });

  test('has no credentials after the custodian has confirmed, although the run renews them', async () => {
    const { household, step } = await connect();
    const worker = workerThat(async () => {
      await step('revoke');
      await step('confirm-revocation');
      service.clock.advance(hourMs);
    });
    await worker.runAll();
    const stored = 'SELECT credentials_sealed AS credentials FROM authority WHERE id = $1';
    expect(await runSql(service.database, stored, [household.authority])).toEqual([{ credentials: null }]);
  });

  test('is confirmed although an operator confirms it while the custodian is asked, and so are the others', async () => {
    const { household, step, enter } = await connect();
    await step('revoke');
    const connector = connectorOf();
    const interrupted = Object.assign(Object.create(connector) as typeof connector, {
      async revoke(access: ConnectorAccess) {
        if (access.authority === household.authority) await step('confirm-revocation');
        await connector.revoke!(access);
      },
    });
    const context = { ...service.context, connectors: new Map([['oauth-pull', interrupted] as const]) };
    await revokeAtCustodians(context, new AbortController().signal);
    expect((await (await enter()).get(`/v1/authorities/${household.authority}`)).body.state).toBe('revoked');
  });

  test.each([
    ['revoke', () => undefined],
    ['unlink', (account: string) => ({ account_ids: [account] })],
  ])('after the answer to %s, what was being booked is not committed', async (verb, bodyFor) => {
    const { household, step, enter } = await connect();
    const release = await holdLock(service.database, 'LOCK TABLE import_row IN SHARE MODE');
    const worker = makeFeedWorker(service);
    const running = worker.runAll();
    await awaitLockWaits(service.database, 1);
    await step(verb, bodyFor(household.account));
    await release();
    await running;
    await worker.runAll();
    const booked = await (await enter()).get(`/v1/transactions?account_id=${household.account}`);
    expect([worker.failures, booked.body.data]).toEqual([[], []]);
  });
});
