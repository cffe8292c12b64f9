// Limits how many delivery queues of one webhook and of one tenant run at a time, so that nobody waits for another's slow receiver.

import type { Id } from '../kit/id.ts';
import { tenantKey } from '../actions/core/tenant-wake-ups.ts';
import type { Tenant } from '../model/access/scope.ts';

/** A webhook of a tenant, whose queues take turns with those of others. */
interface Receiver {
  readonly tenant: Tenant;
  readonly webhook: Id;
}

export function receiverKey({ tenant, webhook }: Receiver): string {
  return `${tenantKey(tenant)} ${webhook}`;
}

/** How many queues of one webhook run at a time as long as it answers. */
const queuesPerReceiverMax = 8;

export class ReceiverLimits {
  /** The most of one tenant, and the most of all failing receivers together. */
  readonly #half: number;
  /** How many queues of each receiver and of each tenant are running. */
  readonly #runningCounts = new Map<string, number>();
  /** Receivers whose last attempt failed: each is served one queue at a time. */
  readonly #failing = new Set<string>();
  #runningFailingCount = 0;

  constructor(concurrency: number) {
    this.#half = Math.max(1, concurrency / 2);
  }

  canServe(receiver: Receiver): boolean {
    const key = receiverKey(receiver);
    const isFailing = this.#failing.has(key);
    return (
      this.#runningCount(key) < (isFailing ? 1 : queuesPerReceiverMax) &&
      this.#runningCount(tenantKey(receiver.tenant)) < this.#half &&
      (!isFailing || this.#runningFailingCount < this.#half)
    );
  }

  /** Counts a queue of the receiver as running until the returned function is called. */
  occupy(receiver: Receiver): () => void {
    const key = receiverKey(receiver);
    const wasFailing = this.#failing.has(key);
    const count = (change: 1 | -1): void => {
      this.#count(key, change);
      this.#count(tenantKey(receiver.tenant), change);
      if (wasFailing) this.#runningFailingCount += change;
    };
    count(1);
    return () => count(-1);
  }

  noteFailure(receiver: Receiver): void {
    this.#failing.add(receiverKey(receiver));
  }

  noteSuccess(receiver: Receiver): void {
    this.#failing.delete(receiverKey(receiver));
  }

  #runningCount(key: string): number {
    return this.#runningCounts.get(key) ?? 0;
  }

  #count(key: string, change: 1 | -1): void {
    const count = this.#runningCount(key) + change;
    if (count === 0) this.#runningCounts.delete(key);
    else this.#runningCounts.set(key, count);
  }
}
