// Runs a migration outside a transaction, statement by statement: for what takes long, such as filling a column piece by piece, and for indexes that
// are built while others write. A crash leaves it half done, so each statement can be run again.

import type pg from 'pg';
import { splitStatements } from './split-statements.ts';
import { withSessionStartLock } from './start-lock.ts';

interface OutsideMigration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

/** Does nothing if another node was faster. */
export function runOutsideTransaction(connection: pg.ClientConfig, migration: OutsideMigration): Promise<void> {
  const { version, name, text } = migration;
  return withSessionStartLock(connection, async (client) => {
    const { rowCount } = await client.query('SELECT FROM schema_migration WHERE version = $1', [version]);
    if (rowCount !== 0) return;
    for (const statement of splitStatements(text)) {
      await client.query(statement).catch((cause: Error) => {
        throw new Error(`Migration ${name} failed and will be run again from its beginning: ${cause.message}`, {
          cause,
        });
      });
    }
    await client.query('INSERT INTO schema_migration (version, name) VALUES ($1, $2)', [version, name]);
  });
}
