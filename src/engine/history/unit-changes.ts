// Lists the splits of each instrument, for which its points are adjusted.

import { greatestCommonDivisor } from '../../kit/fixed.ts';
import type { UnitChange } from '../instruments/unit-change-span.ts';
import type { Ratio } from '../lots/lot.ts';
import type { LedgerRows } from './ledger-rows.ts';

/** Splits of one day in one ratio. */
interface EqualSplits {
  /** How many of them count. */
  count: number;
  readonly timesByPlace: Map<string, number>;
}

/**
 * By instrument, ordered by day. One that is booked for several places counts once, and several of one day all count: as often as the
 * place that has each of them most often.
 */
export function unitChangesByInstrument(rows: LedgerRows): ReadonlyMap<string, readonly UnitChange[]> {
  const changes = new Map<string, UnitChange[]>();
  const equalSplits = new Map<string, EqualSplits>();
  for (const row of rows.rowsWithDetails) {
    const action = rows.details(row)?.action;
    if (action?.action !== 'split') continue;
    const { instrument, account, depository, day: exDay } = rows.transaction(row);
    const { ratio } = action;
    const key = `${instrument} ${exDay} ${lowestTerms(ratio)}`;
    const equal = equalSplits.getOrInsertComputed(key, () => ({ count: 0, timesByPlace: new Map() }));
    const place = JSON.stringify([account, depository]);
    const times = (equal.timesByPlace.get(place) ?? 0) + 1;
    equal.timesByPlace.set(place, times);
    if (times <= equal.count) continue;
    equal.count = times;
    changes.getOrInsertComputed(instrument!, () => []).push({ exDay, ratio });
  }
  return changes;
}

/** The same text for 2:1 and 4:2. */
function lowestTerms({ numerator, denominator }: Ratio): string {
  const divisor = greatestCommonDivisor(numerator, denominator);
  return `${numerator / divisor}:${denominator / divisor}`;
}
