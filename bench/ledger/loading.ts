// Measures loading an account's ledger into memory: a million rows as columns, compared with the same rows through the driver and
// the same bytes discarded; then the conversion to the engine's ledger, and the check whether a cached ledger is current.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Id } from '../../src/kit/id.ts';
import { allClients, type Scope } from '../../src/model/access/scope.ts';
import { Database } from '../../src/store/postgres/database.ts';
import { startEmbeddedPostgres } from '../../src/store/postgres/embedded/embedded-postgres.ts';
import { defined } from '../../src/kit/assert.ts';
import type { LedgerCopy } from '../../src/store/ledger/ledger-copies.ts';
import { packLedger } from '../../src/store/ledger/packed-ledger.ts';
import { LedgerCache } from '../../src/store/ledger/ledger-cache.ts';
import { currentRows } from '../../src/store/ledger/ledger-rows.ts';
import { migrate } from '../../src/store/postgres/migrate.ts';
import { Stores } from '../../src/store/stores.ts';
import { computeAtOnce } from '../../src/kit/turns/pieces.ts';
import { buildEngineLedger } from '../../src/actions/ledger/engine-ledger.ts';
import { accountNumbered, seedLedger, ledgerTenant } from './loading-fixture.ts';

export interface LoadingOptions {
  readonly rows?: number;
  readonly rounds?: number;
}

/** All figures are milliseconds. */
export interface LoadingFigures {
  readonly rows: number;
  /** One figure per round. */
  readonly loadingMethods: Readonly<Record<LoadingMethod, readonly number[]>>;
  /** The memory of the columns. */
  readonly bytes: number;
  /** From columns to the engine's ledger, one figure per round. */
  readonly engine: readonly number[];
  /** By the number of accounts: all cached, none changed. */
  readonly freshness: Readonly<Record<number, number>>;
  /** Loading the columns after one more booking in the account, one figure per round. */
  readonly change: readonly number[];
}

export const loadingMethods = ['copy', 'columns', 'discarded bytes', 'driver rows', 'driver arrays'] as const;
export type LoadingMethod = (typeof loadingMethods)[number];

const scope: Scope = { ...ledgerTenant, visibleClients: allClients, credentialId: null };
const account = accountNumbered(0);
const bytesMax = 4 * 2 ** 30;

async function timed(task: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await task();
  return performance.now() - began;
}

export async function benchLoading({ rows = 1_000_000, rounds = 5 }: LoadingOptions = {}): Promise<LoadingFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const settings = { autovacuum: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
  const database = new Database({ connection: postgres.connection, poolSize: 2, statements: 'named' });
  const client = new pg.Client(postgres.connection);
  try {
    await migrate(postgres.connection);
    await client.connect();
    await seedLedger(client, rows);
    const times = await loadWithEveryMethod({ database, client, rows, rounds });
    return { rows, loadingMethods: times, ...(await measureCached(database, client, rounds)) };
  } finally {
    await client.end();
    await database.close();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

interface LoadingBench {
  readonly database: Database;
  readonly client: pg.Client;
  readonly rows: number;
  readonly rounds: number;
}

/** The methods take turns, and a different one begins each round. The first round is a warm-up. */
async function loadWithEveryMethod({
  database,
  client,
  rows,
  rounds,
}: LoadingBench): Promise<Record<LoadingMethod, number[]>> {
  const perform: Record<LoadingMethod, () => Promise<number>> = {
    copy: () => loadColumns(database, new LedgerCache({ bytesMax })),
    columns: () => loadColumns(database, new LedgerCache({ bytesMax })),
    'discarded bytes': () => discardBytes(client, rows),
    'driver rows': async () => (await queryInTenant(client, {})).rows.length,
    'driver arrays': async () => (await queryInTenant(client, { rowMode: 'array', types: rawTypes })).rows.length,
  };
  const copy = await packedCopy(database);
  const times: Record<LoadingMethod, number[]> = {
    copy: [],
    columns: [],
    'discarded bytes': [],
    'driver rows': [],
    'driver arrays': [],
  };
  for (let round = 0; round <= rounds; round++) {
    for (const method of round % 2 === 0 ? loadingMethods : loadingMethods.toReversed()) {
      await client.query('DELETE FROM ledger_copy');
      if (method === 'copy') await new Stores(database).forWriting({ scope }, (store) => store.ledgerCopies.put(copy));
      const time = await timed(async () => {
        const count = await perform[method]();
        if (count !== rows) throw new Error(`${method}: ${count} rows instead of ${rows}.`);
      });
      if (round > 0) times[method].push(time);
    }
  }
  return times;
}

function loadColumns(database: Database, memory: LedgerCache): Promise<number> {
  return new Stores(database).inSnapshot({ scope }, async (store) => {
    const { blocks: pieces } = await store.ledgerColumns(memory).read([account]);
    return pieces.reduce((sum, { rows }) => sum + rows.length, 0);
  });
}

/** The copy that the first report would write. */
function packedCopy(database: Database): Promise<LedgerCopy> {
  return new Stores(database).inSnapshot({ scope }, async (store) => {
    const { uncopied } = await store.ledgerColumns(new LedgerCache({ bytesMax })).read([account]);
    const { client, ledger } = defined(uncopied[0], 'the account is large');
    return { ...(await packLedger(ledger)), client, account, version: ledger.version };
  });
}

const rawTypes = { getTypeParser: () => (text: string) => text };

/** Runs a query with the tenant filters on. */
async function inTenant<T>(client: pg.Client, task: () => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  const settings = [scope.workspaceId, scope.environment];
  await client.query(
    `SELECT set_config('holdfast.workspace', $1, true), set_config('holdfast.environment', $2, true),
     set_config('holdfast.visible_clients', 'all', true), set_config('role', 'holdfast_service', true), set_config('jit', 'off', true)`,
    settings,
  );
  const result = await task();
  await client.query('COMMIT');
  return result;
}

function currentRowsQuery(): { text: string; values: unknown[] } {
  const { statement, values } = currentRows(scope, { side: 'own', account });
  return { text: statement.text, values: [...values] };
}

function queryInTenant(client: pg.Client, options: object): Promise<pg.QueryResult> {
  return inTenant(client, () => client.query({ ...currentRowsQuery(), ...options }));
}

/** The lower bound: receives the bytes of the same rows in binary and discards them. */
function discardBytes(client: pg.Client, rows: number): Promise<number> {
  const { connection } = client as unknown as { connection: any };
  const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5]);
  return inTenant(
    client,
    () =>
      new Promise((resolve) => {
        const { text, values } = currentRowsQuery();
        const listeners = connection.stream.listeners('data');
        const discard = (chunk: Buffer): void => {
          if (!chunk.subarray(-6).subarray(0, 5).equals(readyForQuery)) return;
          connection.stream.off('data', discard);
          for (const listener of listeners) connection.stream.on('data', listener);
          resolve(rows);
        };
        connection.stream.on('data', discard);
        for (const listener of listeners) connection.stream.off('data', listener);
        connection.parse({ name: '', text });
        connection.bind({ statement: '', values, binary: true });
        connection.execute({});
        connection.sync();
      }),
  );
}

