// Turns a requested transaction into what is booked: every named record exists and belongs to the client, the rules hold, the
// money matches. Writes nothing.

import { isExchange, isRedemption, traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { append } from '../../kit/memory/long-list.ts';
import { mapInSlices } from '../../kit/event-loop.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { toFixed } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal, refusalForFaults, type Fault } from '../../kit/refusal.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import { transaction, type Transaction } from '../../model/ledger/transaction.ts';
import { transactionTypeOf, type TransactionType } from '../../model/ledger/transaction-kind.ts';
import { lotTransaction, type SpecifiedLots } from '../../model/ledger/transaction-value.ts';
import type { ReversibleTransaction } from '../../store/ledger/ledger-reader.ts';
import { isForward, isManualSale, type TransactionContext, type TransactionInput } from './transaction-input.ts';
import type { ReferencedRecords } from './referenced-records.ts';
import { getOwner, refuseOtherClients } from '../core/reference.ts';
import { notFound } from '../core/resource.ts';
import { requireAllClients } from '../core/all-clients-access.ts';
import { withImpliedRate } from './implied-rate.ts';
import { transactionMoney } from './transaction-money.ts';
import { listTransactionFaults } from './transaction-checks.ts';
import type { Work } from '../core/work.ts';

/** Every field of a row except its id and when it was booked. */
export type ResolvedTransaction = Omit<Transaction, 'id' | 'createdAt'>;

/** Each by itself: the refusal of one does not affect the others. */
export async function resolveTransactions(
  work: Work,
  referenced: ReferencedRecords,
  input: readonly TransactionInput[],
): Promise<(ResolvedTransaction | Refusal)[]> {
  await referenced.load(input);
  return mapInSlices(input, (one) => {
    try {
      return resolve(work, referenced, one);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
}

function resolve(work: Work, referenced: ReferencedRecords, raw: TransactionInput): ResolvedTransaction {
  const client = resolveClient(work, referenced, raw);
  const context = referenced.contextFor(client, raw);
  const input = resolvedInput(raw, context.instrument);
  const faults = listTransactionFaults(input, context);
  if (input.lots != null) append(faults, listLotFaults(referenced, input));
  if (faults.length > 0) throw refusalForFaults('invalid-document', faults);
  refuseUnnamedLots(input, context);
  refuseUnknownTrade(referenced, input);
  const resolved = buildTransaction(input, context);
  refuseNoReversal(referenced, resolved);
  return resolved;
}

/** The client that it and every record it names belong to. */
function resolveClient(work: Work, { owners }: ReferencedRecords, input: TransactionInput): Id | null {
  const { account, depository, instrument, counterAccount, counterDepository, targetInstrument } = input;
  if (account != null) {
    const client = getOwner(transaction, owners, { field: 'account', id: account });
    const [accounts, depositories, instruments] = [owners('account'), owners('depository'), owners('instrument')];
    const areAllUsable =
      isUsableBy(client, depositories, depository) &&
      isUsableBy(client, instruments, instrument) &&
      isUsableBy(client, accounts, counterAccount) &&
      isUsableBy(client, depositories, counterDepository) &&
      isUsableBy(client, instruments, targetInstrument);
    const others = { depository, instrument, counterAccount, counterDepository, targetInstrument };
    if (!areAllUsable) refuseOtherClients(transaction, owners, { client, input: others });
    return client;
  }
  requireAllClients(work);
  const client = getOwner(transaction, owners, { field: 'instrument', id: instrument! });
  refuseOtherClients(transaction, owners, { client, input: { targetInstrument } });
  return client;
}

/** Whether a record may be named for this client: it is the client's own, or all clients share it. */
function isUsableBy(client: Id | null, owners: ReadonlyMap<Id, Id | null>, id: Id | null | undefined): boolean {
  if (id == null) return true;
  const owner = owners.get(id);
  return owner === null || (owner !== undefined && owner === client);
}

/** A redemption or exchange of a forward is its settlement. */
function resolvedKind({ kind }: TransactionInput, instrument: Instrument | null): TransactionInput['kind'] {
  return (isExchange(kind) || isRedemption(kind)) && isForward(instrument) ? 'forward-settlement' : kind;
}

/** What is booked of a request: without empty lists, and of the kind that its instrument makes of it. */
function resolvedInput(input: TransactionInput, instrument: Instrument | null): TransactionInput {
  const { lots, acquired } = input;
  const kind = resolvedKind(input, instrument);
  if (kind === input.kind && lots == null && acquired == null) return input;
  return { ...input, kind, lots: lots?.length ? lots : null, acquired: acquired?.length ? acquired : null };
}

/**
 * A lot is named by the transaction that opened it, which must be of the same account or for all holders. What a feed names is accepted:
 * lots that are not there are replaced by the oldest, and listed as findings.
 */
function listLotFaults(referenced: ReferencedRecords, { lots, account, source }: TransactionInput): Fault[] {
  if ((source ?? 'manual') !== 'manual') return [];
  return ((lots ?? []) as SpecifiedLots).flatMap((lot, item) => {
    const id = lotTransaction(lot.id);
    const opening = id && referenced.findTransaction(id);
    const isOwn = opening !== undefined && [opening.account, opening.counterAccount].includes(account ?? null);
    const isForAllHolders = opening?.account === null;
    if (id === undefined || isOwn || isForAllHolders) return [];
    const detail = 'No transaction of this account opened this lot.';
    return [{ code: 'invalid-attribute', detail, field: 'lots', item }];
  });
}

/** A sale by hand under SPECIFIC_ID must name its lots. */
function refuseUnnamedLots(input: TransactionInput, { accountingMethod }: TransactionContext): void {
  if (accountingMethod !== 'SPECIFIC_ID' || !isManualSale(input)) return;
  const detail = "The client's accounting method is SPECIFIC_ID: the lots that are sold are required.";
  throw refusalForFaults('invalid-document', [{ code: 'missing-attribute', detail, field: 'lots' }]);
}

function refuseUnknownTrade(referenced: ReferencedRecords, { trade, account }: TransactionInput): void {
  if (trade == null) return;
  const found = referenced.findTransaction(trade);
  if (found?.account !== account || found === undefined || traitsOfKind(found.kind).units !== 'traded')
    throw notFound(transaction, { field: 'trade' });
}

/** A reversal names an earlier transaction of its account and kind, with the opposite sign. */
function refuseNoReversal(referenced: ReferencedRecords, resolved: ResolvedTransaction): void {
  const { reversesTransaction: id, account, kind, type, date } = resolved;
  if (id === null) return;
  const original = referenced.findReversible(id);
  if (original === undefined || account === null || original.account !== account)
    throw notFound(transaction, { field: 'reversesTransaction' });
  const fault = (detail: string): Refusal =>
    refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'reversesTransaction' }]);
  if (isBookedAs(original, resolved)) throw fault('A transaction cannot reverse itself.');
  if (original.kind !== kind)
    throw fault(`The reversed transaction has the type ${original.type}, this one the type ${type}.`);
  if (original.date > date) throw fault(`The reversed transaction is of ${original.date}, after ${date}.`);
  const [figure, reversed] = [movedFigure(resolved), movedFigure(original)];
  if (figure === null || reversed === null || !isOpposite(figure, reversed))
    throw fault(
      `A reversal has the opposite sign: the reversed transaction has ${reversed ?? 'no amount'}, this one ${figure ?? 'no amount'}.`,
    );
}

/** Whether booking amends the transaction that it names: its source's reference is the same. */
function isBookedAs(original: ReversibleTransaction, { source, externalReference }: ResolvedTransaction): boolean {
  return externalReference !== null && original.externalReference === externalReference && original.source === source;
}

/** The cash that it moves, or without cash the units. */
function movedFigure({ amount, quantity }: Pick<ResolvedTransaction, 'amount' | 'quantity'>): Decimal | null {
  return amount ?? quantity;
}

function isOpposite(one: Decimal, other: Decimal): boolean {
  const [first, second] = [toFixed(one), toFixed(other)];
  return first !== 0n && second !== 0n && first < 0n !== second < 0n;
}

/** An instrument's class says which types it can have. */
function refuseDisallowedType(type: TransactionType, { instrumentClass }: TransactionContext): void {
  if (instrumentClass === null || instrumentClass.allowed.includes(type)) return;
  const { name, allowed } = instrumentClass;
  const detail = `An instrument of the class ${name} has no transactions of type ${type}, only ${allowed.join(', ')}.`;
  throw refusalForFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'type' }]);
}

