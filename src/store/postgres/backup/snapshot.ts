// All rows of a database as they were at one moment, read beside a running service.

import pg from 'pg';
import type { Tenant } from '../../../model/access/scope.ts';
import { readCount, refuseHiddenRows, requireTenantSeen, seesAllRows } from '../counting.ts';
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
  /** How many rows the table has, counted apart from reading them. */
  count(table: TableShape): Promise<number>;
}

/** Gives `task` one snapshot of the whole database; it holds for as long as `task` runs. */
export function withDatabaseSnapshot<T>(
  connection: pg.ClientConfig,
  task: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  return withSnapshotClient(connection, async (parts) => {
    const { client, tables } = parts;
    const migrations = await listAppliedMigrations(client);
    const isWhole = await seesAllRows(client);
    if (isWhole) await refuseHiddenRows(client);
    const reader = isWhole ? wholeReader : await readByTenant(parts, migrations);
    return task({
      migrations,
      tables,
      sequences: await listSequences(client),
      rows: (table) => reader.rows(client, table),
      count: (table) => reader.count(client, table),
    });
  });
}

interface TableReader {
  rows(client: pg.Client, table: TableShape): AsyncIterable<Buffer>;
  count(client: pg.Client, table: TableShape): Promise<number>;
}

const countText = ({ name }: TableShape): string => `SELECT count(*) FROM ${pg.escapeIdentifier(name)}`;

const wholeReader: TableReader = {
  rows: (client, { name, columns }) =>
    copyOut(client, `COPY ${pg.escapeIdentifier(name)} (${columnList(columns)}) TO STDOUT`),
  count: (client, table) => readCount(client, countText(table)),
};

/** For an owner that row-level security applies to: each tenant's rows are read in the role that requests run in. */
async function readByTenant(
  { client, listTenants }: SnapshotParts,
  migrations: readonly string[],
): Promise<TableReader> {
  // The policies of another release may hide rows from the statements of this one.
  const own = await listMigrations();
  if (JSON.stringify(migrations) !== JSON.stringify(own.map(({ name }) => name)))
    throw new BackupFault(
      `The database is at ${migrations.at(-1)} and this release at ${own.at(-1)?.name}, and the database role is subject to row-level security. ` +
        'Run the command of the release that the database is of, or let a role with the attribute BYPASSRLS make the backup.',
    );
  const tenants = await listTenants();
  const isFirstOfWorkspace = ({ workspaceId }: Tenant, index: number): boolean =>
    tenants[index - 1]?.workspaceId !== workspaceId;
  const ofWorkspaces = tenants.filter(isFirstOfWorkspace);
  const tenantsOf = ({ columns }: TableShape): readonly Tenant[] =>
    columns.includes('environment') ? tenants : ofWorkspaces;
  return {
    async *rows(_client, table) {
      const { name, columns } = table;
      if (!columns.includes('workspace_id')) return yield* wholeReader.rows(client, table);
      const from = `SELECT ${columnList(columns)} FROM ${pg.escapeIdentifier(name)}`;
      for (const tenant of tenantsOf(table)) {
        await enterTenant(client, tenant);
        const ofWorkspace = `workspace_id = ${pg.escapeLiteral(tenant.workspaceId)}`;
        const ofEnvironment = columns.includes('environment')
          ? ` AND environment = ${pg.escapeLiteral(tenant.environment)}`
          : '';
        yield* copyOut(client, `COPY (${from} WHERE ${ofWorkspace}${ofEnvironment}) TO STDOUT`);
      }
      await leaveTenant(client);
    },
    /** Without the condition on the tenant: what row-level security lets through is all that there is of it. */
    async count(_client, table) {
      if (!table.columns.includes('workspace_id')) return wholeReader.count(client, table);
      let count = 0;
      for (const tenant of tenantsOf(table)) {
        await enterTenant(client, tenant);
        await requireTenantSeen(client, tenant);
        count += await readCount(client, countText(table));
      }
      await leaveTenant(client);
      return count;
    },
  };
}
