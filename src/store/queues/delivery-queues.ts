// The delivery queues of webhooks: which are due, which node has which, and what its attempts did. A queue is taken by compare-and-set and
// every change names the holder, so that a node that has lost its lease changes nothing.

import { assert, defined } from '../../kit/assert.ts';
import { isId, type Id } from '../../kit/id.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import type { Database } from '../postgres/database.ts';
import type { Call, Outcome } from '../postgres/statement.ts';
import {
  deleteEmptyQueue,
  giveUpOverdue,
  keepQueue,
  listNextDeliveries,
  listOpenUrls,
  listTargets,
  nextDeliveriesMax,
  overdueMax,
  preferIndexOrder,
  preferSets,
  prolongLease,
  recordAttempts,
  recordValues,
  releaseQueue,
  takeDueQueue,
  type NextDeliveryRow,
  type OpenUrlRow,
  type RecordedRow,
  type TakenRow,
  type TargetRow,
} from './delivery-queue-sql.ts';
import type {
  DeliveryLease,
  DeliveryQueueKey,
  QueueAttempts,
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
  name: 'delivery-queues/due',
  keys: [
    `SELECT l.webhook_id || ' ' || l.order_key FROM delivery_queue l
     JOIN webhook w ON w.workspace_id = $1 AND w.environment = $2 AND w.id = l.webhook_id AND w.state = 'enabled'
     WHERE l.workspace_id = $1 AND l.environment = $2 AND l.due_at <= $3 ORDER BY l.due_at, l.webhook_id, l.order_key`,
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

function countOf(outcome: Outcome<any> | undefined): number {
  return defined(outcome, 'every statement of a batch has an outcome').count;
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
    newHolder: Id,
    { now, until }: DeliveryLease,
  ): Promise<(TakenQueue | undefined)[]> {
    const sorted = requested.toSorted(byQueueKey).map((queue) => ({ ...queue, holder: queue.holder ?? newHolder }));
    const calls = sorted.map(({ webhook, orderKey, holder }): Call => {
      const values = [...this.#tenantValues(), webhook, orderKey, holder, new Date(until)];
      const isKept = holder !== newHolder;
      return isKept
        ? { statement: keepQueue, values }
        : { statement: takeDueQueue, values: [...values, new Date(now)] };
    });
    const webhooks = [...new Set(sorted.map(({ webhook }) => webhook))];
    const columns = [sorted.map(({ webhook }) => webhook), sorted.map(({ orderKey }) => orderKey)];
    const outcomes = await this.#database.writeBatch(this.#scope, [
      ...calls,
      { statement: listTargets, values: [...this.#tenantValues(), webhooks] },
      { statement: preferIndexOrder, values: [] },
      {
        statement: listNextDeliveries,
        values: [...this.#tenantValues(), ...columns, sorted.map(({ holder }) => holder)],
      },
    ]);
    const targets = new Map(rowsOf<TargetRow>(outcomes.at(-3)).map(({ webhook, ...target }) => [webhook, target]));
    const listed = Map.groupBy(rowsOf<NextDeliveryRow>(outcomes.at(-1)), queueKeyText);
    const taken = new Map<string, TakenQueue>();
    for (const [index, queue] of sorted.entries()) {
      const [row] = rowsOf<TakenRow>(outcomes[index]);
      const target = targets.get(queue.webhook);
      if (row === undefined || target === undefined) continue;
      const nextDeliveries = listed.get(queueKeyText(queue)) ?? [];
      const isComplete = nextDeliveries.length < nextDeliveriesMax;
      taken.set(queueKeyText(queue), { ...queue, ...row, leasedUntil: until, target, nextDeliveries, isComplete });
    }
    return requested.map((queue) => taken.get(queueKeyText(queue)));
  }

  /** Records attempts, with each queue named once. Returns what they did to each queue. */
  async finish(queues: readonly QueueAttempts[], lease: DeliveryLease): Promise<QueueOutcome[]> {
    const sorted = queues.toSorted((one, other) => byQueueKey(one.takenQueue, other.takenQueue));
    const ends = sorted.map((one) => this.#endOf(one, lease));
    const webhooks = [...new Set(sorted.map(({ takenQueue }) => takenQueue.webhook))];
    const [open, , recorded, ...ended] = await this.#database.writeBatch(this.#scope, [
      { statement: listOpenUrls, values: [...this.#tenantValues(), webhooks] },
      { statement: preferSets, values: [] },
      { statement: recordAttempts, values: [...this.#tenantValues(), ...recordValues(sorted)] },
      ...ends.flat(),
    ]);
    const recordedQueues = new Set(rowsOf<RecordedRow>(recorded).map(({ queue }) => queue));
    const openTargets = new Map(rowsOf<OpenUrlRow>(open).map(({ webhook, ...target }) => [webhook, target]));
    const outcomes = new Map<QueueAttempts, QueueOutcome>();
    let next = 0;
    for (const [index, one] of sorted.entries()) {
      const { takenQueue, attempts, isLast } = one;
      const first = ended[next];
      next += defined(ends[index], 'the attempts of each queue have their end').length;
      const { url, movedVersion } = openTargets.get(takenQueue.webhook) ?? {};
      const isOpen = url === takenQueue.target.url && movedVersion === takenQueue.target.movedVersion;
      if (!recordedQueues.has(index + 1)) outcomes.set(one, 'lost');
      else if (attempts.at(-1)?.state === 'pending') outcomes.set(one, 'waiting');
      else if (isLast) outcomes.set(one, countOf(first) > 0 ? 'empty' : 'refilled');
      else outcomes.set(one, isOpen ? 'open' : 'closed');
    }
    return queues.map((one) => defined(outcomes.get(one), 'the attempts of each queue have an outcome'));
  }

  /** What happens to a queue whose attempts were recorded, as far as the lease is not lost. */
  #endOf({ takenQueue, attempts, isLast }: QueueAttempts, lease: DeliveryLease): readonly Call[] {
    const { state, nextAttemptAt, endedAt } = attempts.at(-1) ?? attempts[0];
    const values = this.#heldValues(takenQueue);
    const release = (at: number): Call => ({ statement: releaseQueue, values: [...values, new Date(at)] });
    if (state === 'pending') return [release(defined(nextAttemptAt, 'a pending delivery has a next attempt'))];
    if (isLast) return [{ statement: deleteEmptyQueue, values: [...values, takenQueue.queued] }, release(endedAt)];
    if (takenQueue.leasedUntil >= lease.renewBefore) return [];
    return [{ statement: prolongLease, values: [...values, new Date(lease.until)] }];
  }

  /** Makes dead letters of what was ready before a moment, in short transactions. What is left in the queue keeps its place. Returns how many. */
  async giveUpOverdue(
    queue: TakenQueue,
    { readyBefore, endedAt }: { readonly readyBefore: number; readonly endedAt: number },
  ): Promise<number> {
    const values = [...this.#heldValues(queue), new Date(readyBefore), new Date(endedAt)];
    let total = 0;
    for (let count = overdueMax; count === overdueMax; total += count) {
      const [, outcome] = await this.#database.writeBatch(this.#scope, [
        { statement: preferIndexOrder, values: [] },
        { statement: giveUpOverdue, values },
      ]);
      count = countOf(outcome);
    }
    return total;
  }

  /** Deletes a queue that nothing was found in. Where deliveries have come into it since, makes it due at once and returns true. */
  async releaseEmpty(queue: TakenQueue, now: number): Promise<boolean> {
    const values = this.#heldValues(queue);
    const [, released] = await this.#database.writeBatch(this.#scope, [
      { statement: deleteEmptyQueue, values: [...values, queue.queued] },
      { statement: releaseQueue, values: [...values, new Date(now)] },
    ]);
    return countOf(released) > 0;
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
