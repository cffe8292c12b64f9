// Deletes every row of a workspace, in short transactions: after a kill, the next run goes on. The row of the workspace itself goes last, so
// that what is left can always be found.

import type pg from 'pg';
import { defined } from '../../kit/assert.ts';
import { describeDifferences, type RowCounts } from '../../kit/compared-counts.ts';
import type { Id } from '../../kit/id.ts';
import { environments, type Tenant } from '../../model/access/scope.ts';
import { CountFault } from '../postgres/counting.ts';
import { countFoundBy, countWorkspaceRows } from './count-rows.ts';
import { enter, inTenant } from './owner-connection.ts';
import { listTenantTables, type TenantTable } from './tenant-tables.ts';

/** How many rows one transaction deletes. */
const rowsMax = 5_000;
/** A request that had begun before the workspace was closed may write while it is erased: then tables are gone through again. */
const passesMax = 5;

/** Rows that no other row of the same table refers to. */
function isLeaf({ name, selfReferences }: TenantTable): string {
  return selfReferences
    .map(({ from, to }) => {
      const pairs = from.map((column, index) => `o.${column} = t.${to[index]}`);
      return ` AND NOT EXISTS (SELECT FROM ${name} o WHERE o.workspace_id = $1 AND ${pairs.join(' AND ')})`;
    })
    .join('');
}

async function deleteSome(client: pg.Client, table: TenantTable, tenant: Tenant): Promise<number> {
  const { name, hasEnvironment } = table;
  const values = hasEnvironment ? [tenant.workspaceId, tenant.environment] : [tenant.workspaceId];
  const ofTenant = `t.workspace_id = $1${hasEnvironment ? ' AND t.environment = $2' : ''}`;
  const text = `DELETE FROM ${name} t WHERE ${ofTenant} AND t.ctid = ANY (ARRAY(
    SELECT t.ctid FROM ${name} t WHERE ${ofTenant}${isLeaf(table)} LIMIT ${rowsMax}))`;
  return inTenant(client, tenant, async () => deletedBy(await client.query(text, values)));
}

function deletedBy({ rowCount }: pg.QueryResult): number {
  return defined(rowCount, 'a deletion says how many rows it has deleted');
}

/** Deletes all rows of the tables, and returns how many. Tables that are referred to come last. */
async function deleteAll(client: pg.Client, tables: readonly TenantTable[], workspaceId: Id): Promise<number> {
  let deletedCount = 0;
  for (const table of tables.toReversed())
    for (const environment of table.hasEnvironment ? environments : environments.slice(0, 1))
      for (let count = -1; count !== 0; deletedCount += count)
        count = await deleteSome(client, table, { workspaceId, environment });
  return deletedCount;
}

export interface Erased {
  /** Counted before the first was deleted. */
  readonly before: RowCounts;
  readonly deletedCount: number;
}

/**
 * The workspace must do no work any more. What is left is counted over another `connection` while the workspace can still be found, and again at
 * the end; throws if anything is.
 */
export async function eraseWorkspace(client: pg.Client, connection: pg.ClientConfig, workspaceId: Id): Promise<Erased> {
  const tables = await listTenantTables(client);
  const before = await countWorkspaceRows(connection, tables, workspaceId);
  const isLast = ({ name }: TenantTable): boolean => ['workspace', 'environment'].includes(name);
  const others = tables.filter((table) => !isLast(table));
  let deletedCount = 0;
  for (let pass = 0; pass < passesMax; pass++) {
    const count = await deleteAll(client, others, workspaceId);
    deletedCount += count;
    if (count === 0) break;
  }
  requireNone(await countWorkspaceRows(connection, others, workspaceId), workspaceId);
  deletedCount += await deleteItself(client, workspaceId);
  requireNone(await countFoundBy(connection, workspaceId), workspaceId);
  return { before, deletedCount };
}

function requireNone(left: RowCounts, workspaceId: Id): void {
  const differences = describeDifferences(['left', left], ['expected', new Map()]);
  if (differences !== undefined)
    throw new CountFault(
      `The workspace ${workspaceId} is not erased: rows of it are left. Run the command again, as a role that may delete them.${differences}`,
    );
}

/** Deletes what the workspace is found by, all at once. */
async function deleteItself(client: pg.Client, workspaceId: Id): Promise<number> {
  const [first, ...others] = environments;
  return inTenant(client, { workspaceId, environment: first }, async () => {
    let deletedCount = 0;
    const run = async (text: string, values: readonly string[]): Promise<void> =>
      void (deletedCount += deletedBy(await client.query(text, [...values])));
    const deleteEnvironment = 'DELETE FROM environment WHERE workspace_id = $1 AND environment = $2';
    await run(deleteEnvironment, [workspaceId, first]);
    for (const environment of others) {
      await enter(client, { workspaceId, environment });
      await run(deleteEnvironment, [workspaceId, environment]);
    }
    await run('DELETE FROM workspace WHERE workspace_id = $1', [workspaceId]);
    return deletedCount;
  });
}
