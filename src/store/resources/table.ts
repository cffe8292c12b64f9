// The rows of any declared resource within a scope: read, listed, inserted, updated, deleted, and counted where they block a deletion.

import type { FieldSelection } from '../../kit/field-selection.ts';
import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange, AnyRecord, DeleteBlocker, Resource, ToMany } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import { deleteBlockersSql, type DeleteBlockerCount } from './delete-blockers.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { endOfMillisecond, wasKnownAt } from './known-at-sql.ts';
import { fieldConditions } from './field-conditions.ts';
import { insertCall, replaceSetCall, splitFields } from './new-records.ts';
import {
  columnOf,
  withoutVersionFilter,
  ownerColumn,
  selectList,
  selectedSets,
  selectionLabel,
  storedColumns,
  toColumn,
  tenantFilterValues,
  knownToCallerSql,
  returningSql,
  tenantFilterSql,
  type TenantFilterValues,
} from './resource-sql.ts';
import {
  countIn,
  arrayOfAnyLength,
  memoized,
  writtenPageSize,
  type Statement,
  type Value,
} from '../postgres/statement.ts';
import { withSetsJoined, withSetsPerRow } from './pages-with-sets.ts';
import { isOfOneClient, mergedColumn, visiblePageSql, type VisiblePage } from './visible-pages.ts';
import { anyWords, wordConditions, putSearchWords, type WordQuery } from './search-words.ts';

export interface ListQuery {
  /** The values that fields must have. */
  readonly where?: AnyChange;
  readonly words?: WordQuery;
  /** Lists only records after this id, in the order of the list. */
  readonly after?: string;
  readonly limit: number;
  readonly order?: 'oldest-first' | 'newest-first';
}

/** What the text of a list statement depends on. `sets`: to-many relations are looked up per row, joined for all rows, or left out. */
interface ListShape {
  readonly order: 'oldest-first' | 'newest-first';
  readonly sets: 'none' | 'of-each' | 'of-all';
  readonly isContinued: boolean;
  readonly filters: string;
  /** The number of the first parameter after the filters' own. */
  readonly position: number;
  readonly isOfOneClient: boolean;
  readonly merged: VisiblePage['merged'];
  readonly size: number;
}

/** Up to this many rows, looking up the relations of each is cheaper than joining whole tables. */
const rowByRowMax = 500;

/** A record that another one refers to. */
interface LockedRecord {
  readonly id: Id;
  readonly client: Id | null;
}

/** The rows of one resource within a scope. */
export class Table<R extends AnyRecord = AnyRecord> {
  readonly #resource: Resource;
  protected readonly scope: Scope;
  protected readonly run: Run;
  readonly #filterValues: TenantFilterValues;
  readonly #name: string;
  protected readonly fields: FieldSelection;

  constructor(resource: Resource, { scope, run, fields }: { scope: Scope; run: Run; fields: FieldSelection }) {
    this.#resource = resource;
    this.fields = fields;
    this.scope = scope;
    this.run = run;
    this.#filterValues = tenantFilterValues(scope);
    this.#name = `${resource.type}/${scope.visibleClients.kind}/${selectionLabel(resource, fields)}`;
  }

