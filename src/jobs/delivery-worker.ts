// Makes deliveries: hands out events, finds the lanes that are due, and works through them, many side by side, on any node. A receiver
// that fails keeps few places busy, so that nobody waits for a stranger's. Knows neither signatures nor connections.

import { secondMs } from '../kit/clock.ts';
import { Gathering } from '../kit/batcher.ts';
import type { Id } from '../kit/id.ts';
import {
  attemptDelivery,
  handOutEvents,
  leaveEmptyLane,
  leaveLane,
  listDueLanes,
  prepareHeads,
  settleAttempts,
  takeLanes,
  type AskedLaneOf,
  type AttemptedOf,
  type DeliveryPorts,
  type DueLanesOf,
  type HeldLaneOf,
  type LaneOf,
  type PreparedHeads,
} from '../actions/events/delivery-queue.ts';
import type { House } from '../actions/core/context.ts';
import { tenantKey, type Tenant } from '../actions/core/tenant-wake-ups.ts';
import { listEnvironments } from '../store/access/expiry.ts';
import { lanesFoundMax, type HeldLane, type LaneAfter } from '../store/queues/delivery-queues.ts';
import { TurnQueue } from './fair-queue.ts';

/** Where this node has written. */
export const deliveryHintsEveryMs = secondMs / 5;
/** All tenants: what was written on other nodes, what was left behind, what is due again. */
export const deliverySweepEveryMs = 5 * secondMs;

export interface DeliveriesOptions {
  readonly house: House;
  readonly ports: DeliveryPorts;
  /** So many lanes are worked through side by side on this node. */
  readonly sideBySide?: number;
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
const lanesOfOneMax = 8;

export class Deliveries {
  readonly #options: DeliveriesOptions;
  readonly #sideBySide: number;
  readonly #queue = new TurnQueue<Receiver, LaneOf>(receiverKey);
  readonly #running = new Map<string, Promise<void>>();
  /** How many lanes of each receiver and of each tenant are being worked through. */
  readonly #busy = new Map<string, number>();
  /** Receivers whose last attempt failed: one lane at a time, and all of them together in half of the places at most. */
  readonly #failing = new Set<string>();
  #busyFailing = 0;
  readonly #stopping = new AbortController();
  /** What lanes of a tenant ask the database for goes in one trip for as many as ask meanwhile. */
  readonly #taking: Gathering<AskedLaneOf, HeldLane | undefined>;
  readonly #preparing: Gathering<HeldLaneOf, PreparedHeads>;
  readonly #settling: Gathering<AttemptedOf, LaneAfter>;

