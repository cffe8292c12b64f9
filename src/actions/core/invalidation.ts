// What the life of a thing that figures are made of brings about: its states and links are kept, and whom a change concerns is
// marked for a round. Knows no resource: their declarations say which matter, and what of them does not.

import type { Id } from '../../kit/id.ts';
import { clientOf, linksAmong, type AnyChange, type AnyRecord, type Resource } from '../../kit/resource.ts';
import type { RoundCause } from '../../model/limit/calculation-round.ts';
import { markAllClients, markClient, markHolders } from '../../store/queues/dirty-flags.ts';
import type { Work } from './work.ts';

/** Nobody's instrument concerns those that hold it; whatever else is nobody's, everybody. */
function mark(work: Work, resource: Resource, thing: AnyRecord): void {
  const due = { cause: resource.past!.cause as RoundCause, now: work.now };
  const client = clientOf(resource, thing);
  if (client !== null) markClient(work.store, client, due);
  else if (resource.owner === 'workspace') markAllClients(work.store, due);
  else markHolders(work.store, { id: thing.id, client }, due);
}

/** What is new moves no figure, unless it counts by itself or joins what is there. */
export function traceCreation(work: Work, resource: Resource, made: AnyRecord): void {
  if (resource.past === undefined) return;
  work.store.thingVersions(resource).keep([made.id], work.now);
  const isJoined = linksAmong(resource, made).some((name) => (made[name] as readonly Id[]).length > 0);
  if (isJoined) work.store.linkVersions.keep(resource, made.id, work.now);
  if (isJoined || resource.past.countsByItself) mark(work, resource, made);
}

/** `fields` are those that have changed. */
export function traceChange(work: Work, resource: Resource, changed: AnyRecord, fields: AnyChange): void {
  const { past } = resource;
  if (past === undefined || Object.keys(fields).every((name) => past.without.includes(name))) return;
  work.store.thingVersions(resource).keep([changed.id], work.now);
  if (linksAmong(resource, fields).length > 0) work.store.linkVersions.keep(resource, changed.id, work.now);
  mark(work, resource, changed);
}

/** Before it goes. What can be deleted holds nothing, so that figures move by the links alone that go with it, or by itself. */
export function traceDeletion(work: Work, resource: Resource, present: AnyRecord): void {
  if (resource.past === undefined) return;
  work.store.thingVersions(resource).close(present.id, work.now);
  const hasLinks = linksAmong(resource, resource.relations).length > 0;
  if (hasLinks) work.store.linkVersions.close(resource, present.id, work.now);
  if (hasLinks || resource.past.countsByItself) mark(work, resource, present);
}
