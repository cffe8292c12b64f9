// Hears what happens to the lots of one position, so that an explanation can tell how their cost came about.

import type { Lot, QuantityAndCost } from './lot.ts';

export interface LotObserver {
  opened(lot: Lot): void;
  /** A part left the lot, which is given as it was before. */
  taken(lot: Lot, part: QuantityAndCost): void;
  /** Under AVERAGE: a part left the position, which is given as it was before, and the units of these lots with it. */
  takenTogether(held: QuantityAndCost, part: QuantityAndCost, lots: readonly Lot[]): void;
  /** All lots changed at once. */
  replaced(before: readonly Lot[], after: readonly Lot[]): void;
}
