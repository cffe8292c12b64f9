// The keys that access tokens are signed with, one ring for each workspace and environment.

import type { Id } from '../../kit/id.ts';
import type { Environment, Scope } from '../../model/access/scope.ts';
import type { Database, Run } from '../postgres/database.ts';
import { sql } from '../postgres/statement.ts';

export interface StoredSigningKey {
  readonly id: Id;
  readonly publicJwk: Record<string, unknown>;
  readonly privateSealed: Buffer;
  readonly createdAt: number;
}

const columns = 'id, public_jwk AS "publicJwk", private_sealed AS "privateSealed", created_at AS "createdAt"';

const newest = sql<StoredSigningKey>(
  'signing-key/newest',
  `SELECT ${columns} FROM signing_key WHERE workspace_id = $1 AND environment = $2 ORDER BY id DESC LIMIT 1`,
);
const insert = sql(
  'signing-key/insert',
  `INSERT INTO signing_key (workspace_id, environment, id, public_jwk, private_sealed, created_at)
   VALUES ($1, $2, $3, $4, $5, $6)`,
);
const byId = sql<StoredSigningKey>(
  'signing-key/by-id',
  `SELECT ${columns} FROM signing_key WHERE workspace_id = $1 AND environment = $2 AND id = $3`,
);

const anyKey = sql<StoredSigningKey & { workspaceId: Id; environment: Environment }>(
  'signing-key/any',
  `SELECT workspace_id AS "workspaceId", environment, ${columns} FROM signing_key LIMIT 1`,
);

/** One of all, to see whether it can be opened. */
export async function findAnySigningKey(database: Database) {
  return (await database.readPreAuth(anyKey, [])).rows[0];
}

export async function findNewestSigningKey(run: Run, scope: Scope): Promise<StoredSigningKey | undefined> {
  return (await run(newest, [scope.workspaceId, scope.environment])).rows[0];
}

export async function insertSigningKey(run: Run, scope: Scope, key: StoredSigningKey): Promise<void> {
  const { id, publicJwk, privateSealed, createdAt } = key;
  const values = [id, JSON.stringify(publicJwk), privateSealed, new Date(createdAt)] as const;
  await run(insert, [scope.workspaceId, scope.environment, ...values]);
}

export async function findSigningKey(
  database: Database,
  { workspaceId, environment, id }: { workspaceId: string; environment: Environment; id: string },
): Promise<StoredSigningKey | undefined> {
  return (await database.readPreAuth(byId, [workspaceId, environment, id])).rows[0];
}
