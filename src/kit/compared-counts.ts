// Compares rows that were counted in two ways, and shows where they differ as a table.

import { greatestOf } from './memory/long-list.ts';

/** How many rows each table has. */
export type RowCounts = ReadonlyMap<string, number>;

const shownMax = 40;

/** A table of the names whose counts differ, each after a line feed; undefined where none does. A name that one side lacks has no rows there. */
export function describeDifferences(
  [firstTitle, first]: readonly [title: string, counts: RowCounts],
  [secondTitle, second]: readonly [title: string, counts: RowCounts],
): string | undefined {
  const names = [...new Set([...first.keys(), ...second.keys()])].toSorted();
  const differing = names.filter((name) => (first.get(name) ?? 0) !== (second.get(name) ?? 0));
  if (differing.length === 0) return undefined;
  const rows = differing
    .slice(0, shownMax)
    .map((name) => [name, String(first.get(name) ?? 0), String(second.get(name) ?? 0)] as const);
  const lines = [['table', firstTitle, secondTitle] as const, ...rows];
  const width = (column: 0 | 1): number => greatestOf(lines.map((line) => line[column].length));
  const texts = lines.map(([name, one, other]) => `\n  ${name.padEnd(width(0))}  ${one.padEnd(width(1))}  ${other}`);
  const more = differing.length > shownMax ? `\n  and ${differing.length - shownMax} more` : '';
  return `${texts.join('')}${more}`;
}

export function sumOf(counts: RowCounts): number {
  return counts.values().reduce((sum, count) => sum + count, 0);
}
