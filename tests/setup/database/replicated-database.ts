// A primary with a standby that streams from it, each a PostgreSQL on a folder of its own. The standby's replay can be paused, which makes it
// lag for as long as a test wants.

import { execFile } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/store/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../../../src/store/postgres/migrate.ts';
import { makeDataFolder } from '../kit/memory-disk.ts';
import { poolOf } from './pools.ts';
import type { TestDatabase } from './test-database.ts';

const settings = { fsync: 'off', full_page_writes: 'off', autovacuum: 'off', jit: 'off', io_method: 'sync' };

function urlOf({ connection: { user, host, port, database } }: EmbeddedPostgres): string {
  return `postgresql://${user}@${encodeURIComponent(host)}:${port}/${database}`;
}

export class ReplicatedDatabase {
  readonly #folders: { readonly primary: string; readonly standby: string };
  readonly #primary: EmbeddedPostgres;
  #standby: EmbeddedPostgres;

  private constructor(
    folders: { primary: string; standby: string },
    primary: EmbeddedPostgres,
    standby: EmbeddedPostgres,
  ) {
    this.#folders = folders;
    this.#primary = primary;
    this.#standby = standby;
  }

  /** The standby begins as a copy of the primary's files. */
  static async start(): Promise<ReplicatedDatabase> {
    const folders = {
      primary: await makeDataFolder('holdfast-primary'),
      standby: await makeDataFolder('holdfast-standby'),
    };
    const startPrimary = (): Promise<EmbeddedPostgres> =>
      startEmbeddedPostgres({ dataDir: folders.primary, log: () => {}, settings });
    const empty = await startPrimary();
    await migrate({ connectionString: urlOf(empty) });
    await empty.stop();
    await promisify(execFile)('cp', ['-a', join(folders.primary, 'postgres'), folders.standby]);
    await writeFile(join(folders.standby, 'postgres', 'standby.signal'), '');
    const primary = await startPrimary();
    return new ReplicatedDatabase(folders, primary, await startStandby(folders.standby, primary));
  }

  get primary(): TestDatabase {
    return { url: urlOf(this.#primary), name: this.#primary.connection.database, drop: async () => {} };
  }

  get standbyUrl(): string {
    return urlOf(this.#standby);
  }

  /** Lets the standby lag from now on. */
  async pause(): Promise<void> {
    await this.#askStandby('SELECT pg_wal_replay_pause()');
    await this.#untilTrueOnStandby(`pg_get_wal_replay_pause_state() = 'paused'`);
  }

  async resume(): Promise<void> {
    await this.#askStandby('SELECT pg_wal_replay_resume()');
    await this.untilFollowed();
  }

  /** Waits until the standby has all that is committed. */
  async untilFollowed(): Promise<void> {
    const { rows } = await poolOf(this.primary.url).query('SELECT pg_current_wal_lsn()::text AS position');
    await this.#untilTrueOnStandby(`pg_last_wal_replay_lsn() >= '${rows[0].position}'`);
  }

  async #untilTrueOnStandby(condition: string): Promise<void> {
    const ask = async (): Promise<boolean> =>
      (await this.#askStandby(`SELECT ${condition} AS holds`))?.['holds'] === true;
    await vi.waitUntil(ask, { timeout: 120_000, interval: 20 });
  }

  async #askStandby(text: string): Promise<Record<string, unknown> | undefined> {
    return (await poolOf(this.standbyUrl).query(text)).rows[0];
  }

  async setOnStandby(name: string, value: string): Promise<void> {
    await this.#askStandby(`ALTER SYSTEM SET ${name} = '${value}'`);
    await this.#askStandby('SELECT pg_reload_conf()');
    await this.#untilTrueOnStandby(`current_setting('${name}') = '${value}'`);
  }

  /** Waits until a statement runs there. */
  async untilRunsOnStandby(text: string): Promise<void> {
    await this.#untilTrueOnStandby(
      `EXISTS (SELECT FROM pg_stat_activity WHERE state = 'active' AND query = '${text}')`,
    );
  }

  stopStandby(): Promise<void> {
    return this.#standby.stop();
  }

  async startStandby(): Promise<void> {
    this.#standby = await startStandby(this.#folders.standby, this.#primary);
  }

  /** Makes the standby a primary of its own. */
  async promote(): Promise<void> {
    await this.#askStandby('SELECT pg_promote()');
  }

  async stop(): Promise<void> {
    await Promise.all([this.#primary.stop(), this.#standby.stop()]);
    for (const folder of Object.values(this.#folders)) await rm(folder, { recursive: true, force: true });
  }
}

function startStandby(
  dataDir: string,
  { connection: { host, port, user } }: EmbeddedPostgres,
): Promise<EmbeddedPostgres> {
  const follow = { primary_conninfo: `host=${host} port=${port} user=${user}`, wal_retrieve_retry_interval: '100ms' };
  return startEmbeddedPostgres({ dataDir, log: () => {}, settings: { ...settings, ...follow } });
}
