// Delivers events to webhooks: hands events out to delivery queues, leases the queues that are due and sends what is next in each.

import { Batcher } from '../kit/batcher.ts';
import { secondMs } from '../kit/clock.ts';
import { prepareDeliveries, type DeliveryPorts, type PreparedDeliveries } from '../actions/events/delivery-attempt.ts';
import { DeliveryBodies } from '../actions/events/delivery-body.ts';
import {
  fanOutEvents,
  finishAttempts,
  listDueQueues,
  releaseEmptyQueue,
  releaseQueue,
  takeQueues,
  type TenantAttempts,
  type TenantHeldQueue,
  type TenantQueue,
  type TenantRequestedQueue,
} from '../actions/events/delivery-queue.ts';
import { sendNextDeliveries } from '../actions/events/delivery-run.ts';
import type { AppContext } from '../actions/core/context.ts';
import { tenantKey } from '../actions/core/tenant-wake-ups.ts';
import type { Tenant } from '../model/access/scope.ts';
import type { QueueOutcome, TakenQueue } from '../store/queues/delivery-queue-types.ts';
import { LeasedWorker, type DueItems, type LeasedQueue, type QueueItem, type QueueWorker } from './leased-worker.ts';
import { ReceiverLimits } from './receiver-limits.ts';

export interface DeliveryWorkerOptions {
  readonly context: AppContext;
  readonly ports: DeliveryPorts;
  /** How many delivery queues this node works through at a time. */
  readonly concurrency?: number;
  onFailure(error: unknown): void;
}

function batcherByTenant<In extends QueueItem, Out>(
  run: (batch: readonly [In, ...In[]]) => Promise<readonly Out[]>,
): Batcher<In, Out> {
  return new Batcher({ keyOf: ({ tenant }: In) => tenantKey(tenant), run });
}

type TenantReceiver = Pick<TenantQueue, 'tenant' | 'webhook'>;

/** A webhook of a tenant, whose queues take turns with those of others. */
function receiverKey({ tenant, webhook }: TenantReceiver): string {
  return `${tenantKey(tenant)} ${webhook}`;
}

/** How many delivery queues a node works through at a time. */
const queuesAtATime = 256;
/** When to look again at what another node is handing out. */
const othersMs = secondMs / 5;
/** How many queues of one webhook run at a time as long as it answers. */
const queuesPerReceiverMax = 8;

class Deliveries implements LeasedQueue<TenantQueue, TenantHeldQueue, QueueOutcome | 'stopped'> {
  readonly name = 'deliveries';
  readonly wakeUps;
  readonly wakeUpDelayMs = 0;
  /** Looking costs nothing where nobody was woken up. */
  readonly wakeUpIntervalMs = secondMs / 20;
  readonly sweepIntervalMs = 5 * secondMs;
  readonly #context: AppContext;
  readonly #ports: DeliveryPorts;
  readonly #limits: ReceiverLimits<TenantReceiver>;
  /** Queues of a tenant that ask the database for the same thing at the same time share a transaction. */
  readonly #takeBatcher: Batcher<TenantRequestedQueue, TakenQueue | undefined>;
  readonly #prepareBatcher: Batcher<TenantHeldQueue, PreparedDeliveries>;
  readonly #attemptBatcher: Batcher<TenantAttempts, QueueOutcome>;

  constructor({ context, ports }: DeliveryWorkerOptions, concurrency: number) {
    this.#context = context;
    this.#ports = ports;
    this.wakeUps = context.deliveryWakeUps;
    this.#limits = new ReceiverLimits({ concurrency, perReceiverMax: queuesPerReceiverMax, keyOf: receiverKey });
    this.#takeBatcher = batcherByTenant((queues) => takeQueues(context, queues));
    const { renderer, signingKeys } = ports;
    const bodies = new DeliveryBodies(renderer);
    this.#prepareBatcher = batcherByTenant((queues) => prepareDeliveries(context, queues, { bodies, signingKeys }));
    this.#attemptBatcher = batcherByTenant((attempts) => finishAttempts(context, attempts));
  }

  keyOf(queue: TenantQueue): string {
    return `${receiverKey(queue)} ${queue.orderKey}`;
  }

  groupOf(queue: TenantQueue): string {
    return receiverKey(queue);
  }

  canServe(queue: TenantQueue): boolean {
    return this.#limits.canServe(queue);
  }

  occupy(queue: TenantQueue): () => void {
    return this.#limits.occupy(queue);
  }

  findTenants(): Promise<readonly Tenant[]> {
    return this.#context.stores.preAuth.dueTenants.withDeliveries(this.#context.clock.now());
  }

  async find(tenants: readonly Tenant[]): Promise<readonly DueItems<TenantQueue>[]> {
    const now = this.#context.clock.now();
    return (await listDueQueues(this.#context, tenants)).map(({ tenant, queues, hasOutbox, isFull }) => ({
      tenant,
      items: queues.map((queue) => ({ tenant, ...queue })),
      isExpandable: hasOutbox,
      lookAgainAt: isFull ? now : undefined,
    }));
  }

  /** Hands out some of the tenant's events. Comes back at once for the rest, and later for what another node is handing out. */
  async expand(tenant: Tenant): Promise<void> {
    const remaining = await fanOutEvents(this.#context, tenant);
    const now = this.#context.clock.now();
    if (remaining === 'more') this.wakeUps.put(tenant, now);
    if (remaining === 'others') this.wakeUps.put(tenant, now + othersMs);
  }

  take(queue: TenantQueue): Promise<TenantHeldQueue | undefined> {
    return this.#take(queue);
  }

  async #take(request: TenantRequestedQueue): Promise<TenantHeldQueue | undefined> {
    const taken = await this.#takeBatcher.submit(request);
    return taken && { ...taken, tenant: request.tenant };
  }

  /** Sends in order until one delivery fails. */
  async work(held: TenantHeldQueue, signal: AbortSignal): Promise<QueueOutcome | 'stopped'> {
    if (held.nextDeliveries.length === 0) return releaseEmptyQueue(this.#context, held);
    const prepared = await this.#prepareBatcher.submit(held);
    const { send, observer } = this.#ports;
    return sendNextDeliveries(
      this.#context,
      { held, prepared, signal },
      {
        send,
        observer,
        record: (attempts) => this.#attemptBatcher.submit(attempts),
        onAnswer: (end) => (end === 'delivered' ? this.#limits.noteSuccess(held) : this.#limits.noteFailure(held)),
      },
    );
  }

  /** The attempts are recorded already; what is left is the lease of the queue. */
  async finish(held: TenantHeldQueue, outcome: QueueOutcome | 'stopped'): Promise<TenantHeldQueue | undefined> {
    if (outcome === 'open') return this.#take(held);
    if (outcome === 'closed' || outcome === 'stopped') await releaseQueue(this.#context, held);
    if (outcome === 'refilled') this.wakeUps.put(held.tenant, this.#context.clock.now());
    return undefined;
  }
}

export function createDeliveryWorker(options: DeliveryWorkerOptions): QueueWorker {
  const { context, concurrency = queuesAtATime, onFailure } = options;
  return new LeasedWorker(new Deliveries(options, concurrency), { context, concurrency, onFailure });
}
