// Explains a difference by transactions that one side has and the other does not have yet: the ledger books on the trade date, a
// custodian often on the settlement date.

import type { Day } from '../../kit/day.ts';
import { magnitude, type Fixed } from '../../kit/fixed.ts';
import type { History } from '../history/history.ts';
import { listCashMovements } from '../history/movements.ts';
import { isUnitMovingKind } from '../history/position-kinds.ts';
import { noSettlementDay } from '../ledger/columns/ledger-chunk.ts';

interface Movement {
  readonly row: number;
  readonly day: Day;
  readonly amount: Fixed;
}

interface Window {
  readonly day: Day;
  /** How many days a transaction without a settlement date may take to settle. */
  readonly settlementDays: number;
}

interface Difference extends Window {
  /** Stated − ledger. */
  readonly difference: Fixed;
  readonly tolerance: Fixed;
}

/** Beyond these, only all of them together and the latest ones are tried: every one more would double the combinations. */
const combinedMax = 12;

/** The rows that explain the difference; undefined if none do. */
export function findUnitTiming(
  history: History,
  positions: readonly number[],
  difference: Difference,
): readonly number[] | undefined {
  return findTiming(history, unitMovements(history, positions), difference);
}

/** The same for cash. */
export function findCashTiming(
  history: History,
  position: number,
  difference: Difference,
): readonly number[] | undefined {
  return findTiming(history, listCashMovements(history, position), difference);
}

function unitMovements({ rows, byPosition }: History, positions: readonly number[]): readonly Movement[] {
  return positions.flatMap((position) =>
    Array.from(byPosition.rowsOf(position)).flatMap((row) =>
      isUnitMovingKind(rows.kinds[row]!) ? [{ row, day: rows.days[row]!, amount: rows.get('quantity', row) }] : [],
    ),
  );
}

/** Whether any units of these positions moved after a day and up to another. */
export function hasUnitMovements(
  history: History,
  positions: readonly number[],
  { after, until }: { readonly after: Day; readonly until: Day },
): boolean {
  return unitMovements(history, positions).some(({ day, amount }) => amount !== 0n && day > after && day <= until);
}

function findTiming(
  history: History,
  movements: readonly Movement[],
  difference: Difference,
): readonly number[] | undefined {
  const effects = movements.flatMap((movement) => {
    const amount = effectOn(history, movement, difference);
    return amount === 0n ? [] : [{ row: movement.row, amount }];
  });
  const explained = findSum(effects, difference);
  return explained?.map(({ row }) => history.rows.numbers[row]!);
}

/** What a transaction adds to the difference if the custodian has not booked it yet, or has booked it before the ledger. */
function effectOn({ rows }: History, { row, day, amount }: Movement, window: Window): Fixed {
  const settlement = rows.settlement(row);
  if (day > window.day) return day <= window.day + window.settlementDays ? amount : 0n;
  const settled = settlement === noSettlementDay ? day + window.settlementDays : settlement;
  return settled > window.day ? -amount : 0n;
}

interface Effect {
  readonly row: number;
  readonly amount: Fixed;
}

/** Never none at all: nothing fits a difference that is beyond the tolerance. */
function findSum(
  effects: readonly Effect[],
  { difference, tolerance }: Pick<Difference, 'difference' | 'tolerance'>,
): readonly Effect[] | undefined {
  const fits = (sum: Fixed): boolean => magnitude(difference - sum) <= tolerance;
  for (const side of [
    effects,
    effects.filter(({ amount }) => amount > 0n),
    effects.filter(({ amount }) => amount < 0n),
  ]) {
    if (fits(sumOf(side))) return side;
  }
  return findCombination(effects.slice(-combinedMax), fits);
}

function sumOf(effects: readonly Effect[]): Fixed {
  return effects.reduce((sum, { amount }) => sum + amount, 0n);
}

/** The combination with the fewest transactions. */
function findCombination(effects: readonly Effect[], fits: (sum: Fixed) => boolean): readonly Effect[] | undefined {
  let combinations: Effect[][] = [[]];
  for (const effect of effects) combinations = [...combinations, ...combinations.map((some) => [...some, effect])];
  return combinations
    .toSorted((one, other) => one.length - other.length)
    .find((combination) => fits(sumOf(combination)));
}
