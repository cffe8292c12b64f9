// Builds the HTTP servers: the API with its pages, and the metrics if they have an address of their own.

import type pg from 'pg';
import packageFile from '../../package.json' with { type: 'json' };
import { type Logger } from 'pino';
import { recordSessionActs } from '../actions/access/session.ts';
import { Authentication } from '../actions/access/authentication.ts';
import type { AppContext } from '../actions/core/context.ts';
import { Readiness, type ReadinessReport } from '../actions/core/readiness.ts';
import type { Config } from './config.ts';
import { type Listeners } from './listeners.ts';
import { makeWebOperations } from './web-pages.ts';
import { reportError } from './error-report.ts';
import { usualTimeouts, workspaceShare, type DatabaseTimeouts } from './open-context.ts';
import { RequestLogWriter } from '../jobs/request-log-writer.ts';
import { defined } from '../kit/assert.ts';
import { type Clock } from '../kit/clock.ts';
import type { RequestLine } from '../model/access/logged-request.ts';
import { isRetryable } from '../store/postgres/database-errors.ts';
import { sessionCallerFinder } from '../surfaces/web/session-caller.ts';
import { CrossOrigin } from '../surfaces/http/pipeline/cross-origin.ts';
import { Budget } from '../surfaces/http/pipeline/budget.ts';
import { healthOperations, operatorOperations } from '../surfaces/http/pipeline/health.ts';
import { makeReferenceTrial } from '../surfaces/http/reference/demo-trial.ts';
import { isLoopback } from '../surfaces/http/negotiation/loopback.ts';
import { Hosts } from '../surfaces/http/negotiation/hosts.ts';
import { Admission } from '../surfaces/http/pipeline/admission.ts';
import { LocalApi } from '../surfaces/http/pipeline/local-api.ts';
import { RequestPerformer, type RequestParts } from '../surfaces/http/pipeline/request-performer.ts';
import { showProblemToBrowser } from '../surfaces/web/problem-page.ts';
import { InFlight } from '../surfaces/http/pipeline/in-flight.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Release } from './release.ts';
import { makeNodeFigures } from '../model/operations/node-figures.ts';
import type { AnsweredRequest, Observer } from '../surfaces/http/pipeline/observer.ts';
import { dispatchTask } from './dispatch-task.ts';
import { HttpServer } from '../surfaces/http/pipeline/server.ts';
import type { OpenOperation } from '../surfaces/http/operation/open-operation.ts';
import type { CallApi } from '../surfaces/web/page-api.ts';
import { SpoolRoom } from '../surfaces/http/bulk/spool-room.ts';
import type { HttpServerParts } from '../surfaces/http/pipeline/server-parts.ts';
import { ThreadPool } from '../surfaces/http/threads/thread-pool.ts';
import { Confirmations } from '../surfaces/mcp/confirmation.ts';
import { mcpOperation } from '../surfaces/mcp/mcp-operation.ts';
import { FailureThrottle } from '../surfaces/token/failure-throttle.ts';
import { movedPath, openOperations, operations, wireFor } from '../surfaces/operations.ts';
import { threadCounts, type ThreadCounts } from './thread-counts.ts';
import type { WorkThreadData } from './work-thread.ts';

export interface ServiceOptions {
  readonly clock?: Clock;
  readonly tenantFilters?: 'both' | 'store-only';
  readonly log?: Logger;
  /** Addresses that were taken before; else they are taken first. */
  readonly listeners?: Listeners;
  /** How long callers share the text of the metrics; tests look at once whether one has moved. */
  readonly metricsSharedMs?: number;
  /** How often the node looks at the operator's mode; tests that count statements have it look never. */
  readonly watchMs?: number;
  /** For tests, which must pass on a busy machine. */
  readonly databaseTimeouts?: DatabaseTimeouts;
}

export interface StartParts {
  readonly config: Config;
  readonly options: ServiceOptions;
  readonly log: Logger;
  readonly listeners: Listeners;
}

export interface ServiceParts extends StartParts {
  readonly context: AppContext;
  readonly connection: pg.PoolConfig;
  readonly replica: pg.PoolConfig | undefined;
  readonly release: Release;
}

interface ServerRoles {
  readonly server: HttpServer;
  readonly metricsServer: HttpServer | undefined;
  readonly threads: ThreadPool;
  readonly roundThreads: ThreadPool;
  readonly readiness: Readiness;
  readonly requestLog: RequestLogWriter | undefined;
}

