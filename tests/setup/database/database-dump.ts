// Dumps a whole database as text, so that a test can show that something is not in it.

import type { TestDatabase } from './test-database.ts';
import { runSql } from './sql.ts';

/** Every row of every table; bytes appear in hexadecimal. */
export async function dumpDatabase(database: TestDatabase): Promise<string> {
  const tables = await runSql<{ name: string }>(
    database,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const texts = await Promise.all(
    tables.map(({ name }) => runSql<{ row: string }>(database, `SELECT t::text AS row FROM ${name} t`)),
  );
  return texts.flatMap((rows) => rows.map(({ row }) => row)).join('\n');
}

/** The forms in which a secret could be stored without being encrypted or hashed. */
export function plainEncodings(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')];
}
