// What the imports of an environment take in the database, and how many rows they have brought today.

import { defined } from '../../kit/assert.ts';
import { fromDayNumber } from '../../kit/calendar-date.ts';
import { dayMs } from '../../kit/clock.ts';
import type { Id } from '../../kit/id.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { sql } from '../postgres/statement.ts';
import type { StoredSize } from './import-rows.ts';

/** What imports keep, and how many rows they have brought on a day. */
export interface ImportSums extends StoredSize {
  readonly dayRows: number;
}

/** What an import adds. */
export interface ImportAddition extends StoredSize {
  readonly dayRows: number;
  readonly at: number;
}

/** Nodes do not agree to the second when a day begins: a day that another node has begun counts on. */
const isDay = (day: string): string => `u.day BETWEEN ${day} AND ${day} + 1`;

const readUsage = sql<ImportSums>(
  'import-usage/read',
  `SELECT u.stored_rows AS rows, u.stored_bytes AS bytes, CASE WHEN ${isDay('$3::date')} THEN u.day_rows ELSE 0 END AS "dayRows"
   FROM import_usage u WHERE u.workspace_id = $1 AND u.environment = $2`,
);

/** Nobody else changes the sum until the transaction ends. */
const addUsage = sql<ImportSums>(
  'import-usage/add',
  `INSERT INTO import_usage AS u (workspace_id, environment, stored_rows, stored_bytes, day, day_rows) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (workspace_id, environment) DO UPDATE
     SET stored_rows = u.stored_rows + excluded.stored_rows, stored_bytes = u.stored_bytes + excluded.stored_bytes,
       day = CASE WHEN ${isDay('excluded.day')} THEN u.day ELSE excluded.day END,
       day_rows = CASE WHEN ${isDay('excluded.day')} THEN u.day_rows + excluded.day_rows ELSE excluded.day_rows END
   RETURNING stored_rows AS rows, stored_bytes AS bytes, day_rows AS "dayRows"`,
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

const utcDay = (at: number): string => fromDayNumber(Math.floor(at / dayMs));

export class ImportUsage {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  /** `now`: of which day the rows are counted. */
  async read(now: number): Promise<ImportSums> {
    return (await this.#run(readUsage, [...this.#tenant, utcDay(now)])).rows[0] ?? { rows: 0, bytes: 0, dayRows: 0 };
  }

  /** Returns the sum with what was added. */
  async add({ rows, bytes, dayRows, at }: ImportAddition): Promise<ImportSums> {
    const { rows: sums } = await this.#run(addUsage, [...this.#tenant, rows, bytes, utcDay(at), dayRows]);
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
}
