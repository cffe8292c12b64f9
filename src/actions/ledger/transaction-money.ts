// Computes the money of a transaction: its amount, what the units cost or brought, and its other leg. Refuses what does not
// match, with both figures.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import { zeroDecimal, type Decimal } from '../../kit/decimal.ts';
import {
  divideRounded,
  FixedFault,
  fromFixed,
  magnitude,
  multiplyDivide,
  oneFixed,
  toFixed,
  toFixedOrNull,
  type Fixed,
} from '../../kit/fixed.ts';
import { Refusal, refusalForFaults } from '../../kit/refusal.ts';
import {
  halfUnitInLastPlace,
  reconcileExchange,
  reconcileIncome,
  reconcileTrade,
  isMismatch,
  type AmountMismatch,
} from '../../engine/ledger/amount-reconciliation.ts';
import { minorUnitOf } from '../../engine/currencies/minor-unit.ts';
import { unitsPerPrice } from '../../engine/instruments/quote.ts';
import { isIndexLinked, priceUnitOf } from '../../model/instrument/instrument.ts';
import type { TransactionContext, TransactionInput } from './transaction-input.ts';

/** What is stored. */
interface TransactionMoney {
  readonly amount: Decimal | null;
  readonly currency: string | null;
  readonly value: Decimal;
  readonly unexplained: Decimal;
  readonly taxes: Decimal | null;
  readonly accruedInterest: Decimal | null;
  readonly exchangeRate: Decimal | null;
  readonly counterAmount: Decimal | null;
  readonly counterCcyCode: string | null;
  readonly rate: Decimal | null;
}

function refuse(code: string, field: string, detail: string): never {
  throw refusalForFaults('invalid-document', [{ code, field, detail }]);
}

function refuseMismatch({ reason, stated, expected }: AmountMismatch, field: string): never {
  const [one, other] = [fromFixed(stated), fromFixed(expected)];
  const detail =
    reason === 'sign'
      ? `The sign is wrong: expected ${other}, got ${one}.`
      : `This does not match the other figures of the transaction: expected ${other}, got ${one}.`;
  throw new Refusal('amount-mismatch', detail, { faults: [{ code: 'amount-mismatch', field, detail }] });
}

/** Refuses figures whose product exceeds 20 digits before the point. */
export function transactionMoney(input: TransactionInput, context: TransactionContext): TransactionMoney {
  try {
    return { ...statedMoney(input, context), ...moneyOfKind(input, context) };
  } catch (error) {
    if (!(error instanceof FixedFault)) throw error;
    refuse('invalid-attribute', 'amount', 'The resulting amount has more than 20 digits before the decimal point.');
  }
}

/** As sent, if nothing has to match. */
function statedMoney(input: TransactionInput, { accountCurrency }: TransactionContext): TransactionMoney {
  return {
    amount: input.amount ?? null,
    currency: input.currency ?? accountCurrency,
    value: zeroDecimal,
    unexplained: zeroDecimal,
    taxes: input.taxes ?? null,
    accruedInterest: input.accruedInterest ?? null,
    exchangeRate: input.exchangeRate ?? null,
    counterAmount: input.counterAmount ?? null,
    counterCcyCode: input.counterCcyCode ?? null,
    rate: input.rate ?? null,
  };
}

function moneyOfKind(input: TransactionInput, context: TransactionContext): Partial<TransactionMoney> {
  switch (traitsOfKind(input.kind).amount) {
    case 'units':
      return tradeMoney(input, context);
    case 'income':
      return incomeMoney(input, context);
    case 'exchange':
      return exchangeMoney(input, context);
    case 'settlement':
      return isDelivery(input) ? exchangeMoney(input, context) : { value: input.amount ?? zeroDecimal };
    case 'transfer':
      return input.amount == null || input.counterAccount == null ? {} : transferMoney(input, context);
    case 'payment':
      return paidMoney(input, context);
    case 'charge':
      return {};
  }
}

/** An FX forward is delivered if there is another leg. */
function isDelivery({ counterAmount, counterCcyCode, counterAccount, rate }: TransactionInput): boolean {
  return [counterAmount, counterCcyCode, counterAccount, rate].some((field) => field != null);
}

/** The currency of the price; that of the amount if the instrument has none. */
function tradeCurrencyOf({ instrument }: TransactionContext, currency: string | null): string | null {
  return instrument?.ccyCode ?? instrument?.listingCurrency ?? currency;
}

