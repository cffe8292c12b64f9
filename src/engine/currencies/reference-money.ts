// Converts a row's money to the reference currency, by the row's own rate if it has one.

import { divide, magnitude, multiplyDivide, oneFixed, type Fixed } from '../../kit/fixed.ts';
import {
  conversionRate,
  convertedAmount,
  MissingConversion,
  type IsoCurrency,
  type ExchangeRates,
} from './exchange-rates.ts';
import type { CostGap } from '../lots/cost-gap.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';

export interface ReferenceMoney {
  readonly amount: Fixed;
  /** From the instrument's currency to the reference currency. */
  readonly rate: Fixed;
  /** Present if the rate is missing: then neither is known. */
  readonly gap?: CostGap;
}

export interface CurrencyContext {
  readonly currency: IsoCurrency;
  readonly referenceCurrency: IsoCurrency;
  readonly rates: ExchangeRates;
}

interface PaidMoney {
  readonly amount: Fixed;
  readonly currency: IsoCurrency;
}

/**
 * A part of a row's money, such as its accrued interest, in the currency that is then converted at the day's rate. If cash in another
 * currency was exchanged at the row's own rate, that is the part's share of this cash.
 */
export function paidPart(
  transaction: LedgerTransaction,
  part: Fixed,
  { currency, referenceCurrency }: Pick<CurrencyContext, 'currency' | 'referenceCurrency'>,
): PaidMoney {
  const { value, amount, currency: cashCurrency, details } = transaction;
  const dirtyValue = value + (details?.accrued ?? 0n);
  const isExchanged = currency !== referenceCurrency && cashCurrency !== currency && amount !== 0n && dirtyValue !== 0n;
  if (!isExchanged) return { amount: part, currency };
  return { amount: multiplyDivide(magnitude(amount), part, magnitude(dirtyValue)), currency: cashCurrency };
}

/** Returns the row's value, by its own rate if cash was exchanged. */
export function referenceMoney(transaction: LedgerTransaction, context: CurrencyContext): ReferenceMoney {
  const { value, day } = transaction;
  const { currency, referenceCurrency, rates } = context;
  if (currency === referenceCurrency) return { amount: value, rate: oneFixed };
  const paid = paidPart(transaction, value, context);
  const conversion = rates.get({ from: paid.currency, to: referenceCurrency, day });
  if (conversion instanceof MissingConversion)
    return { amount: 0n, rate: oneFixed, gap: { conversion, lacks: 'reference-cost' } };
  const converted = convertedAmount(paid.amount, conversion);
  return { amount: converted, rate: impliedRate({ value, converted }) ?? dayRate(transaction, context) };
}

function impliedRate({ value, converted }: { value: Fixed; converted: Fixed }): Fixed | undefined {
  return value === 0n || converted === 0n ? undefined : divide(converted, value);
}

function dayRate({ day }: LedgerTransaction, { currency, referenceCurrency, rates }: CurrencyContext): Fixed {
  return conversionRate(rates.get({ from: currency, to: referenceCurrency, day }));
}
