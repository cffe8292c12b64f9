// The servers of a Citus cluster, as an attacker and an operator reach them: connections to each, and what is where.

import pg from 'pg';
import { withClient } from '../../../src/store/with-client.ts';

export interface ClusterServer {
  readonly name: string;
  readonly host: string;
  readonly port: number;
}

export interface PlacedWorkspace {
  readonly id: string;
  readonly server: string;
}

export class Cluster {
  /** The coordinator as the owner of the database, and as a superuser. */
  readonly url: string;
  readonly #superuserUrl: string;

  constructor(url: string, superuserUrl: string) {
    this.url = url;
    this.#superuserUrl = superuserUrl;
  }

  ask<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return withClient({ connectionString: this.#superuserUrl }, async (client) => {
      return (await client.query<Row>(text, [...values])).rows;
    });
  }

  /** Runs on one server, as its superuser or as the owner. */
  on<T>(server: ClusterServer, as: 'superuser' | 'owner', task: (client: pg.Client) => Promise<T>): Promise<T> {
    const url = new URL(as === 'owner' ? this.url : this.#superuserUrl);
    url.hostname = server.host;
    url.port = String(server.port);
    return withClient({ connectionString: url.href }, task);
  }

  async listWorkers(): Promise<readonly ClusterServer[]> {
    const rows = await this.ask<{ host: string; port: number }>(
      `SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE shouldhaveshards AND noderole = 'primary' ORDER BY nodeid`,
    );
    return rows.map(({ host, port }) => ({ host, port, name: `${host}:${port}` }));
  }

  async placeOf(workspace: string): Promise<{ readonly shard: string; readonly server: string }> {
    const [row] = await this.ask<{ shard: string; server: string }>(
      `SELECT p.shardid::text AS shard, n.nodename || ':' || n.nodeport AS server FROM pg_dist_placement p
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
       WHERE p.shardid = get_shard_id_for_distribution_column('workspace', $1::text)`,
      [workspace],
    );
    if (row === undefined) throw new Error(`The workspace ${workspace} is on no server.`);
    return row;
  }

  /** The parts of the table of workspaces that a server holds. */
  async shardsAt({ host, port }: ClusterServer): Promise<readonly string[]> {
    const rows = await this.ask<{ shard: string }>(
      `SELECT p.shardid::text AS shard FROM pg_dist_placement p JOIN pg_dist_shard s USING (shardid)
       JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
       WHERE s.logicalrelid = 'workspace'::regclass AND n.nodename = $1 AND n.nodeport = $2 ORDER BY p.shardid`,
      [host, port],
    );
    return rows.map(({ shard }) => shard);
  }

  async move(shard: string, from: ClusterServer, to: ClusterServer): Promise<void> {
    await this.ask(
      `SELECT citus_move_shard_placement($1::bigint, $2, $3::int, $4, $5::int, shard_transfer_mode := 'block_writes')`,
      [shard, from.host, from.port, to.host, to.port],
    );
  }

  /**
   * An empty database of the owner on the coordinator's server, which Citus spreads nothing of. It has the extension: without it, nodes refuse a
   * server on which the roles of requests log in.
   */
  async makePlainDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
    const url = new URL(this.url);
    url.pathname = `/holdfast_plain_${process.pid}`;
    const name = pg.escapeIdentifier(url.pathname.slice(1));
    const maintenance = new URL(this.#superuserUrl);
    const run = (text: string, path = '/postgres'): Promise<unknown> => {
      maintenance.pathname = path;
      return withClient({ connectionString: maintenance.href }, (client) => client.query(text));
    };
    await run(`CREATE DATABASE ${name} OWNER ${pg.escapeIdentifier(decodeURIComponent(url.username))}`);
    await run('CREATE EXTENSION citus', url.pathname);
    return { url: url.href, drop: async () => void (await run(`DROP DATABASE ${name} WITH (FORCE)`)) };
  }

  /** A server as if it had died: it lets nobody in, and ends who is there. Returns what lets it live again. */
  async stop(server: ClusterServer): Promise<() => Promise<void>> {
    const database = new URL(this.url).pathname.slice(1);
    const name = pg.escapeIdentifier(database);
    const allow = (isAllowed: boolean): Promise<unknown> => {
      const url = new URL(this.#superuserUrl);
      [url.hostname, url.port, url.pathname] = [server.host, String(server.port), '/postgres'];
      return withClient({ connectionString: url.href }, async (client) => {
        await client.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS ${isAllowed}`);
        if (!isAllowed)
          await client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1', [database]);
      });
    };
    await allow(false);
    return async () => void (await allow(true));
  }
}
