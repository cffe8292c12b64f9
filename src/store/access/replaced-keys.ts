// What is kept of encryption keys that were replaced, in each environment: sealed, so that only the present key opens it.

import type { Id } from '../../kit/id.ts';
import type { Environment, Scope } from '../../model/access/scope.ts';
import { fromAll, type PreAuthRead, type Run } from '../postgres/statement-runner.ts';
import { askingAll, sql } from '../postgres/statement.ts';

export interface StoredReplacedKey {
  readonly fingerprint: string;
  readonly keptSealed: Buffer;
}

export interface TenantReplacedKey extends StoredReplacedKey {
  readonly workspaceId: Id;
  readonly environment: Environment;
}

// Every environment keeps the same of a key, apart from its own chain: of all, one is enough.
const oneOfEach = askingAll<TenantReplacedKey>(
  'replaced-key/one-of-each',
  `SELECT DISTINCT ON (k.fingerprint) k.workspace_id AS "workspaceId", k.environment, k.fingerprint, k.kept_sealed AS "keptSealed"
   FROM replaced_key k WHERE {k} ORDER BY k.fingerprint, k.workspace_id, k.environment`,
);
const list = sql<StoredReplacedKey>(
  'replaced-key/list',
  `SELECT k.fingerprint, k.kept_sealed AS "keptSealed" FROM replaced_key k WHERE k.workspace_id = $1 AND k.environment = $2
   ORDER BY k.fingerprint`,
);
const insert = sql(
  'replaced-key/insert',
  `INSERT INTO replaced_key (workspace_id, environment, fingerprint, kept_sealed) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
);
const update = sql(
  'replaced-key/update',
  `UPDATE replaced_key SET kept_sealed = $5 WHERE workspace_id = $1 AND environment = $2 AND fingerprint = $3 AND kept_sealed = $4`,
);

/** What any environment keeps of each key. Fails while a server is away that may have more. */
export async function findReplacedKeys(read: PreAuthRead): Promise<readonly TenantReplacedKey[]> {
  // Servers that are asked one by one may each give one.
  return fromAll(await read(oneOfEach, [])).rows;
}

export class ReplacedKeys {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async list(): Promise<readonly StoredReplacedKey[]> {
    return (await this.#run(list, this.#tenant)).rows;
  }

  /** Does nothing where the key is there already. Enqueued. */
  put({ fingerprint, keptSealed }: StoredReplacedKey): void {
    this.#run.enqueue(insert, [...this.#tenant, fingerprint, keptSealed]);
  }

  /** Returns whether it was still as it had been. */
  async replace({ fingerprint, keptSealed: former }: StoredReplacedKey, renewed: Buffer): Promise<boolean> {
    return (await this.#run(update, [...this.#tenant, fingerprint, former, renewed])).count === 1;
  }
}
