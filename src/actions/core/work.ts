// One caller's piece of work: its store, the moment it happens at, and the audit line every change leaves.

import type { Id, IdSource } from '../../kit/id.ts';
import { auditEntry, type AuditedAct } from '../../model/access/audit-entry.ts';
import { everything, type Reach } from '../../model/access/scope.ts';
import { openForReading, openForWriting, openTogether, type SnapshotStore, type Store } from '../../store/store.ts';
import type { View } from '../../store/resources/resource-sql.ts';
import { closeOutbox } from '../events/event.ts';
import type { House } from './context.ts';
import { Outbox } from './outbox.ts';

export interface Work {
  readonly house: House;
  readonly store: Store;
  readonly ids: IdSource;
  readonly now: number;
  /** Who is behind it: null for the service's own doing. */
  readonly subject: string | null;
  readonly requestId: string | null;
  /** The events that go with it. */
  readonly outbox: Outbox;
}

export interface Author {
  readonly reach: Reach;
  /** The wire it came over; null for the service's own doing. */
  readonly view: View;
  readonly subject: string | null;
  readonly requestId: string | null;
}

/** The service's own doing, for which it sees everything of a tenant. */
export function ownDoing({ workspaceId, environment }: Pick<Reach, 'workspaceId' | 'environment'>): Author {
  const reach = { workspaceId, environment, sight: everything, credentialId: null };
  return { reach, view: null, subject: null, requestId: null };
}

function workWith(house: House, author: Author, store: Store): Work {
  const { subject, requestId } = author;
  return { house, store, ids: house.ids, now: house.clock.now(), subject, requestId, outbox: new Outbox() };
}

export function readingWork(house: House, author: Author): Work {
  return workWith(house, author, openForReading(house.database, author));
}

/** The same caller's questions, all answered as of one moment. */
export function readingTogether<T>(
  work: Work,
  task: (work: Work & { readonly store: SnapshotStore }) => Promise<T>,
): Promise<T> {
  return openTogether(work.house.database, work.store, (store) => task({ ...work, store }));
}

/** Everything `task` changes, with its audit lines and its events, is committed together or not at all. */
export async function writingWork<T>(house: House, author: Author, task: (work: Work) => Promise<T>): Promise<T> {
  let hasEvents = false;
  let hasMail = false;
  const done = await openForWriting(house.database, author, async (store) => {
    const work = workWith(house, author, store);
    const result = await task(work);
    hasEvents = closeOutbox(work);
    hasMail = work.outbox.hasMail;
    return result;
  });
  house.roundHints.put(author.reach, house.clock.now());
  if (hasEvents) house.deliveryHints.put(author.reach, house.clock.now());
  if (hasMail) house.mailHints.put(author.reach, house.clock.now());
  return done;
}

export interface Audited {
  readonly act: AuditedAct;
  readonly type: string;
  readonly id: Id;
  readonly clientId: Id | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Goes with whatever is sent to the database next, or with the commit. */
export function audit(work: Work, { act, type, id, clientId, before, after }: Audited): void {
  work.store.table(auditEntry).append(work.ids.next(), {
    at: new Date(work.now),
    act,
    subjectType: type,
    subjectId: id,
    client: clientId,
    credentialId: work.store.reach.credentialId,
    subject: work.subject,
    requestId: work.requestId,
    before,
    after,
  });
}
