// The words of a camt entry for people: who was on the other side, and what it was for.

import type { Decimal } from '../../kit/decimal.ts';
import { cutText } from '../short-text.ts';
import type { XmlElement } from '../xml/xml-element.ts';

const lengthMax = 2_000;

export function commentOf(entry: XmlElement, detail: XmlElement | undefined, amount: Decimal): string | undefined {
  const remittance = detail?.child('RmtInf');
  const parts = [
    ...(detail === undefined ? [] : counterparty(detail, amount)),
    ...(remittance?.all('Ustrd').map(({ text }) => text) ?? []),
    ...(remittance?.all('Strd').flatMap((strd) => strd.textAt('CdtrRefInf', 'Ref') ?? []) ?? []),
    detail?.textAt('AddtlTxInf') ?? '',
    entry.textAt('AddtlNtryInf') ?? '',
  ];
  const text = cutText([...new Set(parts.filter((part) => part !== ''))].join('\n'), lengthMax);
  return text === '' ? undefined : text;
}

/** Until version 07 the party itself, since version 08 in `Pty`. */
function counterparty(detail: XmlElement, amount: Decimal): string[] {
  const role = amount.startsWith('-') ? 'Cdtr' : 'Dbtr';
  const parties = detail.child('RltdPties');
  const party = parties?.child(role);
  const account = parties?.find(`${role}Acct`, 'Id');
  return [
    party?.textAt('Nm') ?? party?.textAt('Pty', 'Nm') ?? '',
    account?.textAt('IBAN') ?? account?.textAt('Othr', 'Id') ?? '',
  ];
}
