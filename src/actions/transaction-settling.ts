// From what was asked to what is booked: everything that is named is there and belongs to the client, the rules hold, the money
// fits. Knows no wire, and writes nothing.

import type { Id } from '../kit/id.ts';
import { toFixed } from '../kit/fixed.ts';
import { refuseFaults, type Fault } from '../kit/refusal.ts';
import { account as accountResource } from '../model/account.ts';
import { client as clientResource } from '../model/client.ts';
import { instrument as instrumentResource, type Instrument } from '../model/instrument.ts';
import { transaction, type Transaction } from '../model/transaction.ts';
import { transactionTypeOf } from '../model/transaction-kind.ts';
import { lotNameOf, type NamedLots } from '../model/transaction-value.ts';
import type { IndexRatio } from '../engine/accrued-interest.ts';
import { findIndexFactor } from '../store/index-factor.ts';
import { isForward, type AskedContext, type AskedTransaction } from './asked-transaction.ts';
import { holdOwner, holdReferred } from './reference.ts';
import { notFound } from './resource.ts';
import { refuseUnlessAllSeen } from './shared-by-all.ts';
import { transactionMoney } from './transaction-money.ts';
import { listFaults } from './transaction-rules.ts';
import type { Work } from './work.ts';

/** Every field of a row but its id and when it was booked. */
export type SettledTransaction = Omit<Transaction, 'id' | 'createdAt'>;

export async function settleTransaction(work: Work, sent: AskedTransaction): Promise<SettledTransaction> {
  const client = await holdNamed(work, sent);
  const context = await readContext(work, client, sent);
  const asked = withoutEmptyLists({ ...sent, kind: kindOf(sent, context.instrument) });
  const faults = [...listFaults(asked, context), ...(await listLotFaults(work, asked))];
  if (faults.length > 0) throw refuseFaults('invalid-document', faults);
  await refuseUnnamedLots(work, client, asked);
  await holdTrade(work, asked);
  return settled(asked, context);
}

/** The client it belongs to, and everything it names kept from going. */
async function holdNamed(work: Work, asked: AskedTransaction): Promise<Id | null> {
  const { account, depository, instrument, counterAccount, counterDepository, targetInstrument } = asked;
  const named = { depository, instrument, counterAccount, counterDepository, targetInstrument };
  if (account != null) {
    const client = await holdOwner(work, transaction, 'account', account);
    await holdReferred(work, transaction, { client, asked: named });
    return client;
  }
  refuseUnlessAllSeen(work);
  const client = await holdOwner(work, transaction, 'instrument', instrument!);
  await holdReferred(work, transaction, { client, asked: { targetInstrument } });
  return client;
}

async function readContext(work: Work, client: Id | null, asked: AskedTransaction): Promise<AskedContext> {
  const currencyOf = async (id: Id | null | undefined): Promise<string | null> =>
    id == null ? null : ((await work.store.table(accountResource).find(id))?.ccyCode ?? null);
  const { instrument: id } = asked;
  const instrument = id == null ? null : ((await work.store.table(instrumentResource).find(id)) as Instrument);
  return {
    client,
    accountCurrency: await currencyOf(asked.account),
    counterAccountCurrency: await currencyOf(asked.counterAccount),
    instrument,
    index: instrument === null ? undefined : await readIndexRatio(work, instrument, asked),
  };
}

/** Without a base of its own a bond is counted from the factor of the day it is dated. */
async function readIndexRatio(
  work: Work,
  bond: Instrument,
  { date }: AskedTransaction,
): Promise<IndexRatio | undefined> {
  if (bond.type !== 'index-linked-bond-instrument') return undefined;
  const factor = await findIndexFactor(work.store, { instrument: bond.id, date });
  const base =
    bond.baseFactor ??
    (bond.datedDate === null
      ? undefined
      : await findIndexFactor(work.store, { instrument: bond.id, date: bond.datedDate }));
  return factor === undefined || base === undefined
    ? undefined
    : { factor: toFixed(factor), baseFactor: toFixed(base) };
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
async function listLotFaults({ store }: Work, { lots, account }: AskedTransaction): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const [item, lot] of ((lots ?? []) as NamedLots).entries()) {
    const opening = await store.ledger.find(lotNameOf(lot.id).transaction);
    if (opening !== undefined && (opening.account === account || opening.counterAccount === account)) continue;
    faults.push({
      code: 'invalid-attribute',
      detail: 'No transaction of this account opened such a lot.',
      field: 'lots',
      item,
    });
  }
  return faults;
}

/** By hand, a sale under SPECIFIC_ID says what is sold. */
async function refuseUnnamedLots({ store }: Work, client: Id | null, asked: AskedTransaction): Promise<void> {
  const { kind, quantity, source, lots } = asked;
  const isSaleByHand = kind === 'trade' && quantity!.startsWith('-') && (source ?? 'manual') === 'manual';
  if (!isSaleByHand || lots != null || client === null) return;
  const owner = await store.table(clientResource).find(client);
  if (owner?.accountingMethod !== 'SPECIFIC_ID') return;
  const detail = "The client's accounting method is SPECIFIC_ID: the lots that are sold are required.";
  throw refuseFaults('invalid-document', [{ code: 'missing-attribute', detail, field: 'lots' }]);
}

async function holdTrade({ store }: Work, { trade, account }: AskedTransaction): Promise<void> {
  if (trade == null) return;
  const found = await store.ledger.find(trade);
  if (found?.account !== account || found?.kind !== 'trade') throw notFound(transaction, { field: 'trade' });
}

function settled(asked: AskedTransaction, context: AskedContext): SettledTransaction {
  const money = transactionMoney(asked, context);
  const quantity = asked.quantity ?? null;
  const { kind } = asked;
  return {
    kind,
    type: transactionTypeOf({ kind, quantity, amount: money.amount, counterAmount: money.counterAmount }),
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
