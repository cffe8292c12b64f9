// Writes versions of transactions: opens and closes one or thousands of them with one statement.

import { assert } from '../../kit/assert.ts';
import { snakeCaseStrings } from '../../kit/field.ts';
import type { Id } from '../../kit/id.ts';
import { anyChange, type AnyChange, type Resource } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import { transaction, type Transaction } from '../../model/ledger/transaction.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { columnOf, columnType, toColumn, tenantFilterValues, tenantFilterSql } from '../resources/resource-sql.ts';
import { plainArrayText, withArrayAsText } from '../postgres/text-format.ts';
import { arrayOfAnyLength, memoized, sql, withoutOutcome, type Statement, type Value } from '../postgres/statement.ts';

/** A version to open: the transaction, its booking number, and the version of the ledgers that it moves. */
export interface OpenedVersion {
  readonly id: Id;
  readonly createdAt: number;
  readonly contents: Omit<Transaction, 'id' | 'createdAt'>;
  readonly sequence: number;
  readonly version: number;
}

interface PreparedOpening {
  send(): Promise<void>;
  enqueue(): void;
}

export interface ClosedVersion {
  readonly id: Id;
  readonly version: number;
}

const fields = [...Object.keys(transaction.attributes), ...Object.keys(transaction.relations)].filter(
  (field) => field !== 'createdAt',
);
const columns = ['id', 'sequence', 'opened_version', ...fields.map((one) => columnOf(transaction, one)), 'created_at'];
const types = ['text', 'bigint', 'bigint', ...fields.map((one) => columnType(transaction, one))];

/**
 * Takes one array for each column; a null array is filled with nulls. Each is unnested where it is selected: in FROM, each would be stored
 * first.
 */
function openingSql(name: string, createdAt: string): Statement<unknown> {
  const values = types.map((type, index) => `unnest($${4 + index}::${type}[])`);
  return sql(
    name,
    withoutOutcome(`INSERT INTO transaction (workspace_id, environment, known_from, ${columns.join(', ')})
     SELECT $1, $2, $3, ${values.join(', ')}, ${createdAt}`),
  );
}

const openAll = openingSql('ledger-versions/open', `unnest($${4 + types.length}::timestamptz[])`);
/** For transactions that are all created now. */
const openNew = openingSql('ledger-versions/open-new', '$3');

function instantText(value: unknown): string {
  assert(typeof value === 'number', 'an instant is a number of milliseconds');
  return new Date(value).toISOString();
}

/** A field, how values that are no texts are written, and whether they are words, ids and numbers that need no quotes. */
interface FieldForm {
  readonly field: string;
  write(value: unknown): string;
  readonly isPlain: boolean;
}

const forms = fields.map((field): FieldForm => {
  const type = columnType(transaction, field);
  const write = type === 'timestamptz' ? instantText : (value: unknown) => String(toColumn(value, transaction, field));
  const { attributes, relations }: Resource = transaction;
  const isOfWords = attributes[field]?.kind.schema(snakeCaseStrings)['enum'] !== undefined;
  return { field, write, isPlain: field in relations || isOfWords || !['text', 'jsonb'].includes(type) };
});

/** The values of one field of all rows. */
class FieldColumn {
  readonly #form: FieldForm;
  readonly #rowCount: number;
  #values: (string | null)[] | undefined;

  constructor(form: FieldForm, rowCount: number) {
    this.#form = form;
    this.#rowCount = rowCount;
  }

  put(row: number, contents: AnyChange): void {
    const { field, write, isPlain } = this.#form;
    const value = contents[field];
    if (value === undefined || value === null) return;
    this.#values ??= Array.from<string | null>({ length: this.#rowCount }).fill(isPlain ? 'NULL' : null);
    this.#values[row] = typeof value === 'string' ? value : write(value);
  }

  /** A text, since the database waits while it is sent; null where no row has a value. */
  toValue(): Value {
    if (this.#values === undefined) return null;
    return this.#form.isPlain ? plainArrayText(this.#values) : withArrayAsText(this.#values);
  }
}

/** Goes row by row: the fields of a row are close to each other in memory. */
function fieldColumns(opened: readonly OpenedVersion[]): Value[] {
  const all = forms.map((form) => new FieldColumn(form, opened.length));
  for (const [row, { contents }] of opened.entries()) for (const column of all) column.put(row, anyChange(contents));
  return all.map((column) => column.toValue());
}

/** Most rows are created at the same moment as the one before. */
function createdTexts(opened: readonly OpenedVersion[]): string[] {
  let [last, text] = [NaN, ''];
  return opened.map(({ createdAt }) => {
    if (createdAt !== last) [last, text] = [createdAt, instantText(createdAt)];
    return text;
  });
}

export class TransactionVersions {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  #openCall(opened: readonly OpenedVersion[], now: number): [Statement<unknown>, Value[]] {
    const { workspaceId, environment } = this.#scope;
    const keys = [
      opened.map(({ id }) => id),
      opened.map(({ sequence }) => sequence),
      opened.map(({ version }) => version),
    ];
    const values = [workspaceId, environment, new Date(now), ...keys.map(plainArrayText), ...fieldColumns(opened)];
    if (opened.every(({ createdAt }) => createdAt === now)) return [openNew, values];
    return [openAll, [...values, plainArrayText(createdTexts(opened))]];
  }

  /** Prepares what opens versions: it can be sent by itself later, or enqueued with the next batch or the commit. */
  prepareOpen(opened: readonly OpenedVersion[], now: number): PreparedOpening {
    if (opened.length === 0) return { send: async () => {}, enqueue: () => {} };
    const call = this.#openCall(opened, now);
    return {
      send: async () => void (await this.#run(...call)),
      enqueue: () => this.#run.enqueue(...call),
    };
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
        WHERE ${tenantFilterSql(transaction, visibleClients.kind, 'to-change')} AND t.id = ANY (${arrayOfAnyLength('$6')})`,
    );
    const ids = closed.map(({ id }) => id);
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), new Date(now), version, ids])).count;
  }
}
