// Opens a house: the database, the clock, ids and keys, as the settings say. The listener has one, and each thread that works
// for it has its own.

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
 * A booking waits for a bulk body that books for the same client, which holds the client's lock until it commits: seconds for
 * 100,000 rows, longer on a busy machine. The wait for a lock is a part of the statement and must end before it.
 */
const timeoutsMs = { statement: 30_000, lock: 25_000 };
/** For a connection of the pool, new or free. */
const connectMs = 5_000;

/** How long a node waits for its database. */
export interface DatabaseTimeouts {
  readonly connectMs: number;
  readonly statementMs: number;
  readonly lockMs: number;
}

/**
 * PgBouncer refuses connections that bring timeouts: `unnamed` is for PgBouncer, and there each transaction sets them. What is
 * `given` replaces the usual ones.
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

export interface ContextParts {
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
    ledgerCache: makeLedgerMemory(config),
    roundWakeUps: new TenantWakeUps(),
    deliveryWakeUps: new TenantWakeUps(),
    eventRetentionMs: config.eventRetentionDays * dayMs,
    mailWakeUps: new TenantWakeUps(),
    mailLimits: config.mail.limits,
    allowsPrivateWebhooks: config.allowsPrivateWebhooks,
    addresses,
  };
}

/** Threads share what there is evenly. */
function makeLedgerMemory({ ledgerMemoryMb, workThreads }: Config): LedgerCache {
  return new LedgerCache({ bytesMax: (ledgerMemoryMb * 1024 * 1024) / Math.max(1, workThreads) });
}
