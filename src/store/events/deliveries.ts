// Deliveries for those who read them: their attempts, how many are pending or were given up, and queueing them again.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { DeliveryAttempt } from '../../model/event/delivery.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import type { DropResult } from '../access/retention.ts';
import { enqueueDeliveries } from './event-fanout.ts';
import { dropLeftoverDeliveries } from './leftover-deliveries.ts';
import { sql } from '../postgres/statement.ts';

/** How many attempts of a delivery are shown. */
const attemptsShownMax = 100;

interface DeliveryCount {
  readonly webhook: Id;
  readonly pending: number;
  readonly dead: number;
  readonly oldestPendingAt: number | null;
  readonly newestDeadAt: number | null;
}

interface NewDelivery {
  readonly id: Id;
  readonly client: Id | null;
  readonly webhook: Id;
  readonly event: Id;
}

const listAttempts = sql<DeliveryAttempt & { delivery: Id }>(
  'deliveries/attempts',
  `SELECT a.* FROM unnest($3::text[]) d (id) CROSS JOIN LATERAL (
     (SELECT a.delivery_id AS delivery, a.number, a.at, a.status, a.error, a.duration_ms AS "durationMs", a.answer
       FROM delivery_attempt a WHERE a.workspace_id = $1 AND a.environment = $2 AND a.delivery_id = d.id
       ORDER BY a.number DESC LIMIT ${attemptsShownMax})
     UNION ALL SELECT x.id, x.attempt_count, x.attempt_at, x.attempt_status, NULL, x.attempt_ms, x.attempt_answer FROM delivery x
       WHERE x.workspace_id = $1 AND x.environment = $2 AND x.id = d.id AND x.attempt_at IS NOT NULL
     ORDER BY number DESC LIMIT ${attemptsShownMax}) a
   ORDER BY a.delivery, a.number`,
);

const count = sql<DeliveryCount>(
  'deliveries/count',
  `SELECT w.id AS webhook, p.count AS pending, p.at AS "oldestPendingAt", d.count AS dead, d.at AS "newestDeadAt"
   FROM unnest($3::text[]) w (id)
   CROSS JOIN LATERAL (SELECT count(*), min(created_at) AS at FROM delivery WHERE workspace_id = $1 AND environment = $2
     AND webhook_id = w.id AND state = 'pending') p
   CROSS JOIN LATERAL (SELECT count(*), max(ended_at) AS at FROM delivery WHERE workspace_id = $1 AND environment = $2
     AND webhook_id = w.id AND state = 'dead') d`,
);

const insert = sql(
  'deliveries/insert',
  `INSERT INTO delivery (workspace_id, environment, id, client_id, webhook_id, event_id, order_key, number, state, created_at)
   VALUES ($1, $2, $3, $4, $5, $6, $3, 0, 'pending', $7)`,
);

/** Queues a delivery again, with a new day of attempts. */
const requeue = (orderKey: string, moment: string): string =>
  `UPDATE delivery d SET state = 'pending', order_key = ${orderKey}, replayed_at = ${moment}, first_attempt_at = NULL,
     next_attempt_at = NULL, ended_at = NULL, attempt_at = NULL, attempt_status = NULL, attempt_ms = NULL, attempt_answer = NULL`;
const isOver = `d.workspace_id = $1 AND d.environment = $2 AND d.state <> 'pending'`;
type QueuedDelivery = { orderKey: string; webhook: Id; client: Id | null };
const returning = 'RETURNING d.order_key AS "orderKey", d.webhook_id AS webhook, d.client_id AS client';

/**
 * Gives the delivery a queue of its own, so that it waits for no other and no other waits for it. The attempt that delivered it becomes one
 * of those before.
 */
