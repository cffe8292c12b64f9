import { expect, test } from 'vitest';
import { describeDifferences, sumOf } from './compared-counts.ts';

test('counts that agree have no differences, and a table without rows is like a table that is not named', () => {
  const one = new Map([
    ['account', 2],
    ['client', 0],
  ]);
  expect(describeDifferences(['counted', one], ['written', new Map([['account', 2]])])).toBeUndefined();
  expect(sumOf(one)).toBe(2);
});

test('every table whose counts differ is shown with both counts, whichever side lacks it', () => {
  const counted = new Map([
    ['transaction', 12],
    ['account', 2],
    ['client', 1],
  ]);
  const written = new Map([
    ['account', 2],
    ['client', 3],
    ['webhook', 1],
  ]);
  expect(describeDifferences(['counted', counted], ['written', written])).toBe(
    '\n  table        counted  written\n  client       1        3\n  transaction  12       0\n  webhook      0        1',
  );
});

test('many differences are shown in part and counted', () => {
  const counts = new Map(Array.from({ length: 43 }, (_, index) => [`table_${index}`, 1] as const));
  expect(describeDifferences(['a', counts], ['b', new Map()])).toMatch(/\n {2}and 3 more$/);
});
