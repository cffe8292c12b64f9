// The declaration of a resource: its fields, relations and deletion rules as data, which the surfaces, the store and the API
// reference read.

import { hash } from 'node:crypto';
import type { FieldKind, ValueOf } from './field.ts';
import type { Id } from './id.ts';

/** When a caller may set a field: always, only at creation, or never, since the service computes it. */
export type Writable = 'always' | 'at-creation' | 'never';

export interface Attribute<T = unknown> {
  readonly kind: FieldKind<T>;
  readonly description: string;
  readonly writable: Writable;
  /** Must be sent to create a record. */
  readonly required?: true;
  readonly nullable?: true;
  /** A value as a caller would send it, for the example requests of the API reference. */
  readonly example?: unknown;
  /** Its name in snake_case, where that differs from the declared name in snake_case. */
  readonly snakeCaseName?: string;
  /** Lists can be filtered by a value of it; `since`: by the records of a moment or later; `period`: also by those before a moment. */
  readonly filter?: true | 'since' | 'period';
  /** Stored with the record that a to-one relation leads to, and read from there. */
  readonly through?: { readonly relation: string; readonly table: string; readonly column: string };
  /** Computed from other fields: not stored, but set on records that are shown and taken apart where it is sent. */
  readonly computed?: true;
}

interface AnyRelation {
  /** The type of the records it leads to. */
  readonly to: string;
  readonly description: string;
  readonly writable: Writable;
  readonly example?: unknown;
  readonly snakeCaseName?: string;
  readonly filter?: true;
}

const untilSuffix = '.until';

/** The key of a filter by the end of a period, beside that by its beginning, which is the field's name. */
export function untilKey(field: string): string {
  return `${field}${untilSuffix}`;
}

/** The field whose period a filter ends; undefined for any other filter. */
export function fieldOfUntilKey(key: string): string | undefined {
  return key.endsWith(untilSuffix) ? key.slice(0, -untilSuffix.length) : undefined;
}

export interface ToOne extends AnyRelation {
  readonly many?: never;
  readonly required?: true;
}

/**
 * Read from rows of a table that name the record in `column` and the related record in `otherColumn`: a table of links, which is
 * written as a whole set, or the table of a resource with a to-one relation to this one, which is only read.
 */
export interface ToMany extends AnyRelation {
  readonly many: { readonly table: string; readonly column: string; readonly otherColumn: string };
  readonly required?: never;
}

export type Relation = ToOne | ToMany;

/**
 * How a record belongs to a client. `self`: it is the client. `workspace`: all clients of the workspace share it. A relation: it
 * names the client, or null for the whole workspace; with `from`, the client is copied at creation from the record that the
 * relation `from` leads to. A record of the whole workspace is hidden from callers who see single clients only, unless it is
 * `shared`: then everybody sees it, and callers who see all clients change it.
 */
export type ResourceOwner =
  | 'self'
  | 'workspace'
  | { readonly relation: string; readonly from?: string; readonly shared?: true };

/** Rows of another table that block the deletion of a record. */
export interface DeleteBlocker {
  /** Their names in sentences, singular and plural. */
  readonly one: string;
  readonly several: string;
  readonly table: string;
  readonly column: string;
  /** Of a table with versions: the column that tells current versions from others. Only those block. */
  readonly currentBy?: 'known_until' | 'current_environment';
  /** Of a table with a state: only rows in these states block. The others are deleted with the record. */
  readonly states?: readonly string[];
}

/** What one does with records of a resource. */
export type ResourceVerb = 'list' | 'read' | 'create' | 'bulk' | 'change' | 'delete';

/** For people who read the API reference. Names no fields, since each wire writes them in its own way. */
export interface ResourceUsage extends Readonly<Partial<Record<ResourceVerb, string>>> {
  /** What it is needed for. */
  readonly purpose: string;
}

export interface Resource {
  /** A singular noun in kebab-case. */
  readonly type: string;
  readonly plural: string;
  /** Their names in sentences, where type and plural are not. */
  readonly labels?: { readonly one: string; readonly several: string };
  readonly description: string;
  readonly usage?: ResourceUsage;
  readonly table: string;
  /** Column values that distinguish the rows of this resource from others in the same table. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly owner: ResourceOwner;
  readonly attributes: Readonly<Record<string, Attribute<any>>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** For records of several types with different fields: the attribute that names the type, and the declaration of each type. */
  readonly variants?: { readonly by: string; readonly of: Readonly<Record<string, Resource>> };
  /** Set where the service provides the records by itself: callers read them, and cannot create, change or delete one. */
  readonly isBuiltIn?: true;
  /** For records that are searched by words: a table with a row for each word of these texts and, after a #, of these sets. */
  readonly words?: {
    readonly table: string;
    readonly column: string;
    readonly textFields: readonly string[];
    readonly setFields: readonly string[];
  };
  /**
   * For records that are searched without a table of words: a word may stand anywhere in these texts of their own, and in the names of the
   * records that these relations lead to.
   */
  readonly searched?: { readonly textFields: readonly string[]; readonly namesOf: readonly string[] };
  /**
   * Set where every version of a record is kept, each in a row: the fields that identify the record in a write. Reading and listing
   * return the current versions.
   */
  readonly versions?: { readonly key: readonly string[] };
  /**
   * Set where figures depend on it: every state of a record is kept, for reports as known at an earlier moment, and a change is
   * passed on with its cause. `ignoredFields` are not kept: figures do not depend on them, and names may have to be erased.
   * `isIndependent`: creating or deleting a record changes figures by itself, without links to other records.
   */
  readonly history?: {
    readonly cause: string;
    readonly ignoredFields: readonly string[];
    readonly isIndependent?: true;
  };
  /**
   * Set where records are about an account, a depository or both: a person who sees single reporting entities sees those about places
   * that these cover.
   */
  readonly isAtPlaces?: true;
  /** A field by whose values lists are read: one that filters by none of them merges the records of each, so that one index serves both. */
  readonly mergedLists?: { readonly by: string; readonly values: readonly string[] };
  /** The id of the example record, where ids of this resource have another form. */
  readonly exampleId?: string;
  /** What blocks the deletion of a record, and the code of the refusal while any of it remains. */
  readonly deletion?: { readonly code: string; readonly blockedBy: readonly DeleteBlocker[] };
}

