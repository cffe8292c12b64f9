// The parts of SQL that follow from a resource's declaration: its columns, the ids that its relations lead to, the filter for a tenant's rows.

import { assert } from '../../kit/assert.ts';
import { snakeCaseStrings } from '../../kit/field.ts';
import { ownColumnsOnly, type FieldSelection } from '../../kit/field-selection.ts';
import {
  isToMany,
  snakeCase,
  relatedTypeField,
  type Attribute,
  type Resource,
  type ToMany,
  type ToOne,
} from '../../kit/resource.ts';
import { dataSourcesByPrecedence } from '../../model/instrument/dated-value-fields.ts';
import type { Scope, VisibleClients } from '../../model/access/scope.ts';
import { getResource, findVariants } from '../../model/resources.ts';
import { seenClients, type SeenClients } from '../postgres/seen-clients.ts';
import type { Value } from '../postgres/statement.ts';

/** The part of a declaration that decides whose rows a table holds. */
export interface OwnedTable extends Pick<Resource, 'owner' | 'only' | 'versions' | 'isAtPlaces'> {
  readonly type?: string;
  readonly relations: Readonly<Record<string, { readonly to: string; readonly many?: ToMany['many'] }>>;
}

/** The column that stores a field; to-one relations are in `<name>_id`. */
export function columnOf({ relations }: { readonly relations: object }, field: string): string {
  return field in relations ? `${snakeCase(field)}_id` : snakeCase(field);
}

export function storedColumns(resource: Resource, selection: FieldSelection = ownColumnsOnly): string {
  const columns = ['t.id'];
  for (const [name, attribute] of Object.entries(resource.attributes)) {
    if (attribute.computed) continue;
    if (attribute.through === undefined) columns.push(`t.${columnOf(resource, name)} AS "${name}"`);
    else if (selection.includes(resource, name))
      columns.push(`${relatedColumn(resource, attribute.through)} AS "${name}"`);
  }
  for (const [name, relation] of Object.entries(resource.relations)) {
    if (isToMany(relation)) continue;
    columns.push(`t.${columnOf(resource, name)} AS "${name}"`);
    const type = isTypeRead(resource, name, selection) ? typeColumn(name, relation) : undefined;
    if (type) columns.push(`${relatedColumn(resource, type)} AS "${relatedTypeField(name)}"`);
  }
  return columns.join(', ');
}

function isTypeRead(resource: Resource, relation: string, selection: FieldSelection): boolean {
  return selection.withRelatedTypes && selection.includes(resource, relation);
}

type RelatedColumn = NonNullable<Attribute['through']>;
type LookedUpColumn = RelatedColumn & { readonly name: string };

/** The type of the record that a relation leads to, where it may be one of several. */
function typeColumn(relation: string, { to }: ToOne): RelatedColumn | undefined {
  const variants = findVariants(to);
  return variants && { relation, table: getResource(to).table, column: snakeCase(variants.by) };
}

function relatedColumn(resource: Resource, { relation, table, column }: RelatedColumn): string {
  return `(SELECT e.${column} FROM ${table} e WHERE e.workspace_id = $1
    AND e.environment = t.environment AND e.id = t.${columnOf(resource, relation)})`;
}

/**
 * A label for the names of prepared statements, different for selections that read different columns of a resource: the fields that
 * are looked up elsewhere. Computed once for each selection and resource.
 */
export function selectionLabel(resource: Resource, selection: FieldSelection): string {
  let labels = selectionLabels.get(selection);
  if (labels === undefined) selectionLabels.set(selection, (labels = new WeakMap()));
  let label = labels.get(resource);
  if (label === undefined) labels.set(resource, (label = lookedUpFields(resource, selection).join()));
  return label;
}

const selectionLabels = new WeakMap<FieldSelection, WeakMap<Resource, string>>();

function lookedUpFields(resource: Resource, selection: FieldSelection): readonly string[] {
  const sets = selectedSets(resource, selection);
  return [...lookedUpColumns(resource, selection), ...sets.map(([name]) => ({ name }))].map(({ name }) => name);
}

/** The selected fields that are columns of the records that to-one relations lead to. */
export function lookedUpColumns(resource: Resource, selection: FieldSelection): readonly LookedUpColumn[] {
  const attributes = Object.entries(resource.attributes).flatMap(([name, { through }]) =>
    through !== undefined && selection.includes(resource, name) ? [{ name, ...through }] : [],
  );
  const types = Object.entries(resource.relations).flatMap(([name, relation]) => {
    const type = isToMany(relation) || !isTypeRead(resource, name, selection) ? undefined : typeColumn(name, relation);
    return type === undefined ? [] : [{ name: relatedTypeField(name), ...type }];
  });
  return [...attributes, ...types];
}

export function selectedSets(resource: Resource, selection: FieldSelection): [name: string, ToMany][] {
  const relations = Object.entries(resource.relations);
  return relations.filter((one): one is [string, ToMany] => isToMany(one[1]) && selection.includes(resource, one[0]));
}

