// The servers that a test's database is on, and the parts of its tables on each: one server with the tables themselves, or several where Citus
// spreads them. What a test locks, it locks in every part; through the coordinator, rows can be locked within one workspace only.

import pg from 'pg';
import { inject } from 'vitest';
import { renameTables } from '../../../src/store/postgres/distribution/renamed-tables.ts';
import { databaseUrlOn } from './global-setup.ts';
import { poolOf } from './pools.ts';
import type { TestDatabase } from './test-database.ts';

type Named = Pick<TestDatabase, 'url'>;

/** The addresses of the database on all servers that it is on. */
export function serversOf({ url }: Named): readonly string[] {
  const servers = inject('databaseServers');
  if (servers.length === 1) return [url];
  const name = new URL(url).pathname.slice(1);
  return servers.map((server) => databaseUrlOn(server, name));
}

/** The rows of all servers, for what each server says of itself. */
export async function runOnServers<Row extends object>(database: Named, text: string): Promise<Row[]> {
  const found = await Promise.all(serversOf(database).map((url) => poolOf(url).query<Row>(text)));
  return found.flatMap(({ rows }) => rows);
}

const listParts = `SELECT jsonb_object_agg(c.relname, shard_name(s.logicalrelid, s.shardid)) AS names
  FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid) JOIN pg_dist_local_group g USING (groupid)
  JOIN pg_class c ON c.oid = s.logicalrelid WHERE s.shardminvalue IS NOT NULL GROUP BY s.shardminvalue`;

/** One that a statement is written for. */
interface Part {
  readonly url: string;
  readonly names: ReadonlyMap<string, string>;
}

async function partsOf(database: Named): Promise<readonly Part[]> {
  const servers = serversOf(database);
  if (servers.length === 1) return servers.map((url) => ({ url, names: new Map() }));
  const found = await Promise.all(
    servers.map(async (url) => {
      const { rows } = await poolOf(url).query<{ names: Readonly<Record<string, string>> }>(listParts);
      return rows.map(({ names }) => ({ url, names: new Map(Object.entries(names)) }));
    }),
  );
  return found.flat();
}

function textFor(text: string, names: Part['names']): string {
  const [, table] = /^LOCK TABLE (\w+)/.exec(text) ?? [];
  const part = table === undefined ? undefined : names.get(table);
  return part === undefined
    ? (renameTables(text, names) ?? text)
    : text.replace(`LOCK TABLE ${table}`, `LOCK TABLE ${part}`);
}

/** The rows of all parts, for what the coordinator cannot be asked. */
export async function runInParts<Row extends object>(
  database: Named,
  text: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { url, names } of await partsOf(database))
    rows.push(...(await poolOf(url).query<Row>(textFor(text, names), [...values])).rows);
  return rows;
}

/** A transaction that holds locks until it is released. */
export class LockHolder {
  readonly #clients: ReadonlyMap<string, pg.Client>;
  readonly #parts: readonly Part[];

  private constructor(clients: ReadonlyMap<string, pg.Client>, parts: readonly Part[]) {
    this.#clients = clients;
    this.#parts = parts;
  }

  static async open(database: Named): Promise<LockHolder> {
    const parts = await partsOf(database);
    const clients = new Map(
      [...new Set(parts.map(({ url }) => url))].map((url) => [url, new pg.Client({ connectionString: url })]),
    );
    for (const client of clients.values()) {
      await client.connect();
      client.on('error', () => {}); // a database that is dropped ends its connections
      await client.query('BEGIN');
      if (clients.size > 1) await client.query('SET LOCAL citus.enable_manual_changes_to_shards = on');
    }
    return new LockHolder(clients, parts);
  }

  /** Runs one statement in every part. */
  async query(text: string, values: readonly unknown[] = []): Promise<void> {
    for (const { url, names } of this.#parts) await this.#clients.get(url)?.query(textFor(text, names), [...values]);
  }

  /** Commits, so that others go on. */
  async release(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.query('COMMIT').then(() => client.end())));
  }
}
