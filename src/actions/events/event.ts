// What may be told: events are written in the transaction of what they tell of, and shown in the words of v1. Knows not who is told.

import type { FieldSelection } from '../../kit/field-selection.ts';
import type { Id } from '../../kit/id.ts';
import { formatInstant } from '../../kit/instant.ts';
import { writeJson } from '../../kit/json.ts';
import { account, type Account } from '../../model/structure/account.ts';
import { event, type Event, type EventData, type EventType } from '../../model/event/event.ts';
import type { NewEvent } from '../../store/events/events.ts';
import type { LedgerRow, TransactionVersionRow } from '../../store/ledger/ledger-reader.ts';
import type { Rules } from '../core/resource.ts';
import type { Work } from '../core/work.ts';

/** Renders the records that events carry, as the surface that serves events shows them. */
export interface EventRenderer {
  /** What has to be read of an account so that it can be rendered. */
  readonly accountFields: FieldSelection;
  account(record: Account): Record<string, unknown>;
  transaction(row: LedgerRow): Record<string, unknown>;
  event(expanded: Event): Record<string, unknown>;
}

export interface Emission {
  readonly type: EventType;
  readonly client: Id | null;
  readonly object: EventData['object'];
  readonly previous?: EventData['previous'];
}

export interface TransactionEmission {
  readonly type: Extract<EventType, `transaction.${string}`>;
  readonly client: Id | null;
  readonly transaction: Id;
  readonly version: number;
}

function appendEvents(work: Work, emissions: readonly Omit<NewEvent, 'id'>[]): readonly NewEvent[] {
  if (emissions.length === 0) return [];
  const events = emissions.map((emission) => ({ ...emission, id: work.ids.next() }));
  for (const { client, id } of events) work.outbox.addEvent(client, id);
  work.store.events.append(events, { batch: work.outbox.batch!, now: work.now });
  return events;
}

/** Told if this piece of work is committed, and only then. The ids of the events. */
export function emit(work: Work, ...emissions: readonly Emission[]): readonly Id[] {
  const events = appendEvents(
    work,
    emissions.map(({ type, client, object, previous = {} }) => ({
      type,
      client,
      data: writeJson({ object, previous } satisfies EventData),
      transaction: null,
    })),
  );
  return events.map(({ id }) => id);
}

/** What they tell is read from the ledger when it is told: versions are kept for ever. */
export function emitTransactions(work: Work, emissions: readonly TransactionEmission[]): void {
  appendEvents(
    work,
    emissions.map(({ type, client, transaction: id, version }) => ({
      type,
      client,
      data: null,
      transaction: { id, version },
    })),
  );
}

/** For whoever connects accounts with their custodians, and learns that a connection has ended. Nothing where the account is gone. */
export async function emitAccount(
  work: Work,
  type: Extract<EventType, `account.${string}`>,
  { account: id, previous = {} }: { readonly account: Id; readonly previous?: EventData['previous'] },
  renderer: Pick<EventRenderer, 'account' | 'accountFields'>,
): Promise<void> {
  const record = await work.store.withFields(renderer.accountFields).table(account).find(id);
  if (record === undefined) return;
  emit(work, { type, client: record.client, object: renderer.account(record), previous });
}

/** An authority of a client that is about to end. */
export interface ExpiringAuthority {
  readonly id: Id;
  readonly client: Id;
  readonly custodian: Id;
  readonly expiresAt: number;
}

/** For whoever keeps the authorities given to custodians, and sees that one is about to end. */
export function emitAuthorityExpiring(work: Work, { id, client, custodian, expiresAt }: ExpiringAuthority): void {
  const object = {
    authority_id: id,
    client_id: client,
    custodian_id: custodian,
    expires_at: formatInstant(expiresAt),
  };
  emit(work, { type: 'authority.expiring', client, object });
}

/** What of a thing was another before. */
function changedFields(before: Record<string, unknown>, after: Record<string, unknown>): Record<string, unknown> {
  const changed = Object.entries(before).filter(([name, value]) => writeJson(value) !== writeJson(after[name]));
  return Object.fromEntries(changed);
}

/** Events with all that they tell: the same whenever they are asked for. */
export async function expandEvents(work: Work, events: readonly Event[], renderer: EventRenderer): Promise<Event[]> {
  const workspace = work.store.scope.workspaceId;
  const references = events.flatMap(({ transactionId: id, transactionVersion: version }) =>
    id === null || version === null ? [] : [{ id, version }],
  );
  const versions = new Map<string, TransactionVersionRow[]>();
  for (const row of await work.store.ledger.listVersions(references)) {
    const key = `${row.id} ${row.namedVersion}`;
    versions.set(key, [...(versions.get(key) ?? []), row]);
  }
  return events.map((one) => {
    if (one.transactionId === null) return { ...one, workspace };
    const rows = versions.get(`${one.transactionId} ${one.transactionVersion}`) ?? [];
    return { ...one, workspace, data: transactionData(rows, renderer) };
  });
}

function transactionData(rows: readonly TransactionVersionRow[], renderer: EventRenderer): EventData {
  const [opened, closed] = [true, false].map((isOpened) => rows.find((row) => row.isOpened === isOpened));
  const object = renderer.transaction(opened!);
  return { object, previous: closed === undefined ? {} : changedFields(renderer.transaction(closed), object) };
}

/** Read, and never written by callers. */
export function eventRules(renderer: EventRenderer): Rules<typeof event> {
  return { resource: event, show: (work, events) => expandEvents(work, events, renderer) };
}
