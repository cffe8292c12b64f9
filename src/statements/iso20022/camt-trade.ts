// What the details of a camt entry say about a trade or an income: units, price, charges, taxes, the day of the trade.

import { isIncome, tradesUnits } from '../../model/ledger/kind-traits.ts';
import { zeroDecimal, type Decimal } from '../../kit/decimal.ts';
import { fromFixed, toFixed } from '../../kit/fixed.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import type { TransactionKind } from '../../model/ledger/transaction-kind.ts';
import { negated, readExactMoment } from '../stated-values.ts';
import { stated } from '../stated-fields.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { decimalOf, dateOf, currencyOf, magnitudeOf, quantityOf } from './iso-values.ts';

interface Cash {
  readonly amount: Decimal;
  readonly currency: string;
}

export function camtTrade(kind: TransactionKind, detail: XmlElement, cash: Cash): Partial<StatementEntry> {
  if (!tradesUnits(kind)) {
    return isIncome(kind) ? stated<Partial<StatementEntry>>({ taxes: taxesOf(detail, cash) }) : {};
  }
  const tradeDate = dateOf(detail.find('RltdDts', 'TradDt'));
  const units = quantityOf(detail.child('RltdQties'));
  return stated<Partial<StatementEntry>>({
    ...(tradeDate && { date: tradeDate }),
    executedAt: readExactMoment(detail.textAt('RltdDts', 'TxDtTm') ?? ''),
    // What is paid for comes in, what pays goes out.
    quantity: units && (cash.amount.startsWith('-') ? units : negated(units)),
    price: priceOf(detail, cash),
    fees: chargesOf(detail.child('Chrgs'), cash),
    taxes: taxesOf(detail, cash),
  });
}

/** Only in the currency of the entry, where it fits the amount without a rate. */
function priceOf(detail: XmlElement, { currency }: Cash): Decimal | undefined {
  const price = detail.find('RltdPric', 'DealPric');
  if (price === undefined) return undefined;
  const amount = price.find('Val', 'Amt') ?? (price.attributes['Ccy'] === undefined ? undefined : price);
  if (amount !== undefined) return currencyOf(amount) === currency ? decimalOf(amount) : undefined;
  const rate = price.find('Val', 'Rate');
  return rate && decimalOf(rate);
}

/** The total, or the sum of the records: until version 03 the charge itself is the record. */
function chargesOf(charges: XmlElement | undefined, { currency }: Cash): Decimal | undefined {
  if (charges === undefined) return undefined;
  const total = charges.child('TtlChrgsAndTaxAmt');
  const amounts = total ? [total] : [charges, ...charges.all('Rcrd')].flatMap((record) => record.child('Amt') ?? []);
  if (amounts.length === 0 || amounts.some((amount) => currencyOf(amount) !== currency)) return undefined;
  return positive(fromFixed(amounts.reduce((sum, amount) => sum + toFixed(magnitudeOf(amount)), 0n)));
}

function taxesOf(detail: XmlElement, { currency }: Cash): Decimal | undefined {
  const total = detail.find('Tax', 'TtlTaxAmt');
  return total && currencyOf(total) === currency ? positive(magnitudeOf(total)) : undefined;
}

function positive(amount: Decimal): Decimal | undefined {
  return amount === zeroDecimal ? undefined : amount;
}
