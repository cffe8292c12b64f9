// What the money of a row comes to in the reference currency, by the row's own rate where it has one. Knows no lots.

import { divide, magnitude, multiplyDivide, oneFixed, type Fixed } from '../../kit/fixed.ts';
import { conversionRate, convertedAmount, type IsoCurrency, type ExchangeRates } from './exchange-rates.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';

export interface ReferenceMoney {
  readonly amount: Fixed;
  /** From the instrument's to the reference currency. */
  readonly rate: Fixed;
}

export interface CurrencyContext {
  readonly currency: IsoCurrency;
  readonly referenceCurrency: IsoCurrency;
  readonly rates: ExchangeRates;
}

/** The row's value. Cash in a third currency was exchanged at the row's own rate: what it came to is what counts. */
export function referenceMoney(transaction: LedgerTransaction, context: CurrencyContext): ReferenceMoney {
  const { value, amount, currency: cashCurrency, day, details } = transaction;
  const { currency, referenceCurrency, rates } = context;
  if (currency === referenceCurrency) return { amount: value, rate: oneFixed };
  const dirty = value + (details?.accrued ?? 0n);
  const isExchanged = cashCurrency !== currency && amount !== 0n && dirty !== 0n;
  const money = isExchanged ? multiplyDivide(magnitude(amount), value, magnitude(dirty)) : value;
  const conversion = rates.get({ from: isExchanged ? cashCurrency : currency, to: referenceCurrency, day });
  const converted = convertedAmount(money, conversion);
  return { amount: converted, rate: impliedRate({ value, converted }) ?? dayRate(transaction, context) };
}

function impliedRate({ value, converted }: { value: Fixed; converted: Fixed }): Fixed | undefined {
  return value === 0n || converted === 0n ? undefined : divide(converted, value);
}

function dayRate({ day }: LedgerTransaction, { currency, referenceCurrency, rates }: CurrencyContext): Fixed {
  return conversionRate(rates.get({ from: currency, to: referenceCurrency, day }));
}
