// Shared by the benchmarks that book: a database of its own, seeded over v1, a service on it in another process, and rates that each begin
// on emptied tables.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import pino from 'pino';
import { readConfig } from '../src/app/config.ts';
import { startService } from '../src/app/start-service.ts';
import { Keyring } from '../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../src/store/postgres/embedded/embedded-postgres.ts';
import { startImageNode } from './image-node.ts';
import { MeasuredTarget } from './structure/targets.ts';
import type { TargetSettings } from './structure/target-messages.ts';

export interface MeasuredDatabase {
  readonly databaseUrl: string;
  readonly encryptionKey: string;
}

export interface Seeding {
  readonly token: string;
  readonly workspaceId: string;
  readonly environment: string;
  /** Creates a record over v1 and returns its id. */
  make(plural: string, body: object): Promise<string>;
}

export interface MeasuredService<Fixture> {
  readonly database: MeasuredDatabase;
  readonly dataDir: string;
  readonly fixture: Fixture;
  readonly address: string;
  readonly processId: number;
}

interface MeasuredOptions<Fixture> {
  readonly connections: number;
  readonly workThreads?: number;
  /** Of Node.js. */
  readonly flags?: readonly string[];
  /** Starts the service as the image does, with these variables; else as it is in the repository. */
  readonly image?: { readonly variables: Readonly<Record<string, string>> };
  seed(seeding: Seeding): Promise<Fixture>;
}

/** Starts everything, measures, and removes everything. */
export async function withMeasuredService<Fixture, Figures>(
  { connections, workThreads, flags = [], image, seed }: MeasuredOptions<Fixture>,
  measure: (service: MeasuredService<Fixture>) => Promise<Figures>,
): Promise<Figures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const settings = { max_connections: '60', autovacuum: 'off' };
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {}, settings });
  const { user, host, port, database: name } = postgres.connection;
  const databaseUrl = `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`;
  const database = { databaseUrl, encryptionKey: Keyring.generate() };
  let target: Pick<MeasuredTarget, 'address' | 'processId' | 'stop'> | undefined;
  try {
    const { fixture, workspaceId, environment } = await seedDatabase(database, seed);
    const tenant = { workspaceId, environment, listedId: '', growingId: '' };
    const threads = workThreads === undefined ? {} : { workThreads };
    const targetSettings: TargetSettings = { ...database, ...tenant, connections, ...threads };
    target =
      image === undefined
        ? await MeasuredTarget.start('holdfast', targetSettings, flags)
        : await startImageNode({ settings: targetSettings, flags, ...image, folder: join(dataDir, 'app') });
    const { address, processId } = target;
    return await measure({ database, dataDir, fixture, address, processId });
  } finally {
    target?.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function seedDatabase<Fixture>(
  { databaseUrl, encryptionKey }: MeasuredDatabase,
  seed: MeasuredOptions<Fixture>['seed'],
): Promise<{ fixture: Fixture } & Pick<Seeding, 'workspaceId' | 'environment'>> {
  // The same base URL for all processes, so that the token is valid at each of them.
  const config = readConfig({
    PORT: '0',
    BASE_URL: 'http://bench.test',
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
  });
  const service = await startService(config, { log: pino({ level: 'silent' }) });
  const address = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  const { workspaceId, clientId: client_id, clientSecret: client_secret } = service.firstApplication!;
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  const { access_token: token } = await post(`${address}/oauth/token`, JSON.stringify(credentials));
  const make = async (plural: string, body: object): Promise<string> =>
    (await post(`${address}/v1/${plural}`, JSON.stringify(body), { token })).id;
  const tenant = { workspaceId, environment: 'production' };
  const fixture = await seed({ token, ...tenant, make });
  await service.stop();
  return { fixture, ...tenant };
}

export async function post(
  url: string,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>,
  { token, type = 'application/json' }: { readonly token?: string; readonly type?: string } = {},
): Promise<any> {
  const headers = { 'content-type': type, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const answer = await fetch(url, { method: 'POST', headers, body, duplex: 'half' });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Connects to the database as its owner. */
export async function withOwner<T>(
  { databaseUrl }: MeasuredDatabase,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What booking writes. */
const ledgerTables: readonly string[] = [
  'transaction',
  'account_ledger',
  'booking_count',
  'round_mark',
  'audit_entry',
  'event',
  'outbox',
];

/** Empties and vacuums the ledger and what else is named, so that every measurement begins in the same state. */
export function emptyLedger(database: MeasuredDatabase, others: readonly string[] = []): Promise<void> {
  return withOwner(database, async (client) => {
    await client.query(`TRUNCATE ${[...ledgerTables, ...others].join(', ')} CASCADE`);
    await client.query('VACUUM (ANALYZE)');
    await client.query('CHECKPOINT');
  });
}

/** How many a second, beginning with an emptied ledger. */
export async function rateOf(
  { database, count, tables = [] }: { database: MeasuredDatabase; count: number; tables?: readonly string[] },
  task: () => Promise<unknown>,
): Promise<number> {
  await emptyLedger(database, tables);
  const began = performance.now();
  await task();
  return (count * 1_000) / (performance.now() - began);
}
