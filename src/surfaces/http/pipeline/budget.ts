// Limits the requests of a tenant: a node takes requests from its lease, and leases from the bucket that all nodes share. With each lease a node
// learns what the operator has set for the workspace, so that a change holds on every node within seconds. While nothing can be written, each node
// counts by itself.

import { minuteMs, secondMs } from '../../../kit/clock.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { Caller } from '../../../model/access/caller.ts';
import { allClients, type Scope } from '../../../model/access/scope.ts';
import type { InstallationSettings } from '../../../model/access/workspace-settings.ts';
import { isUnwritable } from '../../../model/refusals/unwritable.ts';
import type { AppContext } from '../../../actions/core/context.ts';
import type { BudgetLease, BudgetSize, LeaseRequest } from '../../../store/access/request-budget.ts';
import type { RequestTerms } from '../../../store/access/workspace-settings.ts';

/** The parts of the context that a budget uses. */
type BudgetContext = Pick<AppContext, 'stores' | 'clock' | 'ids'>;

/** One lease is at most this fraction of a burst, and expires soon so that other nodes can use what it leaves. */
const leaseShare = 6;
/** How long a node may use a lease of the request budget. */
const leaseLifetimeMs = 3 * secondMs;

/** The headers that state a budget: what is left of it, and what is enforced. */
export interface RateLimit {
  readonly left: string;
  readonly policy: string;
}

function policyOf({ burst, requestsPerMinute }: BudgetSize): string {
  // One bucket is enforced: the requests per minute are its rate, not a second limit.
  return `"burst";q=${burst};w=${Math.ceil((burst * 60) / requestsPerMinute)}`;
}

/** Of a caller that nothing is known of. */
export function fullBudget(size: BudgetSize): RateLimit {
  return { left: `"burst";r=${size.burst};t=0`, policy: policyOf(size) };
}

export interface StorageLevel {
  readonly used: number;
  readonly max: number;
}

/** This node's lease for one caller of a tenant. */
class Bucket {
  size: BudgetSize;
  policy: string;
  available = 0;
  leasedAt = 0;
  /** Requests in the lease when it began, and requests taken from it since. */
  leaseSize = 0;
  taken = 0;
  /** Requests waiting for the next lease. */
  waiting = 0;
  sharedRemaining = 0;
  emptyUntil = 0;
  /** Until when the shared bucket is not asked again. */
  refusedUntil = 0;
  /** What the shared bucket is taken to hold while nobody can write into it; undefined while it is asked. */
  own: { remaining: number; asOf: number } | undefined;
  leasing: Promise<void> | null = null;

  constructor(size: BudgetSize) {
    this.size = size;
    this.policy = policyOf(size);
  }

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
    this.refusedUntil = 0;
    this.leasedAt = now;
  }
}

/** For whoever describes operations and serves none. */
export const noBudget: Pick<Budget, 'take' | 'usedUp'> = {
  take: () => ({ left: '', policy: '' }),
  usedUp: () => ({ left: '', policy: '' }),
};

type UsualSettings = Pick<InstallationSettings, 'requestsPerMinute' | 'burst' | 'storageBytes'>;

function refusal({ size: { requestsPerMinute, burst } }: Bucket, waitMs: number): Refusal {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / secondMs));
  const detail = `The budget of ${requestsPerMinute} requests a minute, with bursts of ${burst}, is used up. Wait for Retry-After seconds.`;
  return new Refusal('budget-exceeded', detail, { retryAfterSeconds });
}

export class Budget {
  /** What is said to a caller that nothing is known of. */
  readonly full: RateLimit;
  readonly #context: BudgetContext;
  readonly #usual: UsualSettings;
  /** Identifies this node among those that lease from the same bucket. */
  readonly #node: string;
  readonly #buckets = new Map<string, Bucket>();
  /** Of the environments with a quota. */
  readonly #storage = new Map<string, StorageLevel>();
  readonly #bucketByCaller = new WeakMap<Caller, Bucket>();

  constructor(context: BudgetContext, usual: UsualSettings) {
    this.#context = context;
    this.#usual = usual;
    this.#node = context.ids.next();
    this.full = fullBudget(usual);
  }

