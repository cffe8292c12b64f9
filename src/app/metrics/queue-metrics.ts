// Metrics of the queues in the database, which all nodes share: asked for when the metrics are, and rarely, so that watching costs little.

import { Gauge, type Registry } from 'prom-client';
import type { AppContext } from '../../actions/core/context.ts';
import { secondMs } from '../../kit/clock.ts';
import type { QueueLevel } from '../../store/queues/queue-levels.ts';
import { RareMeasurement } from './rare-measurement.ts';

export class QueueMetrics {
  readonly #context: Pick<AppContext, 'stores' | 'clock'>;
  readonly #items: Gauge<'queue'>;
  readonly #oldest: Gauge<'queue'>;
  readonly #broken: Gauge;
  readonly #measuredAt: Gauge;
  readonly measurement: RareMeasurement;

  constructor(registry: Registry, context: Pick<AppContext, 'stores' | 'clock'>) {
    this.#context = context;
    this.measurement = new RareMeasurement(context.clock, (now) => this.#measure(now));
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

  async #measure(now: number): Promise<void> {
    for (const level of await this.#context.stores.preAuth.listQueueLevels(now)) this.#set(level, now);
    this.#measuredAt.set(now / secondMs);
  }

  #set({ queue, count, oldestAt }: QueueLevel, now: number): void {
    if (queue === 'feeds-broken') return this.#broken.set(count);
    this.#items.set({ queue }, count);
    this.#oldest.set({ queue }, oldestAt === null ? 0 : Math.max(0, now - oldestAt) / secondMs);
  }
}
