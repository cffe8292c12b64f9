// Metrics of shipping logs out of the house: how far it is behind, which all nodes share, and what this node has handed over or could not.

import { Counter, Gauge, type Registry } from 'prom-client';
import type { ShipmentEnd } from '../../actions/access/log-shipping.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { secondMs } from '../../kit/clock.ts';
import type { ShipmentName } from '../../store/queues/log-shipments.ts';
import { RareMeasurement } from './rare-measurement.ts';

type Context = Pick<AppContext, 'stores' | 'clock' | 'logShipping'>;

export class ShippingMetrics {
  readonly #context: Context;
  readonly #lagRows: Gauge<'log' | 'destination'>;
  readonly #lagSeconds: Gauge<'log' | 'destination'>;
  readonly #lines: Counter<'log' | 'destination'>;
  readonly #failures: Counter<'log' | 'destination'>;
  readonly measurement: RareMeasurement;

  constructor(registry: Registry, context: Context) {
    this.#context = context;
    this.measurement = new RareMeasurement(context.clock, (now) => this.#measure(now));
    const of = (name: string, help: string) => ({
      name,
      help,
      labelNames: ['log', 'destination'] as const,
      registers: [registry],
    });
    this.#lagRows = new Gauge(
      of('holdfast_audit_shipping_lag_rows', 'Lines of a log that a destination has not acknowledged yet.'),
    );
    this.#lagSeconds = new Gauge(
      of(
        'holdfast_audit_shipping_lag_seconds',
        'How old the oldest line is that a destination has not acknowledged yet.',
      ),
    );
    this.#lines = new Counter(
      of('holdfast_audit_shipping_lines_total', 'Lines that this node has handed over and seen acknowledged.'),
    );
    this.#failures = new Counter(
      of('holdfast_audit_shipping_failures_total', 'Batches of this node that a destination has not acknowledged.'),
    );
    const { logs, destinations } = context.logShipping;
    for (const log of logs)
      for (const destination of destinations)
        for (const counter of [this.#lines, this.#failures]) counter.inc({ log, destination }, 0);
  }

  count({ log, destination }: ShipmentName, end: ShipmentEnd): void {
    if (end.kind === 'shipped') this.#lines.inc({ log, destination }, end.count);
    if (end.kind === 'failed') this.#failures.inc({ log, destination });
  }

  async #measure(now: number): Promise<void> {
    const { stores, logShipping } = this.#context;
    for (const { log, destination, count, oldestAt } of await stores.preAuth.listShippingLag(logShipping)) {
      this.#lagRows.set({ log, destination }, count);
      this.#lagSeconds.set({ log, destination }, oldestAt === null ? 0 : Math.max(0, now - oldestAt) / secondMs);
    }
  }
}
