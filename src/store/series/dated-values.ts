// Lists of dated values that several sources may speak of: by day, and of each day what counts. Knows no resource.

import type { AnyChange, AnyRecord, Resource } from '../../kit/resource.ts';
import { sources, type Source } from '../../model/instrument/dated-value-fields.ts';
import type { Reach } from '../../model/access/scope.ts';
import type { Run } from '../postgres/database.ts';
import {
  bySource,
  columnOf,
  everyVersionOf,
  foundByFields,
  knownThen,
  storedColumns,
  wallOf,
  within,
  type View,
} from '../resources/resource-sql.ts';
import { rememberedText, type Value } from '../postgres/statement.ts';

export interface DatedQuery {
  readonly where: AnyChange;
  /** Inclusive, both. */
  readonly start?: string | undefined;
  readonly end?: string | undefined;
  /** Those of this source; else of each day the one that counts. */
  readonly source?: Source | undefined;
  /** As they were known then; now, where there is none. */
  readonly knownAt?: number | undefined;
}

export interface DatedPageQuery extends DatedQuery {
  /** Only what comes after the thing with this series and day. */
  readonly after?: readonly string[] | undefined;
  readonly limit: number;
}

/** The fields by which a list is in order: what makes a series, and the day. */
function orderOf(resource: Resource): readonly string[] {
  return resource.versions!.key.filter((field) => field !== 'source');
}

/** Where in its list a thing stands. */
export function placeOf(resource: Resource, record: AnyRecord): readonly string[] {
  return orderOf(resource).map((field) => record[field] as string);
}

export class DatedValues<R extends AnyRecord = AnyRecord> {
  readonly #resource: Resource;
  readonly #reach: Reach;
  readonly #run: Run;
  readonly #view: View;

  constructor(resource: Resource, { reach, run, view }: { reach: Reach; run: Run; view: View }) {
    this.#resource = resource;
    this.#reach = reach;
    this.#run = run;
    this.#view = view;
  }

  async list({ after, limit, ...query }: DatedPageQuery): Promise<R[]> {
    const { ways, values } = this.#conditionsOf(query);
    const order = this.#order();
    const next = values.length + 1;
    const places = after?.map((_, index) => `$${next + 1 + index}${order[index] === 't.date' ? '::date' : ''}`);
    const continued = places === undefined ? '' : `AND (${order.join(', ')}) > (${places.join(', ')})`;
    const [distinct, last] =
      query.source === undefined ? [`DISTINCT ON (${order.join(', ')})`, [bySource('t')]] : ['', []];
    // Of each day there is at most one of each source, so that so many rows of each way hold the whole page.
    const rows = ways.map(
      (way) => `(SELECT t.* FROM ${this.#resource.table} t WHERE ${way} ${continued}
        ORDER BY ${order.join(', ')} LIMIT $${next}::bigint * ${sources.length})`,
    );
    const [from, rest] =
      rows.length === 1
        ? [this.#resource.table, `WHERE ${ways.join('')} ${continued}`]
        : [`(${rows.join(' UNION ALL ')})`, ''];
    const statement = rememberedText<R>(
      'dated-values',
      `SELECT ${distinct} ${storedColumns(this.#resource, this.#view)} FROM ${from} t ${rest}
       ORDER BY ${[...order, ...last].join(', ')} LIMIT $${next}::bigint`,
    );
    return (await this.#run(statement, [...values, limit, ...(after ?? [])])).rows;
  }

  async count(query: Omit<DatedQuery, 'knownAt'>): Promise<number> {
    const { ways, values } = this.#conditionsOf(query);
    const statement = rememberedText<{ count: number }>(
      'dated-values',
      `SELECT count(*) AS count FROM (SELECT DISTINCT ${this.#order().join(', ')} FROM ${this.#resource.table} t
       WHERE ${ways.join('')}) days`,
    );
    return (await this.#run(statement, values)).rows[0]!.count;
  }

  #order(): string[] {
    return orderOf(this.#resource).map((field) => `t.${columnOf(this.#resource, field)}`);
  }

  /** What is known now is found in one way, what was known then in two. */
  #conditionsOf({ where, start, end, source, knownAt }: DatedQuery): { ways: readonly string[]; values: Value[] } {
    const { sight } = this.#reach;
    const values: Value[] = [...wallOf(this.#reach)];
    const byFields = foundByFields(this.#resource, { ...where, ...(source ? { source } : {}) }, values.length + 1);
    values.push(...byFields.values);
    const bounds = [['>=', start] as const, ['<=', end] as const].flatMap(([comparison, date]) =>
      date === undefined ? [] : [`AND t.date ${comparison} $${values.push(date)}::date`],
    );
    const rest = [byFields.conditions, ...bounds].join(' ');
    if (knownAt === undefined) return { ways: [`${within(this.#resource, sight.kind)} ${rest}`], values };
    const wall = within(everyVersionOf(this.#resource), sight.kind);
    const moment = `$${values.push(new Date(knownAt))}`;
    return { ways: knownThen(moment).map((known) => `${wall} ${known} ${rest}`), values };
  }
}
