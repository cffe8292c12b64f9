// Metrics of the encryption keys of a node, and, while one is being replaced, of what each of them has made.

import { Gauge, type Registry } from 'prom-client';
import { countKeyed } from '../../actions/access/reseal.ts';
import type { AppContext } from '../../actions/core/context.ts';
import { minuteMs } from '../../kit/clock.ts';
import type { KeyUse } from '../../signing/keyring.ts';
import { RareMeasurement } from './rare-measurement.ts';

/** Every value of every environment is looked at. */
const intervalMs = 10 * minuteMs;

/** What a value of another key is called: a key that was replaced opens nothing any more. */
const labels: Readonly<Record<KeyUse, 'present' | 'previous' | 'next' | 'unknown'>> = {
  present: 'present',
  previous: 'previous',
  next: 'next',
  replaced: 'unknown',
  unknown: 'unknown',
};

export class KeyMetrics {
  readonly #context: AppContext;
  readonly #values: Gauge<'key'>;
  readonly measurement: RareMeasurement;

  constructor(registry: Registry, context: AppContext) {
    this.#context = context;
    this.measurement = new RareMeasurement(context.clock, () => this.#measure(), intervalMs);
    const registers = [registry];
    const keys = new Gauge({
      name: 'holdfast_encryption_key_info',
      help: 'The encryption keys of this node, by what they are for and by fingerprint; always 1.',
      labelNames: ['use', 'fingerprint'],
      registers,
    });
    for (const [use, fingerprint] of Object.entries(context.keyring.fingerprints()))
      if (fingerprint !== undefined) keys.set({ use, fingerprint }, 1);
    this.#values = new Gauge({
      name: 'holdfast_sealed_values',
      help: 'What each encryption key has sealed or digested. Empty unless a node has two keys.',
      labelNames: ['key'],
      registers,
    });
  }

  async #measure(): Promise<void> {
    const { previous, next } = this.#context.keyring.fingerprints();
    if (previous === undefined && next === undefined) return;
    const sums = new Map(Object.values(labels).map((label) => [label, 0]));
    for (const { use, count } of await countKeyed(this.#context))
      sums.set(labels[use], (sums.get(labels[use]) ?? 0) + count);
    for (const [key, count] of sums) this.#values.set({ key }, count);
  }
}
