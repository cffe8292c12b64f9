// Lots that were open before the first row of a pass. Knows no trades.

import type { Day } from '../../kit/day.ts';
import { totalOf } from '../lot-book/stake.ts';
import type { Lot, Stake } from '../lot.ts';
import { none, type QuickState } from './quick-state.ts';
import { isWithinWide, setWideCost } from './wide-cost.ts';

export interface Openings {
  /** By position, oldest first. */
  readonly lots: readonly (readonly Lot[])[];
  /** The day of the first row. */
  readonly day: Day;
  /** To which neighbour a lot is linked. */
  readonly link: 'next' | 'before';
}

/** Takes them in, position by position. A position whose lots do not fit is left to the lot book. */
export function takeInOpenLots(state: QuickState, { lots: openings, day, link }: Openings): void {
  let number = state.rowCount;
  for (const [position, lots] of openings.entries()) {
    for (const lot of lots) {
      state.held[position]! += state.quantityScale.fromFixed(lot.quantity);
      if (link === 'next') linkToNext(state, position, number++);
      else linkToBefore(state, position, number++);
    }
    const total = totalOf(lots);
    const fit = lots.every((lot) => fits(state, lot) && lot.acquired <= day);
    if (!fit || !isWithin(total)) {
      state.isPlain[position] = 0;
    } else if (link === 'before') {
      setWideCost(state.carried, 4 * position, total.cost);
      setWideCost(state.carried, 4 * position + 2, total.referenceCost);
    }
  }
}

/** Puts one of them in place as the lot that is being sold, and gives its units. */
export function loadOpenLot(state: QuickState, position: number, number: number): number {
  const { cost, referenceCost } = state.lotOf(number);
  setWideCost(state.carried, 4 * position, cost);
  setWideCost(state.carried, 4 * position + 2, referenceCost);
  return state.unitsOf(number);
}

function linkToNext({ link, newest, oldest }: QuickState, position: number, number: number): void {
  if (newest[position] === none) oldest[position] = number;
  else link[newest[position]!] = number;
  link[number] = none;
  newest[position] = number;
}

function linkToBefore({ link, newest }: QuickState, position: number, number: number): void {
  link[number] = newest[position]!;
  newest[position] = number;
}

function fits({ isOneCurrency }: QuickState, lot: Lot): boolean {
  return lot.quantity > 0n && isWithin(lot) && (!isOneCurrency || lot.cost === lot.referenceCost);
}

function isWithin({ cost, referenceCost }: Stake): boolean {
  const wide = new Float64Array(4);
  setWideCost(wide, 0, cost);
  setWideCost(wide, 2, referenceCost);
  return isWithinWide(wide, 0) && isWithinWide(wide, 2);
}
