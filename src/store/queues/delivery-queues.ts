// The lanes of webhooks: which are due, whose a lane is, and what became of what was delivered in it. A lane is taken by comparing and
// setting, and whoever does anything to it names itself, so that one who was slow touches nothing. Knows no receiver.

import { assert } from '../../kit/assert.ts';
import { isId, type Id } from '../../kit/id.ts';
import type { Event } from '../../model/event/event.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { WebhookScheme } from '../../model/event/webhook.ts';
import type { Database } from '../postgres/database.ts';
import { sql, type Outcome } from '../postgres/statement.ts';
import { DueWorkFinder, type DueWork } from './due-work.ts';

type Tenant = Pick<Scope, 'workspaceId' | 'environment'>;

/** So many deliveries of a lane are read at first, most lanes having one or two and failing ones needing no more, and then at once. */
const nextDeliveriesMax = { atFirst: 5, later: 20 };
export interface DeliveryQueueKey {
  readonly webhook: Id;
  readonly lane: string;
}

/** Now, and until when what is held now stays so; it is prolonged where it would end before another moment. */
export interface DeliveryLease {
  readonly now: number;
  readonly until: number;
  readonly renewBefore: number;
}

interface DeliveryDemand {
  /** Events are in the outbox that have not been handed out to delivery queues yet. */
  readonly hasOutbox: boolean;
}

/** Delivery queues that are due, the longest waiting first. */
export interface DueDeliveries extends Pick<DueWork<string, DeliveryDemand>, 'tenant' | 'hasOutbox' | 'isFull'> {
  readonly queues: readonly DeliveryQueueKey[];
}

/** How a webhook is reached, and what its deliveries are signed with. */
export interface DeliveryTarget {
  readonly url: string;
  readonly scheme: WebhookScheme;
  readonly secretSealed: Buffer | null;
  readonly previousSecretSealed: Buffer | null;
  readonly previousSecretUntil: number | null;
}

/** A delivery that is next in its lane, and its event. */
export interface NextDelivery extends Pick<
  Event,
  'type' | 'client' | 'createdAt' | 'data' | 'transactionId' | 'transactionVersion'
> {
  readonly delivery: Id;
  readonly id: Id;
  readonly attemptCount: number;
  readonly firstAttemptAt: number | null;
}

/** A lane that may be due, or one that is held already and has more in it. */
export interface QueueToTake extends DeliveryQueueKey {
  readonly holder?: Id;
}

export interface TakenQueue extends DeliveryQueueKey {
  readonly holder: Id;
  readonly queued: number;
  readonly target: DeliveryTarget;
  readonly nextDeliveries: readonly NextDelivery[];
  /** There was nothing else in it. */
  readonly isComplete: boolean;
}

/** What came of one attempt, and what that makes of the delivery and its lane. */
export interface AttemptResult {
  readonly takenQueue: TakenQueue;
  readonly delivery: Id;
  readonly at: number;
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly answer: string | null;
  readonly state: 'pending' | 'delivered' | 'dead';
  readonly endedAt: number;
  /** Of what is pending still. */
  readonly nextAttemptAt: number | null;
  /** Nothing that was seen in the lane comes after it. */
  readonly isLast: boolean;
}

/**
 * What became of the lane: it is still ours, or would be if the webhook were not another now; it waits for its next attempt; it was
 * empty and is gone; something has come into it and it is due at once; or it was not ours any more, and nothing was written.
 */
export type QueueOutcome = 'open' | 'closed' | 'waiting' | 'empty' | 'refilled' | 'lost';

const dueQueues = new DueWorkFinder<string, DeliveryDemand>({
  name: 'webhook-lanes/due',
  keys: [
    `SELECT l.webhook_id || ' ' || l.lane FROM webhook_lane l
     JOIN webhook w ON w.workspace_id = $1 AND w.environment = $2 AND w.id = l.webhook_id AND w.state = 'enabled'
     WHERE l.workspace_id = $1 AND l.environment = $2 AND l.due_at <= $3 ORDER BY l.due_at, l.webhook_id, l.lane`,
  ],
  keysMax: 500,
  extras: { hasOutbox: 'EXISTS (SELECT FROM outbox o WHERE o.workspace_id = $1 AND o.environment = $2)' },
});

