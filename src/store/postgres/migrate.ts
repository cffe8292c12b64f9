// Brings a database's schema up to date: numbered plain SQL files, forward only, one transaction, one node at a time. Nodes of the release before
// go on working meanwhile, so nobody waits long for what a migration locks.

import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { adoptOldSchema } from './adopt-old-schema.ts';
import { checkDistribution } from './distribution/distribution.ts';
import { findDateStyleFault } from './date-style.ts';
import { runOutsideTransaction } from './outside-transaction.ts';
import { DatabaseUnfit, ensureRoles, findRoleFault, isDenied } from './roles.ts';
import { splitStatements } from './split-statements.ts';
import { withStartLock } from './start-lock.ts';
import { withClient } from '../with-client.ts';

const migrationsFolder = new URL('../../../migrations/', import.meta.url);

/** While a migration waits for a lock, everybody who comes later waits behind it. So it gives way and tries again, a little longer each time. */
const lockWaitMs = { first: 500, max: 1_500 } as const;
/** How long a migration waits before it tries again to lock a table. */
const lockPauseMs = 1_000;
/** Longer than any report or bulk body holds what a migration needs. */
const lockTriesMsMax = 600_000;

export interface Migration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
  /** Whether it begins with the comment `-- outside a transaction`, as what takes long or builds an index concurrently must. */
  readonly isOutsideTransaction: boolean;
}

/** Lists the migrations; `schema.sql` in the same folder is the schema that they result in, not one of them. */
export async function listMigrations(folder: URL = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql').toSorted();
  return Promise.all(
    names.map(async (name, index) => {
      if (!/^\d{4}-[a-z0-9-]+\.sql$/.test(name)) throw new Error(`Migration ${name} is not named like 0001-words.sql.`);
      const version = Number(name.slice(0, 4));
      if (version !== index + 1) throw new Error(`Migration ${name} is out of sequence: ${index + 1} was expected.`);
      const text = await readFile(new URL(name, folder), 'utf8');
      return { version, name, text, isOutsideTransaction: text.startsWith('-- outside a transaction') };
    }),
  );
}

/**
 * Runs the missing migrations: all of them or none, except those outside a transaction, which come alone and in their place. Writes nothing to a
 * database that has them all, so that a node can start on one that accepts no changes. `missing`: whether they are run, or refused because the
 * node is to change nothing.
 */
export async function migrate(
  connection: pg.ClientConfig,
  folder: URL = migrationsFolder,
  missing: 'run' | 'refused' = 'run',
): Promise<void> {
  const migrations = await listMigrations(folder);
  if (await isPrepared(connection, migrations)) return;
  if (missing === 'refused') throw unprepared('MODE forbids every change');
  const giveUpAt = performance.now() + lockTriesMsMax;
  for (let waitMs: number = lockWaitMs.first; ; waitMs = Math.min(2 * waitMs, lockWaitMs.max)) {
    try {
      const outside = await migrateInTransaction(connection, migrations, waitMs);
      if (outside === undefined) return;
      await runOutsideTransaction(connection, outside);
    } catch (error) {
      if (!isLockedOut(error) || performance.now() > giveUpAt) throw error;
      await delay(lockPauseMs);
    }
  }
}

function unprepared(why: string): DatabaseUnfit {
  return new DatabaseUnfit(
    `The database has to be prepared for this release, and ${why}. \`holdfast migrate --check\` lists what is missing; \`holdfast migrate\` runs it.`,
  );
}

/** Whether the database has all migrations and roles. Only reads. Throws if it has not and accepts no changes. */
async function isPrepared(connection: pg.ClientConfig, migrations: readonly Migration[]): Promise<boolean> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ there: boolean; isReadOnly: boolean }>(
      `SELECT to_regclass('schema_migration') IS NOT NULL AS there, current_setting('transaction_read_only')::boolean AS "isReadOnly"`,
    );
    const isThere = rows[0]?.there === true && (await hasMigrations(client, migrations));
    const { hasCitus } = isThere ? await checkDistribution(client) : { hasCitus: false };
    const isReady = isThere && (await findRoleFault(client, { mayLogIn: hasCitus })) === undefined;
    if (!isReady && rows[0]?.isReadOnly === true) throw unprepared('it accepts no changes');
    return isReady && (await findDateStyleFault(client)) === undefined;
  });
}

async function hasMigrations(client: pg.Client, migrations: readonly Migration[]): Promise<boolean> {
  const { rows } = await client
    .query<{ name: string }>('SELECT name FROM schema_migration ORDER BY version')
    .catch((error: unknown) => {
      if (isDenied(error)) return { rows: [] };
      throw error;
    });
  return rows.length === migrations.length && rows.every(({ name }, index) => name === migrations[index]?.name);
}

/** Returns the migration that has to be run outside a transaction next, if there is one. */
async function migrateInTransaction(
  connection: pg.ClientConfig,
  migrations: readonly Migration[],
  waitMs: number,
): Promise<Migration | undefined> {
  let outside: Migration | undefined;
  await withStartLock(connection, async (client) => {
    const unfit = await findDateStyleFault(client);
    if (unfit !== undefined) throw unfit;
    try {
      const { hasCitus } = await checkDistribution(client);
      await ensureRoles(client, { mayLogIn: hasCitus });
      await client.query(`SET LOCAL lock_timeout = ${waitMs}`);
      outside = await runMissing(client, migrations);
    } catch (error) {
      throw toOwnerFault(client, error);
    }
  });
  return outside;
}

function isLockedOut(error: unknown): boolean {
  const codes = [error, error instanceof Error ? error.cause : undefined].map(
    (one) => one instanceof pg.DatabaseError && one.code,
  );
  // Lock not available, or a deadlock.
  return codes.some((code) => code === '55P03' || code === '40P01');
}

/**
 * Runs those of the migrations that the database has not had, up to the first that has to be run outside a transaction, which it returns.
 * Needs a transaction, and the roles.
 */
export async function runMissing(client: pg.Client, migrations: readonly Migration[]): Promise<Migration | undefined> {
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
  for (const migration of migrations.slice(applied.rows.length)) {
    if (migration.isOutsideTransaction) return migration;
    await runMigration(client, migration);
  }
  return undefined;
}

async function runMigration(client: pg.Client, { version, name, text }: Migration): Promise<void> {
  try {
    for (const statement of splitStatements(text)) await client.query(statement);
  } catch (error) {
    if (isDenied(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`Migration ${name} failed and was rolled back: ${reason}`, { cause: error });
  }
  await client.query('INSERT INTO schema_migration (version, name) VALUES ($1, $2)', [version, name]);
}

/** Says which rights the owner of the database lacks, if that is why migrating it failed. */
export function toOwnerFault({ user }: pg.Client, error: unknown): unknown {
  if (!isDenied(error)) return error;
  const owner = user === undefined ? 'that DATABASE_URL names' : pg.escapeIdentifier(user);
  return new DatabaseUnfit(
    `The database role ${owner} may not migrate the database (${error.message}). It must own the database and the tables in it.`,
    { cause: error },
  );
}
