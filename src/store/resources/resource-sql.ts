// The parts of SQL that a resource's declaration decides: its columns, the other ends of its relations, whose rows they are.

import {
  isToMany,
  snakeCase,
  typeFieldOf,
  type AnyChange,
  type Attribute,
  type Resource,
  type ToMany,
  type ToOne,
  type WireName,
} from '../../kit/resource.ts';
import { sourcesByPrecedence } from '../../model/instrument/dated-value-fields.ts';
import type { Reach, Sight } from '../../model/access/scope.ts';
import { resourceOf, variantsOf } from '../../model/resources.ts';
import type { Value } from '../postgres/statement.ts';

/** Where a field is kept: to-one relations in `<name>_id`. */
export function columnOf(resource: Resource, field: string): string {
  return field in resource.relations ? `${snakeCase(field)}_id` : snakeCase(field);
}

/** Which wire the rows are for: it alone decides which other ends of relations are looked up. */
export type View = WireName | null;

function isShown({ on }: { readonly on: readonly WireName[] }, view: View): boolean {
  return view !== null && on.includes(view);
}

export function storedColumns(resource: Resource, view: View): string {
  const columns = ['t.id'];
  for (const [name, attribute] of Object.entries(resource.attributes)) {
    if (attribute.workedOut) continue;
    if (attribute.through === undefined) columns.push(`t.${columnOf(resource, name)} AS "${name}"`);
    else if (isShown(attribute, view)) columns.push(`${elsewhere(resource, attribute.through)} AS "${name}"`);
  }
  for (const [name, relation] of Object.entries(resource.relations)) {
    if (isToMany(relation)) continue;
    columns.push(`t.${columnOf(resource, name)} AS "${name}"`);
    const type = view === 'json-api' && isShown(relation, view) && typeElsewhere(resource, name, relation);
    if (type) columns.push(`${type} AS "${typeFieldOf(name)}"`);
  }
  return columns.join(', ');
}

/** The type of what a relation leads to, where it may be one of several: the wire that names types tells it by its own. */
function typeElsewhere(resource: Resource, relation: string, { to }: ToOne): string | undefined {
  const variants = variantsOf(to);
  if (variants === undefined) return undefined;
  return elsewhere(resource, { relation, table: resourceOf(to).table, column: snakeCase(variants.by) });
}

function elsewhere(resource: Resource, { relation, table, column }: NonNullable<Attribute['through']>): string {
  return `(SELECT e.${column} FROM ${table} e WHERE e.workspace_id = t.workspace_id
    AND e.environment = t.environment AND e.id = t.${columnOf(resource, relation)})`;
}

export function setsOf(resource: Resource, view: View): [name: string, ToMany][] {
  const relations = Object.entries(resource.relations);
  return relations.filter((one): one is [string, ToMany] => isToMany(one[1]) && isShown(one[1], view));
}

/** The other ends of one row of the tenant $1, $2. */
function setOf({ many: { table, column, gives } }: ToMany): string {
  return `ARRAY(SELECT r.${gives} FROM ${table} r WHERE r.workspace_id = $1
    AND r.environment = $2 AND r.${column} = t.id ORDER BY r.${gives})`;
}

/** Of one row. */
export function selectList(resource: Resource, view: View): string {
  const sets = setsOf(resource, view).map(([name, relation]) => `${setOf(relation)} AS "${name}"`);
  return [storedColumns(resource, view), ...sets].join(', ');
}

/** Of a page of rows: the other ends of their relations are looked up row by row. */
export function withSetsOfEach(page: string, resource: Resource, view: View, direction: string): string {
  const sets = setsOf(resource, view).map(([name, relation]) => `, ${setOf(relation)} AS "${name}"`);
  return `SELECT t.*${sets.join('')} FROM (${page}) t ORDER BY t.id ${direction}`;
}

/**
 * Of very many rows: the other ends of their relations are gathered for all of them together. Where there are few rows after
 * all, their first and last id keep the rest of the tenant's links from being read.
 */