export async function findDueDeliveries(
  database: Database,
  tenants: readonly Tenant[],
  now: number,
): Promise<DueDeliveries[]> {
  const due = await dueQueues.find(database, tenants, [new Date(now)]);
  return due.map(({ keys, ...rest }) => ({ ...rest, queues: keys.map(parseQueueKey) }));
}

function parseQueueKey(key: string): DeliveryQueueKey {
  const at = key.indexOf(' ');
  const webhook = key.slice(0, at);
  assert(isId(webhook), 'the key of a delivery queue begins with the id of its webhook');
  return { webhook, lane: key.slice(at + 1) };
}

/** Rows that another one names. By themselves, so that they are looked up by all that is said of them, whatever is known of the table. */
const lookUp = (columns: string, from: string, where: string): string =>
  `CROSS JOIN LATERAL (SELECT ${columns} FROM ${from} WHERE workspace_id = $1 AND environment = $2 AND ${where})`;
const isQueueOfRow = 'webhook_id = a.webhook_id AND lane = a.lane';
/** The lanes of rows, to be changed with them: for the same reason. */
const queuesOfRows = (rows: string): string => `l.workspace_id = $1 AND l.environment = $2
  AND l.webhook_id = ANY (ARRAY(SELECT webhook_id ${rows})) AND l.lane = ANY (ARRAY(SELECT lane ${rows}))
  AND l.webhook_id = r.webhook_id AND l.lane = r.lane`;
const queuesWithFate = (fate: string): string =>
  `${queuesOfRows(`FROM done WHERE fate = '${fate}'`)} AND r.fate = '${fate}'`;

/** Lanes are locked in the order in which they are asked for. */
const take = sql<DeliveryTarget & DeliveryQueueKey & { holder: Id; queued: number }>(
  'webhook-lanes/take',
  `WITH free AS MATERIALIZED (SELECT a.webhook_id, a.lane, coalesce(a.holder, $6) AS by, w.*
       FROM unnest($3::text[], $4::text[], $5::text[]) a (webhook_id, lane, holder)
       ${lookUp('url, scheme, secret_sealed, previous_secret_sealed, previous_secret_until', 'webhook', "id = a.webhook_id AND state = 'enabled' LIMIT 1")} w
       ${lookUp('1', 'webhook_lane', `${isQueueOfRow} AND (holder = a.holder OR a.holder IS NULL AND due_at <= $7) FOR NO KEY UPDATE`)} l)
   UPDATE webhook_lane l SET holder = r.by, due_at = $8 FROM free r WHERE ${queuesOfRows('FROM free')}
   RETURNING l.webhook_id AS webhook, l.lane, l.holder, l.queued, r.url, r.scheme, r.secret_sealed AS "secretSealed",
     r.previous_secret_sealed AS "previousSecretSealed", r.previous_secret_until AS "previousSecretUntil"`,
);

const listNextDeliveries = sql<NextDelivery & DeliveryQueueKey>(
  'webhook-lanes/heads',
  `SELECT a.webhook_id AS webhook, a.lane, d.id AS delivery, d.attempt_count AS "attemptCount",
     d.first_attempt_at AS "firstAttemptAt", e.id, e.type, e.client_id AS client, e.created_at AS "createdAt", e.data,
     e.transaction_id AS "transactionId", e.transaction_version AS "transactionVersion"
   FROM unnest($3::text[], $4::text[], $5::text[]) a (webhook_id, lane, holder) 
   ${lookUp('1', 'webhook_lane', `${isQueueOfRow} AND holder = coalesce(a.holder, $6) LIMIT 1`)} l
   ${lookUp(
     '*',
     'delivery',
     `${isQueueOfRow} AND state = 'pending' ORDER BY number, event_id
     LIMIT CASE WHEN a.holder IS NULL THEN ${nextDeliveriesMax.atFirst} ELSE ${nextDeliveriesMax.later} END`,
   )} d
   ${lookUp('*', 'event', 'id = d.event_id LIMIT 1')} e
   ORDER BY a.webhook_id, a.lane, d.number, d.event_id`,
);

