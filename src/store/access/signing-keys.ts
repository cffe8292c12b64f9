// The keys that sign access tokens; each workspace and environment has its own.

import type { Id } from '../../kit/id.ts';
import type { Environment, Scope } from '../../model/access/scope.ts';
import type { PreAuthRead, Run } from '../postgres/statement-runner.ts';
import { askingAll, sql } from '../postgres/statement.ts';

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

export interface TenantSigningKey extends StoredSigningKey {
  readonly workspaceId: Id;
  readonly environment: Environment;
}

// A sealed value begins with a version and, unless the first encryption key of the database has sealed it, with a fingerprint.
const sealedBy = `CASE WHEN substring(k.private_sealed FROM 1 FOR 1) = '\\x01' THEN '' ELSE encode(substring(k.private_sealed FROM 2 FOR 8), 'hex') END`;
const oneOfEach = askingAll<TenantSigningKey>(
  'signing-key/one-of-each',
  `SELECT DISTINCT ON (${sealedBy}) workspace_id AS "workspaceId", environment, ${columns} FROM signing_key k WHERE {k}
   ORDER BY ${sealedBy}, workspace_id, environment, id`,
);

/** For each encryption key that has sealed signing keys, one of these of any tenant, to check that the keyring can open it. */
export async function findSealedSigningKeys(read: PreAuthRead): Promise<readonly TenantSigningKey[]> {
  return (await read(oneOfEach, [])).rows;
}

export interface SigningKeyLocator {
  readonly workspaceId: string;
  readonly environment: Environment;
  readonly id: string;
}

export async function findSigningKey(
  read: PreAuthRead,
  { workspaceId, environment, id }: SigningKeyLocator,
): Promise<StoredSigningKey | undefined> {
  return (await read(byId, [workspaceId, environment, id], workspaceId)).rows[0];
}

export class SigningKeys {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async findNewest(): Promise<StoredSigningKey | undefined> {
    return (await this.#run(newest, this.#tenant)).rows[0];
  }

  async insert({ id, publicJwk, privateSealed, createdAt }: StoredSigningKey): Promise<void> {
    await this.#run(insert, [...this.#tenant, id, JSON.stringify(publicJwk), privateSealed, new Date(createdAt)]);
  }
}
