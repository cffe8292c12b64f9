// What an environment holds and was asked in a month, for the operator.

import { defined } from '../../kit/assert.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoizedText, sql, type Statement } from '../postgres/statement.ts';

export interface MonthCounts {
  readonly clients: number;
  readonly transactions: number;
  /** Booked in the month, deleted since or not. */
  readonly bookedInMonth: number;
  readonly requests: number;
  readonly refusedRequests: number;
  readonly failedRequests: number;
  /** Delivered or given up in the month, as far as they are still kept. */
  readonly deliveries: number;
  readonly deadLetters: number;
}

const ofTenant = (alias: string): string => `${alias}.workspace_id = $1 AND ${alias}.environment = $2`;
const inMonth = (column: string): string => `${column} >= $3 AND ${column} < $4`;

const countMonth = sql<MonthCounts>(
  'usage/month',
  `SELECT (SELECT count(*) FROM client c WHERE ${ofTenant('c')}) AS clients, t.*, r.*, d.*
   FROM (SELECT count(*) FILTER (WHERE t.known_until IS NULL) AS transactions,
       count(DISTINCT t.id) FILTER (WHERE ${inMonth('t.created_at')}) AS "bookedInMonth" FROM transaction t WHERE ${ofTenant('t')}) t,
     (SELECT coalesce(sum(r.requests), 0)::bigint AS requests, coalesce(sum(r.refused), 0)::bigint AS "refusedRequests",
       coalesce(sum(r.failed), 0)::bigint AS "failedRequests" FROM request_count r
       WHERE ${ofTenant('r')} AND r.day >= ($3::timestamptz AT TIME ZONE 'UTC')::date AND r.day < ($4::timestamptz AT TIME ZONE 'UTC')::date) r,
     (SELECT count(*) FILTER (WHERE d.state = 'delivered') AS deliveries, count(*) FILTER (WHERE d.state = 'dead') AS "deadLetters"
       FROM delivery d JOIN webhook w ON ${ofTenant('w')} AND w.id = d.webhook_id WHERE ${ofTenant('d')} AND ${inMonth('d.ended_at')}) d`,
);

/** The tables that have rows of environments. */
const listTables = sql<{ name: string }>(
  'usage/tables',
  `SELECT c.relname::text AS name FROM pg_class c
   WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
     AND EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'environment' AND NOT a.attisdropped)
   ORDER BY c.relname`,
);

/**
 * The share of each table by the number of its rows: a row counts as many bytes as a row of the table takes on average, with its indexes.
 * How many rows a table has in all is what the statistics say, which is at least what the environment has.
 */
function storageStatement(tables: readonly string[]): Statement<{ bytes: number }> {
  const parts = tables.map(
    (name) => `SELECT '${name}'::regclass AS name, count(*) AS own FROM ${name} t WHERE ${ofTenant('t')}`,
  );
  return memoizedText(
    'usage/storage',
    `SELECT coalesce(sum(n.own * pg_total_relation_size(n.name) / greatest(n.own, s.n_live_tup, c.reltuples, 1)), 0)::bigint AS bytes
     FROM (${parts.join(' UNION ALL ')}) n JOIN pg_class c ON c.oid = n.name LEFT JOIN pg_stat_user_tables s ON s.relid = n.name
     WHERE n.own > 0`,
  );
}

export class Usage {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** From one moment up to another, which is not included. */
  async countMonth({ from, until }: { readonly from: number; readonly until: number }): Promise<MonthCounts> {
    const { rows } = await this.#run(countMonth, [...this.#tenant, new Date(from), new Date(until)]);
    return defined(rows[0], 'counting returns one row');
  }

  /** An estimate of the bytes that the rows of the environment take on disk, their indexes included. */
  async estimateBytes(): Promise<number> {
    const names = (await this.#run(listTables, [])).rows.map(({ name }) => name);
    const { rows } = await this.#run(storageStatement(names), this.#tenant);
    return defined(rows[0], 'summing returns one row').bytes;
  }
}
