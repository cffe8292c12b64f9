// Converts what moves between instruments or currencies on the way into a lot book: costs at a merger, cash in lieu, deliveries of
// forwards. A missing rate leaves a gap.

import { multiply, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Day } from '../../kit/day.ts';
import { conversionRate, convertedAmount, MissingConversion } from '../currencies/exchange-rates.ts';
import { referenceMoney, type CurrencyContext } from '../currencies/reference-money.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import { gapMember, type CostGap } from './cost-gap.ts';
import type { InstrumentConversion, Merger } from './lot-event.ts';
import type { Lot } from './lot.ts';

interface ConvertedInstruments {
  readonly from: CurrencyContext;
  readonly to: CurrencyContext;
  readonly day: Day;
}

/** The rate from the currency of one instrument's costs to that of another's; none if they are the same. */
export function costConversion({
  from,
  to,
  day,
}: ConvertedInstruments): Pick<InstrumentConversion, 'costRate' | 'gap'> {
  if (from.currency === to.currency) return {};
  const conversion = from.rates.get({ from: from.currency, to: to.currency, day });
  return conversion instanceof MissingConversion
    ? { costRate: oneFixed, gap: { conversion, lacks: 'both-costs' } }
    : { costRate: conversionRate(conversion) };
}

export function inTargetCurrency(lots: readonly Lot[], { costRate, gap }: InstrumentConversion): readonly Lot[] {
  if (costRate === undefined) return lots;
  return lots.map((lot) => ({ ...lot, cost: multiply(lot.cost, costRate), ...gapMember(gap) }));
}

/** What was paid for units of the target that were not delivered. */
export function cashInLieu(
  transaction: LedgerTransaction,
  target: CurrencyContext,
  quantity: Fixed | undefined,
): Pick<Merger, 'cashInLieu'> {
  if (quantity === undefined || quantity === 0n) return {};
  const { amount, rate, gap } = referenceMoney(transaction, target);
  const { value: proceeds } = transaction;
  return { cashInLieu: { quantity, proceeds, referenceProceeds: amount, rate, ...gapMember(gap) } };
}

interface ValuedDelivery {
  readonly transaction: LedgerTransaction;
  readonly gap?: CostGap;
}

/** Values a delivery that states no value: both legs at the day's rates. */
export function withDeliveryValue(
  transaction: LedgerTransaction,
  { currency: to, rates }: CurrencyContext,
): ValuedDelivery {
  const { amount, currency, value, day, details } = transaction;
  const counterpart = details?.counterCash;
  if (counterpart === undefined || value !== 0n) return { transaction };
  const legs = [{ amount, currency }, counterpart].map((leg) => {
    return { amount: leg.amount, conversion: rates.get({ from: leg.currency, to, day }) };
  });
  for (const { amount: paid, conversion } of legs) {
    if (paid === 0n || !(conversion instanceof MissingConversion)) continue;
    return { transaction, gap: { conversion, lacks: 'both-costs' } };
  }
  const worth = legs.reduce((sum, leg) => sum + convertedAmount(leg.amount, leg.conversion), 0n);
  return { transaction: { ...transaction, amount: 0n, value: worth } };
}
