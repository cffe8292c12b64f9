// Translates a transaction that is not booked yet to the engine's form.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { toDayNumber, type CalendarDate } from '../../kit/calendar-date.ts';
import { toFixed, toFixedOrNull } from '../../kit/fixed.ts';
import type { Id } from '../../kit/id.ts';
import { checkpointRow } from '../../engine/history/checkpoint.ts';
import { unidentifiedInstrument } from '../../engine/ledger/position-key.ts';
import type { LedgerTransaction } from '../../engine/ledger/transaction.ts';
import type { LotKey } from '../../engine/lots/lot.ts';
import { parseLotId, type SpecifiedLots } from '../../model/ledger/transaction-value.ts';
import type { LedgerDetails } from '../../store/ledger/ledger-rows.ts';
import type { ReferencedTransaction } from '../../store/ledger/ledger-reader.ts';
import { sameCurrencyTerms, toEngineDetails } from './engine-details.ts';
import { executionTime, noCurrency } from './engine-ledger.ts';
import type { ResolvedTransaction } from './transaction-resolution.ts';

export type FindTransaction = (id: Id) => ReferencedTransaction | undefined;

/** The engine's key of a lot that a transaction of a client names; the row is 0 if no transaction of the client opened it. */
export function lotKeyOf(id: string, client: Id | null, findTransaction: FindTransaction): LotKey {
  const { opener, ordinal } = parseLotId(id);
  if (opener.kind === 'upload') return { row: checkpointRow(toDayNumber(opener.date)), ordinal };
  const opening = findTransaction(opener.id);
  const isOwn = opening !== undefined && (opening.client === client || opening.client === null);
  return { row: isOwn ? opening.sequence : 0, ordinal };
}

/** The costs of units from outside count as if they were in the reference currency. */
export function engineTransaction(
  resolved: ResolvedTransaction,
  row: number,
  findTransaction: FindTransaction,
): LedgerTransaction {
  const { kind, account, depository, instrument, client } = resolved;
  const day = toDayNumber(resolved.date);
  return {
    row,
    kind,
    day,
    time: resolved.executedAt === null ? null : executionTime(resolved.executedAt, day),
    settlement: dayOrNull(resolved.settlementDate),
    account,
    depository,
    instrument: instrument ?? (traitsOfKind(kind).units === 'traded' ? unidentifiedInstrument : null),
    quantity: toFixedOrNull(resolved.quantity) ?? 0n,
    amount: toFixedOrNull(resolved.amount) ?? 0n,
    currency: resolved.currency ?? noCurrency,
    price: toFixedOrNull(resolved.price),
    value: toFixed(resolved.value),
    details: toEngineDetails(
      storedDetails(resolved, (id) => lotKeyOf(id, client, findTransaction)),
      { kind, account, instrument },
      sameCurrencyTerms,
    ),
  };
}

function dayOrNull(date: CalendarDate | null): number | null {
  return date === null ? null : toDayNumber(date);
}

/** As the store would read them back. */
function storedDetails(resolved: ResolvedTransaction, keyOf: (id: string) => LotKey): LedgerDetails {
  const lots = (resolved.lots as SpecifiedLots | null)?.map(({ id, quantity }) => {
    const { row: sequence, ordinal } = keyOf(id);
    return { sequence, ordinal, quantity };
  });
  const fields = {
    accrued: resolved.accruedInterest,
    counterAccount: resolved.counterAccount,
    counterDepository: resolved.counterDepository,
    counterAmount: resolved.counterAmount,
    counterCurrency: resolved.counterCcyCode,
    lots,
    acquired: resolved.acquired,
    action: resolved.action,
    ratio: resolved.ratio,
    target: resolved.targetInstrument,
    costShare: resolved.costShare,
    cashInLieu: resolved.cashInLieuQuantity,
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value != null)) as LedgerDetails;
}
