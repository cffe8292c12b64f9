// Decides which failures of jobs are worth a line of the log. While the database is away or accepts no changes, every run of every job fails for
// the same reason, and the log would hold nothing else.

import { minuteMs, type Clock } from '../kit/clock.ts';
import { Refusal } from '../kit/refusal.ts';

/** How often the same reason is logged for the same job. */
const againMs = minuteMs;

/** What a job failed with may be wrapped. Bounded, since nobody promises that causes form no circle. */
function refusalCode(error: unknown, depth = 0): string | undefined {
  if (error instanceof Refusal) return error.code;
  return error instanceof Error && depth < 5 ? refusalCode(error.cause, depth + 1) : undefined;
}

export class JobFailureLog {
  readonly #clock: Clock;
  /** By job and reason, which are both words of the code: there are few. */
  readonly #logged = new Map<string, { at: number; unlogged: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a failure. Returns how many of the same reason were left out since the last line; undefined if this one is left out too. */
  count(job: string, error: unknown): number | undefined {
    const code = refusalCode(error);
    if (code === undefined) return 0;
    const now = this.#clock.now();
    const key = `${job}/${code}`;
    const last = this.#logged.get(key);
    if (last !== undefined && Math.abs(now - last.at) < againMs) {
      last.unlogged++;
      return undefined;
    }
    this.#logged.set(key, { at: now, unlogged: 0 });
    return last?.unlogged ?? 0;
  }
}
