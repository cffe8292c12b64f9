// Metrics of the servers that workspaces are spread over: which of them answer, and accept changes.

import { Gauge, type Registry } from 'prom-client';
import type { AppContext } from '../../actions/core/context.ts';
import { RareMeasurement } from './rare-measurement.ts';

export class ServerMetrics {
  readonly #stores: AppContext['stores'];
  readonly #up: Gauge<'server'>;
  readonly #writable: Gauge<'server'>;
  readonly measurement: RareMeasurement;

  constructor(registry: Registry, { stores, clock }: Pick<AppContext, 'stores' | 'clock'>) {
    this.#stores = stores;
    this.measurement = new RareMeasurement(clock, () => this.#measure());
    this.#up = new Gauge({
      name: 'holdfast_database_server_up',
      help: 'Whether a server that holds workspaces answers this node, 1 or 0. Empty where the database is one server.',
      labelNames: ['server'],
      registers: [registry],
    });
    this.#writable = new Gauge({
      name: 'holdfast_database_server_writable',
      help: 'Whether a server that holds workspaces accepts changes, 1 or 0. Empty where the database is one server.',
      labelNames: ['server'],
      registers: [registry],
    });
  }

  /** Servers that were taken out are forgotten. */
  async #measure(): Promise<void> {
    const servers = await this.#stores.checkServers();
    this.#up.reset();
    this.#writable.reset();
    for (const { name: server, isAway, unwritable } of servers) {
      this.#up.set({ server }, isAway ? 0 : 1);
      this.#writable.set({ server }, isAway || unwritable !== undefined ? 0 : 1);
    }
  }
}
