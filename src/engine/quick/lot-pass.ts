// Goes over the trades of a ledger, by FIFO or by AVERAGE. A position that sells more than it holds is left to the lot book.

import type { TradeColumns, LotPassState } from './lot-pass-state.ts';
import { addWideCost, subtractLargeShare, subtractShare } from './wide-cost.ts';

type Positions = TradeColumns['positions'];

// Not imported: inside the inner loop an imported number would be read again at each use.
const noLot = -1;
const highMax = 2 ** 50;
const quantityMax = 2 ** 50;
/** Up to here subtractShare is exact. */
const smallQuantityMax = 2 ** 31;

export function passFifo(state: LotPassState, positions: Positions): void {
  const { quantities, costs, referenceCosts, held, isPlain, link, oldest, newest } = state;
  const costMax = state.costScale.amountMax;
  const referenceMax = state.referenceScale.amountMax;
  const count = state.rowCount;
  for (let row = 0; row < count; row++) {
    const position = positions === undefined ? 0 : positions[row]!;
    if (position < 0 || isPlain[position] === 0) continue;
    const quantity = quantities[row]!;
    const before = held[position]!;
    held[position] = before + quantity;
    if (quantity > 0) {
      const isWithin = Math.abs(costs[row]!) <= costMax && Math.abs(referenceCosts[row]!) <= referenceMax;
      if (!isWithin || before > quantityMax) isPlain[position] = 0;
      if (oldest[position] === noLot) oldest[position] = row;
      else link[newest[position]!] = row;
      newest[position] = row;
      link[row] = noLot;
    } else if (quantity < 0 && -quantity <= before) sellOldest(state, position, row);
    else isPlain[position] = 0;
  }
}

function sellOldest(state: LotPassState, position: number, row: number): void {
  const { carried } = state;
  const end = 4 * position + state.carriedWidth;
  let wanted = -state.quantities[row]!;
  let left = state.left[position]!;
  while (wanted > 0) {
    if (left === 0) left = loadOldest(state, position);
    if (wanted >= left) {
      wanted -= left;
      left = 0;
    } else {
      if (left > smallQuantityMax) subtractLargeShares(state, position, wanted, left);
      else for (let at = 4 * position; at < end; at += 2) subtractShare(carried, at, wanted, left);
      left -= wanted;
      wanted = 0;
    }
  }
  state.left[position] = left;
}

/** Makes the next lot the one being sold and returns its units. */
function loadOldest(state: LotPassState, position: number): number {
  const { carried } = state;
  const lot = state.oldest[position]!;
  state.oldest[position] = state.link[lot]!;
  state.current[position] = lot;
  for (let at = 4 * position; at < 4 * position + 4; at++) carried[at] = 0;
  addCost(state, position, lot);
  return state.quantities[lot]!;
}

export function passAverage(state: LotPassState, positions: Positions): void {
  const { quantities, costs, referenceCosts, held, carried, carriedWidth, isPlain, link, newest } = state;
  const costPerOne = state.costScale.highPerOne;
  const referencePerOne = state.referenceScale.highPerOne;
  const isFine = costPerOne === 0 || referencePerOne === 0 || state.referenceLows !== undefined;
  const count = state.rowCount;
  for (let row = 0; row < count; row++) {
    const position = positions === undefined ? 0 : positions[row]!;
    if (position < 0 || isPlain[position] === 0) continue;
    const quantity = quantities[row]!;
    const before = held[position]!;
    const start = 4 * position;
    held[position] = before + quantity;
    if (quantity > 0) {
      if (isFine) addCost(state, position, row);
      else {
        carried[start]! += costs[row]! * costPerOne;
        if (carriedWidth > 2) carried[start + 2]! += referenceCosts[row]! * referencePerOne;
      }
      if (!(Math.abs(carried[start]!) <= highMax && Math.abs(carried[start + 2]!) <= highMax)) isPlain[position] = 0;
      link[row] = newest[position]!;
      newest[position] = row;
    } else if (quantity < 0 && -quantity <= before) {
      if (before > smallQuantityMax) subtractLargeShares(state, position, -quantity, before);
      else for (let at = start; at < start + carriedWidth; at += 2) subtractShare(carried, at, -quantity, before);
    } else isPlain[position] = 0;
  }
}

function addCost(state: LotPassState, position: number, row: number): void {
  state.costScale.addTo(state.carried, 4 * position, state.costs[row]!);
  if (state.isOneCurrency) return;
  state.referenceScale.addTo(state.carried, 4 * position + 2, state.referenceCosts[row]!);
  if (state.referenceLows !== undefined) addWideCost(state.carried, 4 * position + 2, 0, state.referenceLows[row]!);
}

function subtractLargeShares(state: LotPassState, position: number, quantity: number, held: number): void {
  if (held > quantityMax) state.isPlain[position] = 0;
  const end = 4 * position + state.carriedWidth;
  for (let at = 4 * position; at < end; at += 2) subtractLargeShare(state.carried, at, quantity, held);
}
