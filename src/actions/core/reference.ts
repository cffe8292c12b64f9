// What a thing refers to: it must be there for the caller, belong to the same client, and stay until the work is done.

import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import { isToMany, wordsOf, type AnyChange, type Relation, type Resource } from '../../kit/resource.ts';
import { resourceOf } from '../../model/resources.ts';
import { notFound } from './resource.ts';
import type { Work } from './work.ts';

function idsOf(relation: Relation, value: unknown): readonly Id[] {
  if (isToMany(relation)) return value as readonly Id[];
  return value === null ? [] : [value as Id];
}

interface Reference {
  readonly field: string;
  readonly relation: Relation;
  readonly ids: readonly Id[];
}

/** Whose the things are that are there and held, by type and id: null for what all share. */
export type Held = (type: string) => ReadonlyMap<Id, Id | null>;

function referencesAmong({ relations }: Resource, asked: AnyChange): Reference[] {
  return Object.entries(relations).flatMap(([field, relation]) => {
    const ids = asked[field] === undefined ? [] : idsOf(relation, asked[field]);
    return ids.length === 0 ? [] : [{ field, relation, ids }];
  });
}

/** Each type with one statement, all on one trip. */
async function holdAll(work: Work, references: readonly Reference[]): Promise<Held> {
  const byType = Map.groupBy(references, ({ relation }) => relation.to);
  const held = await Promise.all(
    [...byType].map(async ([type, those]) => {
      const ids = [...new Set(those.flatMap((reference) => reference.ids))];
      const found = await work.store.table(resourceOf(type)).hold(ids);
      return [type, new Map(found.map(({ id, client }) => [id, client]))] as const;
    }),
  );
  const maps = new Map(held);
  return (type) => maps.get(type)!;
}

/** The client of each thing that one field refers to. */
function clientsOf({ field, relation, ids }: Reference, held: Held): readonly (Id | null)[] {
  const clients = held(relation.to);
  return ids.map((id, item) => {
    const client = clients.get(id);
    if (client === undefined) throw notFound(resourceOf(relation.to), placeOf(field, relation, item));
    return client;
  });
}

function placeOf(field: string, relation: Relation, item: number): { field: string; item?: number } {
  return isToMany(relation) ? { field, item } : { field };
}

function differentClient(resource: Resource, { field, relation }: Reference, item: number): Refusal {
  const code = 'different-client';
  const detail = `The ${wordsOf(resourceOf(relation.to))} belongs to another client than the ${wordsOf(resource)}.`;
  return new Refusal(code, detail, { faults: [{ code, detail, ...placeOf(field, relation, item) }] });
}

/** The client of the one thing that a required relation leads to. */
export function getOwner(resource: Resource, held: Held, { field, id }: { field: string; id: Id }): Id | null {
  return clientsOf({ field, relation: resource.relations[field]!, ids: [id] }, held)[0]!;
}

/** Refuses what is referred to and is not there, or belongs to another client. */
export function refuseStrangers(
  resource: Resource,
  held: Held,
  { client, asked }: { client: Id | null; asked: AnyChange },
): void {
  for (const reference of referencesAmong(resource, asked)) {
    const clients = clientsOf(reference, held);
    const stranger = clients.findIndex((other) => other !== null && other !== client);
    if (stranger >= 0) throw differentClient(resource, reference, stranger);
  }
}

/** The client of the one thing that a required relation leads to, which is held. */
export async function holdOwner(work: Work, resource: Resource, field: string, id: Id): Promise<Id> {
  const held = await holdAll(work, [{ field, relation: resource.relations[field]!, ids: [id] }]);
  return getOwner(resource, held, { field, id })!;
}

/** Holds everything else that is referred to, and refuses what belongs to another client. */
export async function holdReferred(
  work: Work,
  resource: Resource,
  { client, asked }: { client: Id | null; asked: AnyChange },
): Promise<void> {
  const references = referencesAmong(resource, asked);
  if (references.length > 0) refuseStrangers(resource, await holdAll(work, references), { client, asked });
}
