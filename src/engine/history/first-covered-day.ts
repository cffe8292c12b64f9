// Finds the first day, from a given one on, on which what a report covers is held or moved. Before it there are no units, values or
// flows.

import type { Day } from '../../kit/day.ts';
import type { History } from './history.ts';
import { coveredPositions, type Coverage } from './holdings.ts';

interface CoveredDayRequest {
  readonly covers: Coverage;
  readonly from: Day;
}

/** Undefined if nothing is held and nothing happens from that day on. */
export function firstCoveredDay(history: History, { covers, from }: CoveredDayRequest): Day | undefined {
  let first = Infinity;
  for (const position of coveredPositions(history, covers)) {
    first = Math.min(first, firstDayOf(history, position, from));
    if (first === from) break;
  }
  return first === Infinity ? undefined : first;
}

/** Looks at units and balances, at the rows that name the position, and at what flowed beyond their amounts. */
function firstDayOf(history: History, position: number, from: Day): Day {
  if (isWorthSomething(history, position, from - 1)) return from;
  const { rows, byPosition, byCash } = history;
  const isLater = (day: Day): boolean => day >= from;
  const dayOfFirst = (numbers: Uint32Array): Day => {
    const row = numbers.find((number) => isLater(rows.days[number]!));
    return row === undefined ? Infinity : rows.days[row]!;
  };
  const first = Math.min(
    history.units(position).days.find(isLater) ?? Infinity,
    dayOfFirst(byPosition.rowsOf(position)),
    dayOfFirst(byCash.rowsOf(position)),
  );
  return history.legs(position).reduce((least, { day }) => (isLater(day) ? Math.min(least, day) : least), first);
}

/** A bond that is sold may still be owed a coupon. */
function isWorthSomething(history: History, position: number, day: Day): boolean {
  if (history.units(position).valueOn(day) !== 0n) return true;
  const [first] = history.byPosition.rowsOf(position);
  if (first === undefined || history.rows.days[first]! > day) return false;
  return history.instrument(position).terms.type === 'bond' && history.values.inOwnCurrency(position, day).value !== 0n;
}
