// Ships the audit log and the request log: finds what is due, leases each log of an environment for one destination, hands over a batch, and moves the position
// once it is acknowledged. Each destination has its own places, so that one that hangs holds up no other.

import { secondMs } from '../kit/clock.ts';
import {
  finishShipment,
  listDueShipments,
  readShipment,
  shipmentQuery,
  takeShipment,
  type LeasedShipment,
  type ShipmentEnd,
  type ShipmentItem,
} from '../actions/access/log-shipping.ts';
import { numberRequestLines } from '../actions/access/held-lines.ts';
import type { AppContext } from '../actions/core/context.ts';
import { tenantKey, TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import type { Tenant } from '../model/access/scope.ts';
import type {
  LogDestination,
  ShippedLine,
  ShippingDestination,
  ShippingOutcome,
} from '../model/operations/shipped-log.ts';
import { LeasedWorker, type DueItems, type LeasedQueue, type QueueWorker } from './leased-worker.ts';

/** Batches that a node hands to one destination at a time; a file takes one after the other. */
const placesOf: Readonly<Record<ShippingDestination, number>> = { https: 2, file: 1, syslog: 2, otlp: 2 };

export interface ShippingObserver {
  onEnd(shipment: ShipmentItem, end: ShipmentEnd): void;
  onFailure(error: unknown): void;
}

export interface LogShippingOptions {
  readonly context: AppContext;
  /** One for each that the context names. */
  readonly destinations: readonly LogDestination[];
  readonly observer: ShippingObserver;
}

interface Shipped {
  readonly lines: readonly ShippedLine[];
  readonly outcome: ShippingOutcome;
}

class Shipments implements LeasedQueue<ShipmentItem, LeasedShipment, Shipped> {
  readonly name = 'log-shipping';
  readonly wakeUps = new TenantWakeUps();
  readonly wakeUpDelayMs = 0;
  readonly wakeUpIntervalMs = secondMs;
  readonly sweepIntervalMs = 5 * secondMs;
  readonly #options: LogShippingOptions;
  readonly #destinations: ReadonlyMap<ShippingDestination, LogDestination>;
  readonly #busy = new Map<ShippingDestination, number>();

  constructor(options: LogShippingOptions) {
    this.#options = options;
    this.#destinations = new Map(options.destinations.map((one) => [one.name, one]));
  }

  keyOf({ tenant, log, destination }: ShipmentItem): string {
    return `${tenantKey(tenant)} ${log} ${destination}`;
  }

  /** Environments take turns at each destination. */
  groupOf({ tenant, destination }: ShipmentItem): string {
    return `${tenantKey(tenant)} ${destination}`;
  }

  canServe({ destination }: ShipmentItem): boolean {
    return (this.#busy.get(destination) ?? 0) < placesOf[destination];
  }

  occupy({ destination }: ShipmentItem): () => void {
    const change = (by: number): void => void this.#busy.set(destination, (this.#busy.get(destination) ?? 0) + by);
    change(1);
    return () => change(-1);
  }

  findTenants(): Promise<readonly Tenant[]> {
    const { context } = this.#options;
    return context.stores.preAuth.dueTenants.withShipments(shipmentQuery(context));
  }

  async find(tenants: readonly Tenant[]): Promise<readonly DueItems<ShipmentItem>[]> {
    const due = await listDueShipments(this.#options.context, tenants);
    return due.map(({ tenant, items, hasUnnumbered }) => ({
      tenant,
      items,
      isExpandable: hasUnnumbered,
      lookAgainAt: undefined,
    }));
  }

  async expand(tenant: Tenant): Promise<void> {
    await numberRequestLines(this.#options.context, tenant);
  }

  take(item: ShipmentItem): Promise<LeasedShipment | undefined> {
    return takeShipment(this.#options.context, item);
  }

  async work(shipment: LeasedShipment, signal: AbortSignal): Promise<Shipped> {
    const destination = this.#destinations.get(shipment.destination);
    if (destination === undefined || signal.aborted) return { lines: [], outcome: { kind: 'stopped' } };
    const lines = await readShipment(this.#options.context, shipment);
    // They were deleted after their time since the position was read.
    if (lines.length === 0) return { lines, outcome: { kind: 'stopped' } };
    return { lines, outcome: await destination.ship(lines, signal) };
  }

  async finish(shipment: LeasedShipment, shipped: Shipped): Promise<LeasedShipment | undefined> {
    const { context, observer } = this.#options;
    const { end, next } = await finishShipment(context, shipment, shipped);
    observer.onEnd(shipment, end);
    // Others had their turn; what is left need not wait for a sweep.
    if (next === undefined && end.kind === 'shipped') this.wakeUps.put(shipment.tenant, context.clock.now());
    return next;
  }

  /** What has failed within the service is tried again like what a receiver has refused. */
  async fail(shipment: LeasedShipment, error: unknown): Promise<Error> {
    const failure = error instanceof Error ? error : new Error(String(error));
    const outcome = { kind: 'failed', detail: failure.message, retryAfterMs: null } as const;
    const { end } = await finishShipment(this.#options.context, shipment, { lines: [], outcome });
    this.#options.observer.onEnd(shipment, end);
    return failure;
  }
}

/** What a stopping node has handed over and not seen acknowledged is sent again by another one. */
export function createLogShipping(options: LogShippingOptions): QueueWorker {
  const { context, destinations, observer } = options;
  const concurrency = destinations.reduce((sum, { name }) => sum + placesOf[name], 0);
  return new LeasedWorker(new Shipments(options), {
    context,
    concurrency: Math.max(1, concurrency),
    onFailure: (error) => observer.onFailure(error),
  });
}
