import { expect, test } from 'vitest';
import { UseCounts } from './use-counts.ts';

function countsOf(uses: Readonly<Record<string, number>>): UseCounts {
  const counts = new UseCounts();
  for (const [name, count] of Object.entries(uses)) for (let times = 0; times < count; times++) counts.add(name);
  return counts;
}

const ones = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, number) => [`once ${number}`, 1]));

test.each<[what: string, uses: Record<string, number>, counts: Record<string, number>]>([
  ['nothing', {}, { often: 0 }],
  ['one thing up to 160 times', { often: 160 }, { often: 160 }],
  ['one thing once more', { often: 161 }, { often: 80 }],
  ['one thing until it counts half for the second time', { often: 322 }, { often: 120 }],
  ['one thing just before that', { often: 321 }, { often: 240 }],
  [
    'things once, twice and three times',
    { one: 1, two: 2, three: 3, often: 155 },
    { one: 0, two: 1, three: 1, often: 77 },
  ],
  ['16 things, up to 160 times', { ...ones(15), often: 145 }, { 'once 0': 1, often: 145 }],
  ['16 things, once more', { ...ones(15), often: 146 }, { 'once 0': 0, often: 73 }],
  ['17 things, up to 170 times', { ...ones(16), often: 154 }, { 'once 0': 1, often: 154 }],
  ['17 things, once more', { ...ones(16), often: 155 }, { 'once 0': 0, often: 77 }],
  ['17 things, of which the forgotten count no more', { ...ones(16), often: 155 + 161 }, { often: 119 }],
])('uses of %s', (_what, uses, expected) => {
  const counts = countsOf(uses);
  expect(Object.fromEntries(Object.keys(expected).map((name) => [name, counts.of(name)]))).toEqual(expected);
});