async function measureCached(
  database: Database,
  client: pg.Client,
  rounds: number,
): Promise<Pick<LoadingFigures, 'bytes' | 'engine' | 'freshness' | 'change'>> {
  const memory = new LedgerCache({ bytesMax });
  await loadColumns(database, memory);
  const { bytes } = memory;
  const engine: number[] = [];
  for (let round = 0; round < rounds; round++) engine.push(await buildLedger(database, memory));
  const freshness: Record<number, number> = {};
  for (const count of [1, 10, 100]) freshness[count] = await measureFreshness(database, memory, count);
  const changes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await client.query(...bookOne(round));
    changes.push(await timed(() => loadColumns(database, memory)));
  }
  return { bytes, engine, freshness, change: changes };
}

/** Times only the building: the columns are already loaded. */
function buildLedger(database: Database, memory: LedgerCache): Promise<number> {
  return new Stores(database).inSnapshot({ scope }, async (store) => {
    const { blocks: pieces } = await store.ledgerColumns(memory).read([account]);
    return timed(async () => computeAtOnce(buildEngineLedger(pieces)));
  });
}

async function measureFreshness(database: Database, memory: LedgerCache, count: number): Promise<number> {
  const ids: Id[] = Array.from({ length: count }, (_, index) => accountNumbered(index + 1));
  const repetitions = 300;
  return new Stores(database).inSnapshot({ scope }, async (store) => {
    const columns = store.ledgerColumns(memory);
    for (let repetition = 0; repetition < 50; repetition++) await columns.read(ids);
    const time = await timed(async () => {
      for (let repetition = 0; repetition < repetitions; repetition++) await columns.read(ids);
    });
    return time / repetitions;
  });
}

/** Writes what a booking writes: a row, and the version of the account's ledger that opened it. */
function bookOne(round: number): [text: string, values: unknown[]] {
  const copied = `workspace_id, environment, known_from, client_id, account_id, depository_id, instrument_id, kind, type, date,
    amount, currency, quantity, price, value, unexplained, source, created_at`;
  const text = `WITH raised AS (UPDATE account_ledger SET version = version + 1 WHERE account_id = $1 RETURNING version)
    INSERT INTO transaction (id, sequence, opened_version, ${copied})
    SELECT $2, (SELECT max(sequence) + 1 FROM transaction), (SELECT version FROM raised), ${copied}
    FROM transaction WHERE account_id = $1 AND sequence = 1`;
  return [text, [account, `9${String(round).padStart(23, '0')}`]];
}
