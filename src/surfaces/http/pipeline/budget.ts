// The request budget on one node: requests are taken from a lease, and leases from the bucket that all nodes share.

import { secondMs } from '../../../kit/clock.ts';
import { Refusal } from '../../../kit/refusal.ts';
import { everything, type Caller } from '../../../model/access/scope.ts';
import { leaseBudget } from '../../../store/access/request-budget.ts';
import type { House } from '../../../actions/core/context.ts';

/** What of the house a budget needs. */
export type BudgetHouse = Pick<House, 'database' | 'clock' | 'ids'>;

export interface BudgetSize {
  readonly perMinute: number;
  readonly burst: number;
}

/** A node takes at most one part in so many of a burst at a time, and may sit on it so long while others could use it. */
const leaseShare = 6;
const leaseLifetimeMs = 3 * secondMs;

/** One tenant's budget as this node knows it. */
class Bucket {
  held = 0;
  leasedAt = 0;
  /** How many the lease in hand began with, and how many have been taken since. */
  leaseSize = 0;
  taken = 0;
  /** Requests that wait for the next lease. */
  waiting = 0;
  sharedRemaining = 0;
  emptyUntil = 0;
  leasing: Promise<void> | null = null;

  /** Whether there was one to take. */
  take(now: number): boolean {
    if (this.held === 0 || this.isOver(now)) return false;
    this.held--;
    this.taken++;
    return true;
  }

  isOver(now: number): boolean {
    return now - this.leasedAt >= leaseLifetimeMs;
  }
}

export class Budget {
  readonly policy: string;
  readonly untouched: string;
  readonly #house: BudgetHouse;
  readonly #size: BudgetSize;
  /** What this node is called among those that lease from the same bucket. */
  readonly #node: string;
  readonly #buckets = new Map<string, Bucket>();
  readonly #bucketOfCaller = new WeakMap<Caller, Bucket>();

  constructor(house: BudgetHouse, size: BudgetSize) {
    this.#house = house;
    this.#size = size;
    this.#node = house.ids.next();
    const refillSeconds = Math.ceil((size.burst * 60) / size.perMinute);
    this.policy = `"burst";q=${size.burst};w=${refillSeconds}, "minute";q=${size.perMinute};w=60`;
    this.untouched = `"burst";r=${size.burst};t=0`;
  }

  /** Takes one request. Usually at once, from the lease in hand; else after asking the shared bucket. */
  take(caller: Caller): string | Promise<string> {
    const bucket = this.#bucketOf(caller);
    if (!bucket.take(this.#house.clock.now())) return this.#takeFromShared(caller, bucket);
    const isNearlyUsedUp = bucket.held < Math.floor(bucket.leaseSize / 8);
    if (isNearlyUsedUp) this.#lease(caller, bucket).catch(() => {}); // the next request that needs it will hear of it
    return this.#header(bucket);
  }

  async #takeFromShared(caller: Caller, bucket: Bucket): Promise<string> {
    bucket.waiting++;
    try {
      while (true) {
        const now = this.#house.clock.now();
        if (bucket.take(now)) return this.#header(bucket);
        if (now < bucket.emptyUntil) throw this.#refusal(bucket.emptyUntil - now);
        await this.#lease(caller, bucket);
      }
    } finally {
      bucket.waiting--;
    }
  }

  #lease(caller: Caller, bucket: Bucket): Promise<void> {
    bucket.leasing ??= this.#drawLease(caller, bucket).finally(() => {
      bucket.leasing = null;
    });
    return bucket.leasing;
  }

  /** A lease is twice what was taken of the one before: a node that needs little keeps little from the others. */
  async #drawLease({ reach, subject }: Caller, bucket: Bucket): Promise<void> {
    const now = this.#house.clock.now();
    if (now < bucket.emptyUntil) return;
    const { waiting } = bucket;
    const left = bucket.isOver(now) ? { kept: 0, returned: bucket.held } : { kept: bucket.held, returned: 0 };
    bucket.held = left.kept;
    const atMost = Math.max(1, Math.min(Math.floor(this.#size.burst / leaseShare), bucket.taken * 2 + waiting));
    const request = {
      ...this.#size,
      ...left,
      subject,
      node: this.#node,
      now,
      lifetimeMs: leaseLifetimeMs,
      atMost,
      waiting,
    };
    const whole = { ...reach, sight: everything, credentialId: null };
    const lease = await this.#house.database.write(whole, (run) => leaseBudget(run, whole, request));
    bucket.held += lease.granted;
    bucket.leasedAt = now;
    bucket.leaseSize = bucket.held;
    bucket.taken = 0;
    bucket.sharedRemaining = lease.remaining;
    if (lease.granted === 0) bucket.emptyUntil = now + lease.nextInMs;
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
