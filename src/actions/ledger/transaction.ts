// What may happen to a transaction: it is booked, amended and deleted, and every version of it is kept. Knows no wire.

import { Refusal, refuseFaults } from '../../kit/refusal.ts';
import type { AnyRecord } from '../../kit/resource.ts';
import type { AuditedAct } from '../../model/access/audit-entry.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import type { LedgerPageQuery, LedgerQuery, LedgerRow } from '../../store/ledger/ledger-reader.ts';
import { markAllClients, markClient } from '../../store/queues/dirty-flags.ts';
import type { AskedTransaction } from './transaction-input.ts';
import { Bookings, isSame, type Booking } from './booking-writer.ts';
import { LedgerBooks } from './sequence-allocator.ts';
import { notFound, type Page } from '../core/resource.ts';
import { refuseUnlessAllSeen } from '../core/all-clients-access.ts';
import { snapshot } from '../core/snapshot.ts';
import type { SettledTransaction } from './transaction-resolution.ts';
import { audit, type Work } from '../core/work.ts';

/** What booking and amending can be refused with beyond a bad document. */
export const transactionRefusals: readonly RefusalCode[] = [
  'account-not-found',
  'depository-not-found',
  'instrument-not-found',
  'different-client',
  'amount-mismatch',
];

export interface Booked extends Pick<Booking, 'outcome'> {
  readonly row: LedgerRow;
}

/** Refuses to go on with a transaction that is not as its caller believes. */
export type TransactionGuard = (present: LedgerRow) => void;

/** As it is known now, or was known then. */
export async function getTransaction({ store }: Work, id: string, knownAt?: number): Promise<LedgerRow> {
  return (await store.ledger.find(id, knownAt)) ?? refuseUnknown();
}

function refuseUnknown(): never {
  throw notFound(transaction);
}

export async function listTransactions({ store }: Work, query: LedgerPageQuery): Promise<Page<LedgerRow>> {
  const rows = await store.ledger.list({ ...query, limit: query.limit + 1 });
  return { things: rows.slice(0, query.limit), hasMore: rows.length > query.limit };
}

export function countTransactions({ store }: Work, query: LedgerQuery): Promise<number> {
  return store.ledger.count(query);
}

export async function bookTransaction(work: Work, asked: AskedTransaction): Promise<Booked> {
  const bookings = new Bookings(work, 'sent-later');
  const [booking] = await bookings.book([asked]);
  return conclude(work, bookings, throwRefusal(booking!));
}

function throwRefusal<T extends object>(outcome: T | Refusal): T {
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

function conclude(work: Work, { books }: Bookings, { outcome, row, before }: Booking): Booked {
  const after = row();
  if (outcome === 'unchanged') return { row: after, outcome };
  books.close();
  leaveTrace(work, before === undefined ? 'create' : 'change', { ...(before ? { before } : {}), after });
  return { row: after, outcome };
}

/** `ask` makes of the present transaction what it is asked to be. */
export async function amendTransaction(
  work: Work,
  id: string,
  ask: (present: LedgerRow) => AskedTransaction,
  guard: TransactionGuard = () => {},
): Promise<LedgerRow> {
  const bookings = new Bookings(work, 'sent-later');
  const present = await hold(work, bookings.books, id);
  guard(present);
  const [outcome] = await bookings.settle([ask(present)]);
  const settled = throwRefusal(outcome!);
  if ((settled.account === null) !== (present.account === null)) refuseAnotherScope();
  if (settled.client !== present.client) {
    const detail = 'The account belongs to another client than the transaction.';
    throw new Refusal('different-client', detail, { faults: [{ code: 'different-client', detail, field: 'account' }] });
  }
  const [, namesake] = await Promise.all([bookings.books.open([settled]), findReferred(work, settled)]);
  if (namesake !== undefined && namesake.id !== id) refuseTaken();
  if (isSame(present, settled)) return present;
  return conclude(work, bookings, await bookings.replace(present, settled)).row;
}

export async function deleteTransaction(work: Work, id: string, guard: TransactionGuard = () => {}): Promise<void> {
  const books = new LedgerBooks(work);
  const present = await hold(work, books, id);
  guard(present);
  books.turn([present]);
  await work.store.ledgerVersions.close([{ id: present.id, version: books.stamp(present) }], work.now);
  books.close();
  leaveTrace(work, 'delete', { before: present });
}

/** The transaction as it stands while nobody else books for its client. */
async function hold(work: Work, books: LedgerBooks, id: string): Promise<LedgerRow> {
  const seen = await getTransaction(work, id);
  if (seen.client === null) refuseUnlessAllSeen(work);
  const [, present] = await Promise.all([books.open([seen]), getTransaction(work, id)]);
  await books.open([present]);
  return present;
}

/** What is one account's and what is all holders' are numbered apart. */
function refuseAnotherScope(): never {
  const detail = 'What was booked for one account stays so, and so does what was booked for all holders.';
  throw refuseFaults('invalid-document', [{ code: 'immutable-attribute', detail, field: 'account' }]);
}

function refuseTaken(): never {
  const code = 'external-reference-taken';
  const detail = 'Another transaction of this account and source has this reference.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'externalReference' }] });
}

async function findReferred({ store }: Work, settled: SettledTransaction): Promise<LedgerRow | undefined> {
  const { account, source, externalReference } = settled;
  if (account === null || externalReference === null) return undefined;
  return (await store.ledger.listReferred([{ account, source, externalReference }]))[0];
}

/** The line in the audit log, and the mark that the client's figures are to be worked out anew. */
function leaveTrace(work: Work, act: AuditedAct, { before, after }: { before?: LedgerRow; after?: LedgerRow }): void {
  const { id, client } = (after ?? before)!;
  audit(work, {
    act,
    type: transaction.type,
    id,
    clientId: client,
    before: before ? snapshot(transaction, before as AnyRecord) : null,
    after: after ? snapshot(transaction, after as AnyRecord) : null,
  });
  const mark = { cause: 'transaction', now: work.now } as const;
  if (client === null) markAllClients(work.store, mark);
  else markClient(work.store, client, mark);
}