  constructor(options: DeliveriesOptions) {
    const { house, ports, sideBySide = 256 } = options;
    this.#options = options;
    this.#sideBySide = sideBySide;
    const keyOf = ({ tenant }: { readonly tenant: Tenant }): string => tenantKey(tenant);
    this.#taking = new Gathering<AskedLaneOf, HeldLane | undefined>({ keyOf, run: (lanes) => takeLanes(house, lanes) });
    this.#preparing = new Gathering<HeldLaneOf, PreparedHeads>({
      keyOf,
      run: (lanes) => prepareHeads(house, lanes, ports),
    });
    this.#settling = new Gathering<AttemptedOf, LaneAfter>({
      keyOf,
      run: (attempted) => settleAttempts(house, attempted),
    });
  }

  async sweep(): Promise<void> {
    await this.#lookAt(await listEnvironments(this.#options.house.database));
  }

  /** Once, and again as long as there is more: tenants in turn, so that none waits until another has handed out everything. */
  async lookWhereHinted(): Promise<void> {
    const { deliveryHints, clock } = this.#options.house;
    for (let some = deliveryHints.take(clock.now()); some.length > 0; some = deliveryHints.take(clock.now())) {
      if (this.#isStopped) return;
      await this.#lookAt(some);
    }
  }

  /** Until nothing that was found waits or runs any more. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** What is being sent is interrupted and its lane left to others; what is being written is waited for. */
  async stop(): Promise<void> {
    this.#queue.clear();
    this.#stopping.abort();
    await this.settle();
  }

  get #isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #lookAt(tenants: readonly Tenant[]): Promise<void> {
    if (tenants.length === 0 || this.#isStopped) return;
    const { house, onFailure } = this.#options;
    const unhanded: Tenant[] = [];
    for (const due of await listDueLanes(house, tenants)) {
      if (due.hasOutbox) unhanded.push(due.tenant);
      this.#putInLine(due);
    }
    for (const tenant of unhanded) if (!this.#isStopped) await this.#handOut(tenant).catch(onFailure);
  }

  async #handOut(tenant: Tenant): Promise<void> {
    const { house } = this.#options;
    const left = await handOutEvents(house, tenant);
    for (const due of await listDueLanes(house, [tenant])) this.#putInLine(due);
    if (left === 'more') house.deliveryHints.put(tenant, house.clock.now());
    if (left === 'others') house.deliveryHints.put(tenant, house.clock.now() + deliveryHintsEveryMs);
  }

  #putInLine({ tenant, lanes }: DueLanesOf): void {
    const { deliveryHints, clock } = this.#options.house;
    for (const name of lanes) this.#queue.put({ tenant, webhook: name.webhook }, name.lane, { tenant, ...name });
    if (lanes.length >= lanesFoundMax) deliveryHints.put(tenant, clock.now());
    this.#startSome();
  }

  #mayServe(receiver: Receiver): boolean {
    const key = receiverKey(receiver);
    const isFailing = this.#failing.has(key);
    const half = Math.max(1, this.#sideBySide / 2);
    return (
      (this.#busy.get(key) ?? 0) < (isFailing ? 1 : lanesOfOneMax) &&
      (this.#busy.get(tenantKey(receiver.tenant)) ?? 0) < half &&
      (!isFailing || this.#busyFailing < half)
    );
  }

  #startSome(): void {
    while (this.#running.size < this.#sideBySide && !this.#isStopped) {
      const next = this.#queue.take((receiver) => this.#mayServe(receiver));
      if (next === undefined) return;
      const name = `${receiverKey(next.of)} ${next.one.lane}`;
      if (!this.#running.has(name)) this.#running.set(name, this.#serve(name, next.of, next.one));
    }
  }

  async #serve(name: string, receiver: Receiver, lane: LaneOf): Promise<void> {
    const counted = [receiverKey(receiver), tenantKey(receiver.tenant)];
    const wasFailing = this.#failing.has(counted[0]!);
    const count = (by: 1 | -1): void => {
      for (const key of counted) this.#busy.set(key, (this.#busy.get(key) ?? 0) + by);
      for (const key of counted) if (this.#busy.get(key) === 0) this.#busy.delete(key);
      if (wasFailing) this.#busyFailing += by;
    };
    count(1);
    try {
      await this.#workThrough(receiver, lane);
    } catch (error) {
      this.#options.onFailure(error);
    } finally {
      count(-1);
      this.#running.delete(name);
      this.#startSome();
    }
  }

  async #workThrough(receiver: Receiver, lane: LaneOf): Promise<void> {
    const { house } = this.#options;
    const { tenant } = lane;
    let asked: AskedLaneOf = lane;
    for (;;) {
      const taken = await this.#taking.ask(asked);
      if (taken === undefined) return;
      const held = { ...taken, tenant };
      const after =
        held.heads.length === 0 ? await leaveEmptyLane(house, held) : await this.#deliverHeads(receiver, held);
      if (after === 'closed' || after === 'stopped') await leaveLane(house, held);
      if (after === 'refilled') house.deliveryHints.put(tenant, house.clock.now());
      if (after !== 'open') return;
      asked = held;
    }
  }

  /** In their order, until one of them fails: what became of the lane. */
  async #deliverHeads(receiver: Receiver, held: HeldLaneOf): Promise<LaneAfter | 'stopped'> {
    const { house, ports } = this.#options;
    const { heads, isWhole } = held;
    const { signal } = this.#stopping;
    const { bodies, signer } = await this.#preparing.ask(held);
    const attemptPorts = { send: ports.send, settle: (attempted: AttemptedOf) => this.#settling.ask(attempted) };
    let after: LaneAfter | 'stopped' = 'open';
    for (const [index, head] of heads.entries()) {
      if (signal.aborted) return 'stopped';
      const isLast = isWhole && index === heads.length - 1;
      after = await attemptDelivery(house, { held, head, isLast, body: bodies[index]!, signer, signal }, attemptPorts);
      if (after === 'waiting') this.#failing.add(receiverKey(receiver));
      else if (after !== 'lost' && after !== 'stopped') this.#failing.delete(receiverKey(receiver));
      if (after !== 'open') break;
    }
    return after;
  }
}
