// The ledger as far as one reach goes: current versions read and listed in the order of the ledger, versions opened and closed,
// the numbers that bookings and accounts' ledgers have come to. Knows not what a transaction may be.

import type { CalendarDate } from '../kit/calendar-date.ts';
import type { Id } from '../kit/id.ts';
import { typeFieldOf, type AnyChange } from '../kit/resource.ts';
import type { Reach } from '../model/reach.ts';
import { transaction, type Transaction } from '../model/transaction.ts';
import { outOfSight, type Run } from './database.ts';
import { columnOf, storedColumns, toColumn, wallOf, within } from './resource-sql.ts';
import { rememberedText, type Value } from './statement.ts';

/** A transaction as it is read: with the types of the instruments it names, and its place in the order of the ledger. */
export type LedgerRow = Transaction & {
  readonly sequence: number;
  readonly 'instrument.type': string | null;
  readonly 'targetInstrument.type': string | null;
};

export interface LedgerQuery {
  /** Inclusive, both. */
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** As the one or the other side. */
  readonly account?: Id | undefined;
  readonly depository?: Id | undefined;
  readonly instrument?: Id | undefined;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly externalReference?: string | undefined;
}

/** Where in the order of the ledger a row stands. */
export interface LedgerPlace {
  readonly date: string;
  readonly sequence: number;
  readonly id: string;
}

export interface LedgerPageQuery extends LedgerQuery {
  readonly after?: LedgerPlace | undefined;
  readonly limit: number;
}

function typeOf(relation: 'instrument' | 'targetInstrument'): string {
  return `(SELECT e.type FROM instrument e WHERE e.workspace_id = t.workspace_id AND e.environment = t.environment
    AND e.id = t.${columnOf(transaction, relation)}) AS "${typeFieldOf(relation)}"`;
}

const columns = [storedColumns(transaction, null), 't.sequence', typeOf('instrument'), typeOf('targetInstrument')].join(
  ', ',
);

const placeColumns = 't.date, t.sequence, t.id';

/** Either side of a row: a condition for each, of which no row meets both. */
function eitherSide(field: 'account' | 'depository', parameter: string): readonly [string, string] {
  const near = `t.${field}_id`;
  return [
    `AND ${near} = ${parameter}`,
    `AND t.counter_${field}_id = ${parameter} AND ${near} IS DISTINCT FROM ${parameter}`,
  ];
}

export class Ledger {
  readonly #reach: Reach;
  readonly #run: Run;

  constructor(reach: Reach, run: Run) {
    this.#reach = reach;
    this.#run = run;
  }

