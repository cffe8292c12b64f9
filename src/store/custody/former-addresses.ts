// The addresses that a custodian had at an earlier time, as the audit log has them.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

export interface FormerAddressRow {
  readonly apiUrl: string | null;
  readonly tokenUrl: string | null;
  readonly revocationUrl: string | null;
}

/** The first change since then shows the state before it. Lines that change only the name have no addresses. */
const findBeforeChange = sql<FormerAddressRow>(
  'custody/former-addresses',
  `SELECT e.before->>'api_url' AS "apiUrl", e.before->>'token_url' AS "tokenUrl", e.before->>'revocation_url' AS "revocationUrl"
   FROM audit_entry e WHERE e.workspace_id = $1 AND e.environment = $2 AND e.subject_id = $3 AND e.subject_type = 'custodian'
     AND e.act = 'change' AND e.at > $4 AND jsonb_exists(e.before, 'api_url') ORDER BY e.id LIMIT 1`,
);

export class FormerAddresses {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor(scope: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [scope.workspaceId, scope.environment];
  }

  /** Undefined if the addresses have not changed since, as far as the audit log goes back. */
  async findAt(custodianId: string, at: Date): Promise<FormerAddressRow | undefined> {
    return (await this.#run(findBeforeChange, [...this.#tenant, custodianId, at])).rows[0];
  }
}
