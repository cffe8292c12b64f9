// The tree of instrument classes: locked while it changes, moved and renamed by whole subtrees, and created for a new environment.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql, withoutOutcome } from '../postgres/statement.ts';

const lockTree = sql(
  'class-tree/lock',
  'SELECT FROM environment WHERE workspace_id = $1 AND environment = $2 FOR NO KEY UPDATE',
);

const findLineage = sql<Lineage>(
  'class-tree/lineage',
  'SELECT lineage, path FROM instrument_class WHERE workspace_id = $1 AND environment = $2 AND id = $3',
);

/** A class with the types that it is the default class of, and whether it is a root class for cash. */
const listDefaults = sql<DefaultClass>(
  'class-tree/defaults',
  `SELECT id, default_for AS "defaultFor", parent_id IS NULL AND asset_class = 'cash' AS "isCashRoot" FROM instrument_class
   WHERE workspace_id = $1 AND environment = $2 AND (default_for <> '{}' OR parent_id IS NULL AND asset_class = 'cash')
   ORDER BY id`,
);

/** $4 and $5 are the new ids and names from the root to the class; classes below it keep the rest of theirs. */
const moveSubtree = sql(
  'class-tree/move',
  `UPDATE instrument_class SET
      path = $5::text[] || path[array_position(lineage, $3) + 1 :],
      lineage = $4::text[] || lineage[array_position(lineage, $3) + 1 :],
      parent_id = CASE WHEN id = $3 THEN ($4::text[])[cardinality($4::text[]) - 1] ELSE parent_id END,
      name = CASE WHEN id = $3 THEN ($5::text[])[cardinality($5::text[])] ELSE name END
   WHERE workspace_id = $1 AND environment = $2 AND lineage @> ARRAY[$3]`,
);

const markTaxonomyCreated = sql(
  'class-tree/mark',
  'UPDATE environment SET taxonomy_at = $3 WHERE workspace_id = $1 AND environment = $2 AND taxonomy_at IS NULL',
);

const insertDefaults = sql(
  'class-tree/lay-out',
  withoutOutcome(`INSERT INTO instrument_class (workspace_id, environment, id, parent_id, lineage, name, path, asset_class, liquidity,
      allowed_transaction_types, valuation_basis, performance_measure, staleness_days, default_for, created_at)
   SELECT $1, $2, id, parent_id, lineage, name, path, asset_class, liquidity, allowed_transaction_types, valuation_basis,
      performance_measure, staleness_days, default_for, $4
   FROM jsonb_to_recordset($3::jsonb) AS c (id text, parent_id text, lineage text[], name text, path text[],
      asset_class text, liquidity text, allowed_transaction_types text[], valuation_basis text, performance_measure text,
      staleness_days int, default_for text[])`),
);

/** The ids and names from the root down to the class itself. */
export interface Lineage {
  readonly lineage: readonly Id[];
  readonly path: readonly string[];
}

export interface DefaultClass {
  readonly id: Id;
  readonly defaultFor: readonly string[];
  readonly isCashRoot: boolean;
}

export class ClassTree {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Locks the tree so that two moves at the same time cannot form a cycle. Enqueued. */
  lock(): void {
    this.#run.enqueue(lockTree, [this.#scope.workspaceId, this.#scope.environment]);
  }

  async findLineage(id: Id): Promise<Lineage | undefined> {
    return (await this.#run(findLineage, [this.#scope.workspaceId, this.#scope.environment, id])).rows[0];
  }

  /** The default classes of types of instruments, and the root classes for cash, by id. */
  async listDefaults(): Promise<readonly DefaultClass[]> {
    return (await this.#run(listDefaults, [this.#scope.workspaceId, this.#scope.environment])).rows;
  }

  async move(id: Id, { lineage, path }: Lineage): Promise<void> {
    await this.#run(moveSubtree, [this.#scope.workspaceId, this.#scope.environment, id, lineage, path]);
  }

  /** Inserts these classes unless the environment has had its default classes before. */
  async insertDefaults(classes: readonly Readonly<Record<string, unknown>>[], at: number): Promise<void> {
    const tenant = [this.#scope.workspaceId, this.#scope.environment] as const;
    const marked = await this.#run(markTaxonomyCreated, [...tenant, new Date(at)]);
    if (marked.count === 0) return;
    await this.#run(insertDefaults, [...tenant, JSON.stringify(classes), new Date(at)]);
  }
}
