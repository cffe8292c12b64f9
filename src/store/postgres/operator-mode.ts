// Where the operator's mode for all nodes is kept: as the comment of the table of migrations. It belongs to no workspace, every role can read it in any
// release and while migrations run, and no backup brings it back. The owner of the table sets it.

import type pg from 'pg';
import { withClient } from '../with-client.ts';
import { DatabaseUnfit } from './roles.ts';
import { unwritableState } from './database-errors.ts';
import { sql } from './statement.ts';

const commented = 'schema_migration';

export const readModeComment = sql<{ text: string | null }>(
  'operator-mode',
  `SELECT obj_description(to_regclass('${commented}'), 'pg_class') AS text`,
);

/** For an operator's command, over a connection of its own. Null if nothing is set. */
export function readOperatorMode(connection: pg.ClientConfig): Promise<string | null> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ text: string | null }>(readModeComment.text);
    return rows[0]?.text ?? null;
  });
}

export function putOperatorMode(connection: pg.ClientConfig, text: string): Promise<void> {
  return withClient(connection, async (client) => {
    try {
      await client.query(`COMMENT ON TABLE ${commented} IS ${client.escapeLiteral(text)}`);
    } catch (error) {
      throw unwritableState(error) === undefined ? error : unwritable(error);
    }
  });
}

function unwritable(cause: unknown): DatabaseUnfit {
  return new DatabaseUnfit(
    'The database accepts no changes, so it cannot keep a mode: changes are refused already. To tell callers why, or for maintenance, set MODE and MODE_MESSAGE of each node and start it anew.',
    { cause },
  );
}