  /** The headers of a request that was refused because the budget is used up. */
  usedUp(caller: Caller, { retryAfterSeconds }: Refusal): RateLimit {
    return { left: `"burst";r=0;t=${retryAfterSeconds}`, policy: this.#bucketFor(caller).policy };
  }

  /** The storage of the caller's environment, as of the last lease there; undefined without a quota. */
  storageOf({ scope: { workspaceId, environment } }: Caller): StorageLevel | undefined {
    return this.#storage.get(`${workspaceId}/${environment}`);
  }

  #noteStorage({ workspaceId, environment }: Scope, terms: RequestTerms | undefined): void {
    const key = `${workspaceId}/${environment}`;
    const max = terms?.storageBytes ?? this.#usual.storageBytes;
    if (max === null) this.#storage.delete(key);
    else this.#storage.set(key, { used: terms?.storedBytes ?? 0, max });
  }

  /** Takes one request: usually at once from the lease, else after asking the shared bucket. */
  take(caller: Caller): RateLimit | Promise<RateLimit> {
    const bucket = this.#bucketFor(caller);
    if (!bucket.take(this.#context.clock.now())) return this.#takeFromShared(caller, bucket);
    const isNearlyUsedUp = bucket.available < Math.floor(bucket.leaseSize / 8);
    if (isNearlyUsedUp) this.#lease(caller, bucket).catch(() => {}); // a request that has to wait for the lease sees the error
    return this.#header(bucket);
  }

  async #takeFromShared(caller: Caller, bucket: Bucket): Promise<RateLimit> {
    bucket.waiting++;
    try {
      while (true) {
        const now = this.#context.clock.now();
        if (bucket.take(now)) return this.#header(bucket);
        if (now < bucket.refusedUntil) throw refusal(bucket, bucket.emptyUntil - now);
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
    if (now < bucket.refusedUntil) return;
    const { waiting } = bucket;
    const leftover = bucket.isExpired(now)
      ? { kept: 0, returned: bucket.available }
      : { kept: bucket.available, returned: 0 };
    bucket.available = leftover.kept;
    const atMost = Math.max(1, Math.min(Math.floor(bucket.size.burst / leaseShare), bucket.taken * 2 + waiting));
    const request = {
      usual: this.#usual,
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
      ({ terms, ...granted }) => {
        bucket.own = undefined;
        this.#noteStorage(scope, terms);
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
    if (bucket.size.burst !== lease.size.burst || bucket.size.requestsPerMinute !== lease.size.requestsPerMinute)
      bucket.policy = policyOf(lease.size);
    bucket.size = lease.size;
    if (lease.granted > 0) return;
    bucket.emptyUntil = now + lease.nextInMs;
    // A larger budget that is set meanwhile is noticed before that.
    bucket.refusedUntil = Math.min(bucket.emptyUntil, now + leaseLifetimeMs);
  }

  /**
   * Grants from what the bucket held when it was last seen, refilled at the same rate. Each node does so, so that callers of several nodes may
   * make as many requests on each. What the operator has set stays as it was last read.
   */
  #leaseAlone(
    bucket: Bucket,
    { now, atMost, returned }: Pick<LeaseRequest, 'now' | 'atMost' | 'returned'>,
  ): Omit<BudgetLease, 'terms'> {
    const { burst, requestsPerMinute } = bucket.size;
    const last = bucket.own ?? {
      remaining: bucket.leasedAt === 0 ? burst : bucket.sharedRemaining,
      asOf: bucket.leasedAt,
    };
    const refilled = (Math.max(0, now - last.asOf) * requestsPerMinute) / minuteMs;
    const remaining = Math.min(burst, last.remaining + returned + refilled);
    const granted = Math.min(atMost, Math.floor(remaining));
    bucket.own = { remaining: remaining - granted, asOf: now };
    const nextInMs = granted > 0 ? 0 : Math.ceil(((1 - remaining) * minuteMs) / requestsPerMinute);
    return { size: bucket.size, granted, remaining: remaining - granted, nextInMs };
  }

  #header({ available, sharedRemaining, leasedAt, policy, size: { burst, requestsPerMinute } }: Bucket): RateLimit {
    const refilled = ((this.#context.clock.now() - leasedAt) * requestsPerMinute) / (60 * secondMs);
    const remaining = Math.min(burst, Math.floor(available + sharedRemaining + refilled));
    return { left: `"burst";r=${remaining};t=${Math.ceil(((burst - remaining) * 60) / requestsPerMinute)}`, policy };
  }

  #bucketFor(caller: Caller): Bucket {
    let bucket = this.#bucketByCaller.get(caller);
    if (bucket === undefined) {
      const key = `${caller.scope.workspaceId}/${caller.scope.environment}/${caller.subject}`;
      bucket = this.#buckets.get(key) ?? new Bucket(this.#usual);
      this.#buckets.set(key, bucket);
      this.#bucketByCaller.set(caller, bucket);
    }
    return bucket;
  }
}
