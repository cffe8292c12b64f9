// Builds the jobs of a node: the workers of its queues, and what runs at an interval.

import { auditChaining } from '../../jobs/audit-chaining.ts';
import { authorityEndsJob } from '../../jobs/authority-ends.ts';
import { clockSetbackJob } from '../../jobs/clock-setback.ts';
import { expiryJob } from '../../jobs/expiry.ts';
import { leftoverDeliveriesJob } from '../../jobs/leftover-deliveries.ts';
import type { AppContext } from '../../actions/core/context.ts';
import type { DeliveryObserver } from '../../actions/events/delivery-attempt.ts';
import type { MailObserver } from '../../jobs/mail-worker.ts';
import { revocations } from '../../jobs/revocations.ts';
import type { Job } from '../../jobs/scheduler.ts';
import { storageMeasuring } from '../../jobs/storage-measuring.ts';
import { waitingRowsJob } from '../../jobs/waiting-rows.ts';
import { completeSpan } from '../../kit/tracing/span.ts';
import type { JobMetrics } from '../metrics/job-metrics.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { ThreadPool } from '../../surfaces/http/threads/thread-pool.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import type { ServiceParts } from '../make-server.ts';
import { makeDeliveryJobs } from './delivery-jobs.ts';
import { makeFeedJobs } from './feed-jobs.ts';
import { makeLogShippingJobs } from './log-shipping-jobs.ts';
import { makeMailJobs } from './mail-jobs.ts';
import { makeNodeListening } from './node-listening.ts';
import { makeRoundJobs } from './round-jobs.ts';

interface JobParts extends ServiceParts {
  readonly metrics: Metrics;
  readonly roundThreads: ThreadPool;
  onFailure(job: string, error: unknown): void;
}

export function makeJobs(parts: JobParts): BackgroundJobs {
  const { config, context, log, metrics, roundThreads, onFailure } = parts;
  const onFailureOf = (job: string) => (error: unknown) => onFailure(job, error);
  const workers = [
    makeRoundJobs({
      context,
      threads: roundThreads,
      onEnd: (end, durationMs) => metrics.jobs.countRound(end, durationMs),
      onFailure: onFailureOf('rounds'),
    }),
    makeDeliveryJobs({ context, observer: makeDeliveryObserver(metrics.jobs), onFailure: onFailureOf('deliveries') }),
    makeMailJobs({ config, context, log, observer: makeMailObserver(metrics.jobs, onFailureOf('mails')) }),
    makeFeedJobs({ config, context, log, metrics, onFailure: onFailureOf('feeds') }),
    ...makeLogShippingJobs({ ...parts, onFailure: onFailureOf('log-shipping') }),
    ...makeNodeListening(parts),
  ];
  return {
    jobs: [...makeIntervalJobs(context), ...workers.flatMap(({ jobs }) => jobs)],
    async stop() {
      await Promise.all(workers.map((one) => one.stop()));
    },
  };
}

/** Each run is a trace of its own. Sweeps of queues are not: what they find begins its own. */
function makeIntervalJobs(context: AppContext): readonly Job[] {
  const jobs = [
    expiryJob(context),
    leftoverDeliveriesJob(context),
    clockSetbackJob(context),
    auditChaining(context),
    revocations(context),
    authorityEndsJob(context),
    waitingRowsJob(context),
    storageMeasuring(context),
  ];
  const { tracer } = context;
  if (tracer === undefined) return jobs;
  return jobs.map((job) => ({
    ...job,
    run: (signal) => completeSpan(tracer.begin(job.name), () => job.run(signal)),
  }));
}

function makeDeliveryObserver(metrics: JobMetrics): DeliveryObserver {
  return {
    onAttempt: (end, durationMs) => metrics.countDelivery(end, durationMs),
    onDeadLetters: (count) => metrics.countDeadLetters(count),
  };
}

function makeMailObserver(metrics: JobMetrics, onFailure: (error: unknown) => void): MailObserver {
  return {
    onOutcome: (outcome) => void (outcome === 'none' || metrics.countMail(outcome)),
    onFailure,
  };
}