const replayOne = sql<QueuedDelivery>(
  'deliveries/replay',
  `WITH noted AS (INSERT INTO delivery_attempt (workspace_id, environment, delivery_id, number, client_id, at, status, duration_ms, answer)
     SELECT $1, $2, d.id, d.attempt_count, d.client_id, d.attempt_at, d.attempt_status, d.attempt_ms, d.attempt_answer FROM delivery d
     WHERE ${isOver} AND d.id = $3 AND d.attempt_at IS NOT NULL ON CONFLICT DO NOTHING)
   ${requeue('d.id', '$4')} WHERE ${isOver} AND d.id = $3 ${returning}`,
);
/**
 * Queues the dead letters of a client in their order, beside its new events: neither wait for the other. Looks up each event, and names the
 * keys as an array, so that the planner goes by whole keys whatever its statistics say.
 */
const replayDead = sql<QueuedDelivery>(
  'deliveries/replay-dead',
  `WITH dead AS MATERIALIZED (SELECT x.id, x.event_id FROM delivery x WHERE x.workspace_id = $1 AND x.environment = $2
       AND x.webhook_id = $3 AND x.state = 'dead' AND x.ended_at >= $4 ORDER BY x.ended_at, x.id LIMIT $5),
     queued AS MATERIALIZED (SELECT x.id, CASE WHEN e.id IS NULL THEN x.id ELSE 'replay ' || coalesce(e.client_id, '') END AS order_key
       FROM dead x LEFT JOIN LATERAL (SELECT e.id, e.client_id FROM event e WHERE e.workspace_id = $1 AND e.environment = $2
         AND e.id = x.event_id LIMIT 1) e ON true)
   ${requeue('x.order_key', '$6')} FROM queued x
   WHERE ${isOver} AND d.id = ANY (ARRAY(SELECT id FROM queued)) AND d.id = x.id ${returning}`,
);

export class DeliveryTable {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  /** Lists the attempts of each delivery, the oldest first. */
  async listAttempts(deliveries: readonly Id[]): Promise<ReadonlyMap<Id, readonly DeliveryAttempt[]>> {
    const { rows } = await this.#run(listAttempts, [...this.#tenant, deliveries]);
    const found = new Map<Id, DeliveryAttempt[]>(deliveries.map((id) => [id, []]));
    for (const { delivery, ...attempt } of rows)
      defined(found.get(delivery), 'only attempts of these deliveries are selected').push(attempt);
    return found;
  }

  async count(webhooks: readonly Id[]): Promise<readonly DeliveryCount[]> {
    return (await this.#run(count, [...this.#tenant, webhooks])).rows;
  }

  /** Queues a delivery of its own order. Sends the statement with the next batch. */
  put({ id, client, webhook, event }: NewDelivery, now: number): void {
    this.#run.enqueue(insert, [...this.#tenant, id, client, webhook, event, new Date(now)]);
    this.#enqueue([{ orderKey: id, webhook, client }], now);
  }

  /** Returns false where the delivery was pending already. */
  async replay(id: string, now: number): Promise<boolean> {
    const { rows } = await this.#run(replayOne, [...this.#tenant, id, new Date(now)]);
    this.#enqueue(rows, now);
    return rows.length > 0;
  }

  /** Queues dead letters since a moment, up to a limit, the first that were given up first. Returns how many. */
  async replayDead(webhook: Id, { since, limit, now }: { since: number; limit: number; now: number }): Promise<number> {
    const { rows } = await this.#run(replayDead, [...this.#tenant, webhook, new Date(since), limit, new Date(now)]);
    this.#enqueue(rows, now);
    return rows.length;
  }

  /** Deletes some of those that a deleted webhook has left. */
  dropLeftovers(webhook: Id): Promise<DropResult> {
    return dropLeftoverDeliveries(this.#run, this.#tenant, webhook);
  }

  #enqueue(rows: readonly QueuedDelivery[], now: number): void {
    if (rows.length === 0) return;
    const queues = [...new Map(rows.map((row) => [row.orderKey, row])).values()];
    this.#run.enqueue(enqueueDeliveries, [
      ...this.#tenant,
      new Date(now),
      queues.map(({ webhook }) => webhook),
      queues.map(({ orderKey }) => orderKey),
      queues.map(({ client }) => client),
    ]);
  }
}
