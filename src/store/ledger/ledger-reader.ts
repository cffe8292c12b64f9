// Reads transactions within one scope: by id, by external reference, and as pages in ledger order.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Id } from '../../kit/id.ts';
import { relatedTypeField } from '../../kit/resource.ts';
import type { Scope, Tenant } from '../../model/access/scope.ts';
import { transaction, type Transaction } from '../../model/ledger/transaction.ts';
import { transactionSources, transactionTypes } from '../../model/ledger/transaction-kind.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond, knownAtBranches } from '../resources/known-at-sql.ts';
import {
  columnOf,
  withoutVersionFilter,
  storedColumns,
  tenantFilterValues,
  tenantFilterSql,
} from '../resources/resource-sql.ts';
import {
  countIn,
  arrayOfAnyLength,
  memoizedText,
  writtenPageSize,
  type Statement,
  type Value,
} from '../postgres/statement.ts';
import { byReferenceSql } from './reference-sql.ts';

/** A transaction as read, with the types of the instruments it names and its booking number. */
export type LedgerRow = Transaction & {
  readonly sequence: number;
  readonly 'instrument.type': string | null;
  readonly 'targetInstrument.type': string | null;
};

/** A version of a transaction, together with the ledger version that opened or closed it. */
export type TransactionVersionRow = LedgerRow & { readonly isOpened: boolean; readonly namedVersion: number };

interface VersionKey {
  readonly id: Id;
  readonly version: number;
}

export interface VersionKeys {
  readonly opened: readonly VersionKey[];
  readonly closed: readonly VersionKey[];
}

/** The fields of a transaction that another transaction refers to. */
export type ReferencedTransaction = Pick<
  Transaction,
  'id' | 'kind' | 'date' | 'client' | 'account' | 'counterAccount' | 'instrument' | 'targetInstrument'
> &
  Pick<LedgerRow, 'sequence'>;

/** What a reversal is compared with. */
export type ReversibleTransaction = Pick<
  Transaction,
  'id' | 'kind' | 'type' | 'date' | 'account' | 'amount' | 'quantity' | 'source' | 'externalReference'
>;

/** Identifies a transaction by the external reference that an account's source gave it. */
export interface LedgerReference {
  readonly account: Id;
  readonly source: string;
  readonly externalReference: string;
}

export interface LedgerQuery {
  /** Both days are included. */
  readonly from?: CalendarDate | undefined;
  readonly to?: CalendarDate | undefined;
  /** On either side of the transaction. */
  readonly account?: Id | undefined;
  readonly depository?: Id | undefined;
  readonly instrument?: Id | undefined;
  readonly type?: string | undefined;
  readonly source?: string | undefined;
  readonly externalReference?: string | undefined;
  /** Reads what was known at this moment; what is known now when absent. */
  readonly knownAt?: number | undefined;
}

/** The position of a row in ledger order. */
export interface LedgerPosition {
  readonly date: string;
  readonly sequence: number;
  readonly id: string;
}

export interface LedgerPageQuery extends LedgerQuery {
  readonly after?: LedgerPosition | undefined;
  readonly limit: number;
}

function instrumentType(relation: 'instrument' | 'targetInstrument'): string {
  return `(SELECT e.type FROM instrument e WHERE e.workspace_id = $1 AND e.environment = $2
    AND e.id = t.${columnOf(transaction, relation)}) AS "${relatedTypeField(relation)}"`;
}

/** The columns of a `LedgerRow` of the table `t`. */
export const ledgerRowColumns = [
  storedColumns(transaction),
  't.sequence',
  instrumentType('instrument'),
  instrumentType('targetInstrument'),
].join(', ');

const allVersions = withoutVersionFilter(transaction);

const positionColumns = 't.date, t.sequence, t.id';

/** Returns one condition for each side of a row. No row meets both. */
function eitherSide(field: 'account' | 'depository', parameter: string): readonly [string, string] {
  const column = `t.${field}_id`;
  return [
    `AND ${column} = ${parameter}`,
    `AND t.counter_${field}_id = ${parameter} AND ${column} IS DISTINCT FROM ${parameter}`,
  ];
}

/**
 * What the indexes for lists of a whole tenant begin with, as the column's definition computes it. It is a value, since behind row-level security the
 * planner does not let an index be searched for what a function that might tell its arguments returns.
 */
function tenantPrefix({ workspaceId, environment }: Tenant): number {
  return Number.parseInt(workspaceId.slice(-8), 16) ^ Number(environment === 'sandbox');
}

/**
 * For a list of the whole tenant, the conditions that make an index usable. One index serves the filters by type and by source: whichever is
 * not filtered by takes all its values in turn.
 */
function wholeTenantConditions({ type, source }: LedgerQuery, prefix: string): readonly string[] {
  const ofTenantPrefix = `AND t.tenant_prefix = ${prefix}::int`;
  if ((type === undefined) === (source === undefined)) return [ofTenantPrefix];
  return type === undefined
    ? transactionTypes.map((one) => `${ofTenantPrefix} AND t.type = '${one}'`)
    : transactionSources.map((one) => `${ofTenantPrefix} AND t.source = '${one}'`);
}

