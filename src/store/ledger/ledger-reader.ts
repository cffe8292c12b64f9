// The ledger as far as one reach goes: current versions read, found by what others call them, and listed in the order of the ledger.
// Knows not what a transaction may be, and writes nothing.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { typeFieldOf } from '../../kit/resource.ts';
import type { Reach } from '../../model/access/scope.ts';
import { transaction, type Transaction } from '../../model/ledger/transaction.ts';
import type { Run } from '../postgres/database.ts';
import { columnOf, everyVersionOf, knownThen, storedColumns, wallOf, within } from '../resources/resource-sql.ts';
import { rememberedText, sql, type Value } from '../postgres/statement.ts';

/** A transaction as it is read: with the types of the instruments it names, and its place in the order of the ledger. */
export type LedgerRow = Transaction & {
  readonly sequence: number;
  readonly 'instrument.type': string | null;
  readonly 'targetInstrument.type': string | null;
};

/** A version of a transaction that was opened with a version of its ledger, or closed with it. */
export type LedgerVersion = LedgerRow & { readonly isOpened: boolean; readonly namedVersion: number };

/** What a transaction that another one names is known by. */
export type NamedRow = Pick<Transaction, 'id' | 'kind' | 'account' | 'counterAccount'>;

/** What an account's source calls a transaction. */
export interface LedgerReference {
  readonly account: Id;
  readonly source: string;
  readonly externalReference: string;
}

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
  /** As they were known then; now, where there is none. */
  readonly knownAt?: number | undefined;
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

const everyVersion = everyVersionOf(transaction);

/**
 * On a table that has grown since it was last analysed all indexes look alike to the planner, and those of an account's rows would be
 * read through for each reference. So references are asked for as a place in an order that one index alone has.
 */
const referenceColumns = 't.account_id, t.source, t.external_reference';
const withoutSorting = sql('ledger/without-sorting', `SELECT set_config('enable_sort', 'off', true)`);
const withSorting = sql('ledger/with-sorting', `SELECT set_config('enable_sort', 'on', true)`);

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
  #here(): string {
    return `${within(transaction, this.#reach.sight.kind)} AND t.current_environment = $2`;
  }

  /** What was known at the moment of a parameter: of current rows, and of those that have ended since. */
  #then(moment: string): readonly string[] {
    const [still, since] = knownThen(moment);
    return [`${this.#here()} ${still}`, `${within(everyVersion, this.#reach.sight.kind)} ${since}`];
  }

  /** As it is known now, or was known then. */
  async find(id: string, knownAt?: number): Promise<LedgerRow | undefined> {
    const [values, ways] = knownAt === undefined ? [[], [this.#here()]] : [[new Date(knownAt)], this.#then('$5')];
    const text = ways.map((way) => `SELECT ${columns} FROM transaction t WHERE ${way} AND t.id = $4`);
    const statement = rememberedText<LedgerRow>('ledger', text.join(' UNION ALL '));
    return (await this.#run(statement, [...wallOf(this.#reach), id, ...values])).rows[0];
  }

  /** What was opened with these versions, and what was closed in its favour. */
  async listVersions(named: readonly { readonly id: Id; readonly version: number }[]): Promise<LedgerVersion[]> {
    if (named.length === 0) return [];
    const branch = (
      isOpened: boolean,
    ): string => `SELECT ${columns}, ${isOpened} AS "isOpened", n.version AS "namedVersion"
      FROM unnest($4::text[], $5::bigint[]) n (id, version) JOIN transaction t ON t.id = n.id
        AND t.${isOpened ? 'opened' : 'closed'}_version = n.version
      WHERE ${within(everyVersion, this.#reach.sight.kind)}`;
    const statement = rememberedText<LedgerVersion>('ledger', `${branch(true)} UNION ALL ${branch(false)}`);
    const values = [named.map(({ id }) => id), named.map(({ version }) => String(version))];
    return (await this.#run(statement, [...wallOf(this.#reach), ...values])).rows;
  }

  /** The rows that accounts' sources call so. */
  async listReferred(references: readonly LedgerReference[]): Promise<LedgerRow[]> {
    if (references.length === 0) return [];
    const statement = rememberedText<LedgerRow>(
      'ledger',
      `SELECT r.* FROM unnest($4::text[], $5::text[], $6::text[]) s (account, source, reference)
       CROSS JOIN LATERAL (SELECT ${columns} FROM transaction t WHERE ${this.#here()} AND t.external_reference IS NOT NULL
         AND (${referenceColumns}) >= (s.account, s.source, s.reference)
         AND (${referenceColumns}) <= (s.account, s.source, s.reference)
         ORDER BY ${referenceColumns} LIMIT 1) r`,
    );
    const values = [
      references.map(({ account }) => account),
      references.map(({ source }) => source),
      references.map(({ externalReference }) => externalReference),
    ];
    this.#run.later(withoutSorting, []);
    const found = this.#run(statement, [...wallOf(this.#reach), ...values]);
    this.#run.later(withSorting, []);
    return (await found).rows;
  }

  /** Those of the ids that are there, with what others need to know who name them. */
  async listNamed(ids: readonly string[]): Promise<NamedRow[]> {
    if (ids.length === 0) return [];
    const statement = rememberedText<NamedRow>(
      'ledger',
      `SELECT t.id, t.kind, t.account_id AS account, t.counter_account_id AS "counterAccount"
       FROM transaction t WHERE ${this.#here()} AND t.id = ANY ($4::text[])`,
    );
    return (await this.#run(statement, [...wallOf(this.#reach), ids])).rows;
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
    const { from, to, account, depository, knownAt, ...equal } = query;
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
    const ways = knownAt === undefined ? [this.#here()] : this.#then(put(new Date(knownAt)));
    const bySide = byAccount.flatMap((one) => byDepository.map((other) => `${one} ${other}`));
    return { branches: ways.flatMap((way) => bySide.map((side) => [way, ...bounds, side].join(' '))), values };
  }
}
