// Keeps the history of records that reports are calculated from, and flags the affected clients for a round. The declaration of a
// resource says whether it has a history and which of its fields do not matter.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { clientIdOf, writableLinkNames, type AnyChange, type AnyRecord, type Resource } from '../../kit/resource.ts';
import type { RoundCause } from '../../model/limit/calculation-round.ts';
import { flagAllClients, flagClient, flagHolders } from '../../store/queues/dirty-flags.ts';
import type { Work } from './work.ts';

/** Flags the record's client. A record without a client affects all clients, or, if it is an instrument, those that hold it. */
function markDirty(work: Work, resource: Resource, record: AnyRecord): void {
  const { cause } = defined(resource.history, 'only resources with a history mark clients dirty');
  const flag = { cause: cause as RoundCause, now: work.now };
  const client = clientIdOf(resource, record);
  if (client !== null) flagClient(work.store, client, flag);
  else if (resource.owner === 'workspace') flagAllClients(work.store, flag);
  else flagHolders(work.store, { id: record.id, client }, flag);
}

/** A new record affects no figures unless it counts by itself or is linked to existing records. */
export function invalidateOnCreate(work: Work, resource: Resource, created: AnyRecord): void {
  if (resource.history === undefined) return;
  work.store.recordVersions(resource).putStates([created.id], work.now);
  const isLinked = writableLinkNames(resource, created).some((name) => (created[name] as readonly Id[]).length > 0);
  if (isLinked) work.store.linkVersions.putLinks(resource, created.id, work.now);
  if (isLinked || resource.history.isIndependent) markDirty(work, resource, created);
}

/** `fields` are the changed ones. */
export function invalidateOnChange(work: Work, resource: Resource, changed: AnyRecord, fields: AnyChange): void {
  const { history } = resource;
  if (history === undefined || Object.keys(fields).every((name) => history.ignoredFields.includes(name))) return;
  work.store.recordVersions(resource).putStates([changed.id], work.now);
  if (writableLinkNames(resource, fields).length > 0) work.store.linkVersions.putLinks(resource, changed.id, work.now);
  markDirty(work, resource, changed);
}

/** To be called before the deletion. Only an empty record can be deleted, so figures change through its links, or if it counts by itself. */
export function invalidateOnDelete(work: Work, resource: Resource, present: AnyRecord): void {
  if (resource.history === undefined) return;
  work.store.recordVersions(resource).close(present.id, work.now);
  const hasLinks = writableLinkNames(resource, resource.relations).length > 0;
  if (hasLinks) work.store.linkVersions.close(resource, present.id, work.now);
  if (hasLinks || resource.history.isIndependent) markDirty(work, resource, present);
}
