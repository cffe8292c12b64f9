// All rows of a database as they were at one moment, read beside a running service.

import pg from 'pg';
import { defined } from '../../../kit/assert.ts';
import type { Tenant } from '../../../model/access/scope.ts';
import { listMigrations } from '../migrate.ts';
import { BackupFault } from './backup-fault.ts';
import { copyOut } from './copy-stream.ts';
import { enterTenant, leaveTenant, withSnapshotClient, type SnapshotParts } from './snapshot-client.ts';
import { columnList, listAppliedMigrations, listSequences, type TableShape } from './tables.ts';

/** Where the rows that are loaded into a database come from: another database, or a file. */
export interface Snapshot {
  /** The names of the migrations that made its tables, in their order. */
  readonly migrations: readonly string[];
  readonly tables: readonly TableShape[];
  /** The last value of each sequence. */
  readonly sequences: Readonly<Record<string, string>>;
  /** The rows of a table in the text format of COPY: each ends with a line feed, and holds no other. */
  rows(table: TableShape): AsyncIterable<Buffer>;
}

/** Gives `task` one snapshot of the whole database; it holds for as long as `task` runs. */
export function withDatabaseSnapshot<T>(
  connection: pg.ClientConfig,
  task: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return withSnapshotClient(connection, async (parts) => {
    const { client, tables } = parts;
    const migrations = await listAppliedMigrations(client);
    const readRows = (await seesAllRows(client)) ? readTable : await readByTenant(parts, migrations);
    return task({
      migrations,
      tables,
      sequences: await listSequences(client),
      rows: (table) => readRows(client, table),
    });
  });
}

async function seesAllRows(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ sees_all: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS sees_all FROM pg_roles WHERE rolname = current_user',
  );
  return defined(rows[0], 'the current role exists').sees_all;
}

type ReadRows = (client: pg.Client, table: TableShape) => AsyncIterable<Buffer>;

const readTable: ReadRows = (client, { name, columns }) =>
  copyOut(client, `COPY ${pg.escapeIdentifier(name)} (${columnList(columns)}) TO STDOUT`);

/** For an owner that row-level security applies to: each tenant's rows are read in the role that requests run in. */
async function readByTenant({ client, listTenants }: SnapshotParts, migrations: readonly string[]): Promise<ReadRows> {
  // The policies of another release may hide rows from the statements of this one.
  const own = await listMigrations();
  if (JSON.stringify(migrations) !== JSON.stringify(own.map(({ name }) => name)))
    throw new BackupFault(
      `The database is at ${migrations.at(-1)} and this release at ${own.at(-1)?.name}, and the database role is subject to row-level security. ` +
        'Run the command of the release that the database is of, or let a role with the attribute BYPASSRLS make the backup.',
    );
  const tenants = await listTenants();
  return async function* readTenants(_client, { name, columns }) {
    if (!columns.includes('workspace_id')) return yield* readTable(client, { name, columns });
    const hasEnvironment = columns.includes('environment');
    const isFirstOfWorkspace = ({ workspaceId }: Tenant, index: number): boolean =>
      tenants[index - 1]?.workspaceId !== workspaceId;
    const from = `SELECT ${columnList(columns)} FROM ${pg.escapeIdentifier(name)}`;
    for (const tenant of hasEnvironment ? tenants : tenants.filter(isFirstOfWorkspace)) {
      await enterTenant(client, tenant);
      const ofWorkspace = `workspace_id = ${pg.escapeLiteral(tenant.workspaceId)}`;
      const ofEnvironment = hasEnvironment ? ` AND environment = ${pg.escapeLiteral(tenant.environment)}` : '';
      yield* copyOut(client, `COPY (${from} WHERE ${ofWorkspace}${ofEnvironment}) TO STDOUT`);
    }
    await leaveTenant(client);
  };
}
