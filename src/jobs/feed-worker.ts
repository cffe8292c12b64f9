// Runs feeds: finds the authorities whose run is due, leases one run per authority, lets it fetch and book, and plans the next one.

import { secondMs } from '../kit/clock.ts';
import type { AppContext } from '../actions/core/context.ts';
import { TenantWakeUps, tenantKey } from '../actions/core/tenant-wake-ups.ts';
import { fetchFeed } from '../actions/feeds/fetch-feed.ts';
import {
  finishFeedRun,
  listDueFeeds,
  renewFeedRun,
  takeFeedRun,
  type DueFeed,
  type FeedOutcome,
  type LeasedFeedRun,
} from '../actions/feeds/feed-run.ts';
import type { Tenant } from '../model/access/scope.ts';
import { LeasedWorker, type DueItems, type LeasedQueue, type QueueItem, type QueueWorker } from './leased-worker.ts';
import { ReceiverLimits } from './receiver-limits.ts';

/** How many runs of feeds a node works on at a time. */
const runsAtATime = 16;
/** How many of them visit the same custodian of a tenant. */
const runsPerCustodianMax = 2;
/** Well within the lease. */
const renewalIntervalMs = 20 * secondMs;

/** Receives what happens to feeds. */
export interface FeedObserver {
  onOutcome(lease: LeasedFeedRun, outcome: FeedOutcome): void;
  onFailure(error: unknown): void;
}

export interface FeedWorkerOptions {
  readonly context: AppContext;
  /** How long after a finished run the next one is due. */
  readonly intervalMs: number;
  /** How many runs this node works on at a time. */
  readonly concurrency?: number;
  /** How many of them visit the same custodian of a tenant. */
  readonly perCustodianMax?: number;
  readonly observer: FeedObserver;
}

interface FeedItem extends QueueItem, DueFeed {}

type VisitedCustodian = Pick<FeedItem, 'tenant' | 'custodian'>;

function custodianKey({ tenant, custodian }: VisitedCustodian): string {
  return `${tenantKey(tenant)} ${custodian}`;
}

class Feeds implements LeasedQueue<FeedItem, LeasedFeedRun, FeedOutcome> {
  readonly name = 'feeds';
  readonly wakeUps = new TenantWakeUps();
  readonly wakeUpDelayMs = 0;
  readonly wakeUpIntervalMs = secondMs;
  readonly sweepIntervalMs = 5 * secondMs;
  readonly #options: FeedWorkerOptions;
  readonly #limits: ReceiverLimits<VisitedCustodian>;

  constructor(options: FeedWorkerOptions, concurrency: number) {
    this.#options = options;
    const { perCustodianMax = runsPerCustodianMax } = options;
    this.#limits = new ReceiverLimits({ concurrency, perReceiverMax: perCustodianMax, keyOf: custodianKey });
  }

  readonly renewal = {
    intervalMs: renewalIntervalMs,
    renew: (lease: LeasedFeedRun): Promise<boolean> => renewFeedRun(this.#options.context, lease),
  };

  keyOf({ tenant, authority }: FeedItem): string {
    return `${tenantKey(tenant)} ${authority}`;
  }

  groupOf(item: FeedItem): string {
    return custodianKey(item);
  }

  canServe(item: FeedItem): boolean {
    return this.#limits.canServe(item);
  }

  occupy(item: FeedItem): () => void {
    return this.#limits.occupy(item);
  }

  findTenants(): Promise<readonly Tenant[]> {
    const { stores, clock } = this.#options.context;
    return stores.preAuth.dueTenants.withFeeds(clock.now());
  }

  async find(tenants: readonly Tenant[]): Promise<readonly DueItems<FeedItem>[]> {
    const { context } = this.#options;
    const lookAgainAt = context.clock.now() + this.wakeUpIntervalMs;
    return (await listDueFeeds(context, tenants)).map(({ tenant, feeds, isFull }) => ({
      tenant,
      items: feeds.map((feed) => ({ tenant, ...feed })),
      isExpandable: false,
      lookAgainAt: isFull ? lookAgainAt : undefined,
    }));
  }

  take(item: FeedItem): Promise<LeasedFeedRun | undefined> {
    return takeFeedRun(this.#options.context, item);
  }

  work(lease: LeasedFeedRun, signal: AbortSignal): Promise<FeedOutcome> {
    return fetchFeed(this.#options.context, lease, signal);
  }

  async finish(lease: LeasedFeedRun, outcome: FeedOutcome): Promise<undefined> {
    const { context, intervalMs, observer } = this.#options;
    const { tenant, run } = lease;
    const { custodian } = run;
    if (outcome.kind === 'failed') this.#limits.noteFailure({ tenant, custodian });
    else if (outcome.kind === 'finished') this.#limits.noteSuccess({ tenant, custodian });
    if (await finishFeedRun(context, lease, { outcome, intervalMs })) observer.onOutcome(lease, outcome);
  }

  /** A defect here, or the database: tried again later, as if the custodian were away. */
  async fail(lease: LeasedFeedRun, error: unknown): Promise<Error> {
    const { context, intervalMs, observer } = this.#options;
    const outcome = { kind: 'failed', error: 'internal', detail: 'The run failed here and is tried again.' } as const;
    await finishFeedRun(context, lease, { outcome, intervalMs }).catch(observer.onFailure);
    const { id, authority, attempts } = lease.run;
    return new Error(`Attempt ${attempts} at run ${id} of authority ${authority} failed.`, { cause: error });
  }
}

export function createFeedWorker(options: FeedWorkerOptions): QueueWorker {
  const { context, observer, concurrency = runsAtATime } = options;
  const onFailure = (error: unknown): void => observer.onFailure(error);
  return new LeasedWorker(new Feeds(options, concurrency), { context, concurrency, onFailure });
}
