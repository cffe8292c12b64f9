// The SQL of delivery queues: taking them, reading what is next in them, recording attempts, and handing them back.

import type { Id } from '../../kit/id.ts';
import { sql, type Value } from '../postgres/statement.ts';
import { plainArrayText } from '../postgres/text-format.ts';
import type { DeliveryQueueKey, DeliveryTarget, NextDelivery, QueueAttempts } from './delivery-queue-types.ts';

/** How many deliveries of a queue are read when it is taken. Most queues hold one or two. */
export const nextDeliveriesMax = 20;

/**
 * Joins the rows that a row names, as a lateral subquery of their own: so the planner looks them up by their whole key, whatever its
 * statistics say about the table.
 */
const lookUp = (columns: string, from: string, where: string): string =>
  `CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE workspace_id = $1 AND environment = $2 AND ${where})`;
const isQueueOfRow = 'webhook_id = a.webhook_id AND order_key = a.order_key';
/** One queue by its whole key. A statement for each: for several, the planner would search all queues of the tenant. */
const isOneQueue = 'l.workspace_id = $1 AND l.environment = $2 AND l.webhook_id = $3 AND l.order_key = $4';

export interface TakenRow {
  readonly queued: number;
}

const takeQueue = (condition: string): string =>
  `UPDATE delivery_queue l SET holder = $5, due_at = $6 WHERE ${isOneQueue} AND ${condition} AND EXISTS (SELECT FROM webhook w
     WHERE w.workspace_id = $1 AND w.environment = $2 AND w.id = $3 AND w.state = 'enabled') RETURNING l.queued`;
/** `IS TRUE` keeps the planner from going through all queues that are due. */
export const takeDueQueue = sql<TakenRow>('delivery-queues/take', takeQueue('(l.due_at <= $7) IS TRUE'));
export const keepQueue = sql<TakenRow>('delivery-queues/keep', takeQueue('l.holder = $5'));

/** The version of the hierarchy in which a client was last moved. */
const movedVersion = `(SELECT e.moved_version FROM environment e WHERE e.workspace_id = $1 AND e.environment = $2) AS "movedVersion"`;

export type TargetRow = DeliveryTarget & { readonly webhook: Id };

export const listTargets = sql<TargetRow>(
  'delivery-queues/targets',
  `SELECT w.*, ${movedVersion} FROM unnest($3::text[]) a (id) ${lookUp(
    `id AS webhook, url, scheme, secret_sealed AS "secretSealed", previous_secret_sealed AS "previousSecretSealed",
     previous_secret_until AS "previousSecretUntil"`,
    'webhook',
    'id = a.id LIMIT 1',
  )} w`,
);

/**
 * Says that what follows in the transaction reads rows in the order of an index where there is one. A planner that does not know yet how
 * many deliveries a tenant has would rather read all of them for each queue, and sort them.
 */
export const preferIndexOrder = sql('delivery-queues/index-order', `SELECT set_config('enable_sort', 'off', true)`);

/** Whether the client of an event is no longer that of the webhook, or below it. */
const isMovedAway = `d.client_id IS NOT NULL AND EXISTS (SELECT FROM client c WHERE c.workspace_id = $1 AND c.environment = $2
     AND c.id = e.client_id AND d.client_id <> ALL (c.path))`;

export type NextDeliveryRow = NextDelivery & DeliveryQueueKey;

export const listNextDeliveries = sql<NextDeliveryRow>(
  'delivery-queues/heads',
  `SELECT a.webhook_id AS webhook, a.order_key AS "orderKey", d.id AS delivery, d.attempt_count AS "attemptCount",
     coalesce(d.replayed_at, d.created_at) AS "readyAt", e.id, e.type, e.client_id AS client, e.created_at AS "createdAt", e.data,
     e.transaction_id AS "transactionId", e.transaction_version AS "transactionVersion", e.trace AS traceparent, ${isMovedAway} AS "isMovedAway"
   FROM unnest($3::text[], $4::text[], $5::text[]) a (webhook_id, order_key, holder)
   ${lookUp('1', 'delivery_queue', `${isQueueOfRow} AND holder = a.holder LIMIT 1`)} l
   ${lookUp('*', 'delivery', `${isQueueOfRow} AND state = 'pending' ORDER BY number, event_id LIMIT ${nextDeliveriesMax}`)} d
   ${lookUp('*', 'event', 'id = d.event_id LIMIT 1')} e
   ORDER BY a.webhook_id, a.order_key, d.number, d.event_id`,
);

/** The columns of attempts, each passed as an array. `queue` says which of the queues of the statement they are of, counted from 1. */
const attemptColumns = {
  queue: 'int',
  delivery_id: 'text',
  state: 'text',
  at: 'timestamptz',
  next_attempt_at: 'timestamptz',
  ended_at: 'timestamptz',
  status: 'int',
  error: 'text',
  duration_ms: 'int',
  answer: 'text',
} as const;
const attemptArrays = Object.values(attemptColumns).map((type, index) => `$${index + 6}::${type}[]`);

