// SQL straight into a test's database, past the service and both of its walls: to lay out what no path makes yet, and to
// look at what was really stored.

import pg from 'pg';
import type { TestDatabase } from './service.ts';

export async function runSql<Row extends object = Record<string, unknown>>(
  { url }: TestDatabase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(text, [...values])).rows;
  } finally {
    await client.end();
  }
}

export async function countAuditLines(database: TestDatabase): Promise<number> {
  const [row] = await runSql<{ count: string }>(database, 'SELECT count(*) FROM audit_entry');
  return Number(row!.count);
}
