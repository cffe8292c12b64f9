// The delivery queues of webhooks: which are due, which node has which, and what its attempts did. A queue is taken by compare-and-set and
// every change names the holder, so that a node that has lost its lease changes nothing.

import { assert, defined } from '../../kit/assert.ts';
import { isId, type Id } from '../../kit/id.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import type { Database } from '../postgres/database.ts';
import type { Outcome } from '../postgres/statement.ts';
import {
  attemptRow,
  deleteEmptyQueue,
  finishAttempts,
  giveUpOverdue,
  listNextDeliveries,
  nextDeliveriesMax,
  overdueMax,
  releaseQueue,
  takeQueues,
  type FinishedRow,
  type NextDeliveryRow,
  type TakenRow,
} from './delivery-queue-sql.ts';
import type {
  AttemptResult,
  DeliveryLease,
  DeliveryQueueKey,
  QueueOutcome,
  QueueToTake,
  TakenQueue,
} from './delivery-queue-types.ts';
import { DueWorkFinder, type DueWork } from './due-work.ts';

interface DeliveryDemand {
  /** Events are in the outbox that have not been handed out to delivery queues yet. */
  readonly hasOutbox: boolean;
}

/** Delivery queues that are due, the longest waiting first. */
export interface DueDeliveries extends Pick<DueWork<string, DeliveryDemand>, 'tenant' | 'hasOutbox' | 'isFull'> {
  readonly queues: readonly DeliveryQueueKey[];
}

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
  return { webhook, orderKey: key.slice(at + 1) };
}

/** Several queues are always locked in this order. */
function byQueueKey(one: DeliveryQueueKey, other: DeliveryQueueKey): number {
  return queueKeyText(one) < queueKeyText(other) ? -1 : 1;
}

function queueKeyText({ webhook, orderKey }: DeliveryQueueKey): string {
  return `${webhook} ${orderKey}`;
}

function rowsOf<Row>(outcome: Outcome<any> | undefined): readonly Row[] {
  return defined(outcome, 'every statement of a batch has an outcome').rows;
}

export class DeliveryQueues {
  readonly #database: Database;
  readonly #scope: Scope;

  constructor(database: Database, scope: Scope) {
    this.#database = database;
    this.#scope = scope;
  }

  /** Leases queues, each with its next deliveries. Undefined where a queue is not due, or another node has it. */
  async take(
    requested: readonly QueueToTake[],
    holder: Id,
    { now, until }: DeliveryLease,
  ): Promise<(TakenQueue | undefined)[]> {
    const sorted = requested.toSorted(byQueueKey);
    const values = [
      ...this.#tenantValues(),
      sorted.map(({ webhook }) => webhook),
      sorted.map(({ orderKey }) => orderKey),
      sorted.map((queue) => queue.holder ?? null),
      holder,
    ];
    const [taken, listed] = await this.#database.writeBatch(this.#scope, [
      { statement: takeQueues, values: [...values, new Date(now), new Date(until)] },
      { statement: listNextDeliveries, values },
    ]);
    const nextDeliveries = Map.groupBy(rowsOf<NextDeliveryRow>(listed), queueKeyText);
    const queues = new Map<string, TakenQueue>();
    for (const { webhook, orderKey, holder: takenBy, queued, ...target } of rowsOf<TakenRow>(taken)) {
      const key = queueKeyText({ webhook, orderKey });
      const found = nextDeliveries.get(key) ?? [];
      const isComplete = found.length < (takenBy === holder ? nextDeliveriesMax.atFirst : nextDeliveriesMax.later);
      queues.set(key, { webhook, orderKey, holder: takenBy, queued, target, nextDeliveries: found, isComplete });
    }
    return requested.map((queue) => queues.get(queueKeyText(queue)));
  }

  /** Records attempts. Returns what they did to the queue of each. */
  async finish(results: readonly AttemptResult[], { until, renewBefore }: DeliveryLease): Promise<QueueOutcome[]> {
    const sorted = results.toSorted((one, other) => byQueueKey(one.takenQueue, other.takenQueue));
    const rows = JSON.stringify(sorted.map(attemptRow));
    const values = [...this.#tenantValues(), rows, new Date(until), new Date(renewBefore)];
    const [finished] = await this.#database.writeBatch(this.#scope, [{ statement: finishAttempts, values }]);
    const outcomes = new Map(rowsOf<FinishedRow>(finished).map(({ delivery, after }) => [delivery, after]));
    return results.map(({ delivery }) => outcomes.get(delivery) ?? 'lost');
  }

  /** Makes dead letters of what was ready before a moment, in short transactions. What is left in the queue keeps its place. */
  async giveUpOverdue(
    queue: TakenQueue,
    { readyBefore, endedAt }: { readonly readyBefore: number; readonly endedAt: number },
  ): Promise<void> {
    const values = [...this.#heldValues(queue), new Date(readyBefore), new Date(endedAt)];
    for (let count = overdueMax; count === overdueMax;) {
      const [outcome] = await this.#database.writeBatch(this.#scope, [{ statement: giveUpOverdue, values }]);
      count = defined(outcome, 'every statement of a batch has an outcome').count;
    }
  }

  /** Deletes a queue that nothing was found in. Where deliveries have come into it since, makes it due at once and returns true. */
  async releaseEmpty(queue: TakenQueue, now: number): Promise<boolean> {
    const values = this.#heldValues(queue);
    const [, released] = await this.#database.writeBatch(this.#scope, [
      { statement: deleteEmptyQueue, values: [...values, queue.queued] },
      { statement: releaseQueue, values: [...values, new Date(now)] },
    ]);
    return defined(released, 'every statement of a batch has an outcome').count > 0;
  }

  async release(queue: TakenQueue, dueAt: number): Promise<void> {
    const values = [...this.#heldValues(queue), new Date(dueAt)];
    await this.#database.writeBatch(this.#scope, [{ statement: releaseQueue, values }]);
  }

  #tenantValues(): [string, string] {
    return [this.#scope.workspaceId, this.#scope.environment];
  }

  #heldValues({ webhook, orderKey, holder }: TakenQueue): string[] {
    return [...this.#tenantValues(), webhook, orderKey, holder];
  }
}
