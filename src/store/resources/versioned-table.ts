// Writes records of which every version is stored: a write closes the current version and opens the next, in batches of any size. A write
// that changes nothing makes no version.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import type { AnyChange, AnyRecord, Resource } from '../../kit/resource.ts';
import type { Scope } from '../../model/access/scope.ts';
import { toDateArray } from '../postgres/binary/date-array.ts';
import { throwMovedAway } from '../postgres/database-errors.ts';
import type { Run } from '../postgres/statement-runner.ts';
import { fieldConditions } from './field-conditions.ts';
import { closingMoment, keyColumns, putSql, versionKey } from './put-versions-sql.ts';
import { columnOf, tenantFilterValues, tenantFilterSql } from './resource-sql.ts';
import { arrayOfAnyLength, memoized, sql, type Outcome, type Statement, type Value } from '../postgres/statement.ts';
import { withArrayAsText } from '../postgres/text-format.ts';

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

const lockResource = sql('versions/lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

/** From so many records on, it is asked first whether any of them is known. */
const manyMin = 100;

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
    const outcome = await this.#put<{ count: number }>(withoutDuplicates(this.#resource, batch), now);
    return outcome?.rows.reduce((sum, { count }) => sum + count, 0) ?? 0;
  }

  /** Like `put`, and returns how many of the versions that it opened have each value of a field that is never null. */
  async putCounting(batch: VersionBatch, now: number, field: string): Promise<ReadonlyMap<string, number>> {
    const distinct = withoutDuplicates(this.#resource, batch);
    const rows = (await this.#put<{ value: string | null; count: number }>(distinct, now, field))?.rows ?? [];
    const counts = new Map<string, number>();
    for (const { value, count } of rows) {
      if (value !== null) counts.set(value, count);
      else if (count > 0) return countEach(defined(distinct.columns[field], 'the counted field is a column'));
    }
    return counts;
  }

  /** Opens the first version of a record that is known not to exist. Sends the statement with the next batch. */
  append(id: Id, fields: AnyChange, now: number): void {
    this.#run.enqueue(...this.#putCall(oneRecord(id, fields), now));
  }

  async #put<Row>(batch: VersionBatch, now: number, countedBy?: string): Promise<Outcome<Row> | undefined> {
    return batch.ids.length === 0 ? undefined : this.#run(...this.#putCall<Row>(batch, now, countedBy));
  }

  #putCall<Row>(batch: VersionBatch, now: number, countedBy?: string): [statement: Statement<Row>, values: Value[]] {
    const size = batch.ids.length < manyMin ? 'few' : 'many';
    const { ids, common, columns } = size === 'few' ? batch : withEqualValuesShared(batch);
    const names = { common: Object.keys(common), columns: Object.keys(columns) };
    const name = `versions/${this.#resource.type}/${names.common.join()}/${names.columns.join()}/${countedBy ?? ''}/${size}`;
    const statement = memoized<Row>(name, () => putSql(this.#resource, names, { countedBy, size }));
    const { workspaceId, environment } = this.#scope;
    const values: Value[] = [workspaceId, environment, new Date(now), ids, ...Object.values(common)];
    const days = (columns['date'] ?? []).map((day) => defined(day, 'a dated record has a date'));
    const written = Object.entries(columns).map(([field, column]) => (field === 'date' ? toDateArray(days) : column));
    const all = [...values, ...written, ...this.#searched(columns, days)];
    // Written as texts here: the database may be busy with the batch before, and would wait for it when this one is sent.
    return [{ ...statement, plan: 'set-wise-in-order', goesAhead: size === 'many' }, all.map(withArrayAsText)];
  }

  /** Where the batch's records may be known already: the first and last day, then columns of the distinct keys but for their days. */
  #searched(columns: VersionBatch['columns'], days: readonly string[]): Value[] {
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
        WHERE ${tenantFilterSql(resource, visibleClients.kind, 'to-change')} AND t.id = ANY (${arrayOfAnyLength('$4')}) ${mayClose ? '' : 'AND false'}`,
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

function countEach(values: readonly (string | null)[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) {
    const id = defined(value, 'a counted field is never null');
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

/** Shares the values of columns in which all are the same: they are sent and read once. Days are always searched as a column. */
function withEqualValuesShared({ ids, common, columns }: VersionBatch): VersionBatch {
  const { shared = [], differing = [] } = Object.groupBy(Object.entries(columns), ([field, all]) =>
    field !== 'date' && all.every((value) => value === all[0]) ? 'shared' : 'differing',
  );
  const values = shared.map(([field, [value = null]]) => [field, value]);
  return { ids, common: { ...common, ...Object.fromEntries(values) }, columns: Object.fromEntries(differing) };
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
