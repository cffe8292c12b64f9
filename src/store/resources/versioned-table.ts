// Writes records of which every version is stored: a write closes the current version and opens the next, in batches of any size. A write
// that changes nothing makes no version.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange, AnyRecord, Resource } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { fieldConditions } from './field-conditions.ts';
import { columnOf, columnType, endingMomentSql, tenantFilterValues, tenantFilterSql } from './resource-sql.ts';
import { memoized, sql, type Outcome, type Statement, type Value } from '../postgres/statement.ts';

/** The values that all records of a batch share, and columns of those in which they differ, each as long as `ids`. */
export interface VersionBatch {
  readonly ids: readonly string[];
  readonly common: Readonly<Record<string, string | null>>;
  readonly columns: Readonly<Record<string, readonly (string | null)[]>>;
}

/** Selects dated records: those that match the fields, on the days of a range. */
interface DaysToClose {
  readonly where: AnyChange;
  /** Inclusive, both. */
  readonly from: string;
  readonly to: string;
}

const closingMoment = (now: string): string => endingMomentSql(now, 't.known_from');

const lockResource = sql('versions/lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

/** The fields that identify a record across its versions. */
function versionKey({ versions }: Resource): readonly string[] {
  return defined(versions, 'a versioned table declares its key').key;
}

export class VersionedTable {
  readonly #resource: Resource;
  readonly #scope: Scope;
  readonly #run: Run;

  constructor(resource: Resource, { scope, run }: { scope: Scope; run: Run }) {
    this.#resource = resource;
    this.#scope = scope;
    this.#run = run;
  }

  /** Writes a batch and returns how many versions it opened. Of two entries for one record, the later counts. */
  async put(batch: VersionBatch, now: number): Promise<number> {
    return (await this.#put<{ count: number }>(batch, now))?.rows[0]?.count ?? 0;
  }

  /** Like `put`, and returns how many of the versions that it opened have each value of a field. */
  async putCounting(batch: VersionBatch, now: number, field: string): Promise<ReadonlyMap<Id, number>> {
    const rows = (await this.#put<{ value: Id; count: number }>(batch, now, field))?.rows ?? [];
    return new Map(rows.map(({ value, count }) => [value, count]));
  }

  /** Opens the first version of a record that is known not to exist. Sends the statement with the next batch. */
  append(id: Id, fields: AnyChange, now: number): void {
    this.#run.enqueue(...this.#putCall(oneRecord(id, fields), now));
  }

  async #put<Row>(batch: VersionBatch, now: number, countedBy?: string): Promise<Outcome<Row> | undefined> {
    if (batch.ids.length === 0) return undefined;
    return this.#run(...this.#putCall<Row>(withoutDuplicates(this.#resource, batch), now, countedBy));
  }

  #putCall<Row>(
    { ids, common, columns }: VersionBatch,
    now: number,
    countedBy?: string,
  ): [statement: Statement<Row>, values: Value[]] {
    const names = { common: Object.keys(common), columns: Object.keys(columns) };
    const name = `versions/${this.#resource.type}/${names.common.join()}/${names.columns.join()}/${countedBy ?? ''}`;
    const statement = memoized<Row>(name, () => putSql(this.#resource, names, countedBy));
    const { workspaceId, environment } = this.#scope;
    const values: Value[] = [workspaceId, environment, new Date(now), ids, ...Object.values(common)];
    const all = [...values, ...Object.values(columns), ...this.#searched(columns)];
    return [{ ...statement, plan: 'set-wise-in-order' }, all];
  }

  /** Where the batch's records may be known already: the first and last day, then columns of the distinct keys but for their days. */
  #searched(columns: VersionBatch['columns']): Value[] {
    const days = (columns['date'] ?? []).map((day) => defined(day, 'a dated record has a date'));
    let [first, last] = [days[0] ?? '', days[0] ?? ''];
    for (const day of days) {
      if (day < first) first = day;
      if (day > last) last = day;
    }
    const keys = keyColumns(this.#resource, Object.keys(columns)).map((field) => columns[field] ?? []);
    const places = [...distinctPlaces(keys, days.length).values()];
    return [first, last, ...keys.map((column) => places.map((place) => column[place] ?? null))];
  }

  /** Makes other transactions that take this lock in the environment wait until this one ends. */
  async lock(): Promise<void> {
    const { workspaceId, environment } = this.#scope;
    await this.#run(lockResource, [`${workspaceId}/${environment}/${this.#resource.type}`]);
  }

  /** Writes the next version of an existing record. */
  async replace(record: AnyRecord, now: number): Promise<void> {
    const { attributes, relations, only = {} } = this.#resource;
    const isWritten = (field: string): boolean => field !== 'knownFrom' && !(columnOf(this.#resource, field) in only);
    const fields = Object.keys({ ...attributes, ...relations }).filter(isWritten);
    await this.put(oneRecord(record.id, Object.fromEntries(fields.map((field) => [field, record[field]]))), now);
  }

  /** Ends the current versions on these days, the first and last included, and returns how many it ended. */
  async closeDays({ where, from, to }: DaysToClose, now: number): Promise<number> {
    const resource = this.#resource;
    const { visibleClients } = this.#scope;
    const { conditions, values } = fieldConditions(resource, where, 7);
    const statement = memoized(
      `versions/${resource.type}/${visibleClients.kind}/close-days/${conditions}`,
      () => `UPDATE ${resource.table} t SET known_until = ${closingMoment('$4')}
        WHERE ${tenantFilterSql(resource, visibleClients.kind, 'to-change')} AND t.date BETWEEN $5 AND $6 ${conditions}`,
    );
    const common: Value[] = [...tenantFilterValues(this.#scope), new Date(now), from, to];
    return (await this.#run(statement, [...common, ...values])).count;
  }

  /** Ends the current versions of records. */
  async closeAll(ids: readonly string[], now: number): Promise<void> {
    if (ids.length === 0) return;
    const resource = this.#resource;
    const { visibleClients } = this.#scope;
    const mayClose = resource.owner !== 'workspace' || visibleClients.kind === 'all';
    const statement = memoized(
      `versions/${resource.type}/${visibleClients.kind}/close-all`,
      () => `UPDATE ${resource.table} t SET known_until = ${closingMoment('$5')}
        WHERE ${tenantFilterSql(resource, visibleClients.kind, 'to-change')} AND t.id = ANY ($4::text[]) ${mayClose ? '' : 'AND false'}`,
    );
    const { count } = await this.#run(statement, [...tenantFilterValues(this.#scope), ids, new Date(now)]);
    if (count < ids.length) throwMovedAway();
  }

  /** Ends the current version of a record. */
  async close(id: string, now: number): Promise<void> {
    const resource = this.#resource;
    const { visibleClients } = this.#scope;
    // Only a caller who sees all clients may end a record of the whole workspace.
    const mayClose = resource.owner !== 'workspace' || visibleClients.kind === 'all';
    const statement = memoized(
      `versions/${resource.type}/${visibleClients.kind}/close`,
      () => `UPDATE ${resource.table} t SET known_until = ${closingMoment('$5')}
        WHERE ${tenantFilterSql(resource, visibleClients.kind, 'to-change')} AND t.id = $4 ${mayClose ? '' : 'AND false'}`,
    );
    const { count } = await this.#run(statement, [...tenantFilterValues(this.#scope), id, new Date(now)]);
    if (count === 0) throwMovedAway();
  }
}

/** A batch of one record. */
export function oneRecord(id: Id, fields: AnyChange): VersionBatch {
  const columns = Object.entries(fields).map(([name, value]) => [name, [value as string | null]]);
  return { ids: [id], common: {}, columns: Object.fromEntries(columns) };
}

/** The fields that tell the records of a batch apart, but for the day. */
function keyColumns(resource: Resource, columns: readonly string[]): readonly string[] {
  return versionKey(resource).filter((field) => field !== 'date' && columns.includes(field));
}

/** What is stored of a batch's fields: shared values first, from $5 on. */
interface BatchFields {
  readonly common: readonly string[];
  readonly columns: readonly string[];
}

/**
 * The condition that a row `t` is a current version with a key of the batch: with the values of one key, or with any of each column's.
 * So much is found by an index, whatever else is asked.
 */
function isCurrentSql(resource: Resource, { common, columns }: BatchFields, keys: 'one' | 'any'): string {
  const key = new Set(versionKey(resource));
  const compared = (field: string, to: string): string => `t.${columnOf(resource, field)} = ${to}`;
  const next = 5 + common.length + columns.length;
  return [
    't.workspace_id = $1 AND t.environment = $2 AND t.known_until IS NULL',
    ...Object.entries(resource.only ?? {}).map(([name, [word]]) => `t.${name} = '${word}'`),
    ...common.flatMap((field, index) =>
      key.has(field) ? [compared(field, `$${5 + index}::${columnType(resource, field)}`)] : [],
    ),
    ...keyColumns(resource, columns).map((field, index) =>
      compared(
        field,
        keys === 'one' ? `k.${columnOf(resource, field)}` : `ANY (${keyArray(resource, field, next + 2 + index)})`,
      ),
    ),
    `t.date BETWEEN $${next}::date AND $${next + 1}::date`,
  ].join(' AND ');
}

function keyArray(resource: Resource, field: string, parameter: number): string {
  return `$${parameter}::${columnType(resource, field)}[]`;
}

/**
 * The current versions that the batch may be about. They are read for each distinct key, in the order of its days: whatever the planner knows
 * of the table, only the index by the whole key has that order.
 */
function knownSql(resource: Resource, names: BatchFields): string {
  const { common, columns } = names;
  const key = new Set(versionKey(resource));
  const column = (field: string): string => columnOf(resource, field);
  const next = 5 + common.length + columns.length;
  const searched = keyColumns(resource, columns);
  const arrays = searched.map((field, index) => keyArray(resource, field, next + 2 + index));
  const keys =
    searched.length === 0 ? '(SELECT) AS k' : `unnest(${arrays.join(', ')}) AS k (${searched.map(column).join(', ')})`;
  const found = [...columns, ...common.filter((field) => !key.has(field))].map((field) => `t.${column(field)}`);
  return `SELECT t.* FROM ${keys} CROSS JOIN LATERAL (SELECT t.id, ${found.join(', ')} FROM ${resource.table} t
    WHERE ${isCurrentSql(resource, names, 'one')} ORDER BY t.date) t`;
}

/**
 * Parameters: tenant, moment and ids as $1 to $4, then the shared values, the columns, the first and the last day, and the columns of the
 * distinct keys. Where nothing is to be closed, nothing is looked up for it.
 */
function putSql(resource: Resource, names: BatchFields, countedBy: string | undefined): string {
  const { table } = resource;
  const key = new Set(versionKey(resource));
  const column = (field: string): string => columnOf(resource, field);
  const typeOf = (field: string): string => columnType(resource, field);
  const fields = [...names.common, ...names.columns];
  const parameters = new Map(fields.map((field, index) => [field, `$${5 + index}`]));
  const inputValue = (field: string): string =>
    names.common.includes(field) ? `${parameters.get(field)}::${typeOf(field)}` : `s.${column(field)}`;
  const words = Object.entries(resource.only ?? {}).map(([name, [word]]) => ({ name, word: `'${word}'` }));
  const contents = fields.filter((field) => !key.has(field));
  const isSame = contents.map((field) => `t.${column(field)} IS NOT DISTINCT FROM ${inputValue(field)}`);
  const sameKey = names.columns
    .filter((field) => key.has(field))
    .map((field) => `t.${column(field)} = s.${column(field)}`);
  const arrays = names.columns.map((field) => `${parameters.get(field)}::${typeOf(field)}[]`);
  const inserted = ['id', ...words.map(({ name }) => name), ...fields.map(column), 'known_from'];
  const counted = countedBy === undefined ? '1' : `${column(countedBy)} AS value`;
  return `WITH sent AS MATERIALIZED (SELECT * FROM unnest($4::text[], ${arrays.join(', ')}) WITH ORDINALITY
      AS s (id, ${names.columns.map(column).join(', ')}, place)),
    known AS MATERIALIZED (SELECT s.place, t.id AS known_id, ${isSame.join(' AND ')} AS is_same
      FROM sent s JOIN (${knownSql(resource, names)}) t ON ${sameKey.join(' AND ')}),
    closed AS (UPDATE ${table} t SET known_until = ${closingMoment('$3')} FROM known k
      WHERE ${isCurrentSql(resource, names, 'any')} AND EXISTS (SELECT FROM known WHERE NOT is_same)
        AND NOT k.is_same AND t.id = k.known_id RETURNING t.id, t.known_until),
    put AS (INSERT INTO ${table} (workspace_id, environment, ${inserted.join(', ')})
    SELECT $1, $2, coalesce(k.known_id, s.id), ${[...words.map(({ word }) => word), ...fields.map(inputValue)].join(', ')}, coalesce(c.known_until, $3)
    FROM sent s LEFT JOIN known k USING (place) LEFT JOIN closed c ON c.id = k.known_id WHERE k.is_same IS NOT TRUE
      RETURNING ${counted})
    SELECT ${countedBy === undefined ? '' : 'value, '}count(*)::int AS count FROM put ${countedBy === undefined ? '' : 'GROUP BY value'}`;
}

/** The last place of each distinct key, in the order of their first places. */
function distinctPlaces(keys: readonly (readonly (string | null)[])[], length: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let index = 0; index < length; index++) {
    let key = '';
    for (const column of keys) key += `${column[index]}\n`;
    places.set(key, index);
  }
  return places;
}

function withoutDuplicates(resource: Resource, batch: VersionBatch): VersionBatch {
  const keys = versionKey(resource).flatMap((field) => (batch.columns[field] ? [batch.columns[field]] : []));
  const last = distinctPlaces(keys, batch.ids.length);
  if (last.size === batch.ids.length) return batch;
  const lastIndexes = [...last.values()];
  const pick = <T>(all: readonly T[]): T[] => lastIndexes.map((index) => all[index]!);
  const columns = Object.fromEntries(Object.entries(batch.columns).map(([field, all]) => [field, pick(all)]));
  return { ids: pick(batch.ids), common: batch.common, columns };
}