export function withSetsOfAll(page: string, resource: Resource, view: View, direction: string): string {
  const sets = setsOf(resource, view);
  const arrays = sets.map(([name], index) => `coalesce(r${index}.ids, '{}') AS "${name}"`);
  const joins = sets.map(
    (
      [, { many }],
      index,
    ) => `LEFT JOIN (SELECT r.${many.column} AS one, array_agg(r.${many.gives} ORDER BY r.${many.gives}) AS ids
      FROM ${many.table} r WHERE r.workspace_id = $1 AND r.environment = $2
      AND r.${many.column} >= (SELECT min(id) FROM page) AND r.${many.column} <= (SELECT max(id) FROM page)
      AND r.${many.column} IN (SELECT id FROM page) GROUP BY 1) r${index} ON r${index}.one = page.id`,
  );
  return `WITH page AS MATERIALIZED (${page}) SELECT page.*, ${arrays.join(', ')} FROM page ${joins.join(' ')}
    ORDER BY page.id ${direction}`;
}

/** That a field has the value $n, or none where there is no parameter; of a set, that it holds it. */
function isFoundBy(resource: Resource, field: string, parameter: string | null): string {
  const relation = resource.relations[field];
  if (isFoundSince(resource, field)) return `AND t.${columnOf(resource, field)} >= ${parameter}`;
  if (parameter === null) return `AND t.${columnOf(resource, field)} IS NULL`;
  if (relation === undefined || !isToMany(relation)) return `AND t.${columnOf(resource, field)} = ${parameter}`;
  const { table, column, gives } = relation.many;
  return `AND t.id IN (SELECT r.${column} FROM ${table} r
    WHERE r.workspace_id = $1 AND r.environment = $2 AND r.${gives} = ${parameter})`;
}

/** Asked for by a moment: what is of then or later. */
function isFoundSince({ attributes }: Resource, field: string): boolean {
  return attributes[field]?.filter === 'since';
}

/** The type of the column that a field is kept in. */
export function columnType({ attributes }: Resource, field: string): string {
  const { kind } = attributes[field] ?? {};
  if (kind?.isStructured) return 'jsonb';
  const { type, format } = kind?.schema('string') ?? {};
  if (format === 'decimal') return 'numeric';
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'timestamptz';
  return type === 'integer' ? 'int' : type === 'boolean' ? 'boolean' : 'text';
}

/** A field's value as its column takes it. */
export function toColumn(value: unknown, { attributes }: Resource, field: string): Value {
  if (value === undefined || value === null) return null;
  if (attributes[field]?.kind.isStructured) return JSON.stringify(value);
  if (Array.isArray(value) || Buffer.isBuffer(value) || value instanceof Date) return value;
  return typeof value === 'object' ? JSON.stringify(value) : (value as Value);
}

/** The conditions on fields, with the values of their parameters from $n on. */
export function foundByFields(
  resource: Resource,
  where: AnyChange,
  first: number,
): { conditions: string; values: Value[] } {
  const values: Value[] = [];
  const conditions = Object.keys(where)
    .toSorted()
    .map((field) => {
      const asked = where[field];
      const value = isFoundSince(resource, field) ? new Date(asked as number) : toColumn(asked, resource, field);
      return isFoundBy(resource, field, value === null ? null : `$${first + values.push(value) - 1}`);
    });
  return { conditions: conditions.join(' '), values };
}

/** What the first three parameters of every statement behind the wall are. */
export type Wall = readonly [workspaceId: string, environment: string, seen: string | readonly string[] | null];

/** The third: nothing, the client, or the ids of clients and reporting entities. No two things have the same id. */
export function wallOf({ workspaceId, environment, sight }: Reach): Wall {
  if (sight.kind === 'some') return [workspaceId, environment, [...sight.clientIds, ...sight.reportingEntityIds]];
  return [workspaceId, environment, sight.kind === 'all' ? null : sight.clientId];
}

