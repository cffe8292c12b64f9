// All rows of a database as they were at one moment, read beside a running service.

import pg from 'pg';
import { defined } from '../../../kit/assert.ts';
import type { Id } from '../../../kit/id.ts';
import { allClients, type Environment, type Scope } from '../../../model/access/scope.ts';
import { ScopeEntry } from '../enter-scope.ts';
import { listMigrations } from '../migrate.ts';
import { preAuthRole } from '../roles.ts';
import { BackupFault } from './backup-fault.ts';
import { copyOut } from './copy-stream.ts';
import { columnList, listAppliedMigrations, listSequences, listTables, type TableShape } from './tables.ts';

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

const withoutTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL jit = off`;

/** Gives `task` one snapshot of the whole database; it holds for as long as `task` runs. */
export async function withDatabaseSnapshot<T>(
  connection: pg.ClientConfig,
  task: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const tables = await listTables(client);
    if (tables.length === 0) throw new BackupFault('The database is empty: there is nothing to back up.');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(withoutTimeouts);
    // Before the first row is read, so that no migration changes a table between the moment of the snapshot and its reading.
    await client.query(`LOCK TABLE ${columnList(tables.map(({ name }) => name))} IN ACCESS SHARE MODE`);
    if (JSON.stringify(await listTables(client)) !== JSON.stringify(tables))
      throw new BackupFault('The tables of the database were changed at this moment. Run the command again.');
    const migrations = await listAppliedMigrations(client);
    const readRows = (await seesAllRows(client)) ? readTable : await readByTenant(client, migrations);
    return await task({
      migrations,
      tables,
      sequences: await listSequences(client),
      rows: (table) => readRows(client, table),
    });
  } finally {
    await client.end();
  }
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

interface TenantRow {
  readonly workspace_id: Id;
  readonly environment: Environment;
}

/** For an owner that row-level security applies to: each tenant's rows are read in the role that requests run in. */
async function readByTenant(client: pg.Client, migrations: readonly string[]): Promise<ReadRows> {
  // The policies of another release may hide rows from the statements of this one.
  const own = await listMigrations();
  if (JSON.stringify(migrations) !== JSON.stringify(own.map(({ name }) => name)))
    throw new BackupFault(
      `The database is at ${migrations.at(-1)} and this release at ${own.at(-1)?.name}, and the database role is subject to row-level security. ` +
        'Run the command of the release that the database is of, or let a role with the attribute BYPASSRLS make the backup.',
    );
  const tenants = await listTenants(client);
  return async function* readTenants(_client, { name, columns }) {
    if (!columns.includes('workspace_id')) return yield* readTable(client, { name, columns });
    const hasEnvironment = columns.includes('environment');
    const isFirstOfWorkspace = ({ workspace_id: workspaceId }: TenantRow, index: number): boolean =>
      tenants[index - 1]?.workspace_id !== workspaceId;
    const from = `SELECT ${columnList(columns)} FROM ${pg.escapeIdentifier(name)}`;
    for (const tenant of hasEnvironment ? tenants : tenants.filter(isFirstOfWorkspace)) {
      for (const { statement, values } of scopeEntry.enter(scopeOf(tenant)).calls)
        await client.query(statement.text, [...values]);
      const ofWorkspace = `workspace_id = ${pg.escapeLiteral(tenant.workspace_id)}`;
      const ofEnvironment = hasEnvironment ? ` AND environment = ${pg.escapeLiteral(tenant.environment)}` : '';
      yield* copyOut(client, `COPY (${from} WHERE ${ofWorkspace}${ofEnvironment}) TO STDOUT`);
    }
    await client.query('SET LOCAL ROLE NONE');
  };
}

const scopeEntry = new ScopeEntry('function', { statements: 'named' });

const scopeOf = ({ workspace_id: workspaceId, environment }: TenantRow): Scope => ({
  workspaceId,
  environment,
  visibleClients: allClients,
  credentialId: null,
});

async function listTenants(client: pg.Client): Promise<readonly TenantRow[]> {
  await client.query(`SET LOCAL ROLE ${preAuthRole}`);
  const { rows } = await client.query<TenantRow>('SELECT workspace_id, environment FROM environment ORDER BY 1, 2');
  await client.query('SET LOCAL ROLE NONE');
  return rows;
}
