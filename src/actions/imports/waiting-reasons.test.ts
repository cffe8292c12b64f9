// A row that cannot be booked says which account or instrument it needs, why it was not found, and what to do.

import { expect, test } from 'vitest';
import { Refusal } from '../../kit/refusal.ts';
import type { NamedInstrument, StatementEntry } from '../../model/custody/statement.ts';
import type { Named } from './named-records.ts';
import { waitsForInstrument, waitsForPlace, waitsForUnnamedInstrument } from './waiting-reasons.ts';

const ambiguous = { outcome: 'ambiguous' } as Named;
const notLinked = { outcome: 'not-linked' } as Named;
const atOther = { outcome: 'other-custodian' } as Named;
const severalAccounts = { outcome: 'several-accounts' } as Named;
const number = 'CH93 0076';

test.each<[Parameters<typeof waitsForPlace>, string, string]>([
  [
    ['account', undefined, null],
    'account-unnamed',
    'The file names no account. Import it with an account_id, or a depository_id with one account in the currency of the row.',
  ],
  [
    ['account', { number, currency: 'CHF' }, ambiguous],
    'account-ambiguous',
    'Several records may be the account "CH93 0076 CHF". Map the number to one of them and book again.',
  ],
  [
    ['account', { number: 'U-1' }, ambiguous, 'USD'],
    'account-ambiguous',
    'Several accounts may be "U-1", and not exactly one of them is in USD. Map the number with this currency to one of them and book again.',
  ],
  [
    ['account', { number, currency: 'CHF' }, notLinked],
    'account-not-linked',
    'The account "CH93 0076 CHF" exists, but it is not linked to the authority of this feed, so nothing is booked on it. Link it on the page of the authority, under “Accounts of this consent”. The row is booked as soon as it is linked.',
  ],
  [
    ['account', { number }, atOther],
    'account-at-other-custodian',
    'The account "CH93 0076" exists, but another custodian keeps it than the one that sent this row. If both are the same account, correct its custodian. If they are not, create another one on the page of the authority, under “Accounts of this consent”.',
  ],
  [
    ['account', { number: 'D-9' }, severalAccounts],
    'account-unnamed',
    '"D-9" is a depository without an account of its own: it settles through several accounts, or through none, and the row does not say which. Map the number to the account that is meant and book again.',
  ],
  [
    ['depository', { number }, null],
    'depository-unknown',
    'No depository of this client has the number "CH93 0076". Set it as an external identifier or map it, and book again.',
  ],
  [
    ['account', { number: 'x'.repeat(101) }, null],
    'account-unknown',
    `No account of this client has the number "${'x'.repeat(100)}". Set it as an external identifier or map it, and book again.`,
  ],
])('%j', (parts, code, detail) => {
  expect(waitsForPlace(...parts)).toMatchObject({ needs: 'account', code, detail });
});

const codes: NamedInstrument = {
  isin: 'US0378331005',
  cusip: '037833100',
  sedol: '2046251',
  custodianCode: 'A-1',
  ticker: 'AAPL',
  mic: 'XNAS',
  name: 'Apple',
};

test.each<[string, NamedInstrument, string]>([
  ['the ISIN', codes, 'US0378331005 AAPL XNAS Apple'],
  ['the CUSIP', { ...codes, isin: undefined } as never, '037833100 AAPL XNAS Apple'],
  ['the SEDOL', { sedol: '2046251', custodianCode: 'A-1' }, '2046251'],
  ['its code', { custodianCode: 'A-1', name: 'Apple' }, 'A-1 Apple'],
  ['its name', { name: 'x'.repeat(151) }, 'x'.repeat(150)],
])('an instrument is named by %s', (_what, named, words) => {
  expect(waitsForInstrument(named, null, undefined)).toMatchObject({
    needs: 'instrument',
    code: 'instrument-unknown',
    detail: `No instrument is "${words}". Create or map it, or book with create_instruments=true.`,
  });
  expect(waitsForInstrument(named, ambiguous, undefined)).toMatchObject({
    code: 'instrument-ambiguous',
    detail: `Several instruments may be "${words}". Map the identifier to one of them and book again.`,
  });
});

test('an instrument that could not be created says why', () => {
  const refusal = new Refusal('invalid-document', 'The name is too long.');
  expect(waitsForInstrument({ name: 'Apple' }, null, refusal).detail).toMatch(
    /create_instruments=true\. It could not be created: .*The name is too long\.$/,
  );
});

test('without any instrument, a person books the row, with its reference if it has one', () => {
  const entry = { kind: 'coupon', reference: 'R'.repeat(101) } as unknown as StatementEntry;
  const begin =
    'The file does not say which instrument the coupon is about, and its cash is neither income nor a flow. Book it by hand';
  const end = ', or import a file that names the instrument.';
  expect(waitsForUnnamedInstrument(entry)).toMatchObject({
    needs: 'instrument',
    code: 'instrument-unnamed',
    detail: `${begin} with source custodian and external_reference "${'R'.repeat(100)}"${end}`,
  });
  expect(waitsForUnnamedInstrument({ kind: 'coupon' } as unknown as StatementEntry)).toMatchObject({
    detail: `${begin}${end}`,
  });
});
