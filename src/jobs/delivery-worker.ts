// Makes deliveries: hands out events, finds the lanes that are due, and works through them, many side by side, on any node. A receiver
// that fails keeps few places busy, so that nobody waits for a stranger's. Knows neither signatures nor connections.

import { secondMs } from '../kit/clock.ts';
import { Batcher } from '../kit/batcher.ts';
import type { Id } from '../kit/id.ts';
import {
  attemptDelivery,
  fanOutEvents,
  releaseEmptyQueue,
  releaseQueue,
  listDueQueues,
  prepareDeliveries,
  finishAttempts,
  takeQueues,
  type TenantRequestedQueue,
  type TenantAttempt,
  type DeliveryPorts,
  type TenantDueQueues,
  type TenantHeldQueue,
  type TenantQueue,
  type PreparedDeliveries,
} from '../actions/events/delivery-queue.ts';
import type { AppContext } from '../actions/core/context.ts';
import { tenantKey, type Tenant } from '../actions/core/tenant-wake-ups.ts';
import { listEnvironments } from '../store/access/expiry.ts';
import { queuesFoundMax, type TakenQueue, type QueueOutcome } from '../store/queues/delivery-queues.ts';
import { FairQueue } from './fair-queue.ts';

/** Where this node has written. */
export const deliveryWakeUpIntervalMs = secondMs / 5;
/** All tenants: what was written on other nodes, what was left behind, what is due again. */
export const deliverySweepIntervalMs = 5 * secondMs;

export interface DeliveryWorkerOptions {
  readonly context: AppContext;
  readonly ports: DeliveryPorts;
  /** So many lanes are worked through side by side on this node. */
  readonly concurrency?: number;
  onFailure(error: unknown): void;
}

/** A webhook of a tenant, whose lanes take turns with those of others. */
interface Receiver {
  readonly tenant: Tenant;
  readonly webhook: Id;
}

function receiverKey({ tenant, webhook }: Receiver): string {
  return `${tenantKey(tenant)} ${webhook}`;
}

/** So many lanes of one webhook, as long as it answers. */
const queuesPerReceiverMax = 8;

export class DeliveryWorker {
  readonly #options: DeliveryWorkerOptions;
  readonly #concurrency: number;
  readonly #fairQueue = new FairQueue<Receiver, TenantQueue>(receiverKey);
  readonly #running = new Map<string, Promise<void>>();
  /** How many lanes of each receiver and of each tenant are being worked through. */
  readonly #runningCounts = new Map<string, number>();
  /** Receivers whose last attempt failed: one lane at a time, and all of them together in half of the places at most. */
  readonly #failingReceivers = new Set<string>();
  #runningFailingCount = 0;
  readonly #stopController = new AbortController();
  /** What lanes of a tenant ask the database for goes in one trip for as many as ask meanwhile. */
  readonly #leaseBatcher: Batcher<TenantRequestedQueue, TakenQueue | undefined>;
  readonly #prepareBatcher: Batcher<TenantHeldQueue, PreparedDeliveries>;
  readonly #attemptBatcher: Batcher<TenantAttempt, QueueOutcome>;