/** The ids that a row's to-many relation leads to, within the tenant $1, $2. */
export function linkedIds({ many: { table, column, otherColumn } }: ToMany): string {
  return `ARRAY(SELECT r.${otherColumn} FROM ${table} r WHERE r.workspace_id = $1
    AND r.environment = $2 AND r.${column} = t.id ORDER BY r.${otherColumn})`;
}

/** The select list for a single row, with the ids of its to-many relations. */
export function selectList(resource: Resource, selection: FieldSelection): string {
  const sets = selectedSets(resource, selection).map(([name, relation]) => `${linkedIds(relation)} AS "${name}"`);
  return [storedColumns(resource, selection), ...sets].join(', ');
}

/** A write of rows `t` and what is selected of them. What is looked up elsewhere is not, in RETURNING, on servers that spread tables. */
export function returningSql(write: string, selected: string): string {
  if (selected === '') return write;
  if (!selected.includes('SELECT')) return `${write} RETURNING ${selected}`;
  return `WITH t AS (${write} RETURNING t.*) SELECT ${selected} FROM t`;
}

/** The type of the column that stores a field. */
export function columnType({ attributes }: Resource, field: string): string {
  const { kind } = attributes[field] ?? {};
  if (kind?.isStructured) return 'jsonb';
  const { type, format } = kind?.schema(snakeCaseStrings) ?? {};
  if (format === 'decimal') return 'numeric';
  if (format === 'date') return 'date';
  if (format === 'date-time') return 'timestamptz';
  return type === 'integer' ? 'int' : type === 'boolean' ? 'boolean' : 'text';
}

/** A field's value in the form that its column takes. */
export function toColumn(value: unknown, { attributes }: Resource, field: string): Value {
  if (value === undefined || value === null) return null;
  if (attributes[field]?.kind.isStructured) return JSON.stringify(value);
  if (Array.isArray(value) || Buffer.isBuffer(value) || value instanceof Date) return value;
  if (typeof value === 'object') return JSON.stringify(value);
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  assert(isScalar, 'a field holds text, numbers, truth values, lists or objects');
  return value;
}

/** The first three parameters of every statement with a tenant filter. */
export type TenantFilterValues = readonly [
  workspaceId: string,
  environment: string,
  seen: string | readonly string[] | SeenClients | null,
];

/** The third value: null, the client, its visible descendants, or the ids of clients and reporting entities, which never coincide. */
export function tenantFilterValues({ workspaceId, environment, visibleClients }: Scope): TenantFilterValues {
  if (visibleClients.kind === 'some')
    return [workspaceId, environment, [...visibleClients.clientIds, ...visibleClients.reportingEntityIds]];
  if (visibleClients.kind === 'tree') return [workspaceId, environment, seenClients(visibleClients)];
  return [workspaceId, environment, visibleClients.kind === 'all' ? null : visibleClients.clientId];
}

/**
 * When a state or version ends: it lasts at least a microsecond, so that two never start at once, even if another node's clock is ahead. Adding
 * to a moment without its time zone depends on no setting, which servers that spread tables ask of a write.
 */
export function endingMomentSql(moment: string, start: string): string {
  return `greatest(${moment}, (${start} AT TIME ZONE 'UTC' + interval '1 microsecond') AT TIME ZONE 'UTC')`;
}

/** The rank of a row's source: of several sources for one day, the lowest rank wins. */
export function sourcePrecedenceSql(alias: string): string {
  return `array_position(ARRAY[${dataSourcesByPrecedence.map((source) => `'${source}'`).join(', ')}], ${alias}.source)`;
}

/**
 * The tenant filter of every statement: the caller's workspace, environment and visible clients are always $1 to $3. Rows shared by all
 * clients are visible to everyone, and changed only by callers who see all clients.
 */
export function tenantFilterSql(
  resource: OwnedTable,
  visibleClients: VisibleClients['kind'],
  purpose: 'to-see' | 'to-change' = 'to-see',
): string {
  return `${ofTenant(resource)} ${visibility(resource, visibleClients, purpose)}`;
}

function ofTenant(resource: OwnedTable): string {
  const onlyConditions = Object.entries(resource.only ?? {}).map(
    ([column, words]) => `AND t.${column} IN (${words.map((word) => `'${word}'`).join(', ')})`,
  );
  const known = resource.versions ? ['AND t.known_until IS NULL'] : [];
  return ['t.workspace_id = $1 AND t.environment = $2', ...onlyConditions, ...known].join(' ');
}

/** Whether each row names its client. */
export function isOwnedByClient({ owner }: OwnedTable): boolean {
  return typeof owner === 'object';
}

