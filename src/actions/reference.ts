// What a thing refers to: it must be there for the caller, belong to the same client, and stay until the work is done.

import type { Id } from '../kit/id.ts';
import { Refusal } from '../kit/refusal.ts';
import { isToMany, wordsOf, type AnyChange, type Relation, type Resource } from '../kit/resource.ts';
import { resourceOf } from '../model/resources.ts';
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

/** Holds what one field refers to and answers the client of each. */
async function holdAll(work: Work, { field, relation, ids }: Reference): Promise<readonly (Id | null)[]> {
  const target = resourceOf(relation.to);
  const held = await work.store.table(target).hold(ids);
  const clients = new Map(held.map(({ id, client }) => [id, client]));
  return ids.map((id, item) => {
    const client = clients.get(id);
    if (client === undefined) throw notFound(target, placeOf(field, relation, item));
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
export async function holdOwner(work: Work, resource: Resource, field: string, id: Id): Promise<Id> {
  const [client] = await holdAll(work, { field, relation: resource.relations[field]!, ids: [id] });
  return client!;
}

/** Holds everything else that is referred to, and refuses what belongs to another client. */
export async function holdReferred(
  work: Work,
  resource: Resource,
  { client, asked }: { client: Id | null; asked: AnyChange },
): Promise<void> {
  for (const [field, relation] of Object.entries(resource.relations)) {
    const ids = asked[field] === undefined ? [] : idsOf(relation, asked[field]);
    if (ids.length === 0) continue;
    const reference = { field, relation, ids };
    const clients = await holdAll(work, reference);
    const stranger = clients.findIndex((other) => other !== null && other !== client);
    if (stranger >= 0) throw differentClient(resource, reference, stranger);
  }
}
