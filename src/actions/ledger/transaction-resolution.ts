// From what was asked to what is booked: everything that is named is there and belongs to the client, the rules hold, the money
// fits. Knows no wire, and writes nothing.

import type { Id } from '../../kit/id.ts';
import { Refusal, refuseFaults, type Fault } from '../../kit/refusal.ts';
import type { Instrument } from '../../model/instrument/instrument.ts';
import { transaction, type Transaction } from '../../model/ledger/transaction.ts';
import { transactionTypeOf, type TransactionType } from '../../model/ledger/transaction-kind.ts';
import { lotNameOf, type NamedLots } from '../../model/ledger/transaction-value.ts';
import { isForward, isHandSale, type AskedContext, type AskedTransaction } from './transaction-input.ts';
import type { NamedThings } from './referenced-records.ts';
import { getOwner, refuseStrangers } from '../core/reference.ts';
import { notFound } from '../core/resource.ts';
import { refuseUnlessAllSeen } from '../core/all-clients-access.ts';
import { transactionMoney } from './transaction-money.ts';
import { listFaults } from './transaction-checks.ts';
import type { Work } from '../core/work.ts';

/** Every field of a row but its id and when it was booked. */
export type SettledTransaction = Omit<Transaction, 'id' | 'createdAt'>;

/** Each by itself: the refusal of one is no other's. */
export async function settleTransactions(
  work: Work,
  named: NamedThings,
  asked: readonly AskedTransaction[],
): Promise<(SettledTransaction | Refusal)[]> {
  await named.take(asked);
  return asked.map((one) => {
    try {
      return settle(work, named, one);
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  });
}

function settle(work: Work, named: NamedThings, sent: AskedTransaction): SettledTransaction {
  const client = clientAmong(work, named, sent);
  const context = named.contextOf(client, sent);
  const asked = withoutEmptyLists({ ...sent, kind: kindOf(sent, context.instrument) });
  const faults = [...listFaults(asked, context), ...listLotFaults(named, asked)];
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
  refuseUnnamedLots(asked, context);
  refuseUnknownTrade(named, asked);
  return settled(asked, context);
}

/** The client it belongs to, as everything does that it names. */
function clientAmong(work: Work, { held }: NamedThings, asked: AskedTransaction): Id | null {
  const { account, depository, instrument, counterAccount, counterDepository, targetInstrument } = asked;
  if (account != null) {
    const client = getOwner(transaction, held, { field: 'account', id: account });
    const others = { depository, instrument, counterAccount, counterDepository, targetInstrument };
    refuseStrangers(transaction, held, { client, asked: others });
    return client;
  }
  refuseUnlessAllSeen(work);
  const client = getOwner(transaction, held, { field: 'instrument', id: instrument! });
  refuseStrangers(transaction, held, { client, asked: { targetInstrument } });
  return client;
}

/** What is redeemed or exchanged is the settlement of a forward where it is about one. */
function kindOf({ kind }: AskedTransaction, instrument: Instrument | null): AskedTransaction['kind'] {
  return (kind === 'redemption' || kind === 'fx') && isForward(instrument) ? 'forward-settlement' : kind;
}

function withoutEmptyLists(asked: AskedTransaction): AskedTransaction {
  const { lots, acquired } = asked;
  return { ...asked, lots: lots?.length ? lots : null, acquired: acquired?.length ? acquired : null };
}

/** A lot is named by the transaction that opened it, which is one of the same account. */
function listLotFaults(named: NamedThings, { lots, account }: AskedTransaction): Fault[] {
  return ((lots ?? []) as NamedLots).flatMap((lot, item) => {
    const opening = named.findRow(lotNameOf(lot.id).transaction);
    if (opening !== undefined && (opening.account === account || opening.counterAccount === account)) return [];
    const detail = 'No transaction of this account opened such a lot.';
    return [{ code: 'invalid-attribute', detail, field: 'lots', item }];
  });
}

/** By hand, a sale under SPECIFIC_ID says what is sold. */
function refuseUnnamedLots(asked: AskedTransaction, { accountingMethod }: AskedContext): void {
  if (accountingMethod !== 'SPECIFIC_ID' || !isHandSale(asked)) return;
  const detail = "The client's accounting method is SPECIFIC_ID: the lots that are sold are required.";
  throw refuseFaults('invalid-document', [{ code: 'missing-attribute', detail, field: 'lots' }]);
}

function refuseUnknownTrade(named: NamedThings, { trade, account }: AskedTransaction): void {
  if (trade == null) return;
  const found = named.findRow(trade);
  if (found?.account !== account || found?.kind !== 'trade') throw notFound(transaction, { field: 'trade' });
}

/** Which types an instrument can have, its class says. */
function refuseOtherTypes(type: TransactionType, { instrumentClass }: AskedContext): void {
  if (instrumentClass === null || instrumentClass.allowed.includes(type)) return;
  const { name, allowed } = instrumentClass;
  const detail = `An instrument of the class ${name} has no transactions of type ${type}, only ${allowed.join(', ')}.`;
  throw refuseFaults('invalid-document', [{ code: 'invalid-attribute', detail, field: 'type' }]);
}

function settled(asked: AskedTransaction, context: AskedContext): SettledTransaction {
  const money = transactionMoney(asked, context);
  const quantity = asked.quantity ?? null;
  const { kind } = asked;
  const type = transactionTypeOf({ kind, quantity, amount: money.amount, counterAmount: money.counterAmount });
  refuseOtherTypes(type, context);
  return {
    kind,
    type,
    date: asked.date,
    settlementDate: asked.settlementDate ?? null,
    executedAt: asked.executedAt ?? null,
    ...money,
    quantity,
    price: asked.price ?? null,
    fees: asked.fees ?? null,
    effectOnUnfunded: asked.effectOnUnfunded ?? null,
    recallableAmount: asked.recallableAmount ?? null,
    costShare: asked.costShare ?? null,
    cashInLieuQuantity: asked.cashInLieuQuantity ?? null,
    periodStart: asked.periodStart ?? null,
    periodEnd: asked.periodEnd ?? null,
    action: asked.action ?? null,
    ratio: asked.ratio ?? null,
    lots: asked.lots ?? null,
    acquired: asked.acquired ?? null,
    category: asked.category ?? null,
    comment: asked.comment ?? null,
    source: asked.source ?? 'manual',
    externalReference: asked.externalReference ?? null,
    client: context.client,
    account: asked.account ?? null,
    depository: asked.depository ?? null,
    instrument: asked.instrument ?? null,
    counterAccount: asked.counterAccount ?? null,
    counterDepository: asked.counterDepository ?? null,
    targetInstrument: asked.targetInstrument ?? null,
    trade: asked.trade ?? null,
  } as SettledTransaction;
}
