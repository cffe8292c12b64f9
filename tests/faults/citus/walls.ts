// Both walls by direct SQL on each server: as the role of requests, with the settings of one workspace or none, everything that is not its own is
// read and changed, table by table, in every part. Whatever is seen or changed is a breach.

import type pg from 'pg';
import type { Cluster, ClusterServer } from './cluster.ts';

export interface WallFigures {
  readonly parts: number;
  readonly tries: number;
  /** How many rows of others the parts held: a wall before nothing proves nothing. */
  readonly rowsOfOthers: number;
  readonly breaches: readonly string[];
}

const listParts = `SELECT shard_name(s.logicalrelid, s.shardid) AS part FROM pg_dist_shard s
  JOIN pg_dist_partition d USING (logicalrelid) WHERE d.partmethod = 'h' AND to_regclass(shard_name(s.logicalrelid, s.shardid)) IS NOT NULL ORDER BY 1`;

const triesOf = (part: string): readonly string[] => [
  `SELECT FROM ${part} WHERE workspace_id <> $1`,
  `UPDATE ${part} SET workspace_id = workspace_id WHERE workspace_id <> $1`,
  `DELETE FROM ${part} WHERE workspace_id <> $1`,
];

const roles = ['holdfast_service'] as const;

export async function tryWalls(cluster: Cluster, server: ClusterServer, workspace: string): Promise<WallFigures> {
  const parts = await cluster.on(server, 'superuser', async (client) => {
    const { rows } = await client.query<{ part: string }>(listParts);
    return rows.map(({ part }) => part);
  });
  const counted = parts.map((part) => `SELECT count(*) FROM ${part} WHERE workspace_id <> $1`).join(' UNION ALL ');
  const rowsOfOthers = await cluster.on(server, 'superuser', async (client) => {
    const { rows } = await client.query<{ sum: string }>(`SELECT sum(count) FROM (${counted}) c`, [workspace]);
    return Number(rows[0]?.sum ?? 0);
  });
  let tries = 0;
  const breaches: string[] = [];
  await cluster.on(server, 'owner', async (client) => {
    for (const settings of [{ workspace }, {}] as const)
      for (const role of roles)
        for (const part of parts)
          for (const text of triesOf(part)) {
            tries++;
            const count = await countReached(client, { role, settings, text, workspace });
            if (count > 0) breaches.push(`${count} rows at ${server.name}: ${text} (${JSON.stringify(settings)})`);
          }
  });
  return { parts: parts.length, tries, rowsOfOthers, breaches };
}

interface Attempt {
  readonly role: (typeof roles)[number];
  readonly settings: { readonly workspace?: string };
  readonly text: string;
  readonly workspace: string;
}

/** How many rows a statement reaches; what is denied reaches none. */
async function countReached(client: pg.Client, { role, settings, text, workspace }: Attempt): Promise<number> {
  const environment = settings.workspace === undefined ? '' : 'production';
  const setAll = `SET LOCAL citus.enable_manual_changes_to_shards = on; SET LOCAL holdfast.workspace = '${settings.workspace ?? ''}';
    SET LOCAL holdfast.environment = '${environment}'; SET LOCAL holdfast.visible_clients = 'all'; SET LOCAL ROLE ${role}`;
  await client.query(`BEGIN; ${setAll}`);
  try {
    return (await client.query(text, [workspace])).rowCount ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === '42501') return 0;
    throw error;
  } finally {
    await client.query('ROLLBACK');
  }
}
