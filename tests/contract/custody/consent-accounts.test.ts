// The accounts of a consent: what the custodian lists and what rows wait for, created or linked, after which the rows are booked.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFeedWorker } from '../../setup/custody/connected-household.ts';
import { consentWithoutAccounts, type BareHousehold } from '../../setup/custody/bare-household.ts';
import { startTestSandbox, type RunningSandbox } from '../../setup/custody/sandbox.ts';
import type { Caller } from '../../setup/http/caller.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { makeRecord } from '../../setup/structure/structure-document.ts';

const service = serviceForThisFile();
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startTestSandbox(service.clock);
});
afterAll(() => sandbox.stop());

interface Consented {
  readonly caller: Caller;
  readonly household: BareHousehold;
  readonly path: string;
}

async function consent(): Promise<Consented> {
  const caller = await service.openWorkspace();
  const household = await consentWithoutAccounts(service, caller, { origin: sandbox.origin });
  return { caller, household, path: `/v1/authorities/${household.authority}/accounts` };
}

test('try', async () => {
  const { caller, household, path } = await consent();
  console.log(JSON.stringify((await caller.get(path)).body, null, 1));
  await makeFeedWorker(service).runAll();
  console.log(JSON.stringify((await caller.get(path)).body, null, 1));
  const done = await caller.post(path, { all: true });
  console.log(done.status, JSON.stringify(done.body, null, 1));
  console.log(JSON.stringify((await caller.get(path)).body, null, 1));
  const { body } = await caller.get('/v1/events?type=account.connected');
  console.log(body.data.map((e: any) => e.data.object.id));
  const [, run] = (await caller.get(`/v1/feeds?authority_id=${household.authority}`)).body.data;
  console.log(run.counts, run.problems.slice(0, 3));
});
