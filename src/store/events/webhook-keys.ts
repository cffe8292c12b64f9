// The keys that deliveries of the standard track are signed with: of each workspace and environment an active one, and the one that
// was active before it.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { WebhookKey } from '../../model/event/webhook-key.ts';
import type { Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

type Tenant = Pick<Scope, 'workspaceId' | 'environment'>;

export interface StoredWebhookKey extends WebhookKey {
  /** Null once it signs no more. */
  readonly privateSealed: Buffer | null;
}

const ofTenant = 'FROM webhook_key WHERE workspace_id = $1 AND environment = $2';
const columns = `id, public_jwk AS "publicJwk", private_sealed AS "privateSealed", created_at AS "createdAt",
   retired_at AS "retiredAt"`;

const listTrusted = sql<StoredWebhookKey>(
  'webhook-key/trusted',
  `SELECT ${columns} ${ofTenant} ORDER BY retired_at DESC NULLS FIRST, id DESC LIMIT 2`,
);
const lockActive = sql<StoredWebhookKey>(
  'webhook-key/lock-active',
  `SELECT ${columns} ${ofTenant} AND retired_at IS NULL FOR UPDATE`,
);
const dropRetired = sql('webhook-key/drop-retired', `DELETE ${ofTenant} AND retired_at IS NOT NULL`);
const retire = sql(
  'webhook-key/retire',
  `UPDATE webhook_key SET retired_at = $3 WHERE workspace_id = $1 AND environment = $2 AND id = $4`,
);
const insert = sql(
  'webhook-key/insert',
  `INSERT INTO webhook_key (workspace_id, environment, id, public_jwk, private_sealed, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);

function tenantValues({ workspaceId, environment }: Tenant): [string, string] {
  return [workspaceId, environment];
}

/** The active one first. */
export async function listTrustedWebhookKeys(run: Run, tenant: Tenant): Promise<readonly StoredWebhookKey[]> {
  return (await run(listTrusted, tenantValues(tenant))).rows;
}

/** For as long as the transaction lasts nobody else retires it. */
export async function lockActiveWebhookKey(run: Run, tenant: Tenant): Promise<StoredWebhookKey | undefined> {
  return (await run(lockActive, tenantValues(tenant))).rows[0];
}

export interface NewWebhookKey {
  readonly id: Id;
  readonly publicJwk: object;
  readonly privateSealed: Buffer;
  readonly createdAt: number;
}

/** Makes a key the active one. Where somebody else has just done so, the unique index says so and the transaction begins anew. */
export async function activateWebhookKey(
  run: Run,
  tenant: Tenant,
  { next, active }: { next: NewWebhookKey; active: StoredWebhookKey | undefined },
): Promise<void> {
  const [tenantKey, at] = [tenantValues(tenant), new Date(next.createdAt)];
  if (active !== undefined) {
    await run(dropRetired, tenantKey);
    await run(retire, [...tenantKey, at, active.id]);
  }
  await run(insert, [...tenantKey, next.id, JSON.stringify(next.publicJwk), next.privateSealed, at]);
}
