// Columns are as wide as their widest text, and no line ends with spaces.

import { expect, test } from 'vitest';
import { printTable } from './print-table.ts';

function linesOf(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const lines: string[] = [];
  printTable((line) => void lines.push(line), titles, rows);
  return lines;
}

test.each<[what: string, titles: readonly string[], rows: readonly (readonly string[])[], lines: readonly string[]]>([
  [
    'rows that are wider than their titles, and titles that are wider than theirs',
    ['id', 'clients', 'name'],
    [
      ['abcdef', '1', 'First'],
      ['g', '20', ''],
    ],
    ['id      clients  name', 'abcdef  1        First', 'g       20'],
  ],
  ['no rows', ['id', 'name'], [], ['id  name']],
])('%s', (_what, titles, rows, lines) => {
  expect(linesOf(titles, rows)).toEqual(lines);
});
