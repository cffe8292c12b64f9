// Runs a migration outside a transaction, statement by statement: for what takes long, such as filling a column piece by piece, and for indexes that
// are built while others write. A crash leaves it half done, so each statement can be run again.

import { append } from '../../kit/memory/long-list.ts';
import type pg from 'pg';
import { splitStatements } from './split-statements.ts';
import { withSessionStartLock } from './start-lock.ts';

interface OutsideMigration {
  readonly version: number;
  readonly name: string;
  readonly text: string;
}

const leadingComments = /^(?:--[^\n]*\n|\s)+/;
const settingForm = /^SET (\w+) = (.+)$/;

/**
 * The texts to send one by one: servers that spread tables refuse several in one query. A setting holds until it is set to 0, and is sent with each
 * statement that it is for, in a transaction: a session that a pooler shares would keep it, and another one would run the statement.
 */
function textsToSend(migration: string): string[] {
  const settings = new Map<string, string>();
  const texts: string[] = [];
  for (const statement of splitStatements(migration)) {
    const [, name, value] = settingForm.exec(statement.replace(leadingComments, '')) ?? [];
    if (name === undefined || value === undefined) append(texts, withSettings(settings, statement));
    else if (value === '0') settings.delete(name);
    else settings.set(name, value);
  }
  return texts;
}

function withSettings(settings: ReadonlyMap<string, string>, statement: string): string[] {
  if (settings.size === 0) return [statement];
  return ['BEGIN', ...[...settings].map(([name, value]) => `SET LOCAL ${name} = ${value}`), statement, 'COMMIT'];
}

/** Does nothing if another node was faster. */
export function runOutsideTransaction(connection: pg.ClientConfig, migration: OutsideMigration): Promise<void> {
  const { version, name, text } = migration;
  return withSessionStartLock(connection, async (client) => {
    const { rowCount } = await client.query('SELECT FROM schema_migration WHERE version = $1', [version]);
    if (rowCount !== 0) return;
    for (const sent of textsToSend(text)) {
      await client.query(sent).catch(async (cause: Error) => {
        await client.query('ROLLBACK').catch(() => {});
        throw new Error(`Migration ${name} failed and will be run again from its beginning: ${cause.message}`, {
          cause,
        });
      });
    }
    await client.query('INSERT INTO schema_migration (version, name) VALUES ($1, $2)', [version, name]);
  });
}