type AttributeValues<R extends Resource> = {
  [N in keyof R['attributes']]: R['attributes'][N] extends { nullable: true }
    ? ValueOf<R['attributes'][N]['kind']> | null
    : ValueOf<R['attributes'][N]['kind']>;
};
type RelationValues<R extends Resource> = {
  [N in keyof R['relations']]: R['relations'][N] extends ToMany
    ? readonly Id[]
    : R['relations'][N] extends { required: true }
      ? Id
      : Id | null;
};

/** A record as the store returns it: every declared field under its declared name. */
export type RecordOf<R extends Resource> = { readonly id: Id } & Readonly<AttributeValues<R>> &
  Readonly<RelationValues<R>>;

/** The fields of a write: only what was sent. */
export type ChangeOf<R extends Resource> = Partial<Omit<RecordOf<R>, 'id'>>;

/** A record of any resource, for code that reads declarations. */
export type AnyRecord = { readonly id: Id } & { readonly [field: string]: unknown };
export type AnyChange = { readonly [field: string]: unknown };

/** A record of a known resource as one of any: declared fields can then be read by their names. */
export function anyRecord(record: { readonly id: Id }): AnyRecord {
  return record as AnyRecord;
}

/** The fields of a write of a known resource as those of any: declared fields can then be read by their names. */
export function anyChange(fields: object): AnyChange {
  return fields as AnyChange;
}

/** Fields that were read by the declaration of the resource. */
export function changeOf<R extends Resource>(_resource: R, fields: AnyChange): ChangeOf<R> {
  return fields as ChangeOf<R>;
}

export function declareResource<const R extends Resource>(resource: R): R {
  return resource;
}

export function isToMany(relation: Relation): relation is ToMany {
  return relation.many !== undefined;
}

/** The names of those fields that are sets of links and that a caller can write. */
export function writableLinkNames({ relations }: Resource, fields: AnyChange): readonly string[] {
  return Object.keys(fields).filter((name) => {
    const relation = relations[name];
    return relation !== undefined && isToMany(relation) && relation.writable !== 'never';
  });
}

const snakeNames = new Map<string, string>();

/** `referenceCurrency` → `reference_currency`. */
export function snakeCase(name: string): string {
  let snake = snakeNames.get(name);
  if (snake === undefined) {
    snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    snakeNames.set(name, snake);
  }
  return snake;
}

/** The name of a field in snake_case. */
export function snakeCaseNameOf(name: string, field: Attribute | Relation): string {
  if (field.snakeCaseName !== undefined) return field.snakeCaseName;
  if ('kind' in field) return snakeCase(name);
  return isToMany(field) ? `${field.to.replaceAll('-', '_')}_ids` : `${snakeCase(name)}_id`;
}

/** The declaration of one of the types that records of a resource have. */
export function findVariant({ variants }: Resource, type: unknown): Resource | undefined {
  return typeof type === 'string' && variants && Object.hasOwn(variants.of, type) ? variants.of[type] : undefined;
}

/** The types that a caller can create records of; none where the resource has no types. */
export function creatableVariants({ variants }: Resource): readonly Resource[] {
  return Object.values(variants?.of ?? {}).filter(({ isBuiltIn }) => isBuiltIn !== true);
}

/** The declaration of the type of a record; the resource itself where it has no types. */
export function variantOf(resource: Resource, record: AnyChange): Resource {
  return findVariant(resource, resource.variants && record[resource.variants.by]) ?? resource;
}

/** The type that examples show where they name none. */
export function exampleVariant(resource: Resource, type?: string): Resource {
  const { variants, attributes } = resource;
  return findVariant(resource, type ?? (variants && attributes[variants.by]?.example)) ?? resource;
}

/** The name under which a record carries the type of the record that a relation leads to, where it may be one of several. */
export function relatedTypeField(relation: string): string {
  return `${relation}.type`;
}

/** The client that a record belongs to; null for the whole workspace. */
export function clientIdOf({ owner }: Resource, record: AnyRecord): Id | null {
  if (owner === 'workspace') return null;
  return owner === 'self' ? record.id : (record[owner.relation] as Id | null);
}

/** The id of the example record of a type. */
export function exampleIdOfType(type: string): Id {
  return `01a1dfac6b33${hash('sha256', type).slice(0, 12)}` as Id;
}

export function exampleIdOfResource({ type, exampleId }: Resource): Id {
  return (exampleId as Id | undefined) ?? exampleIdOfType(type);
}

/** What a resource is, and what it is needed for. */
export function introductionText({ description, usage }: Resource): string {
  return usage === undefined ? description : `${description} ${usage.purpose}`;
}

/** `legal-entity` → `legal entity`, for sentences. */
export function resourceLabel(resource: Resource): string {
  return resource.labels?.one ?? resource.type.replaceAll('-', ' ');
}

/** `legal entities`. */
export function resourceLabelPlural(resource: Resource): string {
  return resource.labels?.several ?? resource.plural.replaceAll('-', ' ');
}

/** `an account`. */
export function resourceLabelWithArticle(resource: Resource): string {
  const words = resourceLabel(resource);
  return `${/^(?!us)[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
