// Builds what runs calculation rounds on a node: in threads of their own where it has any, several clients of a tenant at a time.

import type { AppContext } from '../../actions/core/context.ts';
import { tenantKey } from '../../actions/core/tenant-wake-ups.ts';
import { evaluateRound } from '../../actions/rounds/round-evaluation.ts';
import type { ClientProgress, RoundEvaluation, RoundInput, RoundOutcome } from '../../actions/rounds/round-outcome.ts';
import { createRoundWorker, type EvaluateRound, type RoundWorkerOptions } from '../../jobs/round-worker.ts';
import { Batcher } from '../../kit/batcher.ts';
import { activeSpan } from '../../kit/tracing/span.ts';
import type { RoundProgress } from '../../model/limit/calculation-round.ts';
import type { ThreadPool } from '../../surfaces/http/threads/thread-pool.ts';
import type { BackgroundJobs } from './background-jobs.ts';

/** How many clients are evaluated from one snapshot. */
const clientsPerJobMax = 16;
/** Enough that a thread has the next job when it has done one, while rounds are taken and finished. */
const roundsPerThread = 4 * clientsPerJobMax;

interface ThreadedInput {
  readonly input: RoundInput;
  /** The thread that caches what it has loaded for the client. */
  readonly thread: number;
  onProgress(progress: RoundProgress): void;
}

function makeEvaluate(context: AppContext, threads: ThreadPool): EvaluateRound {
  if (threads.count === 0) return (input, onProgress) => evaluateRound(context, input, onProgress);
  const run = async (batch: readonly [ThreadedInput, ...ThreadedInput[]]): Promise<readonly RoundEvaluation[]> => {
    const [{ input: first, thread }] = batch;
    const byClient = new Map(batch.map((one) => [one.input.client, one]));
    const job = {
      name: 'rounds',
      input: { tenant: first.tenant, clients: [...byClient.keys()] },
      now: context.clock.now(),
      traceparent: activeSpan()?.traceparent,
    };
    return threads.runJobAt(thread, job, ({ client, ...progress }: ClientProgress) =>
      byClient.get(client)?.onProgress(progress),
    );
  };
  const batcher = new Batcher<ThreadedInput, RoundEvaluation>({
    keyOf: ({ input, thread }) => `${thread} ${tenantKey(input.tenant)}`,
    batchMax: clientsPerJobMax,
    run,
  });
  return async (input, onProgress): Promise<RoundOutcome | undefined> => {
    const thread = threads.indexFor(`${tenantKey(input.tenant)} ${input.client}`);
    const evaluation = await batcher.submit({ input, thread, onProgress });
    if ('error' in evaluation) throw evaluation.error;
    return evaluation.outcome;
  };
}

interface RoundJobsParts extends Pick<RoundWorkerOptions, 'context' | 'onEnd' | 'onFailure'> {
  readonly threads: ThreadPool;
}

export function makeRoundJobs({ threads, ...parts }: RoundJobsParts): BackgroundJobs {
  return createRoundWorker({
    ...parts,
    evaluate: makeEvaluate(parts.context, threads),
    concurrency: Math.max(1, threads.count * roundsPerThread),
  });
}
