import { expect, test } from 'vitest';
import { statedSubject, type StatedHolding } from './stated-holding.ts';
import type { NamedInstrument } from './statement.ts';

const units = { kind: 'units', instrument: null, named: null, currency: 'CHF' } as unknown as StatedHolding;
const subjectOf = (named: NamedInstrument | null) => statedSubject({ ...units, named });

test('what is held is told by the code that says most, or else by its name', () => {
  const codes = ['isin', 'cusip', 'sedol', 'custodianCode', 'ticker'] as const;
  const words = { isin: 'A', cusip: 'B', sedol: 'C', custodianCode: 'D', ticker: 'E', mic: 'XSWX', name: 'F' };
  const found = [...codes, 'name'].map((_, index) => {
    const left = Object.entries(words).filter(([name]) => !(codes.slice(0, index) as readonly string[]).includes(name));
    return subjectOf(Object.fromEntries(left));
  });
  expect(found).toEqual(['ISIN:A', 'CUSIP:B', 'SEDOL:C', 'CODE:D', 'TICKER:E@XSWX', 'NAME:F']);
  expect([subjectOf({ ticker: 'e' }), subjectOf({}), subjectOf(null)]).toEqual(['TICKER:E@', 'NAME:', 'NAME:']);
});

test('names count without regard to case and spaces, and with their first 200 characters', () => {
  expect(subjectOf({ name: ' Nestle \n  sa ' })).toBe('NAME: NESTLE SA');
  const long = 'x'.repeat(194);
  expect(subjectOf({ name: `${long}xy` })).toBe(subjectOf({ name: `${long}xz` }));
  expect(subjectOf({ name: `${long}y` })).not.toBe(subjectOf({ name: `${long}z` }));
});

test('a known instrument is itself, and cash its currency', () => {
  const instrument = 'a'.repeat(24) as NonNullable<StatedHolding['instrument']>;
  expect(statedSubject({ ...units, instrument, named: { isin: 'A' } })).toBe(instrument);
  expect(statedSubject({ ...units, kind: 'cash' })).toBe('cash:CHF');
  expect(statedSubject({ ...units, kind: 'cash', currency: null })).toBe('cash:');
});
