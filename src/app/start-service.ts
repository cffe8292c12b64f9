// Builds the service from its settings and starts it: every long-lived object is created here.

import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import pino, { type Logger } from 'pino';
import { Authentication } from '../actions/access/authentication.ts';
import {
  createMissingClasses,
  setUpFirstWorkspace,
  seedDemo,
  type DemoApplication,
  type FirstApplication,
} from '../actions/access/bootstrap.ts';
import type { Addresses, AppContext } from '../actions/core/context.ts';
import { Readiness, type ReadyState } from '../actions/core/readiness.ts';
import type { Config } from './config.ts';
import { makeWebOperations } from './web-pages.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import { makeDeliveryJobs } from './delivery-jobs.ts';
import { checkKeyring } from './encryption-key.ts';
import { reportError } from './error-report.ts';
import { connectionConfig, openContext, usualTimeouts, workspaceShare, type DatabaseTimeouts } from './open-context.ts';
import { clockSetbackJob } from '../jobs/clock-setback.ts';
import { deleteExpired, expiryGiveUpMs, expiryIntervalMs } from '../jobs/expiry.ts';
import { auditChaining } from '../jobs/audit-chaining.ts';
import type { MailObserver } from '../jobs/mail-worker.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import { systemClock, type Clock } from '../kit/clock.ts';
import { writeJson } from '../kit/json.ts';
import { makeMailJobs } from './mail-jobs.ts';
import { makeRoundJobs } from './round-jobs.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../store/postgres/embedded/embedded-postgres.ts';
import { isRetryable } from '../store/postgres/database-errors.ts';
import { migrate, withStartLock } from '../store/postgres/migrate.ts';
import { sessionCallerFinder } from '../surfaces/web/session-caller.ts';
import { Budget } from '../surfaces/http/pipeline/budget.ts';
import { healthOperations } from '../surfaces/http/pipeline/health.ts';
import { Hosts } from '../surfaces/http/negotiation/hosts.ts';
import { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import { Metrics } from '../surfaces/http/pipeline/metrics.ts';
import type { Observer } from '../surfaces/http/pipeline/observer.ts';
import { perform, type RequestTask } from '../surfaces/http/pipeline/perform-request.ts';
import { HttpServer } from '../surfaces/http/pipeline/server.ts';
import { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';
import type { RenderedResponse } from '../surfaces/http/operation/rendered-response.ts';
import { FailureThrottle } from '../surfaces/token/failure-throttle.ts';
import { movedPath, openOperations, operations, wireFor } from '../surfaces/operations.ts';
import { stopService } from './stop-service.ts';
import type { WorkThreadData } from './work-thread.ts';

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly tenantFilters?: 'both' | 'store-only';
  readonly log?: Logger;
  /** For tests, which must pass on a busy machine. */
  readonly databaseTimeouts?: DatabaseTimeouts;
}

/** Set if this start created them: their secrets are shown only once. */
interface FirstApplications {
  readonly firstApplication: FirstApplication | undefined;
  readonly demoApplication: DemoApplication | undefined;
}

export interface Service extends FirstApplications {
  readonly addresses: Addresses;
  readonly context: AppContext;
  readonly server: HttpServer;
  stop(): Promise<void>;
}

function makeAddresses(config: Config, port: number): Addresses {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  const listenerUrl = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const baseUrl = config.baseUrl ?? listenerUrl;
  return { baseUrl, legacyUrl: config.legacyUrl ?? baseUrl, authUrl: config.authUrl ?? baseUrl };
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
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log) : undefined;
  try {
    return await startOnDatabase(config, options, log, embedded);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

function startEmbedded({ dataDir }: Config, log: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: (line) => log.debug({ postgres: line }, 'database') });
}

async function startOnDatabase(
  config: Config,
  options: ServiceOptions,
  log: Logger,
  embedded: EmbeddedPostgres | undefined,
): Promise<Service> {
  const databaseAddress = embedded ? embedded.connection : { connectionString: config.databaseUrl };
  const connection = connectionConfig(config, databaseAddress, options.databaseTimeouts);
  await migrate(connection);
  const context = await openContext({
    config,
    connection,
    poolSize: config.databasePool,
    timeouts: options.databaseTimeouts,
    clock: options.clock ?? systemClock,
    addresses: makeAddresses(config, config.port),
    tenantFilters: options.tenantFilters,
    onIdleError: (error) => log.warn({ error: reportError(error) }, 'lost an idle connection to the database'),
  });
  const { stores } = context;
  try {
    const firstApplications = await seedDatabase(config, connection, context);
    const roles = await startRoles({ config, options, context, connection, log });
    const stop = (): Promise<void> => stopService({ ...roles, stores, embedded }, config.shutdownGraceMs);
    return { addresses: context.addresses, context, server: roles.server, ...firstApplications, stop };
  } catch (error) {
    await stores.close();
    throw error;
  }
}

