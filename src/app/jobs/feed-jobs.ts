// Builds what runs feeds on a node: the worker, and how its outcomes are logged and counted. The connectors are those of the context.

import type { Logger } from 'pino';
import type { AppContext } from '../../actions/core/context.ts';
import type { FeedOutcome, LeasedFeedRun } from '../../actions/feeds/feed-run.ts';
import { createFeedWorker } from '../../jobs/feed-worker.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import type { Config } from '../config.ts';

interface FeedJobsParts {
  readonly config: Config;
  readonly context: AppContext;
  readonly log: Logger;
  readonly metrics: Metrics;
  onFailure(error: unknown): void;
}

export function makeFeedJobs({ config, context, log, metrics, onFailure }: FeedJobsParts): BackgroundJobs {
  return createFeedWorker({
    context,
    intervalMs: config.feeds.intervalMs,
    observer: {
      onOutcome(lease, outcome) {
        if (outcome.kind !== 'stopped')
          metrics.jobs.countFeedRun(outcome.kind === 'failed' ? outcome.error : outcome.kind);
        logOutcome(log, lease, outcome);
      },
      onFailure,
    },
  });
}

/** Names no client: a log is read by operators, not by those who may see the data. */
function logOutcome(log: Logger, { run }: LeasedFeedRun, outcome: FeedOutcome): void {
  const line = { run: run.id, authority: run.authority, connector: run.connector, attempt: run.attempts };
  if (outcome.kind === 'failed')
    log.warn({ ...line, error: outcome.error, detail: outcome.detail }, 'a feed could not be fetched');
  else log.info(line, outcome.kind === 'finished' ? 'a feed was fetched' : 'a feed was handed back');
}