  /** Finds the current version of a record, or the one that was known at a moment. */
  async find(id: string, knownAt?: number): Promise<R | undefined> {
    const resource = knownAt === undefined ? this.#resource : withoutVersionFilter(this.#resource);
    const statement = memoized<R>(
      `${this.#name}/find/${knownAt === undefined ? '' : 'then'}`,
      () =>
        `SELECT ${selectList(resource, this.fields)} FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.scope.visibleClients.kind)} AND t.id = $4
         ${knownAt === undefined ? '' : `AND ${wasKnownAt('$5')}`}`,
      { isByKey: true },
    );
    const moment = knownAt === undefined ? [] : [endOfMillisecond(knownAt)];
    return (await this.run(statement, [...this.#filterValues, id, ...moment])).rows[0];
  }

  /**
   * Locks a row until the transaction ends: no other transaction can change it or, if it is to be deleted, refer to it. The row is read
   * after the lock, since a row read while waiting would miss what others have done to its links.
   */
  async lock(id: string, purpose: 'to-change' | 'to-delete'): Promise<R | undefined> {
    const resource = this.#resource;
    const strength = purpose === 'to-change' ? 'FOR NO KEY UPDATE OF t' : 'FOR UPDATE OF t';
    const statement = memoized(
      `${this.#name}/${purpose}`,
      () =>
        `SELECT FROM ${resource.table} t WHERE ${tenantFilterSql(resource, this.scope.visibleClients.kind)} AND t.id = $4 ${strength}`,
    );
    this.run.enqueue(statement, [...this.#filterValues, id]);
    return this.find(id);
  }

  /** The ids that exist within the scope, and that the caller may know to exist. */
  async listVisibleIds(ids: readonly string[]): Promise<Id[]> {
    const resource = this.#resource;
    const statement = memoized<{ id: Id }>(
      `${this.#name}/seen`,
      () =>
        `SELECT t.id FROM ${resource.table} t
         WHERE ${knownToCallerSql(resource, this.scope.visibleClients.kind)} AND t.id = ANY (${arrayOfAnyLength('$4')}) ORDER BY t.id`,
    );
    return (await this.run(statement, [...this.#filterValues, ids])).rows.map(({ id }) => id);
  }

  /** The ids that exist within the scope, each with its client, protected from deletion until the transaction ends. */
  async lockReferenced(ids: readonly string[]): Promise<LockedRecord[]> {
    const resource = this.#resource;
    const statement = memoized<LockedRecord>(
      `${this.#name}/hold`,
      () =>
        `SELECT t.id, ${ownerColumn(resource) ?? 'NULL'} AS client FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.scope.visibleClients.kind)} AND t.id = ANY (${arrayOfAnyLength('$4')}) ORDER BY t.id FOR KEY SHARE OF t`,
    );
    return (await this.run(statement, [...this.#filterValues, ids])).rows;
  }

  /** Like `lockReferenced`, with all stored fields. */
  async lockReferencedRecords(ids: readonly string[]): Promise<R[]> {
    const resource = this.#resource;
    const statement = memoized<R>(
      `${this.#name}/hold-records`,
      () =>
        `SELECT ${storedColumns(resource, this.fields)} FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.scope.visibleClients.kind)} AND t.id = ANY (${arrayOfAnyLength('$4')}) ORDER BY t.id FOR KEY SHARE OF t`,
    );
    return (await this.run(statement, [...this.#filterValues, ids])).rows;
  }

  /** Like `lockReferencedRecords`, for the records with these values: of those that others change meanwhile, the ones that still have them. */
  async lockMatchingRecords(where: AnyChange): Promise<R[]> {
    const resource = this.#resource;
    const { conditions, values } = fieldConditions(resource, where, 4);
    const statement = memoized<R>(
      `${this.#name}/hold-matching/${conditions}`,
      () =>
        `SELECT ${storedColumns(resource, this.fields)} FROM ${resource.table} t
         WHERE ${tenantFilterSql(resource, this.scope.visibleClients.kind)} ${conditions} ORDER BY t.id FOR KEY SHARE OF t`,
    );
    return (await this.run(statement, [...this.#filterValues, ...values])).rows;
  }

  async list({ where = {}, words = anyWords, after, limit, order = 'oldest-first' }: ListQuery): Promise<R[]> {
    const resource = this.#resource;
    const sets = selectedSets(resource, this.fields).length === 0 ? 'none' : limit > rowByRowMax ? 'of-all' : 'of-each';
    const byFields = fieldConditions(resource, where, 5);
    const byWords = wordConditions(resource, words, 5 + byFields.values.length);
    const [filters, size] = [`${byFields.conditions} ${byWords.conditions}`, writtenPageSize(limit)];
    const values = [...this.#filterValues, limit, ...byFields.values, ...byWords.values];
    const name = `${this.#name}/list/${order}/${after === undefined ? '' : 'after'}/${sets}/${size}/${filters}`;
    const paging = { order, isContinued: after !== undefined, position: values.length + 1, size } as const;
    const merged = mergedColumn(resource, where);
    const shape = { ...paging, sets, filters, isOfOneClient: isOfOneClient(resource, where), merged } as const;
    const listStatement = memoized<R>(name, () => this.#listSql(shape));
    const statement = sets === 'of-all' ? { ...listStatement, plan: 'set-wise' as const } : listStatement;
    return (await this.run(statement, [...values, ...(after === undefined ? [] : [after])])).rows;
  }

  #listSql(shape: ListShape): string {
    const { order, sets, isContinued, filters, position } = shape;
    const resource = this.#resource;
    const [comparison, direction] = order === 'oldest-first' ? ['>', 'ASC'] : ['<', 'DESC'];
    const continued = isContinued ? `AND t.id ${comparison} $${position}` : '';
    const page = visiblePageSql({
      table: resource,
      visibleClients: this.scope.visibleClients.kind,
      columns: storedColumns(resource, this.fields),
      conditions: `${filters} ${continued}`,
      order: `t.id ${direction}`,
      limit: '$4',
      size: shape.size,
      isOfOneClient: shape.isOfOneClient,
      merged: shape.merged,
    });
    if (sets === 'none') return page;
    return (sets === 'of-all' ? withSetsJoined : withSetsPerRow)(page, resource, this.fields, direction);
  }

  async count(where: AnyChange = {}): Promise<number> {
    const resource = this.#resource;
    const { conditions, values } = fieldConditions(resource, where, 4);
    const statement = memoized<{ count: number }>(
      `${this.#name}/count/${conditions}`,
      () => `SELECT count(*) AS count FROM ${resource.table} t
        WHERE ${tenantFilterSql(resource, this.scope.visibleClients.kind)} ${conditions}`,
    );
    return countIn(await this.run(statement, [...this.#filterValues, ...values]));
  }

  /** Returns the inserted row. */
  async insert(id: Id, fields: AnyChange): Promise<R> {
    const { columns: names, sets } = splitFields(this.#resource, fields);
    const selected = storedColumns(this.#resource, this.fields);
    const { rows } = await this.run(...this.#insertCall({ id, fields, names }, selected));
    const record = defined(rows[0], 'an insert returns its row');
    putSearchWords(this.run, this.scope, { resource: this.#resource, record, isNew: true });
    const empty = Object.fromEntries(selectedSets(this.#resource, this.fields).map(([name]) => [name, []]));
    return { ...record, ...empty, ...(await this.#replaceSets(id, sets, fields)) };
  }

  /** Enqueues an insert: it goes with the next statement, or with the commit. */
  append(id: Id, fields: AnyChange): void {
    this.run.enqueue(...this.#insertCall({ id, fields, names: Object.keys(fields).toSorted() }));
  }

  #insertCall(row: Parameters<typeof insertCall>[1], selected?: string): [Statement<R>, Value[]] {
    return insertCall({ resource: this.#resource, name: this.#name, scope: this.scope }, row, selected);
  }

  /** Returns the updated row. */
  async update(id: string, fields: AnyChange): Promise<R> {
    const resource = this.#resource;
    const { columns: names, sets } = splitFields(resource, fields);
    const replaced = await this.#replaceSets(id, sets, fields);
    if (names.length === 0) return (await this.find(id)) ?? throwMovedAway();
    const statement = memoized<R>(`${this.#name}/update/${names.join()}`, () => {
      const changes = names.map((field, index) => `${columnOf(resource, field)} = $${5 + index}`);
      const filter = tenantFilterSql(resource, this.scope.visibleClients.kind, 'to-change');
      const update = `UPDATE ${resource.table} t SET ${changes.join(', ')} WHERE ${filter} AND t.id = $4`;
      return returningSql(update, selectList(resource, this.fields));
    });
    const values = names.map((name) => toColumn(fields[name], resource, name));
    const [row] = (await this.run(statement, [...this.#filterValues, id, ...values])).rows;
    if (row === undefined) return throwMovedAway();
    putSearchWords(this.run, this.scope, { resource, record: row, isNew: false });
    return { ...row, ...replaced };
  }

  async #replaceSets(id: string, sets: readonly [string, ToMany][], fields: AnyChange): Promise<AnyChange> {
    const replaced: Record<string, readonly Id[]> = {};
    for (const set of sets) {
      const ids = (fields[set[0]] as readonly Id[]).toSorted();
      await this.run(...replaceSetCall({ resource: this.#resource, scope: this.scope }, set, { id, ids }));
      replaced[set[0]] = ids;
    }
    return replaced;
  }

  async delete(id: string): Promise<void> {
    const resource = this.#resource;
    const statement = memoized(
      `${this.#name}/delete`,
      () => `DELETE FROM ${resource.table} t
        WHERE ${tenantFilterSql(resource, this.scope.visibleClients.kind, 'to-change')} AND t.id = $4`,
    );
    if ((await this.run(statement, [...this.#filterValues, id])).count === 0) throwMovedAway();
  }

  /** Counts what blocks a deletion in the whole workspace, including what the caller cannot see. */
  async listDeleteBlockers(id: string, deleteBlockers: readonly DeleteBlocker[]): Promise<DeleteBlockerCount[]> {
    if (deleteBlockers.length === 0) return [];
    const name = `${this.#resource.type}/remaining`;
    const statement = memoized<DeleteBlockerCount>(name, () => deleteBlockersSql(deleteBlockers));
    return (await this.run(statement, [this.#filterValues[0], this.#filterValues[1], id])).rows;
  }
}
