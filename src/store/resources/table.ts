// The SQL of any declared resource: read, list, insert, update, delete, count what keeps it, all within a reach.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id } from '../../kit/id.ts';
import {
  isToMany,
  type AnyChange,
  type AnyRecord,
  type DeleteBlocker,
  type Resource,
  type ToMany,
} from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Run } from '../postgres/database.ts';
import {
  columnOf,
  withoutVersionFilter,
  fieldConditions,
  ownerColumn,
  selectList,
  selectedSets,
  selectionLabel,
  storedColumns,
  toColumn,
  tenantFilterValues,
  tenantFilterSql,
  withSetsJoined,
  withSetsPerRow,
  type TenantFilterValues,
  wasKnownAt,
} from './resource-sql.ts';
import { memoized, type Statement, type Value } from '../postgres/statement.ts';
import { anyWords, wordConditions, putSearchWords, type WordQuery } from './search-words.ts';

export interface ListQuery {
  /** Fields that must have a given value; null: none. */
  readonly where?: AnyChange;
  readonly words?: WordQuery;
  /** Only what comes after this id in the order of the list. */
  readonly after?: string;
  readonly limit: number;
  readonly order?: 'oldest-first' | 'newest-first';
}

/** How the other ends of relations come to a list: row by row, for all rows together, or not at all. */
interface ListShape {
  readonly order: 'oldest-first' | 'newest-first';
  readonly sets: 'none' | 'of-each' | 'of-all';
  readonly isContinued: boolean;
  readonly filters: string;
  /** The number of the first parameter after those of the filters. */
  readonly position: number;
}

/** Up to so many rows, looking up the other ends of each is cheaper than joining whole tables. */
const rowByRowMax = 500;

/** A thing that is referred to. */
export interface LockedRecord {
  readonly id: Id;
  readonly client: Id | null;
}

export interface DeleteBlockerCount {
  readonly one: string;
  readonly several: string;
  readonly count: number;
}

/** The rows of one resource, as far as one reach goes. */
export class Table<R extends AnyRecord = AnyRecord> {
  readonly #resource: Resource;
  readonly #scope: Scope;
  readonly #run: Run;
  readonly #filterValues: TenantFilterValues;
  readonly #name: string;
  readonly #fields: FieldSelection;

  constructor(resource: Resource, { scope, run, fields }: { scope: Scope; run: Run; fields: FieldSelection }) {
    this.#resource = resource;
    this.#fields = fields;
    this.#scope = scope;
    this.#run = run;
    this.#filterValues = tenantFilterValues(scope);
    this.#name = `${resource.type}/${scope.visibleClients.kind}/${selectionLabel(resource, fields)}`;
  }

