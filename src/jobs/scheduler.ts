// Runs each job at its interval, one run at a time, until it is stopped. A run that does not come back is given up, and the job runs again.

import { minuteMs } from '../kit/clock.ts';
import { withDeadline } from '../kit/concurrency/deadline.ts';

export interface Job {
  readonly name: string;
  readonly intervalMs: number;
  /** When a run is given up; five minutes unless said otherwise. */
  readonly giveUpMs?: number;
  /** The signal is aborted when the run is given up: it begins nothing more. */
  run(signal: AbortSignal): Promise<unknown>;
}

/** How long a job may take before it is given up and scheduled again. */
const usualGiveUpMs = 5 * minuteMs;

interface SchedulerOptions {
  onFailure(job: string, error: unknown): void;
  /** Whether jobs may run now; where they may not, they wait for their next turn. */
  mayRun?(): boolean;
}

export class Scheduler {
  readonly #jobs: readonly Job[];
  readonly #options: SchedulerOptions;
  /** The next run of each job. */
  readonly #timers = new Map<Job, NodeJS.Timeout>();
  /** The last run of each job, which may have ended. */
  readonly #runs = new Map<Job, Promise<void>>();
  #isStopped = false;

  constructor(jobs: readonly Job[], options: SchedulerOptions) {
    this.#jobs = jobs;
    this.#options = options;
  }

  start(): void {
    for (const job of this.#jobs) this.#schedule(job);
  }

  #schedule(job: Job): void {
    if (this.#isStopped) return;
    const timer = setTimeout(() => this.#runs.set(job, this.#run(job)), job.intervalMs);
    this.#timers.set(job, timer.unref());
  }

  async #run(job: Job): Promise<void> {
    const { name, giveUpMs = usualGiveUpMs } = job;
    if (this.#options.mayRun?.() === false) return this.#schedule(job);
    const controller = new AbortController();
    const notBack = (): Error => new Error(`The job did not come back within ${giveUpMs} ms and was given up.`);
    try {
      await withDeadline(job.run(controller.signal), giveUpMs, notBack);
    } catch (error) {
      controller.abort();
      this.#options.onFailure(name, error);
    }
    this.#schedule(job);
  }

  /** Waits for the jobs that are running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    await Promise.allSettled(this.#runs.values());
  }
}
