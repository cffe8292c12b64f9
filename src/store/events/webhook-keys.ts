// The keys that deliveries of the standard track are signed with: of each workspace and environment an active one, and the one that
// was active before it.

import type { Id } from '../../kit/id.ts';
import type { Reach } from '../../model/access/scope.ts';
import type { WebhookKey } from '../../model/event/webhook-key.ts';
import type { Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

type Place = Pick<Reach, 'workspaceId' | 'environment'>;

export interface StoredWebhookKey extends WebhookKey {
  /** Null once it signs no more. */
  readonly privateSealed: Buffer | null;
}

const ours = 'FROM webhook_key WHERE workspace_id = $1 AND environment = $2';
const columns = `id, public_jwk AS "publicJwk", private_sealed AS "privateSealed", created_at AS "createdAt",
   retired_at AS "retiredAt"`;

const trusted = sql<StoredWebhookKey>(
  'webhook-key/trusted',
  `SELECT ${columns} ${ours} ORDER BY retired_at DESC NULLS FIRST, id DESC LIMIT 2`,
);
const lockActive = sql<StoredWebhookKey>(
  'webhook-key/lock-active',
  `SELECT ${columns} ${ours} AND retired_at IS NULL FOR UPDATE`,
);
const dropRetired = sql('webhook-key/drop-retired', `DELETE ${ours} AND retired_at IS NOT NULL`);
const retire = sql(
  'webhook-key/retire',
  `UPDATE webhook_key SET retired_at = $3 WHERE workspace_id = $1 AND environment = $2 AND id = $4`,
);
const insert = sql(
  'webhook-key/insert',
  `INSERT INTO webhook_key (workspace_id, environment, id, public_jwk, private_sealed, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);

function placeOf({ workspaceId, environment }: Place): [string, string] {
  return [workspaceId, environment];
}

/** The active one first. */
export async function listTrustedWebhookKeys(run: Run, place: Place): Promise<readonly StoredWebhookKey[]> {
  return (await run(trusted, placeOf(place))).rows;
}

/** For as long as the transaction lasts nobody else retires it. */
export async function lockActiveWebhookKey(run: Run, place: Place): Promise<StoredWebhookKey | undefined> {
  return (await run(lockActive, placeOf(place))).rows[0];
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
  place: Place,
  { next, active }: { next: NewWebhookKey; active: StoredWebhookKey | undefined },
): Promise<void> {
  const [here, at] = [placeOf(place), new Date(next.createdAt)];
  if (active !== undefined) {
    await run(dropRetired, here);
    await run(retire, [...here, at, active.id]);
  }
  await run(insert, [...here, next.id, JSON.stringify(next.publicJwk), next.privateSealed, at]);
}
