// Tests how the words of a statement are read into what is booked: texts, moments and signs, and which faults an entry is refused for.

import { expect, test } from 'vitest';
import type { CalendarDate } from '../../kit/calendar-date.ts';
import type { Decimal } from '../../kit/decimal.ts';
import type { Id } from '../../kit/id.ts';
import { Refusal } from '../../kit/refusal.ts';
import type { StatementEntry } from '../../model/custody/statement.ts';
import { cleanText, momentOf, negated, refusalCode, refusalDetail } from './entry-input.ts';
import { prepareEntry } from './prepared-entry.ts';

test.each([
  ['nothing', undefined, 10, null],
  ['spaces', '   ', 10, null],
  ['text of the greatest length', 'abcde', 5, 'abcde'],
  ['text that is longer', 'abcdef', 5, 'abcde'],
  ['a cut that ends with a space', 'abcd ef', 5, 'abcd'],
  ['spaces around it', ' ab ', 10, 'ab'],
  ['control characters', 'a\u0000\u2028\tb', 10, 'a b'],
  ['nothing but control characters', '\u0000\u0007', 10, null],
  ['characters of two halves', '\u{1F4B0}\u{1F4B0}\u{1F4B0}', 2, '\u{1F4B0}\u{1F4B0}'],
])('a text with %s is kept as far as it can be shown', (_what, text, lengthMax, clean) => {
  expect(cleanText(text, lengthMax)).toBe(clean);
});

const midnight = Date.UTC(2026, 2, 2);

test.each([
  ['nothing', undefined, null],
  ['words', 'yesterday', null],
  ['a day that does not exist', '2026-02-30', null],
  ['a time that does not exist', '2026-03-02T24:00:00', null],
  ['a day', '2026-03-02', midnight],
  ['a time without an offset', '2026-03-02 08:00:00', midnight + 8 * 3_600_000],
  ['a time with an offset', '2026-03-02T08:00:00+01:00', midnight + 7 * 3_600_000],
  ['the same again', '2026-03-02T08:00:00+01:00', midnight + 7 * 3_600_000],
])('when a statement was made: %s', (_what, text, moment) => {
  expect(momentOf(text)).toBe(moment);
});

test.each([
  ['5', '-5'],
  ['-5', '5'],
  ['0', '0'],
])('the opposite of %s is %s', (amount, opposite) => {
  expect(negated(amount as Decimal)).toBe(opposite);
});

const records = {
  account: 'a1' as Id,
  depository: 'd1' as Id,
  instrument: 'i1' as Id,
  targetInstrument: null,
  counterAccount: null,
};

function refusalOf(parts: object): Refusal {
  const date = '2026-03-02' as CalendarDate;
  const entry = { item: 'entry', place: { line: 1 }, status: 'booked', currency: 'CHF', date, ...parts };
  const { input, digest } = prepareEntry(entry as StatementEntry, records, 1);
  expect(digest).toBe('');
  if (input instanceof Refusal) return input;
  throw new Error(`Not refused: ${JSON.stringify(input)}`);
}

test.each([
  ['lacks what its type requires', { kind: 'trade', quantity: '1' }, ['missing-attribute amount amount is missing.']],
  [
    'lacks several things',
    { kind: 'trade' },
    ['missing-attribute quantity quantity is missing.', 'missing-attribute amount amount is missing.'],
  ],
  [
    'says something of the wrong sign',
    { kind: 'corporate-action', action: 'return-of-capital', amount: '-3', instrument: {} },
    ['invalid-attribute amount amount must be positive, since cash comes in: expected 3, got -3.'],
  ],
])('an entry is refused that %s', (_what, parts, faults) => {
  const refusal = refusalOf(parts);
  expect(refusal.faults.map(({ code, field, detail }) => `${code} ${field} ${detail}`)).toEqual(faults);
  expect(refusal.code).toBe('invalid-document');
});

