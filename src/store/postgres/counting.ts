// Counting rows so that none is hidden: row-level security makes a count too small without a word.

import type pg from 'pg';
import { defined } from '../../kit/assert.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { countIn } from './statement.ts';

/** Rows could not be counted, or are not as many as they must be, for the operator. */
export class CountFault extends Error {
  override readonly name = 'CountFault';
}

/** How many rows a statement counts. */
export async function readCount(client: pg.Client, text: string, values: readonly unknown[] = []): Promise<number> {
  return Number(countIn(await client.query<{ count: string }>(text, [...values])));
}

/** Whether row-level security hides nothing from the connection. */
export async function seesAllRows(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ sees_all: boolean }>(
    'SELECT rolsuper OR rolbypassrls AS sees_all FROM pg_roles WHERE rolname = current_user',
  );
  return defined(rows[0], 'the current role exists').sees_all;
}

/** From here on, PostgreSQL refuses a statement from which row-level security would hide a row. */
export async function refuseHiddenRows(client: pg.Client): Promise<void> {
  await client.query('SET LOCAL row_security = off');
}

/** Every tenant has a row of its own: a connection that has entered it and does not see that row would count nothing at all. */
export async function requireTenantSeen(client: pg.Client, { workspaceId, environment }: Tenant): Promise<void> {
  const count = await readCount(
    client,
    'SELECT count(*) FROM environment WHERE workspace_id = $1 AND environment = $2',
    [workspaceId, environment],
  );
  if (count !== 1)
    throw new CountFault(
      `The rows of ${workspaceId}/${environment} cannot be counted: the connection does not see them. ` +
        'Let a role that owns the tables and has the attribute BYPASSRLS run this command.',
    );
}
