// Prints rows as columns of equal width.

import { greatestOf } from '../../kit/memory/long-list.ts';
import type { Print } from './command.ts';

/** Each row has a text for each title. */
export function printTable(print: Print, titles: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [titles, ...rows];
  const widths = titles.map((_, index) => greatestOf(lines.map((texts) => texts[index]!.length)));
  for (const texts of lines)
    print(
      widths
        .map((width, index) => texts[index]!.padEnd(width))
        .join('  ')
        .trimEnd(),
    );
}
