// Authorities that near their end: which warnings are due, which were given, and which have still to be mailed.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

/** An authority that ends within so many days, of which nobody has been warned yet. */
export interface DueWarning {
  readonly authority: Id;
  readonly days: number;
}

/** Of several warnings that are due at once, the last one counts, and the others are covered by it. */
const listDueWarnings = sql<DueWarning>(
  'authority-ends/due',
  `SELECT a.id AS authority, min(d.days) AS days FROM authority a
   JOIN custodian c ON c.workspace_id = $1 AND c.environment = $2 AND c.id = a.custodian_id,
   unnest(c.expiry_warning_days) d(days)
   WHERE a.workspace_id = $1 AND a.environment = $2 AND a.state = 'active' AND a.expires_at > $3
     AND a.expires_at <= $3 + make_interval(hours => 24 * d.days)
     AND NOT EXISTS (SELECT FROM authority_warning w WHERE w.workspace_id = $1 AND w.environment = $2
       AND w.authority_id = a.id AND w.expires_at = a.expires_at AND w.days <= d.days)
   GROUP BY a.id ORDER BY a.id LIMIT $4`,
);
const addWarning = sql(
  'authority-ends/warn',
  `INSERT INTO authority_warning (workspace_id, environment, authority_id, expires_at, days, client_id, emitted_at)
   SELECT a.workspace_id, a.environment, a.id, a.expires_at, $4, a.client_id, $5 FROM authority a
   WHERE a.workspace_id = $1 AND a.environment = $2 AND a.id = $3 AND a.state = 'active' AND a.expires_at > $5
     AND a.expires_at <= $5 + make_interval(hours => 24 * $4::int)
   ON CONFLICT DO NOTHING`,
);
const listEnded = sql<{ id: Id }>(
  'authority-ends/ended',
  `SELECT a.id FROM authority a WHERE a.workspace_id = $1 AND a.environment = $2 AND a.state = 'active' AND a.expires_at <= $3
   AND a.broken_at IS NULL ORDER BY a.id LIMIT $4`,
);
const listUnmailed = sql<{ authority: Id }>(
  'authority-ends/unmailed',
  `SELECT DISTINCT w.authority_id AS authority FROM authority_warning w
   WHERE w.workspace_id = $1 AND w.environment = $2 AND w.mailed_at IS NULL ORDER BY authority LIMIT $3`,
);
const markMailed = sql(
  'authority-ends/mailed',
  `UPDATE authority_warning w SET mailed_at = $4
   WHERE w.workspace_id = $1 AND w.environment = $2 AND w.authority_id = $3 AND w.mailed_at IS NULL`,
);

export class AuthorityEnds {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  async listDueWarnings(now: number, limit: number): Promise<readonly DueWarning[]> {
    return (await this.#run(listDueWarnings, [...this.#tenant, new Date(now), limit])).rows;
  }

  /** Returns whether it is this call that warns: of several nodes, one does. */
  async addWarning({ authority, days }: DueWarning, now: number): Promise<boolean> {
    return (await this.#run(addWarning, [...this.#tenant, authority, days, new Date(now)])).count > 0;
  }

  /** Active authorities whose end has passed and was not reported yet. */
  async listEnded(now: number, limit: number): Promise<readonly Id[]> {
    return (await this.#run(listEnded, [...this.#tenant, new Date(now), limit])).rows.map(({ id }) => id);
  }

  async listUnmailed(limit: number): Promise<readonly Id[]> {
    return (await this.#run(listUnmailed, [...this.#tenant, limit])).rows.map(({ authority }) => authority);
  }

  /** Returns whether there was anything to mail. */
  async markMailed(authorityId: Id, now: number): Promise<boolean> {
    return (await this.#run(markMailed, [...this.#tenant, authorityId, new Date(now)])).count > 0;
  }
}
