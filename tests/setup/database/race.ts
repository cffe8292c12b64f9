// Runs two requests at the same time, in an order that a lock decides, and finds references to missing rows afterwards.

import { LockHolder, runOnServers } from './database-parts.ts';
import type { TestDatabase } from './test-database.ts';
import { runSql } from './sql.ts';

type Task<T> = () => Promise<T>;

/**
 * Holds the first request just before it writes to the audit log, starts the second, and releases the first once the second waits
 * for it or has finished.
 */
export async function runInLockOrder<A, B>(
  database: TestDatabase,
  first: Task<A>,
  second: Task<B>,
): Promise<[first: A, second: B]> {
  const lockHolder = await LockHolder.open(database);
  await lockHolder.query('LOCK TABLE audit_entry IN SHARE MODE');
  const firstRun = first();
  await waitUntilBlocked(database, [firstRun]);
  const secondRun = second();
  await waitUntilBlocked(database, [firstRun, secondRun]);
  await lockHolder.release();
  return Promise.all([firstRun, secondRun]);
}

/** Waits until each of these requests waits for a lock or has finished. */
async function waitUntilBlocked(database: TestDatabase, tasks: readonly Promise<unknown>[]): Promise<void> {
  const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  const finished = new Set<Promise<unknown>>();
  for (const task of tasks) void task.catch(() => {}).then(() => finished.add(task));
  while ((await runOnServers(database, text)).length < tasks.length - finished.size);
}

/** Every column that refers to a row, with the table that it refers to. */
const references = [
  ['client', 'parent_id', 'client'],
  ['credential', 'scoped_to_id', 'client'],
  ['legal_entity', 'client_id', 'client'],
  ['reporting_entity', 'client_id', 'client'],
  ['account', 'client_id', 'client'],
  ['account', 'legal_entity_id', 'legal_entity'],
  ['account', 'custodian_id', 'custodian'],
  ['depository', 'client_id', 'client'],
  ['depository', 'legal_entity_id', 'legal_entity'],
  ['portfolio', 'client_id', 'client'],
  ['portfolio', 'reporting_entity_id', 'reporting_entity'],
  ['instrument_class', 'parent_id', 'instrument_class'],
  ['instrument', 'client_id', 'client'],
  ['instrument', 'reporting_entity_id', 'reporting_entity'],
  ['instrument', 'instrument_class_id', 'instrument_class'],
  ['instrument_word', 'instrument_id', 'instrument'],
  ['account_depository', 'account_id', 'account'],
  ['account_depository', 'depository_id', 'depository'],
  ['portfolio_account', 'portfolio_id', 'portfolio'],
  ['portfolio_account', 'account_id', 'account'],
  ['portfolio_depository', 'portfolio_id', 'portfolio'],
  ['portfolio_depository', 'depository_id', 'depository'],
  ['membership', 'client_id', 'client'],
  ['membership', 'person_id', 'person'],
  ['read_grant', 'person_id', 'person'],
  ['read_grant', 'reporting_entity_id', 'reporting_entity'],
  ['invite', 'client_id', 'client'],
  ['person_identity', 'person_id', 'person'],
  ['workspace_administrator', 'person_id', 'person'],
] as const;

/** Those of the ledger and of series, of which only current rows must be found. No foreign key keeps them. */
const ledgerReferences = [
  ['transaction', 'client_id', 'client'],
  ['transaction', 'account_id', 'account'],
  ['transaction', 'counter_account_id', 'account'],
  ['transaction', 'depository_id', 'depository'],
  ['transaction', 'counter_depository_id', 'depository'],
  ['transaction', 'instrument_id', 'instrument'],
  ['transaction', 'target_instrument_id', 'instrument'],
  ['series_point', 'instrument_id', 'instrument'],
] as const;

const orphans = [
  ...references.map((reference) => [...reference, ''] as const),
  ...ledgerReferences.map((reference) => [...reference, 'known_until IS NULL AND'] as const),
]
  .map(
    ([table, column, target, isCurrent]) => `SELECT '${table}.${column}' AS place, ${column} AS id FROM ${table} t
      WHERE ${isCurrent} ${column} IS NOT NULL AND NOT EXISTS (SELECT FROM ${target} o
        WHERE o.workspace_id = t.workspace_id AND o.environment = t.environment AND o.id = t.${column})`,
  )
  .concat(
    `SELECT 'client.path', above FROM client t, unnest(path) above
      WHERE NOT EXISTS (SELECT FROM client o WHERE o.workspace_id = t.workspace_id AND o.id = above)`,
  )
  .join(' UNION ALL ');

/** Lists all references to missing rows, independently of the foreign keys of the schema. */
export function listOrphans(database: TestDatabase): Promise<object[]> {
  return runSql(database, orphans);
}
