// The request log of an environment: lines are added in batches, counted by time and by caller, and deleted when they are old or too many.

import { fromDayNumber } from '../../kit/calendar-date.ts';
import { dayMs } from '../../kit/clock.ts';
import { firstIdAt } from '../../kit/id.ts';
import { requestLogLinesMax, type LoggedRequest } from '../../model/access/logged-request.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { ShippingDestination } from '../../model/operations/shipped-log.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, withoutOutcome } from '../postgres/statement.ts';
import { shippedToAll } from '../queues/log-shipments.ts';
import { dropBatchMax, type DropResult } from './retention.ts';

const columns =
  'id, at, method, route, path, status, outcome, code, duration_ms, credential_id, user_id, request_id, trace_id' as const;

/** One text for all lines: cheaper for the node to write than an array for each column. */
const insertLines = sql(
  'request-log/insert',
  withoutOutcome(`INSERT INTO request_log (workspace_id, environment, ${columns})
   SELECT $1, $2, ${columns} FROM json_to_recordset($3::json) AS line (id text, at timestamptz, method text, route text, path text,
     status int, outcome text, code text, duration_ms int, credential_id text, user_id text, request_id text, trace_id text)`),
);

const addCounts = sql(
  'request-log/count',
  `INSERT INTO request_count AS c (workspace_id, environment, day, requests, refused, failed) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, environment, day) DO UPDATE SET requests = c.requests + excluded.requests,
     refused = c.refused + excluded.refused, failed = c.failed + excluded.failed`,
);

const dropOldCounts = sql(
  'request-log/old-counts',
  'DELETE FROM request_count WHERE workspace_id = $1 AND environment = $2 AND day < $3',
);

/** Lines that are still to be shipped stay; `$4` are the destinations. */
const isShipped = `coalesce(r.number <= ${shippedToAll('requests', '$4')}, cardinality($4::text[]) = 0)`;
/** The newest line that is one too many. */
const lastSurplus = (linesMax: string): string => `(SELECT n.id FROM request_log n
     WHERE n.workspace_id = $1 AND n.environment = $2 ORDER BY n.id DESC OFFSET ${linesMax} LIMIT 1)`;

const dropSurplus = sql(
  'request-log/surplus',
  `DELETE FROM request_log r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.id <= ${lastSurplus('$3')} AND ${isShipped}`,
);

const dropOld = sql(
  'request-log/old',
  `DELETE FROM request_log r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.at < $3 AND ${isShipped}`,
);

/** What was held back for too long, or in too large a number: some of it, in the order of its numbers. */
const dropUnshipped = sql<{ number: number }>(
  'request-log/unshipped',
  `DELETE FROM request_log r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.id = ANY (ARRAY(
     SELECT l.id FROM request_log l WHERE l.workspace_id = $1 AND l.environment = $2 AND l.number IS NOT NULL
       AND (l.at < $3 OR l.id <= ${lastSurplus('$4')}) ORDER BY l.number LIMIT $5)) RETURNING r.number`,
);

const tenantLines = `FROM request_log t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id >= $3 AND t.at >= $4`;

const countBySlot = sql<RequestCounts & { slot: number }>(
  'request-log/slots',
  `SELECT floor(extract(epoch FROM t.at - $4::timestamptz) * 1000 / $5)::int AS slot, count(*)::int AS "requestCount",
     count(*) FILTER (WHERE t.user_id IS NULL)::int AS "applicationCount",
     count(*) FILTER (WHERE t.outcome = 'refused')::int AS "refusedCount",
     count(*) FILTER (WHERE t.outcome = 'failed')::int AS "failedCount",
     count(*) FILTER (WHERE t.code = 'budget-exceeded')::int AS "overBudgetCount"
   ${tenantLines} GROUP BY 1 ORDER BY 1`,
);

const countByCaller = sql<CallerCount>(
  'request-log/callers',
  `SELECT t.credential_id AS "credentialId", t.user_id AS "userId", count(*)::int AS "requestCount"
   ${tenantLines} GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT $5`,
);

