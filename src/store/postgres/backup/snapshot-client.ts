// A connection that sees one moment of the whole database, and enters one tenant after the other.

import pg from 'pg';
import { defined } from '../../../kit/assert.ts';
import { allClients, type Tenant } from '../../../model/access/scope.ts';
import { ScopeEntry } from '../enter-scope.ts';
import { quoteLiteral } from '../local-settings.ts';
import { preAuthRole } from '../roles.ts';
import { withClient } from '../../with-client.ts';
import { BackupFault } from './backup-fault.ts';
import { columnList, listTables, type TableShape } from './tables.ts';

const withoutTimeouts = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL jit = off`;

export interface SnapshotParts {
  readonly client: pg.Client;
  readonly tables: readonly TableShape[];
  listTenants(): Promise<readonly Tenant[]>;
}

/** Gives `task` a connection in a transaction that reads only, and the tables, which no migration changes meanwhile. */
export async function withSnapshotClient<T>(
  connection: pg.ClientConfig,
  task: (snapshot: SnapshotParts) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection);
  client.on('error', () => {});
  await client.connect();
  try {
    const tables = await listTables(client);
    if (tables.length === 0) throw new BackupFault('The database is empty.');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(withoutTimeouts);
    // Before the first row is read, so that no migration changes a table between the moment of the snapshot and its reading.
    await client.query(`LOCK TABLE ${columnList(tables.map(({ name }) => name))} IN ACCESS SHARE MODE`);
    if (JSON.stringify(await listTables(client)) !== JSON.stringify(tables))
      throw new BackupFault('The tables of the database were changed at this moment. Run the command again.');
    return await task({ client, tables, listTenants: () => listTenants(connection, client) });
  } finally {
    await client.end();
  }
}

/** Sorted, so that the environments of a workspace follow each other. */
const tenantsText = 'SELECT workspace_id AS "workspaceId", environment FROM environment ORDER BY 1, 2';

/**
 * The tenants of the snapshot, read over a connection of their own: within one transaction, a server that spreads tables cannot act in the role that
 * sees all tenants and then in that of one.
 */
async function listTenants(connection: pg.ClientConfig, client: pg.Client): Promise<readonly Tenant[]> {
  const { rows: exported } = await client.query<{ snapshot: string }>('SELECT pg_export_snapshot() AS snapshot');
  const { snapshot } = defined(exported[0], 'a snapshot has a name');
  return withClient(connection, async (other) => {
    await other.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await other.query(`SET TRANSACTION SNAPSHOT ${quoteLiteral(snapshot)}`);
    await other.query(`SET LOCAL ROLE ${preAuthRole}`);
    const { rows } = await other.query<Tenant>(tenantsText);
    await other.query('COMMIT');
    return rows;
  });
}

/** Also enters workspaces that are suspended, closed or being erased: they are in the database as well. */
const scopeEntry = new ScopeEntry('command', { statements: 'named', workspaces: 'any' });

/** From here on the connection sees all of one tenant and nothing else, as requests do. */
export async function enterTenant(client: pg.Client, tenant: Tenant): Promise<void> {
  const scope = { ...tenant, visibleClients: allClients, credentialId: null };
  for (const { statement, values } of scopeEntry.enter(scope).calls) await client.query(statement.text, [...values]);
}

export async function leaveTenant(client: pg.Client): Promise<void> {
  await client.query('SET LOCAL ROLE NONE');
}
