// What the money of a row comes to in the reference currency, explained: by the row's own rate where cash was exchanged. Knows no
// lots.

import { magnitude, multiplyDivide, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { Conversion } from '../currencies/exchange-rates.ts';
import type { History } from '../history/history.ts';
import { referenceMoney, type MoneyContext, type ReferenceMoney } from '../currencies/reference-money.ts';
import type { Transaction } from '../ledger/transaction.ts';
import { rateFactors } from './conversion.ts';
import { amountFigure, formula, halfEven, type Figure, type Source } from './figure.ts';

export interface MoneyFigures {
  readonly money: ReferenceMoney;
  readonly amount: Figure;
  /** From the instrument's to the reference currency. */
  readonly rate: Figure;
}

export function moneyContext(history: History, position: number): MoneyContext {
  const { rates, settings } = history.facts;
  return { currency: history.instrument(position).currency, referenceCurrency: settings.referenceCurrency, rates };
}

export function explainReferenceMoney(transaction: Transaction, context: MoneyContext): MoneyFigures {
  const { value, day } = transaction;
  const { currency, referenceCurrency: unit, rates } = context;
  const money = referenceMoney(transaction, context);
  const own = rowAmount('row-value', value, { transaction, unit: currency });
  const rateUnit = `${unit}/${currency}`;
  if (currency === unit) return { money, amount: own, rate: amountFigure('rate', oneFixed, { unit: rateUnit }) };
  const { of, conversion } = exchangedMoney(transaction, context, own);
  const amount = amountFigure('reference-value', money.amount, {
    unit,
    day,
    ...formula`${of}${rateFactors(conversion)}`,
    rounding: halfEven,
  });
  const rate = { unit: rateUnit, day, rounding: halfEven } as const;
  if (value !== 0n && money.amount !== 0n) {
    return { money, amount, rate: amountFigure('rate', money.rate, { ...rate, ...formula`${amount} ÷ ${own}` }) };
  }
  const ofDay = formula`1${rateFactors(rates.get({ from: currency, to: unit, day }))}`;
  return { money, amount, rate: amountFigure('rate', money.rate, { ...rate, ...ofDay }) };
}

interface ExchangedMoney {
  readonly of: Figure;
  readonly conversion: Conversion;
}

/** The row's value; cash in a third currency, less the interest that was traded with it. */
function exchangedMoney(transaction: Transaction, context: MoneyContext, own: Figure): ExchangedMoney {
  const { value, amount, currency: cashCurrency, day, details } = transaction;
  const { currency, referenceCurrency: to, rates } = context;
  const accrued = details?.accrued ?? 0n;
  const dirty = value + accrued;
  if (cashCurrency === currency || amount === 0n || dirty === 0n) {
    return { of: own, conversion: rates.get({ from: currency, to, day }) };
  }
  const paid = rowAmount('row-amount', magnitude(amount), { transaction, unit: cashCurrency });
  const whole = amountFigure('value-with-accrued-interest', magnitude(dirty), { unit: currency });
  const of = amountFigure('exchanged-value', multiplyDivide(magnitude(amount), value, magnitude(dirty)), {
    unit: cashCurrency,
    ...formula`${paid} × ${own} ÷ ${whole}`,
    rounding: halfEven,
  });
  return { of, conversion: rates.get({ from: cashCurrency, to, day }) };
}

function rowAmount(name: string, value: Fixed, { transaction, unit }: { transaction: Transaction; unit: string }) {
  const source: Source = { kind: 'row', row: transaction.row };
  return amountFigure(name, value, { unit, day: transaction.day, source });
}