export interface RequestCounts {
  readonly requestCount: number;
  /** Those of applications and keys, which share one budget. */
  readonly applicationCount: number;
  readonly refusedCount: number;
  readonly failedCount: number;
  /** Those that were refused because the budget was used up. */
  readonly overBudgetCount: number;
}

export interface CallerCount {
  readonly credentialId: string | null;
  readonly userId: string | null;
  readonly requestCount: number;
}

export class RequestLog {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** Sends the lines and their counts with the commit. */
  enqueueLines(lines: readonly LoggedRequest[]): void {
    const written = lines.map((line) => ({
      id: line.id,
      at: new Date(line.at).toISOString(),
      method: line.method,
      route: line.route,
      path: line.path,
      status: line.status,
      outcome: line.outcome,
      code: line.code,
      duration_ms: line.durationMs,
      credential_id: line.credentialId,
      user_id: line.userId,
      request_id: line.requestId,
      trace_id: line.traceId,
    }));
    this.#run.enqueue(insertLines, [...this.#tenant, JSON.stringify(written)]);
    // In the order of days, so that two nodes never wait for each other.
    for (const { day, requests, refused, failed } of countByDay(lines)) {
      this.#run.enqueue(addCounts, [...this.#tenant, day, requests, refused, failed]);
    }
  }

  /** Sends the deletion of all but the newest lines with the commit. */
  enqueueTrimming(shippedTo: readonly ShippingDestination[]): void {
    this.#run.enqueue(dropSurplus, [...this.#tenant, requestLogLinesMax, shippedTo]);
  }

  /** Deletes some lines that nobody will get any more, and returns how many, and the last of their numbers. */
  async dropUnshipped({ before, linesMax }: HeldLines): Promise<DropResult & { readonly lastNumber: number }> {
    const values = [...this.#tenant, new Date(before), linesMax, dropBatchMax];
    const { rows } = await this.#run(dropUnshipped, values);
    const lastNumber = rows.reduce((last, { number }) => Math.max(last, number), 0);
    return { count: rows.length, hasMore: rows.length === dropBatchMax, lastNumber };
  }

  /** How many were made in each slot of time since a moment; slots without any are left out. */
  async countBySlot(since: number, slotMs: number): Promise<readonly (RequestCounts & { slot: number })[]> {
    return (await this.#run(countBySlot, [...this.#tenant, firstIdAt(since), new Date(since), slotMs])).rows;
  }

  /** Who made the most since a moment. */
  async countByCaller(since: number, most: number): Promise<readonly CallerCount[]> {
    return (await this.#run(countByCaller, [...this.#tenant, firstIdAt(since), new Date(since), most])).rows;
  }
}

/** By UTC days, in their order. */
function countByDay(lines: readonly LoggedRequest[]) {
  const byDay = Map.groupBy(lines, ({ at }) => Math.floor(at / dayMs));
  const days = [...byDay].toSorted(([one], [other]) => one - other);
  return days.map(([day, own]) => {
    const count = (outcome: LoggedRequest['outcome']): number => own.filter((line) => line.outcome === outcome).length;
    return { day: fromDayNumber(day), requests: own.length, refused: count('refused'), failed: count('failed') };
  });
}

/** How long, and how many, lines are held back that were not shipped. */
export interface HeldLines {
  readonly before: number;
  readonly linesMax: number;
}

/** What of the requests is deleted: lines, and counts of days. */
export interface RequestCutoffs {
  readonly requestsBefore: number;
  readonly requestCountsBefore: number;
  /** Where lines are shipped to: those that are not shipped to all of them yet stay. */
  readonly requestsShippedTo: readonly ShippingDestination[];
}

/** Deletes lines that are old or too many and counts that are old, and returns how many. */
export async function dropOldRequests(
  run: Run,
  { workspaceId, environment }: Scope,
  { requestsBefore, requestCountsBefore, requestsShippedTo }: RequestCutoffs,
): Promise<number> {
  const old = await run(dropOld, [workspaceId, environment, new Date(requestsBefore), requestsShippedTo]);
  const counts = await run(dropOldCounts, [workspaceId, environment, new Date(requestCountsBefore)]);
  const surplus = await run(dropSurplus, [workspaceId, environment, requestLogLinesMax, requestsShippedTo]);
  return old.count + counts.count + surplus.count;
}
