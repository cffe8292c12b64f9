// Explains a row's money in the reference currency: at the row's own rate if cash was exchanged.

import { divide, magnitude, multiply, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Conversion, IsoCurrency } from '../currencies/exchange-rates.ts';
import { paidPart, referenceMoney, type CurrencyContext, type ReferenceMoney } from '../currencies/reference-money.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import { rateFactors } from './conversion.ts';
import {
  amountFigure,
  formula,
  halfEven,
  type Facets,
  type Figure,
  type FigureSource,
  type Formula,
} from './figure.ts';

interface MoneyFigures {
  readonly money: ReferenceMoney;
  readonly amount: Figure;
  /** From the instrument's currency to the reference currency. */
  readonly rate: Figure;
}

/** `rowFacets` say how the row's own value came about. */
export function explainReferenceMoney(
  transaction: LedgerTransaction,
  context: CurrencyContext,
  rowFacets: Facets = {},
): MoneyFigures {
  const { value, day } = transaction;
  const { currency, referenceCurrency: unit, rates } = context;
  const money = referenceMoney(transaction, context);
  const own = rowAmount('row-value', value, { transaction, unit: currency, ...rowFacets });
  const rateUnit = `${unit}/${currency}`;
  if (currency === unit) return { money, amount: own, rate: amountFigure('rate', oneFixed, { unit: rateUnit }) };
  const { original, conversion } = explainPaidPart(transaction, value, { context, own });
  const amount = amountFigure('reference-value', money.amount, {
    unit,
    day,
    ...formula`${original}${rateFactors(conversion)}`,
    rounding: halfEven,
  });
  const rate = { unit: rateUnit, day, rounding: halfEven } as const;
  if (value !== 0n && money.amount !== 0n) {
    return { money, amount, rate: amountFigure('rate', money.rate, { ...rate, ...formula`${amount} ÷ ${own}` }) };
  }
  const dayRate = formula`1${rateFactors(rates.get({ from: currency, to: unit, day }))}`;
  return { money, amount, rate: amountFigure('rate', money.rate, { ...rate, ...dayRate }) };
}

interface PaidPart {
  readonly amount: Fixed;
  readonly original: Figure;
  readonly conversion: Conversion;
}

/** A part of a row's money before it is converted at the day's rate. `own` is the part in the instrument's currency. */
export function explainPaidPart(
  transaction: LedgerTransaction,
  part: Fixed,
  { context, own }: { readonly context: CurrencyContext; readonly own: Figure },
): PaidPart {
  const { currency, referenceCurrency: to, rates } = context;
  const paid = paidPart(transaction, part, context);
  const conversion = rates.get({ from: paid.currency, to, day: transaction.day });
  const { amount } = paid;
  if (paid.currency === currency) return { amount, original: own, conversion };
  const facets = { unit: paid.currency, ...ownRateFormula(transaction, { part, paid: amount, own, currency }) };
  return { amount, original: amountFigure('exchanged-value', amount, { ...facets, rounding: halfEven }), conversion };
}

interface ExchangedPart {
  readonly part: Fixed;
  readonly paid: Fixed;
  readonly own: Figure;
  readonly currency: IsoCurrency;
}

/** The row's rate as a figure, if it is as exact as the amounts; else its two amounts. */
function ownRateFormula(transaction: LedgerTransaction, { part, paid, own, currency }: ExchangedPart): Formula {
  const { value, amount, currency: cashCurrency, day, details } = transaction;
  const [cash, dirtyValue] = [magnitude(amount), magnitude(value + (details?.accrued ?? 0n))];
  const cashFigure = rowAmount('row-amount', cash, { transaction, unit: cashCurrency });
  const whole = amountFigure('value-with-accrued-interest', dirtyValue, { unit: currency });
  const rate = divide(cash, dirtyValue);
  if (multiply(part, rate) !== paid) return formula`${cashFigure} × ${own} ÷ ${whole}`;
  const facets = { unit: `${cashCurrency}/${currency}`, day, rounding: halfEven } as const;
  const quotient = formula`${cashFigure} ÷ ${whole}`;
  return formula`${own} × ${amountFigure('rate-of-the-trade', rate, { ...facets, ...quotient })}`;
}

function rowAmount(
  name: string,
  value: Fixed,
  { transaction, ...facets }: { transaction: LedgerTransaction } & Facets,
) {
  const source: FigureSource = { kind: 'row', row: transaction.row };
  return amountFigure(name, value, { ...facets, day: transaction.day, source });
}
