// Builds the service from its settings and starts it: every long-lived object is created here.

import type pg from 'pg';
import pino, { type Logger } from 'pino';
import { Authentication } from '../actions/access/authentication.ts';
import type { Addresses, AppContext } from '../actions/core/context.ts';
import { Readiness, type ReadyState } from '../actions/core/readiness.ts';
import type { Config } from './config.ts';
import { bindListeners, type Listeners } from './listeners.ts';
import { makeWebOperations } from './web-pages.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import { makeDeliveryJobs } from './delivery-jobs.ts';
import { reportError } from './error-report.ts';
import { connectionConfig, openContext, usualTimeouts, workspaceShare, type DatabaseTimeouts } from './open-context.ts';
import { clockSetbackJob } from '../jobs/clock-setback.ts';
import { deleteExpired, expiryGiveUpMs, expiryIntervalMs } from '../jobs/expiry.ts';
import { auditChaining } from '../jobs/audit-chaining.ts';
import { revocations } from '../jobs/revocations.ts';
import { authorityEndsJob } from '../jobs/authority-ends.ts';
import type { MailObserver } from '../jobs/mail-worker.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import { systemClock, type Clock } from '../kit/clock.ts';
import { makeFeedJobs } from './feed-jobs.ts';
import { makeMailJobs } from './mail-jobs.ts';
import { makeRoundJobs } from './round-jobs.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../store/postgres/embedded/embedded-postgres.ts';
import { isRetryable } from '../store/postgres/database-errors.ts';
import { migrate } from '../store/postgres/migrate.ts';
import { sessionCallerFinder } from '../surfaces/web/session-caller.ts';
import { CrossOrigin } from '../surfaces/http/pipeline/cross-origin.ts';
import { Budget } from '../surfaces/http/pipeline/budget.ts';
import { healthOperations, metricsOperation } from '../surfaces/http/pipeline/health.ts';
import { Hosts } from '../surfaces/http/negotiation/hosts.ts';
import { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import { Metrics } from '../surfaces/http/pipeline/metrics.ts';
import type { Observer } from '../surfaces/http/pipeline/observer.ts';
import { dispatchTask } from './dispatch-task.ts';
import { HttpServer } from '../surfaces/http/pipeline/server.ts';
import type { HttpServerParts } from '../surfaces/http/pipeline/server-parts.ts';
import { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';
import { FailureThrottle } from '../surfaces/token/failure-throttle.ts';
import { movedPath, openOperations, operations, wireFor } from '../surfaces/operations.ts';
import { stopService } from './stop-service.ts';
import { seedDatabase, type FirstApplications } from './seed-database.ts';
import type { WorkThreadData } from './work-thread.ts';

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly tenantFilters?: 'both' | 'store-only';
  readonly log?: Logger;
  /** Addresses that were taken before; else they are taken first. */
  readonly listeners?: Listeners;
  /** For tests, which must pass on a busy machine. */
  readonly databaseTimeouts?: DatabaseTimeouts;
}

export interface Service extends FirstApplications {
  readonly addresses: Addresses;
  /** The origin of `/metrics`, if it has an address of its own. */
  readonly metricsUrl: string | undefined;
  readonly context: AppContext;
  readonly server: HttpServer;
  stop(): Promise<void>;
}

function makeObserver(log: Logger, metrics: Metrics): Observer {
  return {
    answered(request) {
      metrics.countRequest(request);
      log.info(request, 'answered');
    },
    defect(error, requestId) {
      metrics.countDefect();
      log.error({ error: reportError(error), requestId }, 'defect');
    },
    outage(cause, requestId) {
      const line = { error: reportError(cause), requestId };
      // Requests that meet others at every try may as well be a defect.
      if (isRetryable(cause)) log.error(line, 'a transaction ran out of tries');
      else log.warn(line, 'the database is unavailable');
    },
  };
}

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const log = options.log ?? pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
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

interface StartParts {
  readonly config: Config;
  readonly options: ServiceOptions;
  readonly log: Logger;
  readonly listeners: Listeners;
}

async function startOnDatabase(parts: StartParts, embedded: EmbeddedPostgres | undefined): Promise<Service> {
  const { config, options, log, listeners } = parts;
  const databaseAddress = embedded ? embedded.connection : { connectionString: config.databaseUrl };
  const connection = connectionConfig(config, databaseAddress, options.databaseTimeouts);
  await migrate(connection);
  const context = await openContext({
    config,
    connection,
    poolSize: config.databasePool,
    timeouts: options.databaseTimeouts,
    clock: options.clock ?? systemClock,
    addresses: listeners.addresses,
    tenantFilters: options.tenantFilters,
    onIdleError: (error) => log.warn({ error: reportError(error) }, 'lost an idle connection to the database'),
  });
  const { stores } = context;
  try {
    const firstApplications = await seedDatabase(config, connection, context);
    const roles = await startRoles({ ...parts, context, connection });
    const stop = (): Promise<void> => stopService({ ...roles, stores, embedded }, config.shutdownGraceMs);
    const { addresses, metricsUrl } = listeners;
    return { addresses, metricsUrl, context, server: roles.server, ...firstApplications, stop };
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
  readonly backgroundJobs: readonly BackgroundJobs[];
  readonly threads: ThreadPool;
}

interface ServiceParts extends StartParts {
  readonly context: AppContext;
  readonly connection: pg.PoolConfig;
}

async function startRoles(parts: ServiceParts): Promise<Roles> {
  const { config, context, log } = parts;
  const metrics = new Metrics();
  const { server, metricsServer, threads, readiness } = makeServer(parts, metrics);
  threads.start();
  const onFailure = (job: string, error: unknown): void =>
    log.warn({ error: reportError(error), job }, 'a job failed and will be retried');
  const backgroundJobs = [
    makeRoundJobs(context, threads, (error) => onFailure('rounds', error)),
    makeDeliveryJobs(context, (error) => onFailure('deliveries', error)),
    makeMailJobs({ config, context, log, observer: makeMailObserver(metrics, (error) => onFailure('mails', error)) }),
    makeFeedJobs({ config, context, log, metrics, onFailure: (error) => onFailure('feeds', error) }),
  ];
  const expiry = {
    name: 'expiry',
    intervalMs: expiryIntervalMs,
    giveUpMs: expiryGiveUpMs,
    run: (signal: AbortSignal) => deleteExpired(context, signal),
  };
  const jobs = [
    expiry,
    clockSetbackJob(context),
    auditChaining(context),
    revocations(context),
    authorityEndsJob(context),
    ...backgroundJobs.flatMap((one) => one.jobs),
  ];
  const scheduler = new Scheduler(config.role === 'api' ? [] : jobs, onFailure);
  scheduler.start();
  await Promise.all([server.serve(), metricsServer?.serve()]);
  return { readiness, server, metricsServer, scheduler, backgroundJobs, threads };
}

function makeMailObserver(metrics: Metrics, onFailure: (error: unknown) => void): MailObserver {
  return {
    onOutcome: (outcome) => void (outcome === 'none' || metrics.countMail(outcome)),
    waiting: (count) => metrics.setMailsWaiting(count),
    onFailure,
  };
}

function makeReadiness({ context, options }: ServiceParts, threads: ThreadPool): Readiness {
  return new Readiness(context, {
    answerMs: (options.databaseTimeouts ?? usualTimeouts).readinessMs,
    untilStarted: () => threads.untilReady(),
  });
}

/** No more of one workspace than can have a connection. */
function makeInFlight({ budgetInFlight, databasePool }: Config): InFlight {
  return new InFlight({ running: Math.min(budgetInFlight, workspaceShare(databasePool)), waiting: 1_000 });
}

/** A worker serves the health operations only. */
function makeServer(
  parts: ServiceParts,
  metrics: Metrics,
): Pick<Roles, 'server' | 'metricsServer' | 'threads' | 'readiness'> {
  const { config, context, log, listeners } = parts;
  const isWorker = config.role === 'worker';
  const observer = makeObserver(log, metrics);
  const threads = makeThreads(parts, observer);
  const budget = new Budget(context, { perMinute: config.budgetPerMinute, burst: config.budgetBurst });
  const threaded = new InFlight({ running: config.budgetReports, waiting: 1_000 });
  const readiness = makeReadiness(parts, threads);
  const checkReady = (): Promise<ReadyState> => readiness.check();
  const metricsHere = listeners.metrics === undefined ? metrics : undefined;
  const serverParts: HttpServerParts = {
    context,
    listener: listeners.service,
    authentication: new Authentication(context),
    findSignedIn: sessionCallerFinder(context),
    budget,
    inFlight: makeInFlight(config),
    heavy: new InFlight({ running: config.budgetHeavy, waiting: 1_000 }),
    threaded,
    hosts: new Hosts(context.addresses),
    crossOrigin: new CrossOrigin(config.corsOrigins),
    operations: isWorker ? [] : operations,
    openOperations: isWorker
      ? healthOperations(metricsHere, checkReady)
      : [
          ...openOperations(context, metricsHere, {
            checkReady,
            budget,
            failures: new FailureThrottle(config.tokenFailuresPerMinute),
          }),
          ...makeWebOperations(context, parts, { threads, budget, reports: threaded }),
        ],
    wireFor,
    movedPath,
    perform: (task) => dispatchTask({ context, threads }, task),
    observer,
  };
  return {
    server: new HttpServer(serverParts),
    metricsServer: makeMetricsServer(serverParts, listeners, metrics),
    threads,
    readiness,
  };
}

function makeThreads({ config, options, context, connection }: ServiceParts, observer: Observer): ThreadPool {
  return new ThreadPool({
    count: config.workThreads,
    entry: new URL('./work-thread.ts', import.meta.url),
    workerData: (): WorkThreadData => ({
      config,
      connection,
      addresses: context.addresses,
      timeouts: options.databaseTimeouts,
      tenantFilters: options.tenantFilters,
    }),
    observer,
  });
}

function makeMetricsServer(
  parts: HttpServerParts,
  { metrics: listener }: Listeners,
  metrics: Metrics,
): HttpServer | undefined {
  if (listener === undefined) return undefined;
  return new HttpServer({ ...parts, listener, operations: [], openOperations: [metricsOperation(metrics)] });
}