/** The tenant's rows of one of the clients in the list $3, as far as the caller sees them. */
export function rowsOfClientSql(resource: OwnedTable, visibleClients: VisibleClients['kind'], client: string): string {
  return [
    ofTenant(resource),
    `AND ${ownerColumn(resource)} = ${client}`,
    ...entityConditions(resource, visibleClients),
  ].join(' ');
}

/** The tenant's rows that all clients share; undefined where there are none. */
export function rowsOfNoClientSql(resource: OwnedTable, visibleClients: VisibleClients['kind']): string | undefined {
  if (!isShared(resource)) return undefined;
  return [
    ofTenant(resource),
    `AND ${ownerColumn(resource)} IS NULL`,
    ...entityConditions(resource, visibleClients),
  ].join(' ');
}

/** The declaration without its filter for the current version. */
export function withoutVersionFilter<T extends OwnedTable>({ versions: _versions, ...table }: T): Omit<T, 'versions'> {
  return table;
}

/** The column that names a row's client. */
export function ownerColumn(resource: OwnedTable): string | null {
  const { owner } = resource;
  if (owner === 'workspace') return null;
  return owner === 'self' ? 't.id' : `t.${columnOf(resource, owner.relation)}`;
}

function visibility(
  resource: OwnedTable,
  visibleClients: VisibleClients['kind'],
  purpose: 'to-see' | 'to-change',
): string {
  const column = ownerColumn(resource);
  if (visibleClients === 'all') return 'AND $3::text IS NULL';
  if (column === null) return `AND $3::${hasList(visibleClients) ? 'text[]' : 'text'} IS NOT NULL`;
  const own = isOfVisibleClient(resource, column, visibleClients);
  const client = purpose === 'to-see' && isShared(resource) ? `AND (${column} IS NULL OR ${own})` : `AND ${own}`;
  return [client, ...entityConditions(resource, visibleClients)].join(' ');
}

function entityConditions(resource: OwnedTable, visibleClients: VisibleClients['kind']): string[] {
  return visibleClients === 'some' ? reportingEntityConditions(resource) : [];
}

/** Whether the third parameter lists the visible clients. */
function hasList(visibleClients: VisibleClients['kind']): boolean {
  return visibleClients === 'tree' || visibleClients === 'some';
}

/** Of very many clients, that of each row is looked up by its key; a join might read them all. */
function isOfVisibleClient(resource: OwnedTable, column: string, visibleClients: VisibleClients['kind']): string {
  if (hasList(visibleClients)) return `${column} = ANY ($3::text[])`;
  if (visibleClients === 'only') return `${column} = $3`;
  if (resource.owner === 'self') return '$3::text = ANY (t.path)';
  return `(SELECT $3::text = ANY (c.path) FROM client c
    WHERE c.workspace_id = $1 AND c.environment = $2 AND c.id = ${column})`;
}

/** The ids of this link of the portfolios of the reporting entities that a person may read. */
function coveredIds(table: string, column: string): string {
  return `SELECT l.${column} FROM portfolio p JOIN ${table} l ON l.workspace_id = $1 AND l.environment = $2 AND l.portfolio_id = p.id
    WHERE p.workspace_id = $1 AND p.environment = $2 AND p.reporting_entity_id = ANY ($3::text[])`;
}

/** An account in a portfolio. */
function coveredAccount(column: string): string {
  return `${column} IN (${coveredIds('portfolio_account', 'account_id')})`;
}

/** A depository in a portfolio, or one through which an account of a portfolio settles. */
function coveredDepository(column: string): string {
  return `(${column} IN (${coveredIds('portfolio_depository', 'depository_id')})
    OR ${column} IN (SELECT s.depository_id FROM account_depository s WHERE s.workspace_id = $1 AND s.environment = $2
      AND ${coveredAccount('s.account_id')}))`;
}

/** What a caller may know to exist. A person knows the accounts and depositories that their reporting entities cover. */
export function knownToCallerSql(resource: OwnedTable, visibleClients: VisibleClients['kind']): string {
  const seen = tenantFilterSql(resource, visibleClients);
  if (visibleClients !== 'some') return seen;
  if (resource.type === 'account') return `${seen} AND ${coveredAccount('t.id')}`;
  return resource.type === 'depository' ? `${seen} AND ${coveredDepository('t.id')}` : seen;
}

function reportingEntityConditions(resource: OwnedTable): string[] {
  if (resource.type === 'reporting-entity') return ['AND t.id = ANY ($3::text[])'];
  if (resource.isAtPlaces)
    return [`AND (${coveredAccount('t.account_id')} OR ${coveredDepository('t.depository_id')})`];
  const [relation] =
    Object.entries(resource.relations).find(([, one]) => one.to === 'reporting-entity' && one.many === undefined) ?? [];
  if (relation === undefined) return [];
  const column = `t.${columnOf(resource, relation)}`;
  return [`AND (${column} IS NULL OR ${column} = ANY ($3::text[]))`];
}

function isShared({ owner }: OwnedTable): boolean {
  return typeof owner === 'object' && owner.shared === true;
}
