// Kills a worker (SIGKILL) while it fetches and books: another one goes on, and nothing is booked twice or lost. KILLS sets how often; the
// default is two.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { connectHousehold, makeFeedWorker } from '../../tests/setup/custody/connected-household.ts';
import { sandboxForThisTest, type RunningSandbox } from '../../tests/setup/custody/sandbox.ts';
import { runSql } from '../../tests/setup/database/sql.ts';
import { tenantOf } from '../../tests/setup/events/event-source.ts';
import type { Caller } from '../../tests/setup/http/caller.ts';
import { ManualClock } from '../../tests/setup/kit/manual-clock.ts';
import { programEnvironment } from '../../tests/setup/node/program-environment.ts';
import { serviceForThisFile } from '../../tests/setup/node/test-service.ts';
import { minuteMs } from '../kit/clock.ts';
import { Keyring } from '../signing/keyring.ts';

const kills = Number(process.env['KILLS'] ?? 2);
const encryptionKey = Keyring.generate();
// Several pages and several imports have gathered by then.
const clock = new ManualClock('2027-05-15T12:00:00Z');
const service = serviceForThisFile({ clock, settings: { ENCRYPTION_KEY: encryptionKey } });

/** Starts a worker and kills it when it asks for a page: before the answer, or when it has it and books. */
async function killAtPage(page: number, { custodian }: RunningSandbox): Promise<void> {
  const env = {
    ...programEnvironment,
    DATABASE_URL: service.database.url,
    ENCRYPTION_KEY: encryptionKey,
    NODE_ENV: 'test',
    STARTED_AT: String(clock.now()),
  };
  const script = new URL('../../tests/setup/custody/feed-worker.ts', import.meta.url).pathname;
  const worker = spawn(process.execPath, [script], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  onTestFinished(() => void worker.kill('SIGKILL'));
  let left = page;
  const watch = (request: { url?: string }): void => {
    if (request.url?.includes('/changes') !== true) return;
    left -= 1;
    if (left === 0) worker.kill('SIGKILL');
  };
  custodian.server.on('request', watch);
  await once(worker, 'exit');
  custodian.server.off('request', watch);
  // Longer than its leases.
  clock.advance(10 * minuteMs);
}

async function figures(caller: Caller, client: string): Promise<object> {
  const [rows] = await runSql(
    service.database,
    `SELECT sum(row_count)::int AS rows, sum(booked_count)::int AS booked, sum(amended_count)::int AS amended
     FROM import WHERE client_id = $1`,
    [client],
  );
  const transactions = await runSql(
    service.database,
    `SELECT external_reference, amount::text FROM transaction WHERE client_id = $1 AND known_until IS NULL ORDER BY 1, 2`,
    [client],
  );
  const { data } = (await caller.get(`/v1/feeds?client_id=${client}&state=finished`)).body;
  return { rows, transactions, marks: data.map((run: any) => [run.from_mark, run.to_mark]) };
}

test(`after ${kills} kills everything is booked once`, { timeout: (5 + kills) * minuteMs }, async () => {
  const sandbox = await sandboxForThisTest(clock);
  const { origin } = sandbox;
  const killed = await service.openWorkspace();
  const tenant = await tenantOf(killed);
  const { client } = await connectHousehold(service, { caller: killed, origin });
  for (let kill = 0; kill < kills; kill++) await killAtPage(2 + 2 * kill, sandbox);
  await makeFeedWorker(service).runAll();
  const undisturbed = await service.openWorkspace();
  const other = await connectHousehold(service, { caller: undisturbed, origin });
  await makeFeedWorker(service).runAll();
  const found = await figures(await service.enter(tenant), client);
  expect(found).toEqual(await figures(undisturbed, other.client));
  expect(found).toMatchObject({ rows: { rows: expect.any(Number) }, marks: [[null, expect.any(String)]] });
});
