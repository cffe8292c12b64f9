// The allow-list of a wire: which fields of each resource it shows. A field that no wire lists is shown to nobody.

import type { FieldSelection } from '../../../kit/field-selection.ts';
import type { Attribute, Relation, Resource } from '../../../kit/resource.ts';

type FieldName<R extends Resource> = Extract<keyof R['attributes'] | keyof R['relations'], string>;

/** The fields of one resource that a wire shows. */
interface ShownResource {
  readonly resource: Resource;
  readonly fields: readonly string[];
}

/** Lists the fields that are shown of a resource, and of its variants as far as they have them. */
export function show<R extends Resource>(resource: R, ...fields: readonly FieldName<R>[]): ShownResource {
  return { resource, fields };
}

/** Shows every field: for declarations that belong to the wire itself. */
export function showAll(resource: Resource): ShownResource {
  const declarations = [resource, ...Object.values(resource.variants?.of ?? {})];
  const fields = declarations.flatMap(({ attributes, relations }) => [
    ...Object.keys(attributes),
    ...Object.keys(relations),
  ]);
  return { resource, fields };
}

interface DeclaredFields {
  readonly attributes: readonly (readonly [name: string, Attribute])[];
  readonly relations: readonly (readonly [name: string, Relation])[];
}

/** Shows every field except those that only the service reads. */
export function showAllBut<R extends Resource>(resource: R, ...hidden: readonly FieldName<R>[]): ShownResource {
  const isHidden = (field: string): boolean => hidden.some((name) => name === field);
  return { resource, fields: showAll(resource).fields.filter((field) => !isHidden(field)) };
}

/** What a wire shows: for the store, what to read; for the wire, the declarations of the fields to read and render. */
export class ShownFields implements FieldSelection {
  readonly withRelatedTypes: boolean;
  readonly #namesByType = new Map<string, ReadonlySet<string>>();
  readonly #declarations = new WeakMap<Resource, DeclaredFields>();

  constructor(shown: readonly ShownResource[], { withRelatedTypes = false } = {}) {
    this.withRelatedTypes = withRelatedTypes;
    for (const { resource, fields } of shown) this.#add(resource, new Set(fields));
  }

  #add(resource: Resource, names: ReadonlySet<string>): void {
    for (const { type } of [resource, ...Object.values(resource.variants?.of ?? {})]) {
      const known = this.#namesByType.get(type) ?? [];
      this.#namesByType.set(type, new Set([...known, ...names]));
    }
  }

  includes({ type }: Pick<Resource, 'type'>, field: string): boolean {
    return this.#namesByType.get(type)?.has(field) ?? false;
  }

  /** The declarations of what is shown of a resource, in their order; found once for each resource. */
  of(resource: Resource): DeclaredFields {
    let declared = this.#declarations.get(resource);
    if (declared === undefined) {
      const isShown = ([name]: readonly [string, unknown]): boolean => this.includes(resource, name);
      declared = {
        attributes: Object.entries(resource.attributes).filter(isShown),
        relations: Object.entries(resource.relations).filter(isShown),
      };
      this.#declarations.set(resource, declared);
    }
    return declared;
  }
}
