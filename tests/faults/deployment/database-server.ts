// A PostgreSQL of its own on a folder of its own, whose process can be killed; it is started again like the service's embedded one.

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { defined } from '../../../src/kit/assert.ts';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../src/store/postgres/embedded/embedded-postgres.ts';
import { findPidFile } from '../../../src/store/postgres/embedded/running-server.ts';
import { makeDataFolder } from '../../setup/kit/memory-disk.ts';

interface ServerOptions {
  /** `memory`: on a memory disk, if there is one with room. */
  readonly disk: 'memory' | 'real';
  /** A folder that exists; otherwise one is made. */
  readonly dataDir?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

export class DatabaseServer {
  readonly #postgres: EmbeddedPostgres;
  readonly #dataDir: string;

  private constructor(postgres: EmbeddedPostgres, dataDir: string) {
    this.#postgres = postgres;
    this.#dataDir = dataDir;
  }

  static async start({ disk, dataDir, settings = {} }: ServerOptions): Promise<DatabaseServer> {
    const makeFolder = (): Promise<string> =>
      disk === 'memory' ? makeDataFolder('holdfast-faults') : mkdtemp(join(tmpdir(), 'holdfast-faults-'));
    const folder = dataDir ?? (await makeFolder());
    const connections = { max_connections: '200' };
    const postgres = await startEmbeddedPostgres({
      dataDir: folder,
      log: () => {},
      settings: { ...connections, ...settings },
    });
    return new DatabaseServer(postgres, folder);
  }

  urlOf(name: string): string {
    const { user, host, port } = this.#postgres.connection;
    return `postgresql://${user}@${encodeURIComponent(host)}:${port}/${name}`;
  }

  /** Creates an empty database and returns its address. */
  async createDatabase(): Promise<string> {
    const name = `faults_${randomBytes(5).toString('hex')}`;
    await runSql(this.urlOf('postgres'), `CREATE DATABASE ${name}`);
    return this.urlOf(name);
  }

  /** Kills the server's main process without notice. */
  async kill(): Promise<void> {
    const found = await findPidFile(join(this.#dataDir, 'postgres'));
    process.kill(defined(found, 'a running server has a pid file').pid, 'SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#postgres.stop();
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}

/** Runs statements one after the other on a connection of their own, and returns the rows of the last. */
export async function runSql(url: string, ...statements: readonly string[]): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    let rows: Record<string, unknown>[] = [];
    for (const statement of statements) ({ rows } = await client.query(statement));
    return rows;
  } finally {
    await client.end();
  }
}
