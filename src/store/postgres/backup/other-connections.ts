// Keeps a database as it is while it is moved: refuses while others are connected, and makes writers wait.

import type pg from 'pg';
import { BackupFault } from './backup-fault.ts';
import { columnList, listTables } from './tables.ts';

const othersText = `
SELECT coalesce(nullif(application_name, ''), 'unnamed') AS program, count(*)::int AS count FROM pg_stat_activity
WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
GROUP BY 1 ORDER BY 1`;

/** Refuses while anyone else is connected: what they wrote from now on would not be moved. */
export async function requireNoOthers(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ program: string; count: number }>(othersText);
  if (rows.length === 0) return;
  const others = rows.map(({ program, count }) => `${program} (${count})`).join(', ');
  throw new BackupFault(
    `Others are connected to the database that is to be moved: ${others}. Nothing was changed. Stop every node of the service and end these connections first.`,
  );
}

/** For the rest of the transaction nobody writes: an idle node has no connection that could be noticed. */
export async function blockWriters(client: pg.Client): Promise<void> {
  const tables = await listTables(client);
  if (tables.length > 0) await client.query(`LOCK TABLE ${columnList(tables.map(({ name }) => name))} IN SHARE MODE`);
}