/**
 * `queued` is told with the last of a lane: where it is as it was, nothing is left in it. What is pending has not ended; said by its
 * state, deliveries would be looked for in the queues of all lanes.
 */
const finish = sql<{ delivery: Id; after: QueueOutcome }>(
  'webhook-lanes/settle',
  `WITH held AS MATERIALIZED (SELECT a.*, CASE WHEN a.state = 'pending' THEN 'waiting' WHEN l.queued = a.queued THEN 'empty'
         WHEN a.queued IS NOT NULL THEN 'refilled' WHEN l.due_at < $18 THEN 'prolonged' ELSE 'kept' END AS fate
       FROM unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[],
         $10::timestamptz[], $11::int[], $12::text[], $13::int[], $14::text[], $15::text[], $16::bigint[])
         a (webhook_id, lane, holder, delivery_id, state, at, next_attempt_at, ended_at, status, error, duration_ms, answer, url,
           queued)
       ${lookUp('queued, due_at', 'webhook_lane', `${isQueueOfRow} AND holder = a.holder FOR NO KEY UPDATE`)} l),
     done AS (UPDATE delivery d SET state = h.state, attempt_count = d.attempt_count + 1,
         first_attempt_at = coalesce(d.first_attempt_at, h.at), next_attempt_at = h.next_attempt_at, ended_at = h.ended_at
       FROM held h WHERE d.workspace_id = $1 AND d.environment = $2 AND d.id = ANY ($6::text[]) AND d.id = h.delivery_id
         AND d.ended_at IS NULL RETURNING h.*, d.client_id, d.attempt_count),
     noted AS (INSERT INTO delivery_attempt (workspace_id, environment, delivery_id, number, client_id, at, status, error,
         duration_ms, answer)
       SELECT $1, $2, delivery_id, attempt_count, client_id, at, status, error, duration_ms, answer FROM done),
     emptied AS (DELETE FROM webhook_lane l USING done r WHERE ${queuesWithFate('empty')}),
     waiting AS (UPDATE webhook_lane l SET holder = NULL, due_at = r.next_attempt_at FROM done r WHERE ${queuesWithFate('waiting')}),
     refilled AS (UPDATE webhook_lane l SET holder = NULL, due_at = r.ended_at FROM done r WHERE ${queuesWithFate('refilled')}),
     prolonged AS (UPDATE webhook_lane l SET due_at = $17 FROM done r WHERE ${queuesWithFate('prolonged')})
   SELECT r.delivery_id AS delivery, CASE WHEN r.fate IN ('waiting', 'empty', 'refilled') THEN r.fate
     WHEN w.state = 'enabled' AND w.url = r.url THEN 'open' ELSE 'closed' END AS after
   FROM done r ${lookUp('state, url', 'webhook', 'id = r.webhook_id LIMIT 1')} w`,
);

const lane = 'l.workspace_id = $1 AND l.environment = $2 AND l.webhook_id = $3 AND l.lane = $4';
const releaseEmpty = sql(
  'webhook-lanes/leave-empty',
  `DELETE FROM webhook_lane l WHERE ${lane} AND l.holder = $5 AND l.queued = $6`,
);
const release = sql(
  'webhook-lanes/leave',
  `UPDATE webhook_lane l SET holder = NULL, due_at = $6 WHERE ${lane} AND l.holder = $5`,
);

function tenantValues({ workspaceId, environment }: Scope): [string, string] {
  return [workspaceId, environment];
}

function instantText(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString();
}

/** The order in which everybody locks lanes who locks several. */
function byQueueKey(one: DeliveryQueueKey, other: DeliveryQueueKey): number {
  return queueKeyText(one) < queueKeyText(other) ? -1 : 1;
}

function queueKeyText({ webhook, lane: name }: DeliveryQueueKey): string {
  return `${webhook} ${name}`;
}

export class DeliveryQueues {
  readonly #database: Database;
  readonly #scope: Scope;

  constructor(database: Database, scope: Scope) {
    this.#database = database;
    this.#scope = scope;
  }

