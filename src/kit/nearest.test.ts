import { expect, test } from 'vitest';
import { findNearest } from './nearest.ts';

const classes = ['Equities', 'Equities / Emerging markets', 'Funds / Equity funds', 'Bonds', 'Cash'];
const nearestTo = (text: string): string | undefined => findNearest(text, classes, (name) => name);

test.each([
  ['Equity', 'Equities'],
  ['equities', 'Equities'],
  ['Bond', 'Bonds'],
  ['Equities / Emerging market', 'Equities / Emerging markets'],
  ['', 'Equities'],
])('the known name nearest to %j is %j', (text, nearest) => {
  expect(nearestTo(text)).toBe(nearest);
});

test('nothing is near where nothing is known', () => {
  expect(findNearest('Equity', [], String)).toBeUndefined();
});
