// Builds the service from its settings and starts it: every long-lived object is created here.

import type { Logger } from 'pino';
import type { Addresses, AppContext } from '../actions/core/context.ts';
import { Readiness } from '../actions/core/readiness.ts';
import type { Config } from './config.ts';
import { bindListeners } from './listeners.ts';
import type { BackgroundJobs } from './jobs/background-jobs.ts';
import { reportError } from './error-report.ts';
import { connectionConfig, openContext } from './open-context.ts';
import { JobFailureLog } from '../jobs/job-failure-log.ts';
import type { RequestLogWriter } from '../jobs/request-log-writer.ts';
import { Scheduler, type Job } from '../jobs/scheduler.ts';
import { systemClock } from '../kit/clock.ts';
import { makeJobs } from './jobs/make-jobs.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../store/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../store/postgres/migrate.ts';
import { Metrics } from './metrics/metrics.ts';
import { readRelease } from './release.ts';
import { HttpServer } from '../surfaces/http/pipeline/server.ts';
import { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';
import { makeServer, type ServiceOptions, type ServiceParts, type StartParts } from './make-server.ts';
import { stopService } from './stop-service.ts';
import { seedDatabase, type FirstApplications } from './seed-database.ts';
import { makeLog } from './start/service-log.ts';

export type { ServiceOptions } from './make-server.ts';

export interface Service extends FirstApplications {
  readonly addresses: Addresses;
  /** The origin of `/metrics`, if it has an address of its own. */
  readonly metricsUrl: string | undefined;
  readonly context: AppContext;
  readonly server: HttpServer;
  /** What a node does at intervals, whether or not its role is to do it. */
  readonly jobs: readonly Job[];
  stop(): Promise<void>;
}

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const log = options.log ?? makeLog(config.logLevel);
  const listeners = options.listeners ?? (await bindListeners(config));
  let embedded: EmbeddedPostgres | undefined;
  try {
    if (config.databaseUrl === undefined) embedded = await startEmbedded(config, log);
    return await startOnDatabase({ config, options, log, listeners }, embedded);
  } catch (error) {
    await Promise.all([embedded?.stop(), listeners.close()]);
    throw error;
  }
}

function startEmbedded({ dataDir }: Config, log: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: (line) => log.debug({ postgres: line }, 'database') });
}

async function startOnDatabase(parts: StartParts, embedded: EmbeddedPostgres | undefined): Promise<Service> {
  const { config, options, log, listeners } = parts;
  const databaseAddress = embedded ? embedded.connection : { connectionString: config.databaseUrl };
  const connection = connectionConfig(config, databaseAddress, options.databaseTimeouts);
  const { databaseReadUrl } = config;
  const replica =
    databaseReadUrl === undefined
      ? undefined
      : connectionConfig(config, { connectionString: databaseReadUrl }, options.databaseTimeouts);
  await migrate(connection, undefined, config.mode.mode === 'normal' ? 'run' : 'refused');
  const context = await openContext({
    config,
    connection,
    replica,
    poolSize: config.databasePool,
    timeouts: options.databaseTimeouts,
    clock: options.clock ?? systemClock,
    addresses: listeners.addresses,
    tenantFilters: options.tenantFilters,
    onIdleError: (error) => log.warn({ error: reportError(error) }, 'lost an idle connection to the database'),
  });
  const { stores, tracer } = context;
  try {
    const firstApplications = await seedDatabase(config, connection, context);
    const roles = await startRoles({ ...parts, context, connection, replica, release: await readRelease() });
    const stop = (): Promise<void> => stopService({ ...roles, stores, tracer, embedded }, config.shutdownGraceMs);
    const { addresses, metricsUrl } = listeners;
    const { server, backgroundJobs } = roles;
    return { addresses, metricsUrl, context, server, jobs: backgroundJobs.jobs, ...firstApplications, stop };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

interface Roles {
  readonly readiness: Readiness;
  readonly server: HttpServer;
  readonly metricsServer: HttpServer | undefined;
  readonly scheduler: Scheduler;
  readonly backgroundJobs: BackgroundJobs;
  readonly threads: ThreadPool;
  readonly roundThreads: ThreadPool;
  readonly requestLog: RequestLogWriter | undefined;
}

async function startRoles(parts: ServiceParts): Promise<Roles> {
  const { config, log } = parts;
  const metrics = new Metrics({ ...parts, sharedMs: parts.options.metricsSharedMs });
  const servers = makeServer(parts, metrics);
  const { server, metricsServer, threads, roundThreads, readiness } = servers;
  threads.start();
  roundThreads.start();
  await readiness.watch();
  const failureLog = new JobFailureLog(parts.context.clock);
  const onFailure = (job: string, error: unknown): void => {
    metrics.jobs.countFailure(job);
    const unlogged = failureLog.count(job, error);
    if (unlogged === undefined) return;
    const more = unlogged === 0 ? {} : { unlogged };
    log.warn({ error: reportError(error), job, ...more }, 'a job failed and will be retried');
  };
  const backgroundJobs = makeJobs({ ...parts, metrics, roundThreads, onFailure });
  const scheduler = new Scheduler(config.role === 'api' ? [] : backgroundJobs.jobs, {
    onFailure,
    // Each of them writes what it has done: without that, it would do the same again and again.
    mayRun: () => readiness.writes === 'ready',
  });
  scheduler.start();
  await Promise.all([server.serve(), metricsServer?.serve()]);
  return { ...servers, scheduler, backgroundJobs };
}
