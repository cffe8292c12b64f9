// The filters of v1 lists: a query parameter for each field that its declaration lets lists be asked for.

import { id } from '../../kit/field.ts';
import {
  flatNameOf,
  isToMany,
  type AnyChange,
  type Attribute,
  type Relation,
  type Resource,
} from '../../kit/resource.ts';
import type { Parameter } from '../http/operation.ts';

interface Filter {
  readonly name: string;
  readonly field: string;
  readonly parameter: Parameter;
}

/** A set is asked for by one of its members: `account_ids` by `account_id`. */
function filterOf(field: string, declared: Attribute | Relation): Filter {
  const name = flatNameOf(field, declared);
  if ('kind' in declared) return { name, field, parameter: { kind: declared.kind, description: onlyWith(name) } };
  if (!isToMany(declared)) return { name, field, parameter: { kind: id, description: onlyWith(name) } };
  const description = `Only those that are joined to this ${declared.to.replaceAll('-', ' ')}.`;
  return { name: name.replace(/s$/, ''), field, parameter: { kind: id, description } };
}

function onlyWith(name: string): string {
  return `Only those with this \`${name}\`.`;
}

export function filtersOf(resource: Resource): readonly Filter[] {
  return Object.entries<Attribute | Relation>({ ...resource.attributes, ...resource.relations })
    .filter(([, { filter }]) => filter)
    .map(([field, declared]) => filterOf(field, declared));
}

export function filterParameters(filters: readonly Filter[]): Readonly<Record<string, Parameter>> {
  return Object.fromEntries(filters.map(({ name, parameter }) => [name, parameter]));
}

/** What was asked for, under declared names. */
export function whereOf(filters: readonly Filter[], query: Readonly<Record<string, unknown>>): AnyChange {
  const asked = filters.filter(({ name }) => query[name] !== undefined);
  return Object.fromEntries(asked.map(({ name, field }) => [field, query[name]]));
}
