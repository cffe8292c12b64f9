// Metrics of the replica: whether it follows, and how far it is behind.

import { Gauge, type Registry } from 'prom-client';
import type { AppContext } from '../../actions/core/context.ts';
import { RareMeasurement } from './rare-measurement.ts';

const replicaStates = ['none', 'following', 'away', 'not-standby'] as const;

export class ReplicaMetrics {
  readonly #stores: AppContext['stores'];
  readonly #state: Gauge<'state'>;
  readonly #lag: Gauge;
  readonly measurement: RareMeasurement;

  constructor(registry: Registry, { stores, clock }: Pick<AppContext, 'stores' | 'clock'>) {
    this.#stores = stores;
    this.measurement = new RareMeasurement(clock, () => this.#measure());
    this.#state = new Gauge({
      name: 'holdfast_replica_state',
      help: 'The state of the replica, which is 1; the others are 0.',
      labelNames: ['state'],
      registers: [registry],
    });
    this.#lag = new Gauge({
      name: 'holdfast_replica_lag_seconds',
      help: 'How old the last commit is that the replica has; 0 if it has all of them. Stays as it was while the replica is away.',
      registers: [registry],
    });
    this.#show(stores.replica === undefined ? 'none' : 'away');
  }

  #show(current: (typeof replicaStates)[number]): void {
    for (const state of replicaStates) this.#state.set({ state }, state === current ? 1 : 0);
  }

  async #measure(): Promise<void> {
    const { replica } = this.#stores;
    if (replica === undefined) return;
    try {
      const measured = await replica.measure();
      this.#show(measured.state);
      if (measured.state === 'following') this.#lag.set(measured.lagSeconds);
    } catch {
      this.#show('away');
    }
  }
}
