// The hierarchy of clients: locked while it changes, and moved as a whole subtree.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

const lockHierarchy = sql(
  'client-tree/lock',
  'SELECT FROM environment WHERE workspace_id = $1 AND environment = $2 FOR NO KEY UPDATE',
);

const findPath = sql<{ path: Id[] }>(
  'client-tree/path',
  'SELECT path FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3',
);

/** Two who add links pass each other; whoever replaces a set is alone. */
const lockLinks = {
  'to-add': sql(
    'client-tree/add-links',
    'SELECT FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR SHARE',
  ),
  'to-replace': sql(
    'client-tree/replace-links',
    'SELECT FROM client WHERE workspace_id = $1 AND environment = $2 AND id = $3 FOR NO KEY UPDATE',
  ),
};

/** $4 is the new path of the client itself; below it every path keeps what comes after the client. */
const moveSubtree = sql(
  'client-tree/move',
  `UPDATE client SET path = $4::text[] || path[array_position(path, $3) + 1 :],
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

  /** Lets one change of the hierarchy happen at a time, so that two moves together cannot close a circle. */
  async lock(): Promise<void> {
    await this.#run(lockHierarchy, [this.#scope.workspaceId, this.#scope.environment]);
  }

  /**
   * Before links between things of a client are written. A set is read, compared and replaced as a whole, and both of its ends
   * may be doing so.
   */
  lockLinks(clientId: Id, purpose: 'to-add' | 'to-replace'): void {
    this.#run.enqueue(lockLinks[purpose], [this.#scope.workspaceId, this.#scope.environment, clientId]);
  }

  /** The ids from the root down to the client. */
  async findPath(id: Id): Promise<readonly Id[] | undefined> {
    return (await this.#run(findPath, [this.#scope.workspaceId, this.#scope.environment, id])).rows[0]?.path;
  }

  async move(id: Id, path: readonly Id[]): Promise<void> {
    await this.#run(moveSubtree, [this.#scope.workspaceId, this.#scope.environment, id, path]);
  }
}
