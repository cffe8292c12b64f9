// Twins of a tenant: tenants with the same rows under the same ids. A statement that forgets to name its tenant finds theirs as well.

import type { Tenant } from '../../../src/model/access/scope.ts';
import { runSql } from './sql.ts';
import type { TestDatabase } from './test-database.ts';

/** What the name of a twin's record begins with. */
export const twinMark = 'Twin of ';

interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
}

/**
 * The stored columns of all tables that have rows of a tenant; those that the database generates are left out. So are signing keys, which
 * are sealed for their tenant: a service does not start with one that it cannot open.
 */
function listColumns(database: TestDatabase): Promise<Column[]> {
  return runSql<Column>(
    database,
    `SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, NULL) AS type FROM pg_class c
     JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> 'signing_key'
       AND EXISTS (SELECT FROM pg_attribute w WHERE w.attrelid = c.oid AND w.attname = 'environment')
     ORDER BY c.relname, a.attnum`,
  );
}

/** The values of a twin's row. A public client id belongs to one tenant; names tell the twin's rows from those of the tenant. */
function twinValue({ table, name }: Column, twin: Tenant): string {
  if (name === 'workspace_id') return `'${twin.workspaceId}'`;
  if (name === 'environment') return `'${twin.environment}'`;
  if (table === 'credential' && name === 'client_id') return `t.${name} || '-${twin.environment}'`;
  return name === 'name' ? `'${twinMark}' || t.name` : `t.${name}`;
}

/** Gives a twin a row like each of the tenant's, and then moves the tenant's rows behind them in the tables. */
export async function makeTwin(database: TestDatabase, tenant: Tenant, twin: Tenant): Promise<void> {
  const columns = Map.groupBy(await listColumns(database), ({ table }) => table);
  const own = `t.workspace_id = '${tenant.workspaceId}' AND t.environment = '${tenant.environment}'`;
  const copies = [...columns].flatMap(([table, ofTable]) => [
    `DELETE FROM ${table} WHERE workspace_id = '${twin.workspaceId}' AND environment = '${twin.environment}'`,
    `INSERT INTO ${table} (${ofTable.map(({ name }) => `"${name}"`).join()})
      SELECT ${ofTable.map((column) => twinValue(column, twin)).join()} FROM ${table} t WHERE ${own}
      ON CONFLICT DO NOTHING`, // the keys of links are without the environment
    `UPDATE ${table} t SET workspace_id = t.workspace_id WHERE ${own}`,
  ]);
  const workspace = `INSERT INTO workspace SELECT '${twin.workspaceId}', name, created_at FROM workspace t
    WHERE t.workspace_id = '${tenant.workspaceId}' ON CONFLICT DO NOTHING`;
  // Foreign keys need no check: the copies refer to each other as the originals do.
  const text = ['BEGIN', 'SET LOCAL session_replication_role = replica', workspace, ...copies, 'COMMIT'].join(';\n');
  await runSql(database, text);
}

/** One statement over all tables but the budget, which every request changes. Prepared, since it takes longer to plan than to run. */
async function overTenantTables<Row extends object>(
  database: TestDatabase,
  { workspaceId, environment }: Tenant,
  { name, select }: { readonly name: string; readonly select: (table: string) => string },
): Promise<Row[]> {
  const key = `${database.name} ${name}`;
  let text = statements.get(key);
  if (text === undefined) {
    const tables = new Set((await listColumns(database)).map(({ table }) => table));
    tables.delete('budget');
    const parts = [...tables].map(
      (table) => `${select(table)} FROM ${table} t WHERE workspace_id = $1 AND environment = $2`,
    );
    text = `${parts.join(' UNION ALL ')} ORDER BY 1, 2`;
    statements.set(key, text);
  }
  return runSql<Row>(database, { name, text }, [workspaceId, environment]);
}

const statements = new Map<string, string>();

/** Every row of a tenant. */
export function listTenantRows(database: TestDatabase, tenant: Tenant): Promise<StoredText[]> {
  const select = (table: string): string => `SELECT '${table}' AS table, t::text AS text`;
  return overTenantTables(database, tenant, { name: 'rows of a tenant', select });
}

/** A count and a digest of a tenant's rows in each table. Much faster than the rows, to see that nothing has changed. */
export function digestTenantRows(database: TestDatabase, tenant: Tenant): Promise<StoredText[]> {
  const select = (table: string): string =>
    `SELECT '${table}' AS table, count(*) || ' rows, ' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS text`;
  return overTenantTables(database, tenant, { name: 'digest of a tenant', select });
}

export interface StoredText {
  readonly table: string;
  readonly text: string;
}