/** That a version was known at a moment, which a parameter holds. */
export function wasKnownAt(parameter: string, alias = 't'): string {
  return `${alias}.known_from <= ${parameter} AND (${alias}.known_until IS NULL OR ${alias}.known_until > ${parameter})`;
}

/** What counts first of several sources that speak of one day. */
export function bySource(alias: string): string {
  return `array_position(ARRAY[${sourcesByPrecedence.map((source) => `'${source}'`).join(', ')}], ${alias}.source)`;
}

/**
 * The first wall: the caller's workspace, environment and clients, in every statement. $1 to $3 are always these. What all
 * clients share is seen by everybody, and changed by who sees everything.
 */
export function within(resource: Resource, sight: Sight['kind'], purpose: 'to-see' | 'to-change' = 'to-see'): string {
  const tenant = `t.workspace_id = $1 AND t.environment = $2`;
  const kept = Object.entries(resource.only ?? {}).map(
    ([column, words]) => `AND t.${column} IN (${words.map((word) => `'${word}'`).join(', ')})`,
  );
  const known = resource.versions ? ['AND t.known_until IS NULL'] : [];
  return [tenant, ...kept, ...known, seen(resource, sight, purpose)].join(' ');
}

/**
 * The ways to the versions that were known at the moment of a parameter: those that are known still, and those that have ended
 * since. Apart, since each has indexes of its own.
 */
export function knownThen(moment: string): readonly [still: string, since: string] {
  return [
    `AND t.known_from <= ${moment} AND t.known_until IS NULL`,
    `AND t.known_from <= ${moment} AND t.known_until > ${moment}`,
  ];
}

/** The same rows without a word about when they are known. */
export function everyVersionOf({ versions: _versions, ...resource }: Resource): Resource {
  return resource;
}

/** The column that says whose a row is. */
export function ownerColumn(resource: Resource): string | null {
  const { owner } = resource;
  if (owner === 'workspace') return null;
  return owner === 'self' ? 't.id' : `t.${columnOf(resource, owner.relation)}`;
}

function seen(resource: Resource, sight: Sight['kind'], purpose: 'to-see' | 'to-change'): string {
  if (sight === 'all') return 'AND $3::text IS NULL';
  if (sight === 'some') return seenBySome(resource, purpose);
  const column = ownerColumn(resource);
  if (column === null) return 'AND $3::text IS NOT NULL';
  if (resource.owner === 'self') return sight === 'only' ? 'AND t.id = $3' : 'AND t.path @> ARRAY[$3::text]';
  const own =
    sight === 'only'
      ? `${column} = $3`
      : `${column} IN (SELECT c.id FROM client c
    WHERE c.workspace_id = $1 AND c.environment = $2 AND c.path @> ARRAY[$3::text])`;
  return purpose === 'to-see' && isShared(resource) ? `AND (${column} IS NULL OR ${own})` : `AND ${own}`;
}

/** The clients that a person sees, and of their reporting entities, with what is private to them, those that they may read. */
function seenBySome(resource: Resource, purpose: 'to-see' | 'to-change'): string {
  const column = ownerColumn(resource);
  if (column === null) return 'AND $3::text[] IS NOT NULL';
  const own = `${column} = ANY ($3::text[])`;
  const client = purpose === 'to-see' && isShared(resource) ? `AND (${column} IS NULL OR ${own})` : `AND ${own}`;
  return [client, ...seenReportingEntity(resource)].join(' ');
}

function seenReportingEntity(resource: Resource): string[] {
  if (resource.type === 'reporting-entity') return ['AND t.id = ANY ($3::text[])'];
  const [relation] =
    Object.entries(resource.relations).find(([, one]) => one.to === 'reporting-entity' && !isToMany(one)) ?? [];
  if (relation === undefined) return [];
  const column = `t.${columnOf(resource, relation)}`;
  return [`AND (${column} IS NULL OR ${column} = ANY ($3::text[]))`];
}

function isShared({ owner }: Resource): boolean {
  return typeof owner === 'object' && owner.shared === true;
}