test.each([
  ['an exchange within an account', 'fx', 'a1', {}],
  ['an exchange with another account', 'fx', 'a2', { counterAccount: 'a2' }],
  ['a payment from another account', 'flow', 'a2', {}],
])('the other account of %s', (_what, kind, counterAccount, expected) => {
  const date = '2026-03-02' as CalendarDate;
  const counter = kind === 'fx' ? { counterAmount: '-5', counterCurrency: 'EUR' } : {};
  const entry = {
    item: 'entry',
    place: { line: 1 },
    status: 'booked',
    currency: 'CHF',
    date,
    kind,
    amount: '5',
    ...counter,
  };
  const { input } = prepareEntry(entry as StatementEntry, { ...records, counterAccount: counterAccount as Id }, 1);
  const { counterAccount: found } = input as { counterAccount?: Id };
  expect(found === undefined ? {} : { counterAccount: found }).toEqual(expected);
});

test('what a statement says of an entry is kept up to the length that a transaction may have', () => {
  const prepared = (category: string, comment: string): unknown => {
    const place = { line: 1 };
    const entry = {
      item: 'entry',
      place,
      status: 'booked',
      currency: 'CHF',
      date: '2026-03-02',
      kind: 'fee',
      amount: '-5',
    };
    return prepareEntry({ ...entry, category, comment } as StatementEntry, records, 1).input;
  };
  expect(prepared('c'.repeat(100), 'd'.repeat(2_000))).toMatchObject({
    category: 'c'.repeat(100),
    comment: 'd'.repeat(2_000),
  });
  expect(prepared('c'.repeat(101), 'd'.repeat(2_001))).toMatchObject({
    category: 'c'.repeat(100),
    comment: 'd'.repeat(2_000),
  });
});

test('a row says all reasons of a refusal once, in at most a thousand characters, and the code of the first', () => {
  const fault = (code: string, detail: string) => ({ code, detail });
  const both = new Refusal('invalid-document', 'The request has 3 faults.', {
    faults: [fault('first', 'One.'), fault('second', 'Two.'), fault('third', 'One.')],
  });
  expect([refusalCode(both), refusalDetail(both)]).toEqual(['first', 'One. Two.']);
  const bare = new Refusal('outside-reach', 'x'.repeat(1_001));
  expect([refusalCode(bare), refusalDetail(bare)]).toEqual(['outside-reach', 'x'.repeat(1_000)]);
});

test('units of an instrument that come or go are in kind, whatever value stands beside them; cash alone is cash', () => {
  const date = '2026-03-02' as CalendarDate;
  const inputOf = (parts: object, instrument: Id | null) => {
    const entry = {
      item: 'entry',
      place: { line: 1 },
      status: 'booked',
      kind: 'flow',
      currency: 'CHF',
      date,
      ...parts,
    };
    return prepareEntry(entry as StatementEntry, { ...records, instrument }, 1).input;
  };
  for (const amount of ['0', '1000'])
    expect(inputOf({ quantity: '10', amount }, records.instrument)).toMatchObject({ quantity: '10', instrument: 'i1' });
  expect(inputOf({ quantity: '10', amount: '1000' }, records.instrument)).not.toHaveProperty('amount');
  expect(inputOf({ quantity: '1', amount: '1000' }, null)).toMatchObject({ amount: '1000' });
});

test('a trade without an amount is booked by its units and price; without a price either, its amount is missing', () => {
  expect(refusalOf({ kind: 'trade', quantity: '10' }).faults).toMatchObject([{ field: 'amount' }]);
  const date = '2026-03-02' as CalendarDate;
  const entry = {
    item: 'entry',
    place: { line: 1 },
    status: 'booked',
    kind: 'trade',
    date,
    quantity: '10',
    price: '5',
  };
  expect(prepareEntry(entry as StatementEntry, records, 1).input).toMatchObject({ quantity: '10', price: '5' });
});
