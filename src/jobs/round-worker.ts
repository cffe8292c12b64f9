// Makes rounds: finds whose are due, takes them in turn, several side by side and one at a time of a client on any node, and
// carries each through to its end. Knows neither figures nor threads.

import { secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import { Refusal } from '../kit/refusal.ts';
import type { RoundProgress } from '../model/limit/calculation-round.ts';
import type { AppContext } from '../actions/core/context.ts';
import type { RoundInput } from '../actions/rounds/round-evaluation.ts';
import { tenantKey, type Tenant } from '../actions/core/tenant-wake-ups.ts';
import {
  failRound,
  finishRound,
  roundDelayMs,
  releaseRound,
  renewRound,
  listDueRounds,
  spreadDirtyFlags,
  takeRound,
  type TenantDueRounds,
  type LeasedRound,
  type RoundOutcome,
} from '../actions/rounds/round.ts';
import { listEnvironments } from '../store/access/expiry.ts';
import { clientsFoundMax } from '../store/queues/round-queue.ts';
import { FairQueue } from './fair-queue.ts';

/** Where this node has written. */
export const roundWakeUpIntervalMs = secondMs;
/** All tenants: what was written on other nodes, what was left behind, the change of day. So a round begins within ten seconds. */
export const roundSweepIntervalMs = 7 * secondMs;
/** Well within the lease. */
const leaseRenewalIntervalMs = 10 * secondMs;

export type EvaluateRound = (
  question: RoundInput,
  onProgress: (progress: RoundProgress) => void,
) => Promise<RoundOutcome | undefined>;

export interface RoundWorkerOptions {
  readonly context: AppContext;
  readonly evaluate: EvaluateRound;
  /** So many run side by side. */
  readonly concurrency: number;
  readonly batchWindowMs?: number;
  onFailure(error: unknown): void;
}

export class RoundWorker {
  readonly #options: RoundWorkerOptions;
  readonly #batchWindowMs: number;
  readonly #fairQueue = new FairQueue<Tenant, Id>(tenantKey);
  readonly #running = new Map<string, Promise<void>>();
  /** Each lets go of a round that is being computed. */
  readonly #abandonCallbacks = new Set<() => void>();
  #isStopped = false;

  constructor(options: RoundWorkerOptions) {
    this.#options = options;
    this.#batchWindowMs = options.batchWindowMs ?? roundDelayMs;
  }

  async sweep(): Promise<void> {
    await this.#checkTenants(await listEnvironments(this.#options.context.database));
  }

  async processWakeUps(): Promise<void> {
    const { roundWakeUps, clock } = this.#options.context;
    await this.#checkTenants(roundWakeUps.take(clock.now() - this.#batchWindowMs));
  }

  /** Until nothing that was found waits or runs any more. */
  async drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** What is being computed is handed back, and what is being written is waited for. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#fairQueue.clear();
    for (const abandon of this.#abandonCallbacks) abandon();
    await this.drain();
  }

  async #checkTenants(tenants: readonly Tenant[]): Promise<void> {
    if (tenants.length === 0 || this.#isStopped) return;
    const { context, onFailure } = this.#options;
    const tenantsToSpread: Tenant[] = [];
    for (const due of await listDueRounds(context, tenants, this.#batchWindowMs)) {
      if (due.hasSharedMarks || due.isNewDay) tenantsToSpread.push(due.tenant);
      else this.#enqueueDue(due);
    }
    for (const tenant of tenantsToSpread) if (!this.#isStopped) await this.#spreadSharedFlags(tenant).catch(onFailure);
  }

  async #spreadSharedFlags(tenant: Tenant): Promise<void> {
    const { context } = this.#options;
    await spreadDirtyFlags(context, tenant);
    for (const due of await listDueRounds(context, [tenant], this.#batchWindowMs)) this.#enqueueDue(due);
  }

  #enqueueDue({ tenant, clients, isMoreComing }: TenantDueRounds): void {
    const { roundWakeUps, clock } = this.#options.context;
    for (const client of clients) this.#fairQueue.put(tenant, client, client);
    if (isMoreComing || clients.length >= clientsFoundMax) roundWakeUps.put(tenant, clock.now());
    this.#startNext();
  }

  #startNext(): void {
    while (this.#running.size < this.#options.concurrency && !this.#isStopped) {
      const turn = this.#fairQueue.take();
      if (turn === undefined) return;
      const next = { tenant: turn.owner, client: turn.item };
      const key = `${tenantKey(next.tenant)} ${next.client}`;
      if (this.#running.has(key)) continue;
      const run = this.#run(next)
        .catch((error: unknown) => this.#options.onFailure(error))
        .finally(() => {
          this.#running.delete(key);
          this.#startNext();
        });
      this.#running.set(key, run);
    }
  }

  async #run(candidate: { readonly tenant: Tenant; readonly client: Id }): Promise<void> {
    const { context } = this.#options;
    const leased = await takeRound(context, candidate, this.#batchWindowMs);
    if (leased === undefined) return;
    try {
      const outcome = await this.#evaluate(leased);
      if (outcome === 'let-go') await releaseRound(context, leased);
      else if (outcome !== undefined) await finishRound(context, leased, outcome);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'internal';
      await failRound(context, leased, code).catch(this.#options.onFailure);
      const { id, client, attempts } = leased.round;
      throw new Error(`Attempt ${attempts} at round ${id} of client ${client} failed.`, { cause: error });
    }
  }

  /** Undefined where the client is gone, and its round with it. The lease is kept meanwhile; who has lost it lets go. */
  async #evaluate(leased: LeasedRound): Promise<RoundOutcome | 'let-go' | undefined> {
    if (this.#isStopped) return 'let-go';
    const { context, evaluate, onFailure } = this.#options;
    const { promise: abandoned, resolve } = Promise.withResolvers<'let-go'>();
    const abandon = (): void => resolve('let-go');
    let progress: RoundProgress = { done: 0, total: 0 };
    const renewLease = (): Promise<void> =>
      renewRound(context, leased, progress).then((isLeaseOurs) => void (isLeaseOurs || abandon()), onFailure);
    this.#abandonCallbacks.add(abandon);
    const renewalTimer = setInterval(renewLease, leaseRenewalIntervalMs);
    try {
      const question = { tenant: leased.tenant, client: leased.round.client };
      return await Promise.race([abandoned, evaluate(question, (next) => (progress = next))]);
    } finally {
      clearInterval(renewalTimer);
      this.#abandonCallbacks.delete(abandon);
    }
  }
}
