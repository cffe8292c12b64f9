// The SQL of any declared resource: read, list, insert, update, delete, count what keeps it, all within a reach.

import type { Id } from '../kit/id.ts';
import {
  isToMany,
  snakeCase,
  type AnyChange,
  type AnyRecord,
  type Keeper,
  type Resource,
  type ToMany,
  type WireName,
} from '../kit/resource.ts';
import type { Reach, Sight } from '../model/reach.ts';
import { sql, type Statement, type Value } from './statement.ts';
import type { Run } from './database.ts';

export interface ListQuery {
  /** Fields that must have a given value. */
  readonly where?: AnyChange;
  /** Only what comes after this id in the order of the list. */
  readonly after?: string;
  readonly limit: number;
  readonly order?: 'oldest-first' | 'newest-first';
}

export interface Remaining {
  readonly one: string;
  readonly several: string;
  readonly count: number;
}

/** Where a field is kept: to-one relations in `<name>_id`. */
function columnOf(resource: Resource, field: string): string {
  const relation = resource.relations[field];
  return relation && !isToMany(relation) ? `${snakeCase(field)}_id` : snakeCase(field);
}

function inverse({ many }: ToMany): string {
  return `ARRAY(SELECT r.id FROM ${many.table} r WHERE r.workspace_id = t.workspace_id
    AND r.environment = t.environment AND r.${many.column} = t.id ORDER BY r.id)`;
}

/** Which wire the rows are for: it alone decides which other ends of relations are looked up. */
export type View = WireName | null;

function storedColumns(resource: Resource): string {
  const toOne = Object.keys(resource.relations).filter((name) => !isToMany(resource.relations[name]!));
  const stored = [...Object.keys(resource.attributes), ...toOne];
  return ['t.id', ...stored.map((field) => `t.${columnOf(resource, field)} AS "${field}"`)].join(', ');
}

function inversesOf(resource: Resource, view: View): [name: string, ToMany][] {
  const relations = Object.entries(resource.relations);
  return relations.filter(
    (one): one is [string, ToMany] => isToMany(one[1]) && view !== null && one[1].on.includes(view),
  );
}

/** Of one row. */
function selectList(resource: Resource, view: View): string {
  const inverses = inversesOf(resource, view).map(([name, relation]) => `${inverse(relation)} AS "${name}"`);
  return [storedColumns(resource), ...inverses].join(', ');
}

/** Of many rows: the other ends of their relations are gathered for all of them together. */
function withInverses(page: string, resource: Resource, view: View, direction: string): string {
  const inverses = inversesOf(resource, view);
  if (inverses.length === 0) return page;
  const arrays = inverses.map(([name], index) => `coalesce(r${index}.ids, '{}') AS "${name}"`);
  const joins = inverses.map(
    (
      [, { many }],
      index,
    ) => `LEFT JOIN (SELECT r.${many.column} AS one, array_agg(r.id ORDER BY r.id) AS ids FROM ${many.table} r
      WHERE r.workspace_id = $1 AND r.environment = $2 AND r.${many.column} IN (SELECT id FROM page) GROUP BY 1) r${index}
      ON r${index}.one = page.id`,
  );
  return `WITH page AS MATERIALIZED (${page}) SELECT page.*, ${arrays.join(', ')} FROM page ${joins.join(' ')}
    ORDER BY page.id ${direction}`;
}

/** The first wall: the caller's workspace, environment and clients, in every statement. $1 to $3 are always these. */
function within(resource: Resource, sight: Sight['kind']): string {
  const tenant = `t.workspace_id = $1 AND t.environment = $2`;
  const kept = Object.entries(resource.only ?? {}).map(
    ([column, words]) => `AND t.${column} IN (${words.map((word) => `'${word}'`).join(', ')})`,
  );
  return [tenant, ...kept, seen(resource, sight)].join(' ');
}

function seen({ owner }: Resource, sight: Sight['kind']): string {
  if (sight === 'all') return 'AND $3::text IS NULL';
  const column = owner === 'self' ? 't.id' : `t.${owner.column}`;
  if (sight === 'only') return `AND ${column} = $3`;
  if (owner === 'self') return 'AND t.path @> ARRAY[$3::text]';
  return `AND ${column} IN (SELECT c.id FROM client c
    WHERE c.workspace_id = $1 AND c.environment = $2 AND c.path @> ARRAY[$3::text])`;
}

/** Statements are made once for each resource, kind of sight and shape of question. */
const statements = new Map<string, Statement<any>>();

function remembered<Row>(name: string, text: () => string): Statement<Row> {
  let statement = statements.get(name);
  if (statement === undefined) statements.set(name, (statement = sql<Row>(name, text())));
  return statement as Statement<Row>;
}

/** A field's value as its column takes it. */
function toColumn(value: unknown): Value {
  if (value === undefined || value === null) return null;
  if (Array.isArray(value) || Buffer.isBuffer(value) || value instanceof Date) return value;
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}

/** The rows of one resource, as far as one reach goes. */
export class Table<R extends AnyRecord = AnyRecord> {
  readonly #resource: Resource;
  readonly #reach: Reach;
  readonly #run: Run;
  readonly #wall: readonly [string, string, string | null];
  readonly #name: string;
  readonly #view: View;

  constructor(resource: Resource, { reach, run, view }: { reach: Reach; run: Run; view: View }) {
    this.#resource = resource;
    this.#view = view;
    this.#reach = reach;
    this.#run = run;
    this.#wall = [reach.workspaceId, reach.environment, reach.sight.kind === 'all' ? null : reach.sight.clientId];
    this.#name = `${resource.type}/${reach.sight.kind}/${view ?? ''}`;
  }

