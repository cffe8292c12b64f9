// Loads a snapshot into an empty database: roles, the migrations that the snapshot had, its rows, then the migrations since. All or nothing.

import pg from 'pg';
import { describeDifferences, type RowCounts } from '../../../kit/compared-counts.ts';
import { readCount } from '../counting.ts';
import { checkDistribution } from '../distribution/distribution.ts';
import { listMigrations, migrate, runMissing, toOwnerFault, type Migration } from '../migrate.ts';
import { ensureRoles } from '../roles.ts';
import { withStartLock } from '../start-lock.ts';
import { withClient } from '../../with-client.ts';
import { BackupFault } from './backup-fault.ts';
import { copyIn } from './copy-stream.ts';
import type { Snapshot } from './snapshot.ts';
import { columnList, listObstacles, listRelations, listTables, type TableShape } from './tables.ts';

/** Returns how many rows each table has got. `folder` holds the migrations of this release. */
export async function loadSnapshot(connection: pg.ClientConfig, snapshot: Snapshot, folder?: URL): Promise<RowCounts> {
  const counts = new Map<string, number>();
  const migrations = await listMigrations(folder);
  checkMigrations(snapshot, migrations);
  await withStartLock(connection, async (client) => {
    await requireEmpty(client);
    try {
      const { hasCitus } = await checkDistribution(client);
      await ensureRoles(client, { mayLogIn: hasCitus });
      await runMissing(client, migrations.slice(0, snapshot.migrations.length).map(toInside));
      await checkTables(client, snapshot);
      await loadRows(client, snapshot, counts);
      await runMissing(client, migrations);
    } catch (error) {
      throw toOwnerFault(client, error);
    }
  });
  // Those that cannot be part of the transaction.
  await migrate(connection, folder);
  await analyze(connection);
  return counts;
}

/** On empty tables that nobody else sees yet, every migration can be part of the transaction. */
function toInside(migration: Migration): Migration {
  if (!migration.isOutsideTransaction) return migration;
  return { ...migration, text: migration.text.replaceAll(/\bCONCURRENTLY\b/gi, ''), isOutsideTransaction: false };
}

/** Refuses a database in which something is already, before anything else is done. */
export function checkTarget(connection: pg.ClientConfig): Promise<void> {
  return withClient(connection, requireEmpty);
}

async function requireEmpty(client: pg.Client): Promise<void> {
  const names = await listRelations(client);
  if (names.length === 0) return;
  const some = names.slice(0, 3).join(', ');
  throw new BackupFault(
    `The database that is to be restored into is not empty: it has ${names.length} tables (${some}${names.length > 3 ? ', …' : ''}). ` +
      'Nothing was changed. Create a new database, or choose another DATA_DIR, and restore into that.',
  );
}

/** The first migrations of this release must be those that made the tables of the snapshot. */
function checkMigrations({ migrations: had }: Snapshot, migrations: readonly Migration[]): void {
  const unknown = had.find((name, index) => migrations[index]?.name !== name);
  if (unknown === undefined) return;
  const isNewer = migrations.every(({ name }, index) => had[index] === name);
  throw new BackupFault(
    isNewer
      ? `The backup was made by a newer release (its schema is ${had.at(-1)}). Restore it with that release or a later one.`
      : `The backup's schema has the migration ${unknown}, which this release does not have. Restore it with the release that made it.`,
  );
}

/** The order of columns may differ: that of a database grows with its migrations. */
const shapeOf = ({ name, columns }: TableShape): string => JSON.stringify([name, columns.toSorted()]);

async function checkTables(client: pg.Client, snapshot: Snapshot): Promise<void> {
  const shapes = new Set((await listTables(client)).map(shapeOf));
  const wrong = snapshot.tables.find((table) => !shapes.has(shapeOf(table)));
  if (wrong === undefined && shapes.size === snapshot.tables.length) return;
  const name = wrong?.name ?? 'another one';
  throw new BackupFault(
    `The tables of the backup are not those that this release makes at ${snapshot.migrations.at(-1)} (${name}). Restore it with the release that made it.`,
  );
}

async function loadRows(client: pg.Client, snapshot: Snapshot, counts: Map<string, number>): Promise<void> {
  const { foreignKeys, security } = await listObstacles(client);
  for (const { lift } of [...foreignKeys, ...security]) await client.query(lift);
  await client.query(`TRUNCATE ${columnList(snapshot.tables.map(({ name }) => name))}`);
  for (const table of snapshot.tables) {
    const into = `COPY ${pg.escapeIdentifier(table.name)} (${columnList(table.columns)}) FROM STDIN`;
    counts.set(table.name, await copyIn(client, into, snapshot.rows(table)));
  }
  for (const [name, value] of Object.entries(snapshot.sequences))
    await client.query('SELECT setval($1::regclass, $2::bigint)', [pg.escapeIdentifier(name), value]);
  for (const { restore } of foreignKeys) await client.query(restore);
  await checkCounts(client, snapshot);
  for (const { restore } of security) await client.query(restore);
}

/** Counts what the tables hold, which is not what COPY says that it has loaded, while row-level security hides nothing. */
async function checkCounts(client: pg.Client, snapshot: Snapshot): Promise<void> {
  const [expected, found] = [new Map<string, number>(), new Map<string, number>()];
  for (const table of snapshot.tables) {
    expected.set(table.name, await snapshot.count(table));
    found.set(table.name, await readCount(client, `SELECT count(*) FROM ${pg.escapeIdentifier(table.name)}`));
  }
  const differences = describeDifferences(['to be loaded', expected], ['in the database', found]);
  if (differences !== undefined)
    throw new BackupFault(`The tables do not hold what was to be loaded. Nothing was kept.${differences}`);
}

/** Lets the planner know what was loaded: it would otherwise not for a while. */
function analyze(connection: pg.ClientConfig): Promise<unknown> {
  return withClient({ ...connection, statement_timeout: 0 }, (client) => client.query('ANALYZE'));
}
