// The limit in its plainest form, to hold the real one against: one bucket in one place. Knows no nodes and no leases.

import { minuteMs } from '../../../src/kit/clock.ts';

export interface BucketSize {
  readonly perMinute: number;
  readonly burst: number;
}

export class IdealBucket {
  readonly #size: BucketSize;
  #level: number;
  #asOf: number;

  constructor(size: BucketSize, now: number) {
    this.#size = size;
    this.#level = size.burst * minuteMs;
    this.#asOf = now;
  }

  /** How many it has to give. Counted in a request's 60,000ths, so that nothing is rounded. */
  level(now: number): number {
    const { burst, perMinute } = this.#size;
    this.#level = Math.min(burst * minuteMs, this.#level + (now - this.#asOf) * perMinute);
    this.#asOf = now;
    return Math.floor(this.#level / minuteMs);
  }

  take(requests: number): void {
    this.#level -= requests * minuteMs;
  }
}
