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

/** How many rows of a table are looked at to know how long a row is. */
const sampledRows = 200;
/** The header of a row and its pointer in the page. */
const rowOverheadBytes = 28;
/** In a short table, the pages that an index has at least say nothing. */
const indexShareMax = 3;

/**
 * The rows of the environment, each as long as some of its rows are on average, with the share of the table's indexes. What was deleted counts
 * no more, even if the files of the table are as long as before.
 */
function storageStatement(tables: readonly string[]): Statement<StoredSize> {
  const parts = tables.map(
    (name) => `SELECT '${name}'::regclass AS name, count(*) AS own, (SELECT avg(pg_column_size(s.*))
       FROM (SELECT x.* FROM ${name} x WHERE ${ofTenant('x')} LIMIT ${sampledRows}) s) AS width FROM ${name} t WHERE ${ofTenant('t')}`,
  );
  const indexShare = `least(${indexShareMax}, coalesce(pg_indexes_size(n.name)::numeric / nullif(pg_relation_size(n.name), 0), 1))`;
  return memoizedText(
    'usage/storage',
    `SELECT coalesce(sum(n.own), 0)::bigint AS rows,
       coalesce(sum(n.own * (n.width + ${rowOverheadBytes}) * (1 + ${indexShare})), 0)::bigint AS bytes
     FROM (${parts.join(' UNION ALL ')}) n WHERE n.own > 0`,
  );
}

export interface StoredSize {
  readonly rows: number;
  readonly bytes: number;
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

  /** The rows of the environment, and an estimate of the bytes that they take on disk, their indexes included. */
  async estimateSize(): Promise<StoredSize> {
    const names = (await this.#run(listTables, [])).rows.map(({ name }) => name);
    const { rows } = await this.#run(storageStatement(names), this.#tenant);
    return defined(rows[0], 'summing returns one row');
  }
}
