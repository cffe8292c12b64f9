// Rounds a fixed number to fewer digits after the point.

import { divideRounded, fixedPlaces, type Fixed, type Rounding } from '../../../src/kit/fixed.ts';

export function roundFixed(value: Fixed, places: number, rounding: Rounding = 'half-even'): Fixed {
  const step = 10n ** BigInt(fixedPlaces - places);
  return divideRounded(value, step, rounding) * step;
}
