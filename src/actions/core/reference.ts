// What a thing refers to: it must be there for the caller, belong to the same client, and stay until the work is done.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { isToMany, resourceLabel, type AnyChange, type Relation, type Resource } from '../../kit/resource.ts';
import { getResource } from '../../model/resources.ts';
import { notFound } from './resource.ts';
import type { Work } from './work.ts';

function relationIds(relation: Relation, value: unknown): readonly Id[] {
  if (isToMany(relation)) return value as readonly Id[];
  return value === null ? [] : [value as Id];
}

interface Reference {
  readonly field: string;
  readonly relation: Relation;
  readonly ids: readonly Id[];
}

/** Whose the things are that are there and held, by type and id: null for what all share. */
export type OwnerLookup = (type: string) => ReadonlyMap<Id, Id | null>;

function listReferences({ relations }: Resource, input: AnyChange): Reference[] {
  return Object.entries(relations).flatMap(([field, relation]) => {
    const ids = input[field] === undefined ? [] : relationIds(relation, input[field]);
    return ids.length === 0 ? [] : [{ field, relation, ids }];
  });
}

/** Each type with one statement, all on one trip. */
async function holdAll(work: Work, references: readonly Reference[]): Promise<OwnerLookup> {
  const byType = Map.groupBy(references, ({ relation }) => relation.to);
  const owners = await Promise.all(
    [...byType].map(async ([type, group]) => {
      const ids = [...new Set(group.flatMap((reference) => reference.ids))];
      const found = await work.store.table(getResource(type)).lockReferenced(ids);
      return [type, new Map(found.map(({ id, client }) => [id, client]))] as const;
    }),
  );
  const maps = new Map(owners);
  return (type) => maps.get(type)!;
}

/** The client of each thing that one field refers to. */
function getClients({ field, relation, ids }: Reference, owners: OwnerLookup): readonly (Id | null)[] {
  const clients = owners(relation.to);
  return ids.map((id, item) => {
    const client = clients.get(id);
    if (client === undefined) throw notFound(getResource(relation.to), faultLocation(field, relation, item));
    return client;
  });
}

function faultLocation(field: string, relation: Relation, item: number): { field: string; item?: number } {
  return isToMany(relation) ? { field, item } : { field };
}

function differentClient(resource: Resource, { field, relation }: Reference, item: number): Refusal {
  const code = 'different-client';
  const detail = `The ${resourceLabel(getResource(relation.to))} belongs to another client than the ${resourceLabel(resource)}.`;
  return new Refusal(code, detail, { faults: [{ code, detail, ...faultLocation(field, relation, item) }] });
}

/** The client of the one thing that a required relation leads to. */
export function getOwner(resource: Resource, owners: OwnerLookup, { field, id }: { field: string; id: Id }): Id | null {
  return getClients({ field, relation: resource.relations[field]!, ids: [id] }, owners)[0]!;
}

/** Refuses what is referred to and is not there, or belongs to another client. */
export function refuseOtherClients(
  resource: Resource,
  owners: OwnerLookup,
  { client, input }: { client: Id | null; input: AnyChange },
): void {
  for (const reference of listReferences(resource, input)) {
    const clients = getClients(reference, owners);
    const foreignIndex = clients.findIndex((other) => other !== null && other !== client);
    if (foreignIndex >= 0) throw differentClient(resource, reference, foreignIndex);
  }
}

/** The client of the one thing that a required relation leads to, which is held. */
export async function holdOwner(work: Work, resource: Resource, field: string, id: Id): Promise<Id> {
  const owners = await holdAll(work, [{ field, relation: resource.relations[field]!, ids: [id] }]);
  return getOwner(resource, owners, { field, id })!;
}

/** Holds everything else that is referred to, and refuses what belongs to another client. */
export async function holdReferences(
  work: Work,
  resource: Resource,
  { client, input }: { client: Id | null; input: AnyChange },
): Promise<void> {
  const references = listReferences(resource, input);
  if (references.length > 0) refuseOtherClients(resource, await holdAll(work, references), { client, input });
}
