// The rows of imports: written and read in sets, never one by one.

import { assert, defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { importResource } from '../../model/custody/import.ts';
import type { RowItem, RowNeed, RowOutcome, RowTarget, RowUndo } from '../../model/custody/import-row.ts';
import type { StatementBalance, StatementItem } from '../../model/custody/statement.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { memoizedText, sql, withoutOutcome, type Statement, type Value } from '../postgres/statement.ts';
import { tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';

/** What became of a row. */
export interface RowResult {
  readonly outcome: RowOutcome;
  readonly code: string | null;
  readonly detail: string | null;
  readonly needs: RowNeed | null;
  readonly account: Id | null;
  readonly reference: string | null;
  readonly target: { readonly type: RowTarget; readonly id: Id | null; readonly version: number | null } | null;
  /** What undoing needs to know about the time before; JSON. */
  readonly before: string | null;
}

/** A row as it was read. */
export interface RowSource {
  readonly number: number;
  readonly ordinal: number;
  readonly stated: Exclude<StatementItem, { item: 'balance' }>;
}

export type StoredImportRow = RowSource & RowResult & { readonly undo: RowUndo | null };

export interface RowQuery {
  readonly importId: string;
  readonly outcomes?: readonly RowOutcome[] | undefined;
  /** Rows that undoing has not dealt with. */
  readonly isUndoable?: true;
  readonly undo?: RowUndo | undefined;
  readonly after?: number | undefined;
  readonly limit: number;
}

const resultColumns = {
  outcome: 'text',
  code: 'text',
  detail: 'text',
  needs: 'text',
  account_id: 'text',
  reference: 'text',
  target_type: 'text',
  target_id: 'text',
  target_version: 'bigint',
  before: 'json',
} as const;

const resultNames = Object.keys(resultColumns);
const resultTypes = Object.values(resultColumns);
const arrays = (types: readonly string[], first: number): string =>
  types.map((type, index) => `$${first + index}::${type}[]`).join(', ');

const insertRows = sql(
  'import-rows/insert',
  withoutOutcome(`INSERT INTO import_row (workspace_id, environment, import_id, client_id, number, ordinal, line, field, item, stated, ${resultNames.join(', ')})
   SELECT $1, $2, $3, $4, $5 + s.place, coalesce(s.ordinal, 1), s.line, s.field, s.item, s.stated::json,
     ${resultNames.map((name) => `s.${name}`).join(', ')}
   FROM unnest(${arrays(['int', 'int', 'text', 'text'], 6)}, string_to_array($10, chr(30)), ${arrays(resultTypes, 11)})
     WITH ORDINALITY s (ordinal, line, field, item, stated, ${resultNames.join(', ')}, place)`),
);

const insertBalances = sql(
  'import-rows/insert-balances',
  withoutOutcome(`INSERT INTO import_row (workspace_id, environment, import_id, client_id, ordinal, item, outcome, number, line, stated)
   SELECT $1, $2, $3, $4, 1, 'balance', 'unchanged', s.* FROM unnest($5::int[], $6::int[], $7::json[]) s`),
);

const listBalances = sql<{ stated: string }>(
  'import-rows/balances',
  `SELECT t.stated::text AS stated FROM import_row t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3
     AND t.item = 'balance' AND t.number < $4 ORDER BY t.number DESC LIMIT $5`,
);

const updateRows = sql(
  'import-rows/update',
  `UPDATE import_row t SET ${resultNames.map((name) => `${name} = s.${name}`).join(', ')}
   FROM unnest(${arrays(['int', ...resultTypes], 4)}) s (number, ${resultNames.join(', ')})
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.number = s.number
     AND t.number BETWEEN (SELECT min(n) FROM unnest($4::int[]) n) AND (SELECT max(n) FROM unnest($4::int[]) n)`,
);

const countRows = sql<{ outcome: RowOutcome; count: number }>(
  'import-rows/count',
  `SELECT outcome, count(*) AS count FROM import_row WHERE workspace_id = $1 AND environment = $2 AND import_id = $3
     AND number > 0 GROUP BY 1`,
);

const setUndo = sql(
  'import-rows/undo',
  `UPDATE import_row t SET undo = s.undo FROM unnest($4::int[], $5::text[]) s (number, undo)
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.number = s.number
     AND t.number BETWEEN (SELECT min(n) FROM unnest($4::int[]) n) AND (SELECT max(n) FROM unnest($4::int[]) n)`,
);

/** Rows of this import that were booked before the cancellation of their entry came. */
const cancelRows = sql(
  'import-rows/cancel',
  `UPDATE import_row t SET outcome = 'unchanged', code = 'cancelled', detail = $6, target_type = NULL, target_id = NULL,
     target_version = NULL, before = NULL
   FROM unnest($4::text[], $5::text[]) s (account_id, reference)
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.account_id = s.account_id
     AND t.reference = s.reference AND t.outcome = 'booked'`,
);

/** A transaction that several rows of an import have written. */
export interface RepeatedTarget {
  readonly id: Id;
  readonly first: number;
  readonly last: number;
  readonly isNew: boolean;
}

const listRepeated = sql<RepeatedTarget>(
  'import-rows/repeated',
  `SELECT t.target_id AS id, min(t.target_version) AS first, max(t.target_version) AS last, bool_or(t.outcome = 'booked') AS "isNew"
   FROM import_row t WHERE t.workspace_id = $1 AND t.environment = $2 AND t.import_id = $3 AND t.target_type = 'transaction'
     AND t.outcome IN ('booked', 'amended') GROUP BY 1 HAVING count(*) > 1`,
);

/** What booked imports, and this one, say about prices and rates. */
const listStatedPoints = sql<StatedPointTime>(
  'import-rows/stated-points',
  `SELECT DISTINCT t.target_id AS id, coalesce(t.stated->>'value', t.stated->>'rate') AS value, t.stated->>'statedAt' AS "statedAt"
   FROM import_row t JOIN import i ON i.workspace_id = $1 AND i.environment = $2 AND i.id = t.import_id
   WHERE t.workspace_id = $1 AND t.environment = $2 AND t.target_id = ANY ($3::text[]) AND t.undo IS NULL
     AND t.target_type IN ('price', 'net-asset-value', 'interest-rate', 'index-factor', 'fx-rate')
     AND t.stated->>'statedAt' IS NOT NULL AND (i.state = 'booked' OR i.id = $4)`,
);

interface StatedPointTime {
  readonly id: Id;
  readonly value: string;
  readonly statedAt: string;
}

interface RawRow extends Omit<StoredImportRow, 'target' | 'stated'> {
  readonly stated: string;
  readonly item: RowItem;
  readonly targetType: RowTarget | null;
  readonly targetId: Id | null;
  readonly targetVersion: number | null;
}

const selected = `t.number, t.ordinal, t.stated::text AS stated, t.outcome, t.code, t.detail, t.needs, t.account_id AS account,
  t.reference, t.target_type AS "targetType", t.target_id AS "targetId", t.target_version AS "targetVersion",
  t.before::text AS before, t.undo`;

/** The values of a column; `unnest` takes null for an array of nulls, which most columns are. */
function columnOf<T>(rows: readonly T[], valueOf: (row: T) => string | null): Value {
  const values = rows.map(valueOf);
  return values.some((value) => value !== null) ? values : null;
}

function resultValues(rows: readonly RowResult[]): Value[] {
  return [
    rows.map(({ outcome }) => outcome),
    columnOf(rows, ({ code }) => code),
    columnOf(rows, ({ detail }) => detail),
    columnOf(rows, ({ needs }) => needs),
    columnOf(rows, ({ account }) => account),
    columnOf(rows, ({ reference }) => reference),
    columnOf(rows, ({ target }) => target?.type ?? null),
    columnOf(rows, ({ target }) => target?.id ?? null),
    columnOf(rows, ({ target }) => (target?.version == null ? null : String(target.version))),
    columnOf(rows, ({ before }) => before),
  ];
}

function toStoredRow({ stated, targetType, targetId, targetVersion, ...row }: RawRow): StoredImportRow {
  const target = targetType === null ? null : { type: targetType, id: targetId, version: targetVersion };
  const item: RowSource['stated'] = JSON.parse(stated);
  return { ...row, stated: item, target };
}

export class ImportRows {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  #keyOf(importId: string): Value[] {
    return [this.#scope.workspaceId, this.#scope.environment, importId];
  }

  /** Expects rows whose numbers follow each other. */
  async insert(importId: Id, client: Id | null, rows: readonly (RowSource & RowResult)[]): Promise<void> {
    const [first] = rows;
    if (first === undefined) return;
    assert(defined(rows.at(-1), 'there is a row').number === first.number + rows.length - 1, 'no row is missing');
    await this.#run(insertRows, [
      ...this.#keyOf(importId),
      client,
      first.number - 1,
      columnOf(rows, ({ ordinal }) => (ordinal === 1 ? null : String(ordinal))),
      rows.map(({ stated }) => String(stated.place.line)),
      columnOf(rows, ({ stated }) => stated.place.field ?? null),
      rows.map(({ stated }) => stated.item),
      // JSON has no control characters, so that nothing has to be quoted.
      rows.map(({ stated }) => JSON.stringify(stated)).join('\u001e'),
      ...resultValues(rows),
    ]);
  }

  /** Balances are kept until the import is booked, and are no rows: their numbers are negative. */
  async insertBalances(
    importId: Id,
    client: Id | null,
    { balances, after }: { readonly balances: readonly StatementBalance[]; readonly after: number },
  ): Promise<void> {
    await this.#run(insertBalances, [
      ...this.#keyOf(importId),
      client,
      balances.map((_, index) => String(-(after + index + 1))),
      balances.map(({ place }) => String(place.line)),
      balances.map((balance) => JSON.stringify(balance)),
    ]);
  }

  /** In the order of the file, after so many. */
  async listBalances(importId: Id, after: number, limit: number): Promise<StatementBalance[]> {
    const { rows } = await this.#run(listBalances, [...this.#keyOf(importId), -after, limit]);
    return rows.map(({ stated }): StatementBalance => JSON.parse(stated));
  }

  async update(importId: Id, rows: readonly (RowSource & RowResult)[]): Promise<void> {
    if (rows.length === 0) return;
    const numbers = rows.map(({ number }) => String(number));
    const values = [...this.#keyOf(importId), numbers, ...resultValues(rows)];
    await this.#run({ ...updateRows, plan: 'set-wise' }, values);
  }

  /** In the order of the file. */
  async list({ importId, outcomes, isUndoable, undo, after, limit }: RowQuery): Promise<StoredImportRow[]> {
    const values: Value[] = [...tenantFilterValues(this.#scope), importId, limit];
    const conditions = [
      outcomes === undefined ? '' : `AND t.outcome = ANY ($${values.push(outcomes)}::text[])`,
      `AND t.number > $${values.push(after ?? 0)}`,
      undo === undefined ? '' : `AND t.undo = $${values.push(undo)}`,
      isUndoable ? 'AND t.undo IS NULL AND t.target_type IS NOT NULL' : '',
    ];
    const statement: Statement<RawRow> = memoizedText(
      'import-rows',
      `SELECT ${selected} FROM import_row t
       WHERE ${tenantFilterSql(importResource, this.#scope.visibleClients.kind)} AND t.import_id = $4 ${conditions.join(' ')}
       ORDER BY t.number LIMIT $5`,
    );
    return (await this.#run(statement, values)).rows.map(toStoredRow);
  }

  async listRepeated(importId: Id): Promise<RepeatedTarget[]> {
    return (await this.#run(listRepeated, this.#keyOf(importId))).rows;
  }

  async listStatedPoints(points: readonly Id[], importId: Id): Promise<StatedPointTime[]> {
    if (points.length === 0) return [];
    const { workspaceId, environment } = this.#scope;
    return (await this.#run(listStatedPoints, [workspaceId, environment, points, importId])).rows;
  }

  async countOutcomes(importId: Id): Promise<Readonly<Record<RowOutcome, number>>> {
    const counts = { booked: 0, amended: 0, unchanged: 0, refused: 0, needs: 0 };
    for (const { outcome, count } of (await this.#run(countRows, this.#keyOf(importId))).rows) counts[outcome] = count;
    return counts;
  }

  async setUndo(importId: Id, undone: readonly { readonly number: number; readonly undo: RowUndo }[]): Promise<void> {
    if (undone.length === 0) return;
    const numbers = undone.map(({ number }) => String(number));
    const values = [...this.#keyOf(importId), numbers, undone.map(({ undo }) => undo)];
    await this.#run({ ...setUndo, plan: 'set-wise' }, values);
  }

  async cancel(
    importId: Id,
    entries: readonly { readonly account: Id; readonly reference: string }[],
    detail: string,
  ): Promise<void> {
    if (entries.length === 0) return;
    const keys = [entries.map(({ account }) => account), entries.map(({ reference }) => reference)];
    await this.#run(cancelRows, [...this.#keyOf(importId), ...keys, detail]);
  }
}
