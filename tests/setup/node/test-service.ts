// Starts a real service on its own database, with a clock that the test moves, and callers to send requests with.

import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { afterAll, beforeAll, inject, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/app/config.ts';
import { hourMs, type Clock } from '../../../src/kit/clock.ts';
import { ManualClock } from '../kit/manual-clock.ts';
import { Keyring } from '../../../src/signing/keyring.ts';
import { startService, type Service, type ServiceOptions } from '../../../src/app/start-service.ts';
import { setUpWorkspace, type FirstApplication } from '../../../src/actions/access/bootstrap.ts';
import { createApplication } from '../../../src/actions/access/credential.ts';
import type { Tenant } from '../../../src/model/access/scope.ts';
import { serviceAuthor, runInTransaction } from '../../../src/actions/core/work.ts';
import { runAsAdmin, databaseUrlOn } from '../database/global-setup.ts';
import { databaseTimeouts } from '../database/database-timeouts.ts';
import type { TestDatabase } from '../database/test-database.ts';
import { Caller } from '../http/caller.ts';
import { forgetContext, registerContext } from '../limits/rounds.ts';

export async function makeDatabase(
  template = inject('templateDatabase'),
  prefix = `holdfast_${process.pid}`,
): Promise<TestDatabase> {
  const name = `${prefix}_${randomBytes(5).toString('hex')}`;
  await runEverywhere(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`);
  return {
    url: databaseUrlOn(inject('databaseServer'), name),
    name,
    drop: () => runEverywhere(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** On each server that a database is on: one, or all that Citus spreads it over. */
async function runEverywhere(statement: string): Promise<void> {
  await Promise.all(inject('databaseServers').map((server) => runAsAdmin(server, statement)));
}

/** Copies a database that no service uses; other connections to it end. */
export async function copyDatabase({ name }: TestDatabase): Promise<TestDatabase> {
  const others = `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${name}'`;
  await runEverywhere(others);
  return makeDatabase(name);
}

export interface TestServiceOptions extends ServiceOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly database?: TestDatabase;
  readonly clock?: ManualClock;
}

export interface TestService extends Service {
  readonly database: TestDatabase;
  readonly clock: ManualClock;
  /** A caller with full access to the first workspace. */
  readonly admin: Caller;
  readonly first: FirstApplication;
  /** The lines that were logged. */
  readonly log: readonly string[];
  /** Returns a caller with full access to a workspace, with a token issued now. */
  enter(tenant: Tenant): Promise<Caller>;
  /** Creates another workspace with its own application. */
  openWorkspace(environment?: 'production' | 'sandbox'): Promise<Caller>;
}

const encryptionKey = Keyring.generate();
const bootstrap = { clientId: 'test-admin', clientSecret: 'a secret for tests that is long enough' };

/** Longer than any test: those that count statements would count what a node looks at by itself. */
const neverMs = hourMs;

/** Starts a node on a database. Several nodes may share one database. The caller must stop it. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const {
    settings = {},
    database = await makeDatabase(),
    clock = new ManualClock('2026-11-15T12:00:00Z'),
    ...rest
  } = options;
  const log: string[] = [];
  const logger = pino({ level: 'info', base: null }, { write: (line: string) => void log.push(line) });
  const config = readConfig({
    PORT: '0',
    DATABASE_URL: database.url,
    ENCRYPTION_KEY: encryptionKey,
    BOOTSTRAP_CLIENT_ID: bootstrap.clientId,
    BOOTSTRAP_CLIENT_SECRET: bootstrap.clientSecret,
    BUDGET_PER_MINUTE: '6000000',
    BUDGET_BURST: '1000000',
    TOKEN_FAILURES_PER_MINUTE: '1000000',
    MAIL_PER_HOUR: '1000000',
    MAIL_PER_DAY: '1000000',
    MAIL_PER_ADDRESS_HOUR: '1000000',
    MAIL_PER_ADDRESS_DAY: '1000000',
    NODE_ENV: 'test',
    SHUTDOWN_GRACE_MS: '0',
    WORK_THREADS: '0',
    // No background jobs: tests run them explicitly.
    ROLE: 'api',
    // Tests compare all rows before and after a request; those of the log turn it on.
    REQUEST_LOG: 'off',
    ...settings,
  });
  const usual = { databaseTimeouts, metricsSharedMs: 0, watchMs: neverMs };
  const service = await startService(config, { clock, log: logger, ...usual, ...rest });
  const address = `http://127.0.0.1:${(service.server.app.server.address() as { port: number }).port}`;
  registerContext(address, service.context);
  const first = {
    workspaceId: service.firstApplication?.workspaceId,
    environment: 'production',
    ...bootstrap,
  } as FirstApplication;
  return {
    ...service,
    database,
    clock,
    log,
    first,
    admin: await Caller.withCredentials(address, bootstrap),
    async openWorkspace(environment = 'production') {
      const workspace = { id: service.context.ids.next(), name: 'Another workspace', environment };
      return Caller.withCredentials(address, await setUpWorkspace(service.context, workspace));
    },
    async enter(tenant) {
      const author = serviceAuthor(tenant);
      const created = await runInTransaction(service.context, author, (work) =>
        createApplication(work, { name: 'For a test', rights: ['read', 'write', 'admin'] }),
      );
      return Caller.withCredentials(address, {
        clientId: created.application.clientId,
        clientSecret: created.clientSecret,
      });
    },
    async stop() {
      await service.stop();
      forgetContext(address, service.context);
      if (options.database === undefined) await database.drop();
    },
  };
}

/** Starts one service for all tests of a file, and stops it after the last. */
export function serviceForThisFile(options: TestServiceOptions = {}): TestService {
  const sharedService = {} as TestService;
  beforeAll(async () => void Object.assign(sharedService, await startTestService(options)));
  afterAll(async () => {
    await sharedService.stop();
    forget(sharedService);
  });
  return sharedService;
}

/** The parts of a service that files can share. */
export type SharedService = Omit<TestService, 'stop' | 'log' | 'clock'> & { readonly clock: Clock };

let workerService: Promise<TestService> | undefined;

/**
 * A new workspace on the service that the files of this worker share: cheaper than a service of one's own, for files that neither look at all
 * workspaces together, nor run background work, nor move the clock.
 */
export function workspaceForThisFile(): SharedService {
  const file = {} as SharedService;
  beforeAll(async () => {
    workerService ??= startTestService({
      database: await makeDatabase(inject('templateDatabase'), inject('sharedPrefix')),
    });
    const { stop: _stop, log: _log, ...service } = await workerService;
    const { address } = service.admin;
    const first = await setUpWorkspace(service.context, {
      id: service.context.ids.next(),
      name: 'Workspace',
      environment: 'production',
    });
    Object.assign(file, service, { first, admin: await Caller.withCredentials(address, first) });
  });
  afterAll(() => forget(file));
  return file;
}

/** The worker keeps the module of a file that has ended, and with it whatever this refers to. */
function forget(service: object): void {
  for (const name of Object.keys(service)) Reflect.deleteProperty(service, name);
}

/** Starts a service that is stopped when the test ends. */
export async function serviceForThisTest(options: TestServiceOptions = {}): Promise<TestService> {
  const service = await startTestService(options);
  onTestFinished(() => service.stop());
  return service;
}
