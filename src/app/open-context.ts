// Opens the application context from the settings: database, clock, ids, keys. The main thread has one, and so has each worker thread.

import { isMainThread } from 'node:worker_threads';
import type pg from 'pg';
import type { Addresses, AppContext } from '../actions/core/context.ts';
import { AssertionsInMemory } from '../actions/access/assertions-in-memory.ts';
import { SessionsInMemory } from '../actions/access/sessions-in-memory.ts';
import { TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import { WakeUpAnnouncer } from '../actions/core/wake-up-announcer.ts';
import type { Config } from './config.ts';
import { getKeyring } from './encryption-key.ts';
import type { Clock } from '../kit/clock.ts';
import { makeConnectors } from './make-connectors.ts';
import { FairTurns } from '../kit/turns/fair-turns.ts';
import { systemIdSource } from '../kit/id.ts';
import { Database, type DatabaseOptions } from '../store/postgres/database.ts';
import { Replica } from '../store/replica.ts';
import { Stores } from '../store/stores.ts';
import { eventRenderers } from '../surfaces/v1/events/event.ts';
import { openTracer } from './tracing/open-tracer.ts';
import { logShipping } from './shipping-settings.ts';
import { ledgerBytesMax } from './thread-counts.ts';
import { KeyedSums } from '../kit/memory/keyed-sums.ts';
import { otherWorkspaces } from './metrics/noisy-workspaces.ts';
import { LedgerCache } from '../store/ledger/ledger-cache.ts';
import { OperatorMode } from '../model/operations/operator-mode.ts';
import { normalMode } from '../model/operations/service-mode.ts';
import { makeNodeFigures, type NodeFigures } from '../model/operations/node-figures.ts';

/** How long a node waits for the database. */
export interface DatabaseTimeouts {
  /** For a connection of the pool, new or free. */
  readonly connectMs: number;
  /** For the server to finish a statement, its waits for locks included. */
  readonly statementMs: number;
  readonly lockMs: number;
  /** For any sign of a server that answers a batch; the connection is then ended. Above the server's own timeouts. */
  readonly answerMs: number;
  /** Between two statements of a transaction that writes; its locks are then released. */
  readonly writeGapMs: number;
  /** Between two statements of a snapshot, which locks nothing. */
  readonly snapshotGapMs: number;
  /** For an answer that readiness depends on. */
  readonly readinessMs: number;
  /** For a connection to the replica and for any sign of it: the primary is asked then. */
  readonly replicaMs: number;
}

// A booking waits for a bulk body of the same client, which holds the client's lock until it commits: seconds for 100,000 rows, longer
// on a busy machine. Between two statements such a body reads at most one piece; a report may wait there while its thread computes another.
/** How long a node waits for the database. */
export const usualTimeouts: DatabaseTimeouts = {
  connectMs: 5_000,
  statementMs: 30_000,
  lockMs: 25_000,
  answerMs: 33_000,
  writeGapMs: 10_000,
  snapshotGapMs: 120_000,
  readinessMs: 2_000,
  replicaMs: 5_000,
};
/** When nothing has been sent for this long, the network is asked whether the connection is still there. */
const keepAliveMs = 10_000;

/**
 * With `unnamed` statements, which are for PgBouncer, each transaction sets the timeouts: PgBouncer refuses them as connection
 * parameters. `given` replaces the usual timeouts.
 */
export function connectionConfig(
  config: Pick<Config, 'databaseStatements'>,
  address: pg.PoolConfig,
  given?: DatabaseTimeouts,
): pg.PoolConfig {
  const { statementMs, lockMs } = given ?? usualTimeouts;
  return {
    ...address,
    application_name: 'holdfast',
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    ...(config.databaseStatements === 'named' ? { statement_timeout: statementMs, lock_timeout: lockMs } : {}),
  };
}

interface ContextParts {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  /** The replica that reports are loaded from; undefined for none. */
  readonly replica?: pg.PoolConfig | undefined;
  /** Replaces the usual timeouts. */
  readonly timeouts: DatabaseTimeouts | undefined;
  readonly clock: Clock;
  readonly addresses: Addresses;
  readonly tenantFilters: DatabaseOptions['tenantFilters'] | undefined;
  /** Whether suspended workspaces are entered, too. */
  readonly workspaces?: NonNullable<DatabaseOptions['workspaces']>;
  /** A command of the operator works in any mode. */
  readonly modes?: 'followed' | 'ignored';
  /** The memory of the operator's mode, where the main thread has made it. */
  readonly modeMemory?: SharedArrayBuffer;
  /** The memory of this thread's figures, where the main thread has made it. */
  readonly figuresMemory?: SharedArrayBuffer;
  onIdleError(error: Error): void;
}

/** Workspaces whose time at the database is summed before somebody asks. */
const usersMax = 10_000;

export async function openContext(parts: ContextParts): Promise<AppContext> {
  const { config, clock, addresses } = parts;
  const keyring = await getKeyring(config);
  const { defaultCurrency, timeZone } = config;
  const figures = makeNodeFigures(parts.figuresMemory);
  const databaseUse = new KeyedSums({ keysMax: usersMax, restKey: otherWorkspaces });
  const operatorMode = new OperatorMode(parts.modes === 'ignored' ? normalMode : config.mode, parts.modeMemory);
  const primary = new Database({
    ...databaseOptions(parts),
    figures,
    onUse: (owner, ms) => databaseUse.add(owner, ms),
    refuseChanges: () => operatorMode.refusal(clock.now()),
  });
  const stores = new Stores(primary, openReplica(parts, { primary, figures }));
  const ids = systemIdSource(clock);
  return {
    stores,
    keyring,
    clock,
    ids,
    defaultCurrency,
    timeZone,
    ledgerCache: makeLedgerCache(config, figures),
    figures,
    databaseUse,
    tracer: await openTracer(config.traces),
    turns: new FairTurns(),
    roundWakeUps: new TenantWakeUps(),
    deliveryWakeUps: new TenantWakeUps(),
    logShipping: logShipping(config.shipping),
    mailWakeUps: new TenantWakeUps(),
    wakeUpAnnouncer: makeAnnouncer(config, stores, ids.next()),
    mailLimits: config.mail.limits,
    workspaceSettings: config.workspaceSettings,
    settingFloors: config.settingFloors,
    allowsPrivateWebhooks: config.allowsPrivateWebhooks,
    addresses,
    assertionsInMemory: new AssertionsInMemory(),
    sessionsInMemory: new SessionsInMemory(),
    operatorMode,
    connectors: makeConnectors(parts),
    accountRenderer: eventRenderers,
  };
}

/** Messages do not pass poolers that need unnamed statements. */
function makeAnnouncer({ databaseStatements }: Config, stores: Stores, node: string): WakeUpAnnouncer {
  const send = (messages: readonly string[]): Promise<void> =>
    databaseStatements === 'unnamed' ? Promise.resolve() : stores.sendMessages(messages);
  return new WakeUpAnnouncer({ node, send });
}

/**
 * How many of a node's connections one workspace may hold, in all its environments: requests, jobs and pages together. The rest is
 * always left for others.
 */
export function workspaceShare(poolSize: number): number {
  return Math.max(1, Math.floor(poolSize / 2));
}

function databaseOptions(parts: ContextParts): DatabaseOptions {
  const { config, connection, poolSize, timeouts = usualTimeouts, tenantFilters, workspaces, onIdleError } = parts;
  const { connectMs, statementMs, lockMs, answerMs, writeGapMs, snapshotGapMs } = timeouts;
  const isUnnamed = config.databaseStatements === 'unnamed';
  return {
    connection: { ...connection, connectionTimeoutMillis: connectMs },
    poolSize,
    statements: config.databaseStatements,
    passesCoordinator: config.databaseRoute === 'coordinator',
    answerMs,
    gapsMs: { write: writeGapMs, snapshot: snapshotGapMs },
    ownerShare: { connections: workspaceShare(poolSize), waitMs: statementMs },
    ...(isUnnamed ? { timeoutsMs: { statement: statementMs, lock: lockMs } } : {}),
    ...(tenantFilters ? { tenantFilters } : {}),
    ...(workspaces ? { workspaces } : {}),
    onIdleError,
  };
}

/** What a thread opens to the replica. A workspace may use half of them. */
export const replicaPoolSize = 4;

/** Its connections are not among those that are measured, and its errors are counted as what became of the reports. */
function openReplica(
  parts: ContextParts,
  { primary, figures }: { readonly primary: Database; readonly figures: NodeFigures },
): Replica | undefined {
  const { replica, timeouts = usualTimeouts, clock } = parts;
  if (replica === undefined) return undefined;
  const { replicaMs } = timeouts;
  const shorter = { ...timeouts, connectMs: replicaMs, answerMs: replicaMs };
  const options = databaseOptions({ ...parts, connection: replica, poolSize: replicaPoolSize, timeouts: shorter });
  const share = { connections: workspaceShare(replicaPoolSize), waitMs: replicaMs };
  const database = new Database({ ...options, ownerShare: share, retriesConflicts: false, onIdleError: () => {} });
  return new Replica({ database, primary, clock, figures });
}

function makeLedgerCache(config: Config, figures: NodeFigures): LedgerCache {
  return new LedgerCache({ bytesMax: ledgerBytesMax(config, isMainThread ? 'main' : 'work'), figures });
}
