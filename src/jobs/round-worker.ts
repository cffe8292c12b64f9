// Makes rounds: finds whose are due, takes them in turn, several side by side and one at a time of a client on any node, and
// carries each through to its end. Knows neither figures nor threads.

import { secondMs } from '../kit/clock.ts';
import type { Id } from '../kit/id.ts';
import { Refusal } from '../kit/refusal.ts';
import type { RoundProgress } from '../model/limit/calculation-round.ts';
import type { House } from '../actions/core/context.ts';
import type { RoundQuestion } from '../actions/rounds/round-evaluation.ts';
import { tenantKey, type Tenant } from '../actions/core/tenant-wake-ups.ts';
import {
  failRound,
  finishRound,
  gatherMs,
  handBackRound,
  keepRound,
  listDueRounds,
  spreadMarks,
  takeRound,
  type DueRoundsOf,
  type HeldRound,
  type RoundOutcome,
} from '../actions/rounds/round.ts';
import { listEnvironments } from '../store/access/expiry.ts';
import { clientsFoundMax } from '../store/queues/round-queue.ts';
import { TurnQueue } from './fair-queue.ts';

/** Where this node has written. */
export const hintsEveryMs = secondMs;
/** All tenants: what was written on other nodes, what was left behind, the change of day. So a round begins within ten seconds. */
export const sweepEveryMs = 7 * secondMs;
/** Well within the lease. */
const keepEveryMs = 10 * secondMs;

export type EvaluateRound = (
  question: RoundQuestion,
  tell: (progress: RoundProgress) => void,
) => Promise<RoundOutcome | undefined>;

export interface RoundsOptions {
  readonly house: House;
  readonly evaluate: EvaluateRound;
  /** So many run side by side. */
  readonly sideBySide: number;
  readonly gatherMs?: number;
  onFailure(error: unknown): void;
}

export class Rounds {
  readonly #options: RoundsOptions;
  readonly #gatherMs: number;
  readonly #queue = new TurnQueue<Tenant, Id>(tenantKey);
  readonly #running = new Map<string, Promise<void>>();
  /** Each lets go of a round that is being computed. */
  readonly #letGo = new Set<() => void>();
  #isStopped = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#gatherMs = options.gatherMs ?? gatherMs;
  }

  async sweep(): Promise<void> {
    await this.#lookAt(await listEnvironments(this.#options.house.database));
  }

  async lookWhereHinted(): Promise<void> {
    const { roundHints, clock } = this.#options.house;
    await this.#lookAt(roundHints.take(clock.now() - this.#gatherMs));
  }

  /** Until nothing that was found waits or runs any more. */
  async settle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** What is being computed is handed back, and what is being written is waited for. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#queue.clear();
    for (const letGo of this.#letGo) letGo();
    await this.settle();
  }

  async #lookAt(tenants: readonly Tenant[]): Promise<void> {
    if (tenants.length === 0 || this.#isStopped) return;
    const { house, onFailure } = this.#options;
    const unspread: Tenant[] = [];
    for (const due of await listDueRounds(house, tenants, this.#gatherMs)) {
      if (due.hasSharedMarks || due.isNewDay) unspread.push(due.tenant);
      else this.#putInLine(due);
    }
    for (const tenant of unspread) if (!this.#isStopped) await this.#spread(tenant).catch(onFailure);
  }

  async #spread(tenant: Tenant): Promise<void> {
    const { house } = this.#options;
    await spreadMarks(house, tenant);
    for (const due of await listDueRounds(house, [tenant], this.#gatherMs)) this.#putInLine(due);
  }

  #putInLine({ tenant, clients, isMoreComing }: DueRoundsOf): void {
    const { roundHints, clock } = this.#options.house;
    for (const client of clients) this.#queue.put(tenant, client, client);
    if (isMoreComing || clients.length >= clientsFoundMax) roundHints.put(tenant, clock.now());
    this.#startSome();
  }

  #startSome(): void {
    while (this.#running.size < this.#options.sideBySide && !this.#isStopped) {
      const taken = this.#queue.take();
      if (taken === undefined) return;
      const next = { tenant: taken.of, client: taken.one };
      const key = `${tenantKey(next.tenant)} ${next.client}`;
      if (this.#running.has(key)) continue;
      const run = this.#run(next)
        .catch((error: unknown) => this.#options.onFailure(error))
        .finally(() => {
          this.#running.delete(key);
          this.#startSome();
        });
      this.#running.set(key, run);
    }
  }

  async #run(waiting: { readonly tenant: Tenant; readonly client: Id }): Promise<void> {
    const { house } = this.#options;
    const held = await takeRound(house, waiting, this.#gatherMs);
    if (held === undefined) return;
    try {
      const outcome = await this.#evaluate(held);
      if (outcome === 'let-go') await handBackRound(house, held);
      else if (outcome !== undefined) await finishRound(house, held, outcome);
    } catch (error) {
      const code = error instanceof Refusal ? error.code : 'internal';
      await failRound(house, held, code).catch(this.#options.onFailure);
      const { id, client, attempts } = held.round;
      throw new Error(`Attempt ${attempts} at round ${id} of client ${client} failed.`, { cause: error });
    }
  }

  /** Undefined where the client is gone, and its round with it. The lease is kept meanwhile; who has lost it lets go. */
  async #evaluate(held: HeldRound): Promise<RoundOutcome | 'let-go' | undefined> {
    if (this.#isStopped) return 'let-go';
    const { house, evaluate, onFailure } = this.#options;
    const { promise: told, resolve } = Promise.withResolvers<'let-go'>();
    const letGo = (): void => resolve('let-go');
    let progress: RoundProgress = { done: 0, total: 0 };
    const keep = (): Promise<void> =>
      keepRound(house, held, progress).then((isOurs) => void (isOurs || letGo()), onFailure);
    this.#letGo.add(letGo);
    const keeping = setInterval(keep, keepEveryMs);
    try {
      const question = { tenant: held.tenant, client: held.round.client };
      return await Promise.race([told, evaluate(question, (next) => (progress = next))]);
    } finally {
      clearInterval(keeping);
      this.#letGo.delete(letGo);
    }
  }
}
