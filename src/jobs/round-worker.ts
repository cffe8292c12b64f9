// Runs calculation rounds: finds the clients whose rounds are due, leases one round per client, evaluates it and writes its end.

import { Batcher } from '../kit/batcher.ts';
import { secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import { Refusal } from '../kit/refusal.ts';
import type { RoundProgress } from '../model/limit/calculation-round.ts';
import type { AppContext } from '../actions/core/context.ts';
import { finishRounds, type EvaluatedRound } from '../actions/rounds/finish-rounds.ts';
import type { RoundInput, RoundOutcome } from '../actions/rounds/round-outcome.ts';
import { tenantKey } from '../actions/core/tenant-wake-ups.ts';
import type { Tenant } from '../model/access/scope.ts';
import {
  failRound,
  findTenantsWithRounds,
  listDueRounds,
  releaseRound,
  renewRound,
  roundDelayMs,
  spreadDirtyFlags,
  takeRounds,
  type LeasedRound,
  type TenantClient,
  type TenantDueRounds,
} from '../actions/rounds/round.ts';
import { LeasedWorker, type DueItems, type LeasedQueue, type QueueItem, type QueueWorker } from './leased-worker.ts';

/** Well within the lease. */
const renewalIntervalMs = 10 * secondMs;

export type EvaluateRound = (
  input: RoundInput,
  onProgress: (progress: RoundProgress) => void,
) => Promise<RoundOutcome | undefined>;

export type RoundEnd = 'finished' | 'failed' | 'handed-back';

export interface RoundWorkerOptions {
  readonly context: AppContext;
  readonly evaluate: EvaluateRound;
  readonly concurrency: number;
  /** How long changes gather before they lead to a round. */
  readonly batchWindowMs?: number;
  /** Receives how rounds ended, and how long they were evaluated. */
  onEnd?(end: RoundEnd, durationMs: number): void;
  onFailure(error: unknown): void;
}

interface ClientItem extends QueueItem {
  readonly client: Id;
}

/** How many rounds one transaction takes or finishes: the clients' locks are held until its end. */
const batchMax = 32;

interface RoundLease extends LeasedRound {
  progress: RoundProgress;
  readonly startedAt: number;
}

/** Undefined where the client is gone, and its round with it. */
type RoundResult = RoundOutcome | 'abandoned' | undefined;

class Rounds implements LeasedQueue<ClientItem, RoundLease, RoundResult> {
  readonly name = 'rounds';
  readonly wakeUps;
  readonly wakeUpDelayMs: number;
  readonly wakeUpIntervalMs = secondMs;
  /** Together with the delay: a round begins within ten seconds of a change that another node wrote. */
  readonly sweepIntervalMs = 7 * secondMs;
  readonly #options: RoundWorkerOptions;
  /** Rounds of a tenant that ask the database for the same thing at the same time share a transaction. */
  readonly #takeBatcher: Batcher<TenantClient, LeasedRound | undefined>;
  readonly #finishBatcher: Batcher<EvaluatedRound, boolean>;
  /** How many rounds of each tenant run here. */
  readonly #runningCounts = new Map<string, number>();

  constructor(options: RoundWorkerOptions) {
    this.#options = options;
    this.wakeUps = options.context.roundWakeUps;
    this.wakeUpDelayMs = options.batchWindowMs ?? roundDelayMs;
    const { context } = options;
    const byTenant = { keyOf: ({ tenant }: QueueItem) => tenantKey(tenant), batchMax };
    this.#takeBatcher = new Batcher<TenantClient, LeasedRound | undefined>({
      ...byTenant,
      run: (items) => takeRounds(context, items, this.wakeUpDelayMs),
    });
    this.#finishBatcher = new Batcher<EvaluatedRound, boolean>({
      ...byTenant,
      run: (items) => finishRounds(context, items),
    });
  }

  readonly renewal = {
    intervalMs: renewalIntervalMs,
    renew: (lease: RoundLease): Promise<boolean> => renewRound(this.#options.context, lease, lease.progress),
  };

  keyOf({ tenant, client }: ClientItem): string {
    return `${tenantKey(tenant)} ${client}`;
  }

  /** A tenant runs at most half of what a node runs at a time, so that others find a place soon. */
  canServe({ tenant }: ClientItem): boolean {
    const max = Math.max(1, Math.ceil(this.#options.concurrency / 2));
    return (this.#runningCounts.get(tenantKey(tenant)) ?? 0) < max;
  }

  occupy({ tenant }: ClientItem): () => void {
    const key = tenantKey(tenant);
    const add = (count: number): void => {
      const running = (this.#runningCounts.get(key) ?? 0) + count;
      if (running === 0) this.#runningCounts.delete(key);
      else this.#runningCounts.set(key, running);
    };
    add(1);
    return () => add(-1);
  }

  findTenants(): Promise<readonly Tenant[]> {
    return findTenantsWithRounds(this.#options.context);
  }

  async find(tenants: readonly Tenant[]): Promise<readonly DueItems<ClientItem>[]> {
    const { context } = this.#options;
    const due = await listDueRounds(context, tenants, this.wakeUpDelayMs);
    return due.map((one) => this.#dueItems(one, context.clock.now()));
  }

  /** Lists no client before shared flags are spread: otherwise a client that has both would get two rounds. */
  #dueItems(due: TenantDueRounds, now: number): DueItems<ClientItem> {
    const { tenant, clients, hasSharedMarks, isNewDay, isMoreComing, isFull } = due;
    if (hasSharedMarks || isNewDay) return { tenant, items: [], isExpandable: true, lookAgainAt: undefined };
    const items = clients.map((client) => ({ tenant, client }));
    return { tenant, items, isExpandable: false, lookAgainAt: isMoreComing || isFull ? now : undefined };
  }

  expand(tenant: Tenant): Promise<void> {
    return spreadDirtyFlags(this.#options.context, tenant);
  }

  async take(item: ClientItem): Promise<RoundLease | undefined> {
    const leased = await this.#takeBatcher.submit(item);
    return leased && { ...leased, progress: { done: 0, total: 0 }, startedAt: performance.now() };
  }

  async work(lease: RoundLease, signal: AbortSignal): Promise<RoundResult> {
    if (signal.aborted) return 'abandoned';
    const { promise: abandoned, resolve } = Promise.withResolvers<'abandoned'>();
    signal.addEventListener('abort', () => resolve('abandoned'), { once: true });
    const input = { tenant: lease.tenant, client: lease.round.client };
    return Promise.race([abandoned, this.#options.evaluate(input, (progress) => (lease.progress = progress))]);
  }

  async finish(lease: RoundLease, result: RoundResult): Promise<undefined> {
    const { context } = this.#options;
    if (result === 'abandoned') await releaseRound(context, lease);
    else if (result !== undefined) await this.#finishBatcher.submit({ ...lease, outcome: result });
    this.#reportEnd(lease, result === 'abandoned' ? 'handed-back' : 'finished');
  }

  #reportEnd({ startedAt }: RoundLease, end: RoundEnd): void {
    this.#options.onEnd?.(end, performance.now() - startedAt);
  }

  async fail(lease: RoundLease, error: unknown): Promise<Error> {
    const { context, onFailure } = this.#options;
    this.#reportEnd(lease, 'failed');
    const code = error instanceof Refusal ? error.code : 'internal';
    await failRound(context, lease, code).catch(onFailure);
    const { id, client, attempts } = lease.round;
    return new Error(`Attempt ${attempts} at round ${id} of client ${client} failed.`, { cause: error });
  }
}

export function createRoundWorker(options: RoundWorkerOptions): QueueWorker {
  return new LeasedWorker(new Rounds(options), options);
}
