// The values that all ISO 20022 messages write in the same way: amounts with a direction, dates, quantities, instruments.

import { defined } from '../../kit/assert.ts';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { NamedAccount, NamedInstrument } from '../../model/custody/statement.ts';
import { shortened } from '../short-text.ts';
import { FieldFault } from '../field-fault.ts';
import { stated } from '../stated-fields.ts';
import { negated, readDecimal, readIsoDate } from '../stated-values.ts';
import type { XmlElement, XmlPath } from '../xml/xml-element.ts';

/** The element with this path; its absence makes a problem of the record. */
export function required(element: XmlElement, ...path: XmlPath): XmlElement {
  const found = element.find(...path);
  if (found === undefined) {
    throw new FieldFault(
      { line: element.line, field: `${element.name}/${path.join('/')}` },
      `${path.join('/')} is missing.`,
    );
  }
  return found;
}

export function decimalOf(element: XmlElement): Decimal {
  const value = readDecimal(element.text);
  if (value === undefined) throw wrongField(element, `"${shortened(element.text)}" is not a decimal number.`);
  return value;
}

/** An amount that has its direction elsewhere. */
export function magnitudeOf(element: XmlElement): Decimal {
  const value = decimalOf(element);
  if (value.startsWith('-')) throw wrongField(element, 'An amount has no sign; CdtDbtInd says its direction.');
  return value;
}

export function currencyOf(element: XmlElement): string {
  const currency = element.attributes['Ccy']?.trim().toUpperCase();
  if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) {
    throw wrongField(element, 'The currency of the amount (Ccy) is missing or is not a code of three letters.');
  }
  return currency;
}

/** Positive for a credit. */
export function signedAmount(amount: XmlElement, direction: XmlElement): Decimal {
  const value = magnitudeOf(amount);
  if (direction.text === 'CRDT') return value;
  if (direction.text === 'DBIT') return negated(value);
  throw wrongField(direction, `"${shortened(direction.text)}" is neither CRDT nor DBIT.`);
}

/** A date as `Dt`, `DtTm`, `Dt/Dt`, `Dt/DtTm` or as plain text. Undefined if the element is missing. */
export function dateOf(element: XmlElement | undefined): CalendarDate | undefined {
  if (element === undefined) return undefined;
  let innermost = element;
  for (let inner: XmlElement | undefined = innermost; inner; inner = inner.child('Dt') ?? inner.child('DtTm'))
    innermost = inner;
  const date = readIsoDate(innermost.text);
  if (date === undefined) throw wrongField(innermost, `"${shortened(innermost.text)}" is not a date.`);
  return date;
}

export function requiredDate(element: XmlElement, name: string): CalendarDate {
  const date = dateOf(required(element, name));
  return defined(date, 'a date that is there is read or faulted');
}

/** Units, or the nominal of a bond: `Unit`, `FaceAmt`, `AmtsdVal` or `DgtlTknUnit`, at any depth of `Qty`. */
export function quantityOf(element: XmlElement | undefined): Decimal | undefined {
  if (element === undefined) return undefined;
  let innermost = element;
  for (let inner = innermost.child('Qty'); inner; inner = inner.child('Qty')) innermost = inner;
  const value = ['Unit', 'FaceAmt', 'DgtlTknUnit', 'AmtsdVal', 'CurFaceAmt'].flatMap(
    (name) => innermost.child(name) ?? [],
  )[0];
  if (value !== undefined) return decimalOf(value);
  if (innermost.children.length === 0 && innermost.text !== '') return decimalOf(innermost);
  throw wrongField(element, 'The quantity has neither Unit, FaceAmt nor AmtsdVal.');
}

export function isTrue(element: XmlElement | undefined): boolean {
  return element?.text === 'true' || element?.text === '1';
}

/** A cash account: `Acct` of a statement. Undefined if it names none. */
export function cashAccount(element: XmlElement | undefined): NamedAccount | undefined {
  const id = element?.child('Id');
  const number =
    id?.textAt('IBAN') ??
    id?.textAt('Othr', 'Id') ??
    id?.textAt('PrtryAcct', 'Id') ??
    id?.textAt('BBAN') ??
    (id?.text || undefined);
  if (element === undefined || number === undefined) return undefined;
  const servicer = element.find('Svcr', 'FinInstnId');
  const institution =
    servicer?.textAt('BICFI') ??
    servicer?.textAt('BIC') ??
    servicer?.textAt('ClrSysMmbId', 'MmbId') ??
    servicer?.textAt('Nm');
  return stated<NamedAccount>({ number, currency: element.textAt('Ccy'), institution });
}

/** A safekeeping account: `SfkpgAcct`. Undefined if it names none. */
export function safekeepingAccount(element: XmlElement | undefined, institution?: string): NamedAccount | undefined {
  const number = element?.textAt('Id') ?? element?.textAt('Id', 'Othr', 'Id');
  return number === undefined ? undefined : stated<NamedAccount>({ number, institution });
}

/** The kinds of identifier that have a place of their own, by the codes of ISO 20022 and of older messages. */
const identifierPlaces: ReadonlyMap<string, string> = new Map(
  Object.entries({
    CUSP: 'cusip',
    US: 'cusip',
    SEDL: 'sedol',
    GB: 'sedol',
    TIKR: 'ticker',
    TS: 'ticker',
    RICC: 'ticker',
  }),
);

/** `FinInstrmId`: an ISIN, other identifiers with their types, a description. Undefined if it says nothing. */
export function instrumentOf(element: XmlElement | undefined): NamedInstrument | undefined {
  if (element === undefined) return undefined;
  const codes = new Map<string, string>();
  for (const other of [...element.all('OthrId'), ...element.all('Prtry')]) {
    const id = other.textAt('Id') ?? (other.text || undefined);
    const type = other.textAt('Tp', 'Cd') ?? other.textAt('Tp', 'Prtry') ?? '';
    const place = identifierPlaces.get(type) ?? 'custodianCode';
    if (id !== undefined && !codes.has(place)) codes.set(place, id);
  }
  const instrument = stated<NamedInstrument>({
    isin: (element.textAt('ISIN') ?? element.textAt('Id', 'ISIN'))?.toUpperCase(),
    cusip: codes.get('cusip'),
    sedol: codes.get('sedol'),
    ticker: codes.get('ticker'),
    custodianCode: codes.get('custodianCode'),
    name: element.textAt('Desc'),
  });
  return Object.keys(instrument).length === 0 ? undefined : instrument;
}

function wrongField(element: XmlElement, detail: string): FieldFault {
  return new FieldFault({ line: element.line, field: element.name }, detail);
}
