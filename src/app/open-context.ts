// Opens a house: the database, the clock, ids and keys, as the settings say. The listener has one, and each thread that works
// for it has its own.

import type pg from 'pg';
import type { Addresses, House } from '../actions/core/context.ts';
import { TenantHints } from '../actions/core/tenant-wake-ups.ts';
import type { Config } from './config.ts';
import { getKeyring } from './encryption-key.ts';
import { dayMs, type Clock } from '../kit/clock.ts';
import { systemIdSource } from '../kit/id.ts';
import { Database, type DatabaseOptions } from '../store/postgres/database.ts';
import { LedgerMemory } from '../store/ledger/ledger-cache.ts';

const timeoutsMs = { statement: 30_000, lock: 10_000 };

/** PgBouncer refuses connections that bring timeouts; `unnamed` is how it is spoken to, and there each transaction sets them. */
export function connectionTo(config: Config, place: pg.PoolConfig): pg.PoolConfig {
  const timeouts = { statement_timeout: timeoutsMs.statement, lock_timeout: timeoutsMs.lock };
  return { ...place, application_name: 'holdfast', ...(config.databaseStatements === 'named' ? timeouts : {}) };
}

export interface HouseParts {
  readonly config: Config;
  readonly connection: pg.PoolConfig;
  readonly poolSize: number;
  readonly clock: Clock;
  readonly addresses: Addresses;
  readonly walls: DatabaseOptions['walls'] | undefined;
  onIdleError(error: Error): void;
}

export async function openHouse(parts: HouseParts): Promise<House> {
  const { config, connection, poolSize, clock, addresses, walls, onIdleError } = parts;
  const keyring = await getKeyring(config);
  const database = new Database({
    connection,
    poolSize,
    statements: config.databaseStatements,
    ...(config.databaseStatements === 'unnamed' ? { timeoutsMs } : {}),
    ...(walls ? { walls } : {}),
    onIdleError,
  });
  const { defaultCurrency, timeZone } = config;
  return {
    database,
    keyring,
    clock,
    ids: systemIdSource(clock),
    defaultCurrency,
    timeZone,
    memory: memoryOf(config),
    roundHints: new TenantHints(),
    deliveryHints: new TenantHints(),
    eventsKeptMs: config.eventRetentionDays * dayMs,
    mailHints: new TenantHints(),
    mailLimits: config.mail.limits,
    allowsPrivateWebhooks: config.allowsPrivateWebhooks,
    addresses,
  };
}

/** Threads share what there is evenly. */
function memoryOf({ ledgerMemoryMb, workThreads }: Config): LedgerMemory {
  return new LedgerMemory({ bytesMax: (ledgerMemoryMb * 1024 * 1024) / Math.max(1, workThreads) });
}
