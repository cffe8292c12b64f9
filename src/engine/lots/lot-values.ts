// Splits a holding's value between its lots by units.

import { multiplyDivide, type Fixed } from '../../kit/fixed.ts';
import type { QuantityAndCost } from './lot.ts';

/**
 * Rounds value × units so far ÷ all units, half-even; a lot's part is the increase. The parts add up to the value exactly, and
 * each is off by less than one unit of the last place.
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
