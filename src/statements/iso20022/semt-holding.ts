// What one holding (`BalForAcct`, `BalForSubAcct`) of semt.002 means: a position, or a balance if it is of cash.

import type { Decimal } from '../../kit/decimal.ts';
import type { NamedInstrument, StatementBalance, StatementPosition } from '../../model/custody/statement.ts';
import { FieldFault } from '../field-fault.ts';
import { stated } from '../stated-fields.ts';
import { negated } from '../stated-values.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import {
  currencyOf,
  dateOf,
  decimalOf,
  instrumentOf,
  isTrue,
  magnitudeOf,
  quantityOf,
  required,
} from './iso-values.ts';
import type { SemtHeading } from './semt-heading.ts';

export function semtHolding(element: XmlElement, heading: SemtHeading): StatementPosition | StatementBalance {
  const { account, statedAt, day, statementId } = heading;
  const instrument = instrumentWithTerms(element);
  const quantity = signedQuantity(required(element, 'AggtBal'));
  const base = { place: { line: element.line, field: element.name }, account, statedAt, date: day };
  const cash = cashCurrency(element);
  if (cash !== undefined) {
    const statement = [account?.number, cash, statementId].filter(Boolean).join('/');
    return stated<StatementBalance>({
      ...base,
      item: 'balance',
      moment: 'closing',
      amount: quantity,
      currency: cash,
      statement,
    });
  }
  const amounts = element.child('InstrmCcyAmts') ?? element.child('AcctBaseCcyAmts');
  const value = valueIn(amounts, 'HldgVal') ?? valueIn(element.child('AcctBaseCcyAmts'), 'HldgVal');
  return stated<StatementPosition>({
    ...base,
    item: 'position',
    instrument,
    quantity,
    ...priceOf(element),
    value: value?.amount,
    valueCurrency: value?.currency,
    cost: valueIn(amounts, 'BookVal')?.amount,
  });
}

/** Negative if it is short. */
export function signedQuantity(balance: XmlElement): Decimal {
  const quantity = quantityOf(balance);
  if (quantity === undefined)
    throw new FieldFault({ line: balance.line, field: balance.name }, 'The quantity is missing.');
  const isShort = balance.textAt('ShrtLngInd') === 'SHOR' || balance.textAt('Qty', 'ShrtLngInd') === 'SHOR';
  return isShort ? negated(quantity) : quantity;
}

/** Prices of the market go before indicative ones; an average is what the units cost. */
function priceOf(element: XmlElement): Pick<StatementPosition, 'price' | 'priceDate' | 'currency'> {
  const prices = element.all('PricDtls').filter((price) => price.textAt('Tp', 'Cd') !== 'AVER');
  const chosen = prices.find((price) => price.textAt('Tp', 'Cd') === 'MRKT') ?? prices[0];
  const amount = chosen?.find('Val', 'Amt');
  const value = amount ?? chosen?.find('Val', 'Rate') ?? chosen?.find('Val', 'PctgRate');
  return stated<Pick<StatementPosition, 'price' | 'priceDate' | 'currency'>>({
    price: value && decimalOf(value),
    priceDate: value && dateOf(chosen?.child('QtnDt')),
    currency: amount ? currencyOf(amount) : element.textAt('FinInstrmAttrbts', 'DnmtnCcy'),
  });
}

function valueIn(amounts: XmlElement | undefined, name: string): { amount: Decimal; currency: string } | undefined {
  const element = amounts?.child(name);
  const amount = element?.child('Amt');
  if (element === undefined || amount === undefined) return undefined;
  const sign = element.child('Sgn');
  const value = magnitudeOf(amount);
  return { amount: sign !== undefined && !isTrue(sign) ? negated(value) : value, currency: currencyOf(amount) };
}

function instrumentWithTerms(element: XmlElement): NamedInstrument {
  const instrument = instrumentOf(required(element, 'FinInstrmId'));
  if (instrument === undefined) {
    throw new FieldFault(
      { line: element.line, field: 'FinInstrmId' },
      'The instrument has neither an ISIN nor another identifier nor a name.',
    );
  }
  const terms = element.child('FinInstrmAttrbts');
  const couponRate = terms?.child('IntrstRate');
  return stated<NamedInstrument>({
    ...instrument,
    currency: terms?.textAt('DnmtnCcy'),
    type: typeOf(classificationOf(terms)),
    maturity: dateOf(terms?.child('MtrtyDt')),
    couponRate: couponRate && decimalOf(couponRate),
  });
}

function classificationOf(terms: XmlElement | undefined): string {
  const type = terms?.child('ClssfctnTp');
  return type?.textAt('ClssfctnFinInstrm') ?? type?.textAt('AltrnClssfctn', 'Id') ?? '';
}

/** By the classification of ISO 10962 (CFI): its first letter, and `EU` for the units of funds before 2015. */
function typeOf(code: string): NamedInstrument['type'] | undefined {
  if (!/^[A-Z]{6}$/.test(code)) return undefined;
  if (code.startsWith('EU') || code.startsWith('C')) return 'fund';
  const types: Readonly<Record<string, NamedInstrument['type']>> = { E: 'stock', D: 'bond', O: 'option', H: 'option' };
  return types[code[0]!] ?? 'other';
}

/** The types by which custodians mark an identifier as a currency. */
const currencyTypes = new Set(['CCY', 'CASH', 'CURR', 'CUR']);

/** The currency of a holding of cash: classified as a currency (`TC…`), or identified by one. */
function cashCurrency(element: XmlElement): string | undefined {
  const ids = element.child('FinInstrmId')?.all('OthrId') ?? [];
  const marked = ids.find((id) => currencyTypes.has(id.textAt('Tp', 'Prtry') ?? id.textAt('Tp', 'Cd') ?? ''));
  const isCurrency = classificationOf(element.child('FinInstrmAttrbts')).startsWith('TC');
  const code =
    marked?.textAt('Id') ??
    (isCurrency ? (element.textAt('FinInstrmAttrbts', 'DnmtnCcy') ?? ids[0]?.textAt('Id')) : undefined);
  return code !== undefined && /^[A-Z]{3}$/.test(code) ? code : undefined;
}
