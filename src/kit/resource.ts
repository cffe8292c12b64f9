// What a resource declaration is: fields, relations and deletion rules as data that all wires, the store and the
// reference read. Knows no resource.

import type { FieldKind, ValueOf } from './field.ts';
import type { Id } from './id.ts';

export type WireName = 'json-api' | 'plain' | 'v1';

/** When a caller may set a field: always, only at creation, or never (the service computes it). */
export type Writable = 'always' | 'at-creation' | 'never';

export interface Attribute<T = unknown> {
  readonly kind: FieldKind<T>;
  readonly description: string;
  readonly on: readonly WireName[];
  readonly writable: Writable;
  /** Must be sent when the thing is created. */
  readonly required?: true;
  readonly nullable?: true;
  /** A value as a caller would send it, for the reference's example requests. */
  readonly example?: unknown;
  /** Where its name on the snake_case wires is not the declared one in snake_case. */
  readonly flatName?: string;
}

export interface ToOne {
  readonly to: string;
  readonly many?: never;
  readonly description: string;
  readonly on: readonly WireName[];
  readonly writable: Writable;
  readonly required?: true;
  readonly flatName?: string;
}

/** The other end of some resource's to-one relation: read from there, never stored twice. */
export interface ToMany {
  readonly to: string;
  readonly many: { readonly table: string; readonly column: string };
  readonly description: string;
  readonly on: readonly WireName[];
}

export type Relation = ToOne | ToMany;

/** Rows of another table that keep a thing from being deleted. */
export interface Keeper {
  /** What they are called, one and several of them. */
  readonly one: string;
  readonly several: string;
  readonly table: string;
  readonly column: string;
}

export interface Resource {
  /** Singular kebab-case noun; the JSON:API type. */
  readonly type: string;
  readonly plural: string;
  readonly description: string;
  readonly table: string;
  /** Column values that tell this resource's rows from others in the same table. */
  readonly only?: Readonly<Record<string, readonly string[]>>;
  /** How a row belongs to a client: the row is one, or the column that names it (null there: the whole workspace's). */
  readonly owner: 'self' | { readonly column: string };
  readonly attributes: Readonly<Record<string, Attribute<any>>>;
  readonly relations: Readonly<Record<string, Relation>>;
  /** What keeps a thing from being deleted, and the code of the refusal while any of it remains. */
  readonly kept?: { readonly code: string; readonly by: readonly Keeper[] };
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

/** The name of an attribute on the snake_case wires. */
export function flatNameOf(name: string, field: Attribute | ToOne): string {
  return field.flatName ?? ('kind' in field ? snakeCase(name) : `${snakeCase(name)}_id`);
}

/** `legal-entity` → `legal entity`, for sentences. */
export function wordsOf(resource: Resource): string {
  return resource.type.replaceAll('-', ' ');
}
