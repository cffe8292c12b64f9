// Checks that a row's cash matches its other figures, computes it if it is not stated, and says what the units cost.

import { divide, divideRounded, magnitude, multiply, oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { IndexRatio } from '../instruments/accrued-interest.ts';
import { unitsPerPrice, type QuoteUnit } from '../instruments/quote.ts';

/** A purchase or sale as stated. Fees, taxes and accrued interest are in the trade currency. */
export interface StatedTrade {
  /** The direction of the units. */
  readonly units: 'in' | 'out';
  readonly quantity: Fixed;
  /** As quoted; null if only the amount is known. */
  readonly price: Fixed | null;
  readonly priceUnit: QuoteUnit;
  readonly index?: IndexRatio | undefined;
  readonly fees: Fixed | null;
  readonly taxes: Fixed | null;
  readonly accrued: Fixed | null;
  /** 1 of the trade currency in the account's currency; null if they are the same. */
  readonly exchangeRate: Fixed | null;
  /** Cash into the account, negative out of it; null if it is to be computed. */
  readonly amount: Fixed | null;
  /** The smallest coin of the account's currency. */
  readonly minorUnit: Fixed;
}

interface ReconciledTrade {
  readonly amount: Fixed;
  /** In the trade currency: the cost of the units with fees and taxes, or the proceeds after them, without accrued interest. */
  readonly value: Fixed;
  /** The part of the amount that nothing stated explains. */
  readonly unexplained: Fixed;
}

/** `sign`: the money went the wrong way. `contradiction`: the stated figures give another amount. */
export interface AmountMismatch {
  readonly reason: 'sign' | 'contradiction';
  readonly stated: Fixed;
  readonly expected: Fixed;
}

export function isMismatch(result: object): result is AmountMismatch {
  return 'reason' in result;
}

/** Neither an amount nor a price says what was paid. */
export class AmountNotStatedError extends Error {
  constructor() {
    super('Neither an amount nor a price is stated.');
    this.name = 'NothingStated';
  }
}

/**
 * units × price (÷ 100 if quoted in percent, × index ratio) + accrued ± fees and taxes, × exchange rate. A stated amount may
 * differ by one minor unit, or by as much as the rounding of price and rate and of the amount itself explains. If neither fees nor taxes nor accrued
 * interest are stated, the difference is attributed to them and stays unexplained.
 */
export function reconcileTrade(trade: StatedTrade): ReconciledTrade | AmountMismatch {
  const { amount, price } = trade;
  if (price === null) return reconcileWithoutPrice(trade);
  const expected = expectedAmount(trade, price);
  if (amount === null) return { amount: expected.amount, value: expected.value, unexplained: 0n };
  const difference = amount - expected.amount;
  const areOppositeSigns = amount !== 0n && expected.amount !== 0n && amount < 0n !== expected.amount < 0n;
  if (magnitude(difference) <= tradeTolerance(trade, price)) return reconciled(trade, expected.value, 0n);
  if (areOppositeSigns) return { reason: 'sign', stated: amount, expected: expected.amount };
  const hasNoCharges = trade.fees === null && trade.taxes === null && trade.accrued === null;
  if (!hasNoCharges) return { reason: 'contradiction', stated: amount, expected: expected.amount };
  return reconciled(trade, expected.value, difference);
}

function reconcileWithoutPrice(trade: StatedTrade): ReconciledTrade {
  if (trade.amount === null) throw new AmountNotStatedError();
  return reconciled(trade, valueFromCash(trade, trade.amount), 0n);
}

/** In one currency the cash itself says what the units cost; in two, the stated figures and the unexplained part do. */
function reconciled(trade: StatedTrade, stated: Fixed, unexplained: Fixed): ReconciledTrade {
  const { exchangeRate, units } = trade;
  const amount = trade.amount!;
  if (exchangeRate === null) return { amount, value: valueFromCash(trade, amount), unexplained };
  const rest = divide(unexplained, exchangeRate);
  return { amount, value: units === 'in' ? stated - rest : stated + rest, unexplained };
}

function valueFromCash({ units, exchangeRate, accrued }: StatedTrade, amount: Fixed): Fixed {
  const cash = units === 'in' ? -amount : amount;
  return (exchangeRate === null ? cash : divide(cash, exchangeRate)) - (accrued ?? 0n);
}

function expectedAmount(trade: StatedTrade, price: Fixed): { amount: Fixed; value: Fixed } {
  const { units, quantity, priceUnit, index = { factor: 1n, baseFactor: 1n }, exchangeRate } = trade;
  const worth = divideRounded(quantity * price * index.factor, oneFixed * unitsPerPrice[priceUnit] * index.baseFactor);
  const costs = (trade.fees ?? 0n) + (trade.taxes ?? 0n);
  const value = units === 'in' ? worth + costs : worth - costs;
  const cash = value + (trade.accrued ?? 0n);
  const money = exchangeRate === null ? cash : multiply(cash, exchangeRate);
  return { amount: units === 'in' ? -money : money, value };
}

function tradeTolerance(trade: StatedTrade, price: Fixed): Fixed {
  const { quantity, priceUnit, exchangeRate, minorUnit } = trade;
  const rate = exchangeRate ?? oneFixed;
  const byPrice = multiply(
    divideRounded(quantity * halfUnitInLastPlace(price), oneFixed * unitsPerPrice[priceUnit]),
    rate,
  );
  const worth = divideRounded(quantity * price, oneFixed * unitsPerPrice[priceUnit]);
  const byRate = exchangeRate === null ? 0n : multiply(worth, halfUnitInLastPlace(exchangeRate));
  // What the amount itself is rounded by comes on top: it was computed from the exact price.
  const rounding = magnitude(byPrice) + magnitude(byRate) + minorUnit / 2n;
  return rounding > minorUnit ? rounding : minorUnit;
}

/** Half a unit in the last place that a figure shows. Whole figures are taken as exact. */
export function halfUnitInLastPlace(value: Fixed): Fixed {
  let step = oneFixed;
  while (value % step !== 0n) step /= 10n;
  return step === oneFixed ? 0n : step / 2n;
}

/** Income as stated, in the account's currency. */
interface StatedIncome {
  readonly gross: Fixed | null;
  readonly withholding: Fixed | null;
  readonly net: Fixed | null;
  readonly minorUnit: Fixed;
}

interface ReconciledIncome {
  readonly gross: Fixed;
  readonly withholding: Fixed;
  readonly net: Fixed;
}

/** Gross − withheld = net: two of them give the third; one alone is both gross and net. */
export function reconcileIncome({
  gross,
  withholding,
  net,
  minorUnit,
}: StatedIncome): ReconciledIncome | AmountMismatch {
  if (gross === null && net === null) throw new AmountNotStatedError();
  const withheld = withholding ?? (gross === null || net === null ? 0n : gross - net);
  const received = net ?? gross! - withheld;
  const expected = (gross ?? received + withheld) - withheld;
  if (magnitude(received - expected) > minorUnit) return { reason: 'contradiction', stated: received, expected };
  return { gross: gross ?? received + withheld, withholding: withheld, net: received };
}

/** An exchange of currencies: what left one side and what arrived at the other. */
interface StatedExchange {
  readonly amount: Fixed;
  readonly counterAmount: Fixed | null;
  /** Quoted in either direction. */
  readonly rate: Fixed | null;
  readonly counterMinorUnit: Fixed;
}

interface ReconciledExchange {
  readonly amount: Fixed;
  readonly counterAmount: Fixed;
  /** 1 of the account's currency in the other. */
  readonly rate: Fixed;
}

/** Without a counter amount, the rate is 1 of the account's currency in the other. */
export function reconcileExchange(exchange: StatedExchange): ReconciledExchange | AmountMismatch {
  const { amount, counterAmount, rate } = exchange;
  if (counterAmount === null) {
    if (rate === null) throw new AmountNotStatedError();
    return { amount, counterAmount: -multiply(amount, rate), rate };
  }
  const areOppositeSigns = amount < 0n !== counterAmount < 0n;
  if (!areOppositeSigns) return { reason: 'sign', stated: counterAmount, expected: -counterAmount };
  const implied = divide(magnitude(counterAmount), magnitude(amount));
  if (rate === null) return { amount, counterAmount, rate: implied };
  const expected = [multiply(amount, rate), divide(amount, rate)].map((money) => -money);
  const tolerance = exchangeTolerance(exchange, rate);
  const isClose = expected.some((money) => magnitude(counterAmount - money) <= tolerance);
  return isClose ? { amount, counterAmount, rate: implied } : contradiction(counterAmount, expected[0]!);
}

function exchangeTolerance({ amount, counterAmount, counterMinorUnit }: StatedExchange, rate: Fixed): Fixed {
  const larger = magnitude(amount) > magnitude(counterAmount!) ? magnitude(amount) : magnitude(counterAmount!);
  const rounding = divide(multiply(larger, halfUnitInLastPlace(rate)), rate < oneFixed ? rate : oneFixed);
  return rounding > counterMinorUnit ? rounding : counterMinorUnit;
}

function contradiction(stated: Fixed, expected: Fixed): AmountMismatch {
  return { reason: 'contradiction', stated, expected };
}
