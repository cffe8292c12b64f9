// Kills the service (SIGKILL) while it imports, books and undoes: nothing is left half done, and doing it again leads to the same ledger.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { assert } from '../../../src/kit/assert.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { awaitLockWaits, countLockWaits, holdLock } from '../../setup/database/lock-waits.ts';
import { runSql } from '../../setup/database/sql.ts';
import type { Caller, Reply } from '../../setup/http/caller.ts';
import { ManualClock } from '../../setup/kit/manual-clock.ts';
import { programEnvironment } from '../../setup/node/program-environment.ts';
import { serviceForThisFile } from '../../setup/node/test-service.ts';
import { CamtText } from '../../setup/statements/camt-text.ts';
import { makeHousehold, makeRecord } from '../../setup/structure/structure-document.ts';
import { runOnServers } from '../../setup/database/database-parts.ts';

const encryptionKey = Keyring.generate();
// The program that is killed has the real clock, and accepts tokens of this one.
const clock = new ManualClock(new Date().toISOString());
const service = serviceForThisFile({ clock, settings: { ENCRYPTION_KEY: encryptionKey } });
const camt = new CamtText({ version: 8 });
const program = new URL('../../../src/main.ts', import.meta.url).pathname;

const statement = camt.document([
  {
    balances: [camt.balance('OPBD', '0.00', '2024-03-01'), camt.balance('CLBD', '210.00', '2024-03-01')],
    entries: Array.from({ length: 20 }, (_, index) =>
      camt.entry({ amount: `${index + 1}.00`, direction: 'CRDT', reference: `A-${index}` }),
    ),
  },
]);

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  assert(typeof address === 'object' && address !== null, 'it listens on a port');
  server.close();
  await once(server, 'close');
  return address.port;
}

async function startProgram() {
  const port = await findFreePort();
  const env = {
    ...programEnvironment,
    PORT: String(port),
    ROLE: 'api',
    DEMO: 'off',
    WORK_THREADS: '0',
    DATABASE_URL: service.database.url,
    ENCRYPTION_KEY: encryptionKey,
    NODE_ENV: 'test',
    BASE_URL: service.addresses.baseUrl,
  };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (data: Buffer): void => {
      output += data.toString();
      if (output.includes('running at ')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.on('exit', (code) => reject(new Error(`It ended with ${code}: ${output}`)));
  });
  // It prints the address that tokens are for, which is that of the other node.
  return { child, address: `http://127.0.0.1:${port}` };
}

/** Everything that imports write, of all clients. */
async function writtenRows(): Promise<readonly object[]> {
  const tables = ['import', 'import_row', 'transaction', 'stated_entry', 'stated_holding', 'ledger_counter'];
  const existing = await runSql<{ name: string }>(
    service.database,
    `SELECT relname AS name FROM pg_class WHERE relname = ANY ($1) AND relkind IN ('r', 'p') ORDER BY 1`,
    [tables],
  );
  const selects = existing.map(({ name }) => `SELECT '${name} ' || t::text AS row FROM ${name} t`);
  const audited = `SELECT 'audit ' || a.act || a.subject_id AS row FROM audit_entry a WHERE a.subject_type = 'import'`;
  return runSql(service.database, `${[...selects, audited].join(' UNION ALL ')} ORDER BY 1`);
}

/** Sends a request to a process of its own and kills that when the request waits to write to the table. */
async function killWhileWriting(caller: Caller, table: string, send: (at: Caller) => Promise<Reply>): Promise<void> {
  const { child, address } = await startProgram();
  const release = await holdLock(service.database, `LOCK TABLE ${table} IN SHARE MODE`);
  const before = await writtenRows();
  const outcome = send(caller.atAddress(address)).then(
    ({ status, text }) => `${status} ${text}`,
    () => 'no answer',
  );
  const isWaiting = async (): Promise<void> => expect(await countLockWaits(service.database)).toBeGreaterThan(0);
  await vi.waitFor(isWaiting, { timeout: 120_000, interval: 20 });
  child.removeAllListeners('exit');
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(await outcome).toBe('no answer');
  await release();
  await awaitLockWaits(service.database, 0);
  const connections = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`;
  await vi.waitFor(async () => expect(await runOnServers(service.database, connections)).toEqual([]), {
    timeout: 120_000,
  });
  expect(await writtenRows()).toEqual(before);
}

test('an import, its booking and its undo are done as a whole or not at all, and can be repeated', async () => {
  const admin = await service.openWorkspace();
  const { client, legalEntity } = await makeHousehold(admin, 'Amsel');
  const iban = 'CH93 0076 2011 6238 5295 7';
  const account = await makeRecord(admin, 'accounts', {
    entity_id: legalEntity,
    currency: 'CHF',
    external_identifier: iban,
  });
  const create = (at: Caller, query = ''): Promise<Reply> =>
    at.send(`/v1/imports?client_id=${client}${query}`, {
      method: 'POST',
      raw: statement,
      headers: { 'content-type': 'application/xml' },
    });
  const amounts = async (): Promise<string[]> =>
    (await admin.get(`/v1/transactions?account_id=${account}&limit=100`)).body.data.map(({ amount }: any) => amount);
  const expected = Array.from({ length: 20 }, (_, index) => String(index + 1));

  await killWhileWriting(admin, 'transaction', (at) => create(at, '&book=true'));
  const { body } = await create(admin);
  expect(body.counts).toMatchObject({ rows: 20, booked: 20 });

  const act = (word: string) => (at: Caller) => at.send(`/v1/imports/${body.id}/${word}`, { method: 'POST' });
  await killWhileWriting(admin, 'import', act('book'));
  expect((await act('book')(admin)).body.counts).toMatchObject({ rows: 20, booked: 20 });
  expect(await amounts()).toEqual(expected);
  expect((await create(admin, '&book=true')).body.counts).toMatchObject({ booked: 0, unchanged: 20 });

  await killWhileWriting(admin, 'stated_entry', act('undo'));
  expect(await amounts()).toEqual(expected);
  expect((await act('undo')(admin)).body).toMatchObject({ state: 'undone', undone: { closed: 20, kept: 0 } });
  expect(await amounts()).toEqual([]);
  expect((await create(admin, '&book=true')).body.counts).toMatchObject({ booked: 20 });
  expect(await amounts()).toEqual(expected);
});
