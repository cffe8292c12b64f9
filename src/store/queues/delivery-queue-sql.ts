// The SQL of delivery queues: taking them, reading what is next in them, recording attempts, and handing them back.

import type { Id } from '../../kit/id.ts';
import { sql } from '../postgres/statement.ts';
import type {
  AttemptResult,
  DeliveryQueueKey,
  DeliveryTarget,
  NextDelivery,
  QueueOutcome,
} from './delivery-queue-types.ts';

/**
 * How many deliveries of a queue are read when it is taken, and how many when its holder takes it again. Most queues hold one or two,
 * and a failing one needs no more than the first.
 */
export const nextDeliveriesMax = { atFirst: 5, later: 20 };

/**
 * Joins the rows that a row names, as a lateral subquery of their own: so the planner looks them up by their whole key, whatever its
 * statistics say about the table.
 */
const lookUp = (columns: string, from: string, where: string): string =>
  `CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE workspace_id = $1 AND environment = $2 AND ${where})`;
const isQueueOfRow = 'webhook_id = a.webhook_id AND lane = a.order_key';
/** Restricts an update to the queues of some rows. Names the keys as arrays as well, so that the planner goes by the whole key here too. */
const queuesOfRows = (rows: string): string => `l.workspace_id = $1 AND l.environment = $2
  AND l.webhook_id = ANY (ARRAY(SELECT webhook_id ${rows})) AND l.lane = ANY (ARRAY(SELECT order_key ${rows}))
  AND l.webhook_id = r.webhook_id AND l.lane = r.order_key`;
const queuesWithFate = (fate: string): string =>
  `${queuesOfRows(`FROM done WHERE fate = '${fate}'`)} AND r.fate = '${fate}'`;

export interface TakenRow extends DeliveryTarget, DeliveryQueueKey {
  readonly holder: Id;
  readonly queued: number;
}

/** Locks queues in the order in which they are passed. */
export const takeQueues = sql<TakenRow>(
  'webhook-lanes/take',
  `WITH free AS MATERIALIZED (SELECT a.webhook_id, a.order_key, coalesce(a.holder, $6) AS by, w.*
       FROM unnest($3::text[], $4::text[], $5::text[]) a (webhook_id, order_key, holder)
       ${lookUp('url, scheme, secret_sealed, previous_secret_sealed, previous_secret_until', 'webhook', "id = a.webhook_id AND state = 'enabled' LIMIT 1")} w
       ${lookUp('1', 'webhook_lane', `${isQueueOfRow} AND (holder = a.holder OR a.holder IS NULL AND due_at <= $7) FOR NO KEY UPDATE`)} l)
   UPDATE webhook_lane l SET holder = r.by, due_at = $8 FROM free r WHERE ${queuesOfRows('FROM free')}
   RETURNING l.webhook_id AS webhook, l.lane AS "orderKey", l.holder, l.queued, r.url, r.scheme, r.secret_sealed AS "secretSealed",
     r.previous_secret_sealed AS "previousSecretSealed", r.previous_secret_until AS "previousSecretUntil"`,
);

export type NextDeliveryRow = NextDelivery & DeliveryQueueKey;

export const listNextDeliveries = sql<NextDeliveryRow>(
  'webhook-lanes/heads',
  `SELECT a.webhook_id AS webhook, a.order_key AS "orderKey", d.id AS delivery, d.attempt_count AS "attemptCount",
     coalesce(d.replayed_at, d.created_at) AS "readyAt", e.id, e.type, e.client_id AS client, e.created_at AS "createdAt", e.data,
     e.transaction_id AS "transactionId", e.transaction_version AS "transactionVersion"
   FROM unnest($3::text[], $4::text[], $5::text[]) a (webhook_id, order_key, holder) 
   ${lookUp('1', 'webhook_lane', `${isQueueOfRow} AND holder = coalesce(a.holder, $6) LIMIT 1`)} l
   ${lookUp(
     '*',
     'delivery',
     `${isQueueOfRow} AND state = 'pending' ORDER BY number, event_id
     LIMIT CASE WHEN a.holder IS NULL THEN ${nextDeliveriesMax.atFirst} ELSE ${nextDeliveriesMax.later} END`,
   )} d
   ${lookUp('*', 'event', 'id = d.event_id LIMIT 1')} e
   ORDER BY a.webhook_id, a.order_key, d.number, d.event_id`,
);

/** The columns of an attempt. Attempts are passed as one JSON array, so that each value has its name. */
const attemptColumns = {
  webhook_id: 'text',
  order_key: 'text',
  holder: 'text',
  delivery_id: 'text',
  state: 'text',
  at: 'timestamptz',
  next_attempt_at: 'timestamptz',
  ended_at: 'timestamptz',
  status: 'int',
  error: 'text',
  duration_ms: 'int',
  answer: 'text',
  url: 'text',
  queued: 'bigint',
} as const;
const attemptRecord = Object.entries(attemptColumns).map(([column, type]) => `${column} ${type}`);