  /** Current rows within the reach; the indexes are of those whose environment is the current one. */
  #here(purpose: 'to-see' | 'to-change' = 'to-see'): string {
    return `${within(transaction, this.#reach.sight.kind, purpose)} AND t.current_environment = $2`;
  }

  async find(id: string): Promise<LedgerRow | undefined> {
    const statement = rememberedText<LedgerRow>(
      'ledger',
      `SELECT ${columns} FROM transaction t WHERE ${this.#here()} AND t.id = $4`,
    );
    return (await this.#run(statement, [...wallOf(this.#reach), id])).rows[0];
  }

  /** The row that an account's source calls so. */
  async findReferred(reference: {
    account: Id;
    source: string;
    externalReference: string;
  }): Promise<LedgerRow | undefined> {
    const { account, source, externalReference } = reference;
    const statement = rememberedText<LedgerRow>(
      'ledger',
      `SELECT ${columns} FROM transaction t WHERE ${this.#here()}
       AND t.account_id = $4 AND t.source = $5 AND t.external_reference = $6`,
    );
    return (await this.#run(statement, [...wallOf(this.#reach), account, source, externalReference])).rows[0];
  }

  async list({ after, limit, ...query }: LedgerPageQuery): Promise<LedgerRow[]> {
    const { branches, values } = this.#conditionsOf(query);
    const isAfter =
      after === undefined
        ? ''
        : `AND (${placeColumns}) > ($${values.push(after.date)}::date, $${values.push(after.sequence)}::bigint, $${values.push(after.id)}::text)`;
    const most = `$${values.push(limit)}`;
    const [first, ...rest] = branches.map(
      (conditions) =>
        `SELECT ${columns} FROM transaction t WHERE ${conditions} ${isAfter} ORDER BY ${placeColumns} LIMIT ${most}`,
    );
    const text =
      rest.length === 0
        ? first!
        : `SELECT * FROM (${[first, ...rest].map((branch) => `(${branch})`).join(' UNION ALL ')}) t
           ORDER BY ${placeColumns} LIMIT ${most}`;
    return (await this.#run(rememberedText<LedgerRow>('ledger', text), values)).rows;
  }

  async count(query: LedgerQuery): Promise<number> {
    const { branches, values } = this.#conditionsOf(query);
    const parts = branches.map((conditions) => `(SELECT count(*) FROM transaction t WHERE ${conditions})`);
    const statement = rememberedText<{ count: number }>('ledger', `SELECT (${parts.join(' + ')})::bigint AS count`);
    return (await this.#run(statement, values)).rows[0]!.count;
  }

  /** Rows of either side are found apart, each by its index in the order of the ledger, and then merged. */
  #conditionsOf(query: LedgerQuery): { branches: readonly string[]; values: Value[] } {
    const { from, to, account, depository, ...equal } = query;
    const values: Value[] = [...wallOf(this.#reach)];
    const put = (value: Value): string => `$${values.push(value)}`;
    const bounds = [
      ...(from === undefined ? [] : [`AND t.date >= ${put(from)}::date`]),
      ...(to === undefined ? [] : [`AND t.date <= ${put(to)}::date`]),
      ...Object.entries(equal).flatMap(([field, value]) =>
        value === undefined ? [] : [`AND t.${columnOf(transaction, field)} = ${put(value)}`],
      ),
    ];
    const byAccount = account === undefined ? [''] : eitherSide('account', put(account));
    const byDepository = depository === undefined ? [''] : eitherSide('depository', put(depository));
    const all = [this.#here(), ...bounds].join(' ');
    return { branches: byAccount.flatMap((one) => byDepository.map((other) => `${all} ${one} ${other}`)), values };
  }

  /** Opens a version. */
  async open(id: Id, fields: AnyChange, stamp: { sequence: number; version: number; now: number }): Promise<LedgerRow> {
    const names = Object.keys(fields).toSorted();
    const own = names.map((field) => columnOf(transaction, field));
    const statement = rememberedText<LedgerRow>(
      'ledger',
      `INSERT INTO transaction AS t (workspace_id, environment, id, sequence, opened_version, known_from, ${own.join(', ')})
       VALUES ($1, $2, $3, $4, $5, $6, ${own.map((_, index) => `$${7 + index}`).join(', ')}) RETURNING ${columns}`,
    );
    const [workspaceId, environment] = wallOf(this.#reach);
    const { sequence, version, now } = stamp;
    const values = names.map((name) => toColumn(fields[name], transaction, name));
    return (await this.#run(statement, [workspaceId, environment, id, sequence, version, new Date(now), ...values]))
      .rows[0]!;
  }

  /** Closes the current version. A version lasts for no time at least: never is it closed before it was known. */
  async close(id: string, stamp: { version: number; now: number }): Promise<void> {
    const statement = rememberedText(
      'ledger',
      `UPDATE transaction t SET known_until = greatest($5, t.known_from), closed_version = $6
       WHERE ${this.#here('to-change')} AND t.id = $4`,
    );
    const { count } = await this.#run(statement, [...wallOf(this.#reach), id, new Date(stamp.now), stamp.version]);
    if (count === 0) outOfSight();
  }
}
