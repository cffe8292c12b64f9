// What an OFX statement says is held: positions of securities, and balances of cash.

import type { StatementBalance, StatementPosition } from '../../model/custody/statement.ts';
import { stated } from '../stated-fields.ts';
import { negated } from '../stated-values.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { currencyOf } from './ofx-bank.ts';
import type { OfxHeading } from './ofx-heading.ts';
import { typedSecurityOf } from './ofx-security.ts';
import { dateIn, numberIn, ofxFault, requiredDate, requiredNumber } from './ofx-values.ts';

/** `POSSTOCK` and the like. */
export function positionOf(element: XmlElement, heading: OfxHeading): StatementPosition {
  const held = element.child('INVPOS');
  if (held === undefined) throw ofxFault(element, 'INVPOS', 'INVPOS is missing.');
  const units = requiredNumber(held, 'UNITS');
  const isShort = held.textAt('POSTYPE')?.toUpperCase() === 'SHORT' && !units.startsWith('-');
  const priceDate = dateIn(held, 'DTPRICEASOF');
  const date = heading.day ?? priceDate;
  if (date === undefined) throw ofxFault(element, 'DTASOF', 'The statement does not say its day: DTASOF is missing.');
  const value = numberIn(held, 'MKTVAL');
  const { currency } = currencyOf(held, heading);
  return stated<StatementPosition>({
    item: 'position',
    place: { line: element.line, field: element.name },
    account: heading.account,
    statedAt: heading.statedAt,
    date,
    instrument: typedSecurityOf(held, element.name),
    quantity: isShort ? negated(units) : units,
    price: numberIn(held, 'UNITPRICE'),
    priceDate,
    currency,
    value,
    valueCurrency: value === undefined ? undefined : currency,
  });
}

/** `LEDGERBAL` of a bank or card account. */
export function ledgerBalance(element: XmlElement, heading: OfxHeading): StatementBalance {
  return balance(element, { name: 'BALAMT', date: requiredDate(element, 'DTASOF'), heading });
}

/** The cash of an investment account, `INVBAL`. Undefined if it does not say. */
export function investmentCash(element: XmlElement, heading: OfxHeading): StatementBalance | undefined {
  if (numberIn(element, 'AVAILCASH') === undefined) return undefined;
  if (heading.day === undefined)
    throw ofxFault(element, 'DTASOF', 'The statement does not say its day: DTASOF is missing.');
  return balance(element, { name: 'AVAILCASH', date: heading.day, heading });
}

interface BalanceSource {
  readonly name: string;
  readonly date: StatementBalance['date'];
  readonly heading: OfxHeading;
}

function balance(element: XmlElement, { name, date, heading }: BalanceSource): StatementBalance {
  const { currency } = heading;
  if (currency === undefined)
    throw ofxFault(element, 'CURDEF', 'The statement does not say its currency: CURDEF is missing.');
  return stated<StatementBalance>({
    item: 'balance',
    place: { line: element.line, field: element.name },
    account: heading.account,
    statedAt: heading.statedAt,
    moment: 'closing',
    date,
    amount: requiredNumber(element, name),
    currency,
    statement: heading.statement,
  });
}
