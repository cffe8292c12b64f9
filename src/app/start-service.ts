// Builds the whole service from its settings and starts its roles. Everything that lives long is made here, once.

import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import pino, { type Logger } from 'pino';
import { Authentication } from '../actions/access/authentication.ts';
import {
  layOutMissingClasses,
  openFirstWorkspace,
  seedDemo,
  type DemoApplication,
  type FirstApplication,
} from '../actions/access/bootstrap.ts';
import type { Addresses, House } from '../actions/core/context.ts';
import { evaluateRound } from '../actions/rounds/round-evaluation.ts';
import type { Config } from './config.ts';
import { makeConsole } from './web-pages.ts';
import { makeDelivering, type Delivering } from './delivery-jobs.ts';
import { checkKeyring } from './encryption-key.ts';
import { reportError } from './error-report.ts';
import { connectionTo, openHouse } from './open-context.ts';
import { clearExpired, expiryEveryMs } from '../jobs/expiry.ts';
import type { MailObserver } from '../jobs/mail-worker.ts';
import { hintsEveryMs, Rounds, sweepEveryMs } from '../jobs/round-worker.ts';
import { Timetable, type Job } from '../jobs/scheduler.ts';
import { systemClock, type Clock } from '../kit/clock.ts';
import { writeJson } from '../kit/json.ts';
import { makeMailing, type Mailing } from './mail-jobs.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../store/postgres/embedded/embedded-postgres.ts';
import { migrate, withStartLock } from '../store/postgres/migrate.ts';
import { signedInAt } from '../surfaces/web/session-caller.ts';
import { Budget } from '../surfaces/http/pipeline/budget.ts';
import { deskOperations } from '../surfaces/http/pipeline/health.ts';
import { Hosts } from '../surfaces/http/negotiation/hosts.ts';
import { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import { Metrics } from '../surfaces/http/pipeline/metrics.ts';
import type { Observer } from '../surfaces/http/pipeline/observer.ts';
import { perform, type Task } from '../surfaces/http/pipeline/perform-request.ts';
import { Server } from '../surfaces/http/pipeline/server.ts';
import { Threads } from '../surfaces/http/threads/thread-pool.ts';
import type { Rendered } from '../surfaces/http/operation/wire.ts';
import { movedTo, openOperations, operations, wireFor } from '../surfaces/operations.ts';
import type { ThreadStart } from './work-thread.ts';

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly walls?: 'both' | 'store-only';
  readonly log?: Logger;
  /** Within how long a body must have arrived. */
  readonly arrivalMs?: number;
}

/** Set when this start has made them: they are shown this once. */
interface FirstApplications {
  readonly firstApplication: FirstApplication | undefined;
  readonly demoApplication: DemoApplication | undefined;
}

export interface Service extends FirstApplications {
  readonly addresses: Addresses;
  readonly house: House;
  readonly server: Server;
  stop(): Promise<void>;
}

function addressesOf(config: Config, port: number): Addresses {
  const host = config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host;
  const own = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const baseUrl = config.baseUrl ?? own;
  return { baseUrl, legacyUrl: config.legacyUrl ?? baseUrl, authUrl: config.authUrl ?? baseUrl };
}

function observerOf(log: Logger, metrics: Metrics): Observer {
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
      log.warn({ error: reportError(cause), requestId }, 'the database is away');
    },
  };
}

export async function startService(config: Config, options: ServiceOptions = {}): Promise<Service> {
  const log = options.log ?? pino({ level: config.logLevel, base: null, timestamp: pino.stdTimeFunctions.isoTime });
  const embedded = config.databaseUrl === undefined ? await startEmbedded(config, log) : undefined;
  try {
    return await startOn(config, options, log, embedded);
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
}

function startEmbedded({ dataDir }: Config, log: Logger): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, log: (line) => log.debug({ postgres: line }, 'database') });
}

