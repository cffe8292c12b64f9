// What belongs to auth flows besides their own rows: the files that were handed in, and flows that follow their authority.

import type { Id } from '../../kit/id.ts';
import type { AuthorityState } from '../../model/custody/authority-state.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

const listReceived = sql<{ flow: Id; name: string }>(
  'auth-flows/received',
  `SELECT DISTINCT f.auth_flow_id AS flow, f.expected_file AS name FROM auth_flow_file f
   WHERE f.workspace_id = $1 AND f.environment = $2 AND f.auth_flow_id = ANY ($3::text[]) AND f.expected_file IS NOT NULL`,
);
/** A consent on the custodian's pages that has ended: `detail` says why it was refused, and is null if it was given. */
const findCompleted = sql<{ authority: Id; custodian: string; detail: string | null }>(
  'auth-flows/completed',
  `SELECT f.authority_id AS authority, c.name AS custodian, f.completed_detail AS detail FROM auth_flow f
   JOIN custodian c ON c.workspace_id = $1 AND c.environment = $2 AND c.id = f.custodian_id
   WHERE f.workspace_id = $1 AND f.environment = $2 AND f.id = $3 AND f.completed_state = $4`,
);
const followAuthority = sql(
  'auth-flows/follow',
  `UPDATE auth_flow f SET state = $4 WHERE f.workspace_id = $1 AND f.environment = $2 AND f.authority_id = $3
   AND f.state IN ('active', 'revoke-in-progress')`,
);

export class AuthFlowRows {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  /** Which of the expected files of each flow were handed in. */
  async listReceived(flows: readonly Id[]): Promise<ReadonlyMap<Id, ReadonlySet<string>>> {
    const { rows } = await this.#run(listReceived, [...this.#tenant, flows]);
    const grouped = Map.groupBy(rows, ({ flow }) => flow);
    return new Map([...grouped].map(([flow, group]) => [flow, new Set(group.map(({ name }) => name))]));
  }

  /** How the last consent on the custodian's pages ended, if it was begun with this link. */
  async findCompleted(
    flow: Id,
    mark: string,
  ): Promise<{ readonly authority: Id; readonly custodian: string; readonly detail: string | null } | undefined> {
    return (await this.#run(findCompleted, [...this.#tenant, flow, mark])).rows[0];
  }

  /** Gives granted flows the state of their authority. */
  followAuthority(authorityId: Id, state: AuthorityState): void {
    this.#run.enqueue(followAuthority, [...this.#tenant, authorityId, state]);
  }
}
