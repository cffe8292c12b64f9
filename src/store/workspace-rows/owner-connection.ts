// A connection of the role that owns the tables, for what the service's role may not do. It enters one tenant at a time, so that row-level
// security also binds an owner who is no superuser.

import type pg from 'pg';
import type { Tenant } from '../../model/access/scope.ts';
import { setLocalText } from '../postgres/local-settings.ts';

/** Runs one transaction within a tenant. `begin` may open a snapshot instead. */
export async function inTenant<T>(
  client: pg.Client,
  { workspaceId, environment }: Tenant,
  task: () => Promise<T>,
  begin = 'BEGIN',
): Promise<T> {
  await client.query(begin);
  try {
    await enter(client, { workspaceId, environment });
    const result = await task();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}

/** Continues the transaction in a tenant. Servers that spread tables pass on commands, one in each query, and no functions. */
export async function enter(client: pg.Client, { workspaceId, environment }: Tenant): Promise<void> {
  await client.query(setLocalText('holdfast.workspace', workspaceId));
  await client.query(setLocalText('holdfast.environment', environment));
  await client.query(setLocalText('holdfast.visible_clients', 'all'));
}
