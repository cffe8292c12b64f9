// What each lot of a holding is worth: its part of the whole by units. Knows no price.

import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { QuantityAndCost } from './lot.ts';

/**
 * Value × units of the lots so far ÷ all units, rounded half-even; a lot's part is what that rises by. So the parts add up to the
 * value exactly, and each is off by less than a unit of the last place.
 */
export function lotValues(value: Fixed, lots: readonly Pick<QuantityAndCost, 'quantity'>[]): readonly Fixed[] {
  const all = lots.reduce((sum, { quantity }) => sum + quantity, 0n);
  let units = 0n;
  let allocated = 0n;
  return lots.map(({ quantity }) => {
    units += quantity;
    const cumulative = multiplyDivide(value, units, all);
    const part = cumulative - allocated;
    allocated = cumulative;
    return part;
  });
}