function buildTransaction(sent: TransactionInput, context: TransactionContext): ResolvedTransaction {
  const input = withImpliedRate(sent, context);
  const money = transactionMoney(input, context);
  const quantity = input.quantity ?? null;
  const { kind } = input;
  const type = transactionTypeOf({ kind, quantity, amount: money.amount, counterAmount: money.counterAmount });
  refuseDisallowedType(type, context);
  return {
    kind,
    type,
    date: input.date,
    settlementDate: input.settlementDate ?? null,
    executedAt: input.executedAt ?? null,
    amount: money.amount,
    currency: money.currency,
    value: money.value,
    unexplained: money.unexplained,
    taxes: money.taxes,
    accruedInterest: money.accruedInterest,
    exchangeRate: money.exchangeRate,
    counterAmount: money.counterAmount,
    counterCcyCode: money.counterCcyCode,
    rate: money.rate,
    quantity,
    price: input.price ?? null,
    fees: input.fees ?? null,
    effectOnUnfunded: input.effectOnUnfunded ?? null,
    recallableAmount: input.recallableAmount ?? null,
    costShare: input.costShare ?? null,
    cashInLieuQuantity: input.cashInLieuQuantity ?? null,
    periodStart: input.periodStart ?? null,
    periodEnd: input.periodEnd ?? null,
    action: input.action ?? null,
    ratio: input.ratio ?? null,
    lots: input.lots ?? null,
    acquired: input.acquired ?? null,
    category: input.category ?? null,
    comment: input.comment ?? null,
    source: input.source ?? 'manual',
    externalReference: input.externalReference ?? null,
    client: context.client,
    account: input.account ?? null,
    depository: input.depository ?? null,
    instrument: input.instrument ?? null,
    counterAccount: input.counterAccount ?? null,
    counterDepository: input.counterDepository ?? null,
    targetInstrument: input.targetInstrument ?? null,
    trade: input.trade ?? null,
    reversesTransaction: input.reversesTransaction ?? null,
  } as ResolvedTransaction;
}
