// Tests what is said of words that name no record, several, or another one than the id beside them.

import { expect, test } from 'vitest';
import type { Id } from '../../../kit/id.ts';
import { Refusal } from '../../../kit/refusal.ts';
import type { NamedInstrument } from '../../../model/custody/statement.ts';
import { idOrRefusal, sentInstrument, sentNumber } from './name-refusal.ts';
import { missing, resolutionOf } from './resolution.ts';

const every: NamedInstrument = {
  isin: 'CH0012005267',
  cusip: '037833100',
  sedol: '7103065',
  ticker: 'NOVN',
  mic: 'XSWX',
  custodianCode: '1222171',
  name: 'Novartis',
};

test.each<[string, NamedInstrument, string, string]>([
  ['every code', every, 'isin', 'isin CH0012005267'],
  ['no ISIN', { ...every, isin: undefined } as never, 'cusip', 'cusip 037833100'],
  ['a SEDOL and a ticker', { sedol: '7103065', ticker: 'NOVN' }, 'sedol', 'sedol 7103065'],
  ['a ticker and its market', { ticker: 'NOVN', mic: 'XSWX' }, 'ticker', 'ticker NOVN on XSWX'],
  ['a ticker', { ticker: 'NOVN', custodianCode: '1' }, 'ticker', 'ticker NOVN'],
  ['a code and a market', { custodianCode: '1', mic: 'XSWX' }, 'custodian_code', 'custodian_code 1'],
  ['a name alone', { name: 'Novartis' }, 'isin', 'an empty name'],
])('of an instrument with %s, the first word that counts is repeated', (_what, named, member, text) => {
  expect(sentInstrument(named)).toEqual({ kind: 'instrument', member, text });
});

test.each([
  [{ number: 'A-1' }, 'number A-1'],
  [{ number: 'A-1', currency: 'CHF' }, 'number A-1 in CHF'],
])('of %j the number is repeated, with its currency', (named, text) => {
  expect(sentNumber('depository', named, 'depository_number')).toEqual({
    kind: 'depository',
    member: 'depository_number',
    text,
  });
});

const sent = sentNumber('account', { number: 'A-1' }, 'account_number');
const ids = Array.from({ length: 11 }, (_, index) => `a${index}` as Id);
const resolved = (count: number) => resolutionOf(ids.slice(0, count).map((id) => ({ id })));

test.each([
  ['one record, without an id', 1, undefined, 'a0'],
  ['one record, with null as its id', 1, null, 'a0'],
  ['one record, with its id', 1, 'a0', 'a0'],
  ['several, with the id of one', 3, 'a2', 'a2'],
])('words that mean %s', (_what, count, sentId, id) => {
  expect(idOrRefusal(resolved(count), sent, sentId as Id | undefined)).toBe(id);
});

const listed = ids.slice(0, 10).join(', ');

test.each([
  ['none', 0, 'a0', 'account-not-found', 'account-not-found', 'There is no account with the number A-1.'],
  [
    'another record than the id',
    1,
    'a1',
    'invalid-document',
    'invalid-attribute',
    'The number A-1 means the account a0, and account_id names another one. Send only one of them, or make them agree.',
  ],
  [
    'several, none of which is that of the id',
    2,
    'a2',
    'ambiguous-name',
    'ambiguous-name',
    'The number A-1 may mean any of these: a0, a1. Send account_id, or create an identifier mapping.',
  ],
  [
    'more than ten, of which ten are listed',
    11,
    undefined,
    'ambiguous-name',
    'ambiguous-name',
    `The number A-1 may mean any of these: ${listed}. Send account_id, or create an identifier mapping.`,
  ],
])('words that mean %s are refused', (_what, count, sentId, code, faultCode, detail) => {
  const refusal = idOrRefusal(resolved(count), sent, sentId as Id | undefined) as Refusal;
  expect([refusal.code, refusal.message]).toEqual([code, detail]);
  expect(refusal.faults).toEqual([{ code: faultCode, detail, field: 'account_number' }]);
});

test('words mean one record, several or none', () => {
  expect(resolved(0)).toBe(missing);
  expect(resolved(1)).toEqual({ outcome: 'found', id: 'a0' });
  expect(resolved(2)).toEqual({ outcome: 'ambiguous', candidates: ['a0', 'a1'] });
});