async function startOn(
  config: Config,
  options: ServiceOptions,
  log: Logger,
  embedded: EmbeddedPostgres | undefined,
): Promise<Service> {
  const place = embedded ? embedded.connection : { connectionString: config.databaseUrl };
  const connection = connectionTo(config, place);
  await migrate(connection);
  const house = await openHouse({
    config,
    connection,
    poolSize: config.databasePool,
    clock: options.clock ?? systemClock,
    addresses: addressesOf(config, config.port),
    walls: options.walls,
    onIdleError: (error) => log.warn({ error: reportError(error) }, 'an idle connection to the database was lost'),
  });
  const { database } = house;
  try {
    const first = await furnish(config, connection, house);
    const { server, timetable, rounds, delivering, mailing, threads } = await startRoles({
      config,
      options,
      house,
      connection,
      log,
    });
    const stop = async (): Promise<void> => {
      await Promise.all([server.stop(), timetable.stop(), rounds.stop(), delivering.stop(), mailing.stop()]);
      await threads.stop();
      await database.close();
      await embedded?.stop();
    };
    return { addresses: house.addresses, house, server, ...first, stop };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** One node at a time, so that a new database gets one first workspace. */
async function furnish(config: Config, connection: pg.PoolConfig, house: House): Promise<FirstApplications> {
  let first: FirstApplications = { firstApplication: undefined, demoApplication: undefined };
  await withStartLock(connection, async () => {
    await checkKeyring(house);
    await layOutMissingClasses(house);
    const firstApplication = await openFirstWorkspace(house, config.bootstrap);
    const isWanted = config.demo === 'on' || (config.demo === 'when-new' && firstApplication !== undefined);
    first = { firstApplication, demoApplication: isWanted ? await seedDemo(house) : undefined };
  });
  return first;
}

interface Roles {
  readonly server: Server;
  readonly timetable: Timetable;
  readonly rounds: Rounds;
  readonly delivering: Delivering;
  readonly mailing: Mailing;
  readonly threads: Threads;
}

interface HouseAndThreads {
  readonly house: House;
  readonly threads: Threads;
}

interface Parts {
  readonly config: Config;
  readonly options: ServiceOptions;
  readonly house: House;
  readonly connection: pg.PoolConfig;
  readonly log: Logger;
}

async function startRoles(parts: Parts): Promise<Roles> {
  const { config, house, log } = parts;
  const metrics = new Metrics();
  const { server, threads } = makeServer(parts, metrics);
  await server.app.listen({ port: config.port, host: config.host });
  // The addresses hold the port, which is known from here on; everybody was given the same object before that.
  Object.assign(house.addresses, addressesOf(config, (server.app.server.address() as AddressInfo).port));
  threads.start();
  const onFailure = (job: string, error: unknown): void =>
    log.warn({ error: reportError(error), job }, 'a job failed and will be tried again');
  const rounds = makeRounds({ house, threads }, (error) => onFailure('rounds', error));
  const delivering = makeDelivering(house, (error) => onFailure('deliveries', error));
  const observer = mailObserverOf(metrics, (error) => onFailure('mails', error));
  const mailing = makeMailing({ config, house, log, observer });
  const jobs = [...jobsOf(house, rounds), ...delivering.jobs, ...mailing.jobs];
  const timetable = new Timetable(config.role === 'api' ? [] : jobs, onFailure);
  timetable.start();
  return { server, timetable, rounds, delivering, mailing, threads };
}

function mailObserverOf(metrics: Metrics, failure: (error: unknown) => void): MailObserver {
  return {
    mailed: (outcome) => void (outcome === 'none' || metrics.countMail(outcome)),
    waiting: (count) => metrics.noteMailsWaiting(count),
    failure,
  };
}

function jobsOf(house: House, rounds: Rounds): readonly Job[] {
  return [
    { name: 'expiry', everyMs: expiryEveryMs, run: () => clearExpired(house) },
    { name: 'rounds', everyMs: hintsEveryMs, run: () => rounds.lookWhereHinted() },
    { name: 'all rounds', everyMs: sweepEveryMs, run: () => rounds.sweep() },
  ];
}

/** What rounds compute is computed in threads, where there are any. */
function makeRounds({ house, threads }: HouseAndThreads, onFailure: (error: unknown) => void): Rounds {
  return new Rounds({
    house,
    evaluate(question, tell) {
      if (threads.count === 0) return evaluateRound(house, question, tell);
      const { tenant, client } = question;
      const about = `${tenant.workspaceId}/${tenant.environment}/${client}`;
      return threads.work({ name: 'round', input: question, now: house.clock.now() }, about, tell);
    },
    sideBySide: Math.max(1, threads.count),
    onFailure,
  });
}

/** A worker answers operators only. */
function makeServer(parts: Parts, metrics: Metrics): Pick<Roles, 'server' | 'threads'> {
  const { config, options, house, connection, log } = parts;
  const isWorker = config.role === 'worker';
  const observer = observerOf(log, metrics);
  const threads = new Threads({
    count: config.workThreads,
    entry: new URL('./work-thread.ts', import.meta.url),
    workerData: (): ThreadStart => ({ config, connection, addresses: house.addresses, walls: options.walls }),
    observer,
  });
  const budget = new Budget(house, { perMinute: config.budgetPerMinute, burst: config.budgetBurst });
  const threaded = new InFlight({ running: config.budgetReports, waiting: 1_000 });
  const untilBegun = (): Promise<void> => threads.untilBegun();
  const server = new Server({
    house,
    authentication: new Authentication(house),
    findSignedIn: signedInAt(house),
    budget,
    inFlight: new InFlight({ running: config.budgetInFlight, waiting: 1_000 }),
    heavy: new InFlight({ running: config.budgetHeavy, waiting: 1_000 }),
    threaded,
    hosts: new Hosts(house.addresses),
    operations: isWorker ? [] : operations,
    openOperations: isWorker
      ? deskOperations(house, metrics, untilBegun)
      : [
          ...openOperations(house, metrics, untilBegun),
          ...makeConsole(house, parts, { threads, budget, reports: threaded }),
        ],
    wireFor,
    movedTo,
    perform: (task) => performWhereItBelongs({ house, threads }, task),
    observer,
    ...(options.arrivalMs === undefined ? {} : { arrivalMs: options.arrivalMs }),
  });
  return { server, threads };
}

/** What an operation calls heavy is done in a thread, where there are any. */
function performWhereItBelongs({ house, threads }: HouseAndThreads, task: Task): Promise<Rendered> {
  const { operation, caller, requestId, sent } = task;
  if (operation.thread === undefined || threads.count === 0) return perform(house, task);
  const { params, query, body, headers } = sent;
  const { workspaceId, environment } = caller.reach;
  const about = `${workspaceId}/${environment}/${operation.thread(sent)}`;
  const asked = {
    operationId: operation.id,
    caller,
    requestId,
    sent: { params, query, headers },
    body: body === undefined ? undefined : writeJson(body),
    now: house.clock.now(),
  };
  return threads.perform(asked, about);
}
