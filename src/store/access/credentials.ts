// Credentials: looked up before the tenant is known, and marked as used when a token is issued for them.

import type { Id } from '../../kit/id.ts';
import type { CredentialKind } from '../../model/access/credential.ts';
import type { Environment, Scope, Right } from '../../model/access/scope.ts';
import { foundOrAll, fromAll, type PreAuthRead, type Run } from '../postgres/statement-runner.ts';
import { askingAll, sql } from '../postgres/statement.ts';

export interface StoredCredential {
  readonly workspaceId: Id;
  readonly environment: Environment;
  readonly id: Id;
  readonly kind: CredentialKind;
  readonly rights: readonly Right[];
  readonly scopedTo: Id | null;
  readonly secretSalt: Buffer | null;
  readonly secretHash: Buffer | null;
  readonly publicJwk: Record<string, unknown> | null;
}

const columns = `workspace_id AS "workspaceId", environment, id, kind, rights, scoped_to_id AS "scopedTo",
  secret_salt AS "secretSalt", secret_hash AS "secretHash", public_jwk AS "publicJwk"`;

const byClientId = askingAll<StoredCredential>(
  'credential/by-client-id',
  `SELECT ${columns} FROM credential c WHERE {c} AND client_id = $1 AND kind = 'application'`,
);
const byKeyId = sql<StoredCredential>(
  'credential/by-key-id',
  `SELECT ${columns} FROM credential WHERE workspace_id = $1 AND id = $2 AND kind = $3`,
);
/** Ids are ordered by time. */
const firstAdmin = askingAll<FoundApplication>(
  'credential/first-admin',
  `SELECT workspace_id AS "workspaceId", environment, id FROM credential c
   WHERE {c} AND kind = 'application' AND 'admin' = ANY (rights) AND scoped_to_id IS NULL AND workspace_id <> $1
   ORDER BY id LIMIT 1`,
);
const replaceSecret = sql(
  'credential/replace-secret',
  `UPDATE credential SET secret_salt = $4, secret_hash = $5
   WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND kind = 'application'`,
);
const markUsed = sql(
  'credential/mark-used',
  `UPDATE credential SET last_used_at = $4
   WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND (last_used_at IS NULL OR last_used_at < $4)`,
);

/** Two workspaces have the same client id only if an operator chose it twice; then it identifies neither. */
export async function findApplication(read: PreAuthRead, clientId: string): Promise<StoredCredential | undefined> {
  const { rows } = foundOrAll(await read(byClientId, [clientId]));
  return rows.length === 1 ? rows[0] : undefined;
}

export type FoundApplication = Pick<StoredCredential, 'workspaceId' | 'environment' | 'id'>;

/** The oldest application of any workspace but one that may do everything. */
export async function findFirstAdmin(read: PreAuthRead, exceptWorkspace: Id): Promise<FoundApplication | undefined> {
  return fromAll(await read(firstAdmin, [exceptWorkspace])).rows[0];
}

export interface KeyLocator {
  readonly workspaceId: string;
  readonly keyId: string;
  readonly kind: CredentialKind;
}

export async function findKey(
  read: PreAuthRead,
  { workspaceId, keyId, kind }: KeyLocator,
): Promise<StoredCredential | undefined> {
  return (await read(byKeyId, [workspaceId, keyId, kind], workspaceId)).rows[0];
}

export class Credentials {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async replaceSecret(id: Id, { salt, hash }: { readonly salt: Buffer; readonly hash: Buffer }): Promise<void> {
    await this.#run(replaceSecret, [...this.#tenant, id, salt, hash]);
  }

  async markUsed({ id, at }: { id: Id; at: number }): Promise<void> {
    await this.#run(markUsed, [...this.#tenant, id, new Date(at)]);
  }
}