  /** As it is known now; where versions are kept, as it was known then. */
  async find(id: string, knownAt?: number): Promise<R | undefined> {
    const resource = knownAt === undefined ? this.#resource : withoutVersionFilter(this.#resource);
    const statement = memoized<R>(
      `${this.#name}/find/${knownAt === undefined ? '' : 'then'}`,
      () =>
        `SELECT ${selectList(resource, this.#fields)} FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} AND t.id = $4
         ${knownAt === undefined ? '' : `AND ${wasKnownAt('$5')}`}`,
    );
    const moment = knownAt === undefined ? [] : [new Date(knownAt)];
    return (await this.#run(statement, [...this.#filterValues, id, ...moment])).rows[0];
  }

  /**
   * The row, held until the transaction ends: nobody else can change it, or, where it is to go, even refer to it. It is read
   * once it is held: what is read while waiting for others would be without what they have done to its links.
   */
  async lock(id: string, purpose: 'to-change' | 'to-delete'): Promise<R | undefined> {
    const resource = this.#resource;
    const strength = purpose === 'to-change' ? 'FOR NO KEY UPDATE OF t' : 'FOR UPDATE OF t';
    const statement = memoized(
      `${this.#name}/${purpose}`,
      () =>
        `SELECT FROM ${resource.table} t WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} AND t.id = $4 ${strength}`,
    );
    this.#run.enqueue(statement, [...this.#filterValues, id]);
    return this.find(id);
  }

  /** Those of the ids that are there. */
  async listVisibleIds(ids: readonly string[]): Promise<Id[]> {
    const resource = this.#resource;
    const statement = memoized<{ id: Id }>(
      `${this.#name}/seen`,
      () =>
        `SELECT t.id FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} AND t.id = ANY ($4::text[]) ORDER BY t.id`,
    );
    return (await this.#run(statement, [...this.#filterValues, ids])).rows.map(({ id }) => id);
  }

  /** Those of the ids that are there, each with its client, kept from going until the transaction ends. */
  async lockReferenced(ids: readonly string[]): Promise<LockedRecord[]> {
    const resource = this.#resource;
    const statement = memoized<LockedRecord>(
      `${this.#name}/hold`,
      () =>
        `SELECT t.id, ${ownerColumn(resource) ?? 'NULL'} AS client FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} AND t.id = ANY ($4::text[]) ORDER BY t.id FOR KEY SHARE OF t`,
    );
    return (await this.#run(statement, [...this.#filterValues, ids])).rows;
  }

  /** The same with all that is stored of them. */
  async lockReferencedRecords(ids: readonly string[]): Promise<R[]> {
    const resource = this.#resource;
    const statement = memoized<R>(
      `${this.#name}/hold-records`,
      () =>
        `SELECT ${storedColumns(resource, this.#fields)} FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} AND t.id = ANY ($4::text[]) ORDER BY t.id FOR KEY SHARE OF t`,
    );
    return (await this.#run(statement, [...this.#filterValues, ids])).rows;
  }

  async list({ where = {}, words = anyWords, after, limit, order = 'oldest-first' }: ListQuery): Promise<R[]> {
    const resource = this.#resource;
    const hasSets = selectedSets(resource, this.#fields).length > 0;
    const sets = !hasSets ? 'none' : limit > rowByRowMax ? 'of-all' : 'of-each';
    const byFields = fieldConditions(resource, where, 5);
    const byWords = wordConditions(resource, words, 5 + byFields.values.length);
    const filters = `${byFields.conditions} ${byWords.conditions}`;
    const values = [...this.#filterValues, limit, ...byFields.values, ...byWords.values];
    const name = `${this.#name}/list/${order}/${after === undefined ? '' : 'after'}/${sets}/${filters}`;
    const shape = { order, sets, isContinued: after !== undefined, filters, position: values.length + 1 } as const;
    const listStatement = memoized<R>(name, () => this.#listSql(shape));
    const statement = sets === 'of-all' ? { ...listStatement, isSetWise: true as const } : listStatement;
    return (await this.#run(statement, after === undefined ? values : [...values, after])).rows;
  }

  #listSql({ order, sets, isContinued, filters, position }: ListShape): string {
    const resource = this.#resource;
    const [comparison, direction] = order === 'oldest-first' ? ['>', 'ASC'] : ['<', 'DESC'];
    const continued = isContinued ? `AND t.id ${comparison} $${position}` : '';
    const page = `SELECT ${storedColumns(resource, this.#fields)} FROM ${resource.table} t
      WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} ${filters} ${continued}
      ORDER BY t.id ${direction} LIMIT $4`;
    if (sets === 'none') return page;
    return (sets === 'of-all' ? withSetsJoined : withSetsPerRow)(page, resource, this.#fields, direction);
  }

  async count(where: AnyChange = {}): Promise<number> {
    const resource = this.#resource;
    const { conditions, values } = fieldConditions(resource, where, 4);
    const statement = memoized<{ count: number }>(
      `${this.#name}/count/${conditions}`,
      () => `SELECT count(*) AS count FROM ${resource.table} t
        WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} ${conditions}`,
    );
    return (await this.#run(statement, [...this.#filterValues, ...values])).rows[0]?.count ?? 0;
  }

  /** The row as it is then. */
  async insert(id: Id, fields: AnyChange): Promise<R> {
    const { columns, sets } = this.#splitFields(fields);
    const returning = `RETURNING ${storedColumns(this.#resource, this.#fields)}`;
    const { rows } = await this.#run(...this.#insertCall(id, fields, columns, returning));
    putSearchWords(this.#run, this.#scope, { resource: this.#resource, record: rows[0]!, isNew: true });
    const empty = Object.fromEntries(selectedSets(this.#resource, this.#fields).map(([name]) => [name, []]));
    return { ...rows[0]!, ...empty, ...(await this.#replaceSets(id, sets, fields)) };
  }

  /** Inserts a row that nobody waits for: it goes with what is sent next, or with the commit. */
  append(id: Id, fields: AnyChange): void {
    this.#run.enqueue(...this.#insertCall(id, fields, Object.keys(fields).toSorted(), ''));
  }

  #insertCall(id: Id, fields: AnyChange, names: readonly string[], returning: string): [Statement<R>, Value[]] {
    const resource = this.#resource;
    const verb = returning === '' ? 'append' : 'insert';
    const statement = memoized<R>(`${this.#name}/${verb}/${names.join()}`, () => {
      const columns = names.map((field) => columnOf(resource, field));
      return `INSERT INTO ${resource.table} AS t (workspace_id, environment, id, ${columns.join(', ')})
        VALUES ($1, $2, $3, ${columns.map((_, index) => `$${4 + index}`).join(', ')}) ${returning}`;
    });
    const [workspaceId, environment] = this.#filterValues;
    return [statement, [workspaceId, environment, id, ...names.map((name) => toColumn(fields[name], resource, name))]];
  }

  /** The row as it is afterwards. */
  async update(id: string, fields: AnyChange): Promise<R> {
    const resource = this.#resource;
    const { columns: names, sets } = this.#splitFields(fields);
    const replaced = await this.#replaceSets(id, sets, fields);
    if (names.length === 0) return (await this.find(id)) ?? throwMovedAway();
    const statement = memoized<R>(`${this.#name}/update/${names.join()}`, () => {
      const changes = names.map((field, index) => `${columnOf(resource, field)} = $${5 + index}`);
      return `UPDATE ${resource.table} t SET ${changes.join(', ')}
        WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind, 'to-change')} AND t.id = $4
        RETURNING ${selectList(resource, this.#fields)}`;
    });
    const values = names.map((name) => toColumn(fields[name], resource, name));
    const [row] = (await this.#run(statement, [...this.#filterValues, id, ...values])).rows;
    if (row === undefined) return throwMovedAway();
    putSearchWords(this.#run, this.#scope, { resource, record: row, isNew: false });
    return { ...row, ...replaced };
  }

  #splitFields(fields: AnyChange): { columns: string[]; sets: [string, ToMany][] } {
    const { relations } = this.#resource;
    const isSet = (name: string): boolean => relations[name] !== undefined && isToMany(relations[name]);
    const names = Object.keys(fields).toSorted();
    const sets = names.filter(isSet).map((name): [string, ToMany] => [name, relations[name] as ToMany]);
    return { columns: names.filter((name) => !isSet(name)), sets };
  }

  /** Links carry the client of the thing they start from, so that the database refuses those to other clients. */
  async #replaceSets(id: string, sets: readonly [string, ToMany][], fields: AnyChange): Promise<AnyChange> {
    const resource = this.#resource;
    const replaced: Record<string, readonly Id[]> = {};
    for (const [name, { many }] of sets) {
      const { table, column, otherColumn } = many;
      const ids = (fields[name] as readonly Id[]).toSorted();
      const statement = memoized(
        `${this.#name}/replace/${name}`,
        () => `WITH own AS (SELECT t.workspace_id, t.environment, ${ownerColumn(resource)} AS client_id, t.id
            FROM ${resource.table} t WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind)} AND t.id = $4),
          gone AS (DELETE FROM ${table} l USING own WHERE l.workspace_id = own.workspace_id
            AND l.environment = own.environment AND l.${column} = own.id AND l.${otherColumn} <> ALL ($5::text[]))
          INSERT INTO ${table} (workspace_id, environment, client_id, ${column}, ${otherColumn})
          SELECT own.*, other FROM own, unnest($5::text[]) other ORDER BY other ON CONFLICT DO NOTHING`,
      );
      await this.#run(statement, [...this.#filterValues, id, ids]);
      replaced[name] = ids;
    }
    return replaced;
  }

  async delete(id: string): Promise<void> {
    const resource = this.#resource;
    const statement = memoized(
      `${this.#name}/delete`,
      () => `DELETE FROM ${resource.table} t
        WHERE ${tenantFilterSql(resource, this.#scope.visibleClients.kind, 'to-change')} AND t.id = $4`,
    );
    if ((await this.#run(statement, [...this.#filterValues, id])).count === 0) throwMovedAway();
  }

  /** What keeps a thing from being deleted, counted over the whole workspace: a caller's sight must not hide it. */
  async listDeleteBlockers(id: string, deleteBlockers: readonly DeleteBlocker[]): Promise<DeleteBlockerCount[]> {
    if (deleteBlockers.length === 0) return [];
    const statement = memoized<DeleteBlockerCount>(`${this.#resource.type}/remaining`, () =>
      deleteBlockers
        .map(
          ({
            one,
            several,
            table,
            column,
            isCurrent,
          }) => `SELECT '${one}' AS one, '${several}' AS several, count(*) AS count FROM ${table} WHERE workspace_id = $1
            AND ${isCurrent ? 'current_environment' : 'environment'} = $2 AND ${column} = $3 HAVING count(*) > 0`,
        )
        .join(' UNION ALL '),
    );
    const [workspaceId, environment] = this.#filterValues;
    return (await this.#run(statement, [workspaceId, environment, id])).rows;
  }
}