/** Runs on one node at a time, so that a new database gets one first workspace. */
async function seedDatabase(
  config: Config,
  connection: pg.PoolConfig,
  context: AppContext,
): Promise<FirstApplications> {
  let firstApplications: FirstApplications = { firstApplication: undefined, demoApplication: undefined };
  await withStartLock(connection, async () => {
    await checkKeyring(context);
    await createMissingClasses(context);
    const firstApplication = await setUpFirstWorkspace(context, config.bootstrap);
    const isDemoWanted = config.demo === 'on' || (config.demo === 'when-new' && firstApplication !== undefined);
    firstApplications = { firstApplication, demoApplication: isDemoWanted ? await seedDemo(context) : undefined };
  });
  return firstApplications;
}

interface Roles {
  readonly readiness: Readiness;
  readonly server: HttpServer;
  readonly scheduler: Scheduler;
  readonly backgroundJobs: readonly BackgroundJobs[];
  readonly threads: ThreadPool;
}

interface ContextAndThreads {
  readonly context: AppContext;
  readonly threads: ThreadPool;
}

interface ServiceParts {
  readonly config: Config;
  readonly options: ServiceOptions;
  readonly context: AppContext;
  readonly connection: pg.PoolConfig;
  readonly log: Logger;
}

async function startRoles(parts: ServiceParts): Promise<Roles> {
  const { config, context, log } = parts;
  const metrics = new Metrics();
  const { server, threads, readiness } = makeServer(parts, metrics);
  await server.app.listen({ port: config.port, host: config.host });
  // The port is known only now. Everything holds the same addresses object, so changing it updates all.
  Object.assign(context.addresses, makeAddresses(config, (server.app.server.address() as AddressInfo).port));
  threads.start();
  const onFailure = (job: string, error: unknown): void =>
    log.warn({ error: reportError(error), job }, 'a job failed and will be retried');
  const backgroundJobs = [
    makeRoundJobs(context, threads, (error) => onFailure('rounds', error)),
    makeDeliveryJobs(context, (error) => onFailure('deliveries', error)),
    makeMailJobs({ config, context, log, observer: makeMailObserver(metrics, (error) => onFailure('mails', error)) }),
  ];
  const expiry = {
    name: 'expiry',
    intervalMs: expiryIntervalMs,
    giveUpMs: expiryGiveUpMs,
    run: (signal: AbortSignal) => deleteExpired(context, signal),
  };
  const jobs = [expiry, clockSetbackJob(context), auditChaining(context), ...backgroundJobs.flatMap((one) => one.jobs)];
  const scheduler = new Scheduler(config.role === 'api' ? [] : jobs, onFailure);
  scheduler.start();
  return { readiness, server, scheduler, backgroundJobs, threads };
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
function makeServer(parts: ServiceParts, metrics: Metrics): Pick<Roles, 'server' | 'threads' | 'readiness'> {
  const { config, options, context, connection, log } = parts;
  const isWorker = config.role === 'worker';
  const observer = makeObserver(log, metrics);
  const threads = new ThreadPool({
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
  const budget = new Budget(context, { perMinute: config.budgetPerMinute, burst: config.budgetBurst });
  const threaded = new InFlight({ running: config.budgetReports, waiting: 1_000 });
  const readiness = makeReadiness(parts, threads);
  const checkReady = (): Promise<ReadyState> => readiness.check();
  const server = new HttpServer({
    context,
    authentication: new Authentication(context),
    findSignedIn: sessionCallerFinder(context),
    budget,
    inFlight: makeInFlight(config),
    heavy: new InFlight({ running: config.budgetHeavy, waiting: 1_000 }),
    threaded,
    hosts: new Hosts(context.addresses),
    operations: isWorker ? [] : operations,
    openOperations: isWorker
      ? healthOperations(metrics, checkReady)
      : [
          ...openOperations(context, metrics, {
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
  });
  return { server, threads, readiness };
}

/** Runs operations that declare a thread key in a thread, if there are any. */
function dispatchTask({ context, threads }: ContextAndThreads, task: RequestTask): Promise<RenderedResponse> {
  const { operation, caller, requestId, parsed } = task;
  if (operation.threadKey === undefined || threads.count === 0) return perform(context, task);
  const { params, query, body, headers } = parsed;
  const { workspaceId, environment } = caller.scope;
  const threadKey = `${workspaceId}/${environment}/${operation.threadKey(parsed)}`;
  const threadTask = {
    operationId: operation.id,
    caller,
    requestId,
    parsed: { params, query, headers },
    body: body === undefined ? undefined : writeJson(body),
    now: context.clock.now(),
  };
  return threads.perform(threadTask, threadKey);
}
