// The style in which a database writes dates is a setting that it, or the role, may have. Dates are read as ISO 8601 writes them.

import pg from 'pg';
import { defined } from '../../kit/assert.ts';
import { DatabaseUnfit } from './roles.ts';

const askStyle = `SELECT current_setting('DateStyle') AS style, current_user AS login, current_database() AS database`;

/** What is wrong with the style of dates, if anything is. */
export async function findDateStyleFault(client: pg.Client): Promise<DatabaseUnfit | undefined> {
  const { rows } = await client.query<{ style: string; login: string; database: string }>(askStyle);
  const { style, login, database } = defined(rows[0], 'settings are one row');
  if (style.startsWith('ISO')) return undefined;
  const [role, name] = [pg.escapeIdentifier(login), pg.escapeIdentifier(database)];
  return new DatabaseUnfit(
    `The database writes dates in the style ${style}, which cannot be read. Run ALTER ROLE ${role} IN DATABASE ${name} SET DateStyle = 'ISO';`,
  );
}
