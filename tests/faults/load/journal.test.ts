// The journal notices every way in which a ledger can differ from what was acknowledged.

import { describe, expect, test } from 'vitest';
import { fromCents, Journal, toCents, type Booking, type StatedTransaction } from './journal.ts';

const booking = (cents: number, reference?: string): Booking => ({ account: 'a', cents, units: 0, reference });
const stated = (cents: number, more: Partial<StatedTransaction> = {}): StatedTransaction => ({
  id: `t${cents}`,
  account: 'a',
  cents,
  reference: undefined,
  ...more,
});

function journalOf(outcomes: readonly (readonly [Booking, 'sent' | 'acknowledged' | 'refused'])[]): Journal {
  const journal = new Journal();
  for (const [one, outcome] of outcomes) {
    journal.send([one]);
    if (outcome !== 'sent') journal.conclude([one], outcome);
  }
  return journal;
}

const nothing = { lost: [], doubled: [], changed: [], unexpected: [] };

describe('compared with the ledger', () => {
  const journal = journalOf([
    [booking(1), 'acknowledged'],
    [booking(-2, 'R-2'), 'acknowledged'],
    [booking(3), 'sent'],
    [booking(4), 'refused'],
  ]);
  const [first, second] = [stated(1), stated(-2, { reference: 'R-2' })];

  test('what was acknowledged is there once, and what was only sent may be missing', () => {
    expect(journal.compare([first, second])).toEqual({ acknowledged: 2, ...nothing });
    expect(journal.compare([first, second, stated(3)])).toEqual({ acknowledged: 2, ...nothing });
  });

  test('a lost booking is noticed', () => {
    expect(journal.compare([first]).lost).toEqual(['-2 cents on a (R-2)']);
  });

  test('a doubled booking is noticed, also of one that was not acknowledged', () => {
    expect(journal.compare([first, first, second, stated(3), stated(3)]).doubled).toEqual([
      '1 cents on a: 2 times',
      '3 cents on a: 2 times',
    ]);
  });

  test.each([
    ['another account', stated(1, { account: 'b' })],
    ['another reference', stated(1, { reference: 'R-1' })],
    ['the opposite sign', stated(-1)],
  ])('%s than was sent is noticed', (_what, wrong) => {
    expect(journal.compare([wrong, second]).changed).toEqual(['1 cents on a']);
  });

  test('what was refused or never sent is noticed', () => {
    expect(journal.compare([first, second, stated(4), stated(9)]).unexpected).toEqual(['t4', 't9']);
  });
});

test('a copy of the ledger has what was acknowledged when it was begun, and may have what came later', () => {
  const journal = journalOf([
    [booking(1), 'acknowledged'],
    [booking(2), 'acknowledged'],
  ]);
  const copy = journal.forCopy([booking(1)]);
  expect(copy.compare([stated(1)])).toEqual({ acknowledged: 1, ...nothing });
  expect(copy.compare([stated(1), stated(2)])).toEqual({ acknowledged: 1, ...nothing });
  expect(copy.compare([stated(2)]).lost).toEqual(['1 cents on a']);
});

test.each([
  ['0.01', 1],
  ['-12.3', -1230],
  ['1000', 100_000],
  ['0.001', Number.NaN],
  ['', Number.NaN],
])('%s is %d cents', (text, cents) => {
  expect(toCents(text)).toBe(cents);
});

test.each([1, -1, 99, -12_345, 100])('%d cents are written so that they are read as the same', (cents) => {
  expect(toCents(fromCents(cents))).toBe(cents);
});
