// What counts for everything in one statement of an OFX file: the account, its currency, and which transactions correct others.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { NamedAccount } from '../../model/custody/statement.ts';
import { stated } from '../stated-fields.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import type { FinancialIds } from './financial-ids.ts';

export interface OfxHeading {
  readonly account: NamedAccount | undefined;
  readonly currency: string | undefined;
  /** Of positions and balances. */
  readonly day: CalendarDate | undefined;
  readonly statedAt: string | undefined;
  readonly statement: string;
  readonly ids: FinancialIds;
}

/** `BANKACCTFROM`, `CCACCTFROM`, `INVACCTFROM`. */
export function ofxAccount(element: XmlElement): NamedAccount | undefined {
  const number = element.textAt('ACCTID');
  if (number === undefined) return undefined;
  return stated<NamedAccount>({ number, institution: element.textAt('BANKID') ?? element.textAt('BROKERID') });
}
