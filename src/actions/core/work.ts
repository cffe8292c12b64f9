// One caller's piece of work: its store, the moment it happens at, and the audit line every change leaves.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id, IdSource } from '../../kit/id.ts';
import { auditEntry, type AuditedAction } from '../../model/access/audit-entry.ts';
import { allClients, type Scope } from '../../model/access/scope.ts';
import type { SnapshotStore, Store } from '../../store/store.ts';
import type { AppContext } from './context.ts';
import { closeOutbox, Outbox } from './outbox.ts';

export interface Work {
  readonly context: AppContext;
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
  readonly scope: Scope;
  /** What is read of records beyond their own columns, because the answer shows it. */
  readonly fields?: FieldSelection;
  readonly subject: string | null;
  readonly requestId: string | null;
}

/** The service's own doing, for which it sees everything of a tenant. */
export function serviceAuthor({ workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>): Author {
  const scope = { workspaceId, environment, visibleClients: allClients, credentialId: null };
  return { scope, subject: null, requestId: null };
}

function makeWork(context: AppContext, author: Author, store: Store): Work {
  const { subject, requestId } = author;
  return { context, store, ids: context.ids, now: context.clock.now(), subject, requestId, outbox: new Outbox() };
}

export function openReadWork(context: AppContext, author: Author): Work {
  return makeWork(context, author, context.stores.forReading(author));
}

/** The same caller's questions, all answered as of one moment. */
export function readInSnapshot<T>(
  work: Work,
  task: (work: Work & { readonly store: SnapshotStore }) => Promise<T>,
): Promise<T> {
  return work.context.stores.inSnapshot(work.store, (store) => task({ ...work, store }));
}

/** Everything `task` changes, with its audit lines and its events, is committed together or not at all. */
export async function runInTransaction<T>(
  context: AppContext,
  author: Author,
  task: (work: Work) => Promise<T>,
): Promise<T> {
  let hasEvents = false;
  let hasMail = false;
  const done = await context.stores.forWriting(author, async (store) => {
    const work = makeWork(context, author, store);
    const result = await task(work);
    hasEvents = closeOutbox(work.outbox, store);
    hasMail = work.outbox.hasMail;
    return result;
  });
  context.roundWakeUps.put(author.scope, context.clock.now());
  if (hasEvents) context.deliveryWakeUps.put(author.scope, context.clock.now());
  if (hasMail) context.mailWakeUps.put(author.scope, context.clock.now());
  return done;
}

export interface AuditedChange {
  readonly act: AuditedAction;
  readonly type: string;
  readonly id: Id;
  readonly clientId: Id | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Goes with whatever is sent to the database next, or with the commit. */
export function audit(work: Work, { act, type, id, clientId, before, after }: AuditedChange): void {
  work.store.table(auditEntry).append(work.ids.next(), {
    at: new Date(work.now),
    act,
    subjectType: type,
    subjectId: id,
    client: clientId,
    credentialId: work.store.scope.credentialId,
    subject: work.subject,
    requestId: work.requestId,
    before,
    after,
  });
}
