// Units made ready to be multiplied by prices and rates. Knows no days.

import { findValueScale, type ValueScale } from './converted-value.ts';

/** As the scale of the product wants them: without zeros at their end, or in high units. */
export interface ReadyUnits {
  readonly units: number;
  readonly scale: ValueScale;
}

/** So many places has what is put into high: fewer of them make nothing quicker. */
const placesEnough = 4;

/** Places are those of units and price together. None where the product has to be done with longer integers. */
export function findReady(units: number, places: number): ReadyUnits | undefined {
  let short = units;
  let left = places;
  for (; left > placesEnough && Number.isInteger(short / 10); left--) short /= 10;
  const scale = findValueScale(left);
  if (scale === undefined) return undefined;
  short *= scale.highPerOne;
  return Math.abs(short) <= Number.MAX_SAFE_INTEGER ? { units: short, scale } : undefined;
}
