// What follows from the type of an entry, and what a mapping of its word changes.

import { expect, test } from 'vitest';
import type { CalendarDate } from '../kit/calendar-date.ts';
import type { Decimal } from '../kit/decimal.ts';
import type { CashSigns, StatementEntry } from '../model/custody/statement.ts';
import { transactionTypes } from '../model/ledger/transaction-kind.ts';
import { entryByWord, meaningOfType, retypedEntry, typedEntry } from './typed-entry.ts';

const day = '2024-01-31' as CalendarDate;
const base: StatementEntry = { item: 'entry', place: { line: 2 }, status: 'booked', kind: 'flow', date: day };

const fieldsOf = (fields: Readonly<Record<string, string | undefined>>): StatementEntry => ({
  ...base,
  ...fields,
  ...(fields['instrument'] === undefined ? {} : { instrument: { ticker: fields['instrument'] } }),
});

test('a mapping of a word gives the same entry as if the file had said the type, whatever the word was taken for', () => {
  const files = [
    { amount: '1005', quantity: '10', price: '100', fees: '5', instrument: 'FJRD' },
    { grossAmount: '1000', quantity: '10', price: '100', fees: '5', taxes: '2', instrument: 'FJRD' },
    { quantity: '10', price: '1.2', taxes: '3', instrument: 'FJRD' },
    { amount: '-7', counterAccount: undefined },
  ].map(fieldsOf);
  for (const signs of ['stated', 'by-type', 'trades-by-type'] satisfies CashSigns[])
    for (const fields of files)
      for (const word of ['Dividend', 'Buy', 'Custody fee', 'Transfer in', 'Nobody knows'])
        for (const type of transactionTypes) {
          const meaning = meaningOfType(type, null);
          const { typeWord, ...retyped } = retypedEntry(entryByWord({ fields, signs }, word), meaning);
          expect([typeWord, retyped]).toEqual([word, typedEntry({ fields, signs }, meaning)]);
        }
});

test.each([
  ['a dividend per share', 'Dividend', { quantity: '10', price: '0.24', taxes: '0.4' }, '2'],
  ['a fee in its own column', 'Fee', { quantity: '0', price: '0', fees: '4.5' }, '-4.5'],
  ['a deposit as units of money', 'Deposit', { quantity: '1', price: '500' }, '500'],
  ['interest before tax', 'Interest', { grossAmount: '10', taxes: '2.64' }, '7.36'],
  ['a withdrawal before its fee', 'Withdrawal', { grossAmount: '100', fees: '1' }, '-101'],
])('%s gives its amount', (_, word, figures, amount) => {
  const entry = entryByWord({ fields: fieldsOf(figures as never), signs: 'by-type' }, word);
  expect([entry.byWord?.isKnown, entry.amount as Decimal]).toEqual([true, amount]);
});

test('words that do not fit the figures of a row decide nothing', () => {
  const known = (word: string, figures: Readonly<Record<string, string>>, signs: CashSigns = 'by-type') =>
    entryByWord({ fields: fieldsOf(figures), signs }, word).byWord?.isKnown;
  expect(known('Buy', { amount: '5' })).toBe(false);
  expect(known('Merger', { amount: '5' })).toBe(false);
  expect(known('Transfer', { amount: '5' })).toBe(false);
  expect(known('Transfer', { amount: '5' }, 'stated')).toBe(true);
  expect(known('Transfer', { quantity: '1', price: '500' })).toBe(false);
  expect(known('Transfer', { quantity: '1', price: '-500' }, 'trades-by-type')).toBe(true);
  expect(known('Fee reversal', { amount: '5' })).toBe(false);
  expect(known('Fee reversal', { amount: '5' }, 'stated')).toBe(true);
  expect(known('Buy reversal', { amount: '5', quantity: '1', instrument: 'FJRD' }, 'stated')).toBe(false);
  expect(known('Transfer', { quantity: '5', instrument: 'FJRD' })).toBe(false);
  expect(known('Transfer in', { quantity: '5', instrument: 'FJRD' })).toBe(true);
});
