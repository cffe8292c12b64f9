// The keys that sign deliveries of the standard track: each workspace and environment has an active one and the one before it.

import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { WebhookKey } from '../../model/event/webhook-key.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';

export interface StoredWebhookKey extends WebhookKey {
  /** Null once it no longer signs. */
  readonly privateSealed: Buffer | null;
}

const ofTenant = 'FROM webhook_key WHERE workspace_id = $1 AND environment = $2';
const columns = `id, public_jwk AS "publicJwk", private_sealed AS "privateSealed", created_at AS "createdAt",
   retired_at AS "retiredAt"`;

const listTrusted = sql<StoredWebhookKey>(
  'webhook-key/trusted',
  `SELECT ${columns} ${ofTenant} ORDER BY retired_at DESC NULLS FIRST, id DESC LIMIT 2`,
);
const lockKeys = sql(
  'webhook-key/lock',
  `SELECT pg_advisory_xact_lock(hashtextextended('webhook keys of ' || $1 || ' ' || $2, 0))`,
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

interface NewWebhookKey {
  readonly id: Id;
  readonly publicJwk: object;
  readonly privateSealed: Buffer;
  readonly createdAt: number;
}

export class WebhookKeys {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** The active key first. */
  async listTrusted(): Promise<readonly StoredWebhookKey[]> {
    return (await this.#run(listTrusted, this.#tenant)).rows;
  }

  /**
   * Locks the tenant's keys, so that rotations happen one after the other, and returns the active one. Locking only its row is not enough:
   * a caller that waited for it would find it retired and no other in its place.
   */
  async lockActive(): Promise<StoredWebhookKey | undefined> {
    await this.#run(lockKeys, this.#tenant);
    return (await this.#run(lockActive, this.#tenant)).rows[0];
  }

  /** Makes a key the active one and retires the one before; the tenant's keys must be locked. */
  async activate({ next, active }: { next: NewWebhookKey; active: StoredWebhookKey | undefined }): Promise<void> {
    const at = new Date(next.createdAt);
    if (active !== undefined) {
      await this.#run(dropRetired, this.#tenant);
      await this.#run(retire, [...this.#tenant, at, active.id]);
    }
    await this.#run(insert, [...this.#tenant, next.id, JSON.stringify(next.publicJwk), next.privateSealed, at]);
  }
}
