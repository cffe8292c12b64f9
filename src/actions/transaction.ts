// What may happen to a transaction: it is booked, amended and deleted, and every version of it is kept. Knows no wire.

import { isDeepStrictEqual } from 'node:util';
import type { Id } from '../kit/id.ts';
import { Refusal, refuseFaults } from '../kit/refusal.ts';
import type { AnyRecord } from '../kit/resource.ts';
import type { AuditedAct } from '../model/audit-entry.ts';
import type { RefusalCode } from '../model/refusals.ts';
import { transaction } from '../model/transaction.ts';
import type { LedgerPageQuery, LedgerQuery, LedgerRow } from '../store/ledger.ts';
import { markAllClients, markClient } from '../store/round-mark.ts';
import type { AskedTransaction } from './asked-transaction.ts';
import { notFound, type Page } from './resource.ts';
import { refuseUnlessAllSeen } from './shared-by-all.ts';
import { snapshot } from './snapshot.ts';
import { settleTransaction, type SettledTransaction } from './transaction-settling.ts';
import { audit, type Work } from './work.ts';

/** What booking and amending can be refused with beyond a bad document. */
export const transactionRefusals: readonly RefusalCode[] = [
  'account-not-found',
  'depository-not-found',
  'instrument-not-found',
  'different-client',
  'amount-mismatch',
];

export interface Booking {
  readonly row: LedgerRow;
  /** A source's reference that is known already books nothing, or amends. */
  readonly outcome: 'booked' | 'amended' | 'unchanged';
}

/** Refuses to go on with a transaction that is not as its caller believes. */
export type TransactionGuard = (present: LedgerRow) => void;

export async function getTransaction({ store }: Work, id: string): Promise<LedgerRow> {
  return (await store.ledger.find(id)) ?? refuseUnknown();
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

export async function bookTransaction(work: Work, asked: AskedTransaction): Promise<Booking> {
  const settled = await settleTransaction(work, asked);
  work.store.ledgerNumbers.lock(settled.client, accountsOf(settled));
  const known = await findReferred(work, settled);
  if (known !== undefined) return amendTo(work, known, settled);
  const { client } = settled;
  const sequence = await work.store.ledgerNumbers.nextSequence(client);
  const version = await work.store.ledgerNumbers.raise(client, accountsOf(settled));
  const row = await open(work, work.ids.next(), { settled, createdAt: work.now, sequence, version });
  leaveTrace(work, 'create', { after: row });
  return { row, outcome: 'booked' };
}

/** `ask` makes of the present transaction what it is asked to be. */
export async function amendTransaction(
  work: Work,
  id: string,
  ask: (present: LedgerRow) => AskedTransaction,
  guard: TransactionGuard = () => {},
): Promise<LedgerRow> {
  const present = await hold(work, id);
  guard(present);
  const settled = await settleTransaction(work, ask(present));
  if ((settled.account === null) !== (present.account === null)) refuseAnotherScope();
  if (settled.client !== present.client) {
    const detail = 'The account belongs to another client than the transaction.';
    throw new Refusal('different-client', detail, { faults: [{ code: 'different-client', detail, field: 'account' }] });
  }
  const namesake = await findReferred(work, settled);
  if (namesake !== undefined && namesake.id !== id) refuseTaken();
  return (await amendTo(work, present, settled)).row;
}

export async function deleteTransaction(work: Work, id: string, guard: TransactionGuard = () => {}): Promise<void> {
  const present = await hold(work, id);
  guard(present);
  const version = await work.store.ledgerNumbers.raise(present.client, accountsOf(present));
  await work.store.ledger.close(id, { version, now: work.now });
  leaveTrace(work, 'delete', { before: present });
}

/** The transaction as it stands while nobody else books for its client. */
async function hold(work: Work, id: string): Promise<LedgerRow> {
  const seen = await getTransaction(work, id);
  if (seen.client === null) refuseUnlessAllSeen(work);
  work.store.ledgerNumbers.lock(seen.client, accountsOf(seen));
  return getTransaction(work, id);
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
  return store.ledger.findReferred({ account, source, externalReference });
}

async function amendTo(work: Work, present: LedgerRow, settled: SettledTransaction): Promise<Booking> {
  const isSame = Object.entries(settled).every(([field, value]) =>
    isDeepStrictEqual((present as AnyRecord)[field] ?? null, value),
  );
  if (isSame) return { row: present, outcome: 'unchanged' };
  const accounts = [...accountsOf(present), ...accountsOf(settled)];
  const version = await work.store.ledgerNumbers.raise(present.client, [...new Set(accounts)].toSorted());
  await work.store.ledger.close(present.id, { version, now: work.now });
  const { sequence, createdAt } = present;
  const row = await open(work, present.id, { settled, createdAt, sequence, version });
  leaveTrace(work, 'change', { before: present, after: row });
  return { row, outcome: 'amended' };
}

interface Opening {
  readonly settled: SettledTransaction;
  readonly createdAt: number;
  readonly sequence: number;
  readonly version: number;
}

function open(work: Work, id: Id, { settled, createdAt, sequence, version }: Opening): Promise<LedgerRow> {
  const { executedAt } = settled;
  const fields = {
    ...settled,
    executedAt: executedAt === null ? null : new Date(executedAt),
    createdAt: new Date(createdAt),
  };
  return work.store.ledger.open(id, fields, { sequence, version, now: work.now });
}

/** The accounts that a transaction moves, in the order of their ids. */
function accountsOf({ account, counterAccount }: SettledTransaction): Id[] {
  return [account, counterAccount].filter((id) => id !== null).toSorted();
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
