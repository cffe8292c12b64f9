// Prints rows as columns of equal width.

import { greatestOf } from '../../kit/memory/long-list.ts';
import type { Print } from './command.ts';

export function printTable(print: Print, titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = titles.map((title, index) =>
    Math.max(title.length, greatestOf(rows.map((row) => (row[index] ?? '').length))),
  );
  for (const row of [titles, ...rows])
    print(
      row
        .map((text, index) => text.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
