// A database of its own for a benchmark, and the settings with which nodes use it without being limited.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Keyring } from '../src/signing/keyring.ts';
import { startEmbeddedPostgres } from '../src/store/postgres/embedded/embedded-postgres.ts';

export interface BenchDatabase {
  readonly dataDir: string;
  readonly settings: {
    readonly PORT: string;
    readonly BASE_URL: string;
    readonly DATABASE_URL: string;
    readonly ENCRYPTION_KEY: string;
    readonly BUDGET_PER_MINUTE: string;
    readonly BUDGET_BURST: string;
  };
  /** Stops the database and removes it. */
  remove(): Promise<void>;
}

export async function startBenchDatabase(): Promise<BenchDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: () => {} });
  const { user, host, port, database } = postgres.connection;
  return {
    dataDir,
    settings: {
      PORT: '0',
      // The same for all processes, so that a token is valid at each of them.
      BASE_URL: 'http://bench.test',
      DATABASE_URL: `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`,
      ENCRYPTION_KEY: Keyring.generate(),
      BUDGET_PER_MINUTE: '100000000',
      BUDGET_BURST: '100000000',
    },
    async remove() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
