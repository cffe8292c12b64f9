// What a trade of a Flex query means: securities against cash, or one currency against another. A commission that the trade itself
// cannot carry is a fee of its own.

import type { Decimal } from '../../kit/decimal.ts';
import { fromFixed, multiply, oneFixed, toFixed, toFixedOrNull } from '../../kit/fixed.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import { stated } from '../stated-fields.ts';
import { negated } from '../stated-values.ts';
import { requiredInstrument } from './flex-instrument.ts';
import type { FlexRow } from './flex-row.ts';

/** What settles by margin every day: its trades move no cash against units, as the ledger's do. */
const unsupported = new Set(['FUT', 'FOP', 'CFD', 'FXCFD', 'SWP', 'IND', 'CMDTY']);

export function flexTrade(row: FlexRow): StatementEntry[] {
  const category = row.text('assetCategory') ?? 'STK';
  if (unsupported.has(category)) {
    throw row.fault(
      'assetCategory',
      `Trades of the asset category ${category} cannot be booked: enter their results by hand.`,
    );
  }
  return category === 'CASH' ? currencyTrade(row) : securitiesTrade(row);
}

function identityOf(row: FlexRow): Partial<StatementEntry> {
  const side = row.text('buySell') ?? '';
  const original = row.text('origTradeID');
  const isCancelled =
    side.includes('Ca') || row.hasCode('Ca') || (row.text('transactionType') ?? '').endsWith('Cancel');
  return stated<Partial<StatementEntry>>({
    reference: row.text('tradeID', 'transactionID', 'ibExecID', 'ibOrderID'),
    cancels: !isCancelled
      ? undefined
      : original === undefined || original === '0'
        ? 'same-content'
        : { reference: original },
  });
}

function baseOf(row: FlexRow): Pick<StatementEntry, 'item' | 'place' | 'status' | 'date'> & Partial<StatementEntry> {
  return stated<Pick<StatementEntry, 'item' | 'place' | 'status' | 'date'> & Partial<StatementEntry>>({
    item: 'entry',
    place: row.place,
    account: row.account,
    statedAt: row.statement.statedAt,
    statement: row.statementName,
    status: 'booked',
    date: row.requiredDate('tradeDate', 'dateTime', 'reportDate'),
    settlementDate: row.date('settleDateTarget', 'settleDate'),
    ...identityOf(row),
    typeWord:
      [row.text('assetCategory'), row.text('transactionType'), row.text('buySell')].filter(Boolean).join('/') ||
      undefined,
  });
}

function securitiesTrade(row: FlexRow): StatementEntry[] {
  const base = baseOf(row);
  const currency = row.currency();
  const quantity = signedQuantity(row);
  const commission = row.amount('ibCommission', 'commission');
  const commissionCurrency = row.text('ibCommissionCurrency') ?? currency;
  const isSameCurrency = commissionCurrency === currency;
  const taxes = row.amount('taxes');
  const gross = grossCash(row, quantity);
  const sum = [gross, taxes, isSameCurrency ? commission : undefined].reduce<bigint>(
    (sum, part) => sum + (part ? toFixed(part) : 0n),
    0n,
  );
  const trade = stated<StatementEntry>({
    ...base,
    kind: 'trade',
    instrument: requiredInstrument(row, 'name'),
    quantity,
    price: isPerUnit(row) ? row.decimal('tradePrice', 'price') : undefined,
    // IB's own net cash counts; it is in the currency of the row if the commission is.
    amount: (isSameCurrency ? row.amount('netCash') : undefined) ?? fromFixed(sum),
    currency,
    fees: isSameCurrency && commission?.startsWith('-') ? negated(commission) : undefined,
    taxes: taxes?.startsWith('-') ? negated(taxes) : undefined,
    comment: row.text('description'),
  });
  return isSameCurrency || commission === undefined ? [trade] : [trade, commissionEntry(base, commission, row)];
}

/** A contract of several units: its price is that of one unit, so that it does not fit units × price. */
function isPerUnit(row: FlexRow): boolean {
  return (row.decimal('multiplier') ?? '1') === '1';
}

function currencyTrade(row: FlexRow): StatementEntry[] {
  const base = baseOf(row);
  const currency = row.currency();
  const [bought = '', sold = ''] = row.required('symbol').toUpperCase().split('.');
  if (!/^[A-Z]{3}$/.test(bought) || sold !== currency || bought === currency) {
    throw row.fault(
      'symbol',
      'The symbol of an exchange of currencies has the form EUR.USD, of which the second is the currency of the row.',
    );
  }
  const quantity = signedQuantity(row);
  const trade = stated<StatementEntry>({
    ...base,
    kind: 'fx',
    amount: quantity,
    currency: bought,
    counterAmount: grossCash(row, quantity),
    counterCurrency: currency,
    comment: row.text('description'),
  });
  const commission = row.amount('ibCommission', 'commission');
  return commission === undefined ? [trade] : [trade, commissionEntry(base, commission, row)];
}

function commissionEntry(base: ReturnType<typeof baseOf>, commission: Decimal, row: FlexRow): StatementEntry {
  const { reference, cancels, ...rest } = base;
  return stated<StatementEntry>({
    ...rest,
    kind: 'fee',
    reference: reference && `${reference}/commission`,
    cancels: typeof cancels === 'object' ? { reference: `${cancels.reference}/commission` } : cancels,
    amount: commission,
    currency: row.currency(row.text('ibCommissionCurrency') === undefined ? 'currency' : 'ibCommissionCurrency'),
    category: 'commission',
    comment: `Commission: ${row.text('description', 'symbol') ?? ''}`,
  });
}

/** Some queries write sales without a sign. A cancelled sale brings the units back. */
function signedQuantity(row: FlexRow): Decimal {
  const quantity = row.requiredDecimal('quantity');
  const side = row.text('buySell');
  const isPlainSale = side === 'SELL';
  return isPlainSale && !quantity.startsWith('-') ? negated(quantity) : quantity;
}

/** What the units cost or brought, without commission and taxes. */
function grossCash(row: FlexRow, quantity: Decimal): Decimal {
  const proceeds = row.amount('proceeds');
  if (proceeds !== undefined) return proceeds;
  const isOut = quantity.startsWith('-');
  const money = row.amount('tradeMoney');
  if (money !== undefined) return money.startsWith('-') === isOut ? negated(money) : money;
  const price = row.requiredDecimal('tradePrice', 'price');
  const percent = row.text('assetCategory') === 'BOND' || row.text('assetCategory') === 'BILL' ? 100n : 1n;
  const units = multiply(toFixed(quantity), toFixedOrNull(row.amount('multiplier')) ?? oneFixed);
  return negated(fromFixed(multiply(units, toFixed(price)) / percent));
}