  constructor(options: DeliveryWorkerOptions) {
    const { context, ports, concurrency = 256 } = options;
    this.#options = options;
    this.#concurrency = concurrency;
    const keyOf = ({ tenant }: { readonly tenant: Tenant }): string => tenantKey(tenant);
    this.#leaseBatcher = new Batcher<TenantRequestedQueue, TakenQueue | undefined>({
      keyOf,
      run: (queues) => takeQueues(context, queues),
    });
    this.#prepareBatcher = new Batcher<TenantHeldQueue, PreparedDeliveries>({
      keyOf,
      run: (queues) => prepareDeliveries(context, queues, ports),
    });
    this.#attemptBatcher = new Batcher<TenantAttempt, QueueOutcome>({
      keyOf,
      run: (attempted) => finishAttempts(context, attempted),
    });
  }

  async sweep(): Promise<void> {
    await this.#checkTenants(await listEnvironments(this.#options.context.database));
  }

  /** Once, and again as long as there is more: tenants in turn, so that none waits until another has handed out everything. */
  async processWakeUps(): Promise<void> {
    const { deliveryWakeUps, clock } = this.#options.context;
    for (
      let awakened = deliveryWakeUps.take(clock.now());
      awakened.length > 0;
      awakened = deliveryWakeUps.take(clock.now())
    ) {
      if (this.#isStopped) return;
      await this.#checkTenants(awakened);
    }
  }

  /** Until nothing that was found waits or runs any more. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** What is being sent is interrupted and its lane left to others; what is being written is waited for. */
  async stop(): Promise<void> {
    this.#fairQueue.clear();
    this.#stopController.abort();
    await this.drain();
  }

  get #isStopped(): boolean {
    return this.#stopController.signal.aborted;
  }

  async #checkTenants(tenants: readonly Tenant[]): Promise<void> {
    if (tenants.length === 0 || this.#isStopped) return;
    const { context, onFailure } = this.#options;
    const tenantsWithOutbox: Tenant[] = [];
    for (const due of await listDueQueues(context, tenants)) {
      if (due.hasOutbox) tenantsWithOutbox.push(due.tenant);
      this.#enqueueDue(due);
    }
    for (const tenant of tenantsWithOutbox) if (!this.#isStopped) await this.#fanOutEvents(tenant).catch(onFailure);
  }

  async #fanOutEvents(tenant: Tenant): Promise<void> {
    const { context } = this.#options;
    const remaining = await fanOutEvents(context, tenant);
    for (const due of await listDueQueues(context, [tenant])) this.#enqueueDue(due);
    if (remaining === 'more') context.deliveryWakeUps.put(tenant, context.clock.now());
    if (remaining === 'others') context.deliveryWakeUps.put(tenant, context.clock.now() + deliveryWakeUpIntervalMs);
  }

  #enqueueDue({ tenant, lanes: queues }: TenantDueQueues): void {
    const { deliveryWakeUps, clock } = this.#options.context;
    for (const name of queues) this.#fairQueue.put({ tenant, webhook: name.webhook }, name.lane, { tenant, ...name });
    if (queues.length >= queuesFoundMax) deliveryWakeUps.put(tenant, clock.now());
    this.#startNext();
  }

  #canServe(receiver: Receiver): boolean {
    const key = receiverKey(receiver);
    const isFailing = this.#failingReceivers.has(key);
    const half = Math.max(1, this.#concurrency / 2);
    return (
      (this.#runningCounts.get(key) ?? 0) < (isFailing ? 1 : queuesPerReceiverMax) &&
      (this.#runningCounts.get(tenantKey(receiver.tenant)) ?? 0) < half &&
      (!isFailing || this.#runningFailingCount < half)
    );
  }

  #startNext(): void {
    while (this.#running.size < this.#concurrency && !this.#isStopped) {
      const next = this.#fairQueue.take((receiver) => this.#canServe(receiver));
      if (next === undefined) return;
      const name = `${receiverKey(next.owner)} ${next.item.lane}`;
      if (!this.#running.has(name)) this.#running.set(name, this.#serve(name, next.owner, next.item));
    }
  }

  async #serve(name: string, receiver: Receiver, queue: TenantQueue): Promise<void> {
    const countedKeys = [receiverKey(receiver), tenantKey(receiver.tenant)];
    const wasFailing = this.#failingReceivers.has(countedKeys[0]!);
    const count = (delta: 1 | -1): void => {
      for (const key of countedKeys) this.#runningCounts.set(key, (this.#runningCounts.get(key) ?? 0) + delta);
      for (const key of countedKeys) if (this.#runningCounts.get(key) === 0) this.#runningCounts.delete(key);
      if (wasFailing) this.#runningFailingCount += delta;
    };
    count(1);
    try {
      await this.#processQueue(receiver, queue);
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      count(-1);
      this.#running.delete(name);
      this.#startNext();
    }
  }

  async #processQueue(receiver: Receiver, queue: TenantQueue): Promise<void> {
    const { context } = this.#options;
    const { tenant } = queue;
    let request: TenantRequestedQueue = queue;
    for (;;) {
      const lease = await this.#leaseBatcher.submit(request);
      if (lease === undefined) return;
      const leased = { ...lease, tenant };
      const outcome =
        leased.nextDeliveries.length === 0
          ? await releaseEmptyQueue(context, leased)
          : await this.#deliverNext(receiver, leased);
      if (outcome === 'closed' || outcome === 'stopped') await releaseQueue(context, leased);
      if (outcome === 'refilled') context.deliveryWakeUps.put(tenant, context.clock.now());
      if (outcome !== 'open') return;
      request = leased;
    }
  }

  /** In their order, until one of them fails: what became of the lane. */
  async #deliverNext(receiver: Receiver, leased: TenantHeldQueue): Promise<QueueOutcome | 'stopped'> {
    const { context, ports } = this.#options;
    const { nextDeliveries, isComplete: isWhole } = leased;
    const { signal } = this.#stopController;
    const { bodies, signer } = await this.#prepareBatcher.submit(leased);
    const attemptPorts = {
      send: ports.send,
      finish: (attempted: TenantAttempt) => this.#attemptBatcher.submit(attempted),
    };
    let outcome: QueueOutcome | 'stopped' = 'open';
    for (const [index, nextDelivery] of nextDeliveries.entries()) {
      if (signal.aborted) return 'stopped';
      const isLast = isWhole && index === nextDeliveries.length - 1;
      outcome = await attemptDelivery(
        context,
        { held: leased, nextDelivery, isLast, body: bodies[index]!, signer, signal },
        attemptPorts,
      );
      if (outcome === 'waiting') this.#failingReceivers.add(receiverKey(receiver));
      else if (outcome !== 'lost' && outcome !== 'stopped') this.#failingReceivers.delete(receiverKey(receiver));
      if (outcome !== 'open') break;
    }
    return outcome;
  }
}
