// Runs everything that a node does in the background, once, for one tenant: as it succeeds, as it fails, or as it is stopped half-way.

import { once } from 'node:events';
import { chainAuditLines } from '../../../src/actions/access/audit-chain.ts';
import type { AppContext } from '../../../src/actions/core/context.ts';
import type { SendWebhook } from '../../../src/actions/events/delivery-attempt.ts';
import { fanOutEvents } from '../../../src/actions/events/delivery-queue.ts';
import { reportEnds } from '../../../src/jobs/authority-ends.ts';
import { pullBackAfterSetback } from '../../../src/jobs/clock-setback.ts';
import { deleteExpired } from '../../../src/jobs/expiry.ts';
import { deleteLeftoverDeliveries } from '../../../src/jobs/leftover-deliveries.ts';
import { evaluateRound } from '../../../src/actions/rounds/round-evaluation.ts';
import type { EvaluateRound } from '../../../src/jobs/round-worker.ts';
import type { QueueWorker } from '../../../src/jobs/leased-worker.ts';
import { revokeAtCustodians } from '../../../src/jobs/revocations.ts';
import type { DueTenantLists } from '../../../src/store/queues/due-tenants.ts';
import { IdSource } from '../../../src/kit/id.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { ConnectorFailure, type Connector, type FetchedPage } from '../../../src/model/custody/connector.ts';
import { makeFeedWorker } from '../custody/connected-household.ts';
import { connectionRefused, createDeliveries, webhookAnswer } from '../events/deliveries.ts';
import { createRounds } from '../limits/rounds.ts';
import { createMails, failedOutcome, sentOutcome } from '../mail/mails.ts';

export type Luck = 'works' | 'fails' | 'is stopped';

/** The context of a node that knows of one tenant only, and makes the same ids every time. */
function contextOf(context: AppContext, tenant: Tenant): AppContext {
  const preAuth = instead(
    context.stores.preAuth,
    'dueTenants',
    dueTenantsAmong(context.stores.preAuth.dueTenants, tenant),
  );
  const ids = new IdSource(context.clock, (length) => new Uint8Array(length).fill(7));
  return { ...context, ids, stores: instead(context.stores, 'preAuth', preAuth) };
}

/** The lists of tenants with something due, without any other tenant. */
function dueTenantsAmong(lists: DueTenantLists, { workspaceId, environment }: Tenant): DueTenantLists {
  const isKnown = (one: Tenant): boolean => one.workspaceId === workspaceId && one.environment === environment;
  return new Proxy(lists, {
    get(target, name) {
      const list = Reflect.get(target, name, target) as (...query: unknown[]) => Promise<readonly Tenant[]>;
      return async (...query: unknown[]) => {
        const listed = await list.apply(target, query);
        return listed.filter(isKnown);
      };
    },
  });
}

/** One thing after the other, so that two nodes with the same work make the same ids for it. */
const concurrency = 1;

/** The object with another value for one member. */
function instead<T extends object>(object: T, member: keyof T, value: unknown): T {
  return new Proxy(object, {
    get(target, name) {
      const own: unknown = name === member ? value : Reflect.get(target, name, target);
      return typeof own === 'function' ? own.bind(target) : own;
    },
  });
}

export class BackgroundWork {
  readonly #context: AppContext;
  readonly #tenant: Tenant;
  #luck: Luck = 'works';
  /** What was sent to receivers and by mail. */
  readonly sent: string[] = [];
  readonly failures: unknown[] = [];
  /** Called once in each run when a round, a delivery, a mail and a feed are under way. */
  onUnderWay: () => Promise<void> = async () => {};
  readonly #underWay = new Set<string>();
  /** Receivers at these addresses never answer. */
  readonly deadUrls = new Set<string>();