/** The applied rate; undefined if both are in one currency. */
function appliedRate(input: TransactionInput, context: TransactionContext): 'same' | 'missing' | Fixed {
  const currency = input.currency ?? context.accountCurrency;
  const rate = toFixedOrNull(input.exchangeRate);
  if (tradeCurrencyOf(context, currency) === currency) {
    if (rate === null || rate === oneFixed) return 'same';
    const isKnown = (context.instrument?.ccyCode ?? context.instrument?.listingCurrency) != null;
    if (!isKnown) return rate;
    refuse(
      'invalid-attribute',
      'exchangeRate',
      `The instrument and the amount are both in ${currency}: the exchange rate can only be 1.`,
    );
  }
  return rate ?? 'missing';
}

function refuseMissingRate(context: TransactionContext, currency: string | null): never {
  const from = tradeCurrencyOf(context, currency);
  refuse(
    'missing-attribute',
    'exchangeRate',
    `An exchange rate is required: the instrument is in ${from}, the amount in ${currency}.`,
  );
}

function tradeMoney(input: TransactionInput, context: TransactionContext): Partial<TransactionMoney> {
  const currency = input.currency ?? context.accountCurrency;
  const { instrument } = context;
  const priceUnit = instrument === null ? '1' : priceUnitOf(instrument);
  const accrued = accruedOf(input, unitsPerPrice[priceUnit]);
  const rate = appliedRate(input, context);
  const isIndexUnknown = instrument !== null && isIndexLinked(instrument) && context.index === undefined;
  const price = isIndexUnknown ? null : toFixedOrNull(input.price);
  const amount = toFixedOrNull(input.amount);
  const quantity = toFixed(input.quantity!);
  if (price === null && amount === null) {
    refuse('missing-attribute', 'amount', 'An amount or a price is required.');
  }
  if (rate === 'missing' && (price === null || amount === null)) refuseMissingRate(context, currency);
  const stated = {
    units: quantity > 0n ? 'in' : 'out',
    quantity: magnitude(quantity),
    price,
    priceUnit,
    index: context.index,
    fees: toFixedOrNull(input.fees),
    taxes: toFixedOrNull(input.taxes),
    accrued,
    exchangeRate: typeof rate === 'bigint' ? rate : null,
    minorUnit: minorUnitOf(currency),
  } as const;
  // Without a rate, the amount itself says what the units came to: only its direction can be wrong.
  const fit = reconcileTrade({ ...stated, amount: rate === 'missing' ? null : amount });
  if (isMismatch(fit)) refuseMismatch(fit, 'amount');
  const isOpposed = amount !== null && amount > 0n === (stated.units === 'in') && amount !== 0n;
  if (isOpposed && (price === null || rate === 'missing')) {
    refuseMismatch({ reason: 'sign', stated: amount, expected: -amount }, 'amount');
  }
  return {
    amount: fromFixed(amount ?? fit.amount),
    value: fromFixed(fit.value),
    unexplained: fromFixed(fit.unexplained),
    accruedInterest: accrued === null ? null : fromFixed(accrued),
  };
}

/** Nominal × (dirty − clean) ÷ 100, for a loan ÷ 1. If it is stated as well, both must agree to the places that the price shows. */
function accruedOf(
  { accruedInterest, dirtyPrice, price, quantity }: TransactionInput,
  nominalPerPrice: bigint,
): Fixed | null {
  const stated = toFixedOrNull(accruedInterest);
  if (dirtyPrice == null) return stated;
  if (price == null) refuse('missing-attribute', 'price', 'The clean price is required when the dirty price is sent.');
  const units = magnitude(toFixed(quantity!));
  const [dirty, clean] = [toFixed(dirtyPrice), toFixed(price)];
  const expected = multiplyDivide(units, dirty - clean, nominalPerPrice * oneFixed);
  if (stated === null) return expected;
  const priceRounding = halfUnitInLastPlace(dirty) + halfUnitInLastPlace(clean);
  const tolerance = multiplyDivide(units, priceRounding, nominalPerPrice * oneFixed);
  if (magnitude(stated - expected) > tolerance)
    refuseMismatch({ reason: 'contradiction', stated, expected }, 'accruedInterest');
  return stated;
}

