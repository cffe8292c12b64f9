// The exchange rate of a trade whose price is in the currency of the instrument and whose cash is in that of the account, as brokers state them:
// what the units came to in both currencies says it.

import { traitsOfKind } from '../../model/ledger/kind-traits.ts';
import {
  divide,
  fromFixed,
  magnitude,
  multiply,
  oneFixed,
  toFixed,
  toFixedOrNull,
  type Fixed,
} from '../../kit/fixed.ts';
import type { Decimal } from '../../kit/decimal.ts';
import { unitsPerPrice } from '../../engine/instruments/quote.ts';
import { priceUnitOf, type Instrument } from '../../model/instrument/instrument.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';
import type { TransactionContext, TransactionInput } from './transaction-input.ts';

/** With price, rate, and fees and taxes in the currency of the instrument. As it is where the price is not in that currency, or nothing follows from it. */
export function withImpliedRate(
  input: TransactionInput,
  { instrument, accountCurrency }: TransactionContext,
): TransactionInput {
  const { foreignPrice, amount, quantity, price, exchangeRate, accruedInterest, kind } = input;
  if (foreignPrice === undefined || instrument === null || traitsOfKind(kind).units !== 'traded') return input;
  if (amount == null || quantity == null || price != null || exchangeRate != null || accruedInterest != null)
    return input;
  const quoted = quotedCurrency(foreignPrice.currency);
  const instrumentCurrency = instrument.ccyCode ?? instrument.listingCurrency;
  const currency = input.currency ?? accountCurrency;
  if (quoted === undefined || quoted.currency !== instrumentCurrency || quoted.currency === currency) return input;
  const stated = priceIn(instrument, toFixed(foreignPrice.price), quoted.isInHundredths);
  const units = toFixed(quantity);
  const worth = multiply(magnitude(units), stated) / unitsPerPrice[priceUnitOf(instrument)];
  const costs = (toFixedOrNull(input.fees) ?? 0n) + (toFixedOrNull(input.taxes) ?? 0n);
  const cash = magnitude(toFixed(amount));
  const paid = units > 0n ? cash - costs : cash + costs;
  if (worth <= 0n || paid <= 0n) return input;
  const rate = divide(paid, worth);
  if (rate === 0n) return input;
  const converted = (cost: Decimal | null | undefined): Decimal | null =>
    cost == null ? null : fromFixed(divide(toFixed(cost), rate));
  return {
    ...input,
    price: fromFixed(stated),
    exchangeRate: fromFixed(rate),
    fees: converted(input.fees),
    taxes: converted(input.taxes),
  };
}

/** As the instrument is quoted: a file may write pence where the instrument is in pounds, or the other way round. */
function priceIn(instrument: Instrument, price: Fixed, isInHundredths: boolean): Fixed {
  const isQuotedSo = priceUnitOf(instrument) === 'hundredths';
  if (isInHundredths === isQuotedSo) return price;
  return isInHundredths ? price / 100n : multiply(price, 100n * oneFixed);
}
