// Opens the application context from the settings: database, clock, ids, keys. The main thread has one, and so has each worker thread.

import type pg from 'pg';
import type { Addresses, AppContext } from '../actions/core/context.ts';
import { TenantWakeUps } from '../actions/core/tenant-wake-ups.ts';
import type { Config } from './config.ts';
import { getKeyring } from './encryption-key.ts';
import { dayMs, type Clock } from '../kit/clock.ts';
import { systemIdSource } from '../kit/id.ts';
import { Database, type DatabaseOptions } from '../store/postgres/database.ts';
import { Stores } from '../store/stores.ts';
import { LedgerCache } from '../store/ledger/ledger-cache.ts';

/**
 * A booking waits for a bulk body of the same client, which holds the client's lock until it commits: seconds for 100,000 rows, longer
 * on a busy machine. The lock timeout is below the statement timeout, which includes the wait for the lock.
 */
const timeoutsMs = { statement: 30_000, lock: 25_000 };
/** For a connection of the pool, new or free. */
const connectMs = 5_000;

/** Replaces the usual timeouts of the database. */
export interface DatabaseTimeouts {
  readonly connectMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
}

/**
 * With `unnamed` statements, which are for PgBouncer, each transaction sets the timeouts: PgBouncer refuses them as connection
 * parameters. `given` replaces the usual timeouts.
 */
export function connectionConfig(config: Config, address: pg.PoolConfig, given?: DatabaseTimeouts): pg.PoolConfig {
  const timeouts = {
    statement_timeout: given?.statementMs ?? timeoutsMs.statement,
    lock_timeout: given?.lockMs ?? timeoutsMs.lock,
  };
  return {
    ...address,
    application_name: 'holdfast',
    ...(given === undefined ? {} : { connectionTimeoutMillis: given.connectMs }),
    ...(config.databaseStatements === 'named' ? timeouts : {}),
  };
}

interface ContextParts {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  readonly clock: Clock;
  readonly addresses: Addresses;
  readonly tenantFilters: DatabaseOptions['tenantFilters'] | undefined;
  onIdleError(error: Error): void;
}

export async function openContext(parts: ContextParts): Promise<AppContext> {
  const { config, connection, poolSize, clock, addresses, tenantFilters, onIdleError } = parts;
  const keyring = await getKeyring(config);
  const database = new Database({
    connection: { connectionTimeoutMillis: connectMs, ...connection },
    poolSize,
    statements: config.databaseStatements,
    ...(config.databaseStatements === 'unnamed' ? { timeoutsMs } : {}),
    ...(tenantFilters ? { tenantFilters } : {}),
    onIdleError,
  });
  const { defaultCurrency, timeZone } = config;
  return {
    stores: new Stores(database),
    keyring,
    clock,
    ids: systemIdSource(clock),
    defaultCurrency,
    timeZone,
    ledgerCache: makeLedgerCache(config),
    roundWakeUps: new TenantWakeUps(),
    deliveryWakeUps: new TenantWakeUps(),
    eventRetentionMs: config.eventRetentionDays * dayMs,
    mailWakeUps: new TenantWakeUps(),
    mailLimits: config.mail.limits,
    allowsPrivateWebhooks: config.allowsPrivateWebhooks,
    addresses,
  };
}

/** Divides the memory evenly among the threads. */
function makeLedgerCache({ ledgerMemoryMb, workThreads }: Config): LedgerCache {
  return new LedgerCache({ bytesMax: (ledgerMemoryMb * 1024 * 1024) / Math.max(1, workThreads) });
}
