// Looks up what files leave open: the account of a depository, and whether an account has anything before a day.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

/** At most one row for each currency that a depository's accounts have. */
const depositoryAccounts = sql<DepositoryAccounts>(
  'import-names/depository-accounts',
  `SELECT d.depository_id AS depository, a.ccy_code AS currency, min(d.account_id) AS account, count(*)::int AS count
   FROM account_depository d JOIN account a ON a.workspace_id = $1 AND a.environment = $2 AND a.id = d.account_id
   WHERE d.workspace_id = $1 AND d.environment = $2 AND d.depository_id = ANY ($3::text[]) GROUP BY 1, 2 ORDER BY 1, 2`,
);

/** The accounts of a depository in one currency. */
export interface DepositoryAccounts {
  readonly depository: Id;
  readonly currency: string;
  /** One of them. */
  readonly account: Id;
  readonly count: number;
}

/** Accounts with a transaction or an upload before a day. */
const begunAccounts = sql<{ account: Id }>(
  'import-names/begun-accounts',
  `SELECT k.account_id AS account FROM unnest($3::text[], $4::date[]) k (account_id, date)
   WHERE EXISTS (SELECT FROM transaction t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.known_until IS NULL AND t.account_id = k.account_id
       AND t.date < k.date)
     OR EXISTS (SELECT FROM transaction t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.known_until IS NULL
       AND t.counter_account_id = k.account_id AND t.date < k.date)
     OR EXISTS (SELECT FROM historical_holding h WHERE h.workspace_id = $1 AND h.current_environment = $2
       AND h.account_id = k.account_id AND h.date < k.date)`,
);

export class ImportNames {
  readonly #run: Run;
  readonly #tenant: readonly [string, string];

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#run = run;
    this.#tenant = [workspaceId, environment];
  }

  async listDepositoryAccounts(depositories: readonly Id[]): Promise<readonly DepositoryAccounts[]> {
    return (await this.#run(depositoryAccounts, [...this.#tenant, depositories])).rows;
  }

  async listBegunAccounts(
    openings: readonly { readonly account: Id; readonly date: string }[],
  ): Promise<ReadonlySet<Id>> {
    const values = [openings.map(({ account }) => account), openings.map(({ date }) => date)];
    return new Set((await this.#run(begunAccounts, [...this.#tenant, ...values])).rows.map(({ account }) => account));
  }
}
