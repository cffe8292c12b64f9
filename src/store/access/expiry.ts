// Deletes rows of a tenant that have expired, and private keys that no longer sign.

import type { Scope } from '../../model/access/scope.ts';
import { foundOrAll, fromAll, type PreAuthRead, type Run } from '../postgres/statement-runner.ts';
import { askingAll, sql } from '../postgres/statement.ts';
import { dropOldRequests, type RequestCutoffs } from './request-log.ts';

const listTenants = askingAll<Pick<Scope, 'workspaceId' | 'environment'>>(
  'expiry/tenants',
  'SELECT workspace_id AS "workspaceId", environment FROM environment e WHERE {e} ORDER BY workspace_id, environment',
);
const findOther = askingAll<{ workspaceId: string }>(
  'expiry/other-tenant',
  'SELECT e.workspace_id AS "workspaceId" FROM environment e WHERE {e} AND e.workspace_id <> $1 LIMIT 1',
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

/** A retired key no longer signs, so its private half is removed; the public half still verifies. */
const forgetWebhookKeys = sql(
  'expiry/webhook-keys',
  `UPDATE webhook_key SET private_sealed = NULL WHERE workspace_id = $1 AND environment = $2 AND retired_at < $3
   AND private_sealed IS NOT NULL`,
);

/** Mail that no longer counts against a limit and whose invite has been deleted. */
const dropMails = sql(
  'expiry/mails',
  `DELETE FROM mail m WHERE m.workspace_id = $1 AND m.environment = $2 AND m.next_attempt_at IS NULL AND m.created_at < $3
   AND NOT EXISTS (SELECT FROM invite i WHERE i.workspace_id = $1 AND i.environment = $2 AND i.id = m.invite_id)`,
);

/** Covers sessions that were ended early as well: they expire at the same moment. */
const dropSessions = sql(
  'expiry/sessions',
  'DELETE FROM session WHERE workspace_id = $1 AND environment = $2 AND expires_at < $3',
);

export async function listEnvironments(read: PreAuthRead): Promise<Pick<Scope, 'workspaceId' | 'environment'>[]> {
  return fromAll(await read(listTenants, [])).rows;
}

/** Whether there is any workspace but one. */
export async function hasOtherWorkspace(read: PreAuthRead, except: string): Promise<boolean> {
  const outcome = await read(findOther, [except]);
  return foundOrAll(outcome).rows.length > 0;
}

export interface ExpiryCutoffs extends Omit<RequestCutoffs, 'requestsShippedTo'> {
  readonly now: number;
  readonly signingKeysBefore: number;
  readonly webhookKeysBefore: number;
  readonly mailsBefore: number;
  readonly sessionsBefore: number;
  readonly eventsBefore: number;
  readonly roundsBefore: number;
  readonly limitStatesBefore: number;
  readonly auditLinesBefore: number;
  readonly unbookedImportsBefore: number;
}

/** Returns how many rows were deleted or emptied. */
export async function dropExpired(run: Run, scope: Scope, cutoffs: ExpiryCutoffs & RequestCutoffs): Promise<number> {
  const { now, signingKeysBefore, webhookKeysBefore, mailsBefore, sessionsBefore } = cutoffs;
  const tenant = [scope.workspaceId, scope.environment] as const;
  const dropped = [
    await run(dropAssertions, [...tenant, new Date(now)]),
    await run(dropAnswers, [...tenant, new Date(now)]),
    await run(dropSigningKeys, [...tenant, new Date(signingKeysBefore)]),
    await run(forgetWebhookKeys, [...tenant, new Date(webhookKeysBefore)]),
    await run(dropMails, [...tenant, new Date(mailsBefore)]),
    await run(dropSessions, [...tenant, new Date(sessionsBefore)]),
  ];
  const requestCount = await dropOldRequests(run, scope, cutoffs);
  return dropped.reduce((sum, { count }) => sum + count, requestCount);
}
