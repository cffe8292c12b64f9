// The rows of imports: written and read in sets, never one by one.

import { assert, defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { importResource } from '../../model/custody/import.ts';
import type { RowItem, RowNeed, RowOutcome, RowTarget, RowUndo } from '../../model/custody/import-row.ts';
import type { StatementBalance, StatementItem } from '../../model/custody/statement.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { plainArrayText } from '../postgres/text-format.ts';
import { memoizedText, type Statement, type Value } from '../postgres/statement.ts';
import { tenantFilterSql, tenantFilterValues } from '../resources/resource-sql.ts';
import {
  cancelRows,
  countRows,
  deleteOfClient,
  insertBalances,
  insertRows,
  listBalances,
  listRepeated,
  listStatedPoints,
  setUndo,
  updateRows,
  type RepeatedTarget,
  type StatedPointTime,
} from './import-row-sql.ts';

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
  /** From this row backwards, which it does not include. */
  readonly before?: number;
  readonly limit: number;
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

/** The same of words of ours, ids and numbers, which need no quotes. */
function plainColumnOf<T>(rows: readonly T[], valueOf: (row: T) => string | number | null): Value {
  const values = rows.map(valueOf);
  return values.some((value) => value !== null) ? plainArrayText(values.map((value) => value ?? 'NULL')) : null;
}

function resultValues(rows: readonly RowResult[]): Value[] {
  return [
    plainColumnOf(rows, ({ outcome }) => outcome),
    columnOf(rows, ({ code }) => code),
    columnOf(rows, ({ detail }) => detail),
    plainColumnOf(rows, ({ needs }) => needs),
    plainColumnOf(rows, ({ account }) => account),
    columnOf(rows, ({ reference }) => reference),
    plainColumnOf(rows, ({ target }) => target?.type ?? null),
    plainColumnOf(rows, ({ target }) => target?.id ?? null),
    plainColumnOf(rows, ({ target }) => target?.version ?? null),
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

  /** Expects rows whose numbers follow each other. Prepares what sends them; a failure is thrown by the next statement, or by the commit. */
  prepareInsert(importId: Id, client: Id | null, rows: readonly (RowSource & RowResult)[]): () => Promise<void> {
    const [first] = rows;
    if (first === undefined) return () => Promise.resolve();
    assert(defined(rows.at(-1), 'there is a row').number === first.number + rows.length - 1, 'no row is missing');
    const values = [
      ...this.#keyOf(importId),
      client,
      first.number,
      first.number + rows.length - 1,
      plainColumnOf(rows, ({ ordinal }) => ordinal),
      plainColumnOf(rows, ({ stated }) => stated.place.line),
      columnOf(rows, ({ stated }) => stated.place.field ?? null),
      plainColumnOf(rows, ({ stated }) => stated.item),
      // JSON has no control characters, so that nothing has to be quoted.
      rows.map(({ stated }) => JSON.stringify(stated)).join('\u001e'),
      ...resultValues(rows),
    ];
    return () =>
      this.#run(insertRows, values).then(
        () => {},
        () => {},
      );
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

  /** In the order of the file, or backwards. */
  async list({ importId, outcomes, isUndoable, undo, after, before, limit }: RowQuery): Promise<StoredImportRow[]> {
    const values: Value[] = [...tenantFilterValues(this.#scope), importId, limit];
    const conditions = [
      outcomes === undefined ? '' : `AND t.outcome = ANY ($${values.push(outcomes)}::text[])`,
      `AND t.number > $${values.push(after ?? 0)}`,
      before === undefined ? '' : `AND t.number < $${values.push(before)}`,
      undo === undefined ? '' : `AND t.undo = $${values.push(undo)}`,
      isUndoable ? 'AND t.undo IS NULL AND t.target_type IS NOT NULL' : '',
    ];
    const statement: Statement<RawRow> = memoizedText(
      'import-rows',
      `SELECT ${selected} FROM import_row t
       WHERE ${tenantFilterSql(importResource, this.#scope.visibleClients.kind)} AND t.import_id = $4 ${conditions.join(' ')}
       ORDER BY t.number ${before === undefined ? '' : 'DESC'} LIMIT $5`,
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

  /** Deletes the rows of a client's imports, before they are deleted with it. Sent with the next statement. */
  deleteOfClient(client: Id): void {
    this.#run.enqueue(deleteOfClient, this.#keyOf(client));
  }
}
