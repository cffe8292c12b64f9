// The token ids of assertions that have been exchanged: each is accepted once, across all nodes.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

const insert = sql(
  'used-assertion/insert',
  `INSERT INTO used_assertion (workspace_id, environment, token_id_hash, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING`,
);

const find = sql(
  'used-assertion/find',
  'SELECT FROM used_assertion WHERE workspace_id = $1 AND environment = $2 AND token_id_hash = $3',
);

export class UsedAssertions {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** Returns whether this is the first use. */
  async claim({ tokenIdHash, expiresAt }: { tokenIdHash: Buffer; expiresAt: number }): Promise<boolean> {
    const { count } = await this.#run(insert, [...this.#tenant, tokenIdHash, new Date(expiresAt)]);
    return count === 1;
  }

  async isClaimed(tokenIdHash: Buffer): Promise<boolean> {
    return (await this.#run(find, [...this.#tenant, tokenIdHash])).count > 0;
  }
}
