// Runs each job at its interval, never twice at the same time, until it is stopped.

export interface Job {
  readonly name: string;
  readonly intervalMs: number;
  run(): Promise<unknown>;
}

export class Scheduler {
  readonly #jobs: readonly Job[];
  readonly #onFailure: (job: string, error: unknown) => void;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #running = new Set<Promise<void>>();
  #isStopped = false;

  constructor(jobs: readonly Job[], onFailure: (job: string, error: unknown) => void) {
    this.#jobs = jobs;
    this.#onFailure = onFailure;
  }

  start(): void {
    for (const job of this.#jobs) this.#schedule(job);
  }

  #schedule(job: Job): void {
    if (this.#isStopped) return;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      const run = this.#run(job).finally(() => this.#running.delete(run));
      this.#running.add(run);
    }, job.intervalMs);
    this.#timers.add(timer.unref());
  }

  async #run(job: Job): Promise<void> {
    try {
      await job.run();
    } catch (error) {
      this.#onFailure(job.name, error);
    }
    this.#schedule(job);
  }

  /** Waits for the jobs that are running. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await Promise.allSettled(this.#running);
  }
}
