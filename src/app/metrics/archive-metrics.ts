// Metrics of the write-ahead log: whether the server archives it, and what holds it back.

import { Gauge, type Registry } from 'prom-client';
import type { AppContext } from '../../actions/core/context.ts';
import { RareMeasurement } from './rare-measurement.ts';

const archiveStates = ['off', 'working', 'failing'] as const;

export class ArchiveMetrics {
  readonly #stores: AppContext['stores'];
  readonly #state: Gauge<'state'>;
  readonly #age: Gauge;
  readonly #failures: Gauge;
  readonly #held: Gauge;
  readonly measurement: RareMeasurement;

  constructor(registry: Registry, { stores, clock }: Pick<AppContext, 'stores' | 'clock'>) {
    this.#stores = stores;
    this.measurement = new RareMeasurement(clock, () => this.#measure());
    const registers = [registry];
    this.#state = new Gauge({
      name: 'holdfast_wal_archive_state',
      help: 'Whether the database archives its write-ahead log: the state that is true is 1, the others are 0.',
      labelNames: ['state'],
      registers,
    });
    this.#age = new Gauge({
      name: 'holdfast_wal_archive_age_seconds',
      help: 'How long ago the last segment of the write-ahead log was archived; 0 while none was.',
      registers,
    });
    this.#failures = new Gauge({
      name: 'holdfast_wal_archive_failures',
      help: 'Attempts to archive a segment that have failed since the statistics of the database began.',
      registers,
    });
    this.#held = new Gauge({
      name: 'holdfast_wal_held_bytes',
      help: 'How much of the write-ahead log the replication slot holds back that is furthest behind.',
      registers,
    });
  }

  async #measure(): Promise<void> {
    const { mode, isFailing, ageSeconds, failureCount, heldBytes } = await this.#stores.preAuth.readArchiving();
    const current = mode === 'off' ? 'off' : isFailing ? 'failing' : 'working';
    for (const state of archiveStates) this.#state.set({ state }, state === current ? 1 : 0);
    this.#age.set(Math.max(0, ageSeconds ?? 0));
    this.#failures.set(failureCount);
    this.#held.set(heldBytes);
  }
}
