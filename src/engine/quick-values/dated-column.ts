// Integers by day, as ledgers give them. Knows not what they count.

import { oneFixed, type Fixed } from '../../kit/fixed.ts';
import type { QuickColumn } from '../quick-lots.ts';

/** In the order of their days, any number on one. */
export interface DatedColumn extends QuickColumn {
  readonly days: Int32Array;
}

/** How far from zero the furthest is; none where one is no integer that a double holds: NaN stands where one does not fit. */
export function findReach({ values }: QuickColumn): number | undefined {
  const count = values.length;
  let reach = 0;
  for (let index = 0; index < count; index++) {
    const size = Math.abs(values[index]!);
    if (!(size <= Number.MAX_SAFE_INTEGER)) return undefined;
    if (size > reach) reach = size;
  }
  return reach;
}

export function fixedAt({ values, scale }: QuickColumn, index: number): Fixed {
  return (BigInt(values[index]!) * oneFixed) / 10n ** BigInt(scale);
}
