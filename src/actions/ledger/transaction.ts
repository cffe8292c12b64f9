// Books, amends and deletes single transactions. Every version is kept.

import { defined } from '../../kit/assert.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import type { AnyRecord } from '../../kit/resource.ts';
import type { AuditedAction } from '../../model/access/audit-entry.ts';
import type { RefusalCode } from '../../model/refusals/refusals.ts';
import { instrument } from '../../model/instrument/instrument.ts';
import { transaction } from '../../model/ledger/transaction.ts';
import { account } from '../../model/structure/account.ts';
import { depository } from '../../model/structure/depository.ts';
import type { LedgerPageQuery, LedgerQuery, LedgerRow } from '../../store/ledger/ledger-reader.ts';
import { flagAllClients, flagClient } from '../../store/queues/dirty-flags.ts';
import type { TransactionInput } from './transaction-input.ts';
import { BookingWriter, isSameTransaction, type BookingResult } from './booking-writer.ts';
import { SequenceAllocator } from './sequence-allocator.ts';
import { requireFilterTargets, type FilterTarget } from '../core/filter-targets.ts';
import { notFound, type ResultPage } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import { snapshot } from '../core/snapshot.ts';
import type { ResolvedTransaction } from './transaction-resolution.ts';
import { audit, type Work } from '../core/work.ts';

/** Refusals of booking and amending, beyond those of a bad document. */
export const transactionRefusals: readonly RefusalCode[] = [
  'account-not-found',
  'depository-not-found',
  'instrument-not-found',
  'different-client',
  'amount-mismatch',
];

export interface BookedTransaction extends Pick<BookingResult, 'outcome'> {
  readonly row: LedgerRow;
}

/** Refusals of filters by records that do not exist. */
export const transactionFilterRefusals: readonly RefusalCode[] = [
  'account-not-found',
  'depository-not-found',
  'instrument-not-found',
];

/** Refuses a transaction that is not what its caller expects. */
export type TransactionGuard = (present: LedgerRow) => void;

/** As known now, or at a past moment. */
export async function getTransaction({ store }: Work, id: string, knownAt?: number): Promise<LedgerRow> {
  return (await store.ledger.find(id, knownAt)) ?? refuseUnknown();
}

function refuseUnknown(): never {
  throw notFound(transaction);
}

export async function listTransactions(work: Work, query: LedgerPageQuery): Promise<ResultPage<LedgerRow>> {
  const rows = await work.store.ledger.list({ ...query, limit: query.limit + 1 });
  if (rows.length === 0 && query.after === undefined) await requireFilterTargets(work, filterTargets(query));
  return { records: rows.slice(0, query.limit), hasMore: rows.length > query.limit };
}

function filterTargets(query: LedgerQuery): FilterTarget[] {
  const named = [
    [account, query.account],
    [depository, query.depository],
    [instrument, query.instrument],
  ] as const;
  return named.flatMap(([resource, id]) => (id === undefined ? [] : [{ resource, id }]));
}

export function countTransactions({ store }: Work, query: LedgerQuery): Promise<number> {
  return store.ledger.count(query);
}

export async function bookTransaction(work: Work, input: TransactionInput): Promise<BookedTransaction> {
  const writer = new BookingWriter(work, 'sent-later');
  const [result] = await writer.book([input]);
  return finishBooking(work, writer, throwRefusal(defined(result, 'one booking has one result')));
}

function throwRefusal<T extends object>(outcome: T | Refusal): T {
  if (outcome instanceof Refusal) throw outcome;
  return outcome;
}

function finishBooking(
  work: Work,
  { sequences }: BookingWriter,
  { outcome, row, before }: BookingResult,
): BookedTransaction {
  const after = row();
  if (outcome === 'unchanged') return { row: after, outcome };
  sequences.flush();
  auditAndInvalidate(work, before === undefined ? 'create' : 'change', { ...(before ? { before } : {}), after });
  return { row: after, outcome };
}

