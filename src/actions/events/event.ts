// Events: written in the transaction of the change they report, and rendered by a surface when they are read or sent.

import { defined } from '../../kit/assert.ts';
import type { Id } from '../../kit/id.ts';
import { formatInstant } from '../../kit/instant.ts';
import { writeJson } from '../../kit/json.ts';
import { activeSpan } from '../../kit/tracing/span.ts';
import { account, type Account } from '../../model/structure/account.ts';
import { event, type Event, type EventData, type EventType } from '../../model/event/event.ts';
import type { Events } from '../../store/events/events.ts';
import type { LedgerRow, TransactionVersionRow } from '../../store/ledger/ledger-reader.ts';
import type { AccountRenderer } from '../core/account-renderer.ts';
import type { Rules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

/** Renders the records that events carry, as the surface that serves events shows them. */
export interface EventRenderer extends AccountRenderer {
  transaction(row: LedgerRow): Record<string, unknown>;
  event(expanded: Event): Record<string, unknown>;
}

export interface Emission {
  readonly type: EventType;
  readonly client: Id | null;
  readonly object: EventData['object'];
  readonly previous?: EventData['previous'];
}

/** A version of a transaction that was opened. */
interface TransactionEmission {
  readonly id: Id;
  readonly version: number;
  readonly contents: { readonly client: Id | null };
}

/** What is stored with all events of the work. */
function batchOf(work: Work): Parameters<Events['append']>[1] {
  const batch = defined(work.outbox.batch, 'an outbox with events has a batch');
  return { batch, now: work.now, traceparent: activeSpan()?.traceparent };
}

function nextEventId({ ids, outbox }: Work, client: Id | null): Id {
  const id = ids.next();
  outbox.addEvent(client, id);
  return id;
}

/** Writes events, which are sent if and only if this work is committed. Returns their ids. */
export function emit(work: Work, ...emissions: readonly Emission[]): readonly Id[] {
  const events = emissions.map(({ type, client, object, previous = {} }) => ({
    id: nextEventId(work, client),
    type,
    client,
    data: writeJson({ object, previous } satisfies EventData),
  }));
  if (events.length > 0) work.store.events.append(events, batchOf(work));
  return events.map(({ id }) => id);
}

/** Stores the version only: its data is read from the ledger when the event is rendered, since versions are kept forever. */
export function emitTransactions(work: Work, opened: readonly TransactionEmission[], amended: ReadonlySet<Id>): void {
  if (opened.length === 0) return;
  const clients = opened.map(({ contents }) => contents.client);
  const events = {
    ids: clients.map((client) => nextEventId(work, client)),
    clients,
    types: opened.map(({ id }) =>
      amended.has(id) ? ('transaction.updated' as const) : ('transaction.created' as const),
    ),
    transactions: opened.map(({ id }) => id),
    versions: opened.map(({ version }) => version),
  };
  work.store.events.appendTransactions(events, batchOf(work));
}

/** An account was connected with its custodian, or no longer is. Skips an account that is gone. */
export async function emitAccount(work: Work, type: Extract<EventType, `account.${string}`>, id: Id): Promise<void> {
  const { accountRenderer: renderer } = work.context;
  const record = await work.store.withFields(renderer.accountFields).table(account).find(id);
  if (record === undefined) return;
  emit(work, { type, client: record.client, object: renderer.account(record) });
}

/** An account that was just created. It is read once more only where the fields of the event were not read. */
export async function emitNewAccount(work: Work, record: Account): Promise<void> {
  const { accountRenderer: renderer } = work.context;
  const type = 'account.connected';
  if (work.store.fields !== renderer.accountFields) return emitAccount(work, type, record.id);
  emit(work, { type, client: record.client, object: renderer.account(record) });
}

/** A client's authority for a custodian that ends soon. */
interface ExpiringAuthority {
  readonly id: Id;
  readonly client: Id;
  readonly custodian: Id;
  readonly expiresAt: number;
}

export function emitAuthorityExpiring(work: Work, { id, client, custodian, expiresAt }: ExpiringAuthority): void {
  const object = {
    authority_id: id,
    client_id: client,
    custodian_id: custodian,
    expires_at: formatInstant(expiresAt),
  };
  emit(work, { type: 'authority.expiring', client, object });
}

/** Lists the previous values of the fields that have changed. */
export function changedFields(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Record<string, unknown> {
  const changed = Object.entries(before).filter(([name, value]) => writeJson(value) !== writeJson(after[name]));
  return Object.fromEntries(changed);
}

/** An event as the store holds it: the data of a transaction is not in it. */
type StoredEvent = Omit<Event, 'workspace'>;

export interface ExpandedEvent extends Event {
  readonly data: EventData;
}

/** Adds the data of transactions to events. The result is the same at any time. */
export async function expandEvents(
  work: Work,
  events: readonly StoredEvent[],
  renderer: EventRenderer,
): Promise<ExpandedEvent[]> {
  const workspace = work.store.scope.workspaceId;
  const references = events.flatMap(({ transactionId: id, transactionVersion: version }) =>
    id === null || version === null ? [] : [{ id, version }],
  );
  const rows = await work.store.ledger.listVersions({ opened: references, closed: references });
  const versions = new Map(rows.map((row) => [`${row.isOpened} ${row.id} ${row.namedVersion}`, row]));
  return events.map((one) => {
    if (one.transactionId === null) return { ...one, workspace, data: dataOf(one) };
    const version = `${one.transactionId} ${one.transactionVersion}`;
    const opened = defined(versions.get(`true ${version}`), 'the version that an event reports is in the ledger');
    return { ...one, workspace, data: transactionData(opened, versions.get(`false ${version}`), renderer) };
  });
}

/** `emit` wrote it. */
function dataOf({ data }: StoredEvent): EventData {
  return data as EventData;
}

/** What was opened with a version, and what was closed with it. */
function transactionData(
  opened: TransactionVersionRow,
  closed: TransactionVersionRow | undefined,
  renderer: EventRenderer,
): EventData {
  const object = renderer.transaction(opened);
  return { object, previous: closed === undefined ? {} : changedFields(renderer.transaction(closed), object) };
}

/** Events can be read, and are never written by callers. */
export function eventRules(renderer: EventRenderer): Rules<typeof event> {
  return { resource: event, show: (work, events) => expandEvents(work, events, renderer) };
}
