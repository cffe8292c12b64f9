// Finds the server that holds a workspace, where Citus spreads workspaces over several, so that a node connects to it instead of passing every
// statement through the coordinator. A server that has lost a workspace since still answers, by asking the one that has it: what is remembered
// decides how fast an answer is, never what it says.

import { LRUCache } from 'lru-cache';
import type { Outcome, Statement, Value } from '../statement.ts';
import { sql } from '../statement.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

interface PlacementRow extends ServerAddress {
  readonly isCoordinator: boolean;
}

const findPlacement = sql<PlacementRow>(
  'distribution/placement',
  `SELECT n.nodename AS host, n.nodeport AS port, n.groupid = 0 AS "isCoordinator"
   FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE p.shardid = get_shard_id_for_distribution_column('workspace', $1::text) AND p.shardstate = 1
   ORDER BY n.nodeid LIMIT 1`,
);

/** Another one as soon as a shard of the workspaces is moved or split. */
const readPlacements = sql<{ digest: string | null }>(
  'distribution/placements',
  `SELECT md5(string_agg(concat_ws(' ', s.shardid, s.shardminvalue, n.nodename, n.nodeport), ',' ORDER BY s.shardid, n.nodeid)) AS digest
   FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
   JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE s.logicalrelid = 'workspace'::regclass`,
);

interface ShardRow extends PlacementRow {
  readonly shards: readonly string[];
}

/** The parts of the table of workspaces, and where they are. */
const listShards = sql<ShardRow>(
  'distribution/shards',
  `SELECT n.nodename AS host, n.nodeport AS port, n.groupid = 0 AS "isCoordinator",
     array_agg(shard_name(s.logicalrelid, s.shardid) ORDER BY s.shardid) AS shards
   FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
   JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE s.logicalrelid = 'workspace'::regclass GROUP BY n.nodeid, n.nodename, n.nodeport, n.groupid ORDER BY n.nodeid`,
);

/** A server with a part of the workspaces. */
export interface ServerPart {
  /** Undefined for the coordinator itself. */
  readonly address: ServerAddress | undefined;
  /** How an operator names it. */
  readonly name: string;
  /** Lists the workspaces that it holds, when it runs there: it asks no other server. */
  readonly listWorkspaces: Statement<{ readonly id: string }>;
}

/** How many workspaces a node remembers the server of. */
const rememberedMax = 100_000;
/** How long a moved workspace may still be asked for where it was. */
const checkedMs = 2_000;

/** Runs a statement on the coordinator. */
export type AskCoordinator = <Row>(statement: Statement<Row>, values: readonly Value[]) => Promise<Outcome<Row>>;

export class WorkspaceServers {
  readonly #ask: AskCoordinator;
  readonly #servers = new LRUCache<string, { readonly address: ServerAddress | undefined }>({ max: rememberedMax });
  #parts: readonly ServerPart[] | undefined;
  #partsAt = -Infinity;
  #digest: string | null | undefined;
  #checkedAt = -Infinity;

  constructor(ask: AskCoordinator) {
    this.#ask = ask;
  }

  /** Undefined for the coordinator itself. */
  async find(workspaceId: string): Promise<ServerAddress | undefined> {
    if (performance.now() - this.#checkedAt > checkedMs) void this.#check();
    const known = this.#servers.get(workspaceId);
    if (known !== undefined) return known.address;
    const { rows } = await this.#ask(findPlacement, [workspaceId]);
    const [placement] = rows;
    const address =
      placement === undefined || placement.isCoordinator ? undefined : { host: placement.host, port: placement.port };
    this.#servers.set(workspaceId, { address });
    return address;
  }

  /** All servers that hold workspaces. What was found stays for the time in which moves are noticed. */
  async listParts(): Promise<readonly ServerPart[]> {
    const now = performance.now();
    if (this.#parts !== undefined && now - this.#partsAt < checkedMs) return this.#parts;
    const { rows } = await this.#ask(listShards, []);
    this.#partsAt = now;
    this.#parts = rows.map(({ host, port, isCoordinator, shards }) => ({
      address: isCoordinator ? undefined : { host, port },
      name: `${host}:${port}`,
      listWorkspaces: {
        name: '',
        text: shards.map((shard) => `SELECT workspace_id AS id FROM ${shard}`).join(' UNION ALL '),
      },
    }));
    return this.#parts;
  }

  /** While the coordinator is away, workspaces stay where they were. */
  async #check(): Promise<void> {
    this.#checkedAt = performance.now();
    try {
      const { rows } = await this.#ask(readPlacements, []);
      const digest = rows[0]?.digest;
      if (this.#digest !== undefined && this.#digest !== digest) this.#servers.clear();
      this.#digest = digest;
    } catch {
      // The next find asks again.
    }
  }
}