/** `change` makes the wanted transaction from the present one. */
export async function amendTransaction(
  work: Work,
  id: string,
  makeInput: (present: LedgerRow) => TransactionInput,
  guard: TransactionGuard = () => {},
): Promise<LedgerRow> {
  const writer = new BookingWriter(work, 'sent-later');
  const present = await lockTransaction(work, writer.sequences, id);
  guard(present);
  const [outcome] = await writer.resolve([makeInput(present)]);
  const resolved = throwRefusal(defined(outcome, 'one input has one outcome'));
  if (resolved.reversesTransaction === id) refuseOwnReversal();
  if ((resolved.account === null) !== (present.account === null)) refuseScopeChange();
  if (resolved.client !== present.client) {
    const detail = 'The account and the transaction belong to different clients.';
    throw new Refusal('different-client', detail, { faults: [{ code: 'different-client', detail, field: 'account' }] });
  }
  const [, duplicate] = await Promise.all([writer.sequences.reserve([resolved]), findByReference(work, resolved)]);
  if (duplicate !== undefined && duplicate.id !== id) refuseTakenReference();
  if (isSameTransaction(present, resolved)) return present;
  await writer.refuseMissingLots(present, resolved);
  return finishBooking(work, writer, await writer.replace(present, resolved)).row;
}

export async function deleteTransaction(work: Work, id: string, guard: TransactionGuard = () => {}): Promise<void> {
  const sequences = new SequenceAllocator(work);
  const present = await lockTransaction(work, sequences, id);
  guard(present);
  sequences.advanceVersions([present]);
  await work.store.transactionVersions.close([{ id: present.id, version: sequences.stampVersion(present) }], work.now);
  sequences.flush();
  auditAndInvalidate(work, 'delete', { before: present });
}

/** Reads the transaction while nobody else books for its client. */
async function lockTransaction(work: Work, sequences: SequenceAllocator, id: string): Promise<LedgerRow> {
  const seen = await getTransaction(work, id);
  if (seen.client === null) requireAllClients(work);
  const [, present] = await Promise.all([sequences.reserve([seen]), getTransaction(work, id)]);
  await sequences.reserve([present]);
  return present;
}

/** Transactions of one account and those of all holders are numbered separately. */
function refuseScopeChange(): never {
  const detail = 'A transaction for one account cannot become one for all holders, or the reverse.';
  throw refusalForFaults('invalid-document', [{ code: 'immutable-attribute', detail, field: 'account' }]);
}

function refuseOwnReversal(): never {
  const detail = 'A transaction cannot reverse itself.';
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'reversesTransaction' }]);
}

function refuseTakenReference(): never {
  const code = 'external-reference-taken';
  const detail = 'Another transaction of this account and source has this reference.';
  throw new Refusal(code, detail, { faults: [{ code, detail, field: 'externalReference' }] });
}

async function findByReference({ store }: Work, resolved: ResolvedTransaction): Promise<LedgerRow | undefined> {
  const { account, source, externalReference } = resolved;
  if (account === null || externalReference === null) return undefined;
  return (await store.ledger.listByReference([{ account, source, externalReference }]))[0];
}

/** Writes the audit entry and marks the client's figures as dirty. */
function auditAndInvalidate(
  work: Work,
  act: AuditedAction,
  { before, after }: { before?: LedgerRow; after?: LedgerRow },
): void {
  const { id, client } = defined(after ?? before, 'a change has a state before or after it');
  audit(work, {
    act,
    type: transaction.type,
    id,
    clientId: client,
    before: before ? snapshot(transaction, before as AnyRecord) : null,
    after: after ? snapshot(transaction, after as AnyRecord) : null,
  });
  const flag = { cause: 'transaction', now: work.now } as const;
  if (client === null) flagAllClients(work.store, flag);
  else flagClient(work.store, client, flag);
}
