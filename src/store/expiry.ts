// Removes what a workspace no longer needs to remember.

import type { Reach } from '../model/reach.ts';
import type { Database, Run } from './database.ts';
import { sql } from './statement.ts';

const listTenants = sql<Pick<Reach, 'workspaceId' | 'environment'>>(
  'expiry/tenants',
  'SELECT workspace_id AS "workspaceId", environment FROM environment ORDER BY workspace_id, environment',
);
const dropAssertions = sql(
  'expiry/assertions',
  'DELETE FROM used_assertion WHERE workspace_id = $1 AND environment = $2 AND expires_at < $3',
);
const dropAnswers = sql(
  'expiry/answers',
  'DELETE FROM idempotent_answer WHERE workspace_id = $1 AND environment = $2 AND expires_at < $3',
);
const dropSigningKeys = sql(
  'expiry/signing-keys',
  `DELETE FROM signing_key WHERE workspace_id = $1 AND environment = $2 AND created_at < $3
   AND id < (SELECT max(id) FROM signing_key WHERE workspace_id = $1 AND environment = $2)`,
);

/** What signs no more need not be kept. */
const forgetWebhookKeys = sql(
  'expiry/webhook-keys',
  `UPDATE webhook_key SET private_sealed = NULL WHERE workspace_id = $1 AND environment = $2 AND retired_at < $3
   AND private_sealed IS NOT NULL`,
);

export async function listEnvironments(database: Database): Promise<Pick<Reach, 'workspaceId' | 'environment'>[]> {
  return (await database.readAtGate(listTenants, [])).rows;
}

/** Each with the moment before which it is over. */
export async function dropExpired(
  run: Run,
  reach: Reach,
  { now, signingKeysBefore, webhookKeysBefore }: { now: number; signingKeysBefore: number; webhookKeysBefore: number },
): Promise<number> {
  const tenant = [reach.workspaceId, reach.environment] as const;
  const dropped = [
    await run(dropAssertions, [...tenant, new Date(now)]),
    await run(dropAnswers, [...tenant, new Date(now)]),
    await run(dropSigningKeys, [...tenant, new Date(signingKeysBefore)]),
    await run(forgetWebhookKeys, [...tenant, new Date(webhookKeysBefore)]),
  ];
  return dropped.reduce((sum, { count }) => sum + count, 0);
}
