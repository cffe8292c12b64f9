// Credentials as the gate and the token flows need them: found before the workspace is known, and marked as used.

import type { Id } from '../../kit/id.ts';
import type { CredentialKind } from '../../model/access/credential.ts';
import type { Environment, Scope, Right } from '../../model/access/scope.ts';
import type { Database, Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

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

const byClientId = sql<StoredCredential>(
  'credential/by-client-id',
  `SELECT ${columns} FROM credential WHERE client_id = $1 AND kind = 'application'`,
);
const byKeyId = sql<StoredCredential>(
  'credential/by-key-id',
  `SELECT ${columns} FROM credential WHERE workspace_id = $1 AND id = $2 AND kind = $3`,
);
const markUsed = sql(
  'credential/mark-used',
  `UPDATE credential SET last_used_at = $4
   WHERE workspace_id = $1 AND environment = $2 AND id = $3 AND (last_used_at IS NULL OR last_used_at < $4)`,
);

/** The application of a client id. Two workspaces may hold the same id only by an operator's choice; then it is nobody's. */
export async function findApplication(database: Database, clientId: string): Promise<StoredCredential | undefined> {
  const { rows } = await database.readPreAuth(byClientId, [clientId]);
  return rows.length === 1 ? rows[0] : undefined;
}

export async function findKey(
  database: Database,
  { workspaceId, keyId, kind }: { workspaceId: string; keyId: string; kind: CredentialKind },
): Promise<StoredCredential | undefined> {
  return (await database.readPreAuth(byKeyId, [workspaceId, keyId, kind])).rows[0];
}

export async function markCredentialUsed(run: Run, scope: Scope, { id, at }: { id: Id; at: number }): Promise<void> {
  await run(markUsed, [scope.workspaceId, scope.environment, id, new Date(at)]);
}
