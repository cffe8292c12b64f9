// Metrics of the queues in the database, which all nodes share: asked for when the metrics are, and rarely, so that watching costs little.

import { Gauge, type Registry } from 'prom-client';
import type { AppContext } from '../../actions/core/context.ts';
import { secondMs } from '../../kit/clock.ts';
import { withDeadline } from '../../kit/concurrency/deadline.ts';
import { queueNames, type QueueLevel } from '../../store/queues/queue-levels.ts';

/** How often the database is asked at most, however often the metrics are. */
const intervalMs = 15 * secondMs;
/** Metrics are still written when the database does not answer. */
const answerMs = 2 * secondMs;

export class QueueMetrics {
  readonly #context: Pick<AppContext, 'stores' | 'clock'>;
  readonly #items: Gauge<'queue'>;
  readonly #oldest: Gauge<'queue'>;
  readonly #broken: Gauge;
  readonly #measuredAt: Gauge;
  #begunAt = -Infinity;
  #measuring: Promise<void> | undefined;

  constructor(registry: Registry, context: Pick<AppContext, 'stores' | 'clock'>) {
    this.#context = context;
    const registers = [registry];
    this.#items = new Gauge({
      name: 'holdfast_queue_items',
      help: 'What waits in a queue of all workspaces together, due or not.',
      labelNames: ['queue'],
      registers,
    });
    this.#oldest = new Gauge({
      name: 'holdfast_queue_oldest_seconds',
      help: 'How long the oldest item of a queue has been due; of mail and imports, how old it is.',
      labelNames: ['queue'],
      registers,
    });
    this.#broken = new Gauge({
      name: 'holdfast_feeds_broken',
      help: 'Feeds that fetch nothing until somebody connects them again.',
      registers,
    });
    this.#measuredAt = new Gauge({
      name: 'holdfast_queues_measured_timestamp_seconds',
      help: 'When the queues were last measured.',
      registers,
    });
  }

  /** Requests for metrics that come together ask once. What is known stays where the database does not answer. */
  async collect(): Promise<void> {
    const now = this.#context.clock.now();
    if (this.#measuring === undefined && Math.abs(now - this.#begunAt) < intervalMs) return;
    this.#measuring ??= this.#measure(now).finally(() => (this.#measuring = undefined));
    const notYet = (): Error => new Error('The queues were not measured in time.');
    await withDeadline(this.#measuring, answerMs, notYet).catch(() => {});
  }

  async #measure(now: number): Promise<void> {
    this.#begunAt = now;
    const levels = await this.#context.stores.preAuth.listQueueLevels(now);
    const byQueue = new Map(levels.map((level) => [level.queue, level]));
    for (const queue of queueNames) this.#set(byQueue.get(queue) ?? { queue, count: 0, oldestAt: null }, now);
    this.#measuredAt.set(now / secondMs);
  }

  #set({ queue, count, oldestAt }: QueueLevel, now: number): void {
    if (queue === 'feeds-broken') return this.#broken.set(count);
    this.#items.set({ queue }, count);
    this.#oldest.set({ queue }, oldestAt === null ? 0 : Math.max(0, now - oldestAt) / secondMs);
  }
}
