// Counts the rows of a workspace apart from whatever has written or deleted them: over a connection of its own, by its own statements, and only
// where the connection is seen to read what is known to be there.

import pg from 'pg';
import type { RowCounts } from '../../kit/compared-counts.ts';
import type { Id } from '../../kit/id.ts';
import { environments, type Tenant } from '../../model/access/scope.ts';
import { enterTenant, leaveTenant } from '../postgres/backup/snapshot-client.ts';
import { readCount, refuseHiddenRows, requireTenantSeen, seesAllRows } from '../postgres/counting.ts';
import { preAuthRole } from '../postgres/roles.ts';
import { withClient } from '../with-client.ts';
import type { TenantTable } from './tenant-tables.ts';

/** The environments of a workspace, in the role that reads those of all. In a transaction of its own: see below. */
export async function listOwnTenants(client: pg.Client, workspaceId: Id): Promise<readonly Tenant[]> {
  await client.query(`SET LOCAL ROLE ${preAuthRole}`);
  const { rows } = await client.query<Tenant>(
    'SELECT workspace_id AS "workspaceId", environment FROM environment WHERE workspace_id = $1 ORDER BY 2',
    [workspaceId],
  );
  await leaveTenant(client);
  return rows;
}

const countOf = (name: string): string => `SELECT count(*) FROM ${pg.escapeIdentifier(name)} WHERE workspace_id = $1`;

async function inSnapshot<T>(connection: pg.ClientConfig, task: (client: pg.Client) => Promise<T>): Promise<T> {
  return withClient({ ...connection, statement_timeout: 0 }, async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const result = await task(client);
    await client.query('COMMIT');
    return result;
  });
}

/**
 * The rows of a workspace in each table. A role that sees all counts them in all environments, known or not; any other counts in the role of
 * requests, tenant by tenant.
 */
export async function countWorkspaceRows(
  connection: pg.ClientConfig,
  tables: readonly TenantTable[],
  workspaceId: Id,
): Promise<RowCounts> {
  // In a transaction of its own: servers that spread tables do not act in this role and then in that of requests within one.
  const known = await inSnapshot(connection, (client) => listOwnTenants(client, workspaceId));
  return inSnapshot(connection, async (client) => {
    const counts = new Map<string, number>();
    const add = async (name: string): Promise<void> => {
      const count = await readCount(client, countOf(name), [workspaceId]);
      counts.set(name, (counts.get(name) ?? 0) + count);
    };
    if (await seesAllRows(client)) {
      await refuseHiddenRows(client);
      for (const { name } of tables) await add(name);
      return counts;
    }
    for (const [index, environment] of environments.entries()) {
      const tenant = { workspaceId, environment };
      await enterTenant(client, tenant);
      if (known.some((one) => one.environment === environment)) await requireTenantSeen(client, tenant);
      for (const { name, hasEnvironment } of tables) if (hasEnvironment || index === 0) await add(name);
      await leaveTenant(client);
    }
    return counts;
  });
}

/** Counts what a workspace is found by, in the role that reads those of all workspaces. */
export function countFoundBy(connection: pg.ClientConfig, workspaceId: Id): Promise<RowCounts> {
  return inSnapshot(connection, async (client) => {
    await client.query(`SET LOCAL ROLE ${preAuthRole}`);
    const counts = new Map<string, number>();
    for (const name of ['environment', 'workspace'])
      counts.set(name, await readCount(client, countOf(name), [workspaceId]));
    return counts;
  });
}