  constructor(context: AppContext, tenant: Tenant) {
    this.#context = contextOf(context, tenant);
    this.#tenant = tenant;
    (context.connectors as Map<string, Connector>).set('file-drop', this.#connector);
  }

  /** One of several jobs may find more to do after another. */
  async run(luck: Luck): Promise<void> {
    this.#luck = luck;
    this.#underWay.clear();
    const [context, signal] = [this.#context, AbortSignal.timeout(60_000)];
    await pullBackAfterSetback(context);
    await reportEnds(context);
    await revokeAtCustodians(context, signal);
    await this.#feeds();
    await this.#rounds();
    await this.#deliveries();
    await this.#mails();
    await chainAuditLines(context, signal);
    await deleteExpired(context);
    await deleteLeftoverDeliveries(context);
  }

  async #begin(kind: string): Promise<void> {
    if (this.#underWay.has(kind)) return;
    this.#underWay.add(kind);
    await this.onUnderWay();
  }

  async #sweep(worker: QueueWorker): Promise<void> {
    await worker.sweep();
    if (this.#luck === 'is stopped') await worker.stop();
    await worker.drain();
  }

  async #feeds(): Promise<void> {
    const worker = makeFeedWorker({ context: this.#context }, { concurrency });
    await this.#sweep(worker);
    this.failures.push(...worker.failures);
  }

  async #rounds(): Promise<void> {
    const evaluate: EvaluateRound = async (input, onProgress) => {
      await this.#begin('round');
      if (this.#luck === 'fails') throw new Error('Not now.');
      if (this.#luck === 'is stopped') return new Promise<never>(() => {});
      return evaluateRound(this.#context, input, onProgress);
    };
    const worker = createRounds(this.#context, { batchWindowMs: 0, concurrency, evaluate });
    await this.#sweep(worker);
    if (this.#luck !== 'fails') this.failures.push(...worker.failures);
  }

  async #deliveries(): Promise<void> {
    const send: SendWebhook = async ({ url, body }) => {
      await this.#begin('delivery');
      if (this.#luck === 'is stopped') void worker.stop();
      this.sent.push(`${url} ${Buffer.from(body).toString()}`);
      return this.#luck === 'fails' || this.deadUrls.has(url) ? connectionRefused : webhookAnswer(204);
    };
    // Before, since the worker does it while it sends.
    while ((await fanOutEvents(this.#context, this.#tenant)) === 'more');
    const worker = createDeliveries(this.#context, send, { concurrency });
    await this.#sweep(worker);
    this.failures.push(...worker.failures);
  }

  async #mails(): Promise<void> {
    const worker = createMails(
      this.#context,
      async ({ to, subject }, signal) => {
        await this.#begin('mail');
        this.sent.push(`${to} ${subject}`);
        if (this.#luck === 'fails') return failedOutcome('Not now.');
        if (this.#luck === 'works') return sentOutcome;
        if (!signal.aborted) await once(signal, 'abort');
        return { kind: 'stopped' };
      },
      { stopPatienceMs: 0, concurrency },
    );
    await this.#sweep(worker);
    this.failures.push(...worker.failures);
  }

  /** Brings one statement in each run. */
  readonly #connector: Connector = {
    kind: 'file-drop',
    listAccounts: async () => [],
    fetchSince: (access, { mark }) => this.#fetch(access.signal, Number(mark ?? 0) + 1),
    revoke: async () => {
      if (this.#luck !== 'works') throw new ConnectorFailure('unavailable', 'Not now.');
    },
  };

  statement: (number: number) => string = () => '';

  async *#fetch(signal: AbortSignal, number: number): AsyncGenerator<FetchedPage> {
    await this.#begin('feed');
    if (this.#luck === 'fails') throw new ConnectorFailure('unavailable', 'Not now.');
    if (this.#luck === 'is stopped' && !signal.aborted) await once(signal, 'abort');
    if (signal.aborted) return;
    const content = Buffer.from(this.statement(number));
    async function* read(): AsyncGenerator<Uint8Array> {
      yield content;
    }
    yield {
      items: [],
      mark: String(number),
      file: { name: `${number}.xml`, digest: String(number).padStart(64, '0'), read },
    };
  }
}
