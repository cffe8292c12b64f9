// Builds what runs calculation rounds on a node, in its work threads where it has any.

import type { AppContext } from '../../actions/core/context.ts';
import { evaluateRound } from '../../actions/rounds/round-evaluation.ts';
import { createRoundWorker } from '../../jobs/round-worker.ts';
import type { ThreadPool } from '../../surfaces/http/threads/thread-pool.ts';
import type { BackgroundJobs } from './background-jobs.ts';

export function makeRoundJobs(
  context: AppContext,
  threads: ThreadPool,
  onFailure: (error: unknown) => void,
): BackgroundJobs {
  return createRoundWorker({
    context,
    evaluate(input, onProgress) {
      if (threads.count === 0) return evaluateRound(context, input, onProgress);
      const { tenant, client } = input;
      const threadKey = `${tenant.workspaceId}/${tenant.environment}/${client}`;
      return threads.runJob({ name: 'round', input, now: context.clock.now() }, threadKey, onProgress);
    },
    concurrency: Math.max(1, threads.count),
    onFailure,
  });
}