function makeRequestLog({ config, context }: ServiceParts, metrics: Metrics): RequestLogWriter | undefined {
  if (config.requestLog === 'off') return undefined;
  return new RequestLogWriter(context, { onDropped: (count) => metrics.requests.countUnlogged(count) });
}

/** Member by member: leaving members out of a copy takes several times as long, and every request has a line. */
function toLine(request: AnsweredRequest): RequestLine | undefined {
  const { workspaceId, environment, code } = request;
  // Without a caller it is nobody's, and in a suspended workspace nothing is written.
  if (workspaceId === undefined || environment === undefined || code === 'workspace-suspended') return undefined;
  return {
    workspaceId,
    environment,
    method: request.method,
    route: request.route,
    path: request.path,
    status: request.status,
    code: code ?? null,
    durationMs: request.durationMs,
    credentialId: request.credentialId ?? null,
    userId: request.personId ?? null,
    requestId: request.requestId,
    traceId: request.traceId ?? null,
  };
}

const healthPaths: readonly string[] = ['/healthz', '/readyz', '/readyz/write'];

/** Load balancers ask every few seconds for ever: only an answer other than 200 that is new is worth a line. */
function healthChecks(): (request: Pick<AnsweredRequest, 'route' | 'status'>) => boolean {
  const last = new Map<string, number>();
  return ({ route, status }) => {
    if (!healthPaths.includes(route)) return false;
    const isNew = last.get(route) !== status;
    last.set(route, status);
    return status < 400 || !isNew;
  };
}

