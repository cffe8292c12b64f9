// Limits the requests of a tenant: a node takes requests from its lease, and leases from the bucket that all nodes share. While nothing can be
// written, each node counts by itself.

import { minuteMs, secondMs } from '../../../kit/clock.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Caller } from '../../../model/access/caller.ts';
import { allClients } from '../../../model/access/scope.ts';
import { isUnwritable } from '../../../model/refusals/unwritable.ts';
import type { AppContext, RequestBudget } from '../../../actions/core/context.ts';
import type { BudgetLease, LeaseRequest } from '../../../store/access/request-budget.ts';

/** The parts of the context that a budget uses. */
type BudgetContext = Pick<AppContext, 'stores' | 'clock' | 'ids'>;

/** One lease is at most this fraction of a burst, and expires soon so that other nodes can use what it leaves. */
const leaseShare = 6;
/** How long a node may use a lease of the request budget. */
const leaseLifetimeMs = 3 * secondMs;

/** The RateLimit header of a request that the budget refused. */
export function usedUpHeader({ retryAfterSeconds }: Refusal): string {
  return `"burst";r=0;t=${retryAfterSeconds}`;
}

/** The headers that state the budget: what is enforced, and what is left of a full one. */
export function budgetHeaders({ burst, perMinute }: RequestBudget): {
  readonly policy: string;
  readonly fullHeader: string;
} {
  const refillSeconds = Math.ceil((burst * 60) / perMinute);
  // One bucket is enforced: the requests per minute are its rate, not a second limit.
  return {
    policy: `"burst";q=${burst};w=${refillSeconds}`,
    fullHeader: `"burst";r=${burst};t=0`,
  };
}

/** This node's lease for one caller of a tenant. */
class Bucket {
  available = 0;
  leasedAt = 0;
  /** Requests in the lease when it began, and requests taken from it since. */
  leaseSize = 0;
  taken = 0;
  /** Requests waiting for the next lease. */
  waiting = 0;
  sharedRemaining = 0;
  emptyUntil = 0;
  /** What the shared bucket is taken to hold while nobody can write into it; undefined while it is asked. */
  own: { remaining: number; asOf: number } | undefined;
  leasing: Promise<void> | null = null;

  /** Returns false if the lease is used up or expired. */
  take(now: number): boolean {
    if (now < this.leasedAt) this.#followSetback(now);
    if (this.available === 0 || this.isExpired(now)) return false;
    this.available--;
    this.taken++;
    return true;
  }

  isExpired(now: number): boolean {
    return now - this.leasedAt >= leaseLifetimeMs;
  }

  /** Counts from now where the clock was set back, and asks the shared bucket again, which then does so too. */
  #followSetback(now: number): void {
    this.emptyUntil = 0;
    this.leasedAt = now;
  }
}

export class Budget {
  readonly policy: string;
  readonly fullHeader: string;
  readonly #context: BudgetContext;
  readonly #size: RequestBudget;
  /** Identifies this node among those that lease from the same bucket. */
  readonly #node: string;
  readonly #buckets = new Map<string, Bucket>();
  readonly #bucketByCaller = new WeakMap<Caller, Bucket>();

  constructor(context: BudgetContext, size: RequestBudget) {
    this.#context = context;
    this.#size = size;
    this.#node = context.ids.next();
    ({ policy: this.policy, fullHeader: this.fullHeader } = budgetHeaders(size));
  }

