// The request budget on one node: requests are taken from a lease, and leases from the bucket that all nodes share.

import { secondMs } from '../../kit/clock.ts';
import { Refusal } from '../../kit/refusal.ts';
import { everything, type Caller } from '../../model/reach.ts';
import { leaseBudget } from '../../store/budget.ts';
import type { House } from '../../actions/house.ts';

export interface BudgetSize {
  readonly perMinute: number;
  readonly burst: number;
}

/** How many requests a node takes at a time, and how long it may sit on them while others could use them. */
const leaseSize = 50;
const leaseLifetimeMs = 3 * secondMs;

/** One tenant's budget as this node knows it. */
class Bucket {
  held = 0;
  sharedRemaining = 0;
  leasedAt = 0;
  emptyUntil = 0;
  leasing: Promise<void> | null = null;
}

export class Budget {
  readonly policy: string;
  readonly untouched: string;
  readonly #house: House;
  readonly #size: BudgetSize;
  readonly #buckets = new Map<string, Bucket>();
  readonly #bucketOfCaller = new WeakMap<Caller, Bucket>();

  constructor(house: House, size: BudgetSize) {
    this.#house = house;
    this.#size = size;
    const refillSeconds = Math.ceil((size.burst * 60) / size.perMinute);
    this.policy = `"burst";q=${size.burst};w=${refillSeconds}, "minute";q=${size.perMinute};w=60`;
    this.untouched = `"burst";r=${size.burst};t=0`;
  }

  /** Takes one request. Usually at once, from the lease in hand; else after asking the shared bucket. */
  take(caller: Caller): string | Promise<string> {
    const bucket = this.#bucketOf(caller);
    const now = this.#house.clock.now();
    if (bucket.held > 0 && now - bucket.leasedAt < leaseLifetimeMs) {
      bucket.held--;
      if (bucket.held < 5) this.#lease(caller, bucket).catch(() => {}); // the next request that needs it will hear of it
      return this.#header(bucket);
    }
    return this.#takeFromShared(caller, bucket);
  }

  async #takeFromShared(caller: Caller, bucket: Bucket): Promise<string> {
    while (true) {
      const now = this.#house.clock.now();
      if (bucket.held > 0 && now - bucket.leasedAt < leaseLifetimeMs) {
        bucket.held--;
        return this.#header(bucket);
      }
      if (now < bucket.emptyUntil) throw this.#refusal(bucket.emptyUntil - now);
      await this.#lease(caller, bucket);
    }
  }

  #lease(caller: Caller, bucket: Bucket): Promise<void> {
    bucket.leasing ??= this.#drawLease(caller, bucket).finally(() => {
      bucket.leasing = null;
    });
    return bucket.leasing;
  }

  async #drawLease({ reach, subject }: Caller, bucket: Bucket): Promise<void> {
    const now = this.#house.clock.now();
    if (now < bucket.emptyUntil) return;
    const returned = now - bucket.leasedAt < leaseLifetimeMs ? 0 : bucket.held;
    bucket.held -= returned;
    const whole = { ...reach, sight: everything, credentialId: null };
    const request = { subject, now, ...this.#size, atMost: leaseSize, returned };
    const { granted, remaining } = await this.#house.database.write(whole, (run) => leaseBudget(run, whole, request));
    bucket.held += granted;
    bucket.sharedRemaining = remaining;
    bucket.leasedAt = now;
    if (granted === 0) bucket.emptyUntil = now + ((1 - remaining) * 60 * secondMs) / this.#size.perMinute;
  }

  #header({ held, sharedRemaining, leasedAt }: Bucket): string {
    const { burst, perMinute } = this.#size;
    const refilled = ((this.#house.clock.now() - leasedAt) * perMinute) / (60 * secondMs);
    const remaining = Math.min(burst, Math.floor(held + sharedRemaining + refilled));
    return `"burst";r=${remaining};t=${Math.ceil(((burst - remaining) * 60) / perMinute)}`;
  }

  #refusal(waitMs: number): Refusal {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / secondMs));
    const detail = `The budget of ${this.#size.perMinute} requests a minute, with bursts of ${this.#size.burst}, is used up for the moment.`;
    return new Refusal('budget-exceeded', detail, { retryAfterSeconds });
  }

  #bucketOf(caller: Caller): Bucket {
    let bucket = this.#bucketOfCaller.get(caller);
    if (bucket === undefined) {
      const key = `${caller.reach.workspaceId}/${caller.reach.environment}/${caller.subject}`;
      bucket = this.#buckets.get(key) ?? new Bucket();
      this.#buckets.set(key, bucket);
      this.#bucketOfCaller.set(caller, bucket);
    }
    return bucket;
  }
}
