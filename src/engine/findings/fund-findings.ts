// Finds investments in private funds that are spread over several places: a net asset value is that of the whole investment, so each
// place counts all of it, and what one place receives does not lower the value at another.

import type { Day } from '../../kit/day.ts';
import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import { transactionKinds } from '../ledger/transaction.ts';
import type { History } from '../history/history.ts';

export interface SpreadFundFinding {
  readonly kind: 'fund-in-several-places';
  /** The place that holds it, or the second one that does. */
  readonly position: number;
  /** All places that hold it. */
  readonly positions: readonly number[];
  /** How many times the whole investment counts. */
  readonly quantity: Fixed;
}

const fundKinds: ReadonlySet<number> = new Set(
  (['capital-call', 'distribution'] as const).map((kind) => transactionKinds.indexOf(kind)),
);

/** Funds that are held in units are exempt: a net asset value is then that of a unit. */
export function spreadFundFindings(
  history: History,
  positions: readonly number[],
  day: Day,
): readonly SpreadFundFinding[] {
  const funds = positions.filter((position) => history.instrument(position).terms.type === 'private-fund');
  const byInstrument = Map.groupBy(funds, (position) => history.key(position).instrument);
  return [...byInstrument.values()].flatMap((held) => (held.length < 2 ? [] : [...findSpread(history, held, day)]));
}

function* findSpread(history: History, positions: readonly number[], day: Day): Generator<SpreadFundFinding> {
  const flows = positions.map((position) => flowRows(history, position, day));
  if (flows.flat().some((row) => history.rows.quantities[row] !== 0)) return;
  const units = positions.map((position) => history.units(position).valueOn(day));
  const total = units.reduce((sum, held) => sum + held, 0n);
  const holders = positions.filter((_, index) => units[index] !== 0n);
  const isPaidElsewhere = units.some(
    (held, index) => held === 0n && flows[index]!.length > 0 && !wasHeld(history, positions[index]!),
  );
  const at = holders[1] ?? holders[0];
  if (at === undefined || (total <= oneFixed && !isPaidElsewhere)) return;
  yield { kind: 'fund-in-several-places', position: at, positions: holders, quantity: total };
}

/** What was called there may have moved along with what was held. */
function wasHeld(history: History, position: number): boolean {
  const units = history.units(position);
  return Array.from(units.days, (_, index) => units.valueAt(index)).some((held) => held !== 0n);
}

function flowRows({ rows, byPosition }: History, position: number, day: Day): readonly number[] {
  return Array.from(byPosition.rowsOf(position)).filter(
    (row) => rows.days[row]! <= day && fundKinds.has(rows.kinds[row]!),
  );
}
