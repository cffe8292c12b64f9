// Inserts the rows of an export into a workspace, in the service's own role: row-level security keeps them there.

import { defined } from '../../kit/assert.ts';
import type { RowCounts } from '../../kit/compared-counts.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { countIn, memoizedText, sql } from '../postgres/statement.ts';

const isInUse = sql<{ inUse: boolean }>(
  'import-rows/in-use',
  `SELECT EXISTS (SELECT FROM client WHERE workspace_id = $1 AND environment = $2)
     OR EXISTS (SELECT FROM instrument WHERE workspace_id = $1 AND environment = $2)
     OR EXISTS (SELECT FROM custodian WHERE workspace_id = $1 AND environment = $2)
     OR EXISTS (SELECT FROM person WHERE workspace_id = $1 AND environment = $2)
     OR EXISTS (SELECT FROM webhook WHERE workspace_id = $1 AND environment = $2) AS "inUse"`,
);
const dropClasses = sql(
  'import-rows/drop-classes',
  'DELETE FROM instrument_class WHERE workspace_id = $1 AND environment = $2',
);
const closeClasses = sql(
  'import-rows/close-classes',
  `UPDATE record_version SET known_until = $3
   WHERE workspace_id = $1 AND environment = $2 AND table_name = 'instrument_class' AND known_until IS NULL`,
);
const queueLines = sql(
  'import-rows/queue-lines',
  `INSERT INTO unchained_audit_entry (workspace_id, environment, entry_id)
   SELECT $1, $2, r.id FROM json_to_recordset($3::json) r (id text) ON CONFLICT DO NOTHING`,
);
/** Rounds look at all clients of an environment whose day was not marked. */
const finish = sql(
  'import-rows/finish',
  `UPDATE environment SET day_marked = NULL, taxonomy_at = coalesce(taxonomy_at, created_at),
     tree_version = greatest(tree_version, (SELECT max(c.tree_version) FROM client c WHERE c.workspace_id = $1 AND c.environment = $2)) + 1
   WHERE workspace_id = $1 AND environment = $2`,
);

/** Rows of the ledger and of series have no foreign keys: what their current versions name is looked for here. */
const references = {
  account_id: 'account',
  counter_account_id: 'account',
  depository_id: 'depository',
  counter_depository_id: 'depository',
  instrument_id: 'instrument',
  target_instrument_id: 'instrument',
} as const;
const danglingText = Object.entries(references)
  .map(
    ([
      column,
      table,
    ]) => `SELECT 'transaction' AS what, t.id, '${column}' AS "column", t.${column} AS missing FROM transaction t
     WHERE t.workspace_id = $1 AND t.environment = $2 AND t.known_until IS NULL AND t.${column} IS NOT NULL
       AND NOT EXISTS (SELECT FROM ${table} r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.id = t.${column})`,
  )
  .concat(
    `SELECT 'point', t.id, 'instrument_id', t.instrument_id FROM series_point t
     WHERE t.workspace_id = $1 AND t.environment = $2 AND (t.known_until IS NULL AND NOT EXISTS (SELECT FROM instrument r
         WHERE r.workspace_id = $1 AND r.environment = $2 AND r.id = t.instrument_id)
       OR NOT EXISTS (SELECT FROM series_ledger r WHERE r.workspace_id = $1 AND r.environment = $2 AND r.instrument_id = t.instrument_id))`,
  )
  .join(' UNION ALL ');

interface Dangling {
  readonly what: string;
  readonly id: string;
  readonly column: string;
  readonly missing: string;
}

const listDangling = sql<Dangling>(
  'import-rows/dangling',
  `SELECT * FROM (${danglingText}) d ORDER BY d.what, d.id LIMIT 1`,
);

export class InsertedRows {
  readonly #tenant: readonly [string, string];
  readonly #run: Run;

  constructor({ workspaceId, environment }: Scope, run: Run) {
    this.#tenant = [workspaceId, environment];
    this.#run = run;
  }

  async isInUse(): Promise<boolean> {
    return defined((await this.#run(isInUse, this.#tenant)).rows[0], 'EXISTS returns a row').inUse;
  }

  /** Makes room for the imported classes. */
  async dropDefaultClasses(at: number): Promise<void> {
    await this.#run(dropClasses, this.#tenant);
    await this.#run(closeClasses, [...this.#tenant, new Date(at)]);
  }

  /** `rows` is a JSON array of objects. */
  async insert(table: string, columns: readonly string[], rows: string): Promise<void> {
    const names = columns.map((name) => `"${name}"`).join(', ');
    const text = `INSERT INTO ${table} (workspace_id, environment, ${names})
      SELECT $1, $2, ${names} FROM json_populate_recordset(NULL::${table}, $3::json) RETURNING 1`;
    await this.#run(memoizedText(`import-rows/${table}`, text), [...this.#tenant, rows]);
    if (table === 'audit_entry') await this.#run(queueLines, [...this.#tenant, rows]);
  }

  /** How many rows of the environment the tables hold now, by a statement for each. */
  async count(tables: readonly string[]): Promise<RowCounts> {
    const counts = new Map<string, number>();
    for (const table of tables) {
      const text = `SELECT count(*) AS count FROM ${table} WHERE workspace_id = $1 AND environment = $2`;
      const statement = memoizedText<{ count: number | string }>(`import-rows/count-${table}`, text);
      counts.set(table, Number(countIn(await this.#run(statement, this.#tenant))));
    }
    return counts;
  }

  /** A reference of a transaction or a point that leads nowhere. */
  async findDangling(): Promise<Dangling | undefined> {
    return (await this.#run(listDangling, this.#tenant)).rows[0];
  }

  async finish(): Promise<void> {
    await this.#run(finish, this.#tenant);
  }
}