/** Whether a filter has an index of its own, whoever asks. */
function hasNarrowIndex({ account, depository, instrument, externalReference }: LedgerQuery): boolean {
  return [account, depository, instrument, externalReference].some((value) => value !== undefined);
}

/** A page of each visible client, and one of the rows that are for all holders. */
function mergedPages(conditions: string, pageOf: (conditions: string) => string): readonly string[] {
  return [
    `SELECT p.* FROM unnest(${arrayOfAnyLength('$3')}) AS seen (id) CROSS JOIN LATERAL (${pageOf(`${conditions} AND t.client_id = seen.id`)}) p`,
    pageOf(`${conditions} AND t.client_id IS NULL AND t.account_id IS NULL`),
  ];
}

export class LedgerReader {
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(scope: Scope, run: Run) {
    this.#scope = scope;
    this.#run = run;
  }

  /** Filters current rows within the scope. */
  #currentFilter(): string {
    return tenantFilterSql(transaction, this.#scope.visibleClients.kind);
  }

  /** Returns filters for what was known at the moment in the parameter: rows that are still current, and rows closed since. */
  #knownAtFilters(moment: string): readonly string[] {
    const [still, since] = knownAtBranches(moment);
    return [
      `${this.#currentFilter()} ${still}`,
      `${tenantFilterSql(allVersions, this.#scope.visibleClients.kind)} ${since}`,
    ];
  }

  /** Reads the transaction as known now, or as known at a moment. */
  async find(id: string, knownAt?: number): Promise<LedgerRow | undefined> {
    const [values, filters] =
      knownAt === undefined ? [[], [this.#currentFilter()]] : [[endOfMillisecond(knownAt)], this.#knownAtFilters('$5')];
    const text = filters.map((filter) => `SELECT ${ledgerRowColumns} FROM transaction t WHERE ${filter} AND t.id = $4`);
    const statement = memoizedText<LedgerRow>('ledger', text.join(' UNION ALL '), { isByKey: true });
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), id, ...values])).rows[0];
  }

  /** Lists the versions that these ledger versions have opened or closed. */
  async listVersions({ opened, closed }: VersionKeys): Promise<TransactionVersionRow[]> {
    const keys = [
      ...opened.map((key) => ({ ...key, isOpened: true })),
      ...closed.map((key) => ({ ...key, isOpened: false })),
    ];
    if (keys.length === 0) return [];
    const statement = memoizedText<TransactionVersionRow>(
      'ledger',
      `SELECT r.*, n.is_opened AS "isOpened", n.version AS "namedVersion"
       FROM unnest($4::text[], $5::bigint[], $6::boolean[]) n (id, version, is_opened)
       CROSS JOIN LATERAL (SELECT ${ledgerRowColumns} FROM transaction t WHERE ${tenantFilterSql(allVersions, this.#scope.visibleClients.kind)}
         AND t.id >= n.id AND t.id <= n.id AND CASE WHEN n.is_opened THEN t.opened_version ELSE t.closed_version END = n.version
         ORDER BY t.id, t.opened_version) r`,
    );
    return this.#listInIndexOrder(statement, [
      keys.map(({ id }) => id),
      keys.map(({ version }) => String(version)),
      keys.map(({ isOpened }) => String(isOpened)),
    ]);
  }

  async #listInIndexOrder<Row>(statement: Statement<Row>, values: readonly Value[]): Promise<Row[]> {
    const all = [...tenantFilterValues(this.#scope), ...values];
    return (await this.#run({ ...statement, plan: 'index-order' }, all)).rows;
  }

  /** Lists the current rows with these external references. */
  async listByReference(references: readonly LedgerReference[]): Promise<LedgerRow[]> {
    if (references.length === 0) return [];
    const text = byReferenceSql({ columns: ledgerRowColumns, filter: this.#currentFilter() }, references.length);
    const values = [
      references.map(({ externalReference }) => externalReference),
      references.map(({ account }) => account),
      references.map(({ source }) => source),
    ];
    return this.#listInIndexOrder(memoizedText<LedgerRow>('ledger', text), values);
  }

  /** Lists those that are current. */
  async listCurrent(ids: readonly string[]): Promise<LedgerRow[]> {
    if (ids.length === 0) return [];
    const statement = memoizedText<LedgerRow>(
      'ledger',
      `SELECT r.* FROM unnest($4::text[]) n (id) CROSS JOIN LATERAL (SELECT ${ledgerRowColumns} FROM transaction t
         WHERE ${this.#currentFilter()} AND t.id >= n.id AND t.id <= n.id ORDER BY t.id LIMIT 1) r`,
    );
    return this.#listInIndexOrder(statement, [[...new Set(ids)]]);
  }

  /** Lists the ids that exist, with the fields that other transactions need. */
  async listReferenced(ids: readonly string[]): Promise<ReferencedTransaction[]> {
    if (ids.length === 0) return [];
    const statement = memoizedText<ReferencedTransaction>(
      'ledger',
      `SELECT t.id, t.kind, t.date, t.sequence, t.client_id AS client, t.account_id AS account,
         t.counter_account_id AS "counterAccount", t.instrument_id AS instrument, t.target_instrument_id AS "targetInstrument"
       FROM transaction t WHERE ${this.#currentFilter()} AND t.id = ANY (${arrayOfAnyLength('$4')})`,
    );
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), ids])).rows;
  }

  /** Lists the transactions with these ids as they are, or as they were when they were deleted. */
  async listReversible(ids: readonly string[]): Promise<ReversibleTransaction[]> {
    if (ids.length === 0) return [];
    const filter = tenantFilterSql(allVersions, this.#scope.visibleClients.kind);
    const statement = memoizedText<ReversibleTransaction>(
      'ledger',
      `SELECT DISTINCT ON (t.id) t.id, t.kind, t.type, t.date, t.account_id AS account, t.amount, t.quantity, t.source,
         t.external_reference AS "externalReference"
       FROM transaction t WHERE ${filter} AND t.id = ANY (${arrayOfAnyLength('$4')})
       ORDER BY t.id, t.closed_version DESC NULLS FIRST`,
    );
    return (await this.#run(statement, [...tenantFilterValues(this.#scope), ids])).rows;
  }

  async list({ after, limit, ...query }: LedgerPageQuery): Promise<LedgerRow[]> {
    const { branches, values } = this.#conditionsOf(query);
    const afterCondition =
      after === undefined
        ? ''
        : `AND (${positionColumns}) > ($${values.push(after.date)}::date, $${values.push(after.sequence)}::bigint, $${values.push(after.id)}::text)`;
    const limitParameter = `$${values.push(limit)}`;
    const pageOf = (conditions: string): string =>
      `SELECT ${ledgerRowColumns} FROM transaction t WHERE ${conditions} ${afterCondition} ORDER BY ${positionColumns} LIMIT ${writtenPageSize(limit)}`;
    const pages = this.#isMerged(query) ? branches.flatMap((one) => mergedPages(one, pageOf)) : branches.map(pageOf);
    const text = `SELECT * FROM (${pages.map((page) => `(${page})`).join(' UNION ALL ')}) t
      ORDER BY ${positionColumns} LIMIT ${limitParameter}`;
    const statement = memoizedText<LedgerRow>('ledger', text);
    // The planner knows how many rows a client has on average, not how many this one has.
    const planned = this.#isMerged(query) ? { ...statement, plan: 'index-order' as const } : statement;
    return (await this.#run(planned, values)).rows;
  }

  /** Whether rows are read client by client: where the visible clients are listed, and no place leads to one of them. */
  #isMerged({ account, depository }: LedgerQuery): boolean {
    const { kind } = this.#scope.visibleClients;
    return (kind === 'tree' || kind === 'some') && account === undefined && depository === undefined;
  }

  async count(query: LedgerQuery): Promise<number> {
    const { branches, values } = this.#conditionsOf(query);
    const parts = branches.map((conditions) => `(SELECT count(*) FROM transaction t WHERE ${conditions})`);
    const statement = memoizedText<{ count: number }>('ledger', `SELECT (${parts.join(' + ')})::bigint AS count`);
    return countIn(await this.#run(statement, values));
  }

  /** Builds branches that each use an index in ledger order: one for each side of a row, type or source. The results are merged. */
  #conditionsOf(query: LedgerQuery): { branches: readonly string[]; values: Value[] } {
    const { from, to, account, depository, knownAt, ...equal } = query;
    const values: Value[] = [...tenantFilterValues(this.#scope)];
    const addValue = (value: Value): string => `$${values.push(value)}`;
    const bounds = [
      ...(from === undefined ? [] : [`AND t.date >= ${addValue(from)}::date`]),
      ...(to === undefined ? [] : [`AND t.date <= ${addValue(to)}::date`]),
      ...Object.entries(equal).flatMap(([field, value]) =>
        value === undefined ? [] : [`AND t.${columnOf(transaction, field)} = ${addValue(value)}`],
      ),
    ];
    const byAccount = account === undefined ? [''] : eitherSide('account', addValue(account));
    const byDepository = depository === undefined ? [''] : eitherSide('depository', addValue(depository));
    const filters =
      knownAt === undefined ? [this.#currentFilter()] : this.#knownAtFilters(addValue(endOfMillisecond(knownAt)));
    const bySide = byAccount.flatMap((one) => byDepository.map((other) => `${one} ${other}`));
    const isOfWholeTenant = !this.#isMerged(query) && !hasNarrowIndex(query);
    const forIndex = isOfWholeTenant ? wholeTenantConditions(query, addValue(tenantPrefix(this.#scope))) : [''];
    const parts = bySide.flatMap((side) => forIndex.map((other) => `${side} ${other}`));
    return { branches: filters.flatMap((filter) => parts.map((part) => [filter, ...bounds, part].join(' '))), values };
  }
}
