// The simplest implementation of the request budget, to compare the real one with: one bucket, without nodes and leases.

import { minuteMs } from '../../../src/kit/clock.ts';

export interface BucketSize {
  readonly requestsPerMinute: number;
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

  /** The number of requests available. Counted in 60,000ths of a request to avoid rounding. */
  level(now: number): number {
    const { burst, requestsPerMinute } = this.#size;
    this.#level = Math.min(burst * minuteMs, this.#level + (now - this.#asOf) * requestsPerMinute);
    this.#asOf = now;
    return Math.floor(this.#level / minuteMs);
  }

  take(requests: number): void {
    this.#level -= requests * minuteMs;
  }
}
