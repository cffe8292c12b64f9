// Requests that are sent again under an Idempotency-Key, and what of their answers can be compared.

import type { Reply } from './caller.ts';
import type { TestDatabase } from '../node/test-service.ts';
import { runSql } from '../database/sql.ts';

let keys = 0;

export function newKey(): string {
  return `key-${keys++}`;
}

export function under(key: string): Record<string, string> {
  return { 'idempotency-key': key };
}

/** An answer without what belongs to each request alone. */
export function answerOf({ status, headers, text }: Reply): object {
  const own = ['x-request-id', 'ratelimit', 'date', 'idempotent-replayed'];
  return { status, text, headers: [...headers].filter(([name]) => !own.includes(name)) };
}

export async function countClients(database: TestDatabase): Promise<number> {
  return Number((await runSql<{ count: string }>(database, 'SELECT count(*) FROM client'))[0]!.count);
}
