// The hierarchy of clients: locked while it changes, and moved by whole subtrees.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Resource } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoized, sql, type Statement } from '../postgres/statement.ts';
import { ownerColumn } from './resource-sql.ts';

const lockHierarchy = sql(
  'client-tree/lock',
  'SELECT FROM environment WHERE workspace_id = $1 AND environment = $2 FOR NO KEY UPDATE',
);

const findPath = sql<{ path: Id[] }>(
  'client-tree/path',
  'SELECT path FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3',
);

/** Transactions that add links do not block each other; one that replaces a set excludes all others. */
const lockToReplaceLinks = sql(
  'client-tree/replace-links',
  'SELECT FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR NO KEY UPDATE',
);

/** The client of a record is locked before it is known which one it is. */
function lockToAddLinks(resource: Resource): Statement<unknown> {
  return memoized(
    `client-tree/add-links/${resource.type}`,
    () => `SELECT FROM client c WHERE c.workspace_id = $1 AND c.environment = $2
      AND c.id IN (SELECT ${ownerColumn(resource)} FROM ${resource.table} t
        WHERE t.workspace_id = $1 AND t.environment = $2 AND t.id = $3) FOR SHARE OF c`,
  );
}

/** Nodes remember which clients are below another one; a new number tells them to look again. Locks the hierarchy. */
const nextVersion = {
  creation: sql<{ version: number }>(
    'client-tree/next-version',
    `UPDATE environment SET tree_version = tree_version + 1 WHERE workspace_id = $1 AND environment = $2
     RETURNING tree_version AS version`,
  ),
  move: sql<{ version: number }>(
    'client-tree/next-version-of-move',
    `UPDATE environment SET tree_version = tree_version + 1, moved_version = tree_version + 1
     WHERE workspace_id = $1 AND environment = $2 RETURNING tree_version AS version`,
  ),
};

/** $4 is the new path of the client; clients below it keep the rest of theirs. */
const moveSubtree = sql(
  'client-tree/move',
  `UPDATE client SET path = $4::text[] || path[array_position(path, $3) + 1 :], tree_version = $5,
      parent_id = CASE WHEN id = $3 THEN ($4::text[])[cardinality($4::text[]) - 1] ELSE parent_id END
   WHERE workspace_id = $1 AND environment = $2 AND path @> ARRAY[$3]`,
);

export class ClientHierarchy {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Locks the hierarchy so that two moves at the same time cannot form a cycle. Enqueued. */
  lock(): void {
    this.#run.enqueue(lockHierarchy, [this.#scope.workspaceId, this.#scope.environment]);
  }

  /**
   * Locks the client before links between its records are replaced. A set of links is read, compared and replaced as a whole, and both
   * ends of a link may be doing so. Enqueued.
   */
  lockLinks(clientId: Id): void {
    this.#run.enqueue(lockToReplaceLinks, [this.#scope.workspaceId, this.#scope.environment, clientId]);
  }

  /** Locks the client of a record before another one with links is created below that record. Enqueued. */
  lockLinksBelow(resource: Resource, id: Id): void {
    this.#run.enqueue(lockToAddLinks(resource), [this.#scope.workspaceId, this.#scope.environment, id]);
  }

  /** The ids from the root down to the client. */
  async findPath(id: Id): Promise<readonly Id[] | undefined> {
    return (await this.#run(findPath, [this.#scope.workspaceId, this.#scope.environment, id])).rows[0]?.path;
  }

  /** The number of the next change of the hierarchy. */
  async #nextVersion(change: keyof typeof nextVersion): Promise<number> {
    const { rows } = await this.#run(nextVersion[change], [this.#scope.workspaceId, this.#scope.environment]);
    return defined(rows[0], 'the environment of a store exists').version;
  }

  /** Lets the rest of the transaction see a client that it creates. Returns the number of this change of the hierarchy. */
  async addClient(id: Id): Promise<number> {
    const [version] = await Promise.all([this.#nextVersion('creation'), this.#run.showClient(id)]);
    return version;
  }

  async move(id: Id, path: readonly Id[]): Promise<void> {
    await this.#run.moveClients(async () => {
      const version = await this.#nextVersion('move');
      await this.#run(moveSubtree, [this.#scope.workspaceId, this.#scope.environment, id, path, version]);
      return version;
    });
  }
}
