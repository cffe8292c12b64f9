// What the imports of an environment take in the database, and what the operator allows its workspace.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';
import type { StoredSize } from './import-rows.ts';

const readUsage = sql<StoredSize>(
  'import-usage/read',
  `SELECT u.stored_rows AS rows, u.stored_bytes AS bytes FROM import_usage u WHERE u.workspace_id = $1 AND u.environment = $2`,
);

/** Nobody else changes the sum until the transaction ends. */
const addUsage = sql<StoredSize>(
  'import-usage/add',
  `INSERT INTO import_usage AS u (workspace_id, environment, stored_rows, stored_bytes) VALUES ($1, $2, $3, $4)
   ON CONFLICT (workspace_id, environment) DO UPDATE
     SET stored_rows = u.stored_rows + excluded.stored_rows, stored_bytes = u.stored_bytes + excluded.stored_bytes
   RETURNING stored_rows AS rows, stored_bytes AS bytes`,
);

const subtracted = (rows: string, bytes: string): string =>
  `UPDATE import_usage u SET stored_rows = greatest(0, u.stored_rows - ${rows}), stored_bytes = greatest(0, u.stored_bytes - ${bytes})`;

const subtractUsage = sql(
  'import-usage/subtract',
  `${subtracted('$3', '$4')} WHERE u.workspace_id = $1 AND u.environment = $2`,
);

const subtractClient = sql(
  'import-usage/subtract-client',
  `${subtracted('s.rows', 's.bytes')}
   FROM (SELECT coalesce(sum(i.stored_rows), 0) AS rows, coalesce(sum(i.stored_bytes), 0) AS bytes FROM import i
     WHERE i.workspace_id = $1 AND i.environment = $2 AND i.client_id = $3) s
   WHERE u.workspace_id = $1 AND u.environment = $2`,
);

/** From the imports that there are. */
const countAnew = sql(
  'import-usage/count-anew',
  `INSERT INTO import_usage (workspace_id, environment, stored_rows, stored_bytes)
   SELECT $1, $2, coalesce(sum(i.stored_rows), 0), coalesce(sum(i.stored_bytes), 0) FROM import i
   WHERE i.workspace_id = $1 AND i.environment = $2
   ON CONFLICT (workspace_id, environment) DO UPDATE SET stored_rows = excluded.stored_rows, stored_bytes = excluded.stored_bytes`,
);

/** What the operator has set for a workspace; null where the settings of the service count. */
export interface OwnQuota {
  readonly rows: number | null;
  readonly bytes: number | null;
}

const readQuota = sql<OwnQuota>(
  'import-usage/quota',
  'SELECT w.import_rows_max AS rows, w.import_bytes_max AS bytes FROM workspace w WHERE w.workspace_id = $1',
);
const setQuota = sql(
  'import-usage/set-quota',
  'UPDATE workspace SET import_rows_max = $2, import_bytes_max = $3 WHERE workspace_id = $1',
);

export class ImportUsage {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async read(): Promise<StoredSize> {
    return (await this.#run(readUsage, this.#tenant)).rows[0] ?? { rows: 0, bytes: 0 };
  }

  /** Returns the sum with what was added. */
  async add({ rows, bytes }: StoredSize): Promise<StoredSize> {
    const { rows: sums } = await this.#run(addUsage, [...this.#tenant, rows, bytes]);
    return defined(sums[0], 'adding returns the sum');
  }

  async subtract({ rows, bytes }: StoredSize): Promise<void> {
    await this.#run(subtractUsage, [...this.#tenant, rows, bytes]);
  }

  /** What the imports of a client take, before they are deleted with it. Sent with the next statement. */
  subtractClient(client: Id): void {
    this.#run.enqueue(subtractClient, [...this.#tenant, client]);
  }

  async countAnew(): Promise<void> {
    await this.#run(countAnew, this.#tenant);
  }

  async readQuota(): Promise<OwnQuota> {
    const { rows } = await this.#run(readQuota, [this.#tenant[0]]);
    return defined(rows[0], 'the workspace of a scope exists');
  }

  async setQuota({ rows, bytes }: OwnQuota): Promise<void> {
    await this.#run(setQuota, [this.#tenant[0], rows, bytes]);
  }
}
