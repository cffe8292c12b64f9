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

/**
 * Returns the row's value. Cash in a third currency was exchanged at the row's own rate, so what it was exchanged into counts.
 */
export function referenceMoney(transaction: LedgerTransaction, context: CurrencyContext): ReferenceMoney {
  const { value, amount, currency: cashCurrency, day, details } = transaction;
  const { currency, referenceCurrency, rates } = context;
  if (currency === referenceCurrency) return { amount: value, rate: oneFixed };
  const dirty = value + (details?.accrued ?? 0n);
  const isExchanged = cashCurrency !== currency && amount !== 0n && dirty !== 0n;
  const money = isExchanged ? multiplyDivide(magnitude(amount), value, magnitude(dirty)) : value;
  const conversion = rates.get({ from: isExchanged ? cashCurrency : currency, to: referenceCurrency, day });
  if (conversion instanceof MissingConversion)
    return { amount: 0n, rate: oneFixed, gap: { conversion, lacks: 'reference-cost' } };
  const converted = convertedAmount(money, conversion);
  return { amount: converted, rate: impliedRate({ value, converted }) ?? dayRate(transaction, context) };
}

function impliedRate({ value, converted }: { value: Fixed; converted: Fixed }): Fixed | undefined {
  return value === 0n || converted === 0n ? undefined : divide(converted, value);
}

function dayRate({ day }: LedgerTransaction, { currency, referenceCurrency, rates }: CurrencyContext): Fixed {
  return conversionRate(rates.get({ from: currency, to: referenceCurrency, day }));
}
