// Which instrument `SECID` means, and what the list of securities (`SECLIST`) says about it.

import type { NamedInstrument, StatedInstrument } from '../../model/custody/statement.ts';
import { quotedCurrency } from '../../model/instrument/quoted-currency.ts';
import { optionSymbol, type OptionTerms } from '../option-symbol.ts';
import { stated } from '../stated-fields.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import type { OfxHeading } from './ofx-heading.ts';
import { currencyCodeIn, dateIn, numberIn, ofxFault, readOfxDate, readOfxNumber } from './ofx-values.ts';

type Identifier = 'isin' | 'cusip' | 'sedol' | 'ticker' | 'custodianCode';

const identifiers: ReadonlyMap<string, Identifier> = new Map([
  ['ISIN', 'isin'],
  ['CUSIP', 'cusip'],
  ['SEDOL', 'sedol'],
  ['TICKER', 'ticker'],
]);

/** The types that the ends of names say: `BUYSTOCK`, `SELLMF`, `POSDEBT`. */
const typesByEnding: readonly (readonly [ending: string, type: NonNullable<NamedInstrument['type']>])[] = [
  ['STOCK', 'stock'],
  ['MF', 'fund'],
  ['DEBT', 'bond'],
  ['OPT', 'option'],
];

/** `SECID` of a transaction or position, with the type that its name says. */
export function typedSecurityOf(element: XmlElement, name: string): NamedInstrument {
  const type = typesByEnding.find(([ending]) => name.endsWith(ending))?.[1];
  const security = securityOf(element);
  return type === undefined ? security : { ...security, type };
}

export function securityOf(element: XmlElement): NamedInstrument {
  const id = element.child('SECID');
  const unique = id?.textAt('UNIQUEID');
  if (id === undefined || unique === undefined)
    throw ofxFault(element, 'SECID', 'The security is not named: SECID with UNIQUEID is missing.');
  const type = id.textAt('UNIQUEIDTYPE')?.toUpperCase() ?? '';
  return { [identifiers.get(type) ?? 'custodianCode']: unique };
}

/** The elements of the list, and the types of their securities. */
export const securityInfos: ReadonlyMap<string, NonNullable<NamedInstrument['type']>> = new Map([
  ['STOCKINFO', 'stock'],
  ['MFINFO', 'fund'],
  ['DEBTINFO', 'bond'],
  ['OPTINFO', 'option'],
  ['OTHERINFO', 'other'],
]);

/** Prices may be in hundredths of a currency, such as pence. */
function quoteCurrencyIn(element: XmlElement): string | undefined {
  const text = element.textAt('CURSYM');
  return quotedCurrency(text)?.isInHundredths === true ? text : currencyCodeIn(element, 'CURSYM');
}

/** What an option is on is named apart; its terms are those of `OPTINFO`. */
function optionTerms(element: XmlElement): OptionTerms | undefined {
  const expiry = readOfxDate(element.textAt('DTEXPIRE') ?? '');
  const strike = readOfxNumber(element.textAt('STRIKEPRICE') ?? '');
  const right = optionRights.get(element.textAt('OPTTYPE')?.toUpperCase() ?? '');
  return expiry === undefined || strike === undefined || right === undefined ? undefined : { expiry, strike, right };
}

const optionRights: ReadonlyMap<string, OptionTerms['right']> = new Map([
  ['CALL', 'C'],
  ['PUT', 'P'],
]);

export function statedSecurity(element: XmlElement, { statedAt }: Pick<OfxHeading, 'statedAt'>): StatedInstrument {
  const info = element.child('SECINFO');
  if (info === undefined) throw ofxFault(element, 'SECINFO', 'SECINFO is missing.');
  const currency = info.child('CURRENCY');
  const type = securityInfos.get(element.name);
  const ticker = info.textAt('TICKER');
  const instrument = stated<NamedInstrument>({
    ticker: ticker !== undefined && type === 'option' ? optionSymbol(ticker, { terms: optionTerms(element) }) : ticker,
    ...securityOf(info),
    name: info.textAt('SECNAME'),
    type,
    currency: currency && quoteCurrencyIn(currency),
    maturity: dateIn(element, 'DTMAT'),
    couponRate: numberIn(element, 'COUPONRT'),
  });
  return stated<StatedInstrument>({
    item: 'instrument',
    place: { line: element.line, field: element.name },
    statedAt,
    instrument,
  });
}
