// The common shape of rounds, deliveries and mail on a node: jobs for the scheduler, and how they are stopped.

import type { Job } from '../../jobs/scheduler.ts';

export interface BackgroundJobs {
  readonly jobs: readonly Job[];
  /** Hands back what is leased and closes what was opened. */
  stop(): Promise<void>;
}
