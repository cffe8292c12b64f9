// Stops a node within 15 seconds, whatever hangs: finishes the requests in progress, hands back jobs, and then closes what they used.

import type { Readiness } from '../actions/core/readiness.ts';
import type { Tracer } from '../kit/tracing/span.ts';
import { waitAtMost } from '../kit/concurrency/deadline.ts';
import type { RequestLogWriter } from '../jobs/request-log-writer.ts';
import type { Scheduler } from '../jobs/scheduler.ts';
import type { Stores } from '../store/stores.ts';
import type { EmbeddedPostgres } from '../store/postgres/embedded/embedded-postgres.ts';
import type { HttpServer } from '../surfaces/http/pipeline/server.ts';
import type { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';
import type { BackgroundJobs } from './jobs/background-jobs.ts';

interface RunningParts {
  readonly readiness: Readiness;
  readonly server: HttpServer;
  readonly metricsServer: HttpServer | undefined;
  readonly scheduler: Scheduler;
  readonly backgroundJobs: BackgroundJobs;
  readonly threads: ThreadPool;
  readonly roundThreads: ThreadPool;
  readonly requestLog: RequestLogWriter | undefined;
  readonly stores: Stores;
  readonly tracer: Tracer | undefined;
  readonly embedded: EmbeddedPostgres | undefined;
}

/** When whatever still waits for the database fails, so that its requests are answered and its jobs end. */
const databaseMsMax = 10_500;
/** When requests and jobs that have not ended are left behind. */
const workMsMax = 12_000;
/** How long a stop waits for the last lines of the request log. */
const requestLogMsMax = 500;
/** How long a stop waits for connections to the database to close. */
const databaseCloseMsMax = 500;
/** How long a stop waits for traces to be sent. */
const tracesMsMax = 500;

/** Is not ready from now on, and serves requests for `graceMs` more, until load balancers have noticed. Jobs end at once. */
export async function stopService(parts: RunningParts, graceMs: number): Promise<void> {
  const { readiness, server, metricsServer, scheduler, backgroundJobs, requestLog, stores, tracer, embedded } = parts;
  readiness.beginStopping();
  const abortTimer = setTimeout(() => stores.abort(), databaseMsMax);
  const servers = [server.stop(graceMs), metricsServer?.stop(graceMs)];
  const work = [...servers, scheduler.stop(), backgroundJobs.stop()];
  try {
    await waitAtMost(Promise.all(work), workMsMax);
  } finally {
    clearTimeout(abortTimer);
  }
  await Promise.all([parts.threads.stop(), parts.roundThreads.stop()]);
  if (requestLog !== undefined) await waitAtMost(requestLog.stop(), requestLogMsMax);
  if (tracer !== undefined) await waitAtMost(tracer.stop(), tracesMsMax);
  await waitAtMost(stores.close(), databaseCloseMsMax);
  await embedded?.stop();
}
