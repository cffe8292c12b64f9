// The rows of imports: written and read in sets, never one by one.

import { firstIdAt, type Id } from '../../kit/id.ts';
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
  deletedRowsMax,
  deleteOfClient,
  deleteSome,
  insertBalances,
  insertRows,
  listBalances,
  listRepeated,
  listStatedPoints,
  lockUnbooked,
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
  readonly stated: Exclude<StatementItem, { item: 'balance' | 'notice' }>;
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

/** How many times as many rows may lie between the first and the last of a batch as are in it, until each is looked up by itself. */
const sparseFactor = 4;

/** Rows that lie close together are read as a whole; of those that lie far apart, the rows between would be read as well. */
function planned<Row>(statement: Statement<Row>, rows: readonly { readonly number: number }[]): Statement<Row> {
  let [first, last] = [Infinity, -Infinity];
  for (const { number } of rows) [first, last] = [Math.min(first, number), Math.max(last, number)];
  const span = last - first;
  return { ...statement, plan: span <= sparseFactor * rows.length ? 'set-wise' : 'index-order' };
}

function toStoredRow({ stated, targetType, targetId, targetVersion, ...row }: RawRow): StoredImportRow {
  const target = targetType === null ? null : { type: targetType, id: targetId, version: targetVersion };
  const item: RowSource['stated'] = JSON.parse(stated);
  return { ...row, stated: item, target };
}

/** What a row takes besides its texts: its header, keys and numbers, and its entries in indexes. */
export const fixedRowBytes = 400;

/** What rows take in the database, about. */
export interface StoredSize {
  readonly rows: number;
  readonly bytes: number;
}

interface PreparedRows {
  send(): Promise<void>;
  readonly size: StoredSize;
}

/** In characters, which nearly always are bytes. */
function textLength({ code, detail, reference, before }: RowResult): number {
  return (code?.length ?? 0) + (detail?.length ?? 0) + (reference?.length ?? 0) + (before?.length ?? 0);
}

/** Less than the number of any row, balance or creation. */
const beforeAllNumbers = -2_147_483_648;

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

  /** Prepares what sends the rows; a failure is thrown by the next statement, or by the commit. */
  prepareInsert(importId: Id, client: Id | null, rows: readonly (RowSource & RowResult)[]): PreparedRows {
    if (rows.length === 0) return { send: () => Promise.resolve(), size: { rows: 0, bytes: 0 } };
    // JSON has no control characters, so that nothing has to be quoted.
    const stated = rows.map((row) => JSON.stringify(row.stated)).join('\u001e');
    const bytes = rows.reduce((sum, row) => sum + textLength(row), Buffer.byteLength(stated));
    const values = [
      ...this.#keyOf(importId),
      client,
      plainColumnOf(rows, ({ number }) => number),
      plainColumnOf(rows, ({ ordinal }) => ordinal),
      plainColumnOf(rows, (row) => row.stated.place.line),
      columnOf(rows, (row) => row.stated.place.field ?? null),
      plainColumnOf(rows, (row) => row.stated.item),
      stated,
      ...resultValues(rows),
    ];
    const send = (): Promise<void> =>
      this.#run(insertRows, values).then(
        () => {},
        () => {},
      );
    return { send, size: { rows: rows.length, bytes: bytes + rows.length * fixedRowBytes } };
  }

  /** Balances are kept until the import is booked, and are no rows: their numbers are negative. */
  async insertBalances(
    importId: Id,
    client: Id | null,
    { balances, after }: { readonly balances: readonly StatementBalance[]; readonly after: number },
  ): Promise<StoredSize> {
    const stated = balances.map((balance) => JSON.stringify(balance));
    await this.#run(insertBalances, [
      ...this.#keyOf(importId),
      client,
      balances.map((_, index) => String(-(after + index + 1))),
      balances.map(({ place }) => String(place.line)),
      stated,
    ]);
    const bytes = stated.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return { rows: balances.length, bytes: bytes + balances.length * fixedRowBytes };
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
    await this.#run(planned(updateRows, rows), values);
  }

  /** In the order of the file, or backwards. */
  async list({ importId, outcomes, isUndoable, undo, after, before, limit }: RowQuery): Promise<StoredImportRow[]> {
    const values: Value[] = [...tenantFilterValues(this.#scope), importId, limit];
    const add = (value: Value): string => `$${values.push(value)}`;
    const [first, last] = [add(after ?? 0), before === undefined ? undefined : add(before)];
    const direction = last === undefined ? '' : 'DESC';
    const ofUndo = undo === undefined ? '' : `AND t.undo = ${add(undo)}`;
    const isOpen = isUndoable ? 'AND t.undo IS NULL AND t.target_type IS NOT NULL' : '';
    const page = (conditions: string, order: string): string =>
      `(SELECT ${selected} FROM import_row t
       WHERE ${tenantFilterSql(importResource, this.#scope.visibleClients.kind)} AND t.import_id = $4 ${conditions} ${ofUndo} ${isOpen}
       ORDER BY ${order} LIMIT $5)`;
    const byNumber = `t.number ${direction}`;
    const inRange = `AND t.number > ${first} ${last === undefined ? '' : `AND t.number < ${last}`}`;
    // An import may have few rows of an outcome that most rows of the table have. Ordered by outcome and number, they are read by the index that
    // has both; of an outcome that is equal to a value, the order would be by number alone, which the primary key has, too.
    const ofOutcome = (outcome: string): string =>
      page(
        `AND (t.outcome, t.number) > (${outcome}, ${first}) AND t.outcome <= ${outcome}
         ${last === undefined ? '' : `AND (t.outcome, t.number) < (${outcome}, ${last})`}`,
        `t.outcome ${direction}, ${byNumber}`,
      );
    const pages =
      outcomes === undefined
        ? [page(inRange, byNumber)]
        : outcomes
            .map(add)
            .map((one) => (undo === undefined ? ofOutcome(one) : page(`${inRange} AND t.outcome = ${one}`, byNumber)));
    const statement: Statement<RawRow> = memoizedText(
      'import-rows',
      `SELECT * FROM (${pages.join(' UNION ALL ')}) t ORDER BY ${byNumber} LIMIT $5`,
    );
    return (await this.#run({ ...statement, plan: 'index-order' }, values)).rows.map(toStoredRow);
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
    await this.#run(planned(setUndo, undone), values);
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

  /** Deletes everything of an import but the import itself, some rows at a time: no statement takes long. */
  async deleteAll(importId: Id): Promise<void> {
    for (let after = beforeAllNumbers; ;) {
      const { rows } = await this.#run({ ...deleteSome, plan: 'set-wise' }, [...this.#keyOf(importId), after]);
      const { count = 0, last = null } = rows[0] ?? {};
      if (count < deletedRowsMax || last === null) return;
      after = last;
    }
  }

  /** Locks the oldest import that was sent before a moment and never booked. */
  async lockUnbooked(before: number): Promise<{ readonly id: Id; readonly rows: number } | undefined> {
    const { workspaceId, environment } = this.#scope;
    return (await this.#run(lockUnbooked, [workspaceId, environment, firstIdAt(before)])).rows[0];
  }

  /** Deletes the rows of a client's imports, before they are deleted with it. Sent with the next statement. */
  deleteOfClient(client: Id): void {
    this.#run.enqueue(deleteOfClient, this.#keyOf(client));
  }
}
