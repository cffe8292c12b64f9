// A unit of work of one caller: its store, its time, its transaction, and the audit line of every change.

import type { Turn } from '../../kit/turns/fair-turns.ts';
import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id, IdSource } from '../../kit/id.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import { allClients, rights, type Right, type Scope } from '../../model/access/scope.ts';
import type { SnapshotStore, Store } from '../../store/store.ts';
import type { AppContext } from './context.ts';
import { closeOutbox, Outbox } from './outbox.ts';

export interface Work {
  readonly context: AppContext;
  readonly store: Store;
  readonly ids: IdSource;
  readonly now: number;
  readonly readMoment: ReadMoment;
  /** The person or workspace that acts; null when the service itself does. */
  readonly subject: string | null;
  /** What the caller may do; everything, where the service itself acts. */
  readonly rights: ReadonlySet<Right>;
  readonly needs: CallerNeeds;
  readonly requestId: string | null;
  /** The events that are committed with it. */
  readonly outbox: Outbox;
  readonly ledgerLocks: LedgerLocks;
}

/**
 * The moment that the figures of an answer are of: when the database said what is current, or the beginning of the work until then. Time
 * passes in between, and others write.
 */
interface ReadMoment {
  at: number;
}

/** To be called as soon as the database has answered, so that nothing was read that began later. */
export function markRead({ context, readMoment }: Work): void {
  readMoment.at = context.clock.now();
}

/** What a caller must have for this work, as far as the work has asked and written: its stored answer is replayed to nobody who lacks it. */
export interface CallerNeeds {
  /** Beyond the right that the operation itself takes. */
  readonly rights: Set<Right>;
  /** The clients whose records were written. */
  readonly clients: Set<Id>;
  allClients: boolean;
}

/** Whether the caller lacks a right. The work notes that it takes this right. */
export function lacksRight({ rights: granted, needs }: Pick<Work, 'rights' | 'needs'>, right: Right): boolean {
  needs.rights.add(right);
  return !granted.has(right);
}

/** Whether the caller sees only some clients. The work notes that it takes all of them. */
export function lacksAllClients({ store, needs }: Pick<Work, 'store' | 'needs'>): boolean {
  needs.allClients = true;
  return store.scope.visibleClients.kind !== 'all';
}

/**
 * The ledger counters that any try of this unit of work has locked. A try after a deadlock locks them all at once, in order, so that
 * it cannot deadlock over them again.
 */
interface LedgerLocks {
  readonly clients: Set<Id>;
  isAccountlessLocked: boolean;
}

function noLedgerLocks(): LedgerLocks {
  return { clients: new Set(), isAccountlessLocked: false };
}

export interface Author {
  readonly scope: Scope;
  /** The fields beyond a record's own columns that are read because the answer shows them. */
  readonly fields?: FieldSelection;
  readonly subject: string | null;
  readonly rights: ReadonlySet<Right>;
  readonly requestId: string | null;
}

/** The service itself, which sees everything of a tenant. */
export function serviceAuthor({ workspaceId, environment }: Pick<Scope, 'workspaceId' | 'environment'>): Author {
  const scope = { workspaceId, environment, visibleClients: allClients, credentialId: null };
  return { scope, subject: null, rights: new Set(rights), requestId: null };
}

function makeWork(context: AppContext, author: Author, store: Store, ledgerLocks = noLedgerLocks()): Work {
  const { subject, rights: granted, requestId } = author;
  const [now, outbox] = [context.clock.now(), new Outbox()];
  return {
    context,
    store,
    ids: context.ids,
    now,
    readMoment: { at: now },
    subject,
    rights: granted,
    needs: { rights: new Set(), clients: new Set(), allClients: false },
    requestId,
    outbox,
    ledgerLocks,
  };
}

export function openReadWork(context: AppContext, author: Author): Work {
  return makeWork(context, author, context.stores.forReading(author));
}

/** Runs reads of the same caller on one snapshot of the database. */
export async function readInSnapshot<T>(
  work: Work,
  task: (work: Work & { readonly store: SnapshotStore }) => Promise<T>,
): Promise<T> {
  work.context.callerLeft?.throwIfAborted();
  return work.context.stores.inSnapshot(work.store, (store) => task({ ...work, store }));
}

/**
 * Runs reads of the same caller on one snapshot of the replica, which may be behind: what comes of it is to be checked against the primary.
 * Undefined if there is no replica, if it cannot answer, or if it has nothing to say.
 */
export async function readOnReplica<T>(
  work: Work,
  task: (work: Work & { readonly store: SnapshotStore }) => Promise<T | undefined>,
): Promise<T | undefined> {
  return work.context.stores.replica?.inSnapshot(work.store, (store) => task({ ...work, store }));
}

/** Opens the turns of a long computation among those of the thread. */
export function openTurn({ context, store }: Work, size: number): Turn {
  return context.turns.open({ owner: store.scope.workspaceId, size, signal: context.callerLeft });
}

/** Commits everything that `task` changes, with its audit lines and events, together or not at all. */
export async function runInTransaction<T>(
  context: AppContext,
  author: Author,
  task: (work: Work) => Promise<T>,
): Promise<T> {
  let hasEvents = false;
  let hasMail = false;
  const ledgerLocks = noLedgerLocks();
  const result = await context.stores.forWriting(author, async (store) => {
    const work = makeWork(context, author, store, ledgerLocks);
    const taskResult = await task(work);
    hasEvents = closeOutbox(work.outbox, store);
    hasMail = work.outbox.hasMail;
    return taskResult;
  });
  wakeUp(context, author.scope, { hasEvents, hasMail });
  return result;
}

/** Asks for anything: the database rolls back a transaction that is silent for long, also while there is nothing to write. */
export async function keepOpen({ store }: Pick<Work, 'store'>): Promise<void> {
  await store.workspaces.findName();
}

/** Lets the queues of this node look at the tenant, and tells other nodes of what may be sent at once. */
function wakeUp(
  { clock, roundWakeUps, deliveryWakeUps, mailWakeUps, wakeUpAnnouncer }: AppContext,
  scope: Scope,
  { hasEvents, hasMail }: { readonly hasEvents: boolean; readonly hasMail: boolean },
): void {
  const now = clock.now();
  roundWakeUps.put(scope, now);
  if (hasEvents) deliveryWakeUps.put(scope, now);
  if (hasEvents) wakeUpAnnouncer.put('deliveries', scope);
  if (hasMail) mailWakeUps.put(scope, now);
  if (hasMail) wakeUpAnnouncer.put('mails', scope);
}

export interface AuditedChange {
  readonly act: AuditedAction;
  readonly type: string;
  readonly id: Id;
  readonly clientId: Id | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
}

/** Enqueues the audit line; it is sent with the next statement or with the commit, and chained to the others soon after. */
export function audit(work: Work, { act, type, id, clientId, before, after }: AuditedChange): void {
  if (clientId !== null) work.needs.clients.add(clientId);
  const asText = (snapshot: object | null): string | null => (snapshot === null ? null : JSON.stringify(snapshot));
  work.store.auditChain.addLine(work.ids.next(), {
    at: work.now,
    act,
    subjectType: type,
    subjectId: id,
    clientId,
    credentialId: work.store.scope.credentialId,
    subject: work.subject,
    requestId: work.requestId,
    before: asText(before),
    after: asText(after),
  });
}