function incomeMoney(input: TransactionInput, { accountCurrency }: TransactionContext): Partial<TransactionMoney> {
  const { gross, amount, taxes } = input;
  if (gross == null && amount == null)
    refuse('missing-attribute', 'amount', 'The amount that was received is required, net or gross.');
  const minorUnit = minorUnitOf(input.currency ?? accountCurrency);
  const fit = reconcileIncome({
    gross: toFixedOrNull(gross),
    withholding: toFixedOrNull(taxes),
    net: toFixedOrNull(amount),
    minorUnit,
  });
  if (isMismatch(fit)) refuseMismatch(fit, 'amount');
  if (isWithheldWrongly(input.kind, fit)) {
    if (taxes == null) refuseMismatch({ reason: 'contradiction', stated: fit.net, expected: fit.gross }, 'amount');
    refuseMismatch({ reason: 'sign', stated: fit.withholding, expected: -fit.withholding }, 'taxes');
  }
  const isWithheld = taxes != null || fit.withholding !== 0n;
  return { amount: fromFixed(fit.net), taxes: isWithheld ? fromFixed(fit.withholding) : null };
}

/** Tax is withheld from what comes in and given back with what is taken back. Interest that is paid may bear tax as well. */
function isWithheldWrongly(
  kind: TransactionInput['kind'],
  { gross, withholding }: { readonly gross: Fixed; readonly withholding: Fixed },
): boolean {
  if (withholding === 0n || (gross < 0n && traitsOfKind(kind).income === 'interest')) return false;
  return withholding < 0n !== gross < 0n;
}

function exchangeMoney(input: TransactionInput, context: TransactionContext): Partial<TransactionMoney> {
  const currency = input.currency ?? context.accountCurrency;
  const counterCcyCode = input.counterCcyCode ?? context.counterAccountCurrency;
  if (counterCcyCode === null)
    refuse('missing-attribute', 'counterCcyCode', 'The currency of the other leg is required.');
  if (counterCcyCode === currency) {
    refuse(
      'invalid-attribute',
      'counterCcyCode',
      `Both legs are in ${currency}: an exchange is between two currencies.`,
    );
  }
  if (input.counterAmount == null && input.rate == null) {
    refuse('missing-attribute', 'counterAmount', 'The amount of the other leg or an exchange rate is required.');
  }
  const fit = reconcileExchange({
    amount: toFixed(input.amount!),
    counterAmount: toFixedOrNull(input.counterAmount),
    rate: toFixedOrNull(input.rate),
    counterMinorUnit: minorUnitOf(counterCcyCode),
  });
  if (isMismatch(fit)) refuseMismatch(fit, 'counterAmount');
  const rate = input.rate ?? fromFixed(fit.rate);
  return { counterAmount: fromFixed(fit.counterAmount), counterCcyCode, rate };
}

/** What leaves one own account arrives at the other: the same amount, unless their currencies differ. */
function transferMoney(input: TransactionInput, context: TransactionContext): Partial<TransactionMoney> {
  const currency = input.currency ?? context.accountCurrency;
  const counterCcyCode = context.counterAccountCurrency;
  const [amount, counter] = [toFixed(input.amount!), toFixedOrNull(input.counterAmount)];
  if (counter === null && counterCcyCode !== currency) {
    const detail = `The amount in ${counterCcyCode} is required: the other account is in another currency.`;
    refuse('missing-attribute', 'counterAmount', detail);
  }
  if (counter !== null && counter > 0n === amount > 0n) {
    refuseMismatch({ reason: 'sign', stated: counter, expected: -counter }, 'counterAmount');
  }
  if (counter !== null && counterCcyCode === currency && counter !== -amount) {
    refuseMismatch({ reason: 'contradiction', stated: counter, expected: -amount }, 'counterAmount');
  }
  return { counterAmount: fromFixed(counter ?? -amount), counterCcyCode };
}

/** What a fund called or paid, or an issuer paid, in the instrument's own currency; for units of a target, in the target's. */
function paidMoney(input: TransactionInput, named: TransactionContext): Partial<TransactionMoney> {
  const amount = toFixedOrNull(input.amount);
  if (amount === null) return {};
  const context = input.cashInLieuQuantity == null ? named : { ...named, instrument: named.targetInstrument };
  const rate = appliedRate(input, context);
  if (rate === 'missing') refuseMissingRate(context, input.currency ?? context.accountCurrency);
  // What a fund returned of a call, or was paid back of a distribution, is negative.
  const paid = traitsOfKind(input.kind).fund === 'call' ? -amount : amount;
  return { value: fromFixed(rate === 'same' ? paid : divideRounded(paid * oneFixed, rate)) };
}