  /** Takes one request: usually at once from the lease, else after asking the shared bucket. Returns the RateLimit header. */
  take(caller: Caller): string | Promise<string> {
    const bucket = this.#bucketFor(caller);
    if (!bucket.take(this.#context.clock.now())) return this.#takeFromShared(caller, bucket);
    const isNearlyUsedUp = bucket.available < Math.floor(bucket.leaseSize / 8);
    if (isNearlyUsedUp) this.#lease(caller, bucket).catch(() => {}); // a request that has to wait for the lease sees the error
    return this.#header(bucket);
  }

  async #takeFromShared(caller: Caller, bucket: Bucket): Promise<string> {
    bucket.waiting++;
    try {
      while (true) {
        const now = this.#context.clock.now();
        if (bucket.take(now)) return this.#header(bucket);
        if (now < bucket.emptyUntil) throw this.#refusal(bucket.emptyUntil - now);
        await this.#lease(caller, bucket);
      }
    } finally {
      bucket.waiting--;
    }
  }

  #lease(caller: Caller, bucket: Bucket): Promise<void> {
    bucket.leasing ??= this.#acquireLease(caller, bucket).finally(() => {
      bucket.leasing = null;
    });
    return bucket.leasing;
  }

  /** Asks for twice what was taken from the last lease, so that a quiet node holds little back from the others. */
  async #acquireLease({ scope, subject }: Caller, bucket: Bucket): Promise<void> {
    const now = this.#context.clock.now();
    if (now < bucket.emptyUntil) return;
    const { waiting } = bucket;
    const leftover = bucket.isExpired(now)
      ? { kept: 0, returned: bucket.available }
      : { kept: bucket.available, returned: 0 };
    bucket.available = leftover.kept;
    const atMost = Math.max(1, Math.min(Math.floor(this.#size.burst / leaseShare), bucket.taken * 2 + waiting));
    const request = {
      ...this.#size,
      ...leftover,
      subject,
      node: this.#node,
      now,
      lifetimeMs: leaseLifetimeMs,
      atMost,
      waiting,
    };
    const workspaceScope = { ...scope, visibleClients: allClients, credentialId: null };
    const shared = this.#context.stores.forWriting({ scope: workspaceScope }, (store) => store.leaseBudget(request));
    const lease = await shared.then(
      (granted) => {
        bucket.own = undefined;
        return granted;
      },
      (error: unknown) => {
        if (isUnwritable(error)) return this.#leaseAlone(bucket, request);
        throw error;
      },
    );
    bucket.available += lease.granted;
    bucket.leasedAt = now;
    bucket.leaseSize = bucket.available;
    bucket.taken = 0;
    bucket.sharedRemaining = lease.remaining;
    if (lease.granted === 0) bucket.emptyUntil = now + lease.nextInMs;
  }

  /**
   * Grants from what the bucket held when it was last seen, refilled at the same rate. Each node does so, so that callers of several nodes may
   * make as many requests on each.
   */
  #leaseAlone(
    bucket: Bucket,
    { now, atMost, returned }: Pick<LeaseRequest, 'now' | 'atMost' | 'returned'>,
  ): BudgetLease {
    const { burst, perMinute } = this.#size;
    const last = bucket.own ?? {
      remaining: bucket.leasedAt === 0 ? burst : bucket.sharedRemaining,
      asOf: bucket.leasedAt,
    };
    const refilled = (Math.max(0, now - last.asOf) * perMinute) / minuteMs;
    const remaining = Math.min(burst, last.remaining + returned + refilled);
    const granted = Math.min(atMost, Math.floor(remaining));
    bucket.own = { remaining: remaining - granted, asOf: now };
    const nextInMs = granted > 0 ? 0 : Math.ceil(((1 - remaining) * minuteMs) / perMinute);
    return { granted, remaining: remaining - granted, nextInMs };
  }

  #header({ available, sharedRemaining, leasedAt }: Bucket): string {
    const { burst, perMinute } = this.#size;
    const refilled = ((this.#context.clock.now() - leasedAt) * perMinute) / (60 * secondMs);
    const remaining = Math.min(burst, Math.floor(available + sharedRemaining + refilled));
    return `"burst";r=${remaining};t=${Math.ceil(((burst - remaining) * 60) / perMinute)}`;
  }

  #refusal(waitMs: number): Refusal {
    const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / secondMs));
    const detail = `The budget of ${this.#size.perMinute} requests a minute, with bursts of ${this.#size.burst}, is used up. Wait for Retry-After seconds.`;
    return new Refusal('budget-exceeded', detail, { retryAfterSeconds });
  }

  #bucketFor(caller: Caller): Bucket {
    let bucket = this.#bucketByCaller.get(caller);
    if (bucket === undefined) {
      const key = `${caller.scope.workspaceId}/${caller.scope.environment}/${caller.subject}`;
      bucket = this.#buckets.get(key) ?? new Bucket();
      this.#buckets.set(key, bucket);
      this.#bucketByCaller.set(caller, bucket);
    }
    return bucket;
  }
}
