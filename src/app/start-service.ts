// Builds the service from its settings and starts it: every long-lived object is created here.

import pino, { type Logger } from 'pino';
import type { Addresses, AppContext } from '../actions/core/context.ts';
import { Readiness } from '../actions/core/readiness.ts';
import type { Config } from './config.ts';
import { bindListeners } from './listeners.ts';
import type { BackgroundJobs } from './background-jobs.ts';
import { makeDeliveryJobs } from './delivery-jobs.ts';
import { reportError } from './error-report.ts';
import { connectionConfig, openContext } from './open-context.ts';
import { clockSetbackJob } from '../jobs/clock-setback.ts';
import { deleteExpired, expiryGiveUpMs, expiryIntervalMs } from '../jobs/expiry.ts';
import { auditChaining } from '../jobs/audit-chaining.ts';
import { revocations } from '../jobs/revocations.ts';
import { authorityEndsJob } from '../jobs/authority-ends.ts';
import type { RequestLogWriter } from '../jobs/request-log-writer.ts';
import type { MailObserver } from '../jobs/mail-worker.ts';
import { Scheduler } from '../jobs/scheduler.ts';
import { systemClock } from '../kit/clock.ts';
import { makeFeedJobs } from './feed-jobs.ts';
import { makeMailJobs } from './mail-jobs.ts';
import { makeRoundJobs } from './round-jobs.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../store/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../store/postgres/migrate.ts';
import { Metrics } from '../surfaces/http/pipeline/metrics.ts';
import { HttpServer } from '../surfaces/http/pipeline/server.ts';
import { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';
import { makeServer, type ServiceOptions, type ServiceParts, type StartParts } from './make-server.ts';
import { stopService } from './stop-service.ts';
import { seedDatabase, type FirstApplications } from './seed-database.ts';

export type { ServiceOptions } from './make-server.ts';

export interface Service extends FirstApplications {
  readonly addresses: Addresses;
  /** The origin of `/metrics`, if it has an address of its own. */
  readonly metricsUrl: string | undefined;
  readonly context: AppContext;
  readonly server: HttpServer;
  stop(): Promise<void>;
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
  readonly requestLog: RequestLogWriter | undefined;
}

async function startRoles(parts: ServiceParts): Promise<Roles> {
  const { config, context, log } = parts;
  const metrics = new Metrics();
  const { threads, ...servers } = makeServer(parts, metrics);
  const { server, metricsServer } = servers;
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
  return { ...servers, scheduler, backgroundJobs, threads };
}

function makeMailObserver(metrics: Metrics, onFailure: (error: unknown) => void): MailObserver {
  return {
    onOutcome: (outcome) => void (outcome === 'none' || metrics.countMail(outcome)),
    waiting: (count) => metrics.setMailsWaiting(count),
    onFailure,
  };
}
