// Gives an instrument that the service provides a row of its own when it gets its first point, since points refer to a row.

import type { BuiltInInstrument } from '../../model/instrument/built-in.ts';
import { sql } from '../postgres/statement.ts';
import type { Store } from '../store.ts';

const insert = sql(
  'built-in-instrument/insert',
  `INSERT INTO instrument (workspace_id, environment, id, type, name, ccy_code, price_unit, tags, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, '1', '{}', '1970-01-01T00:00:00Z') ON CONFLICT DO NOTHING`,
);

const lock = sql(
  'built-in-instrument/lock',
  'SELECT FROM instrument WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR NO KEY UPDATE',
);

/** Locks the row until the transaction ends, and creates it first if there is none yet. Only for callers who see all clients. */
export async function lockBuiltInInstrument({ scope, run }: Store, one: BuiltInInstrument): Promise<void> {
  const tenant = [scope.workspaceId, scope.environment] as const;
  run.enqueue(insert, [...tenant, one.id, one.type, one.name, one.currency]);
  await run(lock, [...tenant, one.id]);
}
