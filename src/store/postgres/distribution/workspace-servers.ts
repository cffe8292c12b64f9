// Finds the server that holds a workspace, where Citus spreads workspaces over several, and what its tables are called there: a node connects to
// it and asks them, instead of passing every statement through the coordinator. A part that has moved since says so to who asks for it there.

import { LRUCache } from 'lru-cache';
import { defined } from '../../../kit/assert.ts';
import type { Outcome, Statement, Value } from '../statement.ts';
import { sql } from '../statement.ts';
import { WorkspacePart } from './workspace-part.ts';

export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

interface ServerRow extends ServerAddress {
  readonly isCoordinator: boolean;
}

interface PlacementRow extends ServerRow {
  readonly shard: string;
}

const findPlacement = sql<PlacementRow>(
  'distribution/placement',
  `SELECT n.nodename AS host, n.nodeport AS port, n.groupid = 0 AS "isCoordinator", p.shardid::text AS shard
   FROM pg_dist_placement p JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE p.shardid = get_shard_id_for_distribution_column('workspace', $1::text) AND p.shardstate = 1
   ORDER BY n.nodeid LIMIT 1`,
);

/** The tables of which a shard of the workspaces has a part, and what each part is called. */
const listNames = sql<{ name: string; part: string }>(
  'distribution/names',
  `SELECT c.relname AS name, shard_name(s.logicalrelid, s.shardid) AS part
   FROM pg_dist_shard w JOIN pg_dist_partition d ON d.logicalrelid = w.logicalrelid
   JOIN pg_dist_partition p ON p.colocationid = d.colocationid AND p.partmethod = 'h'
   JOIN pg_dist_shard s ON s.logicalrelid = p.logicalrelid AND s.shardminvalue = w.shardminvalue
   JOIN pg_class c ON c.oid = s.logicalrelid WHERE w.shardid = $1::bigint`,
);

/** Another one as soon as a shard of the workspaces is moved or split. */
const readPlacements = sql<{ digest: string | null }>(
  'distribution/placements',
  `SELECT md5(string_agg(concat_ws(' ', s.shardid, s.shardminvalue, n.nodename, n.nodeport), ',' ORDER BY s.shardid, n.nodeid)) AS digest
   FROM pg_dist_shard s JOIN pg_dist_placement p USING (shardid)
   JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
   WHERE s.logicalrelid = 'workspace'::regclass`,
);

interface ShardRow extends ServerRow {
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

/** Where a workspace is. */
export interface PlacedWorkspace {
  /** Undefined for the coordinator itself. */
  readonly address: ServerAddress | undefined;
  readonly part: WorkspacePart;
}

export class WorkspaceServers {
  readonly #ask: AskCoordinator;
  readonly #servers = new LRUCache<string, PlacedWorkspace>({ max: rememberedMax });
  /** By their shards. */
  readonly #workspaceParts = new Map<string, Promise<WorkspacePart>>();
  #parts: readonly ServerPart[] | undefined;
  #partsAt = -Infinity;
  #digest: string | null | undefined;
  #checkedAt = -Infinity;

  constructor(ask: AskCoordinator) {
    this.#ask = ask;
  }

  async find(workspaceId: string): Promise<PlacedWorkspace> {
    if (performance.now() - this.#checkedAt > checkedMs) void this.#check();
    const known = this.#servers.get(workspaceId);
    if (known !== undefined) return known;
    const { rows } = await this.#ask(findPlacement, [workspaceId]);
    const { host, port, isCoordinator, shard } = defined(rows[0], 'each workspace has a place');
    const part = await this.#workspaceParts.getOrInsertComputed(shard, () => this.#openPart(shard));
    const placed = { address: isCoordinator ? undefined : { host, port }, part };
    this.#servers.set(workspaceId, placed);
    return placed;
  }

  /** The workspace is no longer where it was found. */
  forget(workspaceId: string): void {
    this.#servers.delete(workspaceId);
  }

  async #openPart(shard: string): Promise<WorkspacePart> {
    try {
      const { rows } = await this.#ask(listNames, [shard]);
      return new WorkspacePart(shard, new Map(rows.map(({ name, part }) => [name, part])));
    } catch (error) {
      this.#workspaceParts.delete(shard);
      throw error;
    }
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
      if (this.#digest !== undefined && this.#digest !== digest) {
        this.#servers.clear();
        this.#workspaceParts.clear();
      }
      this.#digest = digest;
    } catch {
      // The next find asks again.
    }
  }
}
