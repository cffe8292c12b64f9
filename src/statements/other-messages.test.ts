// Tests that a message which books nothing is called by its name.

import { expect, test } from 'vitest';
import { otherMessage } from './other-messages.ts';

const document = (element: string, namespace = ''): string =>
  `<?xml version="1.0"?>\n<Document${namespace && ` xmlns="${namespace}"`}><${element}><GrpHdr/></${element}></Document>`;

test.each([
  [document('CstmrCdtTrfInitn'), 'a pain.001: payment orders'],
  [document('CstmrPmtStsRpt'), 'a pain.002: the status of payment orders'],
  [document('CstmrPmtCxlReq'), 'a camt.055: a request to cancel payments'],
  [document('CdtrPmtActvtnReqStsRpt'), 'a pain.014: the status of requests to pay'],
  ['<n:Document><n:CstmrDrctDbtInitn/></n:Document>', 'a pain.008: direct debit orders'],
  [document('Other', 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09'), 'a pain.001: payment orders'],
  [document('Other', 'urn:iso:std:iso:20022:tech:xsd:auth.018.001.02'), 'a message of the kind auth.018'],
  ['{1:F01BANKCHZZA0000000000}{2:I103BANKDEFFXXXXN}{4:\r\n', 'an MT103: a payment'],
])('%s is named', (head, words) => {
  expect(otherMessage(head)).toContain(`The file is ${words}. It is no statement of what was booked.`);
});

test('a camt.054 says that its bookings come with the camt.053', () => {
  expect(otherMessage(document('BkToCstmrDbtCdtNtfctn'))).toBe(
    'The file is a camt.054: notifications of single bookings. It is no statement of what was booked. Its bookings come again in the camt.053 of the day, often several of them as one entry, so that reading both would book them twice. Import the camt.053.',
  );
});

test.each(['Date,Text\n2026-01-01,CstmrCdtTrfInitn', '<html><p>CstmrCdtTrfInitn</p></html>', '', ':20:X\n:25:Y'])(
  '%o is none of these messages',
  (head) => expect(otherMessage(head)).toBeUndefined(),
);