  async find(id: string): Promise<R | undefined> {
    return this.#findOne('find', '', id);
  }

  /** The row, held until the transaction ends: nothing that refers to it can come into being meanwhile. */
  async lock(id: string): Promise<R | undefined> {
    return this.#findOne('lock', 'FOR UPDATE OF t', id);
  }

  async #findOne(verb: string, suffix: string, id: string): Promise<R | undefined> {
    const resource = this.#resource;
    const statement = remembered<R>(
      `${this.#name}/${verb}`,
      () =>
        `SELECT ${selectList(resource, this.#view)} FROM ${resource.table} t
         WHERE ${within(resource, this.#reach.sight.kind)} AND t.id = $4 ${suffix}`,
    );
    return (await this.#run(statement, [...this.#wall, id])).rows[0];
  }

  async list({ where = {}, after, limit, order = 'oldest-first' }: ListQuery): Promise<R[]> {
    const fields = Object.keys(where).toSorted();
    const name = `${this.#name}/list/${order}/${after === undefined ? '' : 'after'}/${fields.join()}`;
    const made = remembered<R>(name, () => this.#listText(fields, order, after !== undefined));
    const isSetWise = inversesOf(this.#resource, this.#view).length > 0;
    const statement = isSetWise ? { ...made, isSetWise } : made;
    const values = [...this.#wall, limit, ...fields.map((field) => toColumn(where[field]))];
    return (await this.#run(statement, after === undefined ? values : [...values, after])).rows;
  }

  #listText(fields: readonly string[], order: 'oldest-first' | 'newest-first', continued: boolean): string {
    const resource = this.#resource;
    const filters = fields.map((field, index) => `AND t.${columnOf(resource, field)} = $${5 + index}`);
    const [comparison, direction] = order === 'oldest-first' ? ['>', 'ASC'] : ['<', 'DESC'];
    const position = continued ? `AND t.id ${comparison} $${5 + fields.length}` : '';
    const page = `SELECT ${storedColumns(resource)} FROM ${resource.table} t
      WHERE ${within(resource, this.#reach.sight.kind)} ${filters.join(' ')} ${position}
      ORDER BY t.id ${direction} LIMIT $4`;
    return withInverses(page, resource, this.#view, direction);
  }

  async count(where: AnyChange = {}): Promise<number> {
    const resource = this.#resource;
    const fields = Object.keys(where).toSorted();
    const statement = remembered<{ count: number }>(`${this.#name}/count/${fields.join()}`, () => {
      const filters = fields.map((field, index) => `AND t.${columnOf(resource, field)} = $${4 + index}`);
      return `SELECT count(*) AS count FROM ${resource.table} t
        WHERE ${within(resource, this.#reach.sight.kind)} ${filters.join(' ')}`;
    });
    const { rows } = await this.#run(statement, [...this.#wall, ...fields.map((field) => toColumn(where[field]))]);
    return rows[0]?.count ?? 0;
  }

  async insert(id: Id, fields: AnyChange): Promise<void> {
    const resource = this.#resource;
    const names = Object.keys(fields).toSorted();
    const statement = remembered(`${this.#name}/insert/${names.join()}`, () => {
      const columns = names.map((field) => columnOf(resource, field));
      return `INSERT INTO ${resource.table} (workspace_id, environment, id, ${columns.join(', ')})
        VALUES ($1, $2, $3, ${columns.map((_, index) => `$${4 + index}`).join(', ')})`;
    });
    const [workspaceId, environment] = this.#wall;
    await this.#run(statement, [workspaceId, environment, id, ...names.map((name) => toColumn(fields[name]))]);
  }

  async update(id: string, fields: AnyChange): Promise<void> {
    const resource = this.#resource;
    const names = Object.keys(fields).toSorted();
    if (names.length === 0) return;
    const statement = remembered(`${this.#name}/update/${names.join()}`, () => {
      const changes = names.map((field, index) => `${columnOf(resource, field)} = $${5 + index}`);
      return `UPDATE ${resource.table} t SET ${changes.join(', ')}
        WHERE ${within(resource, this.#reach.sight.kind)} AND t.id = $4`;
    });
    await this.#run(statement, [...this.#wall, id, ...names.map((name) => toColumn(fields[name]))]);
  }

  async delete(id: string): Promise<void> {
    const resource = this.#resource;
    const statement = remembered(
      `${this.#name}/delete`,
      () => `DELETE FROM ${resource.table} t WHERE ${within(resource, this.#reach.sight.kind)} AND t.id = $4`,
    );
    await this.#run(statement, [...this.#wall, id]);
  }

  /** What keeps a thing from being deleted, counted over the whole workspace: a caller's sight must not hide it. */
  async listRemaining(id: string, keepers: readonly Keeper[]): Promise<Remaining[]> {
    const statement = remembered<Remaining>(`${this.#resource.type}/remaining`, () =>
      keepers
        .map(
          ({
            one,
            several,
            table,
            column,
          }) => `SELECT '${one}' AS one, '${several}' AS several, count(*) AS count FROM ${table}
            WHERE workspace_id = $1 AND environment = $2 AND ${column} = $3 HAVING count(*) > 0`,
        )
        .join(' UNION ALL '),
    );
    const [workspaceId, environment] = this.#wall;
    return (await this.#run(statement, [workspaceId, environment, id])).rows;
  }
}
