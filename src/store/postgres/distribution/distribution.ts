// Whether the tables of a database are spread over several servers by Citus, and whether it then passes on what a transaction enters.

import pg from 'pg';
import { DatabaseUnfit } from '../roles.ts';
import { sql } from '../statement.ts';

/** Empty on a plain PostgreSQL: it has no such table. */
export const findCitus = sql<{ found: boolean }>(
  'distribution/find',
  `SELECT to_regclass('pg_dist_partition') IS NOT NULL AS found`,
);

export interface Distribution {
  /** How many tables are spread. */
  readonly count: number;
  readonly propagation: string | null;
  readonly database: string;
}

export const readDistribution = sql<Distribution>(
  'distribution/read',
  `SELECT count(*)::int AS count, current_setting('citus.propagate_set_commands', true) AS propagation,
     current_database() AS database FROM pg_dist_partition`,
);

/** Whether tables are spread; refuses a server that would run statements on others without their tenant. */
export function isSpread({ count, propagation, database }: Distribution): boolean {
  if (count === 0) return false;
  if (propagation === 'local') return true;
  const name = pg.escapeIdentifier(database);
  throw new DatabaseUnfit(
    `Tables of the database ${name} are spread over several servers, and citus.propagate_set_commands is ${propagation ?? 'not set'}: ` +
      `statements would run there without their tenant. Let its owner run, and then start again:\n` +
      `  ALTER DATABASE ${name} SET citus.propagate_set_commands = 'local';`,
  );
}

/** Whether the server can spread tables; refuses one that has and would run statements on others without their tenant. */
export async function checkDistribution(client: pg.Client): Promise<{ readonly hasCitus: boolean }> {
  const { rows } = await client.query<{ found: boolean }>(findCitus.text);
  if (rows[0]?.found !== true) return { hasCitus: false };
  for (const distribution of (await client.query<Distribution>(readDistribution.text)).rows) isSpread(distribution);
  return { hasCitus: true };
}
