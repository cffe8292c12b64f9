// Looks up what the words of files leave open: the account of a depository.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

const onlyAccounts = sql<{ depository: Id; account: Id }>(
  'import-names/only-accounts',
  `SELECT depository_id AS depository, min(account_id) AS account FROM account_depository
   WHERE workspace_id = $1 AND environment = $2 AND depository_id = ANY ($3::text[]) GROUP BY 1 HAVING count(*) = 1`,
);

export class ImportNames {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  /** Lists those depositories that belong to one account only. */
  async listOnlyAccounts(
    depositories: readonly Id[],
  ): Promise<readonly { readonly depository: Id; readonly account: Id }[]> {
    return (await this.#run(onlyAccounts, [...this.#tenant, depositories])).rows;
  }
}
