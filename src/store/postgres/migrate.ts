// Brings a database's schema up to date: numbered plain SQL files, forward only, one transaction, one node at a time.

import { readdir, readFile } from 'node:fs/promises';
import pg from 'pg';
import { adoptOldSchema } from './adopt-old-schema.ts';
import { DatabaseUnfit, ensureRoles, isDenied } from './roles.ts';

const migrationsFolder = new URL('../../../migrations/', import.meta.url);
const lockKey = 4_770_271_123;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

/** Lists the migrations; `schema.sql` in the same folder is the schema that they result in, not one of them. */
export async function listMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) throw new Error(`Migration ${name} is not named like 0001-words.sql.`);
      const version = Number(name.slice(0, 4));
      if (version !== index + 1) throw new Error(`Migration ${name} is out of sequence: ${index + 1} was expected.`);
      return { version, name, text: await readFile(new URL(name, folder), 'utf8') };
    }),
  );
}

/** A node waits as long as another one migrates, and a migration may take any time. */
const withoutTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL jit = off`;

/** Runs `task` while no other node on the same database runs one under this lock. */
export async function withStartLock(
  connection: pg.ClientConfig,
  task: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query(withoutTimeouts);
    await client.query('SELECT pg_advisory_xact_lock($1)', [lockKey]);
    await task(client);
    await client.query('COMMIT');
  } finally {
    await client.end();
  }
}

/** Runs the missing migrations, all of them or none. */
export function migrate(connection: pg.ClientConfig, folder: URL = migrationsFolder): Promise<void> {
  return withStartLock(connection, async (client) => {
    const migrations = await listMigrations(folder);
    try {
      await ensureRoles(client);
      await runMissing(client, migrations);
    } catch (error) {
      throw isDenied(error) ? unfitOwner(client, error) : error;
    }
  });
}

async function runMissing(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS schema_migration (version int PRIMARY KEY, name text NOT NULL, run_at timestamptz NOT NULL DEFAULT now())',
  );
  await adoptOldSchema(client, migrations);
  const applied = await client.query<{ version: number; name: string }>(
    'SELECT version, name FROM schema_migration ORDER BY version',
  );
  const newer = applied.rows.find(({ version }) => version > migrations.length);
  if (newer) {
    throw new DatabaseUnfit(
      `The database has been migrated by a newer release (${newer.name}). Run that release or a later one.`,
    );
  }
  for (const migration of migrations.slice(applied.rows.length)) await runMigration(client, migration);
}

async function runMigration(client: pg.Client, { version, name, text }: Migration): Promise<void> {
  try {
    await client.query(text);
  } catch (error) {
    if (isDenied(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${name} failed and was rolled back: ${reason}`, { cause: error });
  }
  await client.query('INSERT INTO schema_migration (version, name) VALUES ($1, $2)', [version, name]);
}

function unfitOwner({ user }: pg.Client, error: Error): DatabaseUnfit {
  const owner = user === undefined ? 'that DATABASE_URL names' : pg.escapeIdentifier(user);
  return new DatabaseUnfit(
    `The database role ${owner} may not migrate the database (${error.message}). It must own the database and the tables in it.`,
    { cause: error },
  );
}
