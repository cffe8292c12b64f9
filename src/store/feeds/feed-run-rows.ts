// What runs of feeds show besides their own columns: what became of the rows they brought, and when the next run is due.

import type { Id } from '../../kit/id.ts';
import type { FeedProblem } from '../../model/custody/feed-run.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

interface ImportCounts {
  readonly rows: number;
  readonly booked: number;
  readonly amended: number;
  readonly unchanged: number;
  readonly refused: number;
  readonly needs: number;
}

const ofRuns = 'r.workspace_id = $1 AND r.environment = $2 AND r.id = ANY ($3::text[])';
const ofImport = 'i.workspace_id = $1 AND i.environment = $2';

const listCounts = sql<ImportCounts & { run: Id }>(
  'feed-runs/counts',
  `SELECT r.id AS run, sum(i.row_count)::int AS rows, sum(i.booked_count)::int AS booked, sum(i.amended_count)::int AS amended,
     sum(i.unchanged_count)::int AS unchanged, sum(i.refused_count)::int AS refused, sum(i.needs_count)::int AS needs
   FROM feed_run r JOIN import i ON ${ofImport} AND i.id = ANY (r.imports) WHERE ${ofRuns} GROUP BY r.id`,
);

const listProblems = sql<FeedProblem & { run: Id }>(
  'feed-runs/problems',
  `SELECT r.id AS run, p.* FROM feed_run r CROSS JOIN LATERAL (
     SELECT i.import_id AS "importId", i.number, i.outcome, i.needs, i.code, i.detail FROM import_row i
     WHERE ${ofImport} AND i.import_id = ANY (r.imports) AND i.outcome IN ('refused', 'needs') AND i.undo IS NULL
     ORDER BY i.import_id, i.number LIMIT $4) p
   WHERE ${ofRuns} ORDER BY r.id, p."importId", p.number`,
);

const listNext = sql<{ authority: Id; at: number }>(
  'feed-runs/next',
  `SELECT r.authority_id AS authority, r.due_at AS at FROM feed_run r
   WHERE r.workspace_id = $1 AND r.environment = $2 AND r.authority_id = ANY ($3::text[]) AND r.state = 'waiting'`,
);

const findAuthority = sql<{ authority: Id }>(
  'feed-runs/authority-of-import',
  `SELECT r.authority_id AS authority FROM feed_run r
   WHERE r.workspace_id = $1 AND r.environment = $2 AND r.client_id = $3 AND $4 = ANY (r.imports) LIMIT 1`,
);

const forgetImport = sql(
  'feed-runs/forget-import',
  `UPDATE feed_run r SET imports = array_remove(r.imports, $4)
   WHERE r.workspace_id = $1 AND r.environment = $2 AND r.client_id = $3 AND $4 = ANY (r.imports)`,
);

export class FeedRunRows {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** What became of the rows of each run, as its imports are now. */
  async listCounts(runs: readonly Id[]): Promise<ReadonlyMap<Id, ImportCounts>> {
    const { rows } = await this.#run(listCounts, [...this.#tenant, runs]);
    return new Map(rows.map(({ run, ...counts }) => [run, counts]));
  }

  /** The first rows of each run that are refused or wait for something. */
  async listProblems(runs: readonly Id[], limit: number): Promise<ReadonlyMap<Id, readonly FeedProblem[]>> {
    const { rows } = await this.#run(listProblems, [...this.#tenant, runs, limit]);
    const grouped = Map.groupBy(rows, ({ run }) => run);
    return new Map([...grouped].map(([run, group]) => [run, group.map(({ run: _run, ...problem }) => problem)]));
  }

  /** When the open run of each authority is due, if it waits. */
  async listNext(authorities: readonly Id[]): Promise<ReadonlyMap<Id, number>> {
    const { rows } = await this.#run(listNext, [...this.#tenant, authorities]);
    return new Map(rows.map(({ authority, at }) => [authority, at]));
  }

  /** The authority whose feed brought an import; null if a person did. */
  async findAuthority({ id, client }: { readonly id: Id; readonly client: Id | null }): Promise<Id | null> {
    const { rows } = await this.#run(findAuthority, [...this.#tenant, client, id]);
    return rows[0]?.authority ?? null;
  }

  /** Takes a deleted import from the run that brought it. */
  async forgetImport({ id, client }: { readonly id: Id; readonly client: Id }): Promise<void> {
    await this.#run(forgetImport, [...this.#tenant, client, id]);
  }
}
