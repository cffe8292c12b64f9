// Lists the splits of each instrument, for which its points are adjusted.

import type { UnitChange } from '../instruments/quote.ts';
import type { LedgerRows } from './ledger-rows.ts';

/** How often a split was booked for each place. */
interface BookedSplit extends UnitChange {
  readonly timesByPlace: Map<string, number>;
}

/**
 * By instrument, ordered by day. One that is booked for several places counts once, and several of one day all count: as often as the
 * place that has each of them most often.
 */
export function unitChangesByInstrument(rows: LedgerRows): ReadonlyMap<string, readonly UnitChange[]> {
  const changes = new Map<string, BookedSplit[]>();
  for (const row of rows.rowsWithDetails) {
    const action = rows.details(row)?.action;
    if (action?.action !== 'split') continue;
    const { instrument, account, depository, day: exDay } = rows.transaction(row);
    const split = { exDay, ratio: action.ratio };
    const earlier = changes.get(instrument!) ?? [];
    const same = earlier.filter((one) => isSameSplit(one, split));
    const place = JSON.stringify([account, depository]);
    const timesByPlace = same[0]?.timesByPlace ?? new Map<string, number>();
    const times = (timesByPlace.get(place) ?? 0) + 1;
    timesByPlace.set(place, times);
    if (times > same.length) changes.set(instrument!, [...earlier, { ...split, timesByPlace }]);
  }
  return changes;
}

function isSameSplit(one: UnitChange, other: UnitChange): boolean {
  const [{ ratio }, { ratio: second }] = [one, other];
  return one.exDay === other.exDay && ratio.numerator * second.denominator === second.numerator * ratio.denominator;
}
