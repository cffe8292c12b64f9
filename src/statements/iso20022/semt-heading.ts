// The heading that semt.002 and semt.017 share: whose safekeeping account it is, and of which day or period.

import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { NamedAccount } from '../../model/custody/statement.ts';
import { FieldFault } from '../field-fault.ts';
import { readMoment } from '../stated-values.ts';
import type { XmlElement } from '../xml/xml-element.ts';
import { dateOf, safekeepingAccount } from './iso-values.ts';

export class SemtHeading {
  #general: XmlElement | undefined;
  #account: XmlElement | undefined;
  #subAccount: XmlElement | undefined;
  #institution: string | undefined;

  /** Takes an element of the report or of a sub-account. */
  take(element: XmlElement, parent: string): void {
    if (element.name === 'StmtGnlDtls') this.#general = element;
    else if (element.name === 'AcctSvcr') this.#institution = institutionOf(element);
    else if (element.name === 'SfkpgAcct' && parent === 'SubAcctDtls') this.#subAccount = element;
    else if (element.name === 'SfkpgAcct') this.#account = element;
  }

  leaveSubAccount(): void {
    this.#subAccount = undefined;
  }

  /** A sub-account goes before the account. Throws if the file has one whose number cannot be read. */
  get account(): NamedAccount | undefined {
    const element = this.#subAccount ?? this.#account;
    const account = safekeepingAccount(element, this.#institution);
    if (element !== undefined && account === undefined) {
      const detail = 'The safekeeping account (SfkpgAcct) has no number, so that it is not certain whose it is.';
      throw new FieldFault({ line: element.line, field: 'SfkpgAcct/Id' }, detail);
    }
    return account;
  }

  get statementId(): string {
    return this.#general?.textAt('StmtId') ?? this.#general?.textAt('RptNb') ?? '';
  }

  /** Of the holdings, or the last day of the period. */
  get day(): CalendarDate {
    const element =
      this.#general?.child('StmtDtTm') ??
      this.#period?.child('ToDt') ??
      this.#period?.child('ToDtTm') ??
      this.#period?.find('DtTmRg', 'ToDtTm');
    const date = dateOf(element);
    if (date === undefined) {
      throw new FieldFault(
        { line: this.#general?.line ?? 1, field: 'StmtGnlDtls' },
        'The statement does not say of which day it is.',
      );
    }
    return date;
  }

  get statedAt(): string | undefined {
    return readMoment(this.#general?.textAt('StmtDtTm', 'DtTm') ?? this.#general?.textAt('CreDtTm') ?? '');
  }

  get #period(): XmlElement | undefined {
    const period = this.#general?.child('StmtPrd');
    return period?.child('FrDtToDt') ?? period?.child('FrDtTmToDtTm') ?? period;
  }
}

function institutionOf(element: XmlElement): string | undefined {
  const id = element.child('Id') ?? element;
  return id.textAt('AnyBIC') ?? id.textAt('BICOrBEI') ?? id.textAt('PrtryId', 'Id') ?? id.textAt('NmAndAdr', 'Nm');
}
