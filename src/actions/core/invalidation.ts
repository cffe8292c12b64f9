// What the life of a thing that figures are made of brings about: its states and links are kept, and whom a change concerns is
// marked for a round. Knows no resource: their declarations say which matter, and what of them does not.

import type { Id } from '../../kit/id.ts';
import { clientIdOf, writableLinkNames, type AnyChange, type AnyRecord, type Resource } from '../../kit/resource.ts';
import type { RoundCause } from '../../model/limit/calculation-round.ts';
import { flagAllClients, flagClient, flagHolders } from '../../store/queues/dirty-flags.ts';
import type { Work } from './work.ts';

/** Nobody's instrument concerns those that hold it; whatever else is nobody's, everybody. */
function markDirty(work: Work, resource: Resource, record: AnyRecord): void {
  const flag = { cause: resource.history!.cause as RoundCause, now: work.now };
  const client = clientIdOf(resource, record);
  if (client !== null) flagClient(work.store, client, flag);
  else if (resource.owner === 'workspace') flagAllClients(work.store, flag);
  else flagHolders(work.store, { id: record.id, client }, flag);
}

/** What is new moves no figure, unless it counts by itself or joins what is there. */
export function invalidateOnCreate(work: Work, resource: Resource, created: AnyRecord): void {
  if (resource.history === undefined) return;
  work.store.recordVersions(resource).putStates([created.id], work.now);
  const isLinked = writableLinkNames(resource, created).some((name) => (created[name] as readonly Id[]).length > 0);
  if (isLinked) work.store.linkVersions.putLinks(resource, created.id, work.now);
  if (isLinked || resource.history.isIndependent) markDirty(work, resource, created);
}

/** `fields` are those that have changed. */
export function invalidateOnChange(work: Work, resource: Resource, changed: AnyRecord, fields: AnyChange): void {
  const { history } = resource;
  if (history === undefined || Object.keys(fields).every((name) => history.ignoredFields.includes(name))) return;
  work.store.recordVersions(resource).putStates([changed.id], work.now);
  if (writableLinkNames(resource, fields).length > 0) work.store.linkVersions.putLinks(resource, changed.id, work.now);
  markDirty(work, resource, changed);
}

/** Before it goes. What can be deleted holds nothing, so that figures move by the links alone that go with it, or by itself. */
export function invalidateOnDelete(work: Work, resource: Resource, present: AnyRecord): void {
  if (resource.history === undefined) return;
  work.store.recordVersions(resource).close(present.id, work.now);
  const hasLinks = writableLinkNames(resource, resource.relations).length > 0;
  if (hasLinks) work.store.linkVersions.close(resource, present.id, work.now);
  if (hasLinks || resource.history.isIndependent) markDirty(work, resource, present);
}
