// Token ids of assertions that have been exchanged: each may stand here once, on all nodes together.

import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

const insert = sql(
  'used-assertion/insert',
  `INSERT INTO used_assertion (workspace_id, environment, token_id_hash, expires_at) VALUES ($1, $2, $3, $4)
   ON CONFLICT DO NOTHING`,
);

/** Whether this is the first use. */
export async function claimAssertion(
  run: Run,
  scope: Scope,
  { tokenIdHash, expiresAt }: { tokenIdHash: Buffer; expiresAt: number },
): Promise<boolean> {
  const { count } = await run(insert, [scope.workspaceId, scope.environment, tokenIdHash, new Date(expiresAt)]);
  return count === 1;
}
