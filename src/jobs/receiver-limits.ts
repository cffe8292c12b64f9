// Limits how much work for one receiver and for one tenant runs at a time, so that nobody waits for another's slow receiver. A receiver is
// a webhook or a custodian.

import { tenantKey } from '../actions/core/tenant-wake-ups.ts';
import type { Tenant } from '../model/access/scope.ts';

interface ReceiverLimitsOptions<Item> {
  /** How many items are worked on at a time, for all receivers together. */
  readonly concurrency: number;
  /** How many items of one receiver are worked on at a time as long as it answers. */
  readonly perReceiverMax: number;
  /** Names the receiver of an item. */
  keyOf(item: Item): string;
}

export class ReceiverLimits<Item extends { readonly tenant: Tenant }> {
  readonly #options: ReceiverLimitsOptions<Item>;
  /** The most of one tenant, and the most of all failing receivers together. */
  readonly #half: number;
  /** How many items of each receiver and of each tenant are running. */
  readonly #runningCounts = new Map<string, number>();
  /** Receivers whose last attempt failed: each is served one item at a time. */
  readonly #failing = new Set<string>();
  #runningFailingCount = 0;

  constructor(options: ReceiverLimitsOptions<Item>) {
    this.#options = options;
    this.#half = Math.max(1, options.concurrency / 2);
  }

  canServe(item: Item): boolean {
    const key = this.#options.keyOf(item);
    const isFailing = this.#failing.has(key);
    return (
      this.#runningCount(key) < (isFailing ? 1 : this.#options.perReceiverMax) &&
      this.#runningCount(tenantKey(item.tenant)) < this.#half &&
      (!isFailing || this.#runningFailingCount < this.#half)
    );
  }

  /** Counts an item as running until the returned function is called. */
  occupy(item: Item): () => void {
    const key = this.#options.keyOf(item);
    const wasFailing = this.#failing.has(key);
    const count = (change: 1 | -1): void => {
      this.#count(key, change);
      this.#count(tenantKey(item.tenant), change);
      if (wasFailing) this.#runningFailingCount += change;
    };
    count(1);
    return () => count(-1);
  }

  noteFailure(item: Item): void {
    this.#failing.add(this.#options.keyOf(item));
  }

  noteSuccess(item: Item): void {
    this.#failing.delete(this.#options.keyOf(item));
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