/** The values of the statement that records attempts, after those of the tenant. */
export function recordValues(queues: readonly QueueAttempts[]): Value[] {
  const attempts = queues.flatMap((one) => one.attempts);
  const columns: Record<keyof typeof attemptColumns, Value> = {
    queue: plainArrayText(queues.flatMap((one, index) => one.attempts.map(() => index + 1))),
    delivery_id: plainArrayText(attempts.map(({ delivery }) => delivery)),
    state: plainArrayText(attempts.map(({ state }) => state)),
    at: plainArrayText(attempts.map(({ at }) => instantText(at))),
    next_attempt_at: plainArrayText(attempts.map(({ nextAttemptAt }) => instantText(nextAttemptAt))),
    ended_at: plainArrayText(attempts.map(({ state, endedAt }) => instantText(state === 'pending' ? null : endedAt))),
    status: plainArrayText(attempts.map(({ status }) => status ?? 'NULL')),
    error: attempts.map(({ error }) => error),
    duration_ms: plainArrayText(attempts.map(({ durationMs }) => durationMs)),
    answer: attempts.map(({ answer }) => answer),
  };
  return [
    queues.map(({ takenQueue }) => takenQueue.webhook),
    queues.map(({ takenQueue }) => takenQueue.orderKey),
    queues.map(({ takenQueue }) => takenQueue.holder),
    ...Object.values(columns),
  ];
}

export interface RecordedRow {
  readonly queue: number;
}

/** The attempt that delivers is a part of its delivery. */
const ifDelivered = (column: string): string => `CASE WHEN h.state = 'delivered' THEN h.${column} END`;

/**
 * Says that what follows in the transaction joins whole sets of rows. A planner that does not know yet how many deliveries a tenant has would
 * compare each of those that are recorded with each attempt.
 */
export const preferSets = sql('delivery-queues/sets', `SELECT set_config('enable_nestloop', 'off', true)`);

/**
 * Records attempts of queues that their holder still has, and locks these queues. Returns these queues. Finds the deliveries by their ids and
 * by `ended_at`, which is null while they are pending: by their state, the planner would look for them among the pending ones of all queues.
 */
export const recordAttempts = sql<RecordedRow>(
  'delivery-queues/record',
  `WITH held AS MATERIALIZED (SELECT a.queue FROM unnest($3::text[], $4::text[], $5::text[]) WITH ORDINALITY a (webhook_id, order_key, holder, queue)
       ${lookUp('1', 'delivery_queue', `${isQueueOfRow} AND holder = a.holder FOR NO KEY UPDATE`)} l),
     attempt AS MATERIALIZED (SELECT a.* FROM unnest(${attemptArrays.join(', ')}) a (${Object.keys(attemptColumns).join(', ')})
       WHERE a.queue IN (SELECT queue FROM held)),
     done AS (UPDATE delivery d SET state = h.state, attempt_count = d.attempt_count + 1,
         first_attempt_at = coalesce(d.first_attempt_at, h.at), next_attempt_at = h.next_attempt_at, ended_at = h.ended_at,
         attempt_at = ${ifDelivered('at')}, attempt_status = ${ifDelivered('status')}, attempt_ms = ${ifDelivered('duration_ms')},
         attempt_answer = ${ifDelivered('answer')}
       FROM attempt h WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY (ARRAY(SELECT delivery_id FROM attempt)) AND d.id = h.delivery_id
         AND d.ended_at IS NULL RETURNING h.*, d.client_id, d.attempt_count),
     noted AS (INSERT INTO delivery_attempt (workspace_id, environment, delivery_id, number, client_id, at, status, error,
         duration_ms, answer)
       SELECT $1, $2, delivery_id, attempt_count, client_id, at, status, error, duration_ms, answer FROM done
       WHERE state <> 'delivered' RETURNING 1)
   SELECT DISTINCT queue FROM done`,
);

export interface OpenUrlRow extends Pick<DeliveryTarget, 'url' | 'movedVersion'> {
  readonly webhook: Id;
}

/** The webhooks that are enabled, with their URLs. */
export const listOpenUrls = sql<OpenUrlRow>(
  'delivery-queues/open',
  `SELECT w.*, ${movedVersion} FROM unnest($3::text[]) a (id) ${lookUp('id AS webhook, url', 'webhook', "id = a.id AND state = 'enabled' LIMIT 1")} w`,
);

/** Where the queue still has the same count, nothing has come into it since. */
export const deleteEmptyQueue = sql(
  'delivery-queues/leave-empty',
  `DELETE FROM delivery_queue l WHERE ${isOneQueue} AND l.holder = $5 AND l.queued = $6`,
);
export const releaseQueue = sql(
  'delivery-queues/leave',
  `UPDATE delivery_queue l SET holder = NULL, due_at = $6 WHERE ${isOneQueue} AND l.holder = $5`,
);
export const prolongLease = sql(
  'delivery-queues/prolong',
  `UPDATE delivery_queue l SET due_at = $6 WHERE ${isOneQueue} AND l.holder = $5`,
);

/** How many deliveries one statement gives up. */
export const overdueMax = 1_000;

/** Gives up the first deliveries of a queue, as far as they were ready before a moment. Changes nothing where the lease was lost. */
export const giveUpOverdue = sql(
  'delivery-queues/give-up',
  `WITH held AS MATERIALIZED (SELECT FROM delivery_queue l WHERE ${isOneQueue} AND l.holder = $5 FOR NO KEY UPDATE),
     next AS MATERIALIZED (SELECT d.id, coalesce(d.replayed_at, d.created_at) AS ready_at FROM delivery d WHERE d.workspace_id = $1
       AND d.environment = $2 AND d.webhook_id = $3 AND d.order_key = $4 AND d.state = 'pending' AND EXISTS (SELECT FROM held)
       ORDER BY d.number, d.event_id LIMIT ${overdueMax})
   UPDATE delivery d SET state = 'dead', next_attempt_at = NULL, ended_at = $7 FROM next n
   WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY (ARRAY(SELECT id FROM next)) AND d.id = n.id
     AND n.ready_at <= $6 AND d.ended_at IS NULL`,
);

function instantText(moment: number | null): string {
  return moment === null ? 'NULL' : new Date(moment).toISOString();
}
