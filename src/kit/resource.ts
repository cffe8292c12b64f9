// What a resource declaration is: fields, relations and deletion rules as data that all wires, the store and the
// reference read. Knows no resource.

import { hash } from 'node:crypto';
import type { FieldKind, ValueOf } from './field.ts';
import type { Id } from './id.ts';

/** When a caller may set a field: always, only at creation, or never (the service computes it). */
export type Writable = 'always' | 'at-creation' | 'never';

export interface Attribute<T = unknown> {
  readonly kind: FieldKind<T>;
  readonly description: string;
  readonly writable: Writable;
  /** Must be sent when the thing is created. */
  readonly required?: true;
  readonly nullable?: true;
  /** A value as a caller would send it, for the reference's example requests. */
  readonly example?: unknown;
  /** Where its name on the snake_case wires is not the declared one in snake_case. */
  readonly snakeCaseName?: string;
  /** Lists of v1 can be asked for one value of it; of a moment, by the parameter `since`, for what is of then or later. */
  readonly filter?: true | 'since';
  /** Kept with the thing that a to-one relation leads to, and read from there. */
  readonly through?: { readonly relation: string; readonly table: string; readonly column: string };
  /** Another form of other fields of the thing: kept nowhere, put in where the thing is shown, taken apart where it is sent. */
  readonly computed?: true;
}

interface AnyRelation {
  /** The type of what it leads to. */
  readonly to: string;
  readonly description: string;
  readonly writable: Writable;
  readonly example?: unknown;
  readonly snakeCaseName?: string;
  readonly filter?: true;
}

export interface ToOne extends AnyRelation {
  readonly many?: never;
  readonly required?: true;
}

/**
 * Rows of a table that name the thing in one column give the other end in another: a table of links, which is written as a
 * whole set, or the far side of some resource's to-one relation, which is read and never stored twice.
 */
export interface ToMany extends AnyRelation {
  readonly many: { readonly table: string; readonly column: string; readonly otherColumn: string };
  readonly required?: never;
}

export type Relation = ToOne | ToMany;

/**
 * How a thing belongs to a client: it is one; or a relation names it (null there: the whole workspace's), which may be taken
 * once and for all from the thing that another relation leads to; or it is shared by the whole workspace. What is the whole
 * workspace's is out of sight for who sees single clients, unless it is `shared`: then all see it, and who sees all changes it.
 */
export type ResourceOwner =
  | 'self'
  | 'workspace'
  | { readonly relation: string; readonly from?: string; readonly shared?: true };

/** Rows of another table that keep a thing from being deleted. */
export interface DeleteBlocker {
  /** What they are called, one and several of them. */
  readonly one: string;
  readonly several: string;
  readonly table: string;
  readonly column: string;
  /** Of a table with versions: only current ones keep it. */
  readonly isCurrent?: true;
}

export interface Resource {
  /** Singular kebab-case noun; the JSON:API type. */
  readonly type: string;
  readonly plural: string;
  readonly description: string;
  readonly table: string;
  /** Column values that tell this resource's rows from others in the same table. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  readonly owner: ResourceOwner;
  readonly attributes: Readonly<Record<string, Attribute<any>>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** Where things come in types with fields of their own: the attribute that names the type, and each type's declaration. */
  readonly variants?: { readonly by: string; readonly of: Readonly<Record<string, Resource>> };
  /** Where its things are found by words: a table with a row for each word of these texts and, after a #, of these sets. */
  readonly words?: {
    readonly table: string;
    readonly column: string;
    readonly textFields: readonly string[];
    readonly setFields: readonly string[];
  };
  /**
   * Where every version of a thing is kept: the fields by which two writes speak of the same thing. What was known once stands
   * in rows of their own, and all that is read and listed is what is known now.
   */
  readonly versions?: { readonly key: readonly string[] };
  /**
   * Where figures are made of it: every state of a thing is kept, for reports as of an earlier moment, and whom a change
   * concerns is told the cause. Without what figures do not depend on: names, which may have to be erased. What counts by
   * itself, and not through what is joined to it, moves figures when it comes and when it goes.
   */
  readonly history?: {
    readonly cause: string;
    readonly ignoredFields: readonly string[];
    readonly isIndependent?: true;
  };
  /** The id of the one thing that all examples speak of, where ids of its kind are made otherwise. */
  readonly exampleId?: string;
  /** What keeps a thing from being deleted, and the code of the refusal while any of it remains. */
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

/** A thing as the store hands it out: every declared field under its declared name. */
export type RecordOf<R extends Resource> = { readonly id: Id } & Readonly<AttributeValues<R>> &
  Readonly<RelationValues<R>>;

/** What a caller asks to be set: only what was sent. */
export type ChangeOf<R extends Resource> = Partial<Omit<RecordOf<R>, 'id'>>;

/** Any thing, for code that reads declarations. */
export type AnyRecord = { readonly id: Id } & { readonly [field: string]: unknown };
export type AnyChange = { readonly [field: string]: unknown };

export function declareResource<const R extends Resource>(resource: R): R {
  return resource;
}

export function isToMany(relation: Relation): relation is ToMany {
  return relation.many !== undefined;
}

/** The sets of links among these fields that a caller can write. */
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

/** The name of a field on the snake_case wires. */
export function snakeCaseNameOf(name: string, field: Attribute | Relation): string {
  if (field.snakeCaseName !== undefined) return field.snakeCaseName;
  if ('kind' in field) return snakeCase(name);
  return isToMany(field) ? `${field.to.replaceAll('-', '_')}_ids` : `${snakeCase(name)}_id`;
}

/** The declaration of one of the types that things of a resource come in. */
export function findVariant({ variants }: Resource, type: unknown): Resource | undefined {
  return typeof type === 'string' && variants && Object.hasOwn(variants.of, type) ? variants.of[type] : undefined;
}

/** The declaration of a thing's own type; where there are no types, the one of all. */
export function variantOf(resource: Resource, record: AnyChange): Resource {
  return findVariant(resource, resource.variants && record[resource.variants.by]) ?? resource;
}

/** The type that examples speak of, where they do not say which. */
export function exampleVariant(resource: Resource, type?: string): Resource {
  const { variants, attributes } = resource;
  return findVariant(resource, type ?? (variants && attributes[variants.by]?.example)) ?? resource;
}

/** Under which name a thing carries the type of what a relation leads to, where that may be one of several. */
export function relatedTypeField(relation: string): string {
  return `${relation}.type`;
}

/** The client a thing belongs to; null for what is the whole workspace's. */
export function clientIdOf({ owner }: Resource, record: AnyRecord): Id | null {
  if (owner === 'workspace') return null;
  return owner === 'self' ? record.id : (record[owner.relation] as Id | null);
}

/** The id of the one thing of a type that all examples speak of. */
export function exampleIdOfType(type: string): Id {
  return `01a1dfac6b33${hash('sha256', type).slice(0, 12)}` as Id;
}

export function exampleIdOfResource({ type, exampleId }: Resource): Id {
  return (exampleId as Id | undefined) ?? exampleIdOfType(type);
}

/** `legal-entity` → `legal entity`, for sentences. */
export function resourceLabel(resource: Resource): string {
  return resource.type.replaceAll('-', ' ');
}

/** `an account`. */
export function resourceLabelWithArticle(resource: Resource): string {
  const words = resourceLabel(resource);
  return `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
}
