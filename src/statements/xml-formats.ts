// The formats that are XML, each recognised by the name of an element that only it has.

import { EcbRatesReader } from './ecb-rates.ts';
import { flexFormat } from './flex/flex-format.ts';
import { CamtReader } from './iso20022/camt-reader.ts';
import { SemtReader } from './iso20022/semt-reader.ts';
import type { StatementFormat } from './statement-format.ts';

export const xmlFormats: readonly StatementFormat[] = [
  {
    name: 'camt.053',
    title: 'ISO 20022 camt.053: statement of a cash account',
    recognises: (head) => opensElement(head, 'BkToCstmrStmt'),
    open: (emit) => new CamtReader(emit),
  },
  {
    name: 'camt.052',
    title: 'ISO 20022 camt.052: report of a cash account within the day',
    recognises: (head) => opensElement(head, 'BkToCstmrAcctRpt'),
    open: (emit) => new CamtReader(emit),
  },
  {
    name: 'semt.002',
    title: 'ISO 20022 semt.002: holdings of a safekeeping account',
    recognises: (head) => opensElement(head, 'SctiesBalCtdyRpt'),
    open: (emit) => new SemtReader(emit),
  },
  {
    name: 'semt.017',
    title: 'ISO 20022 semt.017: transactions of a safekeeping account',
    recognises: (head) => opensElement(head, 'SctiesTxPstngRpt'),
    open: (emit) => new SemtReader(emit),
  },
  flexFormat((head) => opensElement(head, 'FlexQueryResponse')),
  {
    name: 'ecb-rates',
    title: 'European Central Bank: euro reference rates, XML',
    recognises: (head) => opensElement(head, 'Envelope') && opensElement(head, 'Cube'),
    open: (emit) => new EcbRatesReader(emit),
  },
];

/** Whether an element of this name opens in the text, with any prefix. */
export function opensElement(head: string, name: string): boolean {
  return new RegExp(`<(?:[\\w.-]+:)?${name}[\\s/>]`).test(head);
}

/** What may stand before a document type: white space, instructions and comments, one at a time. */
const prologPart = /\s+|<\?[^>]*\?>|<!--[\s\S]*?-->/y;

/** The line of a document type that the text begins with, if it has one. */
export function documentTypeLine(head: string): number | undefined {
  let end = 0;
  for (prologPart.lastIndex = 0; prologPart.test(head);) end = prologPart.lastIndex;
  return /^<!DOCTYPE/i.test(head.slice(end, end + 9)) ? head.slice(0, end).split('\n').length : undefined;
}
