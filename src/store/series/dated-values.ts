// Lists dated values that several sources may provide: by day, with the value of the preferred source for each day.

import { append } from '../../kit/memory/long-list.ts';
import { assert, defined } from '../../kit/assert.ts';
import type { FieldSelection } from '../../kit/field-selection.ts';
import type { AnyChange, AnyRecord, Resource } from '../../kit/resource.ts';
import { dataSources, type DataSource } from '../../model/instrument/dated-value-fields.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond, knownAtBranches } from '../resources/known-at-sql.ts';
import { fieldConditions } from '../resources/field-conditions.ts';
import {
  sourcePrecedenceSql,
  columnOf,
  withoutVersionFilter,
  storedColumns,
  tenantFilterValues,
  tenantFilterSql,
} from '../resources/resource-sql.ts';
import { countIn, memoizedText, type Value } from '../postgres/statement.ts';

export interface DatedQuery {
  readonly where: AnyChange;
  /** Both days are included. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** Only values of this source; the preferred source of each day when absent. */
  readonly source?: DataSource | undefined;
  /** Reads what was known at this moment; what is known now when absent. */
  readonly knownAt?: number | undefined;
}

export interface DatedPageQuery extends DatedQuery {
  /** Only values after this position: the fields of the series, then the day. */
  readonly after?: readonly string[] | undefined;
  readonly limit: number;
}

/** The fields that a list is sorted by: the key of the series, then the day. */
function orderFields(resource: Resource): readonly string[] {
  return defined(resource.versions, 'dated values are kept in versions').key.filter((field) => field !== 'source');
}

/** The position of a record in its list. */
export function datedPosition(resource: Resource, record: AnyRecord): readonly string[] {
  return orderFields(resource).map((field) => {
    const value = record[field];
    assert(typeof value === 'string', 'lists of dated values are sorted by texts');
    return value;
  });
}

export class DatedValues<R extends AnyRecord = AnyRecord> {
  readonly #resource: Resource;
  readonly #scope: Scope;
  readonly #run: Run;
  readonly #fields: FieldSelection;

  constructor(resource: Resource, { scope, run, fields }: { scope: Scope; run: Run; fields: FieldSelection }) {
    this.#resource = resource;
    this.#scope = scope;
    this.#run = run;
    this.#fields = fields;
  }

  async list({ after, limit, ...query }: DatedPageQuery): Promise<R[]> {
    const { filters, values } = this.#conditionsOf(query);
    const order = this.#orderColumns();
    const next = values.length + 1;
    const positionParameters = after?.map(
      (_, index) => `$${next + 1 + index}${order[index] === 't.date' ? '::date' : ''}`,
    );
    const continued =
      positionParameters === undefined ? '' : `AND (${order.join(', ')}) > (${positionParameters.join(', ')})`;
    const [distinct, last] =
      query.source === undefined ? [`DISTINCT ON (${order.join(', ')})`, [sourcePrecedenceSql('t')]] : ['', []];
    // A day has at most one value of each source, so this many rows of each branch contain the whole page. Without this, PostgreSQL 15 reads all
    // values to find the first days.
    const rows = filters.map(
      (filter) => `(SELECT t.* FROM ${this.#resource.table} t WHERE ${filter} ${continued}
        ORDER BY ${order.join(', ')} LIMIT $${next}::bigint * ${dataSources.length})`,
    );
    const statement = memoizedText<R>(
      'dated-values',
      `SELECT ${distinct} ${storedColumns(this.#resource, this.#fields)} FROM (${rows.join(' UNION ALL ')}) t
       ORDER BY ${[...order, ...last].join(', ')} LIMIT $${next}::bigint`,
    );
    return (await this.#run(statement, [...values, limit, ...(after ?? [])])).rows;
  }

  async count(query: Omit<DatedQuery, 'knownAt'>): Promise<number> {
    const { filters, values } = this.#conditionsOf(query);
    const statement = memoizedText<{ count: number }>(
      'dated-values',
      `SELECT count(*) AS count FROM (SELECT DISTINCT ${this.#orderColumns().join(', ')} FROM ${this.#resource.table} t
       WHERE ${filters.join('')}) days`,
    );
    return countIn(await this.#run(statement, values));
  }

  #orderColumns(): string[] {
    return orderFields(this.#resource).map((field) => `t.${columnOf(this.#resource, field)}`);
  }

  /** Builds one filter for what is known now, two branches for what was known at a moment. */
  #conditionsOf({ where, start, end, source, knownAt }: DatedQuery): { filters: readonly string[]; values: Value[] } {
    const { visibleClients } = this.#scope;
    const values: Value[] = [...tenantFilterValues(this.#scope)];
    const byFields = fieldConditions(this.#resource, { ...where, ...(source ? { source } : {}) }, values.length + 1);
    append(values, byFields.values);
    const bounds = [['>=', start] as const, ['<=', end] as const].flatMap(([comparison, date]) =>
      date === undefined ? [] : [`AND t.date ${comparison} $${values.push(date)}::date`],
    );
    const rest = [byFields.conditions, ...bounds].join(' ');
    if (knownAt === undefined)
      return { filters: [`${tenantFilterSql(this.#resource, visibleClients.kind)} ${rest}`], values };
    const tenantFilter = tenantFilterSql(withoutVersionFilter(this.#resource), visibleClients.kind);
    const moment = `$${values.push(endOfMillisecond(knownAt))}`;
    return { filters: knownAtBranches(moment).map((known) => `${tenantFilter} ${known} ${rest}`), values };
  }
}
