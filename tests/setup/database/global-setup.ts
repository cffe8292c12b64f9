// Runs before all tests: starts one PostgreSQL (the embedded one, or uses the one that TEST_DATABASE_URL or CITUS_URL names) and creates a
// migrated template database, which each test file clones. On Citus its tables are spread over shards of that one server.

import { rm } from 'node:fs/promises';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../../src/store/postgres/embedded/embedded-postgres.ts';
import { distribute } from '../../../src/store/postgres/distribution/distribute.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { makeDataFolder } from '../kit/memory-disk.ts';
import { poolOf } from './sql.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The server's address with one of its databases; each test file creates its own. */
    databaseServer: string;
    templateDatabase: string;
    /** How the names of databases begin that no file drops: they are dropped after the last. */
    sharedPrefix: string;
  }
}

export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { server, stop } = await startServer();
  const template = `holdfast_template_${process.pid}`;
  await runAsAdmin(server, `DROP DATABASE IF EXISTS ${template}`, `CREATE DATABASE ${template}`);
  const templateUrl = databaseUrlOn(server, template);
  if (citusUrl !== undefined) await addCitus(templateUrl);
  await migrate({ connectionString: templateUrl });
  if (citusUrl !== undefined) await spreadTemplate(server, template);
  project.provide('databaseServer', server);
  project.provide('templateDatabase', template);
  const sharedPrefix = `holdfast_shared_${process.pid}`;
  project.provide('sharedPrefix', sharedPrefix);
  return async () => {
    const { rows } = await poolOf(server).query<{ datname: string }>(
      'SELECT datname FROM pg_database WHERE starts_with(datname, $1)',
      [sharedPrefix],
    );
    for (const name of [template, ...rows.map(({ datname }) => datname)]) {
      await runAsAdmin(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    }
    await poolOf(server).end();
    await stop();
  };
}

const citusUrl = process.env['CITUS_URL'];

/** The server holds shards itself and reaches them over connections, as it would others: a copy of the database then has all of them. */
async function addCitus(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query('CREATE EXTENSION citus');
  await client.query('SELECT citus_set_coordinator_host($1, $2)', [client.host, client.port]);
  await client.query(`SELECT citus_set_node_property($1, $2, 'shouldhaveshards', true)`, [client.host, client.port]);
  await client.end();
}

async function spreadTemplate(server: string, template: string): Promise<void> {
  await distribute({ connectionString: databaseUrlOn(server, template) }, () => {});
  await runAsAdmin(
    server,
    `ALTER DATABASE ${template} ALLOW_CONNECTIONS false`,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${template}'`,
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
