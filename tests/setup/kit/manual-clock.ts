// A clock that moves only when a test advances it.

import type { Clock } from '../../../src/kit/clock.ts';

export class ManualClock implements Clock {
  #now: number;

  constructor(start: number | string) {
    this.#now = typeof start === 'number' ? start : Date.parse(start);
  }

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** For programs outside of the test, for which time passes by itself. */
export class RunningClock extends ManualClock {
  override now(): number {
    return Date.now();
  }
}
