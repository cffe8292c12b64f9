// Units made ready to be multiplied by prices and rates. Knows no prices but how many places they have.

import { lastOnOrBefore } from '../amounts/series.ts';
import { findValueScale, type UnitRun, type ValueScale } from './converted-value.ts';
import { windowLength, type DayWindow } from './daily-points.ts';
import type { DatedColumn } from './dated-column.ts';

/** By day of a window, before they are made ready. */
export type UnitSteps = Omit<UnitRun, 'scale' | 'maxAbs'>;

/** Before the first day that counts there are none. */
export function unitSteps({ days, values }: DatedColumn, window: DayWindow, firstCountedDay: number): UnitSteps {
  const { first, last } = window;
  const from = Math.max(0, lastOnOrBefore(days, first));
  const starts = days.slice(from, lastOnOrBefore(days, last) + 1);
  for (let step = 0; step < starts.length; step++) starts[step] = Math.max(firstCountedDay, starts[step]! - first);
  return { starts, units: values.slice(from, from + starts.length), end: windowLength(window) };
}

// Objects for the loops are written out, property by property: with the last of those made by spreading, V8 throws away what it
// compiled for them, and the next report begins slowly.

/** Places are those of units and price together. None where products have to be done with longer integers. */
export function findScaledRun(steps: UnitSteps, maxAbs: number, places: number): UnitRun | undefined {
  const scale = findValueScale(places);
  if (scale === undefined || maxAbs * scale.highPerOne > Number.MAX_SAFE_INTEGER) return undefined;
  const { starts, end } = steps;
  const { highPerOne } = scale;
  const units = highPerOne === 1 ? steps.units : steps.units.map((unit) => unit * highPerOne);
  return { starts, units, maxAbs: maxAbs * highPerOne, end, scale };
}

/** As the scale of the product wants them: without zeros at their end, or in high units. */
export interface ScaledUnits {
  readonly units: number;
  readonly scale: ValueScale;
}

/** So many places has what is put into high: fewer of them make nothing quicker. */
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