/** Passes `queued` with the last delivery of a queue only: where the queue still has the same count, nothing has come into it since. */
export function attemptRow(result: AttemptResult): Record<keyof typeof attemptColumns, string | number | null> {
  const { takenQueue, delivery, state, at, nextAttemptAt, endedAt, isLast } = result;
  const { status, error, durationMs, answer } = result;
  return {
    webhook_id: takenQueue.webhook,
    order_key: takenQueue.orderKey,
    holder: takenQueue.holder,
    delivery_id: delivery,
    state,
    at: instantText(at),
    next_attempt_at: instantText(nextAttemptAt),
    ended_at: state === 'pending' ? null : instantText(endedAt),
    status,
    error,
    duration_ms: durationMs,
    answer,
    url: takenQueue.target.url,
    queued: isLast && state !== 'pending' ? takenQueue.queued : null,
  };
}

export interface FinishedRow {
  readonly delivery: Id;
  readonly after: QueueOutcome;
}

/**
 * Finds the deliveries by their ids and by `ended_at`, which is null while they are pending: by their state, the planner would look for
 * them among the pending ones of all queues.
 */
export const finishAttempts = sql<FinishedRow>(
  'webhook-lanes/settle',
  `WITH held AS MATERIALIZED (SELECT a.*, CASE WHEN a.state = 'pending' THEN 'waiting' WHEN l.queued = a.queued THEN 'empty'
         WHEN a.queued IS NOT NULL THEN 'refilled' WHEN l.due_at < $5 THEN 'prolonged' ELSE 'kept' END AS fate
       FROM jsonb_to_recordset($3::jsonb) a (${attemptRecord.join(', ')})
       ${lookUp('queued, due_at', 'webhook_lane', `${isQueueOfRow} AND holder = a.holder FOR NO KEY UPDATE`)} l),
     done AS (UPDATE delivery d SET state = h.state, attempt_count = d.attempt_count + 1,
         first_attempt_at = coalesce(d.first_attempt_at, h.at), next_attempt_at = h.next_attempt_at, ended_at = h.ended_at
       FROM held h WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY (ARRAY(SELECT delivery_id FROM held)) AND d.id = h.delivery_id
         AND d.ended_at IS NULL RETURNING h.*, d.client_id, d.attempt_count),
     noted AS (INSERT INTO delivery_attempt (workspace_id, environment, delivery_id, number, client_id, at, status, error,
         duration_ms, answer)
       SELECT $1, $2, delivery_id, attempt_count, client_id, at, status, error, duration_ms, answer FROM done),
     emptied AS (DELETE FROM webhook_lane l USING done r WHERE ${queuesWithFate('empty')}),
     waiting AS (UPDATE webhook_lane l SET holder = NULL, due_at = r.next_attempt_at FROM done r WHERE ${queuesWithFate('waiting')}),
     refilled AS (UPDATE webhook_lane l SET holder = NULL, due_at = r.ended_at FROM done r WHERE ${queuesWithFate('refilled')}),
     prolonged AS (UPDATE webhook_lane l SET due_at = $4 FROM done r WHERE ${queuesWithFate('prolonged')})
   SELECT r.delivery_id AS delivery, CASE WHEN r.fate IN ('waiting', 'empty', 'refilled') THEN r.fate
     WHEN w.state = 'enabled' AND w.url = r.url THEN 'open' ELSE 'closed' END AS after
   FROM done r ${lookUp('state, url', 'webhook', 'id = r.webhook_id LIMIT 1')} w`,
);

const isOneQueue = 'l.workspace_id = $1 AND l.environment = $2 AND l.webhook_id = $3 AND l.lane = $4';
export const deleteEmptyQueue = sql(
  'webhook-lanes/leave-empty',
  `DELETE FROM webhook_lane l WHERE ${isOneQueue} AND l.holder = $5 AND l.queued = $6`,
);
export const releaseQueue = sql(
  'webhook-lanes/leave',
  `UPDATE webhook_lane l SET holder = NULL, due_at = $6 WHERE ${isOneQueue} AND l.holder = $5`,
);

/** How many deliveries one statement gives up. */
export const overdueMax = 1_000;

/** Gives up the first deliveries of a queue, as far as they were ready before a moment. Changes nothing where the lease was lost. */
export const giveUpOverdue = sql(
  'webhook-lanes/give-up',
  `WITH held AS MATERIALIZED (SELECT FROM webhook_lane l WHERE ${isOneQueue} AND l.holder = $5 FOR NO KEY UPDATE),
     next AS MATERIALIZED (SELECT d.id, coalesce(d.replayed_at, d.created_at) AS ready_at FROM delivery d WHERE d.workspace_id = $1
       AND d.environment = $2 AND d.webhook_id = $3 AND d.lane = $4 AND d.state = 'pending' AND EXISTS (SELECT FROM held)
       ORDER BY d.number, d.event_id LIMIT ${overdueMax})
   UPDATE delivery d SET state = 'dead', next_attempt_at = NULL, ended_at = $7 FROM next n
   WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY (ARRAY(SELECT id FROM next)) AND d.id = n.id
     AND n.ready_at <= $6 AND d.ended_at IS NULL`,
);

function instantText(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}