function makeObserver(log: Logger, metrics: Metrics, requestLog: RequestLogWriter | undefined): Observer {
  const isUsualCheck = healthChecks();
  return {
    answered(request) {
      metrics.requests.count(request);
      metrics.workspaces.count(request);
      const line = requestLog === undefined ? undefined : toLine(request);
      if (line !== undefined) requestLog?.record(line);
      // The path may hold what a caller typed; the log has its route.
      const logged = { ...request, path: undefined, isStranger: undefined };
      if (isUsualCheck(request)) log.debug(logged, 'answered');
      else log.info(logged, 'answered');
    },
    defect(error, requestId) {
      metrics.requests.countDefect();
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

function makeReadiness({ context, options }: ServiceParts, threads: ThreadPool): Readiness {
  return new Readiness(context, {
    answerMs: (options.databaseTimeouts ?? usualTimeouts).readinessMs,
    untilStarted: () => threads.untilReady(),
    watchMs: options.watchMs,
    catchUp: () => recordSessionActs(context),
  });
}

/** How many requests of one workspace wait for their turn. */
const requestsWaitingMax = 1_000;

/** No more of one workspace than can have a connection. */
function makeInFlight({ budgetInFlight, databasePool }: Config): InFlight {
  return new InFlight({ running: Math.min(budgetInFlight, workspaceShare(databasePool)), waiting: requestsWaitingMax });
}

/** What requests are admitted and performed with, from the network and from pages. */
function makeRequestParts(
  { config, context }: ServiceParts,
  { threads, budget, threaded }: { threads: ThreadPool; budget: Budget; threaded: InFlight },
): RequestParts {
  return {
    context,
    authentication: new Authentication(context),
    findSignedIn: sessionCallerFinder(context),
    budget,
    inFlight: makeInFlight(config),
    heavy: new InFlight({ running: config.budgetHeavy, waiting: requestsWaitingMax }),
    threaded,
    spoolRoom: new SpoolRoom(config.spoolBytesMax),
    hosts: new Hosts(context.addresses),
    perform: (task) => dispatchTask({ context, threads }, task),
  };
}

type Health = Parameters<typeof healthOperations>[0];

/** What a request needs no token for, or signs in for in another way. */
function makeOpenOperations(
  parts: ServiceParts,
  { requestParts, health, callApi }: { requestParts: RequestParts; health: Health; callApi: CallApi },
): readonly OpenOperation[] {
  const { config, context } = parts;
  const failures = new FailureThrottle(config.tokenFailuresPerMinute);
  // The reference uses the demo only where nobody but this machine can reach the service.
  const isTrial = !config.isProduction && config.demo !== 'off' && isLoopback(config.host);
  const trial = isTrial ? makeReferenceTrial({ ...requestParts, operations, callApi }) : undefined;
  const { baseUrl } = context.addresses;
  const { version } = packageFile;
  return [
    ...openOperations(context, { ...health, budget: requestParts.budget, failures, trial }),
    ...makeWebOperations(context, { ...parts, callApi }),
    mcpOperation({
      ...requestParts,
      operations,
      callApi,
      baseUrl,
      version,
      writes: config.mcpWrites,
      confirmations: new Confirmations(context),
    }),
  ];
}

/** A worker serves the health operations only. */
export function makeServer(parts: ServiceParts, metrics: Metrics): ServerRoles {
  const { config, context, log, listeners, release } = parts;
  const isWorker = config.role === 'worker';
  const requestLog = isWorker ? undefined : makeRequestLog(parts, metrics);
  const observer = makeObserver(log, metrics, requestLog);
  const threads = makeThreads(parts, 'reports', { observer, metrics });
  const roundThreads = makeThreads(parts, 'rounds', { observer, metrics });
  const budget = new Budget(context, config.workspaceSettings);
  const threaded = new InFlight({ running: config.budgetReports, waiting: requestsWaitingMax });
  const readiness = makeReadiness(parts, threads);
  const checkReady = (): Promise<ReadinessReport> => readiness.check();
  metrics.watchReadiness(checkReady);
  const { baseUrl } = context.addresses;
  // Whoever calls the service at another machine's address comes through a proxy, which may hide that it is one.
  const isLocal = isLoopback(new URL(baseUrl).hostname);
  const metricsHere = listeners.metrics === undefined && isLocal ? metrics : undefined;
  const listServers: Health['listServers'] = () => readiness.listServers();
  const health = { metrics: metricsHere, version: release.version, checkReady, listServers };
  const requestParts = makeRequestParts(parts, { threads, budget, threaded });
  metrics.watchDoors({ connections: listeners.service.connections, spoolRoom: requestParts.spoolRoom });
  const admission = new Admission(requestParts);
  const performer = new RequestPerformer(requestParts);
  const localApi = new LocalApi({ operations, admission, performer, observer, baseUrl });
  const callApi: CallApi = (request) => localApi.call(request);
  const serverParts: HttpServerParts = {
    ...requestParts,
    admission,
    performer,
    observer,
    listener: listeners.service,
    crossOrigin: new CrossOrigin(config.corsOrigins),
    trustedProxies: config.trustedProxies,
    operations: isWorker ? [] : operations,
    openOperations: isWorker ? healthOperations(health) : makeOpenOperations(parts, { requestParts, health, callApi }),
    wireFor,
    movedPath,
    showProblem: showProblemToBrowser,
  };
  return {
    server: new HttpServer(serverParts),
    metricsServer: makeMetricsServer(serverParts, parts, metrics),
    threads,
    roundThreads,
    readiness,
    requestLog,
  };
}

function makeThreads(
  { config, options, context, connection, replica }: ServiceParts,
  purpose: keyof ThreadCounts,
  { observer, metrics }: { readonly observer: Observer; readonly metrics: Metrics },
): ThreadPool {
  const count = threadCounts(config)[purpose];
  const figures = Array.from({ length: count }, () => makeNodeFigures());
  for (const one of figures) metrics.node.addThread(purpose, one);
  const threads = new ThreadPool({
    count,
    entry: new URL('./work-thread.ts', import.meta.url),
    workerData: (index): WorkThreadData => ({
      config,
      connection,
      replica,
      addresses: context.addresses,
      timeouts: options.databaseTimeouts,
      tenantFilters: options.tenantFilters,
      replacedKeys: context.keyring.replaced,
      figuresMemory: defined(figures[index], 'each thread has its figures').memory,
      modeMemory: context.operatorMode.memory,
      purpose,
    }),
    observer,
    onDatabaseUse: (workspaceId, ms) => context.databaseUse.add(workspaceId, ms),
  });
  metrics.node.addPool(purpose, threads);
  return threads;
}

function makeMetricsServer(
  parts: HttpServerParts,
  { listeners: { metrics: listener }, release }: Pick<ServiceParts, 'listeners' | 'release'>,
  metrics: Metrics,
): HttpServer | undefined {
  if (listener === undefined) return undefined;
  return new HttpServer({ ...parts, listener, operations: [], openOperations: operatorOperations(metrics, release) });
}