  #queueValues({ webhook, lane: name }: DeliveryQueueKey): [string, string, string, string] {
    return [...tenantValues(this.#scope), webhook, name];
  }

  /** Each with what is next in it. Undefined where it is not due, or somebody else has it. */
  async take(
    requested: readonly QueueToTake[],
    holder: Id,
    { now, until }: DeliveryLease,
  ): Promise<(TakenQueue | undefined)[]> {
    const ordered = requested.toSorted(byQueueKey);
    const lanes = [
      ...tenantValues(this.#scope),
      ordered.map(({ webhook }) => webhook),
      ordered.map(({ lane: name }) => name),
      ordered.map((one) => one.holder ?? null),
      holder,
    ];
    const [taken, listed] = await this.#database.writeBatch(this.#scope, [
      { statement: take, values: [...lanes, new Date(now), new Date(until)] },
      { statement: listNextDeliveries, values: lanes },
    ]);
    const nextDeliveries = Map.groupBy((listed as Outcome<NextDelivery & DeliveryQueueKey>).rows, queueKeyText);
    const takenQueue = new Map<string, TakenQueue>();
    for (const { webhook, lane: name, holder: takenBy, queued, ...target } of taken!.rows) {
      const key = queueKeyText({ webhook, lane: name });
      const found = nextDeliveries.get(key) ?? [];
      const isComplete = found.length < (takenBy === holder ? nextDeliveriesMax.atFirst : nextDeliveriesMax.later);
      takenQueue.set(key, { webhook, lane: name, holder: takenBy, queued, target, nextDeliveries: found, isComplete });
    }
    return requested.map((one) => takenQueue.get(queueKeyText(one)));
  }

  /** What became of the lane of each. */
  async finish(results: readonly AttemptResult[], { until, renewBefore }: DeliveryLease): Promise<QueueOutcome[]> {
    const sorted = results.toSorted((one, other) => byQueueKey(one.takenQueue, other.takenQueue));
    const values = [
      ...tenantValues(this.#scope),
      sorted.map(({ takenQueue }) => takenQueue.webhook),
      sorted.map(({ takenQueue }) => takenQueue.lane),
      sorted.map(({ takenQueue }) => takenQueue.holder),
      sorted.map(({ delivery }) => delivery),
      sorted.map(({ state }) => state),
      sorted.map(({ at }) => instantText(at)),
      sorted.map(({ nextAttemptAt }) => instantText(nextAttemptAt)),
      sorted.map(({ state, endedAt }) => (state === 'pending' ? null : instantText(endedAt))),
      sorted.map(({ status }) => status?.toString() ?? null),
      sorted.map(({ error }) => error),
      sorted.map(({ durationMs }) => String(durationMs)),
      sorted.map(({ answer }) => answer),
      sorted.map(({ takenQueue }) => takenQueue.target.url),
      sorted.map(({ takenQueue, isLast, state }) => (isLast && state !== 'pending' ? String(takenQueue.queued) : null)),
      new Date(until),
      new Date(renewBefore),
    ];
    const [outcome] = await this.#database.writeBatch(this.#scope, [{ statement: finish, values }]);
    const { rows } = outcome as Outcome<{ delivery: Id; after: QueueOutcome }>;
    const after = new Map(rows.map((row) => [row.delivery, row.after]));
    return results.map(({ delivery }) => after.get(delivery) ?? 'lost');
  }

  /** Nothing is left of what was seen in it. Where something has come meanwhile it is due at once: whether that is so. */
  async releaseEmpty(takenQueue: TakenQueue, now: number): Promise<boolean> {
    const queueValues = [...this.#queueValues(takenQueue), takenQueue.holder];
    const [, left] = await this.#database.writeBatch(this.#scope, [
      { statement: releaseEmpty, values: [...queueValues, takenQueue.queued] },
      { statement: release, values: [...queueValues, new Date(now)] },
    ]);
    return left!.count > 0;
  }

  async release(takenQueue: TakenQueue, dueAt: number): Promise<void> {
    const values = [...this.#queueValues(takenQueue), takenQueue.holder, new Date(dueAt)];
    await this.#database.writeBatch(this.#scope, [{ statement: release, values }]);
  }
}
