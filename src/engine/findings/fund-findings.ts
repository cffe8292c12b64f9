// Finds investments in private funds that several places hold, and whose net asset value may count once for each of them: a net asset value is that of the whole investment, so it is split between
// them by what each has paid in.

import type { Day } from '../../kit/day.ts';
import type { History } from '../history/history.ts';

export interface SpreadFundFinding {
  readonly kind: 'fund-in-several-places';
  /** The second place that holds it. */
  readonly position: number;
}

export interface AssumedUnitFinding {
  readonly kind: 'fund-units-unclear';
  /** A place that counts as one unit because it was called. */
  readonly position: number;
}

/** Where units are stated at one place, every other place that was called counts as one unit, at a whole net asset value. */
export function assumedUnitFindings(
  history: History,
  positions: readonly number[],
  day: Day,
): readonly AssumedUnitFinding[] {
  const { spreadFunds } = history.values;
  const isHeld = (position: number): boolean => history.units(position).valueOn(day) !== 0n;
  return positions
    .filter((position) => isHeld(position) && spreadFunds.assumedUnitsOf(position).includes(position))
    .map((position) => ({ kind: 'fund-units-unclear', position }));
}

/** Funds that are held in units are exempt: a net asset value is then that of a unit. */
export function spreadFundFindings(
  history: History,
  positions: readonly number[],
  day: Day,
): readonly SpreadFundFinding[] {
  const spread = positions.filter((position) => history.values.spreadFunds.positionsOf(position).length > 0);
  const byInstrument = Map.groupBy(spread, (position) => history.key(position).instrument);
  return [...byInstrument.values()].flatMap((places) => {
    const holders = places.filter((position) => history.units(position).valueOn(day) !== 0n);
    const second = holders[1];
    if (second === undefined) return [];
    return [{ kind: 'fund-in-several-places', position: second }];
  });
}
