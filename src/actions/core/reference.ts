// Checks the records that a record refers to: they must be visible to the caller, belong to the same client, and stay until commit.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults, type Fault } from '../../kit/refusal.ts';
import {
  isToMany,
  resourceLabel,
  writableLinkNames,
  type AnyChange,
  type Relation,
  type Resource,
} from '../../kit/resource.ts';
import { isBuiltInId } from '../../model/instrument/built-in-id.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { getResource } from '../../model/resources.ts';
import { notFound } from './resource.ts';
import type { Work } from './work.ts';

function relationIds(relation: Relation, value: unknown): readonly Id[] {
  return isToMany(relation) ? (value as readonly Id[]) : [value as Id];
}

interface Reference {
  readonly field: string;
  readonly relation: Relation;
  readonly ids: readonly Id[];
}

/** The owning client of each locked record, by type and id; null for a record that all clients share. */
export type OwnerLookup = (type: string) => ReadonlyMap<Id, Id | null>;

function listReferences({ relations }: Resource, input: AnyChange): Reference[] {
  const references: Reference[] = [];
  for (const field in relations) {
    const [relation, value] = [relations[field], input[field]];
    if (relation === undefined || value === undefined || value === null) continue;
    const ids = relationIds(relation, value);
    if (ids.length > 0) references.push({ field, relation, ids });
  }
  return references;
}

/** Locks all referenced records with one statement per type, sent in one batch. */
async function lockAll(work: Work, references: readonly Reference[]): Promise<OwnerLookup> {
  const byType = Map.groupBy(references, ({ relation }) => relation.to);
  const owners = await Promise.all(
    [...byType].map(async ([type, group]) => {
      const ids = [...new Set(group.flatMap((reference) => reference.ids))];
      const found = await work.store.table(getResource(type)).lockReferenced(ids);
      return [type, new Map(found.map(({ id, client }) => [id, client]))] as const;
    }),
  );
  const maps = new Map(owners);
  return (type) => defined(maps.get(type), 'all referenced types are locked before their owners are looked up');
}

/** The client of each record that one field refers to. */
function getClients({ field, relation, ids }: Reference, owners: OwnerLookup): readonly (Id | null)[] {
  const clients = owners(relation.to);
  return ids.map((id, item) => {
    const client = clients.get(id);
    if (client === undefined) throw missingReference(relation, id, faultLocation(field, relation, item));
    return client;
  });
}

function missingReference(relation: Relation, id: Id, at: Pick<Fault, 'field' | 'item'>): Refusal {
  if (relation.to !== instrument.type || !isBuiltInId(id)) return notFound(getResource(relation.to), at);
  const detail =
    'The service provides this instrument. Amounts move cash and fees owed without naming one: send another instrument, or none.';
  return refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, ...at }]);
}

function faultLocation(field: string, relation: Relation, item: number): { field: string; item?: number } {
  return isToMany(relation) ? { field, item } : { field };
}

function differentClient(resource: Resource, { field, relation }: Reference, item: number): Refusal {
  const code = 'different-client';
  const detail = `The ${resourceLabel(getResource(relation.to))} belongs to another client than the ${resourceLabel(resource)}.`;
  return new Refusal(code, detail, { faults: [{ code, detail, ...faultLocation(field, relation, item) }] });
}

function relationOf(resource: Resource, field: string): Relation {
  return defined(resource.relations[field], 'the field is a declared relation');
}

/** The client of the record that a required to-one relation leads to. */
export function getOwner(resource: Resource, owners: OwnerLookup, { field, id }: { field: string; id: Id }): Id | null {
  const [owner = null] = getClients({ field, relation: relationOf(resource, field), ids: [id] }, owners);
  return owner;
}

/** Refuses references to records that do not exist or that belong to another client. */
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

/**
 * Locks the record that a required to-one relation leads to and all others that are referred to, in one batch. Returns the client of the
 * first, to which the others must belong too.
 */
export async function lockOwned(
  work: Work,
  resource: Resource,
  { field, id, others = {} }: { field: string; id: Id; others?: AnyChange },
): Promise<Id> {
  const owner = { field, relation: relationOf(resource, field), ids: [id] };
  const ownerLocked = lockAll(work, [owner]);
  if (writableLinkNames(resource, others).length > 0)
    work.store.clientHierarchy.lockLinksBelow(getResource(owner.relation.to), id);
  const [owners, lookup] = await Promise.all([ownerLocked, lockAll(work, listReferences(resource, others))]);
  const client = defined(getOwner(resource, owners, { field, id }), 'a record that owns others belongs to a client');
  refuseOtherClients(resource, lookup, { client, input: others });
  return client;
}

/** Locks all referenced records, and refuses those that belong to another client. */
export async function lockReferences(
  work: Work,
  resource: Resource,
  { client, input }: { client: Id | null; input: AnyChange },
): Promise<void> {
  const references = listReferences(resource, input);
  if (references.length > 0) refuseOtherClients(resource, await lockAll(work, references), { client, input });
}
