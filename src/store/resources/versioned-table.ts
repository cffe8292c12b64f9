// Things of which every version is kept: writing one closes the version that is known and opens the next, in batches of any
// size. Values that are known already make no version. Knows no resource.

import type { AnyChange, AnyRecord, Resource } from '../../kit/resource.ts';
import type { Reach } from '../../model/access/scope.ts';
import { outOfSight, type Run } from '../postgres/database.ts';
import { columnOf, columnType, foundByFields, wallOf, within } from './resource-sql.ts';
import { remembered, sql, type Value } from '../postgres/statement.ts';

/** What all things of a batch have in common, and the columns of what they differ in, each as long as the ids. */
export interface Batch {
  readonly ids: readonly string[];
  readonly given: Readonly<Record<string, string | null>>;
  readonly columns: Readonly<Record<string, readonly (string | null)[]>>;
}

/** Of what has a date: all that fields find, on days of a range. */
export interface Days {
  readonly where: AnyChange;
  /** Inclusive, both. */
  readonly from: string;
  readonly to: string;
}

/** A version lasts for some time at least, so that two never begin at once, whichever node's clock is ahead. */
const momentOf = (now: string): string => `greatest(${now}, t.known_from + interval '1 microsecond')`;

const alone = sql('versions/lock', 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');

export class Versions {
  readonly #resource: Resource;
  readonly #reach: Reach;
  readonly #run: Run;

  constructor(resource: Resource, { reach, run }: { reach: Reach; run: Run }) {
    this.#resource = resource;
    this.#reach = reach;
    this.#run = run;
  }

  /** Writes a batch and answers how many versions that opened. Of two that speak of one thing the later counts. */
  async put(batch: Batch, now: number): Promise<number> {
    const { ids, given, columns } = withoutRepetitions(this.#resource, batch);
    if (ids.length === 0) return 0;
    const names = { given: Object.keys(given), columns: Object.keys(columns) };
    const bounds = Object.keys(columns).flatMap((field) => this.#boundsOf(field, columns[field]!));
    const name = `versions/${this.#resource.type}/${names.given.join()}/${names.columns.join()}`;
    const statement = remembered(name, () => putText(this.#resource, names));
    const { workspaceId, environment } = this.#reach;
    const values: Value[] = [workspaceId, environment, new Date(now), ids, ...Object.values(given)];
    const all = [...values, ...Object.values(columns), ...bounds];
    return (await this.#run({ ...statement, isSetWise: true }, all)).count;
  }

  /** What keeps the rest of a table from being read: the words that a column of the key holds, of days the first and last. */
  #boundsOf(field: string, column: readonly (string | null)[]): readonly (readonly string[])[] {
    if (!this.#resource.versions!.key.includes(field)) return [];
    const words = [...new Set(column as readonly string[])];
    if (columnType(this.#resource, field) !== 'date') return [words];
    return [
      [
        words.reduce((one, other) => (one < other ? one : other)),
        words.reduce((one, other) => (one > other ? one : other)),
      ],
    ];
  }

  /** Whoever asks for the same in this environment waits until the transaction is over. */
  async lock(): Promise<void> {
    const { workspaceId, environment } = this.#reach;
    await this.#run(alone, [`${workspaceId}/${environment}/${this.#resource.type}`]);
  }

  /** The next version of a thing that is known: the same thing, with other contents. */
  async replace(record: AnyRecord, now: number): Promise<void> {
    const { attributes, relations, only = {} } = this.#resource;
    const isWritten = (field: string): boolean => field !== 'knownFrom' && !(columnOf(this.#resource, field) in only);
    const fields = Object.keys({ ...attributes, ...relations }).filter(isWritten);
    const columns = fields.map((field) => [field, [record[field] as string | null]]);
    await this.put({ ids: [record.id], given: {}, columns: Object.fromEntries(columns) }, now);
  }

  /** From now on nothing is known of these days of a place, the first and the last included: how many versions that closed. */
  async closeDays({ where, from, to }: Days, now: number): Promise<number> {
    const resource = this.#resource;
    const { sight } = this.#reach;
    const { conditions, values } = foundByFields(resource, where, 7);
    const statement = remembered(
      `versions/${resource.type}/${sight.kind}/close-days/${conditions}`,
      () => `UPDATE ${resource.table} t SET known_until = ${momentOf('$4')}
        WHERE ${within(resource, sight.kind, 'to-change')} AND t.date BETWEEN $5 AND $6 ${conditions}`,
    );
    const given: Value[] = [...wallOf(this.#reach), new Date(now), from, to];
    return (await this.#run(statement, [...given, ...values])).count;
  }

  /** From now on it is known no more. */
  async close(id: string, now: number): Promise<void> {
    const resource = this.#resource;
    const { sight } = this.#reach;
    // What is everybody's ends when somebody says so who sees everybody.
    const mayClose = resource.owner !== 'workspace' || sight.kind === 'all';
    const statement = remembered(
      `versions/${resource.type}/${sight.kind}/close`,
      () => `UPDATE ${resource.table} t SET known_until = ${momentOf('$5')}
        WHERE ${within(resource, sight.kind, 'to-change')} AND t.id = $4 ${mayClose ? '' : 'AND false'}`,
    );
    const { count } = await this.#run(statement, [...wallOf(this.#reach), id, new Date(now)]);
    if (count === 0) outOfSight();
  }
}

/** Parameters: $1 to $4 as in every batch, then what all have in common, the columns, and the bounds of those of the key. */
function putText(resource: Resource, names: { given: readonly string[]; columns: readonly string[] }): string {
  const { table } = resource;
  const key = new Set(resource.versions!.key);
  const column = (field: string): string => columnOf(resource, field);
  const typeOf = (field: string): string => columnType(resource, field);
  const fields = [...names.given, ...names.columns];
  const parameters = new Map(fields.map((field, index) => [field, `$${5 + index}`]));
  const sent = (field: string): string =>
    names.given.includes(field) ? `${parameters.get(field)}::${typeOf(field)}` : `s.${column(field)}`;
  const words = Object.entries(resource.only ?? {}).map(([name, [word]]) => ({ name, word: `'${word}'` }));
  const keyColumns = names.columns.filter((field) => key.has(field));
  const bounds = keyColumns.map((field, index) => {
    const bound = `$${5 + fields.length + index}::${typeOf(field)}[]`;
    const at = `t.${column(field)}`;
    return typeOf(field) === 'date' ? `${at} >= (${bound})[1] AND ${at} <= (${bound})[2]` : `${at} = ANY (${bound})`;
  });
  /** That a row is what is known of a thing that was sent. The same for both joins, and narrow before they are made. */
  const isKnownOf = (alias: string): string =>
    [
      't.workspace_id = $1 AND t.environment = $2 AND t.known_until IS NULL',
      ...words.map(({ name, word }) => `t.${name} = ${word}`),
      ...names.given.filter((field) => key.has(field)).map((field) => `t.${column(field)} = ${sent(field)}`),
      ...bounds,
      ...keyColumns.map((field) => `t.${column(field)} = ${alias}.${column(field)}`),
    ].join(' AND ');
  const contents = fields.filter((field) => !key.has(field));
  const isSame = contents.map((field) => `t.${column(field)} IS NOT DISTINCT FROM ${sent(field)}`);
  const arrays = names.columns.map((field) => `${parameters.get(field)}::${typeOf(field)}[]`);
  return `WITH sent AS MATERIALIZED (SELECT * FROM unnest($4::text[], ${arrays.join(', ')}) WITH ORDINALITY
      AS s (id, ${names.columns.map(column).join(', ')}, place)),
    known AS MATERIALIZED (SELECT s.*, t.id AS known_id, ${isSame.join(' AND ')} AS is_same
      FROM sent s JOIN ${table} t ON ${isKnownOf('s')}),
    closed AS (UPDATE ${table} t SET known_until = ${momentOf('$3')} FROM known k
      WHERE NOT k.is_same AND ${isKnownOf('k')} RETURNING k.place, t.known_until)
    INSERT INTO ${table} (workspace_id, environment, id, ${[...words.map(({ name }) => name), ...fields.map(column)].join(', ')}, known_from)
    SELECT $1, $2, coalesce(k.known_id, s.id), ${[...words.map(({ word }) => word), ...fields.map(sent)].join(', ')}, coalesce(c.known_until, $3)
    FROM sent s LEFT JOIN known k USING (place) LEFT JOIN closed c USING (place) WHERE k.is_same IS NOT TRUE`;
}

function withoutRepetitions(resource: Resource, batch: Batch): Batch {
  const keys = resource.versions!.key.flatMap((field) => (batch.columns[field] ? [batch.columns[field]] : []));
  const last = new Map<string, number>();
  for (let index = 0; index < batch.ids.length; index++) last.set(keys.map((key) => key[index]).join('\n'), index);
  if (last.size === batch.ids.length) return batch;
  const kept = [...last.values()];
  const pick = <T>(all: readonly T[]): T[] => kept.map((index) => all[index]!);
  const columns = Object.fromEntries(Object.entries(batch.columns).map(([field, all]) => [field, pick(all)]));
  return { ids: pick(batch.ids), given: batch.given, columns };
}
