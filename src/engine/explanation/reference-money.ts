// Explains a row's money in the reference currency: at the row's own rate if cash was exchanged.

import { magnitude, multiplyDivide, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Conversion } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import { referenceMoney, type CurrencyContext, type ReferenceMoney } from '../currencies/reference-money.ts';
import type { LedgerTransaction } from '../ledger/transaction.ts';
import { rateFactors } from './conversion.ts';
import { amountFigure, formula, halfEven, type Facets, type Figure, type FigureSource } from './figure.ts';

interface MoneyFigures {
  readonly money: ReferenceMoney;
  readonly amount: Figure;
  /** From the instrument's currency to the reference currency. */
  readonly rate: Figure;
}

export function moneyContext(history: History, position: number): CurrencyContext {
  const { rates, settings } = history.facts;
  return { currency: history.instrument(position).currency, referenceCurrency: settings.referenceCurrency, rates };
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
  const { original, conversion } = exchangedMoney(transaction, context, own);
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

interface ExchangedMoney {
  readonly original: Figure;
  readonly conversion: Conversion;
}

/** The row's value; for cash in a third currency, less the interest traded with it. */
function exchangedMoney(transaction: LedgerTransaction, context: CurrencyContext, own: Figure): ExchangedMoney {
  const { value, amount, currency: cashCurrency, day, details } = transaction;
  const { currency, referenceCurrency: to, rates } = context;
  const accrued = details?.accrued ?? 0n;
  const dirtyValue = value + accrued;
  if (cashCurrency === currency || amount === 0n || dirtyValue === 0n) {
    return { original: own, conversion: rates.get({ from: currency, to, day }) };
  }
  const paid = rowAmount('row-amount', magnitude(amount), { transaction, unit: cashCurrency });
  const whole = amountFigure('value-with-accrued-interest', magnitude(dirtyValue), { unit: currency });
  const original = amountFigure('exchanged-value', multiplyDivide(magnitude(amount), value, magnitude(dirtyValue)), {
    unit: cashCurrency,
    ...formula`${paid} × ${own} ÷ ${whole}`,
    rounding: halfEven,
  });
  return { original, conversion: rates.get({ from: cashCurrency, to, day }) };
}

function rowAmount(
  name: string,
  value: Fixed,
  { transaction, ...facets }: { transaction: LedgerTransaction } & Facets,
) {
  const source: FigureSource = { kind: 'row', row: transaction.row };
  return amountFigure(name, value, { ...facets, day: transaction.day, source });
}
