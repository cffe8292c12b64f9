// What can happen to a delivery queue of a tenant: events are handed out to it, it is found due, leased, its attempts are recorded, and it is
// handed back.

import { secondMs } from '../../kit/clock.ts';
import { EventFanout, type FanoutRemainder } from '../../store/events/event-fanout.ts';
import type {
  DeliveryLease,
  DeliveryQueueKey,
  QueueAttempts,
  QueueOutcome,
  QueueToTake,
  TakenQueue,
} from '../../store/queues/delivery-queue-types.ts';
import type { DeliveryQueues, DueDeliveries } from '../../store/queues/delivery-queues.ts';
import type { AppContext } from '../core/context.ts';
import type { Tenant } from '../../model/access/scope.ts';
import { serviceAuthor } from '../core/work.ts';

/** How long a receiver has for its whole answer. */
export const attemptTimeoutMs = 10 * secondMs;
/** Longer than an attempt can take. */
export const deliveryLeaseMs = 30 * secondMs;
/** How long a lease lasts at least after attempts were recorded. */
export const prolongedMs = deliveryLeaseMs - attemptTimeoutMs;

interface OfTenant {
  readonly tenant: Tenant;
}

export interface TenantQueue extends DeliveryQueueKey, OfTenant {}
export interface TenantRequestedQueue extends QueueToTake, OfTenant {}
export interface TenantHeldQueue extends TakenQueue, OfTenant {}
export interface TenantAttempts extends QueueAttempts, OfTenant {}

/** Items of one tenant, which share a transaction. */
type Batch<Item> = readonly [Item, ...Item[]];

function openQueues(context: AppContext, tenant: Tenant): DeliveryQueues {
  return context.stores.deliveryQueues(serviceAuthor(tenant).scope);
}

function leaseFrom(now: number): DeliveryLease {
  return { now, until: now + deliveryLeaseMs, renewBefore: now + prolongedMs };
}

export function listDueQueues(context: AppContext, tenants: readonly Tenant[]): Promise<readonly DueDeliveries[]> {
  return context.stores.findDueDeliveries(tenants, context.clock.now());
}

/** Turns some of a tenant's events into deliveries. Returns what is left. */
export function fanOutEvents(context: AppContext, tenant: Tenant): Promise<FanoutRemainder> {
  return context.stores.forWriting(serviceAuthor(tenant), (store) =>
    new EventFanout(store, { ids: context.ids, now: context.clock.now() }).fanOut(),
  );
}

/** Undefined where a queue is not due, or another node has it. */
export function takeQueues(
  context: AppContext,
  requested: Batch<TenantRequestedQueue>,
): Promise<(TakenQueue | undefined)[]> {
  const lease = leaseFrom(context.clock.now());
  return openQueues(context, requested[0].tenant).take(requested, context.ids.next(), lease);
}

/** Records the attempts of queues. Returns what they did to each queue. */
export function finishAttempts(context: AppContext, attempts: Batch<TenantAttempts>): Promise<QueueOutcome[]> {
  return openQueues(context, attempts[0].tenant).finish(attempts, leaseFrom(context.clock.now()));
}

export function releaseQueue(context: AppContext, held: TenantHeldQueue): Promise<void> {
  return openQueues(context, held.tenant).release(held, context.clock.now());
}

/** Gives up what waits in a queue for longer than a delivery is retried, tried or not. Returns how many that were. */
export function giveUpOverdue(
  context: AppContext,
  held: TenantHeldQueue,
  overdue: { readonly readyBefore: number; readonly endedAt: number },
): Promise<number> {
  return openQueues(context, held.tenant).giveUpOverdue(held, overdue);
}

/** Ends a queue that nothing was found in. */
export async function releaseEmptyQueue(context: AppContext, held: TenantHeldQueue): Promise<QueueOutcome> {
  const isRefilled = await openQueues(context, held.tenant).releaseEmpty(held, context.clock.now());
  return isRefilled ? 'refilled' : 'empty';
}
