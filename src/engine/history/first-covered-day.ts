// Finds the first day on which anything happened to what a report covers: before it there are no units, values or flows.

import type { Day } from '../../kit/day.ts';
import type { History } from './history.ts';
import { coveredPositions, type Coverage } from './holdings.ts';

/** Undefined if nothing ever happened. */
export function firstCoveredDay(history: History, covers: Coverage): Day | undefined {
  let first = Infinity;
  for (const position of coveredPositions(history, covers)) first = Math.min(first, firstDayOf(history, position));
  return first === Infinity ? undefined : first;
}

/** Looks at units and balances, at the rows that name the position, and at what flowed beyond their amounts. */
function firstDayOf(history: History, position: number): Day {
  const { rows, byPosition, byCash } = history;
  const dayOfRow = (row: number | undefined): Day => (row === undefined ? Infinity : rows.days[row]!);
  const first = Math.min(
    history.units(position).days[0] ?? Infinity,
    dayOfRow(byPosition.rowsOf(position)[0]),
    dayOfRow(byCash.rowsOf(position)[0]),
  );
  return history.legs(position).reduce((earliest, { day }) => Math.min(earliest, day), first);
}
