// Brings a database's schema up to date: numbered plain SQL files, forward only, one transaction, one node at a time.

import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';

const folder = new URL('../../migrations/', import.meta.url);
const lockKey = 4_770_271_123;

/** The roles that requests are worked on as. They cannot log in; the role that can is made a member of them. */
const createRoles = `
DO $$
DECLARE
  role_name text;
BEGIN
  FOREACH role_name IN ARRAY ARRAY['holdfast_service', 'holdfast_gate'] LOOP
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = role_name) THEN
      BEGIN
        EXECUTE format('CREATE ROLE %I NOLOGIN NOSUPERUSER NOBYPASSRLS', role_name);
      EXCEPTION WHEN duplicate_object OR unique_violation THEN
        NULL; -- another database of this server is being migrated at the same moment
      END;
    END IF;
    IF NOT pg_has_role(current_user, role_name, 'MEMBER') THEN
      EXECUTE format('GRANT %I TO CURRENT_USER', role_name);
    END IF;
  END LOOP;
END $$`;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

export async function listMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name)).toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      const version = Number(name.slice(0, 4));
      if (version !== index + 1) throw new Error(`Migration ${name} is out of sequence: ${index + 1} was expected.`);
      return { version, name, text: await readFile(new URL(name, folder), 'utf8') };
    }),
  );
}

/** Does `task` while no other node that starts on the same database does the like. */
export async function withStartLock(
  connection: pg.ClientConfig,
  task: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
    await task(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** Runs the migrations that are missing, all of them or none. */
export function migrate(connection: pg.ClientConfig): Promise<void> {
  return withStartLock(connection, async (client) => {
    await client.query(
      'CREATE TABLE IF NOT EXISTS schema_migration (version int PRIMARY KEY, name text NOT NULL, run_at timestamptz NOT NULL DEFAULT now())',
    );
    await runMissing(client);
  });
}

async function runMissing(client: pg.Client): Promise<void> {
  const done = await client.query<{ version: number; name: string }>('SELECT version, name FROM schema_migration');
  const migrations = await listMigrations();
  const newest = migrations.at(-1)?.version ?? 0;
  const ahead = done.rows.find((row) => row.version > newest);
  if (ahead)
    throw new Error(`The database has been migrated by a newer release (${ahead.name}). Run that release or later.`);
  const known = new Set(done.rows.map((row) => row.version));
  const missing = migrations.filter(({ version }) => !known.has(version));
  if (missing.length === 0) return;
  await client.query(createRoles);
  for (const { version, name, text } of missing) {
    await client.query(text);
    await client.query('INSERT INTO schema_migration (version, name) VALUES ($1, $2)', [version, name]);
  }
}
