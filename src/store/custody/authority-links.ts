// The accounts and depositories that authorities cover: linked, unlinked and looked up. Callers lock the authority first.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoized } from '../postgres/statement.ts';

export type CoveredType = 'account' | 'depository';

interface Link {
  readonly authority: Id;
  readonly covered: Id;
}

export class AuthorityLinks {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  /** The links of these records, whichever authority has them. */
  async list(type: CoveredType, ids: readonly Id[]): Promise<readonly Link[]> {
    const statement = memoized<Link>(
      `authority-links/${type}/of`,
      () => `SELECT l.authority_id AS authority, l.${type}_id AS covered FROM authority_${type} l
        WHERE l.workspace_id = $1 AND l.environment = $2 AND l.${type}_id = ANY ($3::text[]) ORDER BY covered`,
    );
    return (await this.#run(statement, [...this.#tenant, ids])).rows;
  }

  /** What an authority covers, in the order of ids. */
  async listCovered(type: CoveredType, authorityId: Id): Promise<readonly Id[]> {
    const statement = memoized<{ covered: Id }>(
      `authority-links/${type}/covered`,
      () => `SELECT l.${type}_id AS covered FROM authority_${type} l
        WHERE l.workspace_id = $1 AND l.environment = $2 AND l.authority_id = $3 ORDER BY covered`,
    );
    return (await this.#run(statement, [...this.#tenant, authorityId])).rows.map(({ covered }) => covered);
  }

  add(type: CoveredType, authority: { readonly id: Id; readonly client: Id }, ids: readonly Id[]): void {
    const statement = memoized(
      `authority-links/${type}/add`,
      () => `INSERT INTO authority_${type} (workspace_id, environment, client_id, authority_id, ${type}_id)
        SELECT $1, $2, $3, $4, covered FROM unnest($5::text[]) covered ORDER BY covered RETURNING 1`,
    );
    this.#run.enqueue(statement, [...this.#tenant, authority.client, authority.id, ids]);
  }

  remove(type: CoveredType, authorityId: Id, ids: readonly Id[]): void {
    const statement = memoized(
      `authority-links/${type}/remove`,
      () => `DELETE FROM authority_${type} l
        WHERE l.workspace_id = $1 AND l.environment = $2 AND l.authority_id = $3 AND l.${type}_id = ANY ($4::text[])`,
    );
    this.#run.enqueue(statement, [...this.#tenant, authorityId, ids]);
  }
}
