// Prepares units for multiplication by prices and rates.

import { lastOnOrBefore } from '../amounts/series.ts';
import { findValueScale, type UnitRun, type ValueScale } from './converted-value.ts';
import { windowLength, type DayWindow } from './daily-points.ts';
import type { DatedColumn } from './dated-column.ts';

/** By day of a window, before they are scaled. */
type UnitSteps = Omit<UnitRun, 'scale' | 'maxAbs'>;

/** There are none before the first day that counts. */
export function unitSteps({ days, values }: DatedColumn, window: DayWindow, firstCountedDay: number): UnitSteps {
  const { first, last } = window;
  const from = Math.max(0, lastOnOrBefore(days, first));
  const starts = days.slice(from, lastOnOrBefore(days, last) + 1);
  for (let step = 0; step < starts.length; step++) starts[step] = Math.max(firstCountedDay, starts[step]! - first);
  return { starts, units: values.slice(from, from + starts.length), end: windowLength(window) };
}

// Objects for the loops are written out property by property: if one of them is made by spreading, V8 discards the compiled loops
// and the next report starts slowly.

/** `places` are those of units and price together. Returns undefined if products need longer integers. */
export function findScaledRun(steps: UnitSteps, maxAbs: number, places: number): UnitRun | undefined {
  const scale = findValueScale(places);
  if (scale === undefined || maxAbs * scale.highPerOne > Number.MAX_SAFE_INTEGER) return undefined;
  const { starts, end } = steps;
  const { highPerOne } = scale;
  const units = highPerOne === 1 ? steps.units : steps.units.map((unit) => unit * highPerOne);
  return { starts, units, maxAbs: maxAbs * highPerOne, end, scale };
}

/** Scaled for the product: without trailing zeros, or in high units. */
interface ScaledUnits {
  readonly units: number;
  readonly scale: ValueScale;
}

/** Places of a high: fewer would make nothing faster. */
const placesMin = 4;

export function findScaledUnits(units: number, places: number): ScaledUnits | undefined {
  let short = units;
  let left = places;
  for (; left > placesMin && Number.isInteger(short / 10); left--) short /= 10;
  const scale = findValueScale(left);
  if (scale === undefined) return undefined;
  short *= scale.highPerOne;
  return Math.abs(short) <= Number.MAX_SAFE_INTEGER ? { units: short, scale } : undefined;
}

/** The same units on all days. */
export function constantRun({ units, scale }: ScaledUnits, { start, end }: { start: number; end: number }): UnitRun {
  return { starts: Int32Array.of(start), units: Float64Array.of(units), maxAbs: Math.abs(units), end, scale };
}
