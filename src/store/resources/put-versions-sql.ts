// The statement that writes versions in batches: it closes what is known of a record and differs, and opens the next version.

import { defined } from '../../kit/assert.ts';
import type { Resource } from '../../kit/resource.ts';
import { columnOf, columnType, endingMomentSql } from './resource-sql.ts';

export const closingMoment = (now: string): string => endingMomentSql(now, 't.known_from');

/** The fields that identify a record across its versions. */
export function versionKey({ versions }: Resource): readonly string[] {
  return defined(versions, 'a versioned table declares its key').key;
}

/** The fields that tell the records of a batch apart, but for the day. */
export function keyColumns(resource: Resource, columns: readonly string[]): readonly string[] {
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

interface PutForm {
  readonly countedBy: string | undefined;
  readonly size: 'few' | 'many';
}

/** The columns of a new version, and their values but for the tenant. */
interface InsertedColumns {
  readonly columns: string;
  readonly values: string;
}

/**
 * Opens all versions of a batch of which nothing is known. Each array is unnested where it is selected: in FROM, all would be stored first.
 * Nothing of the new rows is returned, so that no policy for reading them is checked either, and nothing selects from it, so that no row is stored
 * for that: it opens all of the batch or fails.
 */
function openNewSql({ table }: Resource, { columns, values }: InsertedColumns): string {
  return `opened AS (INSERT INTO ${table} (workspace_id, environment, ${columns})
    SELECT $1, $2, ${values} WHERE NOT (SELECT any_known FROM found) RETURNING 1)`;
}

/**
 * Parameters: tenant, moment and ids as $1 to $4, then the shared values, the columns, the first and the last day, and the columns of the
 * distinct keys. Where nothing is to be closed, nothing is looked up for it. Of many records, mostly none is known: then they are only inserted.
 */
export function putSql(resource: Resource, names: BatchFields, { countedBy, size }: PutForm): string {
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
  const unnested = (field: string): string =>
    names.common.includes(field) ? inputValue(field) : `unnest(${parameters.get(field)}::${typeOf(field)}[])`;
  const opening = ['unnest($4::text[])', ...words.map(({ word }) => word), ...fields.map(unnested), '$3'].join(', ');
  const [first, ifAnyKnown, countOpened] =
    size === 'few'
      ? ['', '', '']
      : [
          `found AS MATERIALIZED (SELECT EXISTS (${knownSql(resource, names)}) AS any_known),
    ${openNewSql(resource, { columns: inserted.join(', '), values: opening })},`,
          'WHERE (SELECT any_known FROM found)',
          `UNION ALL SELECT ${countedBy === undefined ? '' : 'NULL, '}cardinality($4::text[]) FROM found WHERE NOT any_known`,
        ];
  return `WITH ${first} sent AS MATERIALIZED (SELECT * FROM unnest($4::text[], ${arrays.join(', ')}) WITH ORDINALITY
      AS s (id, ${names.columns.map(column).join(', ')}, place) ${ifAnyKnown}),
    known AS MATERIALIZED (SELECT s.place, t.id AS known_id, ${isSame.join(' AND ')} AS is_same
      FROM sent s JOIN (${knownSql(resource, names)}) t ON ${sameKey.join(' AND ')}),
    closed AS (UPDATE ${table} t SET known_until = ${closingMoment('$3')} FROM known k
      WHERE ${isCurrentSql(resource, names, 'any')} AND EXISTS (SELECT FROM known WHERE NOT is_same)
        AND NOT k.is_same AND t.id = k.known_id RETURNING t.id, t.known_until),
    put AS (INSERT INTO ${table} (workspace_id, environment, ${inserted.join(', ')})
    SELECT $1, $2, coalesce(k.known_id, s.id), ${[...words.map(({ word }) => word), ...fields.map(inputValue)].join(', ')}, coalesce(c.known_until, $3)
    FROM sent s LEFT JOIN known k USING (place) LEFT JOIN closed c ON c.id = k.known_id WHERE k.is_same IS NOT TRUE
      RETURNING ${counted})
    SELECT ${countedBy === undefined ? '' : 'value, '}count(*)::int AS count FROM put ${countedBy === undefined ? '' : 'GROUP BY value'}
    ${countOpened}`;
}
