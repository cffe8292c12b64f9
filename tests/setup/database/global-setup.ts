// Runs before all tests: starts one PostgreSQL (the embedded one, or uses the one that TEST_DATABASE_URL or CITUS_URL names) and creates a
// migrated template database, which each test file clones. On Citus its tables are spread over the servers that the database of CITUS_URL knows.

import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../../src/store/postgres/embedded/embedded-postgres.ts';
import { distribute } from '../../../src/store/postgres/distribution/distribute.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { makeDataFolder } from '../kit/memory-disk.ts';
import { poolOf } from './pools.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's address with one of its databases; each test file creates its own. */
    databaseServer: string;
    /** All servers that a database is on: several where Citus spreads it. */
    databaseServers: readonly string[];
    templateDatabase: string;
    /** How the names of databases begin that no file drops: they are dropped after the last. */
    sharedPrefix: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startServer();
  const servers = citusUrl === undefined ? [server] : [server, ...(await listWorkers(server))];
  const template = `holdfast_template_${process.pid}`;
  await runOnAll(servers, `DROP DATABASE IF EXISTS ${template}`, `CREATE DATABASE ${template}`);
  const templateUrl = databaseUrlOn(server, template);
  if (citusUrl !== undefined) await addCitus(servers, template);
  await migrate({ connectionString: templateUrl });
  if (citusUrl !== undefined) await spreadTemplate(servers, template);
  project.provide('databaseServer', server);
  project.provide('databaseServers', servers);
  project.provide('templateDatabase', template);
  const sharedPrefix = `holdfast_shared_${process.pid}`;
  project.provide('sharedPrefix', sharedPrefix);
  return async () => {
    const { rows } = await poolOf(server).query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [sharedPrefix],
    );
    for (const name of [template, ...rows.map(({ datname }) => datname)]) {
      await runOnAll(servers, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    for (const one of servers) await poolOf(one).end();
    await stop();
  };
}

const citusUrl = process.env['CITUS_URL'];

/** The other servers that the coordinator reaches, with the same login. */
async function listWorkers(coordinator: string): Promise<string[]> {
  const { rows } = await poolOf(coordinator).query<{ host: string; port: number }>(
    'SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 ORDER BY nodeid',
  );
  return rows.map(({ host, port }) => {
    const url = new URL(coordinator);
    url.hostname = host;
    url.port = String(port);
    return url.href;
  });
}

/** A database that is copied on each of its servers has all of its shards. A coordinator without others holds shards itself. */
async function addCitus(servers: readonly string[], template: string): Promise<void> {
  const clients = servers.map((server) => new pg.Client({ connectionString: databaseUrlOn(server, template) }));
  const [coordinator, ...workers] = clients;
  for (const client of clients) {
    await client.connect();
    await client.query('CREATE EXTENSION citus');
  }
  if (coordinator === undefined) throw new Error('There is no server.');
  const { host, port } = coordinator;
  await coordinator.query('SELECT citus_set_coordinator_host($1, $2)', [host, port]);
  for (const worker of workers) await coordinator.query('SELECT citus_add_node($1, $2)', [worker.host, worker.port]);
  const holdsShards = workers.length === 0;
  await coordinator.query(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', $3)`, [host, port, holdsShards]);
  for (const client of clients) await client.end();
}

async function spreadTemplate(servers: readonly string[], template: string): Promise<void> {
  const [coordinator = ''] = servers;
  await distribute({ connectionString: databaseUrlOn(coordinator, template) }, () => {});
  await runOnAll(
    servers,
    `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${template}'`,
  );
}

/** The server that is named, or the embedded one. */
export async function startServer(): Promise<{ server: string; stop: () => Promise<void> }> {
  const configuredUrl = citusUrl ?? process.env['TEST_DATABASE_URL'];
  if (configuredUrl) return { server: configuredUrl, stop: async () => {} };
  const dataDir = await makeDataFolder('holdfast-test');
  // Test databases need not survive a power cut, and are too small and too short-lived for what pays off on large ones.
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log: () => {},
    settings: {
      fsync: 'off',
      full_page_writes: 'off',
      synchronous_commit: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      max_connections: '300',
      autovacuum: 'off',
      jit: 'off',
      io_method: 'sync',
      plan_cache_mode: 'force_generic_plan',
    },
  });
  const { user, host, port, database } = postgres.connection;
  return {
    server: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
    stop: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

export function databaseUrlOn(server: string, name: string): string {
  return server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`);
}

export async function runAsAdmin(server: string, ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) await poolOf(server).query(statement);
}

async function runOnAll(servers: readonly string[], ...statements: readonly string[]): Promise<void> {
  for (const statement of statements) for (const server of servers) await runAsAdmin(server, statement);
}
