// Lists of dated values that several sources may speak of: by day, and of each day what counts. Knows no resource.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { AnyChange, AnyRecord, Resource } from '../../kit/resource.ts';
import { dataSources, type DataSource } from '../../model/instrument/dated-value-fields.ts';
import type { Scope } from '../../model/access/scope.ts';
import type { Run } from '../postgres/statement-runner.ts';
import {
  sourcePrecedenceSql,
  columnOf,
  withoutVersionFilter,
  fieldConditions,
  knownAtBranches,
  storedColumns,
  tenantFilterValues,
  tenantFilterSql,
} from '../resources/resource-sql.ts';
import { memoizedText, type Value } from '../postgres/statement.ts';

export interface DatedQuery {
  readonly where: AnyChange;
  /** Inclusive, both. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** Those of this source; else of each day the one that counts. */
  readonly source?: DataSource | undefined;
  /** As they were known then; now, where there is none. */
  readonly knownAt?: number | undefined;
}

export interface DatedPageQuery extends DatedQuery {
  /** Only what comes after the thing with this series and day. */
  readonly after?: readonly string[] | undefined;
  readonly limit: number;
}

/** The fields by which a list is in order: what makes a series, and the day. */
function orderFields(resource: Resource): readonly string[] {
  return resource.versions!.key.filter((field) => field !== 'source');
}

/** Where in its list a thing stands. */
export function datedPosition(resource: Resource, record: AnyRecord): readonly string[] {
  return orderFields(resource).map((field) => record[field] as string);
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
    // Of each day there is at most one of each source, so that so many rows of each way hold the whole page.
    const rows = filters.map(
      (filter) => `(SELECT t.* FROM ${this.#resource.table} t WHERE ${filter} ${continued}
        ORDER BY ${order.join(', ')} LIMIT $${next}::bigint * ${dataSources.length})`,
    );
    const [from, rest] =
      rows.length === 1
        ? [this.#resource.table, `WHERE ${filters.join('')} ${continued}`]
        : [`(${rows.join(' UNION ALL ')})`, ''];
    const statement = memoizedText<R>(
      'dated-values',
      `SELECT ${distinct} ${storedColumns(this.#resource, this.#fields)} FROM ${from} t ${rest}
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
    return (await this.#run(statement, values)).rows[0]!.count;
  }

  #orderColumns(): string[] {
    return orderFields(this.#resource).map((field) => `t.${columnOf(this.#resource, field)}`);
  }

  /** What is known now is found in one way, what was known then in two. */
  #conditionsOf({ where, start, end, source, knownAt }: DatedQuery): { filters: readonly string[]; values: Value[] } {
    const { visibleClients } = this.#scope;
    const values: Value[] = [...tenantFilterValues(this.#scope)];
    const byFields = fieldConditions(this.#resource, { ...where, ...(source ? { source } : {}) }, values.length + 1);
    values.push(...byFields.values);
    const bounds = [['>=', start] as const, ['<=', end] as const].flatMap(([comparison, date]) =>
      date === undefined ? [] : [`AND t.date ${comparison} $${values.push(date)}::date`],
    );
    const rest = [byFields.conditions, ...bounds].join(' ');
    if (knownAt === undefined)
      return { filters: [`${tenantFilterSql(this.#resource, visibleClients.kind)} ${rest}`], values };
    const tenantFilter = tenantFilterSql(withoutVersionFilter(this.#resource), visibleClients.kind);
    const moment = `$${values.push(new Date(knownAt))}`;
    return { filters: knownAtBranches(moment).map((known) => `${tenantFilter} ${known} ${rest}`), values };
  }
}
