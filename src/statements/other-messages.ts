// Says of a file that is a message of banks, but none that books anything, what it is: people upload the wrong one of several files.

import { opensElement } from './xml-formats.ts';

/** A message by its name in ISO 20022 and by the element that only it has. */
interface OtherMessage {
  readonly name: string;
  readonly element: string;
  readonly title: string;
}

const messages: readonly OtherMessage[] = [
  ['camt.054', 'BkToCstmrDbtCdtNtfctn', 'notifications of single bookings'],
  ['camt.029', 'RsltnOfInvstgtn', 'the answer to an inquiry'],
  ['camt.055', 'CstmrPmtCxlReq', 'a request to cancel payments'],
  ['camt.056', 'FIToFIPmtCxlReq', 'a request between banks to cancel payments'],
  ['camt.060', 'AcctRptgReq', 'a request for a statement'],
  ['camt.086', 'BkSvcsBllgStmt', 'a bill of bank services'],
  ['pain.001', 'CstmrCdtTrfInitn', 'payment orders'],
  ['pain.002', 'CstmrPmtStsRpt', 'the status of payment orders'],
  ['pain.007', 'CstmrPmtRvsl', 'reversals of direct debits'],
  ['pain.008', 'CstmrDrctDbtInitn', 'direct debit orders'],
  ['pain.013', 'CdtrPmtActvtnReq', 'requests to pay'],
  ['pain.014', 'CdtrPmtActvtnReqStsRpt', 'the status of requests to pay'],
  ['pacs.002', 'FIToFIPmtStsRpt', 'the status of payments between banks'],
  ['pacs.003', 'FIToFICstmrDrctDbt', 'direct debits between banks'],
  ['pacs.004', 'PmtRtr', 'returns of payments between banks'],
  ['pacs.008', 'FIToFICstmrCdtTrf', 'payments between banks'],
  ['pacs.009', 'FICdtTrf', 'payments of banks'],
  ['semt.003', 'SctiesBalAcctgRpt', 'an accounting report of holdings'],
  ['semt.018', 'SctiesTxPdgRpt', 'pending transactions of a safekeeping account'],
  ['seev.031', 'CorpActnNtfctn', 'the notification of a corporate action'],
  ['seev.036', 'CorpActnMvmntConf', 'the confirmation of a corporate action'],
  ['sese.023', 'SctiesSttlmTxInstr', 'a settlement instruction'],
  ['sese.025', 'SctiesSttlmTxConf', 'the confirmation of a settlement'],
].map(([name = '', element = '', title = '']) => ({ name, element, title }));

const swiftTitles: ReadonlyMap<string, string> = new Map([
  ['101', 'payment orders'],
  ['103', 'a payment'],
  ['202', 'a payment of banks'],
  ['900', 'the confirmation of a debit'],
  ['910', 'the confirmation of a credit'],
  ['950', 'a statement between banks'],
  ['515', 'the confirmation of a trade'],
  ['545', 'the confirmation of a settlement'],
  ['547', 'the confirmation of a settlement'],
  ['564', 'the notification of a corporate action'],
  ['566', 'the confirmation of a corporate action'],
]);

const instead = new Map([
  [
    'camt.054',
    'Its bookings come again in the camt.053 of the day, often several of them as one entry, so that reading both would book them twice. Import the camt.053.',
  ],
]);
const generalInstead = 'Import the statement of the account, such as a camt.053 or an MT940.';

/** A sentence for whoever sent the file. Undefined if it begins like none of these messages. */
export function otherMessage(head: string): string | undefined {
  const name = isoName(head) ?? swiftName(head);
  if (name === undefined) return undefined;
  const { code, title } = name;
  const what =
    title === undefined ? `a message of the kind ${code}` : `${code.startsWith('MT') ? 'an' : 'a'} ${code}: ${title}`;
  return `The file is ${what}. It is no statement of what was booked. ${instead.get(code) ?? generalInstead}`;
}

interface MessageName {
  readonly code: string;
  readonly title: string | undefined;
}

function isoName(head: string): MessageName | undefined {
  const start = head.replace(/^\ufeff/, '').trimStart();
  if (!start.startsWith('<')) return undefined;
  const known = messages.find(({ element }) => opensElement(head, element));
  if (known !== undefined) return { code: known.name, title: known.title };
  const [, code] = /:xsd:\$?([a-z]{4}\.\d{3})\.\d{3}/.exec(head) ?? [];
  if (code === undefined) return undefined;
  return { code, title: messages.find(({ name }) => name === code)?.title };
}

function swiftName(head: string): MessageName | undefined {
  const [, type] = /^\s{0,20}\{1:[^{}]{1,40}\}\{2:[IO](\d{3})/.exec(head) ?? [];
  return type === undefined ? undefined : { code: `MT${type}`, title: swiftTitles.get(type) };
}
