// Something that is measured when the metrics are asked for, but rarely, so that watching costs little.

import { secondMs, type Clock } from '../../kit/clock.ts';
import { withDeadline } from '../../kit/concurrency/deadline.ts';

/** How often it is measured at most, however often the metrics are asked for, unless it says another interval. */
const usualIntervalMs = 15 * secondMs;
/** Metrics are still written when the database does not answer. */
const answerMs = 2 * secondMs;

export class RareMeasurement {
  readonly #clock: Clock;
  readonly #measure: (now: number) => Promise<void>;
  readonly #intervalMs: number;
  #begunAt = -Infinity;
  #measuring: Promise<void> | undefined;

  constructor(clock: Clock, measure: (now: number) => Promise<void>, intervalMs = usualIntervalMs) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
    this.#measure = measure;
  }

  /** Requests for metrics that come together measure once. What is known stays where a measurement fails or takes too long. */
  async collect(): Promise<void> {
    const now = this.#clock.now();
    if (this.#measuring === undefined && Math.abs(now - this.#begunAt) < this.#intervalMs) return;
    this.#measuring ??= this.#begin(now).finally(() => (this.#measuring = undefined));
    const notYet = (): Error => new Error('It was not measured in time.');
    await withDeadline(this.#measuring, answerMs, notYet).catch(() => {});
  }

  #begin(now: number): Promise<void> {
    this.#begunAt = now;
    return this.#measure(now);
  }
}
