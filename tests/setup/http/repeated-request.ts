// Repeats requests under an Idempotency-Key, and extracts the comparable parts of their answers.

import type { Reply } from './caller.ts';
import type { TestDatabase } from '../database/test-database.ts';
import { runSql } from '../database/sql.ts';

let keyCount = 0;

export function newIdempotencyKey(): string {
  return `key-${keyCount++}`;
}

export function idempotencyHeader(key: string): Record<string, string> {
  return { 'idempotency-key': key };
}

/** An answer without the parts that differ for each request. */
export function comparableAnswer({ status, headers, text }: Reply): object {
  const volatileHeaders = ['ratelimit', 'date', 'idempotent-replayed'];
  return { status, text, headers: [...headers].filter(([name]) => !volatileHeaders.includes(name)) };
}

export async function countClients(database: TestDatabase): Promise<number> {
  return Number((await runSql<{ count: string }>(database, 'SELECT count(*) FROM client'))[0]!.count);
}
