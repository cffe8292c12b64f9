// Writes versions of transactions: opens and closes one or thousands of them with one statement.

import { assert, defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyRecord } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import { transaction, type Transaction } from '../../model/ledger/transaction.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { columnOf, columnType, toColumn, tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { memoized, sql, withoutOutcome, type Value } from '../postgres/statement.ts';

/** A version to open: the transaction, its booking number, and the version of the ledgers that it moves. */
export interface OpenedVersion {
  readonly record: Transaction;
  readonly sequence: number;
  readonly version: number;
}

export interface ClosedVersion {
  readonly id: Id;
  readonly version: number;
}

const fields = [...Object.keys(transaction.attributes), ...Object.keys(transaction.relations)];
const columns = ['id', 'sequence', 'opened_version', ...fields.map((field) => columnOf(transaction, field))];
const types = ['text', 'bigint', 'bigint', ...fields.map((field) => columnType(transaction, field))];

/** Takes one array for each column. `unnest` fills a null or shorter array with nulls. */
const openAll = sql(
  'ledger-versions/open',
  withoutOutcome(`INSERT INTO transaction (workspace_id, environment, known_from, ${columns.join(', ')})
   SELECT $1, $2, $3, s.* FROM unnest(${types.map((type, index) => `$${4 + index}::${type}[]`).join(', ')}) s`),
);

function instantText(value: unknown): string {
  assert(typeof value === 'number', 'an instant is a number of milliseconds');
  return new Date(value).toISOString();
}

/** How a field's values are written. Texts and decimals, which most are, stay what they are. */
const writers = new Map(
  fields.map((field) => {
    const otherText = (value: unknown): string => String(toColumn(value, transaction, field));
    return [field, columnType(transaction, field) === 'timestamptz' ? instantText : otherText] as const;
  }),
);

function columnValues(field: string, records: readonly AnyRecord[]): Value {
  const write = defined(writers.get(field), 'every field has a writer');
  let column: (string | null)[] | null = null;
  for (let index = 0; index < records.length; index++) {
    const value = records[index]?.[field];
    if (value == null) continue;
    column ??= Array.from({ length: records.length }, () => null);
    column[index] = typeof value === 'string' ? value : write(value);
  }
  return column;
}

export class TransactionVersions {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  #openCall(opened: readonly OpenedVersion[], now: number): [typeof openAll, Value[]] {
    const { workspaceId, environment } = this.#scope;
    const keys = [
      opened.map(({ record }) => record.id),
      opened.map(({ sequence }) => String(sequence)),
      opened.map(({ version }) => String(version)),
    ];
    const records = opened.map(({ record }) => record);
    const contents = fields.map((field) => columnValues(field, records));
    return [openAll, [workspaceId, environment, new Date(now), ...keys, ...contents]];
  }

  async open(opened: readonly OpenedVersion[], now: number): Promise<void> {
    if (opened.length > 0) await this.#run(...this.#openCall(opened, now));
  }

  /** Opens versions without waiting: sends the statement with the next batch, or with the commit. */
  enqueueOpen(opened: readonly OpenedVersion[], now: number): void {
    if (opened.length > 0) this.#run.enqueue(...this.#openCall(opened, now));
  }

  /** Closes current versions. A version never ends before it began, even when the clock went back. */
  async close(closed: readonly ClosedVersion[], now: number): Promise<void> {
    const byVersion = Map.groupBy(closed, ({ version }) => version);
    const counts = await Promise.all(
      [...byVersion].map(([version, versions]) => this.#closeAll(versions, { version, now })),
    );
    if (counts.reduce((sum, count) => sum + count, 0) < closed.length) throwMovedAway();
  }

  async #closeAll(
    closed: readonly ClosedVersion[],
    { version, now }: { version: number; now: number },
  ): Promise<number> {
    const { visibleClients } = this.#scope;
    const statement = memoized(
      `ledger-versions/${visibleClients.kind}/close`,
      () => `UPDATE transaction t SET known_until = greatest($4, t.known_from), closed_version = $5
        WHERE ${tenantFilterSql(transaction, visibleClients.kind, 'to-change')} AND t.id = ANY ($6::text[])`,
    );
    const ids = closed.map(({ id }) => id);
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), new Date(now), version, ids])).count;
  }
}
